/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-schema-private.h"
#include "unit-test.h"

/* The JSON-Schema-Test-Suite, out of a Debian package. GMCP_JSON_SCHEMA_SUITE names another copy: a
 * folder with "tests" and "remotes". The meta-schemas, which some cases refer to, come from another
 * package (GMCP_JSON_SCHEMA_METASCHEMAS). */

#define SUITE_PACKAGE     "libtest-json-schema-acceptance-perl"
#define SUITE_FOLDER      "/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance"
#define META_PACKAGE      "python3-jsonschema"
#define META_FOLDER       "/usr/lib/python3/dist-packages/jsonschema/schemas"
#define REMOTE_URI_PREFIX "http://localhost:1234/"

typedef struct
{
  const char *folder;
  GmcpJsonSchemaDialect dialect;
  guint least_cases;
} Draft;

static const Draft drafts[] = {
  { "draft2020-12", GMCP_JSON_SCHEMA_DIALECT_2020_12, 1321 },
  { "draft2019-09", GMCP_JSON_SCHEMA_DIALECT_2019_09, 1318 },
  { "draft7", GMCP_JSON_SCHEMA_DIALECT_DRAFT_07, 969 },
  { "draft6", GMCP_JSON_SCHEMA_DIALECT_DRAFT_06, 873 },
};

/* Optional cases that fail, and why. The guide page on servers names them. */
typedef struct
{
  const char *draft; /* NULL for all */
  const char *file;
  const char *group;
  const char *test; /* NULL for all that want an error */
} Failure;

static const Failure failures[] = {
  /* Formats are annotations only. A meta-schema that needs them asserted is a dialect that is not
   * supported. */
  { NULL, "format-assertion.json",
    "schema that uses custom metaschema with format-assertion: false", NULL },
  { NULL, "format-assertion.json", "schema that uses custom metaschema with format-assertion: true",
    NULL },
  { NULL, "format-assertion.json", "schema that uses custom metaschema with format-assertion: true",
    "format-assertion: true: valid string" },
  { NULL, "ecmascript-regex.json", "\\a is not an ECMA 262 control escape", NULL },
  /* So is what strings hold. */
  { "draft7", "content.json", "validation of string-encoded content based on media type", NULL },
  { "draft7", "content.json", "validation of binary string-encoding", NULL },
  { "draft7", "content.json", "validation of binary-encoded media type documents", NULL },
};

/* Of each draft. */
#define MAX_FAILURES 12

static GPtrArray *documents; /* of GmcpJsonDoc */
static GArray *preloaded;    /* of GmcpJsonSchemaDocument */
static guint n_cases, n_failures;

static const char *
get_folder (const char *variable, const char *fallback)
{
  const char *folder = g_getenv (variable);

  return folder != NULL && *folder != '\0' ? folder : fallback;
}

static GmcpJsonValue
load (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gsize length;
  GmcpJsonDoc *doc;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  doc = gmcp_json_doc_parse (text, length, NULL, 0, &error);
  g_assert_no_error (error);
  g_ptr_array_add (documents, doc);
  return gmcp_json_doc_get_root (doc);
}

static void
preload (const char *uri, GmcpJsonValue schema)
{
  GmcpJsonSchemaDocument document = { g_intern_string (uri), schema };

  g_array_append_val (preloaded, document);
}

static void
preload_folder (const char *folder, const char *uri_prefix)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *uri = g_strconcat (uri_prefix, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          g_autofree char *inner = g_strconcat (uri, "/", NULL);

          preload_folder (path, inner);
        }
      else if (g_str_has_suffix (name, ".json"))
        preload (uri, load (path));
    }
}

static gboolean
preload_metaschemas (void)
{
  static const char *const names[]
    = { "draft2020-12.json", "draft2019-09.json", "draft7.json", "draft6.json" };
  const char *folder = get_folder ("GMCP_JSON_SCHEMA_METASCHEMAS", META_FOLDER);
  g_autofree char *vocabularies = g_build_filename (folder, "vocabularies.json", NULL);
  GmcpJsonIter iter;
  GmcpJsonValue key, value;

  if (!g_file_test (vocabularies, G_FILE_TEST_EXISTS))
    return FALSE;

  gmcp_json_iter_init (&iter, load (vocabularies));
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *uri = gmcp_json_value_dup_string (key);

      preload (uri, value);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      GmcpJsonValue schema = load (path);
      g_autofree char *uri
        = gmcp_json_value_dup_string (gmcp_json_value_get_member (schema, "$id"));

      preload (uri, schema);
    }

  return TRUE;
}

static gboolean
is_known_failure (const Draft *draft,
                  const char *file,
                  const char *group,
                  const char *test,
                  gboolean wanted)
{
  for (gsize i = 0; i < G_N_ELEMENTS (failures); i++)
    {
      const Failure *failure = &failures[i];

      if ((failure->draft == NULL || strcmp (failure->draft, draft->folder) == 0)
          && strcmp (failure->file, file) == 0 && strcmp (failure->group, group) == 0
          && (failure->test != NULL ? strcmp (failure->test, test) == 0 : !wanted))
        return TRUE;
    }

  return FALSE;
}

/* schema is NULL where it could not be compiled, which may be a known failure too. */
static gboolean
passes (GmcpJsonSchema *schema, GmcpJsonValue data, gboolean wanted, char **message)
{
  g_autoptr (GError) error = NULL;
  gboolean valid;

  if (schema == NULL)
    {
      *message = g_strdup ("the schema could not be compiled");
      return FALSE;
    }

  valid = gmcp_json_schema_validate (schema, data, &error);
  if (!valid)
    g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  *message = g_strdup_printf ("wanted %s; %s", wanted ? "valid" : "invalid",
                              error != NULL ? error->message : "no error");
  return valid == wanted;
}

static void
check_case (const Draft *draft,
            const char *file,
            gboolean optional,
            GmcpJsonSchema *schema,
            GmcpJsonValue group,
            GmcpJsonValue test)
{
  g_autofree char *group_name
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (group, "description"));
  g_autofree char *name
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (test, "description"));
  g_autofree char *message = NULL;
  gboolean wanted = FALSE, passed, known;

  g_assert_true (gmcp_json_value_get_boolean (gmcp_json_value_get_member (test, "valid"), &wanted));
  n_cases++;
  passed = passes (schema, gmcp_json_value_get_member (test, "data"), wanted, &message);
  known = optional && is_known_failure (draft, file, group_name, name, wanted);
  if (known && !passed)
    {
      g_test_message ("fails, as is known: %s: %s: %s", file, group_name, name);
      n_failures++;
    }
  else if (passed == known)
    {
      g_test_message ("%s: %s: %s: %s", file, group_name, name,
                      passed ? "passes, so it is no longer to be listed" : message);
      g_test_fail ();
    }
}

static void
check_group (const Draft *draft, const char *file, gboolean optional, GmcpJsonValue group)
{
  const GmcpJsonSchemaOptions options = {
    .default_dialect = draft->dialect,
    .documents = (gconstpointer) preloaded->data,
    .n_documents = preloaded->len,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonSchema) schema
    = gmcp_json_schema_compile (gmcp_json_value_get_member (group, "schema"), &options, &error);
  GmcpJsonIter iter;
  GmcpJsonValue test;

  if (schema == NULL)
    g_test_message ("%s: %s", file, error->message);
  gmcp_json_iter_init (&iter, gmcp_json_value_get_member (group, "tests"));
  while (gmcp_json_iter_next (&iter, NULL, &test))
    check_case (draft, file, optional, schema, group, test);
}

static void
check_file (const Draft *draft, const char *folder, const char *name, gboolean optional)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GmcpJsonIter iter;
  GmcpJsonValue group;

  g_test_message ("%s", path);
  gmcp_json_iter_init (&iter, load (path));
  while (gmcp_json_iter_next (&iter, NULL, &group))
    check_group (draft, name, optional, group);
}

static void
check_folder (const Draft *draft, const char *folder, gboolean optional)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".json"))
      check_file (draft, folder, name, optional);
}

static void
test_draft (gconstpointer user_data)
{
  const Draft *draft = user_data;
  const char *suite = get_folder ("GMCP_JSON_SCHEMA_SUITE", SUITE_FOLDER);
  g_autofree char *folder = g_build_filename (suite, "tests", draft->folder, NULL);
  g_autofree char *remotes = g_build_filename (suite, "remotes", NULL);
  g_autofree char *optional = g_build_filename (folder, "optional", NULL);

  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("The JSON Schema test suite is missing: Debian has it in " SUITE_PACKAGE);
      return;
    }

  documents = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_json_doc_unref);
  preloaded = g_array_new (FALSE, FALSE, sizeof (GmcpJsonSchemaDocument));
  n_cases = n_failures = 0;
  preload_folder (remotes, REMOTE_URI_PREFIX);
  if (preload_metaschemas ())
    {
      check_folder (draft, folder, FALSE);
      check_folder (draft, optional, TRUE);
      g_test_message ("%u cases, of which %u fail", n_cases, n_failures);
      g_assert_cmpuint (n_failures, <=, MAX_FAILURES);
      g_assert_cmpuint (n_cases, >=, draft->least_cases);
    }
  else
    g_test_skip ("The meta-schemas are missing: Debian has them in " META_PACKAGE);

  g_clear_pointer (&preloaded, g_array_unref);
  g_clear_pointer (&documents, g_ptr_array_unref);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (drafts); i++)
    {
      g_autofree char *path = g_strconcat ("/json-schema/suite/", drafts[i].folder, NULL);

      g_test_add_data_func (path, &drafts[i], test_draft);
    }

  return g_test_run ();
}
