/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-yaml-place-private.h"

#include <gmcp/core/gmcp-error.h>

#ifdef HAVE_YAML

#include <string.h>

#include "gmcp-libyaml-private.h"

#define OFF_PATH G_MAXUINT

/* A container that is open. */
typedef struct
{
  gboolean is_map;
  gboolean wants_key;
  gboolean is_next; /* the value that comes is on the path */
  guint level;      /* how many keys of the path lead here */
} Frame;

typedef struct
{
  const char *text;
  const char *const *path;
  guint n_keys;
  GArray *frames;
  GmcpYamlPlace *place;
  yaml_mark_t last_end; /* of what was read and has characters */
  guint target_depth;   /* of the value that is looked for, while it is read; 0 before */
  gboolean is_found;
} Search;

static gsize
find_offset (Search *search, yaml_mark_t mark)
{
  return (gsize) (g_utf8_offset_to_pointer (search->text, (glong) mark.index) - search->text);
}

static Frame *
get_top (Search *search)
{
  return search->frames->len > 0 ? &g_array_index (search->frames, Frame, search->frames->len - 1)
                                 : NULL;
}

/* The value that is looked for begins. */
static gboolean
is_target (Search *search)
{
  Frame *top = get_top (search);

  return top != NULL && top->is_map && !top->wants_key && top->is_next
         && top->level + 1 == search->n_keys && !search->is_found && search->target_depth == 0;
}

static void
end_node (Search *search)
{
  Frame *top = get_top (search);

  if (top == NULL || !top->is_map)
    return;
  if (!top->wants_key)
    top->is_next = FALSE;
  top->wants_key = !top->wants_key;
}

static void
take_key (Search *search, Frame *top, const yaml_event_t *event)
{
  const char *key = (const char *) event->data.scalar.value;

  if (search->target_depth > 0 && search->frames->len == search->target_depth
      && search->place->is_empty)
    {
      search->place->is_empty = FALSE;
      search->place->child_start = find_offset (search, event->start_mark);
      search->place->child_indent = (guint) event->start_mark.column;
    }
  top->is_next = top->level != OFF_PATH && g_str_equal (key, search->path[top->level]);
  if (top->is_next && top->level + 1 == search->n_keys && search->target_depth == 0)
    {
      search->place->key_start = find_offset (search, event->start_mark);
      search->place->key_end = find_offset (search, event->end_mark);
    }
}

static void
take_scalar (Search *search, const yaml_event_t *event)
{
  Frame *top = get_top (search);
  gboolean is_alias = event->type == YAML_ALIAS_EVENT;

  if (event->end_mark.index > event->start_mark.index)
    search->last_end = event->end_mark;
  if (top != NULL && top->is_map && top->wants_key && !is_alias)
    {
      take_key (search, top, event);
    }
  else if (is_target (search))
    {
      search->is_found = TRUE;
      search->place->value_start = find_offset (search, event->start_mark);
      search->place->value_end = find_offset (search, event->end_mark);
      search->place->is_empty = event->end_mark.index == event->start_mark.index;
    }
  end_node (search);
}

static void
open_container (Search *search, const yaml_event_t *event, gboolean is_map)
{
  Frame *top = get_top (search);
  Frame frame = { .is_map = is_map, .wants_key = is_map, .level = OFF_PATH };

  if (top == NULL)
    frame.level = is_map ? 0 : OFF_PATH;
  else if (top->is_map && !top->wants_key && top->is_next && is_map
           && top->level + 1 < search->n_keys)
    frame.level = top->level + 1;

  if (is_target (search))
    {
      gboolean is_flow = is_map ? event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                                : event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;

      search->target_depth = search->frames->len + 1;
      search->place->value_start = find_offset (search, event->start_mark);
      search->place->is_flow = is_map && is_flow;
      search->place->is_block = is_map && !is_flow;
      search->place->is_empty = TRUE;
    }
  g_array_append_val (search->frames, frame);
}

/* A block has no end of its own: what comes behind it begins there. */
static void
close_container (Search *search, const yaml_event_t *event)
{
  if (event->end_mark.index > event->start_mark.index)
    search->last_end = event->end_mark;
  if (search->target_depth > 0 && search->frames->len == search->target_depth)
    {
      search->place->value_end = find_offset (search, search->last_end);
      search->target_depth = 0;
      search->is_found = TRUE;
    }
  g_array_set_size (search->frames, search->frames->len - 1);
  end_node (search);
}

static void
take_event (Search *search, const yaml_event_t *event)
{
  switch (event->type)
    {
    case YAML_SCALAR_EVENT:
    case YAML_ALIAS_EVENT:
      take_scalar (search, event);
      break;
    case YAML_SEQUENCE_START_EVENT:
      open_container (search, event, FALSE);
      break;
    case YAML_MAPPING_START_EVENT:
      open_container (search, event, TRUE);
      break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      close_container (search, event);
      break;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_START_EVENT:
    case YAML_DOCUMENT_END_EVENT:
    default:
      break;
    }
}

/* FALSE where the text is no YAML, or is nested too deeply. */
static gboolean
read_events (Search *search, const GmcpLibyaml *yaml, yaml_parser_t *parser)
{
  while (!search->is_found)
    {
      yaml_event_t event;
      gboolean at_end;

      if (search->frames->len > GMCP_LIMIT_CONFIG_DEPTH || !yaml->parser_parse (parser, &event))
        return FALSE;
      take_event (search, &event);
      at_end = event.type == YAML_STREAM_END_EVENT;
      yaml->event_delete (&event);
      if (at_end)
        break;
    }
  return TRUE;
}

gboolean
gmcp_yaml_find_place (const char *text,
                      gsize length,
                      const char *const *path,
                      GmcpYamlPlace *place,
                      GError **error)
{
  const GmcpLibyaml *yaml = gmcp_libyaml_load (error);
  g_autoptr (GArray) frames = g_array_new (FALSE, TRUE, sizeof (Frame));
  Search search = { .text = text,
                    .path = path,
                    .n_keys = g_strv_length ((GStrv) path),
                    .frames = frames,
                    .place = place };
  yaml_parser_t parser;
  gboolean fine;

  if (yaml == NULL)
    return FALSE;
  if (!yaml->parser_initialize (&parser))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_FAILED, _ ("out of memory"));
      return FALSE;
    }

  *place = (GmcpYamlPlace){ 0 };
  yaml->parser_set_input_string (&parser, (const unsigned char *) text, length);
  yaml->parser_set_encoding (&parser, YAML_UTF8_ENCODING);
  fine = read_events (&search, yaml, &parser);
  yaml->parser_delete (&parser);
  if (!fine)
    g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, _ ("it cannot be read"));
  else if (!search.is_found)
    g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED, _ ("it is not there"));
  return search.is_found;
}

#else

gboolean
gmcp_yaml_find_place (const char *text,
                      gsize length,
                      const char *const *path,
                      GmcpYamlPlace *place,
                      GError **error)
{
  g_set_error_literal (
    error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
    _ ("this build of gmcp does not read YAML: use JSON or TOML, or build it with "
       "libyaml"));
  return FALSE;
}

#endif
