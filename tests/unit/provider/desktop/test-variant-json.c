/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-schema-private.h"
#include "gmcp-limits.h"
#include "gmcp-variant-json-private.h"
#include "unit-test.h"

static GmcpJsonDoc *
parse (const char *json)
{
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, &error);

  g_assert_no_error (error);
  return doc;
}

static char *
dup_json (GVariant *value)
{
  GString *json = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (json);
  g_autoptr (GError) error = NULL;

  g_assert_true (gmcp_variant_write_json (&writer, value, &error));
  g_assert_no_error (error);
  return g_string_free (json, FALSE);
}

static char *
dup_schema (const char *type, const char *hint)
{
  GString *json = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (json);
  g_autoptr (GVariant) state_hint = hint != NULL ? g_variant_new_parsed (hint) : NULL;
  g_autoptr (GError) error = NULL;

  gmcp_variant_check_type (G_VARIANT_TYPE (type), &error);
  g_assert_no_error (error);
  gmcp_variant_write_schema (&writer, G_VARIANT_TYPE (type), state_hint);
  return g_string_free (json, FALSE);
}

static gboolean
matches_schema (const char *schema_json, const char *json)
{
  g_autoptr (GmcpJsonDoc) schema_doc = parse (schema_json);
  g_autoptr (GmcpJsonDoc) doc = parse (json);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonSchema) schema
    = gmcp_json_schema_compile (gmcp_json_doc_get_root (schema_doc), NULL, &error);

  g_assert_no_error (error);
  return gmcp_json_schema_validate (schema, gmcp_json_doc_get_root (doc), NULL);
}

static const struct
{
  const char *variant; /* as text, with its type */
  const char *json;
} values[] = {
  { "true", "true" },
  { "byte 0xff", "255" },
  { "int16 -32768", "-32768" },
  { "uint16 65535", "65535" },
  { "int32 -2147483648", "-2147483648" },
  { "uint32 4294967295", "4294967295" },
  { "int64 -9223372036854775808", "-9223372036854775808" },
  { "int64 9223372036854775807", "9223372036854775807" },
  { "int64 9007199254740993", "9007199254740993" },
  { "uint64 18446744073709551615", "18446744073709551615" },
  { "1.5", "1.5" },
  { "1e300", "1e+300" },
  { "'a \"b\" \\n ü'", "\"a \\\"b\\\" \\n ü\"" },
  { "objectpath '/'", "\"/\"" },
  { "objectpath '/org/example/One_1'", "\"/org/example/One_1\"" },
  { "signature 'a{sv}(ii)'", "\"a{sv}(ii)\"" },
  { "signature ''", "\"\"" },
  { "b'abc'", "\"YWJjAA==\"" },
  { "@ay []", "\"\"" },
  { "@as []", "[]" },
  { "['a','b']", "[\"a\",\"b\"]" },
  { "[[1,2],[3]]", "[[1,2],[3]]" },
  { "{'a':1,'b':2}", "{\"a\":1,\"b\":2}" },
  { "@a{sv} {'a':<true>,'b':<'x'>,'c':<1.5>,'d':<int64 7>}",
    "{\"a\":true,\"b\":\"x\",\"c\":1.5,\"d\":7}" },
  { "{uint32 1:'a',4294967295:'b'}", "{\"1\":\"a\",\"4294967295\":\"b\"}" },
  { "{int64 -5:true}", "{\"-5\":true}" },
  { "{true:'yes',false:'no'}", "{\"true\":\"yes\",\"false\":\"no\"}" },
  { "{1.5:'a'}", "{\"1.5\":\"a\"}" },
  { "{objectpath '/a':{'org.example':{'x':<int64 1>}}}", "{\"/a\":{\"org.example\":{\"x\":1}}}" },
  { "{'a',1}", "{\"a\":1}" },
  { "()", "[]" },
  { "(1,)", "[1]" },
  { "(1,'a',(true,[2.5]))", "[1,\"a\",[true,[2.5]]]" },
  { "@ms nothing", "null" },
  { "@ms 'a'", "\"a\"" },
  { "@mms nothing", "[]" },
  { "@mms just nothing", "[null]" },
  { "@mms just just 'a'", "[\"a\"]" },
  { "<'a'>", "\"a\"" },
  { "<[<'a'>,<true>]>", "[\"a\",true]" },
  { "<{'a':<@av []>}>", "{\"a\":[]}" },
  { "<uint64 18446744073709551615>", "18446744073709551615" },
};

static void
test_round_trip (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GVariant) value = g_variant_parse (NULL, values[i].variant, NULL, NULL, &error);
      g_autofree char *json = NULL;
      g_autofree char *schema = NULL;
      g_autoptr (GmcpJsonDoc) doc = NULL;
      g_autoptr (GVariant) back = NULL;

      g_assert_no_error (error);
      json = dup_json (value);
      g_assert_cmpstr (json, ==, values[i].json);
      schema = dup_schema (g_variant_get_type_string (value), NULL);
      g_test_message ("%s: %s", g_variant_get_type_string (value), schema);
      g_assert_true (matches_schema (schema, json));
      doc = parse (json);
      back = gmcp_variant_read_json (gmcp_json_doc_get_root (doc), g_variant_get_type (value),
                                     "value", &error);
      g_assert_no_error (error);
      g_assert_false (g_variant_is_floating (back));
      g_assert_cmpvariant (back, value);
    }
}

/* Another way to write a value. */
static void
test_other_forms (void)
{
  static const struct
  {
    const char *type;
    const char *json;
    const char *variant;
  } forms[] = {
    { "ay", "[1,2,255]", "[byte 1,2,255]" },
    { "ay", "\"_-8\"", "[byte 0xff,0xef]" },
    { "i", "1.0", "1" },
    { "i", "1e3", "1000" },
    { "d", "3", "3.0" },
    { "d", "9007199254740993", "9007199254740992.0" },
    { "v", "{\"@u\":5}", "<uint32 5>" },
    { "v", "{\"@a{sv}\":{\"@u\":5}}", "<{'@u':<int64 5>}>" },
    { "v", "{\"@s\":\"a\"}", "<'a'>" },
    { "v", "{\"@(ii)\":[1,2]}", "<(1,2)>" },
    { "v", "{\"@ay\":\"AA==\"}", "<[byte 0]>" },
    { "v", "{\"@u\":5,\"b\":1}", "<{'@u':<int64 5>,'b':<int64 1>}>" },
    { "v", "1.0", "<1.0>" },
    { "v", "-0", "<int64 0>" },
    { "v", "99999999999999999999", "<1e20>" },
    { "v", "{}", "<@a{sv} {}>" },
    { "s", "\"\\ud83d\\ude00\\\\u0000\"", "'\360\237\230\200\\\\u0000'" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpJsonDoc) doc = parse (forms[i].json);
      g_autoptr (GVariant) expected
        = g_variant_parse (G_VARIANT_TYPE (forms[i].type), forms[i].variant, NULL, NULL, &error);
      g_autoptr (GVariant) read = NULL;

      g_assert_no_error (error);
      read = gmcp_variant_read_json (gmcp_json_doc_get_root (doc), G_VARIANT_TYPE (forms[i].type),
                                     "value", &error);
      g_assert_no_error (error);
      g_assert_cmpvariant (read, expected);
    }
}

static void
test_refused (void)
{
  static const struct
  {
    const char *type;
    const char *json;
    const char *place; /* that the error names */
  } wrong[] = {
    { "b", "1", "“it”" },
    { "b", "null", "“it”" },
    { "y", "256", "“it”" },
    { "y", "-1", "0 to 255" },
    { "n", "32768", "-32768 to 32767" },
    { "q", "1.5", "“it”" },
    { "i", "2147483648", "“it”" },
    { "i", "\"1\"", "“it”" },
    { "u", "-1", "“it”" },
    { "x", "9223372036854775808", "9223372036854775807" },
    { "t", "18446744073709551616", "18446744073709551615" },
    { "t", "-1", "“it”" },
    { "d", "1e999", "double" },
    { "d", "\"NaN\"", "double" },
    { "s", "1", "“it”" },
    { "s", "\"a\\u0000b\"", "character" },
    { "s", "\"\\ud83d\"", "character" },
    { "s", "\"\\ude00\\ud83d\"", "character" },
    { "s", "\"\\ud83d\\n\\ude00\"", "character" },
    { "o", "\"a\"", "path" },
    { "o", "\"/a/\"", "path" },
    { "o", "\"\"", "path" },
    { "g", "\"z\"", "signature" },
    { "g", "\"a\"", "signature" },
    { "g", "\"()\"", "signature" },
    { "g", "\"{sv}\"", "signature" },
    { "g", "\"ms\"", "signature" },
    { "g", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaas\"", "signature" },
    { "ay", "\"***\"", "base64" },
    { "ay", "[256]", "255" },
    { "ay", "{}", "base64" },
    { "as", "\"a\"", "array" },
    { "as", "[\"a\",1]", "“it[1]”" },
    { "a(si)", "[[\"a\",1],[\"b\",\"c\"]]", "“it[1][1]”" },
    { "a(si)", "[[\"a\"]]", "“it[0]”" },
    { "(ss)", "[\"a\",\"b\",\"c\"]", "length 2" },
    { "(ss)", "{\"a\":\"b\"}", "length 2" },
    { "()", "[1]", "length 0" },
    { "a{si}", "[]", "object" },
    { "a{si}", "{\"a\":1,\"b\":true}", "“it.b”" },
    { "a{us}", "{\"a\":\"x\"}", "“it.a”" },
    { "a{us}", "{\"1.0\":\"x\"}", "written as 1" },
    { "a{us}", "{\" 1\":\"x\"}", "written as 1" },
    { "a{is}", "{\"-0\":\"x\"}", "written as 0" },
    { "a{us}", "{\"\":\"x\"}", "“it.”" },
    { "a{bs}", "{\"yes\":\"x\"}", "“it.yes”" },
    { "a{os}", "{\"x\":\"x\"}", "“it.x”" },
    { "a{saas}", "{\"a\":[[\"b\"],[\"c\",null]]}", "“it.a[1][1]”" },
    { "{si}", "{\"a\":1,\"b\":2}", "one member" },
    { "ms", "1", "“it”" },
    { "mms", "[\"a\",\"b\"]", "array" },
    { "mms", "null", "array" },
    { "v", "null", "null" },
    { "v", "[null]", "“it[0]”" },
    { "v", "{\"@\":1}", "D-Bus type" },
    { "v", "{\"@z\":1}", "D-Bus type" },
    { "v", "{\"@ss\":1}", "D-Bus type" },
    { "v", "{\"@h\":1}", "D-Bus type" },
    { "v", "{\"@()\":[]}", "D-Bus type" },
    { "v", "{\"@mi\":1}", "D-Bus type" },
    { "v", "{\"@{sv}\":{}}", "D-Bus type" },
    { "v", "{\"@*\":1}", "D-Bus type" },
    { "v", "{\"@y\":256}", "“it”" },
    { "h", "0", "“it”" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpJsonDoc) doc = parse (wrong[i].json);
      g_autoptr (GVariant) read = gmcp_variant_read_json (
        gmcp_json_doc_get_root (doc), G_VARIANT_TYPE (wrong[i].type), "it", &error);

      g_test_message ("%s %s: %s", wrong[i].type, wrong[i].json,
                      error != NULL ? error->message : "read");
      g_assert_null (read);
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, wrong[i].place));
    }
}

static void
assert_limited (const char *type, const char *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonDoc) doc = parse (json);

  g_assert_null (
    gmcp_variant_read_json (gmcp_json_doc_get_root (doc), G_VARIANT_TYPE (type), "it", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
}

static GString *
repeat (const char *text, guint n)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append (out, text);
  return out;
}

static void
test_limits (void)
{
  g_autoptr (GString) deep = repeat ("[", 60);
  g_autoptr (GString) deep_objects = repeat ("{\"a\":", 60);
  g_autoptr (GString) many = repeat ("1,", GMCP_LIMIT_VARIANT_VALUES);
  g_autoptr (GString) large = repeat ("0123456789abcdef", GMCP_LIMIT_VARIANT_BYTES / 16);

  for (guint i = 0; i < 60; i++)
    g_string_append (deep, "]");
  assert_limited ("v", deep->str);
  g_string_append (deep_objects, "1");
  for (guint i = 0; i < 60; i++)
    g_string_append (deep_objects, "}");
  assert_limited ("v", deep_objects->str);

  g_string_prepend (many, "[");
  g_string_append (many, "1]");
  assert_limited ("ai", many->str);
  g_string_prepend (large, "[\"");
  g_string_append (large, "\",\"a\"]");
  assert_limited ("as", large->str);
}

static void
test_not_written (void)
{
  static const char *const wrong[]
    = { "inf", "-inf", "nan", "[1.5,inf]", "{'a':<nan>}", "{nan:1}" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GVariant) value = g_variant_new_parsed (wrong[i]);
      g_autoptr (GString) json = g_string_new (NULL);
      GmcpJsonWriter writer = gmcp_json_writer_init (json);
      g_autoptr (GError) error = NULL;

      g_assert_false (gmcp_variant_write_json (&writer, value, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
    }
}

static void
test_types (void)
{
  static const char *const wrong[]
    = { "h", "ah", "a{sh}", "(ih)", "*", "a*", "?", "r", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaai" };
  static const struct
  {
    const char *signature;
    gboolean is_one;
  } signatures[] = {
    { "", TRUE },        { "s", TRUE },   { "a{sv}as", TRUE }, { "(i(sb))", TRUE },
    { "h", TRUE },       { "()", FALSE }, { "a()", FALSE },    { "{sv}", FALSE },
    { "({sv})", FALSE }, { "ms", FALSE }, { "(ms)", FALSE },   { "a{vs}", FALSE },
    { "(", FALSE },
  };
  g_autoptr (GString) longest = repeat ("s", 256);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (gmcp_variant_check_type (G_VARIANT_TYPE (wrong[i]), &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
    }
  for (guint i = 0; i < G_N_ELEMENTS (signatures); i++)
    g_assert_cmpint (gmcp_variant_is_dbus_signature (signatures[i].signature), ==,
                     signatures[i].is_one);
  g_assert_false (gmcp_variant_is_dbus_signature (longest->str));
}

static void
test_hints (void)
{
  static const struct
  {
    const char *type;
    const char *hint;
    const char *schema;
  } hints[] = {
    { "i", "(1,10)", "{\"type\":\"integer\",\"minimum\":1,\"maximum\":10}" },
    { "d", "(0.5,2.5)", "{\"type\":\"number\",\"minimum\":0.5,\"maximum\":2.5}" },
    { "d", "(0.5,inf)", "{\"type\":\"number\",\"minimum\":0.5}" },
    { "s", "['a','b']", "{\"type\":\"string\",\"enum\":[\"a\",\"b\"]}" },
    { "s", "[<'a'>,<'b'>]", "{\"type\":\"string\",\"enum\":[\"a\",\"b\"]}" },
    { "s", "[<'a'>,<1>]", "{\"type\":\"string\"}" },
    { "s", "@as []", "{\"type\":\"string\"}" },
    { "s", "('a','b')", "{\"type\":\"string\"}" },
    { "y", "(1,10)", "{\"type\":\"integer\",\"minimum\":0,\"maximum\":255}" },
    { "y", "[byte 1,2]", "{\"type\":\"integer\",\"minimum\":0,\"maximum\":255,\"enum\":[1,2]}" },

    { "b", "'x'", "{\"type\":\"boolean\"}" },
    { "(ii)", "[(1,2),(3,4)]", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (hints); i++)
    {
      g_autofree char *schema = dup_schema (hints[i].type, hints[i].hint);

      if (hints[i].schema != NULL)
        g_assert_cmpstr (schema, ==, hints[i].schema);
    }
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/provider/desktop/variant-json/round-trip", test_round_trip);
  g_test_add_func ("/provider/desktop/variant-json/other-forms", test_other_forms);
  g_test_add_func ("/provider/desktop/variant-json/refused", test_refused);
  g_test_add_func ("/provider/desktop/variant-json/limits", test_limits);
  g_test_add_func ("/provider/desktop/variant-json/not-written", test_not_written);
  g_test_add_func ("/provider/desktop/variant-json/types", test_types);
  g_test_add_func ("/provider/desktop/variant-json/hints", test_hints);

  return g_test_run ();
}
