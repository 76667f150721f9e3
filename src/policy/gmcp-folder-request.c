/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-folder-request-private.h"
#include "gmcp-later-private.h"

/**
 * GmcpFolderRequest:
 *
 * Whether a folder is trusted so far that its contents may run, asked by
 * [signal@Gmcp.Manager::folder-requested].
 *
 * A server of the user's own configuration that runs in the workspace (`cwd` is `${workspaceFolder}`), or
 * whose program lies there, runs what somebody else may have put there: `python3 -m` and `npx` prefer
 * what they find in the folder that they run in. So that takes the user's word for each such folder. It
 * is answered once, at any time later; one that is dropped counts as refused.
 *
 * Since: 0.1
 */
struct _GmcpFolderRequest
{
  GObject parent_instance;

  char *server_id;
  char *folder;
  GMainContext *context;
  GmcpFolderRequestDone done; /* NULL once it was answered */
  gpointer data;
};

G_DEFINE_FINAL_TYPE (GmcpFolderRequest, gmcp_folder_request, G_TYPE_OBJECT)

static void
settle (GmcpFolderRequest *self, GmcpFolderAnswer answer)
{
  GmcpFolderRequestDone done = g_steal_pointer (&self->done);

  if (done != NULL)
    done (answer, self->data);
}

typedef struct
{
  GmcpFolderRequestDone done;
  gpointer data;
} Dropped;

static void
on_dropped (gpointer data)
{
  g_autofree Dropped *dropped = data;

  dropped->done (GMCP_FOLDER_ANSWER_NONE, dropped->data);
}

static void
gmcp_folder_request_dispose (GObject *object)
{
  GmcpFolderRequest *self = GMCP_FOLDER_REQUEST (object);

  if (self->done != NULL)
    {
      Dropped *dropped = g_new (Dropped, 1);

      dropped->done = g_steal_pointer (&self->done);
      dropped->data = self->data;
      gmcp_call_later (self->context, "[gmcp] dropped question about a folder", on_dropped,
                       dropped);
    }

  G_OBJECT_CLASS (gmcp_folder_request_parent_class)->dispose (object);
}

static void
gmcp_folder_request_finalize (GObject *object)
{
  GmcpFolderRequest *self = GMCP_FOLDER_REQUEST (object);

  g_free (self->server_id);
  g_free (self->folder);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (gmcp_folder_request_parent_class)->finalize (object);
}

static void
gmcp_folder_request_class_init (GmcpFolderRequestClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gmcp_folder_request_dispose;
  G_OBJECT_CLASS (klass)->finalize = gmcp_folder_request_finalize;
}

static void
gmcp_folder_request_init (GmcpFolderRequest *self)
{
  self->context = g_main_context_ref_thread_default ();
}

GmcpFolderRequest *
gmcp_folder_request_new (const char *server_id,
                         const char *folder,
                         GmcpFolderRequestDone done,
                         gpointer data)
{
  GmcpFolderRequest *self = g_object_new (GMCP_TYPE_FOLDER_REQUEST, NULL);

  self->server_id = g_strdup (server_id);
  self->folder = g_strdup (folder);
  self->done = done;
  self->data = data;
  return self;
}

/**
 * gmcp_folder_request_get_server_id:
 * @self: a request
 *
 * Gives the id of the server that is to be started; others may wait for the same answer.
 *
 * Returns: the id
 *
 * Since: 0.1
 */
const char *
gmcp_folder_request_get_server_id (GmcpFolderRequest *self)
{
  g_return_val_if_fail (GMCP_IS_FOLDER_REQUEST (self), NULL);

  return self->server_id;
}

/**
 * gmcp_folder_request_get_folder:
 * @self: a request
 *
 * Gives the folder, links followed. It may hold anything that a name can: [func@Gmcp.dup_visible_line] is
 * for showing it.
 *
 * Returns: (type filename): a full path
 *
 * Since: 0.1
 */
const char *
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
 * [method@Gmcp.Manager.trust_folder_async] takes it back. A request that has been answered takes no
 * notice.
 *
 * Since: 0.1
 */
void
gmcp_folder_request_trust (GmcpFolderRequest *self)
{
  g_return_if_fail (GMCP_IS_FOLDER_REQUEST (self));

  settle (self, GMCP_FOLDER_ANSWER_TRUST);
}

/**
 * gmcp_folder_request_refuse:
 * @self: a request
 *
 * Says that it may not: the start fails, and the manager does not ask about this folder again.
 *
 * Since: 0.1
 */
void
gmcp_folder_request_refuse (GmcpFolderRequest *self)
{
  g_return_if_fail (GMCP_IS_FOLDER_REQUEST (self));

  settle (self, GMCP_FOLDER_ANSWER_REFUSE);
}
