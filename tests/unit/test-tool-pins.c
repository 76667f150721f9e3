/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-tool-pins-private.h"
#include "gmcp-tool-private.h"

/* Which tools are the ones that were approved. */

static void
clear (GmcpToolSight *sight)
{
  g_free (sight->name);
  g_free (sight->digest);
  g_free (sight->definition);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GmcpToolSight, clear)

static void
show (GmcpToolSight *sight, const char *json, const char *edited)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTool) tool = gmcp_tool_new_from_json (json, &error);

  g_assert_no_error (error);
  gmcp_tool_sight_set (sight, tool,
                       edited != NULL ? g_strdup (edited) : gmcp_tool_pins_dup_definition (tool),
                       edited != NULL);
}

/* Whether it is taken for what was approved; *digested where that took a digest. */
static gboolean
passes (GmcpToolPins *pins, const char *json, const char *edited, gboolean *digested)
{
  g_auto (GmcpToolSight) sight = { 0 };
  g_autoptr (GArray) flagged = g_array_new (FALSE, FALSE, sizeof (guint));
  gboolean approved;

  show (&sight, json, edited);
  gmcp_tool_pins_see (pins, "one", "id", &sight, 1, flagged);
  approved = gmcp_tool_pins_get_status (pins, "one", "id", "read") == GMCP_PIN_STATUS_APPROVED;
  g_assert_cmpuint (flagged->len, ==, approved ? 0 : 1);
  if (digested != NULL)
    *digested = sight.digest != NULL;
  return approved;
}

#define PLAIN "{\"name\":\"read\",\"description\":\"Reads\",\"inputSchema\":{\"type\":\"object\"}}"
#define ORDERED                                                                                    \
  "{\"inputSchema\":{\"type\":\"object\"},\"description\":\"Reads\",\"name\":\"read\"}"
#define SPACED                                                                                     \
  "{\"name\":\"read\",\"description\":\"\\u0052eads\",\"inputSchema\": {\"type\":\"object\"}}"
#define TITLED                                                                                     \
  "{\"name\":\"read\",\"title\":\"R\",\"description\":\"Reads\",\"inputSchema\":{\"type\":"        \
  "\"object\"}}"
#define OTHER "{\"name\":\"read\",\"description\":\"reads\",\"inputSchema\":{\"type\":\"object\"}}"
#define MARK                                                                                       \
  "{\"name\":\"read\",\"description\":\"[redacted]\",\"inputSchema\":{\"type\":\"object\"}}"
#define SECRET                                                                                     \
  "{\"name\":\"read\",\"description\":\"s3cr3t\",\"inputSchema\":{\"type\":\"object\"}}"
#define SECRET2                                                                                    \
  "{\"name\":\"read\",\"description\":\"other secret\",\"inputSchema\":{\"type\":\"object\"}}"

/* What is written and read again, as with the next program. */
static GmcpToolPins *
approve (const char *json, const char *edited)
{
  g_autoptr (GmcpToolPins) pins = gmcp_tool_pins_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  GmcpToolPins *read;

  g_assert_true (passes (pins, json, edited, NULL));
  bytes = gmcp_tool_pins_write (pins);
  read = gmcp_tool_pins_parse (bytes, &error);
  g_assert_no_error (error);
  return read;
}

static void
test_plain (void)
{
  static const struct
  {
    const char *json;
    gboolean passes;
    gboolean digested;
  } cases[] = {
    { PLAIN, TRUE, FALSE }, { TITLED, TRUE, FALSE }, { ORDERED, TRUE, FALSE },
    { SPACED, TRUE, TRUE }, { OTHER, FALSE, TRUE },
  };

  g_test_summary ("what is told of a tool decides, however it is written");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpToolPins) pins = approve (PLAIN, NULL);
      gboolean digested;

      g_test_message ("%s", cases[i].json);
      g_assert_cmpint (passes (pins, cases[i].json, NULL, &digested), ==, cases[i].passes);
      g_assert_cmpint (digested, ==, cases[i].digested);
    }
}

static void
test_edited (void)
{
  g_autoptr (GmcpToolPins) same = approve (SECRET, MARK);
  g_autoptr (GmcpToolPins) literal = approve (SECRET, MARK);
  g_autoptr (GmcpToolPins) other = approve (SECRET, MARK);
  g_autoptr (GmcpToolPins) unreadable = approve (SECRET, "{}");
  g_autoptr (GmcpToolPins) marked = approve (MARK, NULL);

  g_test_summary ("where a secret was taken out, texts that are alike say nothing");
  g_assert_true (passes (same, SECRET, MARK, NULL));
  g_assert_false (passes (literal, MARK, NULL, NULL));
  g_assert_false (passes (other, SECRET2, MARK, NULL));
  g_assert_false (passes (unreadable, SECRET2, "{}", NULL));
  g_test_message ("a mark that was there from the beginning is text like any other");
  g_assert_true (passes (marked, MARK, NULL, NULL));
  g_assert_false (passes (marked, SECRET, MARK, NULL));
}

static void
test_file (void)
{
  const char *text
    = "{\"servers\":[{\"id\":\"one\",\"identity\":\"id\",\"tools\":[{\"name\":\"read\","
      "\"definition\":" PLAIN "}]}]}";
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GmcpToolPins) pins = gmcp_tool_pins_parse (bytes, NULL);

  g_test_summary ("a definition without a digest was approved by nobody");
  g_assert_nonnull (pins);
  g_assert_false (passes (pins, PLAIN, NULL, NULL));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/tool-pins/plain", test_plain);
  g_test_add_func ("/tool-pins/edited", test_edited);
  g_test_add_func ("/tool-pins/file", test_file);

  return g_test_run ();
}
