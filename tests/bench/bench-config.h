/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A file of servers for a manager. */

#pragma once

#include <gio/gio.h>
#include <glib/gstdio.h>

/* As many servers as wanted, all the same program, or the same address of a socket: "echo" if there is one, else "echo-0", "echo-1"… The file has a folder of its own,
 * since to watch a crowded one takes long, and the same one each time, since what is kept of a server goes by it. */
static inline char *
bench_write_config (guint n, char *argv[])
{
  g_autoptr (GString) text = g_string_new ("{\"mcpServers\":{");
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "gmcp-bench", NULL);
  char *path = g_build_filename (folder, "mcp.json", NULL);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = n == 1 ? g_strdup ("echo") : g_strdup_printf ("echo-%u", i);

      if (g_str_has_prefix (argv[0], "unix:"))
        {
          g_string_append_printf (text, "%s\"%s\":{\"url\":\"%s\"}", i > 0 ? "," : "", name,
                                  argv[0]);
          continue;
        }
      g_string_append_printf (text, "%s\"%s\":{\"command\":\"%s\",\"args\":[", i > 0 ? "," : "",
                              name, argv[0]);
      for (char **argument = argv + 1; *argument != NULL; argument++)
        g_string_append_printf (text, "%s\"%s\"", argument > argv + 1 ? "," : "", *argument);
      g_string_append_printf (text, "],\"cwd\":\"%s\"}", g_get_user_state_dir ());
    }
  g_string_append (text, "}}");
  if (g_mkdir_with_parents (folder, 0700) != 0
      || !g_file_set_contents (path, text->str, (gssize) text->len, NULL))
    g_error ("the configuration cannot be written");
  return path;
}

static inline void
bench_remove_config (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_unlink (path);
  g_rmdir (folder);
}
