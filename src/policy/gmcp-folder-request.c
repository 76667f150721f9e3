/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-folder-request-private.h"

#include "gmcp-input-request-private.h"

/**
 * GmcpFolderRequest:
 *
 * Whether a folder is trusted so far that its contents may run, asked by
 * [signal@Gmcp.Manager::folder-requested].
 *
 * A server of the user's own configuration that runs in the workspace (`cwd` is `${workspaceFolder}`), or
 * whose program lies there, runs what somebody else may have put there: `python3 -m` and `npx` prefer
 * what they find in the folder that they run in. So that takes the user's word for each such folder:
 * [method@Gmcp.FolderRequest.trust]. After [method@Gmcp.InputRequest.decline] the start fails, and the
 * manager does not ask about this folder again; after [method@Gmcp.InputRequest.cancel] it fails this time.
 *
 * Since: 0.1
 */
struct _GmcpFolderRequest
{
  GmcpInputRequest parent_instance;

  GFile *folder;
};

G_DEFINE_FINAL_TYPE (GmcpFolderRequest, gmcp_folder_request, GMCP_TYPE_INPUT_REQUEST)

static void
gmcp_folder_request_decline (GmcpInputRequest *request)
{
  gmcp_input_request_answer (request, GMCP_FOLDER_ANSWER_REFUSE);
}

static void
gmcp_folder_request_finalize (GObject *object)
{
  GmcpFolderRequest *self = GMCP_FOLDER_REQUEST (object);

  g_clear_object (&self->folder);

  G_OBJECT_CLASS (gmcp_folder_request_parent_class)->finalize (object);
}

static void
gmcp_folder_request_class_init (GmcpFolderRequestClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_folder_request_finalize;
  GMCP_INPUT_REQUEST_CLASS (klass)->decline = gmcp_folder_request_decline;
  GMCP_INPUT_REQUEST_CLASS (klass)->give_up = gmcp_input_request_give_up_later;
}

static void
gmcp_folder_request_init (GmcpFolderRequest *self)
{
}

GmcpFolderRequest *
gmcp_folder_request_new (const char *server_id, const char *folder)
{
  GmcpFolderRequest *self = g_object_new (GMCP_TYPE_FOLDER_REQUEST, NULL);

  gmcp_input_request_set_server_id (GMCP_INPUT_REQUEST (self), server_id);
  self->folder = g_file_new_for_path (folder);
  gmcp_input_request_set_asker (GMCP_INPUT_REQUEST (self), server_id, NULL);
  return self;
}

/**
 * gmcp_folder_request_get_folder:
 * @self: a request
 *
 * Gives the folder, links followed. Its path may hold anything that a name can: [func@Gmcp.dup_visible_line]
 * is for showing it.
 *
 * Returns: (transfer none): the folder
 *
 * Since: 0.1
 */
GFile *
gmcp_folder_request_get_folder (GmcpFolderRequest *self)
{
  g_return_val_if_fail (GMCP_IS_FOLDER_REQUEST (self), NULL);

  return self->folder;
}

/**
 * gmcp_folder_request_trust:
 * @self: a request
 *
 * Says that what is in the folder may run, now and later, whatever it becomes; the start goes on.
 * [method@Gmcp.Manager.trust_folder_async] takes it back. Does nothing where the request was
 * answered.
 *
 * Since: 0.1
 */
void
gmcp_folder_request_trust (GmcpFolderRequest *self)
{
  g_return_if_fail (GMCP_IS_FOLDER_REQUEST (self));

  gmcp_input_request_answer (GMCP_INPUT_REQUEST (self), GMCP_FOLDER_ANSWER_TRUST);
}
