/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-schema-private.h"
#include "gmcp-limits.h"
#include "unit-test.h"

static GmcpJsonDoc *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *doc = gmcp_json_doc_parse (text, strlen (text), NULL, 1000, &error);

  g_assert_no_error (error);
  return doc;
}

static GmcpJsonSchema *
compile (const char *text, const GmcpJsonSchemaOptions *options, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = parse (text);

  return gmcp_json_schema_compile (gmcp_json_doc_get_root (doc), options, error);
}

static gboolean
validate (GmcpJsonSchema *schema, const char *text, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = parse (text);

  return gmcp_json_schema_validate (schema, gmcp_json_doc_get_root (doc), error);
}

/* The schema outlives the document that it was made from. */
static void
test_references_count (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonSchema) schema
    = compile ("{\"enum\":[\"a\"],\"pattern\":\"^a\"}", NULL, &error);
  GmcpJsonSchema *same;

  g_assert_no_error (error);
  same = gmcp_json_schema_ref (schema);
  g_assert_true (same == schema);
  gmcp_json_schema_unref (same);
  g_assert_true (validate (schema, "\"a\"", NULL));
  g_assert_false (validate (schema, "\"b\"", NULL));
}

static void
test_malformed (void)
{
  static const struct
  {
    const char *schema;
    const char *message;
  } cases[] = {
    { "{\"required\":3}",
      "The JSON Schema is malformed at #/required: must be an array of strings" },
    { "{\"required\":[3]}",
      "The JSON Schema is malformed at #/required: must be an array of strings" },
    { "{\"properties\":{\"a\":{\"type\":\"text\"}}}",
      "The JSON Schema is malformed at #/properties/a/type: must be the name of a JSON type or an "
      "array of such" },
    { "{\"type\":[]}",
      "The JSON Schema is malformed at #/type: must be the name of a JSON type or an array of such" },
    { "{\"properties\":[]}", "The JSON Schema is malformed at #/properties: must be an object" },
    { "{\"properties\":{\"a\":1}}",
      "The JSON Schema is malformed at #/properties/a: must be a schema, which is an object, true "
      "or false" },
    { "{\"items\":[{}]}",
      "The JSON Schema is malformed at #/items: must be a schema, which is an object, true or "
      "false" },
    { "{\"allOf\":[]}",
      "The JSON Schema is malformed at #/allOf: must be an array of schemas, at least one" },
    { "{\"anyOf\":[true,{\"not\":[]}]}",
      "The JSON Schema is malformed at #/anyOf/1/not: must be a schema, which is an object, true "
      "or false" },
    { "{\"minLength\":-1}",
      "The JSON Schema is malformed at #/minLength: must be a whole number from 0 on" },
    { "{\"minLength\":1.5}",
      "The JSON Schema is malformed at #/minLength: must be a whole number from 0 on" },
    { "{\"minimum\":\"1\"}", "The JSON Schema is malformed at #/minimum: must be a number" },
    { "{\"multipleOf\":0}",
      "The JSON Schema is malformed at #/multipleOf: must be greater than 0" },
    { "{\"uniqueItems\":1}",
      "The JSON Schema is malformed at #/uniqueItems: must be true or false" },
    { "{\"enum\":1}", "The JSON Schema is malformed at #/enum: must be an array" },
    { "{\"pattern\":1}", "The JSON Schema is malformed at #/pattern: must be a string" },
    { "{\"pattern\":\"a(\"}",
      "The JSON Schema has an invalid regular expression at #/pattern: a parenthesis is not closed "
      "(at byte 2)" },
    { "{\"patternProperties\":{\"[\":true}}",
      "The JSON Schema has an invalid regular expression at #/patternProperties/[: a bracket is "
      "not closed (at byte 1)" },
    { "{\"dependentRequired\":{\"a\":true}}",
      "The JSON Schema is malformed at #/dependentRequired/a: must be an array of strings" },
    { "{\"dependentSchemas\":{\"a\":[\"b\"]}}",
      "The JSON Schema is malformed at #/dependentSchemas/a: must be a schema, which is an object, "
      "true or false" },
    { "{\"$defs\":{\"a\":{\"type\":1}}}",
      "The JSON Schema is malformed at #/$defs/a/type: must be the name of a JSON type or an array "
      "of such" },
    { "{\"$ref\":1}", "The JSON Schema is malformed at #/$ref: must be a string" },
    { "{\"$id\":\"http://example.com/#a\"}",
      "The JSON Schema is malformed: “$id” holds “http://example.com/#a”, which is no URI that fits "
      "there" },
    { "{\"type\":\"string\",\"type\":\"number\"}",
      "The JSON Schema is malformed at #/type: is there more than once" },
    { "[]", "A JSON Schema must be an object, true or false" },
    { "null", "A JSON Schema must be an object, true or false" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].schema);
      g_assert_null (compile (cases[i].schema, NULL, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

static void
test_dialects (void)
{
  static const struct
  {
    const char *schema;
    gboolean known;
  } cases[] = {
    { "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\"}", TRUE },
    { "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema#\"}", TRUE },
    { "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"items\":[{}]}", TRUE },
    { "{\"$schema\":\"https://json-schema.org/draft-07/schema\",\"items\":[{}]}", TRUE },
    { "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"items\":[{}]}", TRUE },
    { "{\"$schema\":\"http://json-schema.org/draft-06/schema#\"}", TRUE },
    { "{\"$schema\":\"http://json-schema.org/draft-03/schema#\"}", FALSE },
    { "{\"$schema\":\"http://json-schema.org/draft-07/schema#x\"}", FALSE },
    { "{\"$schema\":\"\"}", FALSE },
    { "{\"$defs\":{\"a\":{\"$id\":\"b\",\"$schema\":\"urn:x\"}}}", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpJsonSchema) schema G_GNUC_UNUSED = compile (cases[i].schema, NULL, &error);

      g_test_message ("%s", cases[i].schema);
      if (cases[i].known)
        g_assert_no_error (error);
      else
        g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
    }
}

static void
test_default_dialect (void)
{
  const GmcpJsonSchemaOptions options = { .default_dialect = GMCP_JSON_SCHEMA_DIALECT_DRAFT_07 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonSchema) schema
    = compile ("{\"items\":[{\"type\":\"string\"}],\"additionalItems\":false}", &options, &error);

  g_assert_no_error (error);
  g_assert_true (validate (schema, "[\"a\"]", NULL));
  g_assert_false (validate (schema, "[1]", NULL));
  g_assert_false (validate (schema, "[\"a\",1]", NULL));
}

static void
test_draft_07 (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonSchema) schema
    = compile ("{\"$schema\":\"http://json-schema.org/draft-07/schema#\","
               "\"definitions\":{\"a\":{\"$id\":\"#name\",\"type\":\"string\"}},"
               "\"dependencies\":{\"x\":[\"y\"],\"z\":{\"maxProperties\":1}},"
               "\"properties\":{\"n\":{\"$ref\":\"#name\",\"maxLength\":1}},"
               "\"unevaluatedProperties\":false}",
               NULL, &error);

  g_assert_no_error (error);
  /* What stands beside $ref does not count, and newer keywords are unknown. */
  g_assert_true (validate (schema, "{\"n\":\"long\"}", NULL));
  g_assert_false (validate (schema, "{\"n\":1}", NULL));
  g_assert_false (validate (schema, "{\"x\":1}", NULL));
  g_assert_false (validate (schema, "{\"z\":1,\"n\":\"a\"}", NULL));
}

static void
test_references (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonSchema) schema = compile (
    "{\"$id\":\"https://example.com/root.json\","
    "\"$defs\":{\"a b\":{\"type\":\"string\"},\"n\":{\"$anchor\":\"num\",\"type\":\"number\"},"
    "\"in\":{\"$id\":\"inner/x.json\",\"$defs\":{\"b\":{\"type\":\"boolean\"}}}},"
    "\"properties\":{\"s\":{\"$ref\":\"#/$defs/a%20b\"},\"n\":{\"$ref\":\"#num\"},"
    "\"b\":{\"$ref\":\"inner/x.json#/$defs/b\"},"
    "\"c\":{\"$ref\":\"https://example.com/inner/x.json#/$defs/b\"},"
    "\"self\":{\"$ref\":\"#\"}}}",
    NULL, &error);

  g_assert_no_error (error);
  g_assert_true (
    validate (schema, "{\"s\":\"\",\"n\":1,\"b\":true,\"c\":false,\"self\":{\"self\":{}}}", NULL));
  g_assert_false (validate (schema, "{\"s\":1}", NULL));
  g_assert_false (validate (schema, "{\"n\":\"\"}", NULL));
  g_assert_false (validate (schema, "{\"b\":1}", NULL));
  g_assert_false (validate (schema, "{\"c\":1}", NULL));
  g_assert_false (validate (schema, "{\"self\":{\"self\":{\"n\":\"\"}}}", &error));
  g_assert_cmpstr (error->message, ==, "/self/self/n: must be of type number, not string");
}

/* The base has a host and no path, so that a slash has to come between. */
static void
test_references_to_host (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonSchema) schema
    = compile ("{\"$id\":\"https://example.com\",\"$ref\":\"s.json\","
               "\"$defs\":{\"s\":{\"$id\":\"https://example.com/s.json\",\"type\":\"string\"}}}",
               NULL, &error);

  g_assert_no_error (error);
  g_assert_true (validate (schema, "\"\"", NULL));
  g_assert_false (validate (schema, "1", NULL));
}

static void
test_unresolved (void)
{
  static const char *const cases[] = {
    "{\"$ref\":\"#/$defs/none\"}",
    "{\"$ref\":\"#none\"}",
    "{\"$ref\":\"https://example.com/schema.json\"}",
    "{\"$ref\":\"http://127.0.0.1:1/\"}",
    "{\"$ref\":\"file:///etc/passwd\"}",
    "{\"$ref\":\"other.json\"}",
    "{\"$ref\":\".//other.json\"}",
    "{\"$id\":\"http://example.com\",\"$ref\":\"other.json\"}",
    "{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}",
    "{\"$ref\":\"#/$defs/a~2\",\"$defs\":{\"a~2\":true}}",
    "{\"$ref\":\"#/%00\"}",
    "{\"$ref\":\"#/%zz\"}",
    "{\"$ref\":\"#/allOf/00\",\"allOf\":[true]}",
    "{\"$ref\":\"http://[bad\"}",
    "{\"$ref\":\"#/type\",\"type\":\"string\"}",
    "{\"$dynamicRef\":\"#none\"}",
    "{\"properties\":{\"a\":{\"$ref\":\"#/x\"}},\"x\":{\"$ref\":\"#/y\"}}",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i]);
      g_assert_null (compile (cases[i], NULL, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, "which is not in it"));
    }
}

static void
test_preloaded (void)
{
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *types = parse ("{\"$defs\":{\"s\":{\"$ref\":\"more.json\"}}}");
  GmcpJsonDoc *more = parse ("{\"$id\":\"urn:more\",\"type\":\"string\"}");
  GmcpJsonDoc *broken = parse ("{\"$schema\":\"urn:unknown\",\"required\":3}");
  const GmcpJsonSchemaDocument documents[] = {
    { "https://example.com/broken.json", gmcp_json_doc_get_root (broken) },
    { "https://example.com/types.json", gmcp_json_doc_get_root (types) },
    { "https://example.com/more.json", gmcp_json_doc_get_root (more) },
  };
  const GmcpJsonSchemaOptions options
    = { .documents = documents, .n_documents = G_N_ELEMENTS (documents) };
  g_autoptr (GmcpJsonSchema) schema
    = compile ("{\"properties\":{\"a\":{\"$ref\":\"https://example.com/types.json#/$defs/s\"},"
               "\"b\":{\"$ref\":\"urn:more\"}}}",
               &options, &error);

  g_assert_no_error (error);
  g_assert_null (compile ("{\"$ref\":\"https://example.com/broken.json\"}", &options, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);

  /* Those that are used are kept. */
  gmcp_json_doc_unref (types);
  gmcp_json_doc_unref (more);
  gmcp_json_doc_unref (broken);
  g_assert_true (validate (schema, "{\"a\":\"\",\"b\":\"\"}", NULL));
  g_assert_false (validate (schema, "{\"a\":1}", NULL));
  g_assert_false (validate (schema, "{\"b\":1}", NULL));
}

static void
test_cycles (void)
{
  static const char *const cases[] = {
    "{\"$ref\":\"#\"}",
    "{\"$dynamicRef\":\"#\"}",
    "{\"allOf\":[{\"$ref\":\"#\"}]}",
    "{\"not\":{\"$ref\":\"#\"}}",
    "{\"anyOf\":[{\"$ref\":\"#\"},true]}",
    "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":\"#/$defs/b\"},\"b\":{\"$ref\":\"#/$defs/a\"}}}",
    "{\"allOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#\"}],\"unevaluatedProperties\":false}",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpJsonSchema) schema = compile (cases[i], NULL, &error);

      g_test_message ("%s", cases[i]);
      g_assert_no_error (error);
      g_assert_false (validate (schema, "{\"a\":1}", &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
    }
}

/* Doubles the work at each level of 60. */
static void
test_steps (void)
{
  g_autoptr (GString) text = g_string_new ("{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonSchema) schema = NULL;

  for (guint i = 0; i < 60; i++)
    g_string_append_printf (
      text, "\"d%u\":{\"anyOf\":[{\"$ref\":\"#/$defs/d%u\"},{\"$ref\":\"#/$defs/d%u\"}]},", i,
      i + 1, i + 1);
  g_string_append (text, "\"d60\":{\"type\":\"string\"}}}");

  schema = compile (text->str, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (validate (schema, "\"a\"", NULL));
  g_assert_false (validate (schema, "1", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
}

static void
test_limits (void)
{
  static const char schema_text[] = "{\"items\":{\"$ref\":\"#\"}}";
  GmcpJsonSchemaOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonSchema) schema = NULL;

  options.limits.subschemas = 1;
  g_assert_null (compile (schema_text, &options, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_clear_error (&error);

  options.limits = (GmcpJsonSchemaLimits){ .depth = 1 };
  g_assert_null (compile (schema_text, &options, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_clear_error (&error);

  options.limits = (GmcpJsonSchemaLimits){ .depth = 8 };
  schema = compile (schema_text, &options, &error);
  g_assert_no_error (error);
  g_assert_true (validate (schema, "[[[]]]", NULL));
  g_assert_false (validate (schema, "[[[[[[[[]]]]]]]]", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_clear_error (&error);
  g_clear_pointer (&schema, gmcp_json_schema_unref);

  /* One step more for each byte of the instance. */
  options.limits = (GmcpJsonSchemaLimits){ .steps = 1 };
  schema = compile ("{\"allOf\":[true,true,true]}", &options, &error);
  g_assert_no_error (error);
  g_assert_true (validate (schema, "1234", NULL));
  g_assert_false (validate (schema, "1", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
}

/* As deep as the reader lets a schema be. */
static void
test_deep_schema (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonSchema) schema = NULL;

  for (guint i = 0; i < 900; i++)
    g_string_append (text, "{\"not\":");
  g_string_append (text, "true");
  for (guint i = 0; i < 900; i++)
    g_string_append_c (text, '}');

  schema = compile (text->str, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (validate (schema, "1", NULL));
}

static void
test_unique_many (void)
{
  g_autoptr (GString) text = g_string_new ("[");
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonSchema) schema = compile ("{\"uniqueItems\":true}", NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? "," : "", i);
  g_string_append_c (text, ']');
  g_assert_true (validate (schema, text->str, &error));
  g_assert_no_error (error);

  g_string_truncate (text, text->len - 1);
  g_string_append (text, ",77777]");
  g_assert_false (validate (schema, text->str, &error));
  g_assert_cmpstr (error->message, ==, "/: must not have equal items; items 77777 and 100000 are");
}

/* More members than are looked up one by one, with names that have escapes. */
static void
test_many_members (void)
{
  g_autoptr (GString) text = g_string_new ("{\"additionalProperties\":false,\"properties\":{");
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonSchema) schema = NULL;

  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (text, "%s\"m\\n%u\":{\"const\":%u}", i > 0 ? "," : "", i, i);
  g_string_append (text, "}}");
  schema = compile (text->str, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (validate (schema, "{\"m\\n0\":0,\"m\\u000a999\":999}", NULL));
  g_assert_false (validate (schema, "{\"m\\n0\":1}", NULL));
  g_assert_false (validate (schema, "{\"mn0\":1}", NULL));
}

/* The limits of a schema that a server sent. */
static const GmcpJsonSchemaOptions output_options = {
  .limits = { .subschemas = GMCP_LIMIT_OUTPUT_SUBSCHEMAS, .steps = GMCP_LIMIT_OUTPUT_STEPS },
};

static void
append_many (GString *text, const char *item, guint n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "," : "", item);
}

/* Schemas in which `@` stands for a long text, and `*ITEM*` for many such items. */
static char *
fill_in (const char *pattern, const char *long_text)
{
  g_auto (GStrv) parts = g_strsplit (pattern, "*", 3);
  g_autoptr (GString) text = g_string_new (parts[0]);

  if (parts[1] != NULL)
    {
      append_many (text, parts[1], 5000);
      g_string_append (text, parts[2]);
    }
  g_string_replace (text, "@", long_text, 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
test_long_texts (void)
{
  static const struct
  {
    const char *schema;
    const char *instance;
  } cases[] = {
    { "{\"allOf\":[*{\"type\":\"integer\"}*]}", "1@" },
    { "{\"allOf\":[*{\"minimum\":1}*]}", "1@" },
    { "{\"$defs\":{\"c\":{\"not\":{\"const\":1}}},\"allOf\":[*{\"$ref\":\"#/$defs/c\"}*]}", "1@" },
    { "{\"allOf\":[*{\"pattern\":\"^\\n\"}*]}", "\"\\n@\"" },
    { "{\"allOf\":[*{\"maxLength\":99999}*]}", "\"\\n@\"" },
    { "{\"allOf\":[*{\"minProperties\":2}*]}", "{\"@\":1,\"b\":1}" },
    { "{\"allOf\":[*{\"required\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\",\"j\","
      "\"k\",\"l\",\"m\"]}*]}",
      "{\"@\":1,\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1,"
      "\"k\":1,\"l\":1,\"m\":1}" },
    { "{\"$defs\":{\"d\":{\"dependentRequired\":{\"\\n@\":[]}}},"
      "\"allOf\":[*{\"$ref\":\"#/$defs/d\"}*]}",
      "{\"\\u000a@\":1}" },
    { "{\"$defs\":{\"t\":{\"$dynamicAnchor\":\"A@\"},\"d\":{\"$dynamicRef\":\"#A@\"}},"
      "\"allOf\":[*{\"$ref\":\"#/$defs/d\"}*]}",
      "1" },
  };
  g_autofree char *zeros = g_strnfill (50000, '0');

  g_test_summary ("What is looked at again and again counts by its length.");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = fill_in (cases[i].schema, zeros);
      g_autofree char *instance = fill_in (cases[i].instance, zeros);
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpJsonSchema) schema = compile (text, &output_options, &error);

      g_assert_no_error (error);
      g_assert_false (validate (schema, instance, &error));
      g_test_message ("%s: %s", cases[i].schema, error->message);
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
    }
}

static void
test_many_dependencies (void)
{
  g_autoptr (GString) text = g_string_new ("{\"items\":{\"dependentRequired\":{\"a0\":[]");
  g_autoptr (GString) instance = g_string_new ("[");
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonSchema) schema = NULL;

  for (guint i = 1; i < 1000; i++)
    g_string_append_printf (text, ",\"a%u\":[]", i);
  g_string_append (text, "}}}");
  append_many (instance, "{}", 2000);
  g_string_append (instance, "]");

  schema = compile (text->str, &output_options, &error);
  g_assert_no_error (error);
  g_assert_false (validate (schema, instance->str, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
}

static void
test_costly_references (void)
{
  static const char *const schemas[] = {
    /* Each looks for its end among many members. */
    "{\"x\":{@\"m\":true},\"allOf\":[*{\"$ref\":\"#/x/m\"}*]}",
    /* Each copies a base that is long. */
    "{\"$id\":\"http://x/@/\",\"allOf\":[*{\"$id\":\"y\"}*]}",
    "{\"$id\":\"http://x/@/y\",\"allOf\":[*{\"$ref\":\"y\"}*]}",
  };
  g_autoptr (GString) members = g_string_new (NULL);
  g_autofree char *path = g_strnfill (50000, 'p');

  append_many (members, "\"a\":0", 100000);
  g_string_append_c (members, ',');
  for (gsize i = 0; i < G_N_ELEMENTS (schemas); i++)
    {
      g_autofree char *text = fill_in (schemas[i], i == 0 ? members->str : path);
      g_autoptr (GError) error = NULL;

      g_assert_null (compile (text, &output_options, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
    }
}

/* Made of many elements that fail in an alternative that does not matter. */
static void
test_costly_report (void)
{
  g_autofree char *name = g_strnfill (100000, 'n');
  g_autoptr (GString) instance = g_string_new ("{\"");
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonSchema) schema = compile (
    "{\"additionalProperties\":{\"items\":{\"anyOf\":[{\"const\":2},{\"type\":\"number\"}]}}}",
    &output_options, &error);

  g_assert_no_error (error);
  g_string_append_printf (instance, "%s\":[", name);
  append_many (instance, "1", 10000);
  g_string_append (instance, ",\"end\"]}");
  g_assert_false (validate (schema, instance->str, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_assert_cmpuint (strlen (error->message), <, 1000);
}

static void
test_large_instances (void)
{
  static const struct
  {
    const char *item_schema;
    const char *item;
  } cases[] = {
    { "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}},\"required\":[\"a\"],"
      "\"additionalProperties\":false}",
      "{\"a\":1}" },
    { "{\"type\":\"object\",\"required\":[\"id\",\"name\",\"tags\",\"price\",\"kind\"],"
      "\"additionalProperties\":false,\"minProperties\":5,\"properties\":{"
      "\"id\":{\"type\":\"integer\",\"minimum\":0},"
      "\"name\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":100,\"pattern\":\"^[A-Z]\"},"
      "\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"uniqueItems\":true},"
      "\"price\":{\"type\":\"number\",\"exclusiveMinimum\":0,\"multipleOf\":0.01},"
      "\"kind\":{\"enum\":[\"book\",\"film\",\"song\"]},"
      "\"parent\":{\"anyOf\":[{\"type\":\"null\"},{\"$ref\":\"#/items/properties/id\"}]}}}",
      "{\"id\":12345,\"name\":\"A name \\u00e4\",\"tags\":[\"new\",\"cheap\"],\"price\":19.99,"
      "\"kind\":\"film\",\"parent\":678}" },
    { "{\"patternProperties\":{\"^[a-z_]+$\":{\"type\":[\"string\",\"integer\"]}},"
      "\"unevaluatedProperties\":false,\"propertyNames\":{\"maxLength\":20}}",
      "{\"first_name\":\"Ada\",\"last_name\":\"Lovelace\",\"born\":1815}" },
  };

  const GmcpJsonSchemaOptions options = { .limits = { .steps = 1 } };

  g_test_summary ("The steps that the length of an instance gives are enough for common schemas, "
                  "so however large it is.");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"items\":%s}", cases[i].item_schema);
      g_autoptr (GString) instance = g_string_new ("[");
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpJsonSchema) schema = compile (text, &options, &error);

      g_assert_no_error (error);
      append_many (instance, cases[i].item, 128 * 1024 / strlen (cases[i].item));
      g_string_append_c (instance, ']');
      g_assert_true (validate (schema, instance->str, &error));
      g_assert_no_error (error);
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/json-schema/schema/references-count", test_references_count);
  g_test_add_func ("/json-schema/schema/malformed", test_malformed);
  g_test_add_func ("/json-schema/schema/deep", test_deep_schema);
  g_test_add_func ("/json-schema/dialect/known", test_dialects);
  g_test_add_func ("/json-schema/dialect/default", test_default_dialect);
  g_test_add_func ("/json-schema/dialect/draft-07", test_draft_07);
  g_test_add_func ("/json-schema/references/local", test_references);
  g_test_add_func ("/json-schema/references/host", test_references_to_host);
  g_test_add_func ("/json-schema/references/unresolved", test_unresolved);
  g_test_add_func ("/json-schema/references/preloaded", test_preloaded);
  g_test_add_func ("/json-schema/limits/cycles", test_cycles);
  g_test_add_func ("/json-schema/limits/steps", test_steps);
  g_test_add_func ("/json-schema/limits/each", test_limits);
  g_test_add_func ("/json-schema/limits/long-texts", test_long_texts);
  g_test_add_func ("/json-schema/limits/many-dependencies", test_many_dependencies);
  g_test_add_func ("/json-schema/limits/costly-references", test_costly_references);
  g_test_add_func ("/json-schema/limits/costly-report", test_costly_report);
  g_test_add_func ("/json-schema/size/large-instances", test_large_instances);
  g_test_add_func ("/json-schema/size/unique-many", test_unique_many);
  g_test_add_func ("/json-schema/size/many-members", test_many_members);

  return g_test_run ();
}
