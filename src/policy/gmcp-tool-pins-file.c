/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-record-file-private.h"
#include "gmcp-tool-pins-model-private.h"

#include <gmcp/core/gmcp-error.h>

/* {"version":2,"servers":[{"id","identity","abilities","tools":[{"name","digest","definition","whole",
 * "pending":{"digest","definition","whole"}},…]},…]}; a tool without a digest was never approved. The
 * definition is a text, so that what is in it, however deep, is no part of this file's JSON. In version 1
 * the definition was an object and the digest one of name, description and schemas only; a digest that
 * still is has “told”. */
#define VERSION 2

static const GmcpRecordField form_fields[] = {
  { "digest", GMCP_RECORD_STRING, G_STRUCT_OFFSET (GmcpPinnedForm, digest), TRUE },
  { "told", GMCP_RECORD_FLAG, G_STRUCT_OFFSET (GmcpPinnedForm, is_told), FALSE },
  { "whole", GMCP_RECORD_FLAG, G_STRUCT_OFFSET (GmcpPinnedForm, is_whole), FALSE },
  { "definition", GMCP_RECORD_STRING, G_STRUCT_OFFSET (GmcpPinnedForm, definition), FALSE },
  { NULL },
};

static const GmcpRecordField server_fields[] = {
  { "id", GMCP_RECORD_STRING, G_STRUCT_OFFSET (GmcpPinnedServer, id), TRUE },
  { "identity", GMCP_RECORD_STRING, G_STRUCT_OFFSET (GmcpPinnedServer, identity), TRUE },
  { "abilities", GMCP_RECORD_STRING, G_STRUCT_OFFSET (GmcpPinnedServer, abilities), FALSE },
  { NULL },
};

static void
read_form (GmcpPinnedForm *form, GmcpJsonValue value, gint64 version)
{
  GmcpJsonValue definition = gmcp_json_value_get_member (value, "definition");

  if (!gmcp_record_read (form_fields, value, form))
    return;

  if (gmcp_json_value_is_object (definition))
    form->definition = gmcp_json_value_dup_raw (definition);
  form->is_told |= version < VERSION;
  form->is_whole &= form->definition != NULL;
}

/* What cannot be read might be a tool or a server that was changed since: without it that would be a first
 * sight. So the whole file is refused. */
static gboolean
set_unreadable (const char *name, const char *server, GError **error)
{
  g_autofree char *shown = gmcp_protocol_shorten (name != NULL ? name : server);

  if (name != NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                 _ ("“%s” is there twice; mend the file or remove it"), shown);
  else
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                 _ ("a tool of server “%s” cannot be read; mend the file or remove it"), shown);
  return FALSE;
}

static gboolean
read_tool (GmcpPinnedServer *server, GmcpJsonValue value, gint64 version, GError **error)
{
  g_autofree char *name = gmcp_json_value_dup_string (gmcp_json_value_get_member (value, "name"));
  GmcpPinnedTool *tool;

  if (name == NULL)
    return set_unreadable (NULL, server->id, error);
  if (g_hash_table_contains (server->tools, name))
    return set_unreadable (name, server->id, error);

  tool = g_new0 (GmcpPinnedTool, 1);
  read_form (&tool->approved, value, version);
  read_form (&tool->pending, gmcp_json_value_get_member (value, "pending"), version);
  /* What has neither was seen by nobody. */
  if (tool->approved.digest != NULL || tool->pending.digest != NULL)
    g_hash_table_insert (server->tools, g_steal_pointer (&name), tool);
  else
    gmcp_pinned_tool_free (tool);
  return TRUE;
}

static gboolean
read_server (GmcpToolPins *self, GmcpJsonValue value, gint64 version, GError **error)
{
  GmcpPinnedServer read = { NULL };
  GmcpPinnedServer *server = NULL;
  GmcpJsonIter iter;
  GmcpJsonValue tool;

  if (!gmcp_record_read_exactly (server_fields, value, &read, error))
    return FALSE;

  if (gmcp_tool_pins_find (self, read.id, read.identity, read.abilities) == NULL)
    server = gmcp_pinned_server_new (read.id, read.identity, read.abilities);
  else
    set_unreadable (read.id, NULL, error);
  gmcp_record_clear (server_fields, &read);
  if (server == NULL)
    return FALSE;

  g_ptr_array_add (self->servers, server);
  gmcp_json_iter_init (&iter, gmcp_json_value_get_member (value, "tools"));
  while (gmcp_json_iter_next (&iter, NULL, &tool))
    if (!read_tool (server, tool, version, error))
      return FALSE;
  return TRUE;
}

GmcpToolPins *
gmcp_tool_pins_parse (GBytes *bytes, GError **error)
{
  g_autoptr (GmcpToolPins) self = gmcp_tool_pins_new ();
  g_autoptr (GmcpJsonDoc) doc = NULL;
  gint64 version = 1;
  GmcpJsonIter iter;
  GmcpJsonValue servers, server, written;

  if (!gmcp_record_file_parse (bytes, "servers", GMCP_JSON_ARRAY, &doc, &servers, error))
    return NULL;
  if (doc == NULL)
    return g_steal_pointer (&self);

  written = gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "version");
  if (gmcp_json_value_is_present (written) && !gmcp_json_value_get_int64 (written, &version))
    version = G_MAXINT64;
  if (version > VERSION)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("a newer version of the program has written it; use that one, or remove the "
                      "file"));
      return NULL;
    }

  gmcp_json_iter_init (&iter, servers);
  while (gmcp_json_iter_next (&iter, NULL, &server))
    if (!read_server (self, server, version, error))
      return NULL;
  return g_steal_pointer (&self);
}

static void
write_tool (GmcpJsonWriter *writer, const char *key, const GmcpPinnedTool *tool)
{
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "name", key);
  if (tool->approved.digest != NULL)
    gmcp_record_write_members (form_fields, &tool->approved, writer);
  if (tool->pending.digest != NULL)
    {
      gmcp_json_writer_key (writer, "pending");
      gmcp_json_writer_begin_object (writer);
      gmcp_record_write_members (form_fields, &tool->pending, writer);
      gmcp_json_writer_end_object (writer);
    }
  gmcp_json_writer_end_object (writer);
}

static void
write_server (GmcpJsonWriter *writer, GmcpPinnedServer *server)
{
  g_autoptr (GPtrArray) keys = gmcp_pinned_server_list_keys (server);

  gmcp_json_writer_begin_object (writer);
  gmcp_record_write_members (server_fields, server, writer);
  gmcp_json_writer_key (writer, "tools");
  gmcp_json_writer_begin_array (writer);
  for (guint i = 0; i < keys->len; i++)
    write_tool (writer, g_ptr_array_index (keys, i),
                g_hash_table_lookup (server->tools, g_ptr_array_index (keys, i)));
  gmcp_json_writer_end_array (writer);
  gmcp_json_writer_end_object (writer);
}

static GBytes *
write_all (GmcpToolPins *self)
{
  GmcpJsonWriter writer = gmcp_record_file_begin (g_string_new (NULL), VERSION, "servers");

  gmcp_json_writer_begin_array (&writer);
  for (guint i = 0; i < self->servers->len; i++)
    write_server (&writer, g_ptr_array_index (self->servers, i));
  gmcp_json_writer_end_array (&writer);
  return gmcp_record_file_end (&writer);
}

static int
compare_sizes (gconstpointer a, gconstpointer b)
{
  gsize first = *(const gsize *) a;
  gsize second = *(const gsize *) b;

  return first < second ? -1 : first > second;
}

/* The share of each where all have the same and what some leave goes to the others: who needs less is not
 * touched, whatever others need. */
static gsize
find_share (GArray *sizes, gsize total)
{
  g_autoptr (GArray) sorted = g_array_copy (sizes);

  g_array_sort (sorted, compare_sizes);
  for (guint i = 0; i < sorted->len; i++)
    {
      gsize share = total / (sorted->len - i);
      gsize size = g_array_index (sorted, gsize, i);

      if (size > share)
        return share;
      total -= size;
    }

  return G_MAXSIZE;
}

static gsize
measure_server (GmcpPinnedServer *server)
{
  g_autoptr (GString) out = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (out);

  write_server (&writer, server);
  return out->len + 1;
}

static GArray *
measure_all (GmcpToolPins *self)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (gsize));

  for (guint i = 0; i < self->servers->len; i++)
    {
      gsize size = measure_server (g_ptr_array_index (self->servers, i));

      g_array_append_val (sizes, size);
    }

  return sizes;
}

/* A tool that is left out is new when it is seen again. */
static void
limit_tools (GmcpPinnedServer *server, gsize max_bytes)
{
  g_autoptr (GPtrArray) keys = gmcp_pinned_server_list_keys (server);
  gsize n_bytes = measure_server (server);

  for (guint i = keys->len; i > 0 && n_bytes > max_bytes; i--)
    {
      const char *key = g_ptr_array_index (keys, i - 1);
      g_autoptr (GString) out = g_string_new (NULL);
      GmcpJsonWriter writer = gmcp_json_writer_init (out);

      write_tool (&writer, key, g_hash_table_lookup (server->tools, key));
      n_bytes -= MIN (n_bytes, out->len);
      g_hash_table_remove (server->tools, key);
    }
}

/* First definitions are left out, of those who have the most of them; then, where servers have very many
 * tools, some of these. */
static void
limit_shares (GmcpToolPins *self, gsize total)
{
  g_autoptr (GArray) sizes = measure_all (self);
  gsize share = find_share (sizes, total);

  for (guint i = 0; i < self->servers->len; i++)
    {
      GmcpPinnedServer *server = g_ptr_array_index (self->servers, i);

      if (g_array_index (sizes, gsize, i) <= share)
        continue;
      /* A quarter, since within a text each quote takes two bytes. */
      gmcp_pinned_server_limit_definitions (server, share / 4);
      if (measure_server (server) > share)
        gmcp_pinned_server_limit_definitions (server, 0);
      limit_tools (server, share);
    }
}

GBytes *
gmcp_tool_pins_write (GmcpToolPins *self)
{
  GBytes *bytes = write_all (self);

  if (g_bytes_get_size (bytes) > GMCP_LIMIT_STATE_FILE_BYTES)
    {
      g_bytes_unref (bytes);
      limit_shares (self, GMCP_LIMIT_STATE_FILE_BYTES - 1024);
      bytes = write_all (self);
    }

  return bytes;
}
