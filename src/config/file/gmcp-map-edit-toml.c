/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-writer-private.h"
#include "gmcp-map-edit-private.h"
#include "gmcp-text-lines-private.h"
#include "gmcp-toml-place-private.h"

/* Lines that stand together and are of the entry. */
typedef struct
{
  gsize start;
  gsize end;
  gboolean is_table; /* begins with a header */
} Region;

static gboolean
is_blank_between (const GString *text, gsize start, gsize end)
{
  return start + strspn (text->str + start, " \t\r\n") >= end;
}

/* Whether what stands there is one with the region: a pair behind its own header, with whatever is said between the
 * two, or a table with nothing between. */
static gboolean
is_of_region (const GString *text,
              const Region *region,
              const GmcpTomlPlace *place,
              gboolean is_next)
{
  if (!region->is_table)
    return FALSE;
  return place->is_header ? is_blank_between (text, region->end, place->start) : is_next;
}

/* The tables of the entry with their pairs, and pairs of other tables that are of the entry. */
static GArray *
find_regions (const GString *text, const GmcpMapPlace *place, GPtrArray *places)
{
  const char *keys[] = { place->map_key, place->name, NULL };
  GArray *regions = g_array_new (FALSE, FALSE, sizeof (Region));
  guint n_seen = 0; /* of the places, up to the last one that is in a region */

  for (guint i = 0; i < places->len; i++)
    {
      const GmcpTomlPlace *one = g_ptr_array_index (places, i);
      Region *last = regions->len > 0 ? &g_array_index (regions, Region, regions->len - 1) : NULL;
      Region region = { one->start, one->end, one->is_header };

      if (!gmcp_toml_place_is_below (one, keys))
        continue;
      if (last != NULL && is_of_region (text, last, one, n_seen == i))
        last->end = one->end;
      else
        g_array_append_val (regions, region);
      n_seen = i + 1;
    }
  return regions;
}

static gboolean
is_blank_line (const GString *text, gsize start)
{
  gsize position = start + strspn (text->str + start, " \t\r");

  return position < text->len && text->str[position] == '\n';
}

/* One of the blank lines around a table goes with it. */
static Region
widen_region (const GString *text, const Region *region)
{
  Region wide = *region;
  gsize before = region->start > 0 ? gmcp_text_find_line_start (text, region->start - 1) : 0;
  gboolean is_blank_behind = region->end >= text->len || is_blank_line (text, region->end);

  if (!region->is_table || !is_blank_behind)
    return wide;
  if (region->start > 0 && is_blank_line (text, before))
    wide.start = before;
  else if (region->start == 0 && region->end < text->len)
    wide.end = region->end + strcspn (text->str + region->end, "\n") + 1;
  return wide;
}

/* The text without the regions; rendered stands in the place of the first, where that is not NULL. */
static char *
cut_regions (const GString *text, GArray *regions, const char *rendered)
{
  GString *out = g_string_sized_new (text->len);
  gsize position = 0;

  for (guint i = 0; i < regions->len; i++)
    {
      const Region *region = &g_array_index (regions, Region, i);
      Region wide = i == 0 && rendered != NULL ? *region : widen_region (text, region);
      gsize start = MAX (wide.start, position);

      g_string_append_len (out, text->str + position, (gssize) (start - position));
      if (i == 0 && rendered != NULL)
        g_string_append (out, rendered);
      position = MAX (wide.end, position);
    }
  g_string_append_len (out, text->str + position, (gssize) (text->len - position));
  return g_string_free (out, FALSE);
}

static char *
render_entry (const GmcpMapPlace *place, JsonObject *entry)
{
  g_autoptr (JsonObject) root = json_object_new ();
  JsonObject *map = json_object_new ();

  json_object_set_object_member (map, place->name, json_object_ref (entry));
  json_object_set_object_member (root, place->map_key, map);
  return gmcp_config_write_object (root, GMCP_CONFIG_FORMAT_TOML);
}

/* A header begins a table wherever it stands, so that the end of the file is as good as any other place. */
static char *
append_entry (const GString *text, const char *rendered)
{
  gboolean is_ended = text->len == 0 || text->str[text->len - 1] == '\n';

  return g_strconcat (text->str, is_ended ? "" : "\n", text->len > 0 ? "\n" : "", rendered, NULL);
}

static gboolean
check_replaceable (const GString *text, const GmcpMapPlace *place, GArray *regions, GError **error)
{
  if (!g_array_index (regions, Region, 0).is_table)
    return gmcp_map_edit_refuse (place, error);
  for (guint i = 0; i < regions->len; i++)
    {
      const Region *region = &g_array_index (regions, Region, i);

      if (gmcp_text_has_comment (text, region->start, region->end))
        return gmcp_map_edit_refuse_comments (place, error);
    }
  return TRUE;
}

char *
gmcp_map_edit_toml (const GmcpMapPlace *place,
                    const char *text,
                    gsize length,
                    JsonObject *entry,
                    GError **error)
{
  g_autoptr (GPtrArray) places = gmcp_toml_list_places (text, length, error);
  g_autoptr (GString) present = g_string_new_len (text, (gssize) length);
  g_autofree char *rendered = entry != NULL ? render_entry (place, entry) : NULL;
  g_autoptr (GArray) regions = NULL;

  if (places == NULL)
    return NULL;
  regions = find_regions (present, place, places);
  if (regions->len == 0 && entry != NULL)
    return append_entry (present, rendered);
  if (entry != NULL && !check_replaceable (present, place, regions, error))
    return NULL;
  return cut_regions (present, regions, rendered);
}
