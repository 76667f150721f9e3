/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-capabilities-private.h"
#include "gmcp-implementation-private.h"
#include "gmcp-protocol-private.h"
#include "unit-test.h"

static GmcpJsonDoc *
parse (const char *json)
{
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, &error);

  g_assert_no_error (error);
  return doc;
}

static void
test_eras (void)
{
  static const struct
  {
    const char *version;
    GmcpEra era;
    gboolean known;
  } cases[] = {
    { "2024-11-05", GMCP_ERA_LEGACY, TRUE },
    { "2025-03-26", GMCP_ERA_LEGACY, TRUE },
    { "2025-06-18", GMCP_ERA_LEGACY, TRUE },
    { "2025-11-25", GMCP_ERA_LEGACY, TRUE },
    { "2026-07-28", GMCP_ERA_MODERN, TRUE },
    { "2024-10-07", GMCP_ERA_LEGACY, FALSE },
    { "2027-01-01", GMCP_ERA_MODERN, FALSE },
    { "2026-07-2", GMCP_ERA_AUTO, FALSE },
    { "2026-07-280", GMCP_ERA_AUTO, FALSE },
    { "DRAFT-2026-v1", GMCP_ERA_AUTO, FALSE },
    { "", GMCP_ERA_AUTO, FALSE },
    { NULL, GMCP_ERA_AUTO, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_cmpint (gmcp_protocol_get_era (cases[i].version), ==, cases[i].era);
      g_assert_cmpint (gmcp_protocol_is_known_version (cases[i].version), ==, cases[i].known);
    }
  g_assert_cmpuint (g_strv_length ((char **) gmcp_protocol_get_versions ()), ==, 5);
}

static void
test_newest_common (void)
{
  static const struct
  {
    const char *versions;
    GmcpEra era;
    const char *newest;
  } cases[] = {
    { "[\"2024-11-05\",\"2026-07-28\",\"2025-06-18\"]", GMCP_ERA_AUTO, "2026-07-28" },
    { "[\"2024-11-05\",\"2026-07-28\",\"2025-06-18\"]", GMCP_ERA_LEGACY, "2025-06-18" },
    { "[\"2030-01-01\",\"2025-03-26\"]", GMCP_ERA_AUTO, "2025-03-26" },
    { "[\"2025-03-26\"]", GMCP_ERA_MODERN, NULL },
    { "[\"2030-01-01\", 20260728, null, [\"2026-07-28\"]]", GMCP_ERA_AUTO, NULL },
    { "[]", GMCP_ERA_AUTO, NULL },
    { "{\"2026-07-28\":true}", GMCP_ERA_AUTO, NULL },
    { "\"2026-07-28\"", GMCP_ERA_AUTO, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpJsonDoc) doc = parse (cases[i].versions);

      g_assert_cmpstr (gmcp_protocol_get_newest_common (gmcp_json_doc_get_root (doc), cases[i].era),
                       ==, cases[i].newest);
    }
  g_assert_null (gmcp_protocol_get_newest_common (GMCP_JSON_NONE, GMCP_ERA_AUTO));
}

static void
test_capabilities (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;
  g_autoptr (GmcpCapabilities) self = gmcp_capabilities_new_from_json (
    "{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":false},\"logging\":null,"
    "\"extensions\":{\"io.modelcontextprotocol/tasks\":{},\"a~b\":{}},\"resources\":false}",
    &error);
  static const struct
  {
    const char *path;
    gboolean has;
  } cases[] = {
    { "tools", TRUE },
    { "tools/listChanged", TRUE },
    { "prompts", TRUE },
    { "prompts/listChanged", FALSE },
    { "logging", FALSE },
    { "resources", FALSE },
    { "resources/subscribe", FALSE },
    { "extensions/io.modelcontextprotocol~1tasks", TRUE },
    { "extensions/io.modelcontextprotocol/tasks", FALSE },
    { "extensions/a~0b", TRUE },
    { "extensions/a~b", FALSE },
    { "", FALSE },
    { "/tools", FALSE },
  };

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].path);
      g_assert_cmpint (gmcp_capabilities_has (self, cases[i].path), ==, cases[i].has);
    }
  json = gmcp_capabilities_dup_json (self);
  g_assert_true (g_str_has_prefix (json, "{\"tools\":{\"listChanged\":true}"));
}

static void
test_capabilities_bad (void)
{
  static const char *const malformed[] = { "[]", "null", "true", "\"tools\"", "7" };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (malformed); i++)
    {
      g_autoptr (GError) wrong = NULL;
      g_autofree char *json = NULL;
      g_autoptr (GmcpJsonDoc) doc = parse (malformed[i]);
      g_autoptr (GmcpCapabilities) self
        = gmcp_capabilities_new_from_value (gmcp_json_doc_get_root (doc));

      g_assert_false (gmcp_capabilities_has (self, "tools"));
      json = gmcp_capabilities_dup_json (self);
      g_assert_cmpstr (json, ==, "{}");

      g_assert_null (gmcp_capabilities_new_from_json (malformed[i], &wrong));
      g_assert_error (wrong, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
    }

  g_assert_null (gmcp_capabilities_new_from_json ("{\"tools\"", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
}

static void
test_capabilities_own_document (void)
{
  g_autoptr (GmcpCapabilities) self = NULL;
  g_autoptr (GmcpJsonDoc) doc = parse ("{\"result\":{\"capabilities\":{\"tools\":{}}}}");

  self = gmcp_capabilities_new_from_value (
    gmcp_json_value_get_pointer (gmcp_json_doc_get_root (doc), "/result/capabilities"));
  g_clear_pointer (&doc, gmcp_json_doc_unref);
  g_assert_true (gmcp_capabilities_has (self, "tools"));
}

static void
test_implementation (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpImplementation) made = gmcp_implementation_new ("a \"b\"", "1.0");
  g_autoptr (GmcpImplementation) read = gmcp_implementation_new_from_json (
    "{\n \"name\": \"x\", \"version\": \"2\",\n\"title\": \"X\", \"websiteUrl\": \"https://x\","
    "\"description\": \"D\", \"icons\": [{\"src\": \"data:,\"}, 7]}",
    &error);
  g_autofree char *made_json = gmcp_implementation_dup_json (made);
  g_autofree char *read_json = NULL;
  g_autoptr (GPtrArray) no_icons = gmcp_implementation_list_icons (made);
  g_autoptr (GPtrArray) icons = NULL;

  g_assert_no_error (error);
  read_json = gmcp_implementation_dup_json (read);
  g_assert_cmpstr (made_json, ==, "{\"name\":\"a \\\"b\\\"\",\"version\":\"1.0\"}");
  g_assert_null (gmcp_implementation_get_title (made));
  g_assert_cmpstr (gmcp_implementation_get_name (read), ==, "x");
  g_assert_cmpstr (gmcp_implementation_get_version (read), ==, "2");
  g_assert_cmpstr (gmcp_implementation_get_title (read), ==, "X");
  g_assert_cmpstr (gmcp_implementation_get_description (read), ==, "D");
  g_assert_cmpstr (gmcp_implementation_get_website_url (read), ==, "https://x");
  g_assert_null (gmcp_implementation_get_description (made));
  g_assert_null (gmcp_implementation_get_website_url (made));
  icons = gmcp_implementation_list_icons (read);
  g_assert_cmpuint (icons->len, ==, 1);
  g_assert_cmpstr (gmcp_icon_get_src (icons->pdata[0]), ==, "data:,");
  g_assert_cmpuint (no_icons->len, ==, 0);
  g_assert_nonnull (strstr (read_json, "https://x"));
  g_assert_null (strchr (read_json, '\n'));
}

static void
test_implementation_bad (void)
{
  static const struct
  {
    const char *json;
    const char *name;
    const char *version;
  } cases[] = {
    { "{}", "", "" },
    { "null", "", "" },
    { "[1]", "", "" },
    { "{\"name\":7,\"version\":\"1\"}", "", "1" },
    { "{\"name\":\"x\",\"version\":1}", "x", "" },
    { "{\"name\":\"\",\"version\":\"1\"}", "", "1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpJsonDoc) doc = parse (cases[i].json);
      g_autoptr (GmcpImplementation) self
        = gmcp_implementation_new_from_value (gmcp_json_doc_get_root (doc));

      g_assert_cmpstr (gmcp_implementation_get_name (self), ==, cases[i].name);
      g_assert_cmpstr (gmcp_implementation_get_version (self), ==, cases[i].version);

      g_assert_null (gmcp_implementation_new_from_json (cases[i].json, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/protocol/version/eras", test_eras);
  g_test_add_func ("/protocol/version/newest-common", test_newest_common);
  g_test_add_func ("/protocol/capabilities/has", test_capabilities);
  g_test_add_func ("/protocol/capabilities/bad", test_capabilities_bad);
  g_test_add_func ("/protocol/capabilities/own-document", test_capabilities_own_document);
  g_test_add_func ("/protocol/implementation/good", test_implementation);
  g_test_add_func ("/protocol/implementation/bad", test_implementation_bad);
  return g_test_run ();
}
