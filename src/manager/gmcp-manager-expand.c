/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-answers-private.h"
#include "gmcp-config-entry-keys-private.h"
#include "gmcp-manager-config-private.h"
#include "gmcp-redactor-config-private.h"

/* What configurations are filled in with when a server is started, and what is remembered of it. */

static void
request_input (GObject *target, GmcpConfigInput *input)
{
  gmcp_manager_request_config_input (GMCP_MANAGER (target), input);
}

static void
learn_secrets (GObject *target, GmcpServerConfig *filled, GPtrArray *variables, GPtrArray *secrets)
{
  GmcpRedactor *redactor
    = gmcp_auditor_get_redactor (gmcp_manager_get_auditor (GMCP_MANAGER (target)));

  gmcp_redactor_add_config (redactor, filled);
  for (guint i = 0; i < variables->len; i++)
    {
      const char *variable = g_ptr_array_index (variables, i);
      gsize length = strcspn (variable, "=");

      /* A shell's name for the folder that it is in, and no password. */
      if (!g_str_has_prefix (variable, "PWD=") && !gmcp_config_is_pattern (variable + length + 1))
        gmcp_redactor_add_named (redactor, variable, length, variable + length + 1);
    }
  for (guint i = 0; i < secrets->len; i++)
    gmcp_redactor_add_secret (redactor, g_ptr_array_index (secrets, i));
}

static char *
recall_answer (GObject *target, const char *key)
{
  return gmcp_config_answers_recall (gmcp_manager_get_config_answers (GMCP_MANAGER (target)), key);
}

static void
remember_answer (GObject *target, const char *key, const char *value)
{
  gmcp_config_answers_remember (gmcp_manager_get_config_answers (GMCP_MANAGER (target)), key,
                                value);
}

/**
 * gmcp_manager_forget_inputs:
 * @self: a manager
 *
 * Forgets what was answered to [signal@Gmcp.Manager::config-input-requested], which is kept in memory as
 * long as the manager lives, so that a server is asked about once. From now on the values are asked for
 * again when a server that needs them is started.
 *
 * Since: 0.1
 */
void
gmcp_manager_forget_inputs (GmcpManager *self)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_config_answers_forget (gmcp_manager_get_config_answers (self));
}

GStrv
gmcp_manager_fill_expand_context (GmcpManager *self, GmcpConfigExpandContext *context)
{
  GmcpServerTable *table = gmcp_manager_get_server_table (self);
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  for (guint i = 0; i < gmcp_server_table_get_length (table); i++)
    {
      GmcpManagedServer *server = gmcp_server_table_get_server (table, i);

      g_ptr_array_add (ids, g_strdup (gmcp_managed_server_get_id (server)));
    }
  g_ptr_array_add (ids, NULL);

  context->ids = (const char *const *) ids->pdata;
  context->workspace = gmcp_manager_peek_workspace_path (self);
  context->ask = request_input;
  context->learn = learn_secrets;
  context->recall = recall_answer;
  context->remember = remember_answer;
  context->target = G_OBJECT (self);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&ids), FALSE);
}

gboolean
gmcp_manager_lacks_input (GmcpManager *self, GmcpServerConfig *config)
{
  GmcpConfigExpandContext context = { NULL };
  g_auto (GStrv) ids G_GNUC_UNUSED = gmcp_manager_fill_expand_context (self, &context);

  return gmcp_config_lacks_input (config, &context);
}
