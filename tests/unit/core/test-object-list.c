/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-object-list-private.h"
#include "unit-test.h"

typedef struct
{
  guint n_signals;
  guint position;
  guint removed;
  guint added;
  guint length_seen;
} Changes;

static void
on_items_changed (GListModel *model, guint position, guint removed, guint added, gpointer data)
{
  Changes *changes = data;

  changes->n_signals++;
  changes->position = position;
  changes->removed = removed;
  changes->added = added;
  changes->length_seen = g_list_model_get_n_items (model);
}

/* Objects told apart by what they carry. */
static GPtrArray *
make_items (guint n)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    {
      GObject *item = g_object_new (G_TYPE_OBJECT, NULL);

      g_object_set_data (item, "number", GUINT_TO_POINTER (i));
      g_ptr_array_add (items, item);
    }

  return items;
}

static char *
describe (GmcpObjectList *list)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (list)); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (list), i);

      g_string_append_c (text, 'a' + GPOINTER_TO_UINT (g_object_get_data (item, "number")));
    }

  return g_string_free (text, FALSE);
}

static void
assert_list (GmcpObjectList *list, const char *expected)
{
  g_autofree char *text = describe (list);

  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (gmcp_object_list_get_length (list), ==, strlen (expected));
}

static void
test_splice (void)
{
  g_autoptr (GPtrArray) items = make_items (8);
  GmcpObjectList *list = gmcp_object_list_new (G_TYPE_OBJECT);
  Changes changes = { 0 };

  g_signal_connect (list, "items-changed", G_CALLBACK (on_items_changed), &changes);
  g_assert_true (g_list_model_get_item_type (G_LIST_MODEL (list)) == G_TYPE_OBJECT);
  assert_list (list, "");

  gmcp_object_list_splice (list, 0, 0, items->pdata, 4);
  assert_list (list, "abcd");
  g_assert_cmpuint (changes.n_signals, ==, 1);
  g_assert_cmpuint (changes.added, ==, 4);
  g_assert_cmpuint (changes.length_seen, ==, 4);

  gmcp_object_list_splice (list, 1, 2, items->pdata + 4, 3);
  assert_list (list, "aefgd");
  g_assert_cmpuint (changes.position, ==, 1);
  g_assert_cmpuint (changes.removed, ==, 2);
  g_assert_cmpuint (changes.added, ==, 3);

  gmcp_object_list_splice (list, 5, 0, items->pdata + 7, 1);
  assert_list (list, "aefgdh");
  gmcp_object_list_splice (list, 0, 5, NULL, 0);
  assert_list (list, "h");
  gmcp_object_list_splice (list, 0, 0, NULL, 0);
  g_assert_cmpuint (changes.n_signals, ==, 4);

  g_assert_null (g_list_model_get_item (G_LIST_MODEL (list), 1));
  g_assert_null (gmcp_object_list_peek (list, 1));
  g_assert_true (gmcp_object_list_peek (list, 0) == g_ptr_array_index (items, 7));

  g_assert_finalize_object (list);
  for (guint i = 0; i < items->len; i++)
    g_assert_cmpuint (G_OBJECT (g_ptr_array_index (items, i))->ref_count, ==, 1);
}

static void
test_set_items (void)
{
  static const struct
  {
    const char *before;
    const char *after;
    guint position;
    guint removed;
    guint added;
  } cases[] = {
    { "abcd", "abxcd", 2, 0, 1 }, { "abcd", "acd", 1, 1, 0 },   { "abcd", "axyd", 1, 2, 2 },
    { "abcd", "", 0, 4, 0 },      { "", "abc", 0, 0, 3 },       { "aaa", "aa", 2, 1, 0 },
    { "abcd", "dcba", 0, 4, 4 },  { "abc", "abcabc", 3, 0, 3 },
  };
  g_autoptr (GPtrArray) items = make_items (26);

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      GmcpObjectList *list = gmcp_object_list_new (G_TYPE_OBJECT);
      Changes changes = { 0 };
      gpointer before[8];
      gpointer after[8];

      for (guint i = 0; cases[c].before[i] != '\0'; i++)
        before[i] = g_ptr_array_index (items, cases[c].before[i] - 'a');
      for (guint i = 0; cases[c].after[i] != '\0'; i++)
        after[i] = g_ptr_array_index (items, cases[c].after[i] - 'a');

      gmcp_object_list_set_items (list, before, strlen (cases[c].before));
      g_signal_connect (list, "items-changed", G_CALLBACK (on_items_changed), &changes);
      gmcp_object_list_set_items (list, after, strlen (cases[c].after));

      assert_list (list, cases[c].after);
      g_assert_cmpuint (changes.n_signals, ==, 1);
      g_assert_cmpuint (changes.position, ==, cases[c].position);
      g_assert_cmpuint (changes.removed, ==, cases[c].removed);
      g_assert_cmpuint (changes.added, ==, cases[c].added);

      gmcp_object_list_set_items (list, after, strlen (cases[c].after));
      g_assert_cmpuint (changes.n_signals, ==, 1);
      g_assert_finalize_object (list);
    }
}

static void
on_item_gone (gpointer data, GObject *gone)
{
  GmcpObjectList *list = data;

  /* Whoever reacts to an item's end sees the list as it now is. */
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 0);
}

static void
test_last_reference (void)
{
  GmcpObjectList *list = gmcp_object_list_new (G_TYPE_OBJECT);
  GObject *item = g_object_new (G_TYPE_OBJECT, NULL);

  gmcp_object_list_splice (list, 0, 0, (gpointer *) &item, 1);
  g_object_weak_ref (item, on_item_gone, list);
  g_object_unref (item);
  gmcp_object_list_set_items (list, NULL, 0);
  g_assert_finalize_object (list);
}

static void
test_bad_range (void)
{
  if (g_test_subprocess ())
    {
      GmcpObjectList *list = gmcp_object_list_new (G_TYPE_OBJECT);

      gmcp_object_list_splice (list, 0, G_MAXUINT, NULL, 0);
      return;
    }

  g_test_summary ("a removal past the end is the caller's bug, and said so");
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*n_removals*");
}

static void
on_notify (GObject *list, GParamSpec *pspec, gpointer count)
{
  ++*(guint *) count;
}

static void
test_properties (void)
{
  g_autoptr (GObject) item = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (GmcpObjectList) list = gmcp_object_list_new (G_TYPE_OBJECT);
  guint n_notified = 0;
  GType item_type;
  guint n_items;

  g_signal_connect (list, "notify::n-items", G_CALLBACK (on_notify), &n_notified);
  gmcp_object_list_splice (list, 0, 0, (gpointer *) &item, 1);
  g_object_get (list, "item-type", &item_type, "n-items", &n_items, NULL);
  g_assert_true (item_type == G_TYPE_OBJECT);
  g_assert_cmpuint (n_items, ==, 1);
  g_assert_cmpuint (n_notified, ==, 1);

  gmcp_object_list_splice (list, 0, 1, (gpointer *) &item, 1);
  g_assert_cmpuint (n_notified, ==, 1);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/object-list/splice", test_splice);
  g_test_add_func ("/core/object-list/set-items", test_set_items);
  g_test_add_func ("/core/object-list/last-reference", test_last_reference);
  g_test_add_func ("/core/object-list/properties", test_properties);
  g_test_add_func ("/core/object-list/bad-range", test_bad_range);
  return g_test_run ();
}
