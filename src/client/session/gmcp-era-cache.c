/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-era-cache-private.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "gmcp-cache-folder-private.h"

typedef struct
{
  char *path;
  GmcpEra era;
} Entry;

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_free (entry->path);
  g_free (entry);
}

static char *
path_for_key (const char *key)
{
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);

  return g_build_filename (g_get_user_cache_dir (), "gmcp", "eras", digest, NULL);
}

/* In one go, as a start may wait for it. */
static void
load_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const char *path = data;
  char text[16] = "";
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  GmcpEra era = GMCP_ERA_AUTO;

  if (fd >= 0 && read (fd, text, sizeof text - 1) > 0)
    {
      g_strchomp (text);
      if (g_str_equal (text, "modern"))
        era = GMCP_ERA_MODERN;
      else if (g_str_equal (text, "legacy"))
        era = GMCP_ERA_LEGACY;
    }
  if (fd >= 0)
    close (fd);
  g_task_return_int (task, era);
}

void
gmcp_era_cache_load_async (const char *key,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_era_cache_load_async);
  g_task_set_task_data (task, path_for_key (key), g_free);
  g_task_run_in_thread (task, load_in_thread);
}

GmcpEra
gmcp_era_cache_load_finish (GAsyncResult *result)
{
  gssize era = g_task_propagate_int (G_TASK (result), NULL);

  return era < 0 ? GMCP_ERA_AUTO : (GmcpEra) era;
}

static void
save_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Entry *entry = data;
  const char *text = entry->era == GMCP_ERA_MODERN   ? "modern\n"
                     : entry->era == GMCP_ERA_LEGACY ? "legacy\n"
                                                     : "unknown\n";

  gmcp_cache_folder_write (entry->path, text, strlen (text), G_FILE_SET_CONTENTS_NONE);
  g_task_return_boolean (task, TRUE);
}

void
gmcp_era_cache_save (const char *key, GmcpEra era)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
  Entry *entry = g_new0 (Entry, 1);

  entry->path = path_for_key (key);
  entry->era = era;
  g_task_set_source_tag (task, gmcp_era_cache_save);
  g_task_set_task_data (task, entry, entry_free);
  g_task_run_in_thread (task, save_in_thread);
}
