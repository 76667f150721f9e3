/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What servers do wrong, as a host meets it: the public API, and child processes. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../npm/npm-fixture.h"

#define MODERN       "2026-07-28"
#define LEGACY       "2025-11-25"
#define WITH_BATCHES "2025-03-26"

typedef struct
{
  GmcpStdioTransport *transport;
  GmcpClient *client;
  GError *closed; /* why, by the signal */
} Host;

static const char *test_program;
static const char *server_script;

static void
on_closed (GmcpClient *client, const GError *error, gpointer user_data)
{
  Host *host = user_data;

  g_assert_null (host->closed);
  host->closed = g_error_copy (error);
}

static void
host_init_command (Host *host, const char *const *argv)
{
  host->transport = gmcp_stdio_transport_new (argv);
  g_object_set (host->transport, "stop-stdin-timeout-ms", 300u, "stop-term-timeout-ms", 300u, NULL);
  host->client = gmcp_client_new (GMCP_TRANSPORT (host->transport));
  host->closed = NULL;
  gmcp_client_set_name (host->client, "bad");
  g_signal_connect (host->client, "closed", G_CALLBACK (on_closed), host);
}

static void
host_init (Host *host, const char *mode, const char *revision)
{
  const char *argv[] = { "python3", "-S", server_script, mode, revision, NULL };

  host_init_command (host, argv);
}

static gboolean
host_try_open (Host *host, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_client_open_async (host->client, NULL, store_result, &result);
  return gmcp_client_open_finish (host->client, wait_for (&result), error);
}

static void
host_open (Host *host, const char *mode, const char *revision)
{
  g_autoptr (GError) error = NULL;

  host_init (host, mode, revision);
  host_try_open (host, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_client_get_protocol_version (host->client), ==, revision);
}

static void
host_clear (Host *host)
{
  drop_client (host->client, GMCP_TRANSPORT (host->transport));
  g_clear_error (&host->closed);
}

static void
start_call (Host *host, const char *tool, GAsyncResult **slot)
{
  gmcp_client_call_tool_json_async (host->client, tool, "{}", NULL, NULL, store_result, slot);
}

static void
assert_mentions (const GError *error, const char *words)
{
  if (strstr (error->message, words) == NULL)
    g_error ("“%s” does not mention “%s”", error->message, words);
}

static void
wait_for_words (Host *host, const char *words)
{
  for (;;)
    {
      g_autofree char *tail = gmcp_stdio_transport_dup_stderr_tail (host->transport);

      if (strstr (tail, words) != NULL)
        return;
      g_main_context_iteration (NULL, TRUE);
    }
}

/* In KiB; 0 where the system does not say. */
static guint64
read_status (const char *field)
{
  g_autofree char *status = NULL;
  const char *at;

  if (!g_file_get_contents ("/proc/self/status", &status, NULL, NULL))
    return 0;
  at = strstr (status, field);
  return at != NULL ? g_ascii_strtoull (at + strlen (field), NULL, 10) : 0;
}

/* From here on the peak is counted anew. */
static guint64
reset_peak (void)
{
  int fd = open ("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

  if (fd < 0 || write (fd, "5", 1) != 1)
    g_test_message ("the peak of memory cannot be reset");
  if (fd >= 0)
    close (fd);
  return read_status ("VmRSS:");
}

static void
assert_peak (guint64 before_kib, guint64 most_mib)
{
  guint64 peak = read_status ("VmHWM:");

  g_test_message ("%" G_GUINT64_FORMAT " KiB before, %" G_GUINT64_FORMAT " KiB at most", before_kib,
                  peak);
  g_assert_cmpuint (peak, >, 0);
  g_assert_cmpuint (peak, <, before_kib + most_mib * 1024);
}

/* Gone, or dead and not yet waited for by whoever inherited it. */
static gboolean
is_gone (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *stat = NULL;
  const char *state;

  if (!g_file_get_contents (path, &stat, NULL, NULL))
    return TRUE;
  state = strrchr (stat, ')');
  return state != NULL && state[1] == ' ' && state[2] == 'Z';
}

static void
wait_until_gone (int pid)
{
  while (!is_gone (pid))
    g_usleep (1000);
}

static void
test_no_command (void)
{
  const char *argv[] = { "gmcp-no-such-server", "--secret", NULL };
  Host host;
  g_autoptr (GError) error = NULL;

  host_init_command (&host, argv);
  g_assert_false (host_try_open (&host, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  assert_mentions (error, "gmcp-no-such-server");
  assert_mentions (error, "PATH");
  assert_mentions (error, "/bin");
  g_assert_null (strstr (error->message, "--secret"));
  host_clear (&host);
}

static void
test_exit_at_once (void)
{
  Host host;

  host_init (&host, "exit-at-once", LEGACY);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (host_try_open (&host, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
      assert_mentions (error, "bad");
      assert_mentions (error, "status 3");
      assert_mentions (error, "cannot find my settings");
    }
  host_clear (&host);
}

static void
test_exit_in_handshake (gconstpointer revision)
{
  Host host;
  g_autoptr (GError) error = NULL;

  host_init (&host, "exit-in-handshake", revision);
  g_assert_false (host_try_open (&host, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  assert_mentions (error, "status 4");
  assert_mentions (error, "no licence");
  host_clear (&host);
}

static void
assert_exits (const char *tool, const char *revision, const char *status, const char *words)
{
  Host host;
  g_autoptr (GAsyncResult) waiting = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) waiting_error = NULL;
  g_autoptr (GError) later_error = NULL;

  host_open (&host, "normal", revision);
  start_call (&host, "silent", &waiting);
  g_assert_null (try_call (host.client, tool, "{}", NULL, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  assert_mentions (error, status);
  assert_mentions (error, words);

  g_assert_null (gmcp_client_call_tool_finish (host.client, wait_for (&waiting), &waiting_error));
  g_assert_error (waiting_error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  g_clear_object (&waiting);
  while (host.closed == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (host.closed, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);

  g_assert_null (try_call (host.client, "echo", "{}", NULL, NULL, &later_error));
  g_assert_error (later_error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_clear_error (&host.closed);
  g_clear_error (&error);
  host_try_open (&host, &error);
  g_assert_no_error (error);
  assert_text (host.client, "echo", "{}", "fine");
  host_clear (&host);
}

static void
test_exit_in_call (gconstpointer revision)
{
  assert_exits ("exit", revision, "status 7", "the disk is full");
}

static void
test_cut_by_eof (gconstpointer revision)
{
  assert_exits ("cut", revision, "status 5", "ran out of memory");
}

static void
test_mute (gconstpointer revision)
{
  Host host;
  g_autoptr (GError) error = NULL;

  g_test_summary (
    "a server that never answers: the probe's limit passes, then that of the start-up");
  host_init (&host, "mute", revision);
  gmcp_client_set_probe_timeout_ms (host.client, 50);
  gmcp_client_set_startup_timeout_ms (host.client, 3000);
  g_assert_false (host_try_open (&host, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  assert_mentions (error, "bad");
  assert_mentions (error, "3000 ms");
  assert_mentions (error, "still loading the model");
  host_clear (&host);
}

static void
test_silent_call (gconstpointer revision)
{
  Host host;
  g_autoptr (GError) error = NULL;

  host_open (&host, "normal", revision);
  gmcp_client_set_call_timeout_ms (host.client, 50);
  g_assert_null (try_call (host.client, "silent", "{}", NULL, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  assert_mentions (error, "bad");
  assert_mentions (error, "silent");
  assert_mentions (error, "50 ms");
  gmcp_client_set_call_timeout_ms (host.client, 30000);
  assert_text (host.client, "echo", "{}", "fine");
  host_clear (&host);
}

static void
test_answers (gconstpointer revision)
{
  Host host;
  g_autoptr (GError) error = NULL;
  guint64 before;

  g_test_summary ("answers that nobody waits for, and lines that are no answers");
  host_open (&host, "normal", revision);
  assert_text (host.client, "twice", "{}", "fine");
  assert_text (host.client, "unknown-id", "{}", "fine");
  assert_text (host.client, "string-id", "{}", "fine");
  assert_text (host.client, "byte-by-byte", "{}", "größer");
  before = reset_peak ();
  assert_text (host.client, "noise", "{}", "fine");
  assert_peak (before, 32);
  g_assert_cmpuint (gmcp_stdio_transport_get_n_skipped_lines (host.transport), >, 0);

  g_assert_null (try_call (host.client, "bad-utf8", "{}", NULL, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
  assert_mentions (error, "bad");
  assert_text (host.client, "echo", "{}", "fine");
  host_clear (&host);
}

static void
test_batch (gconstpointer revision)
{
  Host host;

  g_test_summary ("several messages as one array are of one revision only");
  host_open (&host, "normal", revision);
  assert_text (host.client, "batch", "{}",
               g_str_equal (revision, WITH_BATCHES) ? "from a batch" : "alone");
  assert_text (host.client, "echo", "{}", "fine");
  host_clear (&host);
}

static void
test_huge_line (gconstpointer revision)
{
  Host host;
  g_autoptr (GAsyncResult) waiting = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) waiting_error = NULL;
  guint64 before;

  g_test_summary ("a line of 100 MB is told to whoever waits, and kept by nobody");
  host_open (&host, "normal", revision);
  start_call (&host, "silent", &waiting);
  before = reset_peak ();
  g_assert_null (try_call (host.client, "huge", "{}", NULL, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  assert_mentions (error, "bad");
  assert_mentions (error, "64.0");
  g_assert_null (gmcp_client_call_tool_finish (host.client, wait_for (&waiting), &waiting_error));
  g_assert_error (waiting_error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_clear_object (&waiting);
  assert_text (host.client, "echo", "{}", "fine");
  assert_peak (before, 72);
  g_assert_cmpuint (read_status ("VmRSS:"), <, before + 16 * 1024);
  host_clear (&host);
}

static void
keep_question (GmcpClient *client, GmcpInputRequest *request, gpointer user_data)
{
  g_ptr_array_add (user_data, g_object_ref (request));
}

static void
test_questions (gconstpointer revision)
{
  Host host;
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_object_unref);
  guint64 before;

  g_test_summary ("a host that answers nothing and forgets nothing keeps no more than it allows");
  host_init (&host, "normal", revision);
  gmcp_client_set_allow_sampling (host.client, TRUE);
  g_signal_connect (host.client, "input-requested", G_CALLBACK (keep_question), kept);
  {
    g_autoptr (GError) error = NULL;

    host_try_open (&host, &error);
    g_assert_no_error (error);
  }
  /* 800 MB pass by, which takes its time. */
  gmcp_client_set_call_timeout_ms (host.client, 600000);
  before = reset_peak ();
  assert_text (host.client, "questions", "{}", "fine");
  assert_peak (before, 100);
  /* Some of those that are not too large were put. */
  g_assert_cmpuint (kept->len, >, 1);
  g_assert_cmpuint (kept->len, <, 60);
  g_ptr_array_set_size (kept, 0);
  assert_text (host.client, "echo", "{}", "fine");
  host_clear (&host);
}

static void
test_unread (gconstpointer revision)
{
  Host host;
  g_autoptr (GError) error = NULL;
  guint64 before;

  g_test_summary ("a server that asks without end and reads no answer loses its connection");
  host_open (&host, "normal", revision);
  before = reset_peak ();
  g_assert_null (try_call (host.client, "unread", "{}", NULL, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  assert_mentions (error, "bad");
  assert_mentions (error, "does not read");
  assert_peak (before, 40);
  g_assert_false (gmcp_client_is_open (host.client));
  host_clear (&host);
}

static void
test_state (gconstpointer revision)
{
  static const char *const too_much[]
    = { "{\"size\":30000000,\"key\":1}", "{\"size\":1,\"key\":30000000}" };
  Host host;
  GAsyncResult *waiting[60] = { NULL };
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) open_error = NULL;
  guint n_refused = 0, n_put;
  guint64 before;

  g_test_summary (
    "what is kept for calls that wait for the user has a limit each, and one for all");
  host_init (&host, "normal", revision);
  g_signal_connect (host.client, "input-requested", G_CALLBACK (keep_question), kept);
  host_try_open (&host, &open_error);
  g_assert_no_error (open_error);

  before = reset_peak ();
  for (guint i = 0; i < G_N_ELEMENTS (too_much); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (try_call (host.client, "state", too_much[i], NULL, NULL, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
      assert_mentions (error, "bad");
    }
  for (guint i = 0; i < G_N_ELEMENTS (waiting); i++)
    gmcp_client_call_tool_json_async (host.client, "state", "{\"size\":1000000,\"key\":1}", NULL,
                                      NULL, store_result, &waiting[i]);
  for (;;)
    {
      n_refused = 0;
      for (guint i = 0; i < G_N_ELEMENTS (waiting); i++)
        n_refused += waiting[i] != NULL;
      n_put = kept->len;
      if (n_refused + n_put >= G_N_ELEMENTS (waiting))
        break;
      g_main_context_iteration (NULL, TRUE);
    }
  assert_peak (before, 100);
  g_assert_cmpuint (n_put, >, 1);
  g_assert_cmpuint (n_refused, >, 1);

  gmcp_client_close_async (host.client, NULL, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (waiting); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (gmcp_client_call_tool_finish (host.client, wait_for (&waiting[i]), &error));
      g_clear_object (&waiting[i]);
    }
  host_clear (&host);
}

static void
test_flood (gconstpointer revision)
{
  Host host;
  g_autofree char *tail = NULL;
  guint64 before;

  g_test_summary ("100 MB on standard error do not hold up a call; only the end of it is kept");
  host_open (&host, "normal", revision);
  before = reset_peak ();
  assert_text (host.client, "flood", "{}", "fine");
  wait_for_words (&host, "the end of the flood");
  assert_peak (before, 16);
  tail = gmcp_stdio_transport_dup_stderr_tail (host.transport);
  g_assert_cmpuint (strlen (tail), <=, 64 * 1024);
  assert_text (host.client, "echo", "{}", "fine");
  host_clear (&host);
}

static void
test_banner (gconstpointer revision)
{
  Host host;

  host_open (&host, "banner", revision);
  g_assert_cmpuint (gmcp_stdio_transport_get_n_skipped_lines (host.transport), >=, 2);
  assert_text (host.client, "echo", "{}", "fine");
  host_clear (&host);
}

static void
read_pids (Host *host, int *server, int *grandchild)
{
  g_autofree char *tail = NULL;

  wait_for_words (host, ".\n");
  tail = gmcp_stdio_transport_dup_stderr_tail (host->transport);
  g_assert_cmpint (sscanf (tail, "pids: %d %d.", server, grandchild), ==, 2);
}

static void
test_stubborn (void)
{
  Host host;
  int server;
  int grandchild;

  g_test_summary ("nothing is left of a server that ignores SIGTERM, nor of what it started");
  host_open (&host, "stubborn", LEGACY);
  read_pids (&host, &server, &grandchild);
  g_assert_cmpint (gmcp_transport_get_pid (GMCP_TRANSPORT (host.transport)), ==, server);
  g_assert_false (is_gone (server));
  g_assert_false (is_gone (grandchild));
  host_clear (&host);
  g_assert_true (is_gone (server));
  g_assert_true (is_gone (grandchild));
}

/* This program as the host that is killed. */
G_NORETURN static void
run_host (void)
{
  Host host;
  int server;
  int grandchild;

  host_open (&host, "stubborn", MODERN);
  read_pids (&host, &server, &grandchild);
  printf ("%d %d\n", server, grandchild);
  fflush (stdout);
  for (;;)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_killed_host (void)
{
  const char *argv[] = { test_program, "--host", server_script, NULL };
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GDataInputStream) out = NULL;
  g_autofree char *line = NULL;
  g_autoptr (GError) error = NULL;
  int server;
  int grandchild;

  g_test_summary ("a host that is killed leaves neither its server nor the server's child behind");
  child = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_assert_no_error (error);
  out = g_data_input_stream_new (g_subprocess_get_stdout_pipe (child));
  line = g_data_input_stream_read_line (out, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (line);
  g_assert_cmpint (sscanf (line, "%d %d", &server, &grandchild), ==, 2);
  g_assert_false (is_gone (server));
  g_assert_false (is_gone (grandchild));

  g_subprocess_send_signal (child, SIGKILL);
  g_subprocess_wait (child, NULL, &error);
  g_assert_no_error (error);
  wait_until_gone (server);
  wait_until_gone (grandchild);
}

static void
test_arguments (gconstpointer revision)
{
  Host host;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) refused = NULL;
  g_autoptr (GmcpToolResult) taken = NULL;

  g_test_summary ("what the server says of arguments that do not fit its schema comes through");
  host_open (&host, "normal", revision);
  refused = try_call (host.client, "picky", "{\"n\":\"seven\"}", NULL, NULL, &error);
  if (g_str_equal (revision, MODERN))
    {
      g_assert_no_error (error);
      g_assert_true (gmcp_tool_result_is_error (refused));
      g_assert_cmpstr (gmcp_tool_result_get_text (refused), ==, "n has to be 7");
    }
  else
    {
      g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INVALID_PARAMS);
      assert_mentions (error, "n has to be 7");
      g_clear_error (&error);
    }
  taken = try_call (host.client, "picky", "{\"n\":7}", NULL, NULL, &error);
  g_assert_no_error (error);
  host_clear (&host);
}

static GListModel *
try_list (Host *host, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_client_list_tools_async (host->client, NULL, store_result, &result);
  return gmcp_client_list_tools_finish (host->client, wait_for (&result), error);
}

static void
test_many_tools (gconstpointer revision)
{
  Host host;
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GmcpTool) after = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("one malformed tool of 10,000 does not hide the others");
  host_open (&host, "many", revision);
  tools = try_list (&host, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (tools), ==, 9999);
  after = g_list_model_get_item (tools, 5000);
  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (after)), ==, "tool5001");
  g_clear_object (&tools);
  host_clear (&host);
}

static void
note_warning (GmcpClient *client, const char *message, gpointer user_data)
{
  *(gboolean *) user_data = strstr (message, "tools/list") != NULL;
}

static void
test_cursor_loop (gconstpointer revision)
{
  Host host;
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GError) error = NULL;
  gboolean warned = FALSE;

  g_test_summary ("cursors that come again end the list, and what was read is kept");
  host_open (&host, "loop", revision);
  g_signal_connect (host.client, "warning", G_CALLBACK (note_warning), &warned);
  tools = try_list (&host, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (tools), ==, 3);
  g_assert_true (warned);
  assert_text (host.client, "echo", "{}", "fine");
  g_clear_object (&tools);
  host_clear (&host);
}

static void
test_endless_cursors (gconstpointer revision)
{
  Host host;
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GError) error = NULL;

  host_open (&host, "endless", revision);
  tools = try_list (&host, &error);
  g_assert_null (tools);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  assert_mentions (error, "bad");
  assert_text (host.client, "echo", "{}", "fine");
  host_clear (&host);
}

static void
test_slow_probe (gconstpointer revision)
{
  Host host;
  g_autoptr (GError) error = NULL;

  g_test_summary ("the answer to the probe comes after initialize was sent, and still decides");
  host_init (&host, "slow-probe", revision);
  gmcp_client_set_probe_timeout_ms (host.client, 100);
  host_try_open (&host, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_client_get_protocol_version (host.client), ==, revision);
  assert_text (host.client, "echo", "{}", "fine");
  host_clear (&host);
}

static gboolean
on_time (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
test_flapping (gconstpointer revision)
{
  Host host;
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *tail = NULL;
  gboolean over = FALSE;
  guint n = 0;

  g_test_summary ("a list that changes whenever it is read is not read without end");
  host_open (&host, "flapping", revision);
  tools = try_list (&host, &error);
  g_assert_no_error (error);
  g_timeout_add (1000, on_time, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);

  tail = gmcp_stdio_transport_dup_stderr_tail (host.transport);
  for (const char *at = tail; (at = strstr (at, "listed\n")) != NULL; at++)
    n++;
  g_assert_cmpuint (n, >=, 2);
  g_assert_cmpuint (n, <=, 8);
  g_clear_object (&tools);
  host_clear (&host);
}

static void
add (const char *name, GTestDataFunc func, const char *revision)
{
  g_autofree char *path = g_strdup_printf ("/bad-servers/%s/%s", name, revision);

  g_test_add_data_func (path, revision, func);
}

static void
add_both (const char *name, GTestDataFunc func)
{
  add (name, func, MODERN);
  add (name, func, LEGACY);
}

int
main (int argc, char *argv[])
{
  g_autofree char *script = NULL;

  test_program = argv[0];
  if (argc == 3 && g_str_equal (argv[1], "--host"))
    {
      server_script = argv[2];
      run_host ();
    }

  g_test_init (&argc, &argv, NULL);
  server_script = script = g_test_build_filename (G_TEST_DIST, "servers", "bad-server.py", NULL);

  g_test_add_func ("/bad-servers/no-command", test_no_command);
  g_test_add_func ("/bad-servers/exit-at-once", test_exit_at_once);
  add_both ("exit-in-handshake", test_exit_in_handshake);
  add_both ("exit-in-call", test_exit_in_call);
  add_both ("cut-by-eof", test_cut_by_eof);
  add_both ("mute", test_mute);
  add_both ("silent-call", test_silent_call);
  add_both ("answers", test_answers);
  add_both ("batch", test_batch);
  add ("batch", test_batch, WITH_BATCHES);
  add_both ("huge-line", test_huge_line);
  add ("questions", test_questions, LEGACY);
  add ("unread", test_unread, LEGACY);
  add ("state", test_state, MODERN);
  add ("flood", test_flood, MODERN);
  add_both ("banner", test_banner);
  g_test_add_func ("/bad-servers/stubborn", test_stubborn);
  g_test_add_func ("/bad-servers/killed-host", test_killed_host);
  add_both ("arguments", test_arguments);
  add_both ("many-tools", test_many_tools);
  add_both ("cursor-loop", test_cursor_loop);
  add ("endless-cursors", test_endless_cursors, MODERN);
  add_both ("slow-probe", test_slow_probe);
  add_both ("flapping", test_flapping);

  return g_test_run ();
}
