/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-file-links-private.h"
#include "gmcp-limits.h"

/* The words of path come before those that are still to be followed. */
static void
push_words (GQueue *words, const char *path)
{
  g_auto (GStrv) split = g_strsplit (path, G_DIR_SEPARATOR_S, -1);

  for (guint i = g_strv_length (split); i > 0; i--)
    if (*split[i - 1] != '\0' && !g_str_equal (split[i - 1], "."))
      g_queue_push_head (words, g_strdup (split[i - 1]));
}

static void
go_to (char **current, char *path)
{
  g_free (*current);
  *current = path;
}

GStrv
gmcp_file_links_list (const char *path)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *current = g_strdup (G_DIR_SEPARATOR_S);
  GQueue words = { NULL, NULL, 0 };

  push_words (&words, path);
  while (!g_queue_is_empty (&words))
    {
      g_autofree char *word = g_queue_pop_head (&words);
      g_autofree char *next = NULL;
      g_autofree char *target = NULL;

      if (g_str_equal (word, ".."))
        {
          go_to (&current, g_path_get_dirname (current));
          continue;
        }

      next = g_build_filename (current, word, NULL);
      target = list->len < GMCP_LIMIT_WATCHED_LINKS ? g_file_read_link (next, NULL) : NULL;
      if (target == NULL)
        {
          go_to (&current, g_steal_pointer (&next));
          continue;
        }

      g_ptr_array_add (list, g_steal_pointer (&next));
      push_words (&words, target);
      if (g_path_is_absolute (target))
        go_to (&current, g_strdup (G_DIR_SEPARATOR_S));
    }

  g_ptr_array_add (list, g_steal_pointer (&current));
  g_ptr_array_add (list, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&list), FALSE);
}
