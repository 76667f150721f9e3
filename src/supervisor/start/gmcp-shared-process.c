/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-shared-process-private.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-era-cache-private.h"
#include "gmcp-fd-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-share-key-private.h"
#include "gmcp-stream-transport-private.h"

#define FOLDER "gmcp" G_DIR_SEPARATOR_S "shared"
/* In the lock's file: what programs have to have in common to share processes, and whose it is. */
#define HELD_BY            GMCP_SHARE_SCHEME " " GMCP_VERSION "\n"
#define MAX_HELD_BY_LENGTH 100u
#define MAX_VERSION_LENGTH 40u

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
  int fd = open_lock (folder, O_RDWR | O_CREAT, F_OFD_SETLK, &lock);

  if (fd >= 0
      && (ftruncate (fd, 0) != 0
          || write (fd, HELD_BY, strlen (HELD_BY)) != (gssize) strlen (HELD_BY)))
    gmcp_clear_fd (&fd);
  return fd;
}

/* What stands in the lock's file, where somebody holds the folder; else NULL. */
static char *
dup_holder (const char *folder)
{
  char text[MAX_HELD_BY_LENGTH + 1] = "";
  struct flock lock;
  int fd = open_lock (folder, O_RDONLY, F_OFD_GETLK, &lock);
  gssize n_read;

  if (fd < 0)
    return NULL;
  n_read = read (fd, text, MAX_HELD_BY_LENGTH);
  close (fd);
  return lock.l_type == F_UNLCK || n_read < 0 ? NULL : g_strdup (text);
}

static gboolean
is_socket_of_user (const char *path)
{
  struct stat status;

  return lstat (path, &status) == 0 && S_ISSOCK (status.st_mode) && status.st_uid == geteuid ();
}

typedef struct
{
  char *folder;
  char *path; /* of the socket in it */
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
  g_free (finding->folder);
  g_free (finding);
}

static gboolean
is_offered (const Finding *finding)
{
  return gmcp_shared_process_check_folder (finding->folder) && is_socket_of_user (finding->path);
}

static gboolean
is_held (const char *folder)
{
  g_autofree char *holder = dup_holder (folder);

  return holder != NULL;
}

/* One that is made in the same way has a key of the same name, if it has the process. */
static gboolean
is_of_same_scheme (const char *daemon)
{
  return g_str_has_prefix (daemon, GMCP_SHARE_SCHEME " ");
}

/* What stands there may be anything. */
static char *
dup_version (const char *daemon)
{
  const char *version = strchr (daemon, ' ');
  gsize length;

  version = version != NULL ? version + 1 : "";
  length = strspn (version, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS ".+~-");
  return length > 0 && length <= MAX_VERSION_LENGTH ? g_strndup (version, length)
                                                    /* Translators: a version of gmcpd */
                                                    : g_strdup (_ ("(unknown)"));
}

static GError *
make_other_version_error (const char *daemon)
{
  g_autofree char *version = dup_version (daemon);

  return g_error_new (
    GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
    /* Translators: why a process is not shared; two versions, as in “1.2.0” */
    _ ("gmcpd is of version %s and this program of %s, which start servers in different ways; "
       "start gmcpd and this program anew once both are of the same version"),
    version, GMCP_VERSION);
}

static void
end_finding (GTask *task)
{
  Finding *finding = g_task_get_task_data (task);
  g_autofree char *daemon = finding->is_offered ? NULL : dup_holder (finding->folder);
  GmcpStreamTransport *transport = NULL;

  if (daemon != NULL && !is_of_same_scheme (daemon))
    {
      g_task_return_error (task, make_other_version_error (daemon));
      return;
    }
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
  finding->is_offered = is_offered (finding);
  end_finding (task);
}

/* Takes the task. */
static void
use_process (GTask *task)
{
  g_autoptr (GTask) owned = task;
  Finding *finding = g_task_get_task_data (task);

  if (finding->activation == NULL || is_held (finding->folder))
    end_finding (task);
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
  g_autofree char *hash = NULL;
  GmcpEra era = gmcp_server_config_get_era (config);
  Finding *finding = g_new0 (Finding, 1);

  g_task_set_source_tag (task, gmcp_shared_process_find_async);
  finding->folder = gmcp_shared_process_dup_folder ();
  finding->path = g_build_filename (finding->folder, key, NULL);
  finding->share = share;
  if (activation != NULL)
    finding->activation = gmcp_daemon_activation_ref (activation);
  finding->is_offered = is_offered (finding);
  finding->is_modern = era == GMCP_ERA_MODERN;
  g_task_set_task_data (task, finding, finding_free);
  if (share == GMCP_SHARE_NO || (share == GMCP_SHARE_AUTO && era == GMCP_ERA_LEGACY)
      || (!finding->is_offered && activation == NULL && !is_held (finding->folder)))
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
