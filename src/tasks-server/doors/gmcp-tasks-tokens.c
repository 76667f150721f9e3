/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tasks-tokens.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "gmcp-tasks-secret-file.h"

typedef struct
{
  GMainLoop *loop;
  int exit_status;
} Run;

static void
on_problem (GmcpTokenFile *file, guint line, const char *message, gpointer user_data)
{
  g_autofree char *shown = g_file_get_parse_name (gmcp_token_file_get_file (file));

  if (line == 0)
    g_printerr ("%s: %s\n", g_get_prgname (), message);
  else
    g_printerr ("%s: %s:%u: %s\n", g_get_prgname (), shown, line, message);
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer user_data)
{
  /* What is wrong has been told, and may be mended while the program runs. */
  gmcp_token_file_load_finish (GMCP_TOKEN_FILE (object), result, NULL);
}

GmcpTokenFile *
gmcp_tasks_tokens_open (const char *filename)
{
  g_autoptr (GFile) file = g_file_new_for_path (filename);
  GmcpTokenFile *tokens = gmcp_token_file_new (file);

  g_signal_connect (tokens, "problem", G_CALLBACK (on_problem), NULL);
  gmcp_token_file_load_async (tokens, NULL, on_loaded, NULL);
  return tokens;
}

static void
on_introspection_problem (GmcpTokenIntrospection *introspection,
                          const char *message,
                          gpointer user_data)
{
  g_printerr ("%s: %s\n", g_get_prgname (), message);
}

GmcpTokenIntrospection *
gmcp_tasks_tokens_open_introspection (const GmcpTasksDoorOptions *options, GError **error)
{
  GmcpTokenIntrospection *introspection;
  char *secret = NULL;

  if (options->introspection_secret_file != NULL)
    {
      secret = gmcp_tasks_secret_file_read_text (options->introspection_secret_file, error);
      if (secret == NULL)
        return NULL;
    }
  introspection = gmcp_token_introspection_new (options->introspection_url,
                                                options->introspection_client, secret, error);
  if (secret != NULL)
    explicit_bzero (secret, strlen (secret));
  g_free (secret);
  if (introspection == NULL)
    return NULL;

  gmcp_token_introspection_set_issuer (introspection, options->issuer);
  g_signal_connect (introspection, "problem", G_CALLBACK (on_introspection_problem), NULL);
  return introspection;
}

static void
on_added (GObject *object, GAsyncResult *result, gpointer user_data)
{
  Run *run = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *token = gmcp_token_file_add_finish (GMCP_TOKEN_FILE (object), result, &error);

  if (token != NULL)
    {
      g_print ("%s\n", token);
    }
  else
    {
      g_printerr ("%s: %s\n", g_get_prgname (), error->message);
      run->exit_status = EXIT_FAILURE;
    }
  g_main_loop_quit (run->loop);
}

int
gmcp_tasks_tokens_add (const char *filename, const char *user)
{
  g_autoptr (GFile) file = g_file_new_for_path (filename);
  g_autoptr (GmcpTokenFile) tokens = gmcp_token_file_new (file);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Run run = { loop, EXIT_SUCCESS };

  gmcp_token_file_add_async (tokens, user, NULL, 0, NULL, on_added, &run);
  g_main_loop_run (loop);
  return run.exit_status;
}
