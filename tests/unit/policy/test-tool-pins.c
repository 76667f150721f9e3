/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-tool-pins-private.h"
#include "gmcp-tool-private.h"
#include "unit-test.h"

/* Which tools are the ones that were approved. */

#define ALONE "one", "id", ""

/* Two secrets are known. */
static GmcpRedactor *redactor;

static void
clear_sight (gpointer data)
{
  gmcp_tool_sight_clear (data);
}

static void
add_sight (GArray *sights, const char *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTool) tool = gmcp_tool_new_from_json (json, &error);
  GmcpToolSight sight;

  g_assert_no_error (error);
  gmcp_tool_sight_init (&sight, tool, redactor);
  g_array_append_val (sights, sight);
}

static GArray *
new_sights (void)
{
  GArray *sights = g_array_new (FALSE, FALSE, sizeof (GmcpToolSight));

  g_array_set_clear_func (sights, clear_sight);
  return sights;
}

/* How many are flagged. */
static guint
see_all (GmcpToolPins *pins,
         const char *server,
         const char *identity,
         const char *abilities,
         GArray *sights,
         GmcpToolPinsNews *news,
         guint *n_approved)
{
  const GmcpToolPinsSighting sighting = {
    server, identity, abilities, (GmcpToolSight *) (gpointer) sights->data, sights->len,
  };
  g_autoptr (GArray) flagged = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree GmcpPinStatus *statuses = g_new (GmcpPinStatus, MAX (sights->len, 1));

  news->flagged = flagged;
  gmcp_tool_pins_see (pins, &sighting, news);
  gmcp_tool_pins_get_statuses (pins, &sighting, statuses);
  *n_approved = 0;
  for (guint i = 0; i < sights->len; i++)
    *n_approved += statuses[i] == GMCP_PIN_STATUS_APPROVED;
  return flagged->len;
}

/* The tools, one after the other; gives how many are flagged. */
static guint
see (GmcpToolPins *pins,
     const char *server,
     const char *identity,
     const char *abilities,
     guint *n_approved,
     ...)
{
  g_autoptr (GArray) sights = new_sights ();
  GmcpToolPinsNews news;
  const char *json;
  va_list list;

  va_start (list, n_approved);
  while ((json = va_arg (list, const char *)) != NULL)
    add_sight (sights, json);
  va_end (list);
  return see_all (pins, server, identity, abilities, sights, &news, n_approved);
}

/* Whether it is taken for what was approved; *digested where that took a digest. */
static gboolean
passes (GmcpToolPins *pins, const char *json, gboolean *digested)
{
  g_autoptr (GArray) sights = new_sights ();
  GmcpToolPinsNews news;
  guint n_approved;
  guint n_flagged;

  add_sight (sights, json);
  n_flagged = see_all (pins, ALONE, sights, &news, &n_approved);
  g_assert_cmpuint (n_flagged, ==, 1 - n_approved);
  if (digested != NULL)
    *digested = g_array_index (sights, GmcpToolSight, 0).digest != NULL;
  return n_approved == 1;
}

static GmcpToolPins *
parse (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  GmcpToolPins *pins = gmcp_tool_pins_parse (bytes, &error);

  g_assert_no_error (error);
  return pins;
}

static GmcpToolPins *
parse_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return parse (bytes);
}

/* As the next program has them. */
static void
write_and_read (GmcpToolPins **pins)
{
  g_autoptr (GBytes) bytes = gmcp_tool_pins_write (*pins);

  g_assert_cmpuint (g_bytes_get_size (bytes), <=, GMCP_LIMIT_STATE_FILE_BYTES);
  gmcp_tool_pins_free (*pins);
  *pins = parse (bytes);
}

#define SCHEMA  "\"inputSchema\":{\"type\":\"object\"}"
#define PLAIN   "{\"name\":\"read\",\"description\":\"Reads\"," SCHEMA "}"
#define ORDERED "{" SCHEMA ",\"description\":\"Reads\",\"name\":\"read\"}"
#define SPACED                                                                                     \
  "{\"name\":\"read\",\"description\":\"\\u0052eads\",\"inputSchema\": {\"type\":\"object\"}}"
#define WITH(member) "{\"name\":\"read\",\"description\":\"Reads\"," SCHEMA "," member "}"
#define HARMLESS     WITH ("\"annotations\":{\"readOnlyHint\":true}")
#define HARMFUL      WITH ("\"annotations\":{\"readOnlyHint\":false}")
#define OTHER        "{\"name\":\"read\",\"description\":\"reads\"," SCHEMA "}"
#define MARK         "{\"name\":\"read\",\"description\":\"[redacted]\"," SCHEMA "}"
#define SECRET       "{\"name\":\"read\",\"description\":\"s3cr3t-s3cr3t\"," SCHEMA "}"
#define SECRET2      "{\"name\":\"read\",\"description\":\"another-s3cr3t\"," SCHEMA "}"

static GmcpToolPins *
approve (const char *json)
{
  GmcpToolPins *pins = gmcp_tool_pins_new ();

  g_assert_true (passes (pins, json, NULL));
  write_and_read (&pins);
  return pins;
}

static void
test_plain (void)
{
  static const struct
  {
    const char *former;
    const char *json;
    gboolean passes;
    gboolean digested;
  } cases[] = {
    { PLAIN, PLAIN, TRUE, FALSE },
    { PLAIN, WITH ("\"_meta\":{\"at\":7}"), TRUE, FALSE },
    { PLAIN, ORDERED, TRUE, TRUE },
    { PLAIN, SPACED, TRUE, TRUE },
    { PLAIN, OTHER, FALSE, TRUE },
    { PLAIN, WITH ("\"title\":\"R\""), FALSE, TRUE },
    { PLAIN, HARMLESS, FALSE, TRUE },
    { HARMLESS, HARMLESS, TRUE, FALSE },
    { HARMLESS, HARMFUL, FALSE, TRUE },
    { HARMLESS, PLAIN, FALSE, TRUE },
    { PLAIN, WITH ("\"annotations\":{\"title\":\"R\"}"), FALSE, TRUE },
    { PLAIN, WITH ("\"outputSchema\":{\"type\":\"object\"}"), FALSE, TRUE },
    { PLAIN, WITH ("\"icons\":[{\"src\":\"https://example.org/i.png\"}]"), FALSE, TRUE },
    { PLAIN, WITH ("\"execution\":{\"taskSupport\":\"required\"}"), FALSE, TRUE },
    { PLAIN, WITH ("\"x-of-tomorrow\":1"), FALSE, TRUE },
  };

  g_test_summary ("all that the server says of a tool decides, however it is written");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpToolPins) pins = approve (cases[i].former);
      gboolean digested;

      g_test_message ("%s", cases[i].json);
      g_assert_cmpint (passes (pins, cases[i].json, &digested), ==, cases[i].passes);
      g_assert_cmpint (digested, ==, cases[i].digested);
    }
}

static void
test_edited (void)
{
  g_autoptr (GmcpToolPins) same = approve (SECRET);
  g_autoptr (GmcpToolPins) literal = approve (SECRET);
  g_autoptr (GmcpToolPins) other = approve (SECRET);
  g_autoptr (GmcpToolPins) marked = approve (MARK);
  g_autoptr (GBytes) bytes = gmcp_tool_pins_write (same);

  g_test_summary ("where a secret was taken out, texts that are alike say nothing");
  g_assert_null (
    g_strstr_len (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), "s3cr3t"));
  g_assert_true (passes (same, SECRET, NULL));
  g_assert_false (passes (literal, MARK, NULL));
  g_assert_false (passes (other, SECRET2, NULL));
  g_test_message ("a mark that was there from the beginning is text like any other");
  g_assert_true (passes (marked, MARK, NULL));
  g_assert_false (passes (marked, SECRET, NULL));
}

/* A tool whose description has that many bytes. */
static char *
make_large (const char *name, gsize n_bytes, char letter)
{
  g_autofree char *filling = g_strnfill (n_bytes, letter);

  return g_strdup_printf ("{\"name\":\"%s\",\"description\":\"%s\"," SCHEMA ","
                          "\"annotations\":{\"readOnlyHint\":true}}",
                          name, filling);
}

static void
keep_view (const GmcpToolPinView *pin, gpointer data)
{
  GPtrArray *texts = data;

  g_ptr_array_add (texts, g_strdup (pin->present));
}

static void
test_large (void)
{
  g_autofree char *large = make_large ("read", 60000, 'x');
  g_autofree char *larger = make_large ("read", 60000, 'y');
  g_autoptr (GmcpToolPins) pins = approve (large);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *imitation = NULL;

  g_test_summary ("of what is large a hash is kept, part by part, and that decides");
  gmcp_tool_pins_foreach (pins, keep_view, texts);
  g_assert_cmpuint (texts->len, ==, 1);
  g_assert_nonnull (strstr (texts->pdata[0], "(60002 bytes)"));
  g_assert_nonnull (strstr (texts->pdata[0], "\"readOnlyHint\":true"));
  g_assert_cmpuint (strlen (texts->pdata[0]), <, 1000);

  g_assert_true (passes (pins, large, NULL));
  g_assert_false (passes (pins, larger, NULL));
  g_assert_true (passes (pins, large, NULL));
  g_test_message ("nor is a tool the same that says of itself what is kept of the other");
  imitation = g_strdup (texts->pdata[0]);
  g_assert_false (passes (pins, imitation, NULL));
}

static void
test_large_secret (void)
{
  g_autofree char *filling = g_strnfill (20000, 'x');
  g_autofree char *large = g_strdup_printf (
    "{\"name\":\"read\",\"title\":\"s3cr3t-s3cr3t\",\"description\":\"%s\"," SCHEMA "}", filling);
  g_autoptr (GmcpToolPins) pins = approve (large);
  g_autoptr (GBytes) bytes = gmcp_tool_pins_write (pins);

  g_test_summary ("what is kept of a large definition has no secret either");
  g_assert_true (passes (pins, large, NULL));
  g_assert_null (
    g_strstr_len (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), "s3cr3t"));
}

static guint
offer_many (GmcpToolPins *pins,
            const char *server,
            guint n_tools,
            gsize n_bytes,
            char letter,
            guint *n_approved,
            guint *n_unpinned)
{
  g_autoptr (GArray) sights = new_sights ();
  GmcpToolPinsNews news;
  guint n_flagged;

  for (guint i = 0; i < n_tools; i++)
    {
      g_autofree char *name = g_strdup_printf ("tool-%05u", i);
      g_autofree char *json = make_large (name, n_bytes, letter);

      add_sight (sights, json);
    }
  n_flagged = see_all (pins, server, "id", "", sights, &news, n_approved);
  *n_unpinned = news.n_unpinned;
  return n_flagged;
}

static void
test_flood (void)
{
  GmcpToolPins *pins = gmcp_tool_pins_new ();
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  guint n_approved;
  guint n_unpinned;

  g_test_summary ("a server with 36 MB of tools is pinned, and others stay so");
  g_assert_cmpuint (see (pins, "small", "id", "", &n_approved, PLAIN, NULL), ==, 0);
  g_assert_cmpuint (offer_many (pins, "flood", 600, 60000, 'x', &n_approved, &n_unpinned), ==, 0);
  g_assert_cmpuint (n_approved, ==, 600);
  write_and_read (&pins);

  g_test_message ("each of its tools");
  g_assert_cmpuint (offer_many (pins, "flood", 600, 60000, 'x', &n_approved, &n_unpinned), ==, 0);
  g_assert_cmpuint (n_approved, ==, 600);
  g_assert_cmpuint (offer_many (pins, "flood", 600, 60000, 'y', &n_approved, &n_unpinned), ==, 600);
  g_assert_cmpuint (n_approved, ==, 0);
  write_and_read (&pins);
  g_assert_cmpuint (offer_many (pins, "flood", 600, 60000, 'y', &n_approved, &n_unpinned), ==, 0);
  g_assert_cmpuint (n_approved, ==, 0);

  g_test_message ("and those of others");
  g_assert_cmpuint (see (pins, "small", "id", "", &n_approved, PLAIN, NULL), ==, 0);
  g_assert_cmpuint (n_approved, ==, 1);
  gmcp_tool_pins_foreach (pins, keep_view, texts);
  g_assert_cmpstr (texts->pdata[0], ==, PLAIN);
  g_assert_cmpuint (see (pins, "small", "id", "", &n_approved, OTHER, NULL), ==, 1);
  g_assert_cmpuint (n_approved, ==, 0);
  gmcp_tool_pins_free (pins);
}

static void
test_many (void)
{
  GmcpToolPins *pins = gmcp_tool_pins_new ();
  guint n_approved;
  guint n_unpinned;

  g_test_summary ("tools beyond the limit count as new, and are told of once");
  offer_many (pins, "many", GMCP_LIMIT_PINNED_TOOLS + 7, 1, 'x', &n_approved, &n_unpinned);
  g_assert_cmpuint (n_approved, ==, GMCP_LIMIT_PINNED_TOOLS);
  g_assert_cmpuint (n_unpinned, ==, 7);
  write_and_read (&pins);
  offer_many (pins, "many", GMCP_LIMIT_PINNED_TOOLS + 7, 1, 'x', &n_approved, &n_unpinned);
  g_assert_cmpuint (n_approved, ==, GMCP_LIMIT_PINNED_TOOLS);
  g_assert_cmpuint (n_unpinned, ==, 7);
  offer_many (pins, "many", GMCP_LIMIT_PINNED_TOOLS + 7, 1, 'x', &n_approved, &n_unpinned);
  g_assert_cmpuint (n_unpinned, ==, 0);
  gmcp_tool_pins_free (pins);

  g_test_message ("what was never approved and is gone makes room");
  pins = gmcp_tool_pins_new ();
  see (pins, "many", "id", "", &n_approved, PLAIN, NULL);
  for (guint round = 0; round < 3; round++)
    {
      g_autoptr (GArray) sights = new_sights ();
      GmcpToolPinsNews news;

      for (guint i = 0; i < GMCP_LIMIT_PINNED_TOOLS - 1; i++)
        {
          g_autofree char *json = g_strdup_printf ("{\"name\":\"t-%u-%u\"," SCHEMA "}", round, i);

          add_sight (sights, json);
        }
      see_all (pins, "many", "id", "", sights, &news, &n_approved);
      g_assert_cmpuint (n_approved, ==, 0);
      g_assert_cmpuint (news.n_unpinned, ==, 0);
    }
  g_assert_cmpuint (see (pins, "many", "id", "", &n_approved, PLAIN, NULL), ==, 0);
  g_assert_cmpuint (n_approved, ==, 1);
  gmcp_tool_pins_free (pins);
}

/* What one server offers in the test below. */
static void
offer_rich (GmcpToolPins *pins, guint server, guint n_tools, const char *text, guint *n_approved)
{
  g_autofree char *id = g_strdup_printf ("server-%u", server);
  g_autoptr (GArray) sights = new_sights ();
  GmcpToolPinsNews news;

  for (guint i = 0; i < n_tools; i++)
    {
      g_autofree char *json
        = g_strdup_printf ("{\"name\":\"tool-%u\",\"description\":\"%s\"," SCHEMA "}", i, text);

      add_sight (sights, json);
    }
  see_all (pins, id, "id", "", sights, &news, n_approved);
}

static void
test_shares (void)
{
  g_autofree char *text = g_strnfill (7000, 'x');
  const guint n_servers = 80;
  GmcpToolPins *pins = gmcp_tool_pins_new ();
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  guint n_approved;
  guint n_kept = 0;

  g_test_summary ("where all together are too large for a file, who needs little loses nothing");
  for (guint i = 0; i < n_servers; i++)
    offer_rich (pins, i, i == 0 ? 1 : 75, text, &n_approved);
  write_and_read (&pins);

  for (guint i = 0; i < n_servers; i++)
    {
      offer_rich (pins, i, i == 0 ? 1 : 75, text, &n_approved);
      g_assert_cmpuint (n_approved, ==, i == 0 ? 1 : 75);
    }
  gmcp_tool_pins_foreach (pins, keep_view, texts);
  g_assert_cmpuint (texts->len, ==, 1 + 75 * (n_servers - 1));
  g_assert_nonnull (texts->pdata[0]);
  for (guint i = 0; i < texts->len; i++)
    n_kept += texts->pdata[i] != NULL;
  g_assert_cmpuint (n_kept, <, texts->len);
  gmcp_tool_pins_free (pins);
}

static void
test_deep (void)
{
  const guint depth = GMCP_LIMIT_JSON_DEPTH - 4;
  g_autofree char *open = g_strnfill (depth, '[');
  g_autofree char *shut = g_strnfill (depth, ']');
  g_autofree char *deep = g_strdup_printf ("{\"name\":\"read\"," SCHEMA ",\"x\":%s%s}", open, shut);
  g_autoptr (GmcpToolPins) pins = approve (deep);

  g_test_summary ("how deep a definition is does not make the file unreadable");
  g_assert_true (passes (pins, deep, NULL));
  g_assert_false (passes (pins, PLAIN, NULL));
}

static void
test_long_name (void)
{
  g_autofree char *name = g_strnfill (100000, 'n');
  g_autofree char *other_name = g_strconcat (name, "m", NULL);
  g_autofree char *tool = make_large (name, 1, 'x');
  g_autofree char *changed = make_large (name, 1, 'y');
  g_autofree char *other = make_large (other_name, 1, 'x');
  g_autoptr (GmcpToolPins) pins = gmcp_tool_pins_new ();
  g_autoptr (GBytes) bytes = NULL;
  guint n_approved;

  g_test_summary ("a name that is very long is known by a hash");
  see (pins, ALONE, &n_approved, tool, other, NULL);
  g_assert_cmpuint (n_approved, ==, 2);
  bytes = gmcp_tool_pins_write (pins);
  g_assert_cmpuint (g_bytes_get_size (bytes), <, 2000);
  g_assert_cmpuint (see (pins, ALONE, &n_approved, changed, other, NULL), ==, 1);
  g_assert_cmpuint (n_approved, ==, 1);
}

static void
test_abilities (void)
{
  const char *ask = "{\"name\":\"ask\"," SCHEMA "}";
  const char *late = "{\"name\":\"late\"," SCHEMA "}";
  GmcpToolPins *pins = gmcp_tool_pins_new ();
  guint n_approved;

  g_test_summary ("what is offered only to who can answer questions is nothing new");
  g_assert_cmpuint (see (pins, "one", "id", "", &n_approved, PLAIN, NULL), ==, 0);
  g_assert_cmpuint (see (pins, "one", "id", "elicitation", &n_approved, PLAIN, ask, NULL), ==, 0);
  g_assert_cmpuint (n_approved, ==, 2);
  write_and_read (&pins);
  g_assert_cmpuint (see (pins, "one", "id", "", &n_approved, PLAIN, NULL), ==, 0);
  g_assert_cmpuint (see (pins, "one", "id", "elicitation", &n_approved, PLAIN, ask, NULL), ==, 0);
  g_assert_cmpuint (n_approved, ==, 2);

  g_test_message ("what comes later is, and so is what was known to be something else");
  g_assert_cmpuint (see (pins, "one", "id", "", &n_approved, PLAIN, late, NULL), ==, 1);
  g_assert_cmpuint (see (pins, "one", "id", "", &n_approved, PLAIN, ask, NULL), ==, 1);
  g_assert_cmpuint (see (pins, "one", "id", "elicitation", &n_approved, OTHER, NULL), ==, 1);
  g_assert_cmpuint (see (pins, "one", "id", "sampling", &n_approved, OTHER, NULL), ==, 1);
  g_assert_cmpuint (n_approved, ==, 0);

  g_test_message ("each host goes on to be told of its own once");
  g_assert_cmpuint (see (pins, "one", "id", "", &n_approved, PLAIN, NULL), ==, 0);
  g_assert_cmpuint (n_approved, ==, 1);
  g_assert_cmpuint (see (pins, "one", "id", "elicitation", &n_approved, OTHER, NULL), ==, 0);
  g_assert_cmpuint (n_approved, ==, 0);

  g_test_message ("what is approved is so for all");
  g_assert_cmpuint (gmcp_tool_pins_approve (pins, "one", "read", NULL), ==, 2);
  see (pins, "one", "id", "elicitation", &n_approved, OTHER, NULL);
  g_assert_cmpuint (n_approved, ==, 1);
  see (pins, "one", "id", "", &n_approved, PLAIN, NULL);
  g_assert_cmpuint (n_approved, ==, 1);
  gmcp_tool_pins_free (pins);
}

static char *
make_former (const char *json)
{
  g_autoptr (GmcpTool) tool = gmcp_tool_new_from_json (json, NULL);
  g_autofree char *digest = gmcp_tool_digest_told_value (gmcp_definition_get_value (tool));

  return g_strdup_printf (
    "{\"version\":1,\"servers\":[{\"id\":\"one\",\"identity\":\"id\",\"tools\":["
    "{\"name\":\"read\",\"digest\":\"%s\",\"definition\":%s},"
    "{\"name\":\"gone\",\"digest\":\"%s\",\"definition\":%s}]}]}",
    digest, PLAIN, digest, PLAIN);
}

static void
test_former (void)
{
  g_autofree char *text = make_former (PLAIN);
  GmcpToolPins *pins = parse_text (text);
  g_autoptr (GmcpToolPins) changed = parse_text (text);
  g_autoptr (GArray) sights = new_sights ();
  GmcpToolPinsNews news;
  guint n_approved;

  g_test_summary ("a file of an earlier version raises no false alarm, and hides no change");
  add_sight (sights, HARMLESS);
  g_assert_cmpuint (see_all (pins, ALONE, sights, &news, &n_approved), ==, 0);
  g_assert_cmpuint (n_approved, ==, 1);
  g_assert_cmpuint (news.n_adopted, ==, 1);
  write_and_read (&pins);
  g_assert_cmpuint (see_all (pins, ALONE, sights, &news, &n_approved), ==, 0);
  g_assert_cmpuint (news.n_adopted, ==, 0);
  g_assert_false (passes (pins, HARMFUL, NULL));
  g_assert_false (passes (changed, OTHER, NULL));

  g_test_message ("what is not offered at present is still compared as it was");
  g_assert_cmpuint (
    see (pins, ALONE, &n_approved, "{\"name\":\"gone\",\"description\":\"x\"," SCHEMA "}", NULL),
    ==, 1);
  gmcp_tool_pins_free (pins);
}

static void
test_file (void)
{
  const char *newer = "{\"version\":99,\"servers\":[]}";
  g_autoptr (GmcpToolPins) pins
    = parse_text ("{\"servers\":[{\"id\":\"one\",\"identity\":\"id\",\"tools\":[{\"name\":\"read\","
                  "\"definition\":" PLAIN "}]}]}");
  g_autoptr (GBytes) bytes = g_bytes_new_static (newer, strlen (newer));
  g_autoptr (GError) error = NULL;

  g_test_summary ("a definition without a digest was approved by nobody");
  g_assert_false (passes (pins, PLAIN, NULL));
  g_assert_null (gmcp_tool_pins_parse (bytes, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
}

#define ROW(members, tools)                                                                        \
  "{\"version\":2,\"servers\":[{\"id\":\"one\"" members ",\"tools\":[" tools "]}]}"
#define TOOL "{\"name\":\"read\",\"digest\":\"d\"}"

static void
test_odd (void)
{
  static const char *const odd[] = {
    ROW ("", TOOL),
    ROW (",\"identity\":5", TOOL),
    ROW (",\"identity\":\"i\",\"abilities\":5", TOOL),
    ROW (",\"identity\":\"i\"", TOOL "," TOOL),
    ROW (",\"identity\":\"i\"", "{\"digest\":\"d\"}"),
    ROW (",\"identity\":\"i\"", "{\"name\":7,\"digest\":\"d\"}"),
    ROW (",\"identity\":\"i\"", "7"),
    "{\"version\":2,\"servers\":[7]}",
    ROW (",\"identity\":\"i\",\"tools\":[]},{\"id\":\"one\",\"identity\":\"i\"", TOOL),
    "{\"version\":\"2\",\"servers\":[]}",
  };
  g_autoptr (GmcpToolPins) even = parse_text (ROW (",\"identity\":\"i\"", TOOL));

  g_test_summary (
    "a file of which a part cannot be read is refused: that part would be a first sight");
  g_assert_nonnull (even);
  for (gsize i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (odd[i], strlen (odd[i]));
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", odd[i]);
      g_assert_null (gmcp_tool_pins_parse (bytes, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
    }
}

static void
test_servers (void)
{
  g_autoptr (GmcpToolPins) pins = gmcp_tool_pins_new ();
  guint n_approved;

  g_test_summary ("no server is forgotten for another one; only what it was before is");
  for (guint i = 0; i < GMCP_LIMIT_PINNED_SERVERS; i++)
    {
      g_autofree char *id = g_strdup_printf ("server-%u", i);

      see (pins, id, "id", "", &n_approved, PLAIN, NULL);
    }
  g_assert_cmpuint (see (pins, "one-more", "id", "", &n_approved, PLAIN, NULL), ==, 0);
  g_assert_cmpuint (n_approved, ==, 0);
  g_assert_cmpuint (see (pins, "server-0", "id", "", &n_approved, OTHER, NULL), ==, 1);
  g_assert_cmpuint (gmcp_tool_pins_approve (pins, NULL, NULL, NULL), ==, 1);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  redactor = gmcp_redactor_new ();
  gmcp_redactor_add_secret (redactor, "s3cr3t-s3cr3t");
  gmcp_redactor_add_secret (redactor, "another-s3cr3t");

  g_test_add_func ("/tool-pins/plain", test_plain);
  g_test_add_func ("/tool-pins/edited", test_edited);
  g_test_add_func ("/tool-pins/large", test_large);
  g_test_add_func ("/tool-pins/large-secret", test_large_secret);
  g_test_add_func ("/tool-pins/flood", test_flood);
  g_test_add_func ("/tool-pins/many", test_many);
  g_test_add_func ("/tool-pins/shares", test_shares);
  g_test_add_func ("/tool-pins/deep", test_deep);
  g_test_add_func ("/tool-pins/long-name", test_long_name);
  g_test_add_func ("/tool-pins/abilities", test_abilities);
  g_test_add_func ("/tool-pins/former", test_former);
  g_test_add_func ("/tool-pins/file", test_file);
  g_test_add_func ("/tool-pins/odd", test_odd);
  g_test_add_func ("/tool-pins/servers", test_servers);

  status = g_test_run ();
  gmcp_redactor_free (redactor);
  return status;
}
