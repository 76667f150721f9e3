/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-shared-process-private.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcp-era-cache-private.h"
#include "gmcp-stream-transport-private.h"

#define FOLDER "gmcp" G_DIR_SEPARATOR_S "shared"

char *
gmcp_shared_process_dup_folder (void)
{
  return g_build_filename (g_get_user_runtime_dir (), FOLDER, NULL);
}

gboolean
gmcp_shared_process_check_folder (const char *folder)
{
  struct stat status;

  return lstat (folder, &status) == 0 && S_ISDIR (status.st_mode) && status.st_uid == geteuid ()
         && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* One that who looks at it does not take; it ends with the process that has it. Sockets stay when that is killed. */
static int
open_lock (const char *folder, int flags, int command, struct flock *lock)
{
  g_autofree char *path = g_strconcat (folder, ".lock", NULL);
  int fd = open (path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);

  *lock = (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET };
  if (fd >= 0 && fcntl (fd, command, lock) != 0)
    {
      close (fd);
      return -1;
    }
  return fd;
}

int
gmcp_shared_process_hold_folder (const char *folder)
{
  struct flock lock;

  return open_lock (folder, O_RDWR | O_CREAT, F_OFD_SETLK, &lock);
}

static gboolean
is_held (const char *folder)
{
  struct flock lock;
  int fd = open_lock (folder, O_RDONLY, F_OFD_GETLK, &lock);

  if (fd < 0)
    return FALSE;
  close (fd);
  return lock.l_type != F_UNLCK;
}

static gboolean
is_socket_of_user (const char *path)
{
  struct stat status;

  return lstat (path, &status) == 0 && S_ISSOCK (status.st_mode) && status.st_uid == geteuid ();
}

typedef struct
{
  char *path;
  GmcpShare share;
  GmcpDaemonActivation *activation; /* nullable */
  gboolean is_offered;
  gboolean is_modern;
} Finding;

static void
finding_free (gpointer data)
{
  Finding *finding = data;

  g_clear_pointer (&finding->activation, gmcp_daemon_activation_unref);
  g_free (finding->path);
  g_free (finding);
}

static gboolean
is_offered (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  return gmcp_shared_process_check_folder (folder) && is_socket_of_user (path);
}

/* Whether somebody offers processes, be it not this one. */
static gboolean
has_daemon (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  return is_held (folder);
}

static void
return_transport (GTask *task)
{
  Finding *finding = g_task_get_task_data (task);
  GmcpStreamTransport *transport = NULL;

  if (finding->is_offered)
    {
      transport = gmcp_stream_transport_new_for_path (finding->path);
      gmcp_stream_transport_set_own_user_only (transport);
    }
  g_task_return_pointer (task, transport, g_object_unref);
}

static void
on_activated (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Finding *finding = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gmcp_daemon_activation_wait_finish (result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  finding->is_offered = is_offered (finding->path);
  return_transport (task);
}

/* Takes the task. */
static void
use_process (GTask *task)
{
  g_autoptr (GTask) owned = task;
  Finding *finding = g_task_get_task_data (task);

  if (finding->activation == NULL || has_daemon (finding->path))
    return_transport (task);
  else
    gmcp_daemon_activation_wait_async (finding->activation, g_task_get_cancellable (task),
                                       on_activated, g_steal_pointer (&owned));
}

static void
on_era_known (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Finding *finding = g_task_get_task_data (task);

  finding->is_modern = gmcp_era_cache_load_finish (result) == GMCP_ERA_MODERN;
  if (finding->is_modern || finding->share == GMCP_SHARE_YES)
    use_process (g_steal_pointer (&task));
  else
    g_task_return_pointer (task, NULL, NULL);
}

void
gmcp_shared_process_find_async (GmcpServerConfig *config,
                                GmcpShare share,
                                const char *key,
                                GmcpDaemonActivation *activation,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autofree char *folder = gmcp_shared_process_dup_folder ();
  g_autofree char *hash = NULL;
  GmcpEra era = gmcp_server_config_get_era (config);
  Finding *finding = g_new0 (Finding, 1);

  g_task_set_source_tag (task, gmcp_shared_process_find_async);
  finding->path = g_build_filename (folder, key, NULL);
  finding->share = share;
  if (activation != NULL)
    finding->activation = gmcp_daemon_activation_ref (activation);
  finding->is_offered = is_offered (finding->path);
  finding->is_modern = era == GMCP_ERA_MODERN;
  g_task_set_task_data (task, finding, finding_free);
  if ((!finding->is_offered && activation == NULL) || share == GMCP_SHARE_NO
      || (share == GMCP_SHARE_AUTO && era == GMCP_ERA_LEGACY))
    {
      g_task_return_pointer (task, NULL, NULL);
      return;
    }
  if (era != GMCP_ERA_AUTO)
    {
      use_process (g_steal_pointer (&task));
      return;
    }

  hash = gmcp_server_config_dup_hash (config);
  gmcp_era_cache_load_async (hash, cancellable, on_era_known, g_steal_pointer (&task));
}

GmcpTransport *
gmcp_shared_process_find_finish (GAsyncResult *result,
                                 gboolean *offered,
                                 gboolean *is_modern,
                                 GError **error)
{
  const Finding *finding = g_task_get_task_data (G_TASK (result));

  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_shared_process_find_async), NULL);

  *offered = finding->is_offered;
  *is_modern = finding->is_modern;
  return g_task_propagate_pointer (G_TASK (result), error);
}
