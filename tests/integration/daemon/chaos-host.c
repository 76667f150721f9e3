/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A host that calls tools all the time, until its standard input ends: chaos-host NAME CONFIG CALLS SEED. A line of CALLS is a
 * tool, a tab, and arguments in which @MARK@ stands for the call's mark, @HOST@ for the host's name, and "@NUMBER@" for a
 * number that is its mark instead; or
 * “read:SERVER”, a tab, and the address of a resource in which @NUMBER@ stands for what its text has, too. The lines it prints:
 * “result TOOL”, “error TOOL”, “question”, “log”, and “WRONG …” for what is another host's, or does not end. */

#include <gio/gunixinputstream.h>
#include <gmcp/gmcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_CALLS   4
#define READ_PREFIX "read:"
/* With its quotes, since it is no text. */
#define NUMBER        "\"@NUMBER@\""
#define CALL_LIMIT_US (120 * G_USEC_PER_SEC)

typedef struct
{
  const char *name;
  GmcpManager *manager;
  GMainLoop *loop;
  GStrv lines;
  GRand *rand;
  GHashTable *pending; /* of Call, by its mark, which it owns */
  guint n_calls;
  gboolean ending;
} Host;

typedef struct
{
  Host *host;
  char *mark;
  char *tool;
  gint64 since_us;
} Call;

static void
call_free (gpointer data)
{
  Call *call = data;

  g_free (call->mark);
  g_free (call->tool);
  g_free (call);
}

static void
say (const char *word, const char *text)
{
  g_autofree char *flat = g_strdelimit (g_strdup (text), "\n", ' ');

  printf ("%s %s\n", word, flat);
  fflush (stdout);
}

static void
check_number (const char *what, const char *text, const char *number)
{
  g_autofree char *pattern = g_strdup_printf ("\\b%s\\b", number);
  g_autofree char *told = NULL;

  if (text != NULL && g_regex_match_simple (pattern, text, 0, 0))
    return;
  told = g_strdup_printf ("%s %s: %s", what, number, text);
  say ("WRONG", told);
}

static gboolean
is_number (const char *mark)
{
  return g_ascii_isdigit (mark[0]);
}

/* That each mark in the text is that of the call, or the host's for NULL; and that there is one. */
static void
check_marks (Host *host, const char *what, const char *text, const char *mark)
{
  g_autofree char *own = g_strdup_printf ("mark-%s-", host->name);
  gboolean found = FALSE;

  for (const char *at = text; (at = strstr (at, "mark-")) != NULL; at++)
    {
      const char *wanted = mark != NULL ? mark : own;

      found = TRUE;
      /* What stands in a file or an answer has the host's name only. */
      if (!g_str_has_prefix (at, wanted)
          && !(g_str_has_prefix (at, own) && g_str_has_prefix (at + strlen (own), "host")))
        {
          g_autofree char *told = g_strdup_printf ("%s of %s: %s", what, wanted, text);

          say ("WRONG", told);
          return;
        }
    }
  if (!found)
    {
      g_autofree char *told = g_strdup_printf ("%s without a mark: %s", what, text);

      say ("WRONG", told);
    }
}

static void
end_call (Call *call, const char *word)
{
  Host *host = call->host;

  say (word, call->tool);
  g_hash_table_remove (host->pending, call->mark);
}

static void
on_called (GObject *source, GAsyncResult *async_result, gpointer data)
{
  Call *call = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result
    = gmcp_tool_provider_call_tool_json_finish (GMCP_TOOL_PROVIDER (source), async_result, &error);
  gboolean good = result != NULL && !gmcp_tool_result_is_error (result);
  g_autofree char *text = good ? gmcp_tool_result_dup_text (result) : NULL;

  if (good && is_number (call->mark))
    check_number ("result", text, call->mark);
  else if (good)
    check_marks (call->host, "result", text, call->mark);
  end_call (call, good ? "result" : "error");
}

static void
on_log_message (GmcpCallOptions *options, GmcpLogMessage *message, Host *host)
{
  g_autofree char *text = gmcp_log_message_dup_text (message);

  check_marks (host, "log", text, g_object_get_data (G_OBJECT (options), "mark"));
  say ("log", host->name);
}

static void
on_read (GObject *source, GAsyncResult *async_result, gpointer data)
{
  Call *call = data;
  g_autoptr (GmcpResourceResult) result
    = gmcp_managed_server_read_resource_finish (GMCP_MANAGED_SERVER (source), async_result, NULL);
  g_autofree char *text = result != NULL ? gmcp_resource_result_dup_text (result) : NULL;

  if (result != NULL)
    check_number ("resource", text, call->mark);
  end_call (call, result != NULL ? "result" : "error");
}

static Call *
add_call (Host *host, const char *tool, char *mark)
{
  Call *call = g_new0 (Call, 1);

  call->host = host;
  call->tool = g_strdup (tool);
  call->mark = mark;
  call->since_us = g_get_monotonic_time ();
  g_hash_table_insert (host->pending, call->mark, call);
  return call;
}

static char *
make_number (Host *host)
{
  return g_strdup_printf ("%d%06u", (int) getpid (), host->n_calls++);
}

static char *
make_mark (Host *host)
{
  return g_strdup_printf ("mark-%s-%d-%u;", host->name, (int) getpid (), host->n_calls++);
}

static void
begin_read (Host *host, const char *line, const char *uri_pattern)
{
  GmcpManagedServer *server = gmcp_manager_get_server (host->manager, line + strlen (READ_PREFIX));
  g_autoptr (GString) uri = g_string_new (uri_pattern);
  char *number = make_number (host);
  Call *call = add_call (host, line, number);

  g_string_replace (uri, "@NUMBER@", number, 0);
  /* Until the configuration is read there is none. */
  if (server != NULL)
    gmcp_managed_server_read_resource_async (server, uri->str, NULL, NULL, on_read, call);
  else
    end_call (call, "error");
}

static void
begin_call (Host *host)
{
  const char *line
    = host->lines[g_rand_int_range (host->rand, 0, (gint32) g_strv_length (host->lines))];
  g_auto (GStrv) parts = g_strsplit (line, "\t", 2);
  g_autoptr (GString) arguments = NULL;
  g_autoptr (GmcpCallOptions) options = NULL;
  Call *call;

  if (g_str_has_prefix (parts[0], READ_PREFIX))
    {
      begin_read (host, parts[0], parts[1]);
      return;
    }

  call = add_call (host, parts[0],
                   strstr (parts[1], NUMBER) != NULL ? make_number (host) : make_mark (host));
  arguments = g_string_new (parts[1]);
  options = gmcp_call_options_new ();
  g_string_replace (arguments, NUMBER, call->mark, 0);
  g_string_replace (arguments, "@MARK@", call->mark, 0);
  g_string_replace (arguments, "@HOST@", host->name, 0);
  gmcp_call_options_set_timeout_ms (options, 20000);
  gmcp_call_options_set_log_level (options, GMCP_LOG_LEVEL_DEBUG);
  g_object_set_data_full (G_OBJECT (options), "mark", g_strdup (call->mark), g_free);
  g_signal_connect (options, "log-message", G_CALLBACK (on_log_message), host);
  gmcp_tool_provider_call_tool_json_async (GMCP_TOOL_PROVIDER (host->manager), call->tool,
                                           arguments->str, options, NULL, on_called, call);
}

static void
on_closed (GObject *source, GAsyncResult *result, gpointer data)
{
  Host *host = data;

  gmcp_tool_provider_close_finish (GMCP_TOOL_PROVIDER (source), result, NULL);
  g_main_loop_quit (host->loop);
}

static gboolean
on_tick (gpointer data)
{
  Host *host = data;
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, host->pending);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Call *call = value;

      if (g_get_monotonic_time () - call->since_us > CALL_LIMIT_US)
        {
          say ("WRONG", "a call does not end:");
          say ("WRONG", call->tool);
          exit (1);
        }
    }
  if (host->ending && g_hash_table_size (host->pending) == 0)
    {
      gmcp_tool_provider_close_async (GMCP_TOOL_PROVIDER (host->manager), NULL, on_closed, host);
      return G_SOURCE_REMOVE;
    }
  if (!host->ending && g_hash_table_size (host->pending) < MAX_CALLS)
    begin_call (host);
  return G_SOURCE_CONTINUE;
}

/* A question has the mark of its call. */
static void
on_input_requested (GmcpToolProvider *provider, GmcpInputRequest *request, Host *host)
{
  const char *mark = gmcp_elicitation_get_message (GMCP_ELICITATION (request));
  g_autofree char *content = g_strdup_printf ("{\"name\":\"mark-%s-host\"}", host->name);

  if (!g_hash_table_contains (host->pending, mark))
    say ("WRONG question", mark);
  say ("question", host->name);
  gmcp_elicitation_accept_json (GMCP_ELICITATION (request), content, NULL);
}

static void
on_call_requested (GmcpToolProvider *provider, GmcpCallPermission *permission)
{
  gmcp_call_permission_allow_once (permission);
}

static void
on_notice (GmcpManager *manager,
           const char *server_id,
           GmcpNoticeLevel level,
           const char *message,
           gpointer data)
{
  say ("notice", message);
}

static void
on_input (GObject *source, GAsyncResult *result, gpointer data)
{
  Host *host = data;

  g_input_stream_skip_finish (G_INPUT_STREAM (source), result, NULL);
  host->ending = TRUE;
}

int
main (int argc, char *argv[])
{
  g_autoptr (GmcpManager) manager = gmcp_manager_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GInputStream) input = g_unix_input_stream_new (0, FALSE);
  g_autoptr (GFile) config = g_file_new_for_path (argv[2]);
  g_autoptr (GHashTable) pending = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, call_free);
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) strtoul (argv[4], NULL, 10));
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  Host host
    = { .name = argv[1], .manager = manager, .loop = loop, .rand = rand, .pending = pending };

  g_assert_true (g_file_get_contents (argv[3], &text, NULL, NULL));
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  host.lines = lines;
  gmcp_manager_set_host (manager, host.name);
  gmcp_manager_set_config_file (manager, config);
  g_signal_connect (manager, "notice", G_CALLBACK (on_notice), NULL);
  g_signal_connect (manager, "input-requested", G_CALLBACK (on_input_requested), &host);
  g_signal_connect (manager, "call-requested", G_CALLBACK (on_call_requested), NULL);
  g_timeout_add (40, on_tick, &host);
  g_input_stream_skip_async (input, 1, G_PRIORITY_DEFAULT, NULL, on_input, &host);
  g_main_loop_run (loop);
  return 0;
}
