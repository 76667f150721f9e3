/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gmcp-line-diff-private.h"
#include "gmcp-map-edit-private.h"

/* The file of another program, into which an entry is set and out of which it is taken: the first letter says the format.
 * What succeeds can be read, is the same when it is done once more, and can be undone; nothing else is another thing
 * then. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static const GmcpMapPlace places[] = {
  { GMCP_CONFIG_FORMAT_JSON, "mcpServers", "gmcp" },
  { GMCP_CONFIG_FORMAT_YAML, "extensions", "gmcp" },
  { GMCP_CONFIG_FORMAT_TOML, "mcp_servers", "gmcp" },
};

static void
check_at (gboolean holds, const char *condition, int line)
{
  if (G_LIKELY (holds))
    return;
  g_printerr ("%s:%d: not so: %s\n", __FILE__, line, condition);
  abort ();
}

#define check(condition) check_at (condition, #condition, __LINE__)

static JsonObject *
make_entry (void)
{
  g_autoptr (JsonNode) node = json_from_string (
    "{\"command\": \"/opt/g mcp\", \"args\": [\"gateway\", \"-c\", \"x\\\"#y\"], "
    "\"enabled\": true}",
    NULL);

  return json_node_dup_object (node);
}

/* What was set can be set again, and is the same; without the entry it is what it would have been. */
static void
check_set (const GmcpMapPlace *place, const char *text, gsize length, JsonObject *entry)
{
  g_autofree char *with = gmcp_map_edit_set (place, text, length, entry, NULL);
  g_autofree char *twice = NULL;
  g_autofree char *without = NULL;
  g_autofree char *diff = NULL;
  g_autofree char *again = NULL;

  if (with == NULL)
    return;
  twice = gmcp_map_edit_set (place, with, strlen (with), entry, NULL);
  check (g_strcmp0 (twice, with) == 0);
  without = gmcp_map_edit_remove (place, with, strlen (with), NULL);
  check (without != NULL);
  again = gmcp_map_edit_remove (place, without, strlen (without), NULL);
  check (g_strcmp0 (again, without) == 0);
  diff = gmcp_line_diff (without, with);
  check (*diff != '\0');
}

static void
check_remove (const GmcpMapPlace *place, const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *without = gmcp_map_edit_remove (place, text, length, &error);

  check ((without == NULL) == (error != NULL));
  check (error == NULL || g_utf8_validate (error->message, -1, NULL));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (JsonObject) entry = make_entry ();
  g_autofree char *text = NULL;
  const GmcpMapPlace *place;

  if (size == 0)
    return 0;
  place = &places[data[0] % G_N_ELEMENTS (places)];
  text = g_strndup ((const char *) data + 1, size - 1);
  check_set (place, text, size - 1, entry);
  check_remove (place, text, size - 1);
  return 0;
}
