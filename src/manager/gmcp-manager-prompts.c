/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-manager-lists-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-prompt-catalog-private.h"

#include <gmcp/core/gmcp-error.h>

typedef struct
{
  char *name;
  GHashTable *arguments; /* nullable */
  GmcpCallOptions *options;
  char *prompt; /* once the name is known */
  gboolean listed;
} Getting;

static void
getting_free (gpointer data)
{
  Getting *getting = data;

  g_free (getting->name);
  g_free (getting->prompt);
  g_clear_pointer (&getting->arguments, g_hash_table_unref);
  g_clear_object (&getting->options);
  g_free (getting);
}

static void
tell_of_server (gpointer owner, const char *server_id, GmcpNoticeLevel level, const char *message)
{
  gmcp_manager_notice (owner, server_id, level, message);
}

static void
list_prompts (GTask *task)
{
  GmcpManager *self = g_task_get_source_object (task);
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (gmcp_manager_get_server_table (self));
  g_autoptr (GPtrArray) asked = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (gmcp_manager_shows_server (self, server))
        g_ptr_array_add (asked, g_object_ref (server));
    }
  gmcp_prompt_catalog_list (gmcp_manager_get_prompt_catalog (self), task, asked, tell_of_server);
}

/**
 * gmcp_manager_list_prompts_async:
 * @self: a manager
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Lists the prompts of all servers, or those of [property@Gmcp.Manager:project], as commands under
 * names that are unique, `SERVER__PROMPT`. A server that [property@Gmcp.Manager:role] allows nothing of
 * is left out. Servers that do not run are started, unless that is left
 * to the user. One that fails is left out.
 *
 * Fails where the configuration cannot be read.
 *
 * Spec: MCP 2026-07-28, server/prompts, "Listing Prompts".
 *
 * Since: 0.1
 */
void
gmcp_manager_list_prompts_async (GmcpManager *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_list_prompts_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  gmcp_manager_when_configured (g_steal_pointer (&task), list_prompts);
}

/**
 * gmcp_manager_list_prompts_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.list_prompts_async].
 *
 * Returns: (transfer container) (element-type GmcpPromptCommand): the commands, server by server
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_manager_list_prompts_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_list_prompts_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
on_got (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  GmcpPromptResult *got = gmcp_client_get_prompt_finish (GMCP_CLIENT (object), result, &error);

  if (got != NULL)
    g_task_return_pointer (task, got, (GDestroyNotify) gmcp_prompt_result_unref);
  else
    g_task_return_error (task, error);
}

static void
on_needed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  Getting *getting = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gmcp_managed_server_demand_finish (server, result, &error))
    g_task_return_error (task, error);
  else if (!gmcp_managed_server_is_ready (server))
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED,
                             _ ("Server “%s” was started for a prompt and ended again; nothing was "
                                "sent"),
                             gmcp_managed_server_get_title (server));
  else
    gmcp_client_get_prompt_async (gmcp_managed_server_get_client (server), getting->prompt,
                                  getting->arguments, getting->options,
                                  g_task_get_cancellable (task), on_got, g_object_ref (task));
}

static void get_prompt (GTask *task);

static void
on_all_listed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GPtrArray) commands = NULL;
  GError *error = NULL;

  commands = gmcp_manager_list_prompts_finish (GMCP_MANAGER (object), result, &error);
  if (commands != NULL)
    get_prompt (task);
  else
    g_task_return_error (task, error);
}

/* The server that a name speaks of for sure, though nothing is known of its prompts. */
static GmcpManagedServer *
find_named_server (GmcpManager *self, const char *name)
{
  GmcpServerTable *servers = gmcp_manager_get_server_table (self);

  for (guint i = 0; i < gmcp_server_table_get_length (servers); i++)
    {
      GmcpManagedServer *server = gmcp_server_table_get_server (servers, i);
      const char *id = gmcp_managed_server_get_id (server);
      const char *rest = g_str_has_prefix (name, id) ? name + strlen (id) : "";

      if (*rest == '.' || g_str_has_prefix (rest, "__"))
        return server;
    }
  return NULL;
}

/* A name that is not known may be that of a server that has not been asked yet. */
static void
get_prompt (GTask *task)
{
  GmcpManager *self = g_task_get_source_object (task);
  Getting *getting = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  GError *refused = NULL;
  GmcpManagedServer *server = NULL;
  GmcpManagedServer *named;
  GmcpToolName found;

  if (gmcp_prompt_catalog_find (gmcp_manager_get_prompt_catalog (self), getting->name, &found,
                                &error))
    server = gmcp_manager_get_server (self, found.server);
  named = server != NULL ? server : find_named_server (self, getting->name);

  if (named != NULL && !gmcp_manager_check_reach (self, named, getting->options, &refused))
    {
      g_task_return_error (task, refused);
    }
  else if (server != NULL)
    {
      getting->prompt = g_strdup (found.tool);
      gmcp_managed_server_demand_async (server, g_task_get_cancellable (task), on_needed,
                                        g_object_ref (task));
    }
  else if (!getting->listed)
    {
      getting->listed = TRUE;
      gmcp_manager_list_prompts_async (self, g_task_get_cancellable (task), on_all_listed,
                                       g_object_ref (task));
    }
  else
    {
      g_task_return_error (task, gmcp_prompt_catalog_unknown_error (getting->name, error));
    }
}

/* The caller may change its own. */
static GHashTable *
copy_arguments (GHashTable *arguments)
{
  GHashTable *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer name;
  gpointer value;

  g_hash_table_iter_init (&iter, arguments);
  while (g_hash_table_iter_next (&iter, &name, &value))
    g_hash_table_insert (copy, g_strdup (name), g_strdup (value));
  return copy;
}

/**
 * gmcp_manager_get_prompt_async:
 * @self: a manager
 * @name: the name of a command, or `SERVER.PROMPT`
 * @arguments: (nullable) (element-type utf8 utf8): names of arguments and their values
 * @options: (nullable): time limits and more, for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Gets the messages of a prompt. The server is started for it where it does not run, and prompts
 * that were never listed are listed first.
 *
 * Fails with %GMCP_ERROR_INVALID_ARGUMENT where no prompt has that name, or several have, with
 * %GMCP_ERROR_NOT_PERMITTED where the role allows nothing of its server, and as
 * [method@Gmcp.Client.get_prompt_async] does.
 *
 * Spec: MCP 2026-07-28, server/prompts, "Getting a Prompt".
 *
 * Since: 0.1
 */
void
gmcp_manager_get_prompt_async (GmcpManager *self,
                               const char *name,
                               GHashTable *arguments,
                               GmcpCallOptions *options,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Getting *getting;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_get_prompt_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  getting = g_new0 (Getting, 1);
  getting->name = g_strdup (name);
  getting->arguments = arguments != NULL ? copy_arguments (arguments) : NULL;
  g_set_object (&getting->options, options);
  g_task_set_task_data (task, getting, getting_free);
  get_prompt (task);
}

/**
 * gmcp_manager_get_prompt_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.get_prompt_async].
 *
 * Returns: (transfer full): the messages
 *
 * Since: 0.1
 */
GmcpPromptResult *
gmcp_manager_get_prompt_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_get_prompt_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
