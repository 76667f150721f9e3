/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A file of servers for a manager. */

#pragma once

#include <gio/gio.h>
#include <glib/gstdio.h>

/* As many servers as wanted, all the same program: "echo" if there is one, else "echo-0", "echo-1"… The path is the caller's, and
 * the file to be removed. */
static inline char *
bench_write_config (guint n, char *argv[])
{
  g_autoptr (GString) text = g_string_new ("{\"mcpServers\":{");
  char *path = NULL;
  int fd = g_file_open_tmp ("gmcp-bench-XXXXXX.json", &path, NULL);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = n == 1 ? g_strdup ("echo") : g_strdup_printf ("echo-%u", i);

      g_string_append_printf (text, "%s\"%s\":{\"command\":\"%s\",\"args\":[", i > 0 ? "," : "",
                              name, argv[0]);
      for (char **argument = argv + 1; *argument != NULL; argument++)
        g_string_append_printf (text, "%s\"%s\"", argument > argv + 1 ? "," : "", *argument);
      g_string_append (text, "]}");
    }
  g_string_append (text, "}}");
  if (fd < 0 || !g_file_set_contents (path, text->str, (gssize) text->len, NULL))
    g_error ("the configuration cannot be written");
  close (fd);
  return path;
}
