/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-private.h"
#include "gmcp-tool-private.h"

#define CURSOR_PREFIX 't'

struct _GmcpServerTools
{
  GPtrArray *in_order; /* (element-type GmcpServerTool) (owned), by serial */
  GHashTable *by_name; /* not owned */
  guint64 last_serial;
};

GmcpServerTools *
gmcp_server_tools_new (void)
{
  GmcpServerTools *self = g_new0 (GmcpServerTools, 1);

  self->in_order = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_server_tool_unref);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

void
gmcp_server_tools_free (GmcpServerTools *self)
{
  g_hash_table_unref (self->by_name);
  g_ptr_array_unref (self->in_order);
  g_free (self);
}

GmcpServerTool *
gmcp_server_tool_ref (GmcpServerTool *tool)
{
  return g_rc_box_acquire (tool);
}

static void
tool_clear (gpointer data)
{
  GmcpServerTool *tool = data;

  if (tool->destroy != NULL)
    tool->destroy (tool->user_data);
  g_clear_pointer (&tool->input, gmcp_json_schema_unref);
  g_clear_pointer (&tool->output, gmcp_json_schema_unref);
  g_free (tool->json);
  g_free (tool->plain_json);
  g_object_unref (tool->tool);
}

void
gmcp_server_tool_unref (GmcpServerTool *tool)
{
  g_rc_box_release_full (tool, tool_clear);
}

/* Adding */

static gboolean
check_name (const char *name, GError **error)
{
  gsize length = strspn (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-.");

  if (length > 0 && length <= GMCP_LIMIT_SERVER_TOOL_NAME_LENGTH && name[length] == '\0')
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
               _ ("“%s” cannot be a tool's name: it has to be 1 to %u letters, digits, “_”, “-” "
                  "and “.”"),
               name, GMCP_LIMIT_SERVER_TOOL_NAME_LENGTH);
  return FALSE;
}

static gboolean
is_object_schema (GmcpJsonValue schema)
{
  return gmcp_json_value_equals_string (gmcp_json_value_get_member (schema, "type"), "object");
}

static gboolean
compile_schemas (GmcpServerTool *tool, GError **error)
{
  GmcpJsonValue input = gmcp_tool_get_input_schema_value (tool->tool);
  GmcpJsonValue output = gmcp_tool_get_output_schema_value (tool->tool);

  if (!is_object_schema (input))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("The input schema of the tool “%s” has to be of the type “object”"),
                   tool->name);
      return FALSE;
    }

  tool->input = gmcp_json_schema_compile (input, NULL, error);
  if (tool->input == NULL)
    {
      g_prefix_error (error, _ ("The input schema of the tool “%s”: "), tool->name);
      return FALSE;
    }

  if (!gmcp_json_value_is_present (output))
    return TRUE;

  tool->output = gmcp_json_schema_compile (output, NULL, error);
  if (tool->output == NULL)
    g_prefix_error (error, _ ("The output schema of the tool “%s”: "), tool->name);
  return tool->output != NULL;
}

/* Clients of old revisions may refuse a whole list for one output schema that is not of an object. */
static char *
write_json (GmcpServerTool *tool, gboolean plain)
{
  GString *out = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (out);
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_iter_init (&iter, gmcp_tool_get_value (tool->tool));
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (!plain || strcmp (name, "outputSchema") != 0 || is_object_schema (value))
        gmcp_json_writer_member_value (&writer, name, value);
    }
  gmcp_json_writer_end_object (&writer);
  return g_string_free (out, FALSE);
}

gboolean
gmcp_server_tools_add (GmcpServerTools *self,
                       GmcpTool *tool,
                       GmcpServerToolFunc func,
                       gpointer user_data,
                       GDestroyNotify destroy,
                       GError **error)
{
  const char *name = gmcp_tool_get_server_tool_name (tool);
  g_autoptr (GmcpServerTool) added = g_rc_box_new0 (GmcpServerTool);

  added->tool = g_object_ref (tool);
  added->name = name;
  if (!check_name (name, error))
    return FALSE;

  if (g_hash_table_contains (self->by_name, name))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("The server has a tool “%s” already; remove that one first"), name);
      return FALSE;
    }

  if (!compile_schemas (added, error))
    return FALSE;

  added->json = write_json (added, FALSE);
  added->plain_json = write_json (added, TRUE);
  added->serial = ++self->last_serial;
  added->func = func;
  added->user_data = user_data;
  added->destroy = destroy;
  g_hash_table_insert (self->by_name, (char *) name, added);
  g_ptr_array_add (self->in_order, g_steal_pointer (&added));
  return TRUE;
}

gboolean
gmcp_server_tools_remove (GmcpServerTools *self, const char *name)
{
  GmcpServerTool *tool = g_hash_table_lookup (self->by_name, name);

  if (tool == NULL)
    return FALSE;

  g_hash_table_remove (self->by_name, name);
  g_ptr_array_remove (self->in_order, tool);
  return TRUE;
}

GmcpServerTool *
gmcp_server_tools_find (GmcpServerTools *self, GmcpJsonValue name)
{
  g_autofree char *text = gmcp_json_value_dup_string (name);

  return g_hash_table_lookup (self->by_name, text);
}

/* Listing */

/* The serial that a page begins after; a tool that was removed since does not matter. */
static gboolean
read_cursor (GmcpServerTools *self, GmcpJsonValue cursor, guint64 *after)
{
  g_autofree char *text = gmcp_json_value_dup_string (cursor);

  return text != NULL && text[0] == CURSOR_PREFIX
         && g_ascii_string_to_unsigned (text + 1, 10, 1, self->last_serial, after, NULL);
}

static guint
find_position (GmcpServerTools *self, guint64 after)
{
  guint low = 0;
  guint high = self->in_order->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      GmcpServerTool *tool = g_ptr_array_index (self->in_order, middle);

      if (tool->serial <= after)
        low = middle + 1;
      else
        high = middle;
    }

  return low;
}

static void
write_page (GmcpServerTools *self,
            GmcpJsonWriter *writer,
            guint64 after,
            guint page_size,
            gboolean plain)
{
  guint position = find_position (self, after);
  gsize start = writer->out->len;
  guint n_written = 0;

  gmcp_json_writer_key (writer, "tools");
  gmcp_json_writer_begin_array (writer);
  while (position < self->in_order->len && n_written < page_size
         && writer->out->len - start < GMCP_LIMIT_PAGE_BYTES)
    {
      GmcpServerTool *tool = g_ptr_array_index (self->in_order, position++);

      gmcp_json_writer_raw (writer, plain ? tool->plain_json : tool->json, -1);
      after = tool->serial;
      n_written++;
    }
  gmcp_json_writer_end_array (writer);

  if (position < self->in_order->len)
    {
      char cursor[32];

      g_snprintf (cursor, sizeof cursor, "%c%" G_GUINT64_FORMAT, CURSOR_PREFIX, after);
      gmcp_json_writer_member_string (writer, GMCP_MEMBER_NEXT_CURSOR, cursor);
    }
}

void
gmcp_server_tools_handle_list (GmcpServerExchange *exchange)
{
  GmcpServer *server = exchange->connection->server;
  GmcpServerTools *self = gmcp_server_get_tools (server);
  GmcpJsonValue cursor = gmcp_json_value_get_member (exchange->params, "cursor");
  GmcpJsonKind kind = gmcp_json_value_get_kind (cursor);
  guint64 after = 0;
  GmcpJsonWriter writer;

  if (kind != GMCP_JSON_ABSENT && kind != GMCP_JSON_NULL && !read_cursor (self, cursor, &after))
    {
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                        "Invalid params: the cursor is none that this server gave; "
                                        "begin again without one",
                                        NULL);
      return;
    }

  writer = gmcp_server_exchange_begin_result (exchange, GMCP_JSON_NONE);
  write_page (self, &writer, after, gmcp_server_get_page_size (server),
              exchange->era->structured_is_object);
  exchange->era->write_cache_members (exchange, &writer);
  gmcp_server_exchange_end_result (exchange, &writer);
}
