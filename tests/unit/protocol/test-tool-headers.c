/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tool-headers-private.h"
#include "gmcp-tool-private.h"

#include <string.h>

#include "unit-test.h"

static GmcpJsonDoc *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *doc = gmcp_json_doc_parse (text, strlen (text), NULL, 0, &error);

  g_assert_no_error (error);
  return doc;
}

/* A schema, and arguments with the headers that come of them ("NAME: VALUE\n" each); headers NULL
 * where the schema is not valid, "" where it marks nothing or nothing marked is there. */
typedef struct
{
  const char *name;
  const char *schema;
  const char *arguments;
  const char *headers;
} Case;

#define OBJECT(properties) "{\"type\":\"object\",\"properties\":{" properties "}}"
#define REGION             "\"r\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}"
#define MARKED(type, name) OBJECT ("\"r\":{\"type\":" type ",\"x-mcp-header\":" name "}")

static const Case cases[] = {
  { "none", OBJECT ("\"r\":{\"type\":\"string\"}"), "{\"r\":\"a\"}", "" },
  { "string", OBJECT (REGION), "{\"r\":\"us-west1\"}", "Mcp-Param-Region: us-west1\n" },
  { "integer", MARKED ("\"integer\"", "\"N\""), "{\"r\":-7}", "Mcp-Param-N: -7\n" },
  { "integer-spelled-otherwise", MARKED ("\"integer\"", "\"N\""), "{\"r\":4.20e1}",
    "Mcp-Param-N: 42\n" },
  { "integer-largest", MARKED ("\"integer\"", "\"N\""), "{\"r\":9007199254740991}",
    "Mcp-Param-N: 9007199254740991\n" },
  { "integer-not-safe", MARKED ("\"integer\"", "\"N\""), "{\"r\":9007199254740992}", "" },
  { "integer-not-one", MARKED ("\"integer\"", "\"N\""), "{\"r\":1.5}", "" },
  { "boolean-true", MARKED ("\"boolean\"", "\"B\""), "{\"r\":true}", "Mcp-Param-B: true\n" },
  { "boolean-false", MARKED ("\"boolean\"", "\"B\""), "{\"r\":false}", "Mcp-Param-B: false\n" },
  { "null", OBJECT (REGION), "{\"r\":null}", "" },
  { "absent", OBJECT (REGION), "{\"other\":1}", "" },
  { "no-arguments", OBJECT (REGION), "[]", "" },
  { "value-of-another-kind", OBJECT (REGION), "{\"r\":[\"a\"]}", "" },
  { "nullable", MARKED ("[\"string\",\"null\"]", "\"R\""), "{\"r\":\"a\"}", "Mcp-Param-R: a\n" },
  { "empty", OBJECT (REGION), "{\"r\":\"\"}", "Mcp-Param-Region: \n" },
  { "inner-space", OBJECT (REGION), "{\"r\":\"us west 1\"}", "Mcp-Param-Region: us west 1\n" },
  { "outer-space", OBJECT (REGION), "{\"r\":\" padded \"}",
    "Mcp-Param-Region: =?base64?IHBhZGRlZCA=?=\n" },
  { "tab", OBJECT (REGION), "{\"r\":\"\\tindented\"}",
    "Mcp-Param-Region: =?base64?CWluZGVudGVk?=\n" },
  { "line-end", OBJECT (REGION), "{\"r\":\"line1\\nline2\"}",
    "Mcp-Param-Region: =?base64?bGluZTEKbGluZTI=?=\n" },
  { "not-ascii", OBJECT (REGION), "{\"r\":\"Hello, 世界\"}",
    "Mcp-Param-Region: =?base64?SGVsbG8sIOS4lueVjA==?=\n" },
  { "looks-encoded", OBJECT (REGION), "{\"r\":\"=?base64?literal?=\"}",
    "Mcp-Param-Region: =?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=\n" },
  { "looks-half-encoded", OBJECT (REGION), "{\"r\":\"=?base64?literal\"}",
    "Mcp-Param-Region: =?base64?literal\n" },
  { "nested", OBJECT ("\"a\":" OBJECT ("\"b\":" OBJECT (REGION))),
    "{\"r\":\"no\",\"a\":{\"r\":\"no\",\"b\":{\"r\":\"yes\"}}}", "Mcp-Param-Region: yes\n" },
  { "nested-not-there", OBJECT ("\"a\":" OBJECT (REGION)), "{\"a\":\"r\"}", "" },
  { "several", OBJECT (REGION ",\"n\":{\"type\":\"integer\",\"x-mcp-header\":\"Method\"}"),
    "{\"n\":1,\"r\":\"a\"}", "Mcp-Param-Region: a\nMcp-Param-Method: 1\n" },
  { "property-of-that-name", OBJECT ("\"x-mcp-header\":{\"type\":\"string\"}"),
    "{\"x-mcp-header\":\"a\"}", "" },
  { "data-of-that-name",
    OBJECT ("\"r\":{\"type\":\"object\",\"default\":{\"x-mcp-header\":\"\"},"
            "\"enum\":[{\"x-mcp-header\":\"\"}],\"const\":{\"x-mcp-header\":7}}"),
    "{\"r\":{}}", "" },
  { "escaped-keyword", OBJECT ("\"r\":{\"type\":\"string\",\"x\\u002dmcp-header\":\"R\"}"),
    "{\"r\":\"a\"}", "Mcp-Param-R: a\n" },
  { "beside-a-boolean-schema", OBJECT ("\"any\":true," REGION), "{\"r\":\"a\"}",
    "Mcp-Param-Region: a\n" },

  { "bad/empty", MARKED ("\"string\"", "\"\""), "{}", NULL },
  { "bad/space", MARKED ("\"string\"", "\"My Region\""), "{}", NULL },
  { "bad/colon", MARKED ("\"string\"", "\"Region:Primary\""), "{}", NULL },
  { "bad/not-ascii", MARKED ("\"string\"", "\"Région\""), "{}", NULL },
  { "bad/control", MARKED ("\"string\"", "\"Region\\r\\nX: y\""), "{}", NULL },
  { "bad/nul", MARKED ("\"string\"", "\"R\\u0000\""), "{}", NULL },
  { "bad/no-string", MARKED ("\"string\"", "7"), "{}", NULL },
  { "bad/number", MARKED ("\"number\"", "\"R\""), "{}", NULL },
  { "bad/object", MARKED ("\"object\"", "\"R\""), "{}", NULL },
  { "bad/array", MARKED ("\"array\"", "\"R\""), "{}", NULL },
  { "bad/null", MARKED ("\"null\"", "\"R\""), "{}", NULL },
  { "bad/null-only", MARKED ("[\"null\"]", "\"R\""), "{}", NULL },
  { "bad/string-or-object", MARKED ("[\"string\",\"object\"]", "\"R\""), "{}", NULL },
  { "bad/no-type", OBJECT ("\"r\":{\"x-mcp-header\":\"R\"}"), "{}", NULL },
  { "bad/twice", OBJECT (REGION ",\"s\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}"), "{}",
    NULL },
  { "bad/twice-but-case",
    OBJECT (REGION ",\"s\":{\"type\":\"string\",\"x-mcp-header\":\"REGION\"}"), "{}", NULL },
  { "bad/root", "{\"type\":\"string\",\"x-mcp-header\":\"R\"}", "{}", NULL },
  { "bad/items", OBJECT ("\"a\":{\"type\":\"array\",\"items\":" OBJECT (REGION) "}"), "{}", NULL },
  { "bad/items-array", OBJECT ("\"a\":{\"items\":[true," OBJECT (REGION) "]}"), "{}", NULL },
  { "bad/one-of", "{\"oneOf\":[{}," OBJECT (REGION) "]}", "{}", NULL },
  { "bad/not", "{\"not\":" OBJECT (REGION) "}", "{}", NULL },
  { "bad/then", OBJECT ("\"a\":{\"then\":" OBJECT (REGION) "}"), "{}", NULL },
  { "bad/additional", "{\"additionalProperties\":" OBJECT (REGION) "}", "{}", NULL },
  { "bad/pattern-properties", "{\"patternProperties\":{\"a\":" OBJECT (REGION) "}}", "{}", NULL },
  { "bad/definition", "{\"$defs\":{\"a\":" OBJECT (REGION) "}}", "{}", NULL },
};

static void
test_case (gconstpointer data)
{
  const Case *one = data;
  g_autoptr (GmcpJsonDoc) schema = parse (one->schema);
  g_autoptr (GmcpJsonDoc) arguments = parse (one->arguments);
  g_autoptr (GPtrArray) headers = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GmcpToolHeaders) self = NULL;
  g_autoptr (GError) error = NULL;

  self = gmcp_tool_headers_new (gmcp_json_doc_get_root (schema), &error);
  if (one->headers == NULL)
    {
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
      g_assert_null (self);
      return;
    }

  g_assert_no_error (error);
  if (self != NULL)
    gmcp_tool_headers_append (self, gmcp_json_doc_get_root (arguments), headers);
  for (guint i = 0; i < headers->len; i += 2)
    g_string_append_printf (text, "%s: %s\n", (const char *) g_ptr_array_index (headers, i),
                            (const char *) g_ptr_array_index (headers, i + 1));
  g_assert_cmpstr (text->str, ==, one->headers);
}

static const char *
look_up (gpointer data, const char *name)
{
  return g_str_equal (name, "Mcp-Param-N") ? data : NULL;
}

/* An argument that is an integer, what its header says, and whether that is the same. */
static const struct
{
  const char *argument;
  const char *header;
  gboolean is_same;
} numbers[] = {
  { "42", "42", TRUE },
  { "42", "42.0", TRUE },
  { "42", "42.000", TRUE },
  { "42", "4.2e1", TRUE },
  { "42", "420E-1", TRUE },
  { "42.0", "42", TRUE },
  { "-7", "-7.0", TRUE },
  { "0", "-0", TRUE },
  { "42", "=?base64?NDI=?=", TRUE },
  { "9007199254740991", "9007199254740991.0", TRUE },
  { "42", "43", FALSE },
  { "42", "-42", FALSE },
  { "42", "42.5", FALSE },
  { "42", "", FALSE },
  { "42", "42x", FALSE },
  { "42", "0x2A", FALSE },
  { "42", "+42", FALSE },
  { "42", "042", FALSE },
  { "42", "42.", FALSE },
  { "42", " 42", FALSE },
  { "42", "42 ", FALSE },
  { "42", "=?base64?IDQy?=", FALSE },
  { "42", "\"42\"", FALSE },
  { "42", "[42]", FALSE },
  { "42", "42.00000000000000000001", FALSE },
  { "9007199254740991", "9007199254740991.1", FALSE },
  { "9007199254740993", "9007199254740992", FALSE },
  { "1", "inf", FALSE },
};

static void
test_numbers (void)
{
  g_autoptr (GmcpJsonDoc) schema
    = parse (OBJECT ("\"n\":{\"type\":\"integer\",\"x-mcp-header\":\"N\"}"));
  g_autoptr (GmcpToolHeaders) self = gmcp_tool_headers_new (gmcp_json_doc_get_root (schema), NULL);

  g_test_summary ("a header says the same integer, exactly, as JSON may write it");
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"n\":%s}", numbers[i].argument);
      g_autoptr (GmcpJsonDoc) arguments = parse (text);
      gboolean is_same = gmcp_tool_headers_check (self, gmcp_json_doc_get_root (arguments), look_up,
                                                  (gpointer) numbers[i].header, NULL);

      if (is_same != numbers[i].is_same)
        g_test_message ("%s and %s", numbers[i].argument, numbers[i].header);
      g_assert_cmpint (is_same, ==, numbers[i].is_same);
    }
}

/* What marks nothing costs nothing later. */
static void
test_no_marks (void)
{
  g_autoptr (GmcpJsonDoc) schema = parse (OBJECT ("\"a\\u0062\":{}"));
  g_autoptr (GError) error = NULL;

  g_assert_null (gmcp_tool_headers_new (gmcp_json_doc_get_root (schema), &error));
  g_assert_no_error (error);
  g_assert_null (gmcp_tool_headers_new (GMCP_JSON_NONE, &error));
  g_assert_no_error (error);
}

static void
test_of_tool (void)
{
  g_autoptr (GmcpJsonDoc) marks = parse ("{\"name\":\"t\",\"inputSchema\":" OBJECT (REGION) "}");
  g_autoptr (GmcpJsonDoc) bad
    = parse ("{\"name\":\"t\",\"inputSchema\":" MARKED ("\"number\"", "\"N\"") "}");
  g_autoptr (GmcpTool) tool = gmcp_tool_new_from_value (gmcp_json_doc_get_root (marks), NULL);
  g_autoptr (GmcpTool) bad_tool = gmcp_tool_new_from_value (gmcp_json_doc_get_root (bad), NULL);
  const GmcpToolHeaders *headers = gmcp_tool_peek_headers (tool, NULL);

  g_test_summary ("a tool's marks are read once, and what is wrong with them is always said");
  g_assert_nonnull (headers);
  g_assert_true (gmcp_tool_peek_headers (tool, NULL) == headers);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (gmcp_tool_peek_headers (bad_tool, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
    }
}

static void
test_deep (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GmcpJsonDoc) schema = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 100; i++)
    g_string_append (text, "{\"properties\":{\"a\":");
  g_string_append (text, "{\"type\":\"string\",\"x-mcp-header\":\"A\"}");
  for (guint i = 0; i < 100; i++)
    g_string_append (text, "}}");
  schema = parse (text->str);

  {
    g_autoptr (GmcpToolHeaders) self
      = gmcp_tool_headers_new (gmcp_json_doc_get_root (schema), &error);

    g_assert_no_error (error);
    g_assert_nonnull (self);
  }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/protocol/tool-headers/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/protocol/tool-headers/numbers", test_numbers);
  g_test_add_func ("/protocol/tool-headers/no-marks", test_no_marks);
  g_test_add_func ("/protocol/tool-headers/of-tool", test_of_tool);
  g_test_add_func ("/protocol/tool-headers/deep", test_deep);

  return g_test_run ();
}
