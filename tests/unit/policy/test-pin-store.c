/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-pin-store-private.h"
#include "unit-test.h"

/* What is done about tools that are new or have changed, and what is kept of them. */

#define READ "{\"name\":\"read\",\"description\":\"reads\",\"inputSchema\":{\"type\":\"object\"}}"
#define READ_ALL                                                                                   \
  "{\"name\":\"read\",\"description\":\"reads all\",\"inputSchema\":{\"type\":\"object\"}}"
#define WRITE "{\"name\":\"write\",\"inputSchema\":{\"type\":\"object\"}}"

typedef struct
{
  GObject *owner;
  GmcpStateStore *state;
  GmcpPinStore *pins;
  GmcpServerConfig *config;
  char *dir;
} Fixture;

static gboolean
take_pins (gpointer owner, GBytes *bytes, GError **error)
{
  return gmcp_pin_store_take (g_object_get_data (owner, "pins"), bytes, error);
}

static const char *
describe_lost_pins (gpointer owner)
{
  return gmcp_pin_store_describe_loss (g_object_get_data (owner, "pins"));
}

static void
note_warning (gpointer owner, const char *message)
{
  g_object_set_data_full (owner, "warning", g_strdup (message), g_free);
}

static void
ignore_end (gpointer owner)
{
}

static void
on_loaded (gpointer owner, gpointer data)
{
  *(gboolean *) data = TRUE;
}

static void
load (Fixture *fixture)
{
  gboolean is_loaded = FALSE;

  gmcp_state_store_load (fixture->state, on_loaded, &is_loaded);
  while (!is_loaded)
    g_main_context_iteration (NULL, TRUE);
}

static void
await_kept (Fixture *fixture)
{
  while (gmcp_state_store_is_keeping (fixture->state))
    g_main_context_iteration (NULL, TRUE);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) folder = NULL;
  static const GmcpStateKind kinds[]
    = { { GMCP_TOOL_PINS_FILE, FALSE, take_pins, describe_lost_pins } };
  static const GmcpStateStoreFuncs funcs = { note_warning, ignore_end };
  static const char *const argv[] = { "one", NULL };

  fixture->owner = g_object_new (G_TYPE_OBJECT, NULL);
  fixture->dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  fixture->state
    = gmcp_state_store_new (fixture->owner, g_main_context_default (), kinds, 1, &funcs);
  folder = g_file_new_for_path (fixture->dir);
  gmcp_state_store_set_folder (fixture->state, folder);
  fixture->pins = gmcp_pin_store_new (fixture->state);
  g_object_set_data (fixture->owner, "pins", fixture->pins);
  fixture->config = gmcp_server_config_new ("one", argv);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { GMCP_TOOL_PINS_FILE, GMCP_TOOL_PINS_FILE ".lock" };

  await_kept (fixture);
  g_assert_finalize_object (fixture->owner);
  gmcp_pin_store_free (fixture->pins);
  gmcp_state_store_free (fixture->state);
  g_object_unref (fixture->config);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (fixture->dir, names[i], NULL);

      if (g_unlink (path) != 0)
        g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    }
  g_rmdir (fixture->dir);
  g_free (fixture->dir);
}

/* The server lists one tool. */
static GPtrArray *
see_tool (Fixture *fixture, const char *json, GmcpPinStatus *status)
{
  g_autoptr (GmcpTool) tool = gmcp_tool_new_from_json (json, NULL);
  const GmcpPinnedServer server = {
    .id = "one",
    .config = fixture->config,
    .abilities = "",
    .tools = &tool,
    .n_tools = 1,
  };

  g_assert_nonnull (tool);
  return gmcp_pin_store_see (fixture->pins, &server, status);
}

static void
assert_seen (Fixture *fixture, const char *json, GmcpPinStatus expected, const char *message)
{
  GmcpPinStatus status;
  g_autoptr (GPtrArray) messages = see_tool (fixture, json, &status);

  g_assert_cmpint (status, ==, expected);
  g_assert_cmpuint (messages->len, ==, message != NULL);
  if (message != NULL)
    g_assert_nonnull (strstr (g_ptr_array_index (messages, 0), message));
}

static void
count_pin (const GmcpToolPinView *pin, gpointer data)
{
  (*(guint *) data)++;
}

static guint
count_pins (Fixture *fixture)
{
  guint n = 0;

  gmcp_pin_store_foreach (fixture->pins, count_pin, &n);
  return n;
}

static void
test_see (Fixture *fixture, gconstpointer data)
{
  g_test_summary (
    "the first list is taken as it is; what changes, or comes later, is told of once");
  assert_seen (fixture, READ, GMCP_PIN_STATUS_NEW, NULL);
  g_assert_cmpuint (count_pins (fixture), ==, 0);
  load (fixture);
  assert_seen (fixture, READ, GMCP_PIN_STATUS_APPROVED, NULL);
  assert_seen (fixture, READ_ALL, GMCP_PIN_STATUS_CHANGED, "has changed");
  assert_seen (fixture, READ_ALL, GMCP_PIN_STATUS_CHANGED, NULL);
  assert_seen (fixture, WRITE, GMCP_PIN_STATUS_NEW, "one.write is new");
  g_assert_cmpuint (count_pins (fixture), ==, 2);

  /* What is off is not looked at. */
  g_assert_true (gmcp_pin_store_set_policy (fixture->pins, GMCP_PIN_POLICY_OFF));
  g_assert_false (gmcp_pin_store_set_policy (fixture->pins, GMCP_PIN_POLICY_OFF));
  assert_seen (fixture, READ_ALL, GMCP_PIN_STATUS_APPROVED, NULL);
}

static void
test_many (Fixture *fixture, gconstpointer data)
{
  GmcpTool *tools[4];
  GmcpPinStatus statuses[G_N_ELEMENTS (tools)];
  GmcpPinnedServer server = {
    .id = "one",
    .config = fixture->config,
    .abilities = "",
    .tools = tools,
    .n_tools = G_N_ELEMENTS (tools),
  };
  g_autoptr (GPtrArray) messages = NULL;

  g_test_summary ("of many tools only their number is told");
  load (fixture);
  assert_seen (fixture, READ, GMCP_PIN_STATUS_APPROVED, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autofree char *json
        = g_strdup_printf ("{\"name\":\"t%u\",\"inputSchema\":{\"type\":\"object\"}}", i);

      tools[i] = gmcp_tool_new_from_json (json, NULL);
    }
  messages = gmcp_pin_store_see (fixture->pins, &server, statuses);
  g_assert_cmpuint (messages->len, ==, 1);
  g_assert_nonnull (strstr (g_ptr_array_index (messages, 0), "4 tools of the server one"));
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_assert_cmpint (statuses[i], ==, GMCP_PIN_STATUS_NEW);
      g_object_unref (tools[i]);
    }

  server.n_tools = 0;
  g_clear_pointer (&messages, g_ptr_array_unref);
  messages = gmcp_pin_store_see (fixture->pins, &server, NULL);
  g_assert_cmpuint (messages->len, ==, 0);
}

static gboolean
is_allowed (Fixture *fixture, const char *server, GmcpPinStatus status)
{
  const GmcpPolicySubject subject = { .server = server, .tool = "read", .pin_status = status };
  g_auto (GmcpPolicyDecision) decision = { .allowed = TRUE };

  gmcp_pin_store_judge (fixture->pins, &subject, &decision);
  if (!decision.allowed)
    g_assert_nonnull (strstr (decision.rule, "gmcp approve one.read"));
  return decision.allowed;
}

static void
test_judge (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("only the stricter policy withholds tools, and none of the host's own");
  g_assert_cmpint (gmcp_pin_store_get_policy (fixture->pins), ==, GMCP_PIN_POLICY_NOTICE);
  g_assert_true (is_allowed (fixture, "one", GMCP_PIN_STATUS_CHANGED));
  gmcp_pin_store_set_policy (fixture->pins, GMCP_PIN_POLICY_WITHHOLD);
  g_assert_false (is_allowed (fixture, "one", GMCP_PIN_STATUS_CHANGED));
  g_assert_false (is_allowed (fixture, "one", GMCP_PIN_STATUS_NEW));
  g_assert_true (is_allowed (fixture, "one", GMCP_PIN_STATUS_APPROVED));
  g_assert_true (is_allowed (fixture, NULL, GMCP_PIN_STATUS_NEW));
}

static void
on_approved (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static int
approve (Fixture *fixture, const char *tool, GError **error)
{
  GmcpPinApproval *approval = gmcp_pin_approval_new ("one", tool);
  g_autoptr (GAsyncResult) result = NULL;
  int n_approved;

  gmcp_pin_store_approve_async (fixture->pins, approval, on_approved, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  n_approved = gmcp_pin_store_approve_finish (fixture->pins, approval, result, error);
  gmcp_pin_approval_release (approval);
  return n_approved;
}

static void
test_approve (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->dir, GMCP_TOOL_PINS_FILE, NULL);
  g_autoptr (GError) error = NULL;

  g_test_summary ("what is approved stays so in the next run; a broken file is left alone");
  load (fixture);
  assert_seen (fixture, READ, GMCP_PIN_STATUS_APPROVED, NULL);
  assert_seen (fixture, READ_ALL, GMCP_PIN_STATUS_CHANGED, "has changed");
  await_kept (fixture);
  g_assert_cmpint (approve (fixture, "write", &error), ==, 0);
  g_assert_cmpint (approve (fixture, "read", &error), ==, 1);
  g_assert_no_error (error);
  assert_seen (fixture, READ_ALL, GMCP_PIN_STATUS_APPROVED, NULL);

  load (fixture);
  assert_seen (fixture, READ_ALL, GMCP_PIN_STATUS_APPROVED, NULL);

  g_assert_true (g_file_set_contents (path, "{", -1, NULL));
  g_assert_cmpint (approve (fixture, NULL, &error), ==, -1);
  g_assert_nonnull (error);
  load (fixture);
  g_assert_nonnull (strstr (g_object_get_data (fixture->owner, "warning"), "known before"));
  assert_seen (fixture, READ_ALL, GMCP_PIN_STATUS_APPROVED, NULL);
}

static void
test_approve_at_once (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("an approval counts for what was seen before, also where that is still written");
  load (fixture);
  assert_seen (fixture, READ, GMCP_PIN_STATUS_APPROVED, NULL);
  for (guint i = 0; i < 20; i++)
    {
      const char *json = i % 2 == 0 ? READ_ALL : READ;
      g_autoptr (GError) error = NULL;

      assert_seen (fixture, json, GMCP_PIN_STATUS_CHANGED, "has changed");
      g_assert_true (gmcp_state_store_is_keeping (fixture->state));
      g_assert_cmpint (approve (fixture, "read", &error), ==, 1);
      g_assert_no_error (error);
      assert_seen (fixture, json, GMCP_PIN_STATUS_APPROVED, NULL);
    }
}

#define ADD(path, func)                                                                            \
  g_test_add ("/policy/pin-store/" path, Fixture, NULL, set_up, func, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("see", test_see);
  ADD ("many", test_many);
  ADD ("judge", test_judge);
  ADD ("approve", test_approve);
  ADD ("approve-at-once", test_approve_at_once);
  return g_test_run ();
}
