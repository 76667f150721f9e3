/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-editor.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <gmcp/core/gmcp-error.h>
#include <unistd.h>

/* The words of the command; they may have arguments, as in “code --wait”. */
static GStrv
find_editor (GError **error)
{
  static const char *const variables[] = { "VISUAL", "EDITOR" };
  static const char *const programs[] = { "sensible-editor", "editor", "nano", "vi" };
  const gboolean is_interactive = isatty (STDIN_FILENO) && isatty (STDOUT_FILENO);
  GStrv words = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (variables); i++)
    {
      const char *line = g_getenv (variables[i]);

      if (line == NULL || *line == '\0')
        continue;
      if (!g_shell_parse_argv (line, NULL, &words, error))
        g_prefix_error (error, "%s: ", variables[i]);
      return words;
    }
  /* One that nobody chose would wait for somebody who is not there. */
  for (gsize i = 0; is_interactive && i < G_N_ELEMENTS (programs); i++)
    {
      g_autofree char *path = g_find_program_in_path (programs[i]);
      const char *found[] = { path, NULL };

      if (path != NULL)
        return g_strdupv ((char **) found);
    }
  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                       _ ("no editor was found; set the variable EDITOR"));
  return NULL;
}

/* In a folder that nobody else can look into. */
static char *
write_file (const char *text, const char *ending, char **folder, GError **error)
{
  g_autofree char *name = g_strconcat ("server", ending, NULL);
  g_autofree char *path = NULL;

  *folder = g_dir_make_tmp ("gmcp-edit-XXXXXX", error);
  if (*folder == NULL)
    return NULL;
  path = g_build_filename (*folder, name, NULL);
  return g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, error)
           ? g_steal_pointer (&path)
           : NULL;
}

static gboolean
run_editor (char **words, const char *path, GError **error)
{
  g_autoptr (GStrvBuilder) command = g_strv_builder_new ();
  g_auto (GStrv) argv = NULL;
  int status = 0;

  g_strv_builder_addv (command, (const char **) words);
  g_strv_builder_add (command, path);
  argv = g_strv_builder_end (command);
  return g_spawn_sync (NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL,
                       NULL, NULL, NULL, &status, error)
         && g_spawn_check_wait_status (status, error);
}

char *
cli_editor_edit (const char *text, const char *ending, GError **error)
{
  g_auto (GStrv) words = find_editor (error);
  g_autofree char *folder = NULL;
  g_autofree char *path = words != NULL ? write_file (text, ending, &folder, error) : NULL;
  g_autofree char *backup = path != NULL ? g_strconcat (path, "~", NULL) : NULL;
  char *edited = NULL;

  if (path != NULL && run_editor (words, path, error))
    g_file_get_contents (path, &edited, NULL, error);
  if (path != NULL)
    {
      g_unlink (path);
      /* Some editors keep what was there before. */
      g_unlink (backup);
    }
  if (folder != NULL)
    g_rmdir (folder);
  if (edited != NULL && !g_utf8_validate (edited, -1, NULL))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                           _ ("the text is not in UTF-8"));
      g_clear_pointer (&edited, g_free);
    }
  return edited;
}
