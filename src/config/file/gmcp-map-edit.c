/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-map-edit-private.h"

#include <gmcp/core/gmcp-error.h>

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

gboolean
gmcp_map_edit_refuse (const GmcpMapPlace *place, GError **error)
{
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
               _ ("“%s” does not stand there in lines of its own; change it by hand"), place->name);
  return FALSE;
}

gboolean
gmcp_map_edit_refuse_comments (const GmcpMapPlace *place, GError **error)
{
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
               _ ("there are comments within “%s”, which would get lost; change it by hand"),
               place->name);
  return FALSE;
}

gboolean
gmcp_map_edit_is_blank (const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    {
      if (!g_ascii_isspace (text[i]))
        return FALSE;
    }
  return TRUE;
}

/* A blank text is an empty map in every format. */
static GmcpConfigDocument *
parse_text (GmcpConfigFormat format, const char *text, gsize length, GError **error)
{
  guint line = 0;
  GmcpConfigDocument *document
    = gmcp_map_edit_is_blank (text, length)
        ? gmcp_config_document_parse ("{}", 2, GMCP_CONFIG_FORMAT_JSON, &line, error)
        : gmcp_config_document_parse (text, length, format, &line, error);

  if (document == NULL && line > 0)
    /* Translators: the number of a line; a problem follows */
    g_prefix_error (error, _ ("line %u: "), line);
  return document;
}

static GmcpJsonValue
get_map (const GmcpMapPlace *place, GmcpConfigDocument *document)
{
  return gmcp_json_value_get_member (gmcp_json_doc_get_root (document->json), place->map_key);
}

JsonObject *
gmcp_map_edit_dup_entry (const GmcpMapPlace *place, GmcpConfigDocument *document)
{
  GmcpJsonValue entry = gmcp_json_value_get_member (get_map (place, document), place->name);
  g_autoptr (JsonNode) node = NULL;

  if (!gmcp_json_value_is_object (entry))
    return NULL;
  node = gmcp_json_value_to_node (entry);
  return json_node_dup_object (node);
}

/* The next member that has another name. */
static gboolean
find_next_other (GmcpJsonIter *iter, const char *name, GmcpJsonValue *key, GmcpJsonValue *value)
{
  while (gmcp_json_iter_next (iter, key, value))
    {
      if (!gmcp_json_value_equals_string (*key, name))
        return TRUE;
    }
  return FALSE;
}

/* Whether two objects are written alike, but for the members of one name. */
static gboolean
are_same_but (GmcpJsonValue before, GmcpJsonValue after, const char *name)
{
  GmcpJsonIter old, new;
  GmcpJsonValue old_key, old_value, new_key, new_value;

  gmcp_json_iter_init (&old, before);
  gmcp_json_iter_init (&new, after);
  while (find_next_other (&old, name, &old_key, &old_value))
    {
      if (!find_next_other (&new, name, &new_key, &new_value)
          || !gmcp_json_value_same_raw (old_key, new_key)
          || !gmcp_json_value_same_raw (old_value, new_value))
        return FALSE;
    }
  return !find_next_other (&new, name, &new_key, &new_value);
}

static gboolean
is_as_wanted (GmcpJsonValue got, JsonObject *entry)
{
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GmcpJsonDoc) wanted = NULL;

  if (entry == NULL)
    return !gmcp_json_value_is_present (got);
  node = json_node_init_object (json_node_alloc (), entry);
  wanted = gmcp_json_doc_from_node (node, NULL);
  return wanted != NULL && gmcp_json_value_equal (got, gmcp_json_doc_get_root (wanted));
}

/* Reads the new text: what was not asked for is not done. */
static gboolean
check_result (const GmcpMapPlace *place,
              GmcpConfigDocument *before,
              const char *edited,
              JsonObject *entry,
              GError **error)
{
  g_autoptr (GmcpConfigDocument) after = parse_text (place->format, edited, strlen (edited), error);

  if (after == NULL)
    return FALSE;
  if (are_same_but (gmcp_json_doc_get_root (before->json), gmcp_json_doc_get_root (after->json),
                    place->map_key)
      && are_same_but (get_map (place, before), get_map (place, after), place->name)
      && is_as_wanted (gmcp_json_value_get_member (get_map (place, after), place->name), entry))
    return TRUE;
  g_set_error (
    error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
    _ ("“%s” cannot be changed there so that all else reads the same; change it by hand"),
    place->name);
  return FALSE;
}

static char *
edit_text (const GmcpMapPlace *place,
           const char *text,
           gsize length,
           JsonObject *entry,
           GError **error)
{
  switch (place->format)
    {
    case GMCP_CONFIG_FORMAT_YAML:
      return gmcp_map_edit_yaml (place, text, length, entry, error);
    case GMCP_CONFIG_FORMAT_TOML:
      return gmcp_map_edit_toml (place, text, length, entry, error);
    case GMCP_CONFIG_FORMAT_JSON:
    default:
      return gmcp_map_edit_json (place, text, length, entry, error);
    }
}

static char *
edit_and_check (const GmcpMapPlace *place,
                const char *text,
                gsize length,
                JsonObject *entry,
                GError **error)
{
  g_autofree char *present = g_strndup (text != NULL ? text : "", length);
  g_autoptr (GmcpConfigDocument) before = parse_text (place->format, present, length, error);
  gsize n_marked = g_str_has_prefix (present, BYTE_ORDER_MARK) ? strlen (BYTE_ORDER_MARK) : 0;
  g_autofree char *edited = NULL;
  g_autofree char *marked = NULL;
  GmcpJsonValue root, map;

  if (before == NULL)
    return NULL;
  root = gmcp_json_doc_get_root (before->json);
  map = get_map (place, before);
  if ((!gmcp_json_value_is_object (root)
       && (place->format != GMCP_CONFIG_FORMAT_YAML
           || gmcp_json_value_get_kind (root) != GMCP_JSON_NULL))
      || (gmcp_json_value_is_present (map) && !gmcp_json_value_is_object (map)
          && gmcp_json_value_get_kind (map) != GMCP_JSON_NULL))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("its servers do not stand in an object below “%s”"), place->map_key);
      return NULL;
    }

  if (entry == NULL && !gmcp_json_value_is_present (gmcp_json_value_get_member (map, place->name)))
    return g_steal_pointer (&present);
  edited = edit_text (place, present + n_marked, length - n_marked, entry, error);
  if (edited == NULL)
    return NULL;
  marked = g_strconcat (n_marked > 0 ? BYTE_ORDER_MARK : "", edited, NULL);
  return check_result (place, before, marked, entry, error) ? g_steal_pointer (&marked) : NULL;
}

char *
gmcp_map_edit_set (const GmcpMapPlace *place,
                   const char *text,
                   gsize length,
                   JsonObject *entry,
                   GError **error)
{
  return edit_and_check (place, text, length, entry, error);
}

char *
gmcp_map_edit_remove (const GmcpMapPlace *place, const char *text, gsize length, GError **error)
{
  return edit_and_check (place, text, length, NULL, error);
}
