/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <stdarg.h>
#include <string.h>

#include "gmcp-manager-private.h"
#include "manager-fixture.h"

static void
on_notice (GmcpManager *manager,
           const char *server_id,
           GmcpNoticeLevel level,
           const char *message,
           gpointer data)
{
  g_autoptr (GEnumClass) levels = g_type_class_ref (GMCP_TYPE_NOTICE_LEVEL);

  g_ptr_array_add (((ManagerFixture *) data)->notices,
                   g_strdup_printf ("%s %s %s", g_enum_get_value (levels, level)->value_nick,
                                    server_id != NULL ? server_id : "-", message));
}

static void
on_tools_changed (GListModel *tools, guint position, guint removed, guint added, gpointer data)
{
  ((ManagerFixture *) data)->n_tool_changes++;
}

void
manager_fixture_set_up (ManagerFixture *fixture, gconstpointer data)
{
  fixture->dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  fixture->config = g_build_filename (fixture->dir, "mcp.json", NULL);
  fixture->log = g_build_filename (fixture->dir, "log", NULL);
  fixture->state = g_build_filename (fixture->dir, "state", NULL);
  fixture->notices = g_ptr_array_new_with_free_func (g_free);
  manager_fixture_begin (fixture);
}

void
manager_fixture_begin (ManagerFixture *fixture)
{
  fixture->manager = gmcp_manager_new ();
  gmcp_manager_set_state_dir (fixture->manager, fixture->state);
  fixture->provider = GMCP_TOOL_PROVIDER (fixture->manager);
  fixture->tools = gmcp_tool_provider_get_tools (fixture->provider);
  manager_fixture_set_restart_delay (fixture, 1);
  gmcp_manager_set_load_wait_ms (fixture->manager, G_MAXUINT);
  gmcp_manager_set_config_file (fixture->manager, fixture->config);
  g_signal_connect (fixture->manager, "notice", G_CALLBACK (on_notice), fixture);
  g_signal_connect (fixture->tools, "items-changed", G_CALLBACK (on_tools_changed), fixture);
}

static void
remove_state (ManagerFixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->state, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->state, name, NULL);

      g_unlink (path);
    }
  g_rmdir (fixture->state);
}

void
manager_fixture_set_restart_delay (ManagerFixture *fixture, guint delay_ms)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (fixture->manager);

  priv->limits.servers.restart_delay_ms = delay_ms;
  gmcp_manager_spread_limits (fixture->manager);
}

void
manager_fixture_tear_down (ManagerFixture *fixture, gconstpointer data)
{
  if (fixture->manager != NULL)
    {
      manager_fixture_close (fixture);
      g_assert_finalize_object (fixture->manager);
    }
  g_ptr_array_unref (fixture->notices);
  g_unlink (fixture->config);
  g_unlink (fixture->log);
  remove_state (fixture);
  g_rmdir (fixture->dir);
  g_free (fixture->config);
  g_free (fixture->log);
  g_free (fixture->state);
  g_free (fixture->dir);
}

char *
manager_fixture_entry (ManagerFixture *fixture, const char *id, const char *words)
{
  return manager_fixture_entry_of (fixture, id, "managed-server.py", words);
}

char *
manager_fixture_entry_of (ManagerFixture *fixture,
                          const char *id,
                          const char *name,
                          const char *words)
{
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "servers", name, NULL);
  g_auto (GStrv) split = g_strsplit (words, " ", -1);
  g_autoptr (GString) entry = g_string_new (NULL);

  g_string_append_printf (
    entry, "\"%s\":{\"command\":\"/usr/bin/python3\",\"args\":[\"-S\",\"%s\",\"--log\",\"%s\"", id,
    script, fixture->log);
  for (gsize i = 0; split[i] != NULL && *split[i] != '\0'; i++)
    g_string_append_printf (entry, ",\"%s\"", split[i]);
  g_string_append (entry, "]}");
  return g_string_free (g_steal_pointer (&entry), FALSE);
}

void
manager_fixture_write (ManagerFixture *fixture, char *entry, ...)
{
  g_autoptr (GString) text = g_string_new ("{\"mcpServers\":{");
  const char *comma = "";
  va_list more;

  va_start (more, entry);
  for (; entry != NULL; entry = va_arg (more, char *))
    {
      g_string_append_printf (text, "%s%s", comma, entry);
      comma = ",";
      g_free (entry);
    }
  va_end (more);

  g_string_append (text, "}}");
  g_assert_true (g_file_set_contents (fixture->config, text->str, text->len, NULL));
}

typedef struct
{
  gboolean done;
  GError *error;
} Outcome;

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (object), result, &outcome->error);
  outcome->done = TRUE;
}

GError *
manager_fixture_load (ManagerFixture *fixture, GCancellable *cancellable)
{
  Outcome outcome = { FALSE, NULL };

  gmcp_tool_provider_load_async (fixture->provider, cancellable, on_loaded, &outcome);
  manager_fixture_wait_until (outcome.done);
  return outcome.error;
}

static void
on_closed (GObject *object, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  gmcp_manager_close_finish (GMCP_MANAGER (object), result, &outcome->error);
  outcome->done = TRUE;
}

void
manager_fixture_close (ManagerFixture *fixture)
{
  Outcome outcome = { FALSE, NULL };

  gmcp_manager_close_async (fixture->manager, NULL, on_closed, &outcome);
  manager_fixture_wait_until (outcome.done);
  g_assert_no_error (outcome.error);
}

static void
on_called (GObject *object, GAsyncResult *result, gpointer data)
{
  ManagerCall *call = data;
  g_autoptr (GmcpToolResult) tool_result
    = gmcp_tool_provider_call_tool_finish (GMCP_TOOL_PROVIDER (object), result, &call->error);

  if (tool_result != NULL)
    call->text = gmcp_tool_result_dup_text (tool_result);
  call->done = TRUE;
}

void
manager_call_begin (ManagerCall *call,
                    ManagerFixture *fixture,
                    const char *name,
                    const char *arguments,
                    GmcpCallOptions *options,
                    GCancellable *cancellable)
{
  *call = (ManagerCall){ FALSE, NULL, NULL };
  gmcp_tool_provider_call_tool_json_async (fixture->provider, name, arguments, options, cancellable,
                                           on_called, call);
}

void
manager_call_wait (ManagerCall *call)
{
  manager_fixture_wait_until (call->done);
}

void
manager_call_clear (ManagerCall *call)
{
  g_clear_pointer (&call->text, g_free);
  g_clear_error (&call->error);
}

char *
manager_fixture_call (ManagerFixture *fixture,
                      const char *name,
                      const char *arguments,
                      GmcpCallOptions *options,
                      GError **error)
{
  ManagerCall call;

  manager_call_begin (&call, fixture, name, arguments, options, NULL);
  manager_call_wait (&call);
  if (call.error != NULL)
    g_propagate_error (error, call.error);
  return call.text;
}

char *
manager_fixture_list (ManagerFixture *fixture)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (fixture->tools); i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (fixture->tools, i);

      g_string_append_printf (names, "%s%s", i > 0 ? " " : "", gmcp_tool_get_name (tool));
    }

  return g_string_free (names, FALSE);
}

void
manager_fixture_assert_tools (ManagerFixture *fixture, const char *names)
{
  g_autofree char *listed = manager_fixture_list (fixture);

  g_assert_cmpstr (listed, ==, names);
}

GmcpServerState
manager_fixture_get_state (ManagerFixture *fixture, const char *id)
{
  GmcpManagedServer *server = gmcp_manager_get_server (fixture->manager, id);

  g_assert_nonnull (server);
  return gmcp_managed_server_get_state (server);
}

guint
manager_fixture_count_log (ManagerFixture *fixture, const char *line)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint count = 0;

  if (!g_file_get_contents (fixture->log, &text, NULL, NULL))
    return 0;

  lines = g_strsplit (text, "\n", -1);
  for (gsize i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], line))
      count++;

  return count;
}

gboolean
manager_fixture_has_notice (ManagerFixture *fixture, const char *part)
{
  for (guint i = 0; i < fixture->notices->len; i++)
    if (strstr (g_ptr_array_index (fixture->notices, i), part) != NULL)
      return TRUE;

  return FALSE;
}

gboolean
manager_fixture_warns_of (ManagerFixture *fixture, const GError *error)
{
  g_autoptr (GPtrArray) findings = gmcp_manager_list_findings (fixture->manager);

  for (guint i = 0; i < findings->len; i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (findings, i);

      /* The error of a start names the server first. */
      if (g_str_has_suffix (error->message, gmcp_config_finding_get_message (finding)))
        {
          g_assert_cmpint (gmcp_config_finding_get_severity (finding), ==,
                           GMCP_NOTICE_LEVEL_WARNING);
          g_assert_cmpstr (gmcp_config_finding_get_file (finding), ==, fixture->config);
          return TRUE;
        }
    }
  return FALSE;
}

gboolean
manager_fixture_can_confine (void)
{
  static const char *const argv[]
    = { "bwrap",         "--ro-bind", "/",     "/",    "--unshare-pid",
        "--unshare-net", "--proc",    "/proc", "true", NULL };
  int status = -1;

  return g_spawn_sync (NULL, (char **) argv, NULL,
                       G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL
                         | G_SPAWN_STDERR_TO_DEV_NULL,
                       NULL, NULL, NULL, NULL, &status, NULL)
         && status == 0;
}

guint
manager_fixture_count_processes (const char *word)
{
  g_autoptr (GDir) proc = g_dir_open ("/proc", 0, NULL);
  const char *name;
  guint count = 0;

  while ((name = g_dir_read_name (proc)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc", name, "cmdline", NULL);
      g_autofree char *text = NULL;
      gsize length;

      if (!g_ascii_isdigit (*name) || !g_file_get_contents (path, &text, &length, NULL))
        continue;
      for (gsize i = 0; i + 1 < length; i++)
        text[i] = text[i] == '\0' ? ' ' : text[i];
      count += text != NULL && strstr (text, word) != NULL;
    }
  return count;
}
