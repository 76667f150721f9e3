/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>

#include "gmcp-approval-file-private.h"
#include "gmcp-manager-private.h"
#include "manager-fixture.h"
#include "unit-test.h"

/* What was decided is kept in files; what the manager has put there itself is not taken over again. */

static GmcpStateStore *
get_store (ManagerFixture *fixture)
{
  return gmcp_manager_get_state_store (fixture->manager);
}

static GBytes *
add_answer (GBytes *present, gpointer data, GError **error)
{
  const GmcpApprovalKey key = { .server = "one", .identity = "i", .tool = data, .digest = "d" };

  return gmcp_approval_file_add (present, &key, error);
}

static void
keep (ManagerFixture *fixture, const char *tool)
{
  GmcpStateStore *store = get_store (fixture);

  gmcp_state_store_keep (store, GMCP_CALL_ANSWERS_FILE, add_answer, (gpointer) tool, NULL);
  manager_fixture_wait_until (!gmcp_state_store_is_keeping (store));
}

static char *
make_path (ManagerFixture *fixture)
{
  return g_build_filename (fixture->state, GMCP_CALL_ANSWERS_FILE, NULL);
}

/* As another program does it. */
static void
write_elsewhere (ManagerFixture *fixture, const char *tool)
{
  g_autofree char *path = make_path (fixture);
  g_autofree char *text = NULL;
  g_autoptr (GBytes) present = NULL;
  g_autoptr (GBytes) wanted = NULL;
  gsize length;

  if (g_file_get_contents (path, &text, &length, NULL))
    present = g_bytes_new (text, length);
  wanted = add_answer (present, (gpointer) tool, NULL);
  g_assert_nonnull (wanted);
  g_assert_true (g_file_set_contents (path, g_bytes_get_data (wanted, NULL),
                                      (gssize) g_bytes_get_size (wanted), NULL));
}

static gboolean
knows (ManagerFixture *fixture, const char *tool)
{
  const GmcpApprovalKey key = { .server = "one", .identity = "i", .tool = tool, .digest = "d" };
  g_autofree char *text = gmcp_approval_key_dup_text (&key);

  return g_hash_table_contains (
    gmcp_approvals_peek_remembered (gmcp_manager_get_approvals (fixture->manager)), text);
}

/* From now on each change of the files is seen. */
static void
begin (ManagerFixture *fixture)
{
  GmcpStateStore *store = get_store (fixture);

  g_assert_no_errno (g_mkdir (fixture->state, 0700));
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", ""), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_wait_until (gmcp_state_store_count (store).is_watching
                              && gmcp_state_store_count (store).n_looks > 0
                              && !gmcp_state_store_is_keeping (store));
}

static void
test_changes (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *path = make_path (fixture);
  GmcpStateStore *store;
  guint n_looks;
  guint n_taken;

  g_test_summary ("what the manager has kept is seen to be its own; what others change counts");
  begin (fixture);
  store = get_store (fixture);
  n_looks = gmcp_state_store_count (store).n_looks;
  n_taken = gmcp_state_store_count (store).n_taken;
  keep (fixture, "a");
  keep (fixture, "b");
  manager_fixture_wait_until (gmcp_state_store_count (store).n_looks > n_looks);
  g_assert_cmpuint (gmcp_state_store_count (store).n_taken, ==, n_taken);

  write_elsewhere (fixture, "c");
  manager_fixture_wait_until (gmcp_state_store_count (store).n_taken > n_taken);
  g_assert_cmpuint (gmcp_state_store_count (store).n_taken, ==, n_taken + 1);
  g_assert_true (knows (fixture, "c"));

  /* It is not lost behind what is one's own. */
  n_taken = gmcp_state_store_count (store).n_taken;
  write_elsewhere (fixture, "d");
  keep (fixture, "e");
  manager_fixture_wait_until (gmcp_state_store_count (store).n_taken > n_taken);
  g_assert_true (knows (fixture, "a"));
  g_assert_true (knows (fixture, "b"));
  g_assert_true (knows (fixture, "d"));
  g_assert_true (knows (fixture, "e"));

  /* What is broken is told of, and what was known stays. */
  g_assert_true (g_file_set_contents (path, "{\"version\":", -1, NULL));
  manager_fixture_wait_until (manager_fixture_has_notice (fixture, GMCP_CALL_ANSWERS_FILE));
  g_assert_true (knows (fixture, "d"));
}

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/state/" path, ManagerFixture, NULL, manager_fixture_set_up, func,          \
              manager_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("changes", test_changes);
  return g_test_run ();
}
