/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Whether the file is of this machine, or NULL. */
static inline gboolean
gmcp_file_is_local_or_null (GFile *file)
{
  return file == NULL || (G_IS_FILE (file) && g_file_peek_path (file) != NULL);
}

/* The full path of a local file, for as long as that lives; NULL for none. */
static inline const char *
gmcp_file_peek_path_or_null (GFile *file)
{
  return file != NULL ? g_file_peek_path (file) : NULL;
}

/* Whether both are one file, or none. */
static inline gboolean
gmcp_file_equal_or_null (GFile *a, GFile *b)
{
  return a == b || (a != NULL && b != NULL && g_file_equal (a, b));
}

static inline GFile *
gmcp_file_new_for_path_or_null (const char *path)
{
  return path != NULL ? g_file_new_for_path (path) : NULL;
}

G_END_DECLS
