/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/arguments/gmcp-tool-argument.h>

#include "unit-test.h"

static GmcpTool *
new_tool (const char *schema)
{
  g_autoptr (GError) error = NULL;
  GmcpTool *tool = gmcp_tool_new ("tool", NULL, schema, &error);

  g_assert_no_error (error);
  return tool;
}

/* The only argument of a tool with this schema for it. */
static GmcpToolArgument *
new_argument (const char *schema)
{
  g_autofree char *whole
    = g_strdup_printf ("{\"type\":\"object\",\"properties\":{\"a\":%s},\"required\":[\"a\"],"
                       "\"$defs\":{\"Level\":{\"enum\":[\"low\",\"high\"],\"description\":\"how\"},"
                       "\"Node\":{\"type\":\"object\",\"required\":[\"next\"],\"properties\":{"
                       "\"next\":{\"$ref\":\"#/$defs/Node\"}}},"
                       "\"Loop\":{\"$ref\":\"#/$defs/Loop\"},"
                       "\"Named\":{\"$anchor\":\"here\",\"type\":\"integer\"}}}",
                       schema);
  g_autoptr (GmcpTool) tool = new_tool (whole);
  g_autoptr (GPtrArray) arguments = gmcp_tool_list_arguments (tool);

  g_assert_cmpuint (arguments->len, ==, 1);
  return g_object_ref (arguments->pdata[0]);
}

static void
test_types (void)
{
  static const struct
  {
    const char *schema;
    const char *type;
  } cases[] = {
    { "{\"type\":\"number\"}", "number" },
    { "{\"type\":[\"string\",\"null\"]}", "string|null" },
    { "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}", "string|null" },
    { "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", "string[]" },
    { "{\"type\":\"array\",\"items\":{\"type\":[\"string\",\"number\"]}}", "(string|number)[]" },
    { "{\"type\":\"array\"}", "any[]" },
    { "{\"items\":{\"items\":{\"type\":\"boolean\"}}}", "boolean[][]" },
    { "{\"enum\":[\"a\",\"b\",3,null]}", "\"a\"|\"b\"|3|null" },
    { "{\"type\":\"string\",\"enum\":[\"a\"]}", "\"a\"" },
    { "{\"const\":5}", "5" },
    { "{\"oneOf\":[{\"const\":\"x\",\"title\":\"X\"},{\"const\":\"y\"}]}", "\"x\"|\"y\"" },
    { "{\"type\":\"string\",\"oneOf\":[{\"const\":\"x\"},{\"const\":\"y\"}]}", "\"x\"|\"y\"" },
    { "{\"type\":\"string\",\"anyOf\":[{\"format\":\"uri\"},{\"minLength\":3}]}", "string" },
    { "{\"$ref\":\"#/$defs/Level\"}", "\"low\"|\"high\"" },
    { "{\"allOf\":[{\"$ref\":\"#/$defs/Level\"}],\"default\":\"low\"}", "\"low\"|\"high\"" },
    { "{\"$ref\":\"#here\"}", "integer" },
    { "{\"$ref\":\"#/$defs/Node\"}", "object" },
    { "{\"$ref\":\"#/$defs/Loop\"}", "any" },
    { "{\"$ref\":\"#/nowhere\"}", "any" },
    { "{\"$ref\":\"https://example.org/schema\"}", "any" },
    { "{\"allOf\":[{\"description\":\"x\"},{\"type\":\"integer\"}]}", "integer" },
    { "{\"properties\":{}}", "object" },
    { "{\"minimum\":3}", "number" },
    { "{\"enum\":[]}", "any" },
    { "{\"type\":\"odd\"}", "any" },
    { "{\"type\":17,\"enum\":7,\"anyOf\":\"x\"}", "any" },
    { "{}", "any" },
    { "true", "any" },
    { "false", "any" },
    { "[]", "any" },
    { "null", "any" },
    { "{\"const\":\"a rather long constant that nobody wants to read whole\"}",
      "\"a rather long constant …\"" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpToolArgument) argument = new_argument (cases[i].schema);

      g_test_message ("%s", cases[i].schema);
      g_assert_cmpstr (gmcp_tool_argument_get_type_text (argument), ==, cases[i].type);
    }
}

/* NULL as what is expected: an error that names the argument and its type. */
static void
test_texts (void)
{
  static const struct
  {
    const char *schema;
    const char *text;
    const char *json;
  } cases[] = {
    { "{\"type\":\"number\"}", "1", "1" },
    { "{\"type\":\"number\"}", " 2.50 ", "2.50" },
    { "{\"type\":\"number\"}", "123456789012345678901234567890", "123456789012345678901234567890" },
    { "{\"type\":\"number\"}", "x", NULL },
    { "{\"type\":\"number\"}", "", NULL },
    { "{\"type\":\"number\"}", "1,\"b\":2", NULL },
    { "{\"type\":\"integer\"}", "1.5", NULL },
    { "{\"type\":\"integer\"}", "1e3", "1e3" },
    { "{\"type\":\"boolean\"}", "True", "true" },
    { "{\"type\":\"boolean\"}", "no", "false" },
    { "{\"type\":\"boolean\"}", "1", "true" },
    { "{\"type\":\"boolean\"}", "2", NULL },
    { "{\"type\":\"string\"}", "1", "\"1\"" },
    { "{\"type\":\"string\"}", " a\n\"b\" ", "\" a\\n\\\"b\\\" \"" },
    { "{\"type\":\"string\"}", "", "\"\"" },
    { "{\"type\":[\"string\",\"null\"]}", "null", "\"null\"" },
    { "{\"type\":[\"number\",\"null\"]}", "null", "null" },
    { "{\"type\":[\"string\",\"number\"]}", "12", "12" },
    { "{\"type\":[\"string\",\"number\"]}", "12a", "\"12a\"" },
    { "{\"type\":[\"string\",\"boolean\"]}", "yes", "\"yes\"" },
    { "{\"enum\":[\"low\",\"high\",3]}", "low", "\"low\"" },
    { "{\"enum\":[\"low\",\"high\",3]}", "3", "3" },
    { "{\"enum\":[\"low\",\"high\",3]}", "medium", NULL },
    { "{\"type\":\"array\",\"items\":{\"type\":\"number\"}}", "[1, 2]", "[1, 2]" },
    { "{\"type\":\"array\",\"items\":{\"type\":\"number\"}}", "7", "[7]" },
    { "{\"type\":\"array\",\"items\":{\"type\":\"number\"}}", "x", NULL },
    { "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", "a,b", "[\"a,b\"]" },
    { "{\"type\":\"array\",\"items\":{\"enum\":[\"a\",\"b\"]}}", "b", "[\"b\"]" },
    { "{\"type\":[\"string\",\"array\"],\"items\":{\"type\":\"string\"}}", "b", "\"b\"" },
    { "{\"type\":\"object\"}", "{\"x\":1}", "{\"x\":1}" },
    { "{\"type\":\"object\"}", "x", NULL },
    { "{\"type\":\"object\"}", "{\"x\":", NULL },
    { "true", "3", "3" },
    { "true", "a b", "\"a b\"" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpToolArgument) argument = new_argument (cases[i].schema);
      g_autoptr (GError) error = NULL;
      g_autofree char *json = NULL;

      g_test_message ("%s of %s", cases[i].text, cases[i].schema);
      json = gmcp_tool_argument_parse_text (argument, cases[i].text, &error);
      g_assert_cmpstr (json, ==, cases[i].json);
      if (cases[i].json != NULL)
        {
          g_assert_no_error (error);
          continue;
        }
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, "“a”"));
      g_assert_nonnull (strstr (error->message, gmcp_tool_argument_get_type_text (argument)));
    }
}

static void
test_suggestions (void)
{
  g_autoptr (GmcpToolArgument) argument = new_argument ("{\"$ref\":\"#/$defs/Level\"}");
  g_autoptr (GError) error = NULL;

  g_assert_null (gmcp_tool_argument_parse_text (argument, "hihg", &error));
  g_assert_cmpstr (error->message, ==,
                   "“a” has to be \"low\"|\"high\", not “hihg”. Near to it: high.");
}

static void
test_several (void)
{
  static const char *const words[] = { "1", "[2, 3]", "[]", "4", NULL };
  static const char *const one[] = { "5", NULL };
  static const char *const none[] = { NULL };
  g_autoptr (GmcpToolArgument) list
    = new_argument ("{\"type\":\"array\",\"items\":{\"type\":\"number\"}}");
  g_autoptr (GmcpToolArgument) single = new_argument ("{\"type\":\"string\"}");
  g_autoptr (GError) error = NULL;
  g_autofree char *several = gmcp_tool_argument_parse_texts (list, words, NULL);
  g_autofree char *alone = gmcp_tool_argument_parse_texts (list, one, NULL);
  g_autofree char *empty = gmcp_tool_argument_parse_texts (list, none, NULL);

  g_assert_cmpstr (empty, ==, "[]");
  g_assert_cmpstr (several, ==, "[1,2, 3,4]");
  g_assert_cmpstr (alone, ==, "[5]");
  g_assert_true (gmcp_tool_argument_is_list (list));
  g_assert_false (gmcp_tool_argument_is_list (single));
  g_assert_null (gmcp_tool_argument_parse_texts (single, words, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (gmcp_tool_argument_parse_texts (single, none, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
}

static void
test_choices (void)
{
  g_autoptr (GmcpToolArgument) mixed
    = new_argument ("{\"anyOf\":[{\"enum\":[\"a\",2,null,\"a\"]},{\"type\":\"boolean\"}]}");
  g_autoptr (GmcpToolArgument) items
    = new_argument ("{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/Level\"}}");
  g_autoptr (GmcpToolArgument) open
    = new_argument ("{\"anyOf\":[{\"enum\":[\"a\"]},{\"type\":\"string\"}]}");
  g_autofree char *joined = g_strjoinv (" ", (char **) gmcp_tool_argument_get_choices (mixed));

  g_assert_cmpstr (joined, ==, "true false a 2");
  g_assert_cmpuint (g_strv_length ((char **) gmcp_tool_argument_get_choices (items)), ==, 2);
  g_assert_null (gmcp_tool_argument_get_choices (open));
}

static void
test_words (void)
{
  g_autoptr (GmcpToolArgument) argument
    = new_argument ("{\"$ref\":\"#/$defs/Level\",\"title\":\"T\",\"default\":\"low\"}");
  g_autofree char *fallback = gmcp_tool_argument_dup_default_json (argument);
  g_autofree char *schema = gmcp_tool_argument_dup_schema_json (argument);
  g_autofree char *example = NULL;
  g_autofree char *name = NULL;
  gboolean required, list;

  g_object_get (argument, "name", &name, "required", &required, "list", &list, "example-json",
                &example, NULL);
  g_assert_cmpstr (name, ==, "a");
  g_assert_true (required);
  g_assert_false (list);
  g_assert_cmpstr (example, ==, "\"low\"");
  g_assert_cmpstr (gmcp_tool_argument_get_title (argument), ==, "T");
  g_assert_cmpstr (gmcp_tool_argument_get_description (argument), ==, "how");
  g_assert_cmpstr (fallback, ==, "\"low\"");
  g_assert_nonnull (strstr (schema, "$ref"));
}

static void
test_signatures (void)
{
  static const struct
  {
    const char *schema;
    const char *signature;
  } cases[] = {
    { "{\"type\":\"object\"}", "()" },
    { "{\"type\":\"object\",\"properties\":{\"b\":{\"type\":[\"string\",\"null\"]},"
      "\"a\":{\"type\":\"number\"}},\"required\":[\"a\"]}",
      "(a: number, b?: string)" },
    { "{\"required\":[\"x y\"]}", "(\"x y\": any)" },
    { "{\"allOf\":[{\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":[\"a\"]},"
      "{\"$ref\":\"#/$defs/B\"}],\"$defs\":{\"B\":{\"properties\":{\"b\":true}}}}",
      "(a: string, b?: any)" },
    { "{\"anyOf\":[{\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":[\"a\"]}]}",
      "(a?: string)" },
    { "{\"properties\":[],\"required\":7}", "()" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpTool) tool = new_tool (cases[i].schema);
      g_autofree char *signature = gmcp_tool_dup_signature (tool);

      g_assert_cmpstr (signature, ==, cases[i].signature);
    }
}

/* An example of each of these fits. */
static void
test_examples (void)
{
  static const char *const schemas[] = {
    "{\"type\":\"string\",\"minLength\":12,\"maxLength\":13}",
    "{\"type\":\"string\",\"maxLength\":2}",
    "{\"type\":\"string\",\"pattern\":\"^[0-9]{4}-[0-9]{2}-[0-9]{2}$\"}",
    "{\"type\":\"string\",\"format\":\"email\"}",
    "{\"type\":\"integer\",\"minimum\":7,\"multipleOf\":5}",
    "{\"type\":\"integer\",\"exclusiveMinimum\":7}",
    "{\"type\":\"integer\",\"maximum\":-3}",
    "{\"type\":\"number\",\"exclusiveMinimum\":0,\"exclusiveMaximum\":1}",
    "{\"type\":\"number\",\"minimum\":1e300}",
    "{\"type\":\"array\",\"minItems\":3,\"items\":{\"type\":\"boolean\"}}",
    "{\"type\":\"array\",\"prefixItems\":[{\"type\":\"string\"},{\"type\":\"number\"}],"
    "\"items\":false}",
    "{\"type\":\"array\",\"maxItems\":0}",
    "{\"type\":\"object\",\"required\":[\"x\",\"y\"],\"properties\":{\"x\":{\"$ref\":\"#/$defs/"
    "Level\"},\"y\":{\"type\":\"object\",\"required\":[\"z\"],\"properties\":{\"z\":{\"const\":[1]}"
    "}}}}",
    "{\"anyOf\":[{\"type\":\"null\"},{\"enum\":[null,\"b\"]}]}",
    "{\"type\":\"string\",\"examples\":[\"mine\"]}",
    "true",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (schemas); i++)
    {
      g_autoptr (GmcpToolArgument) argument = new_argument (schemas[i]);
      g_autofree char *value = gmcp_tool_argument_dup_example_json (argument);
      g_autofree char *arguments = g_strdup_printf ("{\"a\":%s}", value);
      g_autofree char *whole
        = g_strdup_printf ("{\"type\":\"object\",\"properties\":{\"a\":%s},\"required\":[\"a\"],"
                           "\"$defs\":{\"Level\":{\"enum\":[\"low\",\"high\"]}}}",
                           schemas[i]);
      g_autoptr (GmcpTool) tool = new_tool (whole);
      g_autofree char *example = gmcp_tool_dup_example_json (tool);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", arguments);
      gmcp_tool_check_arguments_json (tool, arguments, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (example, ==, arguments);
    }
}

static void
test_bounded (void)
{
  g_autoptr (GString) wide = g_string_new ("{\"type\":\"object\",\"properties\":{");
  g_autoptr (GString) deep = g_string_new ("{\"type\":\"object\",\"properties\":{\"a\":");
  g_autoptr (GmcpToolArgument) circle = new_argument ("{\"$ref\":\"#/$defs/Node\"}");
  g_autofree char *example = gmcp_tool_argument_dup_example_json (circle);
  g_autoptr (GmcpTool) wide_tool = NULL;
  g_autoptr (GmcpTool) deep_tool = NULL;
  g_autoptr (GPtrArray) arguments = NULL;
  g_autofree char *signature = NULL;
  g_autofree char *deep_example = NULL;

  g_assert_cmpuint (strlen (example), <, 1000);
  for (guint i = 0; i < 5000; i++)
    g_string_append_printf (wide, "%s\"p%u\":{\"type\":\"string\"}", i > 0 ? "," : "", i);
  g_string_append (wide, "}}");
  wide_tool = new_tool (wide->str);
  arguments = gmcp_tool_list_arguments (wide_tool);
  g_assert_cmpuint (arguments->len, ==, 1000);

  for (guint i = 0; i < 60; i++)
    g_string_append (deep, "{\"anyOf\":[{\"type\":\"array\",\"items\":");
  g_string_append (deep, "true");
  for (guint i = 0; i < 60; i++)
    g_string_append (deep, "}]}");
  g_string_append (deep, "},\"required\":[\"a\"]}");
  deep_tool = new_tool (deep->str);
  signature = gmcp_tool_dup_signature (deep_tool);
  deep_example = gmcp_tool_dup_example_json (deep_tool);
  g_assert_cmpstr (signature, ==, "(a: any[][][][][])");
  g_assert_cmpuint (strlen (deep_example), <, 1000);
}

static void
test_takes (void)
{
  g_autoptr (GmcpTool) plain = new_tool ("{\"properties\":{\"a\":true}}");
  g_autoptr (GmcpTool) open
    = new_tool ("{\"properties\":{\"a\":true},\"additionalProperties\":{}}");
  g_autoptr (GmcpTool) any = new_tool ("{\"type\":\"object\"}");
  g_autoptr (GmcpTool) none = new_tool ("{\"additionalProperties\":false}");

  g_assert_true (gmcp_tool_takes_argument (plain, "a"));
  g_assert_false (gmcp_tool_takes_argument (plain, "b"));
  g_assert_true (gmcp_tool_takes_argument (open, "b"));
  g_assert_true (gmcp_tool_takes_argument (any, "b"));
  g_assert_false (gmcp_tool_takes_argument (none, "b"));
}

static void
test_checks (void)
{
  static const struct
  {
    const char *arguments;
    const char *message; /* NULL for none */
  } cases[] = {
    { "{\"a\":1,\"b\":2}", NULL },
    { "{\"a\":1,\"b\":2,\"other\":3}", NULL },
    { "{\"a\":\"1\",\"b\":2}", "“a” has to be number, not \"1\"" },
    { "{\"a\":1}", "What is missing: b (number)" },
    { "{}", "What is missing: a (number), b (number)" },
    { "{\"a\":1,\"bb\":2}", "There is no argument “bb”. Near to it: b." },
    { "{\"a\":1,\"b\":20}", "“b” must be at most 10" },
    { "{\"a\":1,\"b\":2,\"level\":\"mid\"}", "“level” has to be \"low\"|\"high\", not \"mid\"" },
    { "{\"a\":1,\"b\":2,\"deep\":{\"x\":[1,\"y\"]}}",
      "“deep.x[1]” must be of type number, not string" },
  };
  g_autoptr (GmcpTool) tool = new_tool (
    "{\"type\":\"object\",\"required\":[\"a\",\"b\"],\"properties\":{\"a\":{\"type\":\"number\"},"
    "\"b\":{\"type\":\"number\",\"maximum\":10},\"level\":{\"enum\":[\"low\",\"high\"]},"
    "\"deep\":{\"type\":\"object\",\"properties\":{\"x\":{\"items\":{\"type\":\"number\"}}}}}}");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean fits = gmcp_tool_check_arguments_json (tool, cases[i].arguments, &error);

      g_assert_cmpint (fits, ==, cases[i].message == NULL);
      g_assert_cmpstr (error != NULL ? error->message : NULL, ==, cases[i].message);
    }
}

static void
test_checks_nothing (void)
{
  g_autoptr (GmcpTool) foreign = new_tool ("{\"$schema\":\"https://example.org/odd\"}");
  g_autoptr (GmcpTool) broken = new_tool ("{\"properties\":{\"a\":{\"type\":\"odd\"}}}");
  g_autoptr (GmcpTool) strict = new_tool ("{\"properties\":{},\"additionalProperties\":false}");
  g_autoptr (GError) error = NULL;

  g_assert_true (gmcp_tool_check_arguments_json (foreign, "{\"a\":1}", NULL));
  g_assert_true (gmcp_tool_check_arguments_json (broken, "{\"a\":1}", NULL));
  g_assert_false (gmcp_tool_check_arguments_json (strict, "{\"a\":1}", &error));
  g_assert_cmpstr (error->message, ==, "There is no argument “a”; the tool takes none");
  g_clear_error (&error);
  g_assert_false (gmcp_tool_check_arguments_json (strict, "[]", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (gmcp_tool_check_arguments_json (strict, "{", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
}

static void
test_end (void)
{
  GmcpTool *tool = new_tool ("{\"properties\":{\"a\":{\"type\":\"string\"}}}");
  g_autoptr (GPtrArray) arguments = gmcp_tool_list_arguments (tool);
  GmcpToolArgument *argument = g_object_ref (arguments->pdata[0]);

  /* An argument outlives the list and the tool. */
  g_clear_pointer (&arguments, g_ptr_array_unref);
  g_object_unref (tool);
  g_assert_cmpstr (gmcp_tool_argument_get_type_text (argument), ==, "string");
  g_assert_finalize_object (argument);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/provider/arguments/types", test_types);
  g_test_add_func ("/provider/arguments/texts", test_texts);
  g_test_add_func ("/provider/arguments/suggestions", test_suggestions);
  g_test_add_func ("/provider/arguments/several", test_several);
  g_test_add_func ("/provider/arguments/choices", test_choices);
  g_test_add_func ("/provider/arguments/words", test_words);
  g_test_add_func ("/provider/arguments/signatures", test_signatures);
  g_test_add_func ("/provider/arguments/examples", test_examples);
  g_test_add_func ("/provider/arguments/bounded", test_bounded);
  g_test_add_func ("/provider/arguments/takes", test_takes);
  g_test_add_func ("/provider/arguments/checks", test_checks);
  g_test_add_func ("/provider/arguments/checks-nothing", test_checks_nothing);
  g_test_add_func ("/provider/arguments/end", test_end);

  return g_test_run ();
}
