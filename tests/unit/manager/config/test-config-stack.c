/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "gmcp-config-stack-private.h"

#include <gmcp/config/source/gmcp-config-load.h>
#include <gmcp/core/gmcp-error.h>

#include "unit-test.h"

/* A place that is read when the test says so. */
#define SLOW_TYPE_SOURCE (slow_source_get_type ())
G_DECLARE_FINAL_TYPE (SlowSource, slow_source, SLOW, SOURCE, GmcpConfigSource)

struct _SlowSource
{
  GmcpConfigSource parent_instance;

  GmcpConfigLoad *load; /* that waits; NULL for none */
};

G_DEFINE_FINAL_TYPE (SlowSource, slow_source, GMCP_TYPE_CONFIG_SOURCE)

static void
slow_source_load (GmcpConfigSource *source, GmcpConfigLoad *load)
{
  g_set_object (&SLOW_SOURCE (source)->load, load);
}

static void
slow_source_dispose (GObject *object)
{
  g_clear_object (&SLOW_SOURCE (object)->load);

  G_OBJECT_CLASS (slow_source_parent_class)->dispose (object);
}

static void
slow_source_class_init (SlowSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = slow_source_dispose;
  GMCP_CONFIG_SOURCE_CLASS (klass)->load = slow_source_load;
}

static void
slow_source_init (SlowSource *self)
{
}

static void
say_server (SlowSource *self, const char *id)
{
  g_autoptr (GmcpServerConfig) config
    = g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", id, "title", id, NULL);

  gmcp_config_source_set_servers (GMCP_CONFIG_SOURCE (self), &config, 1);
}

static void
answer (SlowSource *self, const GError *error)
{
  g_autoptr (GmcpConfigLoad) load = g_steal_pointer (&self->load);

  g_assert_nonnull (load);
  if (error != NULL)
    gmcp_config_load_return_error (load, error);
  else
    gmcp_config_load_return_success (load);
}

typedef struct
{
  GmcpConfigStack *stack;
  SlowSource *first;
  SlowSource *second;
  GObject *owner; /* of the tasks */
  guint n_changed;
  guint n_problems;
  guint n_answered;
  GError *error; /* of the last task */
} Fixture;

static void
on_changed (gpointer data)
{
  ((Fixture *) data)->n_changed++;
}

static void
on_problem_found (const char *server_id, GmcpNoticeLevel level, const char *message, gpointer data)
{
  ((Fixture *) data)->n_problems++;
}

static void
on_reading (guint ticket, gpointer data)
{
  gmcp_config_stack_end_reading (((Fixture *) data)->stack, ticket);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  const GmcpConfigStackHooks hooks = {
    .changed = on_changed,
    .problem_found = on_problem_found,
    .reading = on_reading,
  };

  fixture->stack = gmcp_config_stack_new (&hooks, fixture);
  fixture->first = g_object_new (SLOW_TYPE_SOURCE, NULL);
  fixture->second = g_object_new (SLOW_TYPE_SOURCE, NULL);
  fixture->owner = g_object_new (G_TYPE_OBJECT, NULL);
  gmcp_config_stack_add (fixture->stack, GMCP_CONFIG_SOURCE (fixture->first), TRUE);
  gmcp_config_stack_add (fixture->stack, GMCP_CONFIG_SOURCE (fixture->second), FALSE);
}

static void
turn (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) closed = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED, "closed");

  gmcp_config_stack_close (fixture->stack, closed);
  turn ();
  gmcp_config_stack_unref (fixture->stack);
  g_assert_finalize_object (fixture->first);
  g_assert_finalize_object (fixture->second);
  g_assert_finalize_object (fixture->owner);
  g_clear_error (&fixture->error);
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  Fixture *fixture = data;

  g_clear_error (&fixture->error);
  g_task_propagate_boolean (G_TASK (result), &fixture->error);
  fixture->n_answered++;
}

static void
load (Fixture *fixture)
{
  g_autoptr (GTask) task = g_task_new (fixture->owner, NULL, on_loaded, fixture);

  gmcp_config_stack_load (fixture->stack, task);
  turn ();
}

static void
load_all (Fixture *fixture)
{
  load (fixture);
  answer (fixture->first, NULL);
  answer (fixture->second, NULL);
  turn ();
  g_assert_cmpuint (fixture->n_answered, ==, 1);
  g_assert_no_error (fixture->error);
  fixture->n_changed = 0;
}

static void
test_first (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("nothing counts before all places were read, and then it is told of once");
  g_assert_false (gmcp_config_stack_is_loaded (fixture->stack));
  load (fixture);
  load (fixture);
  say_server (fixture->first, "one");
  answer (fixture->first, NULL);
  turn ();
  g_assert_cmpuint (fixture->n_changed, ==, 0);
  say_server (fixture->second, "two");
  answer (fixture->second, NULL);
  turn ();
  g_assert_cmpuint (fixture->n_changed, ==, 1);
  g_assert_cmpuint (fixture->n_answered, ==, 2);
  g_assert_true (gmcp_config_stack_is_loaded (fixture->stack));
}

static void
test_turn (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("what places tell of is told of once in a turn");
  load_all (fixture);
  say_server (fixture->first, "one");
  say_server (fixture->second, "two");
  say_server (fixture->first, "three");
  g_assert_cmpuint (fixture->n_changed, ==, 0);
  turn ();
  g_assert_cmpuint (fixture->n_changed, ==, 1);
  turn ();
  g_assert_cmpuint (fixture->n_changed, ==, 1);
  /* What the host does comes at once, with what has gathered. */
  say_server (fixture->first, "four");
  gmcp_config_stack_drop_server (fixture->stack, "four");
  g_assert_cmpuint (fixture->n_changed, ==, 2);
  turn ();
  g_assert_cmpuint (fixture->n_changed, ==, 2);
}

static void
test_again (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("places that are read again and say what they said are not told of");
  load_all (fixture);
  load (fixture);
  answer (fixture->first, NULL);
  answer (fixture->second, NULL);
  turn ();
  g_assert_cmpuint (fixture->n_answered, ==, 2);
  g_assert_cmpuint (fixture->n_changed, ==, 0);
}

static void
test_failed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error
    = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, "no such thing");

  g_test_summary ("a place that cannot be read fails the reading, and is told of");
  load (fixture);
  answer (fixture->first, error);
  answer (fixture->second, NULL);
  turn ();
  g_assert_cmpuint (fixture->n_answered, ==, 1);
  g_assert_error (fixture->error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_cmpuint (fixture->n_problems, ==, 1);
  g_assert_false (gmcp_config_stack_is_loaded (fixture->stack));
}

static void
test_in_place (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_get_user_cache_dir (), "no-such-file.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GPtrArray) before = NULL;
  g_autoptr (GPtrArray) active = NULL;
  g_autoptr (GPtrArray) inactive = NULL;

  g_test_summary (
    "beside a file only what is the host's own counts, and what was being read for it "
    "counts no more");
  before = gmcp_config_stack_list_active (fixture->stack);
  g_assert_cmpuint (before->len, ==, 2);
  load (fixture);
  gmcp_config_stack_use_file (fixture->stack, file);
  g_assert_cmpuint (fixture->n_changed, ==, 1);
  active = gmcp_config_stack_list_active (fixture->stack);
  inactive = gmcp_config_stack_list_inactive (fixture->stack);
  g_assert_cmpuint (active->len, ==, 2);
  g_assert_true (active->pdata[0] == gmcp_config_stack_peek_file (fixture->stack));
  g_assert_true (active->pdata[1] == fixture->first);
  g_assert_cmpuint (inactive->len, ==, 1);
  g_assert_true (inactive->pdata[0] == fixture->second);
  /* Of the former reading. */
  answer (fixture->second, NULL);
  answer (fixture->first, NULL);
  while (fixture->n_answered == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (fixture->error);
  say_server (fixture->second, "two");
  turn ();
  g_assert_cmpuint (fixture->n_changed, <=, 2);
}

static void
test_servers (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpServerConfig) config = g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", "mine", NULL);

  g_test_summary ("what the host adds it can take back; all else it withdraws");
  gmcp_config_stack_add_server (fixture->stack, config);
  g_assert_cmpuint (gmcp_config_stack_peek_added (fixture->stack)->len, ==, 1);
  gmcp_config_stack_drop_server (fixture->stack, "mine");
  g_assert_cmpuint (gmcp_config_stack_peek_added (fixture->stack)->len, ==, 0);
  g_assert_cmpuint (g_hash_table_size (gmcp_config_stack_peek_withdrawn (fixture->stack)), ==, 0);
  load_all (fixture);
  say_server (fixture->first, "theirs");
  gmcp_config_stack_drop_server (fixture->stack, "theirs");
  g_assert_true (
    g_hash_table_contains (gmcp_config_stack_peek_withdrawn (fixture->stack), "theirs"));
}

static void
test_withdrawn (Fixture *fixture, gconstpointer data)
{
  GHashTable *withdrawn = gmcp_config_stack_peek_withdrawn (fixture->stack);

  g_test_summary ("a server is withdrawn for as long as its place has it, and no longer");
  load_all (fixture);
  say_server (fixture->first, "one");
  gmcp_config_stack_drop_server (fixture->stack, "one");
  gmcp_config_stack_forget_withdrawn (fixture->stack);
  g_assert_true (g_hash_table_contains (withdrawn, "one"));
  say_server (fixture->first, "two");
  gmcp_config_stack_forget_withdrawn (fixture->stack);
  g_assert_false (g_hash_table_contains (withdrawn, "one"));

  /* The place had let go of it before. */
  say_server (fixture->first, "three");
  gmcp_config_stack_drop_server (fixture->stack, "two");
  g_assert_false (g_hash_table_contains (withdrawn, "two"));
}

static void
test_close (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) closed = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED, "closed");

  g_test_summary ("whoever waits is told of the end, and nothing comes after it");
  load (fixture);
  say_server (fixture->first, "one");
  gmcp_config_stack_close (fixture->stack, closed);
  answer (fixture->first, NULL);
  answer (fixture->second, NULL);
  gmcp_config_stack_add (fixture->stack, GMCP_CONFIG_SOURCE (fixture->first), TRUE);
  turn ();
  g_assert_cmpuint (fixture->n_answered, ==, 1);
  g_assert_error (fixture->error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_assert_cmpuint (fixture->n_changed, ==, 0);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
#define ADD(path, func)                                                                            \
  g_test_add ("/manager/config-stack/" path, Fixture, NULL, set_up, func, tear_down)
  ADD ("first", test_first);
  ADD ("turn", test_turn);
  ADD ("again", test_again);
  ADD ("withdrawn", test_withdrawn);
  ADD ("failed", test_failed);
  ADD ("in-place", test_in_place);
  ADD ("servers", test_servers);
  ADD ("close", test_close);
  return g_test_run ();
}
