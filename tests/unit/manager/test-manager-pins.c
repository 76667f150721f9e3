/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-limits.h"
#include "manager-fixture.h"
#include "unit-test.h"

/* What is kept of tools, with real servers and over several runs of a host. */

static char *
make_path (ManagerFixture *fixture, const char *name)
{
  return g_build_filename (fixture->state, name, NULL);
}

static void
begin_again (ManagerFixture *fixture)
{
  manager_fixture_close (fixture);
  g_assert_finalize_object (g_steal_pointer (&fixture->manager));
  g_ptr_array_set_size (fixture->notices, 0);
  manager_fixture_begin (fixture);
}

static guint
count_pins (ManagerFixture *fixture, GmcpPinStatus status)
{
  g_autoptr (GPtrArray) pins = gmcp_manager_list_pins (fixture->manager);
  guint n = 0;

  for (guint i = 0; i < pins->len; i++)
    n += gmcp_tool_pin_get_status (g_ptr_array_index (pins, i)) == status;
  return n;
}

static void
test_hints (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;

  g_test_summary ("a tool that says now that it is read-only has changed");
  gmcp_manager_set_pin_policy (fixture->manager, GMCP_PIN_POLICY_WITHHOLD);
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools flip,pid"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  text = manager_fixture_call (fixture, "one__flip", "{}", NULL, &error);
  g_assert_no_error (error);
  manager_fixture_wait_until (
    manager_fixture_has_notice (fixture, "The tool one.flip has changed"));
  manager_fixture_assert_tools (fixture, "one__pid");
  again = manager_fixture_call (fixture, "one.flip", "{}", NULL, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
}

/* A host's answers. */
typedef struct
{
  gboolean keeps;           /* and does not answer at once */
  GmcpCallPermission *kept; /* the last question */
  char *change;             /* of it */
  guint n_asked;
} Answers;

static void
answers_clear (Answers *answers)
{
  g_clear_object (&answers->kept);
  g_free (answers->change);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Answers, answers_clear)

static void
allow_call (GmcpToolProvider *provider, GmcpCallPermission *request, gpointer data)
{
  Answers *answers = data;

  answers->n_asked++;
  g_free (answers->change);
  answers->change = g_strdup (gmcp_call_permission_get_change (request));
  if (answers->keeps)
    g_set_object (&answers->kept, request);
  else
    gmcp_call_permission_allow_always (request);
}

/* Calls a tool that is another one after it, and waits until that is known. */
static void
change_tool (ManagerFixture *fixture)
{
  g_autoptr (GError) error = NULL;

  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools describe,pid"),
                         NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_free (manager_fixture_call (fixture, "one__describe", "{}", NULL, &error));
  g_assert_no_error (error);
  manager_fixture_wait_until (
    manager_fixture_has_notice (fixture, "The tool one.describe has changed"));
}

static void
test_allowing (ManagerFixture *fixture, gconstpointer data)
{
  g_auto (Answers) ordinary = { 0 };
  g_auto (Answers) informed = { 0 };
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("whoever allows every call that is asked about does not so approve a tool");
  gmcp_manager_set_pin_policy (fixture->manager, GMCP_PIN_POLICY_WITHHOLD);
  g_signal_connect (fixture->manager, "call-requested", G_CALLBACK (allow_call), &ordinary);
  change_tool (fixture);
  g_assert_null (manager_fixture_call (fixture, "one__describe", "{}", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_clear_error (&error);
  manager_fixture_assert_tools (fixture, "one__pid");
  g_assert_cmpuint (ordinary.n_asked, ==, 0);

  g_test_message ("whoever is there for that is asked, and nobody else");
  g_signal_connect (fixture->manager, "withheld-call-requested", G_CALLBACK (allow_call),
                    &informed);
  text = manager_fixture_call (fixture, "one__describe", "{}", NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (informed.change, "+ description: \"Another description\""));
  g_assert_cmpuint (informed.n_asked, ==, 1);
  g_assert_cmpuint (ordinary.n_asked, ==, 0);
  manager_fixture_wait_until (count_pins (fixture, GMCP_PIN_STATUS_CHANGED) == 0);
  manager_fixture_assert_tools (fixture, "one__describe one__pid");
}

static void
on_approved (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  int n_approved = gmcp_manager_approve_tool_finish (GMCP_MANAGER (object), result, &error);

  g_assert_true ((n_approved < 0) == (error != NULL));
  *(int *) data = error != NULL ? -2 - error->code : n_approved;
}

/* How many were approved; -2 without the code of an error. */
static int
approve (ManagerFixture *fixture, const char *server, const char *tool, const char *digest)
{
  int n_approved = -1;

  gmcp_manager_approve_tool_async (fixture->manager, server, tool, digest, NULL, on_approved,
                                   &n_approved);
  manager_fixture_wait_until (n_approved != -1);
  return n_approved;
}

static char *
dup_digest (ManagerFixture *fixture, const char *tool)
{
  g_autoptr (GPtrArray) pins = gmcp_manager_list_pins (fixture->manager);

  for (guint i = 0; i < pins->len; i++)
    if (g_str_equal (gmcp_tool_pin_get_tool (pins->pdata[i]), tool))
      return g_strdup (gmcp_tool_pin_get_present_digest (pins->pdata[i]));
  return NULL;
}

static void
test_shown (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *first = NULL;
  g_autofree char *now = NULL;

  g_test_summary ("what is approved is what was shown");
  gmcp_manager_set_pin_policy (fixture->manager, GMCP_PIN_POLICY_WITHHOLD);
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools describe,pid"),
                         NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  first = dup_digest (fixture, "describe");
  change_tool (fixture);
  now = dup_digest (fixture, "describe");
  g_assert_cmpstr (first, !=, now);
  g_assert_cmpint (approve (fixture, "other", "describe", now), ==, -2 - GMCP_ERROR_NOT_CONFIGURED);
  g_assert_cmpint (approve (fixture, "one", "other", now), ==, -2 - GMCP_ERROR_UNKNOWN_TOOL);
  g_assert_cmpint (approve (fixture, "one", "describe", ""), ==, -2 - GMCP_ERROR_TOOL_CHANGED);
  g_assert_cmpint (approve (fixture, "one", "pid", now), ==, -2 - GMCP_ERROR_TOOL_CHANGED);
  g_assert_cmpuint (count_pins (fixture, GMCP_PIN_STATUS_CHANGED), ==, 1);
  manager_fixture_assert_tools (fixture, "one__pid");
  g_assert_cmpint (approve (fixture, "one", "describe", now), ==, 1);
  g_assert_cmpint (approve (fixture, "one", "describe", now), ==, 0);
  g_assert_cmpint (approve (fixture, "one", "describe", first), ==, -2 - GMCP_ERROR_TOOL_CHANGED);
  manager_fixture_assert_tools (fixture, "one__describe one__pid");
}

static void
test_withheld_meanwhile (ManagerFixture *fixture, gconstpointer data)
{
  g_auto (Answers) ordinary = { .keeps = TRUE };
  g_auto (Answers) informed = { .keeps = TRUE };
  ManagerCall call = { 0 };

  g_test_summary ("what was allowed before the tool was withheld is no answer to that");
  g_signal_connect (fixture->manager, "call-requested", G_CALLBACK (allow_call), &ordinary);
  g_signal_connect (fixture->manager, "withheld-call-requested", G_CALLBACK (allow_call),
                    &informed);
  change_tool (fixture);
  gmcp_manager_set_ask_first (fixture->manager, (const char *const[]){ "*.describe", NULL });
  manager_call_begin (&call, fixture, "one__describe", "{}", NULL, NULL);
  manager_fixture_wait_until (ordinary.kept != NULL);
  g_assert_null (gmcp_call_permission_get_change (ordinary.kept));
  gmcp_manager_set_pin_policy (fixture->manager, GMCP_PIN_POLICY_WITHHOLD);

  gmcp_call_permission_allow_once (ordinary.kept);
  manager_fixture_wait_until (informed.kept != NULL || call.done);
  g_assert_false (call.done);
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (informed.kept));
  manager_call_wait (&call);
  g_assert_error (call.error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call describe"), ==, 1);
  manager_call_clear (&call);
}

static void
on_input_requested (GmcpToolProvider *provider, GmcpInputRequest *request, gpointer data)
{
}

static void
test_abilities (ManagerFixture *fixture, gconstpointer data)
{
  g_test_summary ("what a server offers to who can be asked is neither lost nor new to others");
  manager_fixture_write (
    fixture, manager_fixture_entry (fixture, "one", "--tools pid,ask --asking ask"), NULL);
  for (guint run = 0; run < 6; run++)
    {
      gboolean asked = run % 2 == 1;

      g_test_message ("run %u", run);
      if (run > 0)
        begin_again (fixture);
      gmcp_manager_set_pin_policy (fixture->manager, GMCP_PIN_POLICY_WITHHOLD);
      if (asked)
        g_signal_connect (fixture->manager, "input-requested", G_CALLBACK (on_input_requested),
                          NULL);
      g_assert_null (manager_fixture_load (fixture, NULL));
      manager_fixture_assert_tools (fixture, asked ? "one__pid one__ask" : "one__pid");
      g_assert_false (manager_fixture_has_notice (fixture, "approve"));
      g_assert_cmpuint (count_pins (fixture, GMCP_PIN_STATUS_NEW), ==, 0);
      g_assert_cmpuint (count_pins (fixture, GMCP_PIN_STATUS_APPROVED), ==, run == 0 ? 1 : 2);
      /* Listing starts it once for each kind of host. */
      g_assert_cmpuint (manager_fixture_count_log (fixture, "list"), ==, run == 0 ? 1 : 2);
    }
}

/* 36 MB take their time where the machine has much else to do. */
static void
begin_flood (ManagerFixture *fixture)
{
  g_object_set (fixture->manager, "startup-timeout-ms", 300000, "call-timeout-ms", 300000, NULL);
  gmcp_manager_set_pin_policy (fixture->manager, GMCP_PIN_POLICY_WITHHOLD);
}

static void
test_flood (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *changed = g_strconcat (fixture->log, ".changed", NULL);
  g_autofree char *path = make_path (fixture, "tool-pins.json");
  GStatBuf info;

  g_test_summary ("a server with 600 tools of 60 kB is pinned, and so are the others");
  begin_flood (fixture);
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "flood", "--flood 600"),
                         manager_fixture_entry (fixture, "one", "--tools flip,pid"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_cmpuint (g_list_model_get_n_items (fixture->tools), ==, 603);

  begin_again (fixture);
  g_assert_no_errno (g_stat (path, &info));
  g_assert_cmpint (info.st_size, <, 1024 * 1024);
  g_assert_true (g_file_set_contents (changed, "", -1, NULL));
  begin_flood (fixture);
  g_free (manager_fixture_call (fixture, "flood__echo", "{}", NULL, NULL));
  manager_fixture_wait_until (
    manager_fixture_has_notice (fixture, "600 tools of the server flood are new or have changed"));
  g_assert_false (manager_fixture_has_notice (fixture, "could not be"));
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "flood__echo one__flip one__pid");
  g_free (manager_fixture_call (fixture, "one__flip", "{}", NULL, NULL));
  manager_fixture_wait_until (
    manager_fixture_has_notice (fixture, "The tool one.flip has changed"));
  g_assert_no_errno (g_unlink (changed));
}

/* What no program of this version writes, whoever made it. */
static void
make_unreadable (const char *path, guint way)
{
  g_autoptr (GString) text = g_string_new (NULL);

  switch (way)
    {
    case 0: /* a file that is too large */
      g_string_set_size (text, GMCP_LIMIT_STATE_FILE_BYTES + 1);
      memset (text->str, ' ', text->len);
      g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
      break;
    case 1: /* one that is broken */
      g_assert_true (g_file_set_contents (path, "{\"ver", -1, NULL));
      break;
    default: /* a folder */
      g_unlink (path);
      g_assert_no_errno (g_mkdir (path, 0700));
      break;
    }
}

static void
test_unreadable (ManagerFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *name;
    const char *outcome;
  } files[] = {
    { "tool-pins.json", "no tool counts as approved" },
    { "allowed-calls.json", "is asked about again" },
    { "started-commands.json", "is told of again" },
  };

  g_test_summary ("a file that cannot be read is told of, with what does not hold and what helps");
  g_assert_no_errno (g_mkdir (fixture->state, 0700));
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"), NULL);
  for (guint way = 0; way < 3; way++)
    for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
      {
        g_autofree char *path = make_path (fixture, files[i].name);
        g_autofree char *told = g_strconcat (files[i].name, " could not be read", NULL);

        make_unreadable (path, way);
        begin_again (fixture);
        gmcp_manager_set_pin_policy (fixture->manager, GMCP_PIN_POLICY_WITHHOLD);
        g_assert_null (manager_fixture_load (fixture, NULL));
        g_assert_true (manager_fixture_has_notice (fixture, told));
        g_assert_true (manager_fixture_has_notice (fixture, files[i].outcome));
        g_assert_true (manager_fixture_has_notice (fixture, "remove it"));
        manager_fixture_assert_tools (fixture, i == 0 ? "" : "one__pid");
        manager_fixture_close (fixture);
        if (way == 2)
          g_assert_no_errno (g_rmdir (path));
        else
          g_assert_no_errno (g_unlink (path));
      }
}

static void
test_manifest (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "gmcp", "tools", NULL);
  g_autoptr (GDir) dir = NULL;
  const char *name;

  g_test_summary ("a list of tools that cannot be read is told of, and made again");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_close (fixture);
  dir = g_dir_open (folder, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_true (g_file_set_contents (path, "{\"format\":1,\"tools\":", -1, NULL));
    }

  begin_again (fixture);
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_true (manager_fixture_has_notice (fixture, "warning one What server"));
  manager_fixture_assert_tools (fixture, "one__pid");
  begin_again (fixture);
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_false (manager_fixture_has_notice (fixture, "cannot be read"));
}

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/pins/" path, ManagerFixture, NULL, manager_fixture_set_up, func,           \
              manager_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  ADD ("hints", test_hints);
  ADD ("allowing", test_allowing);
  ADD ("shown", test_shown);
  ADD ("withheld-meanwhile", test_withheld_meanwhile);
  ADD ("abilities", test_abilities);
  ADD ("flood", test_flood);
  ADD ("unreadable", test_unreadable);
  ADD ("manifest", test_manifest);

  return g_test_run ();
}
