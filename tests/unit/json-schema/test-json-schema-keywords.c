/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-schema-private.h"
#include "unit-test.h"

/* Each keyword by a value that it lets pass (no message) and one that it does not, with the whole
 * message, since that is what a model corrects itself by. */
typedef struct
{
  const char *schema;
  const char *instance;
  const char *message;
} Case;

static GmcpJsonDoc *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *doc = gmcp_json_doc_parse (text, strlen (text), NULL, 0, &error);

  g_assert_no_error (error);
  return doc;
}

static void
run_cases (const Case *cases, gsize n_cases)
{
  for (gsize i = 0; i < n_cases; i++)
    {
      g_autoptr (GmcpJsonDoc) schema_doc = parse (cases[i].schema);
      g_autoptr (GmcpJsonDoc) instance = parse (cases[i].instance);
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpJsonSchema) schema
        = gmcp_json_schema_compile (gmcp_json_doc_get_root (schema_doc), NULL, &error);

      g_test_message ("%s with %s", cases[i].schema, cases[i].instance);
      g_assert_no_error (error);
      if (gmcp_json_schema_validate (schema, gmcp_json_doc_get_root (instance), &error))
        g_assert_null (cases[i].message);
      else
        {
          g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
          g_assert_cmpstr (error->message, ==, cases[i].message);
        }
    }
}

static void
test_types (void)
{
  static const Case cases[] = {
    { "{\"type\":\"string\"}", "\"a\"", NULL },
    { "{\"type\":\"string\"}", "1", "/: must be of type string, not number" },
    { "{\"type\":[\"string\",\"null\"]}", "null", NULL },
    { "{\"type\":[\"string\",\"null\"]}", "[]", "/: must be of type null, string, not array" },
    { "{\"type\":\"integer\"}", "1.0", NULL },
    { "{\"type\":\"integer\"}", "1e400", NULL },
    { "{\"type\":\"integer\"}", "12345678901234567890123", NULL },
    { "{\"type\":\"integer\"}", "-0.0", NULL },
    { "{\"type\":\"integer\"}", "1.5", "/: must be of type integer, not number" },
    { "{\"type\":\"integer\"}", "1e-1", "/: must be of type integer, not number" },
    { "{\"type\":\"integer\"}", "10e-1", NULL },
    { "{\"type\":\"number\"}", "1", NULL },
    { "{\"type\":\"boolean\"}", "false", NULL },
    { "{\"type\":\"boolean\"}", "0", "/: must be of type boolean, not number" },
    { "{\"type\":\"object\"}", "{}", NULL },
    { "{\"type\":\"object\"}", "true", "/: must be of type object, not boolean" },
    { "true", "1", NULL },
    { "false", "1", "/: is not allowed" },
    { "{}", "1", NULL },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_values (void)
{
  static const Case cases[] = {
    { "{\"enum\":[\"a\",1,null,{\"x\":[1]}]}", "1.0", NULL },
    { "{\"enum\":[\"a\",1,null,{\"x\":[1]}]}", "{\"x\":[1.0]}", NULL },
    { "{\"enum\":[\"a\",1,null]}", "\"b\"", "/: must be one of \"a\", 1, null" },
    { "{\"enum\":[\"\\u0061\"]}", "\"a\"", NULL },
    { "{\"enum\":[]}", "1", "/: must be one of " },
    { "{\"const\":false}", "false", NULL },
    { "{\"const\":false}", "0", "/: must be false" },
    { "{\"const\":null}", "1", "/: must be null" },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_numbers (void)
{
  static const Case cases[] = {
    { "{\"minimum\":1}", "1", NULL },
    { "{\"minimum\":1}", "0.99999999999999999999", "/: must be at least 1" },
    { "{\"maximum\":100}", "100.0", NULL },
    { "{\"maximum\":100}", "101", "/: must be at most 100" },
    { "{\"maximum\":9223372036854775807}", "9223372036854775808",
      "/: must be at most 9223372036854775807" },
    { "{\"maximum\":18446744073709551615}", "18446744073709551615", NULL },
    { "{\"maximum\":18446744073709551615}", "18446744073709551616",
      "/: must be at most 18446744073709551615" },
    { "{\"minimum\":-9223372036854775808}", "-9223372036854775809",
      "/: must be at least -9223372036854775808" },
    { "{\"exclusiveMinimum\":0}", "1e-400", NULL },
    { "{\"exclusiveMinimum\":0}", "-0.0", "/: must be greater than 0" },
    { "{\"exclusiveMaximum\":1e3}", "999.9", NULL },
    { "{\"exclusiveMaximum\":1e3}", "1000", "/: must be less than 1e3" },
    { "{\"maximum\":-1.5}", "-1.50", NULL },
    { "{\"maximum\":-1.5}", "-1.4", "/: must be at most -1.5" },
    { "{\"maximum\":0.01}", "0.009", NULL },
    { "{\"maximum\":0.01}", "0.0100001", "/: must be at most 0.01" },
    { "{\"maximum\":1}", "1e999999999999999999999", "/: must be at most 1" },
    { "{\"maximum\":1}", "1e-999999999999999999999", NULL },
    { "{\"multipleOf\":0.01}", "19.99", NULL },
    { "{\"multipleOf\":0.01}", "4.35", NULL },
    { "{\"multipleOf\":0.01}", "4.355", "/: must be a multiple of 0.01" },
    { "{\"multipleOf\":0.1}", "0.3", NULL },
    { "{\"multipleOf\":3}", "1e30", "/: must be a multiple of 3" },
    { "{\"multipleOf\":3}", "123456789012345678901234567890", NULL },
    { "{\"multipleOf\":7}", "-14", NULL },
    { "{\"multipleOf\":1e300}", "1", "/: must be a multiple of 1e300" },
    { "{\"multipleOf\":1e-300}", "1e300", NULL },
    { "{\"multipleOf\":2}", "1e9999999999", NULL },
    { "{\"multipleOf\":2.5}", "0", NULL },
    { "{\"multipleOf\":1.00000000000000000000001}", "1.5",
      "/: must be a multiple of 1.00000000000000000000001" },
    { "{\"multipleOf\":1.00000000000000000000001e999}", "1e999",
      "/: must be a multiple of 1.00000000000000000000001e999" },
    { "{\"minimum\":5}", "\"1\"", NULL },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_strings (void)
{
  static const Case cases[] = {
    { "{\"minLength\":2}", "\"ab\"", NULL },
    { "{\"minLength\":2}", "\"\\ud83d\\ude00\"", "/: must have at least 2 characters" },
    { "{\"maxLength\":1}", "\"\\ud83d\\ude00\"", NULL },
    { "{\"maxLength\":1}", "\"😀\"", NULL },
    { "{\"maxLength\":1}", "\"ab\"", "/: must have at most 1 character" },
    { "{\"maxLength\":2.0}", "\"ab\"", NULL },
    { "{\"maxLength\":1e30}", "\"ab\"", NULL },
    { "{\"maxLength\":1}", "\"\\u0000\"", NULL },
    { "{\"pattern\":\"^a+$\"}", "\"aaa\"", NULL },
    { "{\"pattern\":\"^a+$\"}", "\"aab\"", "/: must match the regular expression ^a+$" },
    { "{\"pattern\":\"b\"}", "\"aab\"", NULL },
    { "{\"pattern\":\"^\\\\d{4}-\\\\d{2}$\"}", "\"2024-0\\u0031\"", NULL },
    { "{\"pattern\":\"a\"}", "1", NULL },
    { "{\"format\":\"date\"}", "\"no date\"", NULL },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_arrays (void)
{
  static const Case cases[] = {
    { "{\"minItems\":1}", "[]", "/: must have at least 1 item" },
    { "{\"maxItems\":1}", "[1]", NULL },
    { "{\"maxItems\":1}", "[1,2]", "/: must have at most 1 item" },
    { "{\"uniqueItems\":true}", "[1,\"1\",[1],{\"a\":1,\"b\":2},true]", NULL },
    { "{\"uniqueItems\":true}", "[1,2,1.0]", "/: must not have equal items; items 0 and 2 are" },
    { "{\"uniqueItems\":true}", "[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1}]",
      "/: must not have equal items; items 0 and 1 are" },
    { "{\"uniqueItems\":false}", "[1,1]", NULL },
    { "{\"items\":{\"type\":\"string\"}}", "[\"a\",\"b\"]", NULL },
    { "{\"items\":{\"type\":\"string\"}}", "[\"a\",1]", "/1: must be of type string, not number" },
    { "{\"prefixItems\":[true,{\"const\":2}],\"items\":false}", "[1,2]", NULL },
    { "{\"prefixItems\":[true,{\"const\":2}],\"items\":false}", "[1,3,4]",
      "/1: must be 2; /2: is not allowed" },
    { "{\"contains\":{\"const\":1}}", "[2,1]", NULL },
    { "{\"contains\":{\"const\":1}}", "[2]",
      "/: must have at least 1 item of the kind under “contains”" },
    { "{\"contains\":{\"const\":1},\"minContains\":0}", "[]", NULL },
    { "{\"contains\":{\"const\":1},\"minContains\":2}", "[1,2]",
      "/: must have at least 2 items of the kind under “contains”" },
    { "{\"contains\":{\"const\":1},\"maxContains\":1}", "[1,1]",
      "/: must have at most 1 item of the kind under “contains”" },
    { "{\"minContains\":2}", "[]", NULL },
    { "{\"prefixItems\":[true],\"unevaluatedItems\":false}", "[1,2]", "/1: is not allowed" },
    { "{\"contains\":{\"const\":1},\"unevaluatedItems\":{\"const\":2}}", "[2,1,2]", NULL },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_objects (void)
{
  static const Case cases[] = {
    { "{\"minProperties\":1}", "{}", "/: must have at least 1 member" },
    { "{\"minProperties\":2}", "{\"a\":1,\"a\":2}", "/: must have at least 2 members" },
    { "{\"maxProperties\":1}", "{\"a\":1,\"a\":2}", NULL },
    { "{\"maxProperties\":1}", "{\"a\":1,\"b\":2}", "/: must have at most 1 member" },
    { "{\"required\":[\"title\"]}", "{\"title\":1}", NULL },
    { "{\"required\":[\"title\"]}", "{\"titl\\u0065\":1}", NULL },
    { "{\"required\":[\"title\"]}", "{}", "/: missing required member “title”" },
    { "{\"required\":[\"a\",\"a\"]}", "{\"a\":1}", NULL },
    { "{\"required\":[\"a\",\"a\",\"b\"]}", "{\"a\":1}", "/: missing required member “b”" },
    { "{\"properties\":{\"limit\":{\"maximum\":100}}}", "{\"limit\":101}",
      "/limit: must be at most 100" },
    { "{\"properties\":{\"a/b~c\":{\"items\":false}}}", "{\"a/b~c\":[1]}",
      "/a~1b~0c/0: is not allowed" },
    { "{\"properties\":{\"a\":true,\"b\":true},\"additionalProperties\":false}", "{\"c\":1}",
      "/: must not have the member “c”; known are “a”, “b”" },
    { "{\"additionalProperties\":false}", "{\"c\":1}", "/: must not have the member “c”" },
    { "{\"patternProperties\":{\"^x\":{\"type\":\"string\"}},\"additionalProperties\":false}",
      "{\"xa\":\"1\"}", NULL },
    { "{\"patternProperties\":{\"^x\":{\"type\":\"string\"}}}", "{\"xa\":1}",
      "/xa: must be of type string, not number" },
    { "{\"additionalProperties\":{\"type\":\"string\"}}", "{\"a\":1}",
      "/a: must be of type string, not number" },
    { "{\"propertyNames\":{\"maxLength\":2}}", "{\"ab\":1}", NULL },
    { "{\"propertyNames\":{\"maxLength\":2}}", "{\"abc\":1}",
      "/abc: must have at most 2 characters" },
    { "{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"b\":1}", NULL },
    { "{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1}",
      "/: missing member “b”, which is required beside “a”" },
    { "{\"dependentSchemas\":{\"a\":{\"maxProperties\":1}}}", "{\"a\":1,\"b\":1}",
      "/: must have at most 1 member" },
    { "{\"allOf\":[{\"properties\":{\"a\":true}}],\"unevaluatedProperties\":false}",
      "{\"a\":1,\"b\":1}", "/: must not have the member “b”" },
    { "{\"required\":[\"a\",\"b\"],\"properties\":{\"c\":{\"type\":\"string\"}}}", "{\"c\":1}",
      "/c: must be of type string, not number; /: missing required member “a”; "
      "/: missing required member “b”" },
    { "{\"items\":false}", "[1,2,3,4,5,6,7]",
      "/0: is not allowed; /1: is not allowed; /2: is not allowed; /3: is not allowed; "
      "/4: is not allowed" },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_logic (void)
{
  static const Case cases[] = {
    { "{\"allOf\":[{\"minimum\":1},{\"maximum\":3}]}", "2", NULL },
    { "{\"allOf\":[{\"minimum\":5},{\"maximum\":3}]}", "4",
      "/: must be at least 5; /: must be at most 3" },
    { "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}", "null", NULL },
    { "{\"anyOf\":[{\"type\":\"string\"},{\"required\":[\"a\"],\"type\":\"object\"}]}", "{}",
      "/: fits none of 2 alternatives (/: must be of type string, not object | "
      "/: missing required member “a”)" },
    { "{\"oneOf\":[{\"type\":\"integer\"},{\"minimum\":2}]}", "1", NULL },
    { "{\"oneOf\":[{\"type\":\"integer\"},{\"minimum\":2}]}", "3",
      "/: must fit one alternative only, but fits number 1 and number 2" },
    { "{\"oneOf\":[{\"type\":\"string\"}]}", "3",
      "/: does not fit the only alternative (/: must be of type string, not number)" },
    { "{\"not\":{\"type\":\"string\"}}", "1", NULL },
    { "{\"not\":{\"type\":\"string\"}}", "\"a\"", "/: must not fit the schema under “not”" },
    { "{\"if\":{\"minimum\":10},\"then\":{\"multipleOf\":10},\"else\":{\"const\":1}}", "20", NULL },
    { "{\"if\":{\"minimum\":10},\"then\":{\"multipleOf\":10},\"else\":{\"const\":1}}", "15",
      "/: must be a multiple of 10" },
    { "{\"if\":{\"minimum\":10},\"then\":{\"multipleOf\":10},\"else\":{\"const\":1}}", "2",
      "/: must be 1" },
    { "{\"then\":false,\"else\":false}", "1", NULL },
    { "{\"x-unknown\":{\"type\":5},\"$comment\":7}", "1", NULL },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

/* Nothing that a peer sends makes a message long. */
static void
test_long_texts (void)
{
  g_autofree char *filler = g_strnfill (100000, 'x');
  g_autofree char *schema_text
    = g_strdup_printf ("{\"properties\":{\"%s\":{\"enum\":[\"%s\"]}},\"required\":[\"%sa\"],"
                       "\"additionalProperties\":false}",
                       filler, filler, filler);
  g_autofree char *instance_text = g_strdup_printf ("{\"%s\":1,\"%sb\":2}", filler, filler);
  g_autoptr (GmcpJsonDoc) schema_doc = parse (schema_text);
  g_autoptr (GmcpJsonDoc) instance = parse (instance_text);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonSchema) schema
    = gmcp_json_schema_compile (gmcp_json_doc_get_root (schema_doc), NULL, &error);

  g_assert_no_error (error);
  g_assert_false (gmcp_json_schema_validate (schema, gmcp_json_doc_get_root (instance), &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_assert_cmpuint (strlen (error->message), <, 2000);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/json-schema/keywords/types", test_types);
  g_test_add_func ("/json-schema/keywords/values", test_values);
  g_test_add_func ("/json-schema/keywords/numbers", test_numbers);
  g_test_add_func ("/json-schema/keywords/strings", test_strings);
  g_test_add_func ("/json-schema/keywords/arrays", test_arrays);
  g_test_add_func ("/json-schema/keywords/objects", test_objects);
  g_test_add_func ("/json-schema/keywords/logic", test_logic);
  g_test_add_func ("/json-schema/messages/long-texts", test_long_texts);

  return g_test_run ();
}
