/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-fields-private.h"

#include <gio/gio.h>

#include "unit-test.h"

#define TEST_TYPE_THING (test_thing_get_type ())
G_DECLARE_FINAL_TYPE (TestThing, test_thing, TEST, THING, GObject)

struct _TestThing
{
  GObject parent_instance;

  char *name;
  char *text;
  GStrv words;
  gboolean flag;
  guint number;
  GFileType kind;
  GFile *file;
};

G_DEFINE_FINAL_TYPE (TestThing, test_thing, G_TYPE_OBJECT)

static const GmcpField fields[] = {
  { "name", GMCP_FIELD_STRING, G_STRUCT_OFFSET (TestThing, name) },
  { "text", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (TestThing, text) },
  { "words", GMCP_FIELD_STRV, G_STRUCT_OFFSET (TestThing, words) },
  { "flag", GMCP_FIELD_BOOLEAN, G_STRUCT_OFFSET (TestThing, flag) },
  { "number", GMCP_FIELD_UINT, G_STRUCT_OFFSET (TestThing, number) },
  { "kind", GMCP_FIELD_ENUM, G_STRUCT_OFFSET (TestThing, kind), g_file_type_get_type },
  { "file", GMCP_FIELD_OBJECT, G_STRUCT_OFFSET (TestThing, file), g_file_get_type },
  { NULL },
};

static void
test_thing_class_init (TestThingClass *klass)
{
  gmcp_fields_install (G_OBJECT_CLASS (klass), fields, GMCP_FIELDS_CONSTRUCT_ONLY);
}

static void
test_thing_init (TestThing *self)
{
}

static void
test_none (void)
{
  TestThing *plain = g_object_new (TEST_TYPE_THING, NULL);
  TestThing *none = g_object_new (TEST_TYPE_THING, "name", NULL, "text", "", "words", NULL, NULL);

  g_test_summary ("no string is an empty one, an empty text is none, and no list is an empty one");
  g_assert_cmpstr (plain->name, ==, "");
  g_assert_null (plain->text);
  g_assert_cmpuint (g_strv_length (plain->words), ==, 0);
  g_assert_false (plain->flag);
  g_assert_cmpuint (plain->number, ==, 0);
  g_assert_cmpint (plain->kind, ==, G_FILE_TYPE_UNKNOWN);
  g_assert_null (plain->file);
  g_assert_cmpstr (none->name, ==, "");
  g_assert_null (none->text);
  g_assert_true (gmcp_fields_equal (fields, plain, none));
  g_assert_finalize_object (plain);
  g_assert_finalize_object (none);
}

static void
test_all (void)
{
  const char *const words[] = { "a", "", NULL };
  g_autoptr (GFile) file = g_file_new_for_path ("/a");
  TestThing *thing
    = g_object_new (TEST_TYPE_THING, "name", "n", "text", "t", "words", words, "flag", TRUE,
                    "number", G_MAXUINT, "kind", G_FILE_TYPE_DIRECTORY, "file", file, NULL);
  TestThing *copy = gmcp_fields_make_object (fields, TEST_TYPE_THING, thing);
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) read = NULL;
  g_autoptr (GFile) same = NULL;
  gboolean flag;
  guint number;
  GFileType kind;

  g_object_get (copy, "name", &name, "text", &text, "words", &read, "flag", &flag, "number",
                &number, "kind", &kind, "file", &same, NULL);
  g_assert_cmpstr (name, ==, "n");
  g_assert_cmpstr (text, ==, "t");
  g_assert_cmpstrv (read, words);
  g_assert_true (flag);
  g_assert_cmpuint (number, ==, G_MAXUINT);
  g_assert_cmpint (kind, ==, G_FILE_TYPE_DIRECTORY);
  g_assert_true (same == file);
  g_assert_true (copy->words != thing->words);
  g_assert_true (gmcp_fields_equal (fields, thing, copy));
  g_assert_finalize_object (thing);
  g_clear_object (&same);
  g_assert_finalize_object (copy);
}

static void
test_unlike (void)
{
  const char *const words[] = { "a", NULL };
  g_autoptr (GFile) file = g_file_new_for_path ("/a");
  g_autoptr (TestThing) plain = g_object_new (TEST_TYPE_THING, NULL);
  TestThing *const things[] = {
    g_object_new (TEST_TYPE_THING, "name", "n", NULL),
    g_object_new (TEST_TYPE_THING, "text", "t", NULL),
    g_object_new (TEST_TYPE_THING, "words", words, NULL),
    g_object_new (TEST_TYPE_THING, "flag", TRUE, NULL),
    g_object_new (TEST_TYPE_THING, "number", 1, NULL),
    g_object_new (TEST_TYPE_THING, "kind", G_FILE_TYPE_REGULAR, NULL),
    g_object_new (TEST_TYPE_THING, "file", file, NULL),
  };
  TestThing copy = { .number = 0 };

  g_test_summary ("each of the values counts where two are compared, and is copied");
  for (gsize i = 0; i < G_N_ELEMENTS (things); i++)
    {
      g_assert_false (gmcp_fields_equal (fields, plain, things[i]));
      g_assert_true (gmcp_fields_equal (fields, things[i], things[i]));
      for (gsize k = 0; k < G_N_ELEMENTS (things); k++)
        gmcp_field_copy (&fields[k], things[i], &copy);
      g_assert_true (gmcp_fields_equal (fields, things[i], &copy));
      gmcp_field_clear (&fields[G_N_ELEMENTS (things) - 1], &copy);
      g_assert_finalize_object (things[i]);
    }
  gmcp_fields_clear (fields, &copy);
}

/* A struct that is no object. */
static void
test_struct (void)
{
  TestThing data = { .text = g_strdup ("t"), .words = g_new0 (char *, 1), .number = 7 };
  const TestThing none = { .number = 0 };
  TestThing *thing = gmcp_fields_make_object (fields, TEST_TYPE_THING, &data);

  g_assert_cmpstr (thing->name, ==, "");
  g_assert_cmpstr (thing->text, ==, "t");
  g_assert_cmpuint (thing->number, ==, 7);
  g_assert_finalize_object (thing);
  gmcp_fields_clear (fields, &data);
  g_assert_true (gmcp_fields_equal (fields, &data, &none));
  gmcp_fields_clear (fields, &data);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/fields/none", test_none);
  g_test_add_func ("/core/fields/all", test_all);
  g_test_add_func ("/core/fields/unlike", test_unlike);
  g_test_add_func ("/core/fields/struct", test_struct);
  return g_test_run ();
}
