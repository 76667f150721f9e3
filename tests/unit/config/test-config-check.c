/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "manager-fixture.h"
#include "unit-test.h"

/* The tools that a configuration names, and the lists that servers had when they ran last. */

typedef struct
{
  gboolean done;
  GPtrArray *findings;
  GError *error;
} Outcome;

static void
on_checked (GObject *object, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  outcome->findings
    = gmcp_manager_check_config_finish (GMCP_MANAGER (object), result, &outcome->error);
  outcome->done = TRUE;
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  gmcp_manager_load_config_finish (GMCP_MANAGER (object), result, &outcome->error);
  outcome->done = TRUE;
}

static void
read_config (ManagerFixture *fixture)
{
  Outcome outcome = { FALSE };

  gmcp_manager_load_config_async (fixture->manager, NULL, on_loaded, &outcome);
  manager_fixture_wait_until (outcome.done);
  g_assert_no_error (outcome.error);
}

static GPtrArray *
check (ManagerFixture *fixture)
{
  Outcome outcome = { FALSE };

  gmcp_manager_check_config_async (fixture->manager, NULL, on_checked, &outcome);
  manager_fixture_wait_until (outcome.done);
  g_assert_no_error (outcome.error);
  return outcome.findings;
}

static guint
count (GPtrArray *findings, const char *part)
{
  guint n = 0;

  for (guint i = 0; i < findings->len; i++)
    {
      g_autofree char *text = gmcp_config_finding_dup_text (g_ptr_array_index (findings, i));

      g_test_message ("%s", text);
      n += strstr (text, part) != NULL;
    }
  return n;
}

/* The same servers each time, so that what was kept of them is theirs; health is of the one that runs. */
static void
write_config (ManagerFixture *fixture, const char *health, const char *rules)
{
  g_autofree char *one = manager_fixture_entry (fixture, "one", "--tools echo,pid");
  g_autofree char *two = manager_fixture_entry (fixture, "two", "--tools echo");
  g_autofree char *text
    = g_strdup_printf ("{\"mcpServers\":{%.*s%s},\n%.*s,\"start\":\"manual\"}}%s}",
                       (int) strlen (one) - 1, one, health, (int) strlen (two) - 1, two, rules);

  g_assert_true (g_file_set_contents (fixture->config, text, -1, NULL));
}

static void
begin_again (ManagerFixture *fixture)
{
  manager_fixture_close (fixture);
  g_assert_finalize_object (fixture->manager);
  manager_fixture_begin (fixture);
}

#define HEALTH(tool) ",\"healthCheck\":{\"method\":\"tool_call\",\"tool\":\"" tool "\"}"
#define ROLE(rules)  ",\n\"roles\":{\"r\":{\"allowed_tools\":[" rules "]}}"

static void
test_health_of_unknown (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) findings = NULL;
  g_autoptr (GPtrArray) own = NULL;

  g_test_summary ("a health check by a server that is not configured is told of, at its key");
  write_config (fixture, ",\n\"health_check\":{\"method\":\"tool_call\",\"tool\":\"nowhere.echo\"}",
                "");
  read_config (fixture);
  findings = check (fixture);
  g_assert_cmpuint (count (findings, "mcp.json:2: mcpServers.one.health_check.tool: References "
                                     "unknown MCP server: nowhere"),
                    ==, 1);

  write_config (fixture, HEALTH ("one.echo"), "");
  read_config (fixture);
  own = check (fixture);
  g_assert_cmpuint (count (own, "References"), ==, 0);
}

static void
test_kept (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GPtrArray) some = NULL;
  g_autoptr (GPtrArray) mended = NULL;
  g_autoptr (GPtrArray) foreign = NULL;
  guint n_starts;

  g_test_summary ("tools are known from the last run; of a server that never ran nothing is said");
  write_config (fixture, "", "");
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__echo one__pid");
  begin_again (fixture);
  n_starts = manager_fixture_count_log (fixture, "start");

  write_config (
    fixture, HEALTH ("one.gone"),
    ROLE ("\"one.echo\",\"one.nothing\",\"one.no*\",\"two.nothing\",\"one.${GMCP_TOOL}\""));
  read_config (fixture);
  none = gmcp_manager_list_findings (fixture->manager);
  g_assert_cmpuint (count (none, "References unknown tool"), ==, 0);
  some = check (fixture);
  g_assert_cmpuint (count (some, "mcp.json:3: roles.r: References unknown tool: one.nothing"), ==,
                    1);
  g_assert_cmpuint (
    count (some, "mcp.json:1: mcpServers.one.healthCheck.tool: References unknown tool: one.gone"),
    ==, 1);
  g_assert_cmpuint (count (some, "References unknown tool: one.filled"), ==, 1);
  g_assert_cmpuint (count (some, "References unknown tool"), ==, 3);

  write_config (fixture, HEALTH ("pid"), ROLE ("\"one.echo\",\"two.nothing\""));
  read_config (fixture);
  mended = check (fixture);
  g_assert_cmpuint (count (mended, "References unknown tool"), ==, 0);

  write_config (fixture, HEALTH ("two.echo"), "");
  read_config (fixture);
  foreign = check (fixture);
  g_assert_cmpuint (count (foreign, "References unknown tool: two.echo"), ==, 1);

  /* Nothing was started, and nothing listed, by any of that. */
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, n_starts);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->tools), ==, 0);
}

static void
on_input_requested (GmcpToolProvider *provider, GmcpInputRequest *request, gpointer data)
{
}

static void
test_abilities (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *entry = manager_fixture_entry (fixture, "one", "--tools echo,ask --asking ask");
  g_autofree char *text
    = g_strdup_printf ("{\"mcpServers\":{%s}%s}", entry, ROLE ("\"one.ask\",\"one.nothing\""));
  g_autoptr (GPtrArray) findings = NULL;

  g_test_summary ("a rule about a tool that is offered to other hosts is about something");
  g_assert_true (g_file_set_contents (fixture->config, text, -1, NULL));
  g_signal_connect (fixture->manager, "input-requested", G_CALLBACK (on_input_requested), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__echo one__ask");
  begin_again (fixture);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__echo");
  begin_again (fixture);
  read_config (fixture);
  findings = check (fixture);
  g_assert_cmpuint (count (findings, "References unknown tool: one.nothing"), ==, 1);
  g_assert_cmpuint (count (findings, "References unknown tool"), ==, 1);
}

static void
test_health_tool (ManagerFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *health;
    guint n_findings;
  } cases[] = {
    { HEALTH ("two.echo"), 1 },
    { HEALTH ("one.echo"), 0 },
    { HEALTH ("three.echo"), 0 },
    { HEALTH ("echo"), 0 },
  };

  g_test_summary ("no server is checked by a tool of another, which is known before any has run");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) findings = NULL;

      write_config (fixture, cases[i].health, "");
      read_config (fixture);
      findings = gmcp_manager_list_findings (fixture->manager);
      g_assert_cmpuint (count (findings, "A server is checked by a tool of its own: two.echo"), ==,
                        cases[i].n_findings);
    }
}

static void
test_cancelled (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Outcome before = { FALSE };
  Outcome meanwhile = { FALSE };

  write_config (fixture, "", "");
  read_config (fixture);
  gmcp_manager_check_config_async (fixture->manager, cancellable, on_checked, &meanwhile);
  g_cancellable_cancel (cancellable);
  gmcp_manager_check_config_async (fixture->manager, cancellable, on_checked, &before);
  manager_fixture_wait_until (before.done && meanwhile.done);
  g_assert_error (before.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_error (meanwhile.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (before.findings);
  g_assert_null (meanwhile.findings);
  g_clear_error (&before.error);
  g_clear_error (&meanwhile.error);
}

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/config-check/" path, ManagerFixture, NULL, manager_fixture_set_up, func,   \
              manager_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_setenv ("GMCP_TOOL", "filled", TRUE);
  g_test_init (&argc, &argv, NULL);
  ADD ("kept", test_kept);
  ADD ("health-of-unknown", test_health_of_unknown);
  ADD ("abilities", test_abilities);
  ADD ("health-tool", test_health_tool);
  ADD ("cancelled", test_cancelled);
  return g_test_run ();
}
