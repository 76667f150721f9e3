/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-token-file-private.h"

#include <unistd.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"

#define OTHERS_MAY_WRITE 022u
#define STICKY           01000u /* what is in such a folder only its owner replaces */
#define ATTRIBUTES       G_FILE_ATTRIBUTE_UNIX_MODE "," G_FILE_ATTRIBUTE_UNIX_UID

/* Whoever can write to the file, or put another in its place, can be any user. */

GError *
gmcp_token_file_make_missing_error (GFile *file)
{
  return g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                      /* Translators: a file */
                      _ ("There is no file %s of tokens, so no token is good"),
                      g_file_peek_path (file));
}

static gboolean
is_owner_trusted (GFileInfo *info)
{
  guint32 uid = g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_UNIX_UID);

  return uid == 0 || uid == geteuid ();
}

static gboolean
may_others_write (GFileInfo *info, guint32 unless)
{
  guint32 mode = g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_UNIX_MODE);

  return (mode & OTHERS_MAY_WRITE) != 0 && (mode & unless) == 0;
}

static void
on_folder_looked_at (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (source), result, &error);

  if (info == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else if (!is_owner_trusted (info) || may_others_write (info, STICKY))
    g_task_return_new_error (
      task, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
      /* Translators: a folder */
      _ ("Others can put files into %s, so no token of a file in it is good: "
         "keep the file in a folder of your own"),
      g_file_peek_path (G_FILE (source)));
  else
    g_task_return_boolean (task, TRUE);
}

static void
on_file_looked_at (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (source), result, &error);
  g_autoptr (GFile) folder = g_file_get_parent (G_FILE (source));

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    g_task_return_error (task, gmcp_token_file_make_missing_error (G_FILE (source)));
  else if (info == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else if (!is_owner_trusted (info))
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                             /* Translators: a file */
                             _ ("%s belongs to another user, so no token in it is good"),
                             g_file_peek_path (G_FILE (source)));
  else if (may_others_write (info, 0))
    g_task_return_new_error (
      task, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
      /* Translators: a file */
      _ ("Others than its owner may write to %s, so no token in it is good: chmod 600"),
      g_file_peek_path (G_FILE (source)));
  else if (folder == NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_file_query_info_async (folder, ATTRIBUTES, G_FILE_QUERY_INFO_NONE, G_PRIORITY_DEFAULT,
                             g_task_get_cancellable (task), on_folder_looked_at,
                             g_object_ref (task));
}

void
gmcp_token_file_check_async (GmcpTokenFile *self,
                             GFile *file,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_token_file_check_async);
  g_file_query_info_async (file, ATTRIBUTES, G_FILE_QUERY_INFO_NONE, G_PRIORITY_DEFAULT,
                           cancellable, on_file_looked_at, task);
}

gboolean
gmcp_token_file_check_finish (GmcpTokenFile *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
