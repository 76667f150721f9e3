/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-folders-private.h"
#include "gmcp-local-file-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-trusted-folders-private.h"

/* Which folders servers run in, and which of those the user trusts. */

static void
request_folder (GObject *target, GmcpFolderRequest *request)
{
  gmcp_manager_request_folder (GMCP_MANAGER (target), request);
}

GmcpFolderGate *
gmcp_manager_make_folder_gate (GmcpManager *self)
{
  return gmcp_folder_gate_new (G_OBJECT (self), request_folder);
}

static char *
dup_state_dir (GmcpManager *self)
{
  GFile *folder = gmcp_manager_get_state_directory (self);

  return folder != NULL ? g_file_get_path (folder)
                        : g_build_filename (g_get_user_state_dir (), "gmcp", NULL);
}

char *
gmcp_manager_fill_folder_context (GmcpManager *manager, GmcpServerFolderContext *context)
{
  char *state_dir = dup_state_dir (manager);

  context->state_dir = state_dir;
  context->workspace = gmcp_manager_peek_workspace_path (manager);
  context->gate = gmcp_manager_get_folder_gate (manager);
  return state_dir;
}

static void
on_stored (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (!gmcp_trusted_folders_store_finish (result, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  gmcp_folder_gate_forget (gmcp_manager_get_folder_gate (g_task_get_source_object (task)));
  g_task_return_boolean (task, TRUE);
}

/**
 * gmcp_manager_trust_folder_async:
 * @self: a manager
 * @folder: a local folder
 * @trusted: whether what is in the folder may run
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Remembers that the user trusts a folder, links followed, or does not any more. Servers of the user's own
 * configuration run in the workspace (`cwd` is `${workspaceFolder}`), or run what lies there, only where
 * the workspace is trusted, whatever is in it at that time. A folder within it that is a workspace of its
 * own has to be trusted by itself. Servers that run already are not touched. Fails with
 * %GMCP_ERROR_NOT_PERMITTED for a folder that any user of the computer may write to, and with I/O errors.
 *
 * Since: 0.1
 */
void
gmcp_manager_trust_folder_async (GmcpManager *self,
                                 GFile *folder,
                                 gboolean trusted,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *state_dir = NULL;
  g_autofree char *store = NULL;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (folder != NULL && gmcp_file_is_local_or_null (folder));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_trust_folder_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  state_dir = dup_state_dir (self);
  store = g_build_filename (state_dir, GMCP_TRUSTED_FOLDERS_FILE, NULL);
  gmcp_trusted_folders_store_async (store, g_file_peek_path (folder), trusted, cancellable,
                                    on_stored, g_steal_pointer (&task));
}

/**
 * gmcp_manager_trust_folder_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.trust_folder_async].
 *
 * Returns: whether it is remembered
 *
 * Since: 0.1
 */
gboolean
gmcp_manager_trust_folder_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_trust_folder_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
