/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-approval-file-private.h"
#include "gmcp-manager-policy-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-tool-pins-private.h"

/* What somebody has allowed for good. */

/* A copy of a key, for the thread. */
struct _GmcpManagerAnswer
{
  char *host;
  char *role;
  char *server;
  char *identity;
  char *origin;
  char *tool;
  char *digest;
};

void
gmcp_manager_answer_free (gpointer data)
{
  GmcpManagerAnswer *answer = data;

  g_free (answer->host);
  g_free (answer->role);
  g_free (answer->server);
  g_free (answer->identity);
  g_free (answer->origin);
  g_free (answer->tool);
  g_free (answer->digest);
  g_free (answer);
}

static GmcpApprovalKey
get_key (const GmcpManagerAnswer *answer)
{
  return (GmcpApprovalKey){ answer->host,   answer->role, answer->server, answer->identity,
                            answer->origin, answer->tool, answer->digest };
}

/* What would run: another program, or one that another file names, was not spoken of. */
static void
set_program (GmcpManagerAnswer *answer, GmcpServerConfig *config)
{
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (config);

  answer->identity = gmcp_tool_pins_dup_identity (config);
  if (origin != NULL && origin->confined)
    answer->origin = g_strdup (origin->file);
}

GmcpManagerAnswer *
gmcp_manager_answer_new (GmcpManager *self, GmcpTool *tool, const char *role)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GmcpManagerAnswer *answer = g_new0 (GmcpManagerAnswer, 1);
  const char *server = gmcp_tool_get_server (tool);
  GmcpManagerSection *section = server != NULL ? g_hash_table_lookup (priv->by_id, server) : NULL;

  answer->host = g_strdup (priv->host);
  answer->role = g_strdup (role);
  answer->server = g_strdup (server != NULL ? server : "");
  answer->tool = g_strdup (gmcp_tool_get_server_tool_name (tool));
  answer->digest = gmcp_tool_dup_digest (tool);
  if (section != NULL)
    set_program (answer, gmcp_managed_server_get_config (section->server));
  return answer;
}

static GBytes *
add_answer (GBytes *present, gpointer data, GError **error)
{
  const GmcpApprovalKey key = get_key (data);

  return gmcp_approval_file_add (present, &key, error);
}

void
gmcp_manager_remember_allowed (GmcpManager *self, GmcpManagerAnswer *answer)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  const GmcpApprovalKey key = get_key (answer);

  g_hash_table_add (priv->policy->answers, gmcp_approval_key_dup_text (&key));
  gmcp_state_store_keep (gmcp_manager_get_state_store (self), GMCP_CALL_ANSWERS_FILE, add_answer,
                         answer, gmcp_manager_answer_free);
  gmcp_manager_refresh_policy (self);
}

gboolean
gmcp_manager_is_remembered (GmcpManager *self, GmcpTool *tool, const char *role)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autofree char *text = NULL;
  GmcpManagerAnswer *answer;
  GmcpApprovalKey key;

  if (g_hash_table_size (priv->policy->answers) == 0 || tool == NULL)
    return FALSE;

  answer = gmcp_manager_answer_new (self, tool, role);
  key = get_key (answer);
  text = gmcp_approval_key_dup_text (&key);
  gmcp_manager_answer_free (answer);
  return g_hash_table_contains (priv->policy->answers, text);
}
