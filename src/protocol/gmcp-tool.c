/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/protocol/gmcp-tool-builder.h>

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-tool-private.h"

#define ANY_OBJECT_SCHEMA "{\"type\":\"object\"}"

/**
 * GmcpTool:
 *
 * A tool that a server offers, as it was when the list was made. Immutable: a tool that changes
 * is another object in the list.
 *
 * All texts come from the server. What [method@Gmcp.Tool.is_read_only] and its kin tell are the
 * server's own claims, and worth as much as the server is trusted.
 *
 * Spec: MCP 2026-07-28, server/tools, "Tool".
 *
 * Since: 0.1
 */
struct _GmcpTool
{
  GmcpDefinition parent_instance;

  char *server;
  /* Made when asked for, in the one that holds the definition. */
  char *digest;
  JsonNode *input_schema;
  JsonNode *output_schema;
  GmcpToolHeaders *headers; /* nullable */
  gboolean headers_read;
};

G_DEFINE_FINAL_TYPE (GmcpTool, gmcp_tool, GMCP_TYPE_DEFINITION)

typedef enum
{
  PROP_SERVER_ID = 1,
  PROP_SERVER_TOOL_NAME,
  PROP_READ_ONLY,
  PROP_DESTRUCTIVE,
  PROP_IDEMPOTENT,
  PROP_OPEN_WORLD,
} GmcpToolProperty;

static GParamSpec *properties[PROP_OPEN_WORLD + 1];

static void
gmcp_tool_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpTool *self = GMCP_TOOL (object);

  switch ((GmcpToolProperty) prop_id)
    {
    case PROP_SERVER_ID:
      g_value_set_string (value, gmcp_tool_get_server_id (self));
      break;
    case PROP_SERVER_TOOL_NAME:
      g_value_set_string (value, gmcp_tool_get_server_tool_name (self));
      break;
    case PROP_READ_ONLY:
      g_value_set_boolean (value, gmcp_tool_is_read_only (self));
      break;
    case PROP_DESTRUCTIVE:
      g_value_set_boolean (value, gmcp_tool_is_destructive (self));
      break;
    case PROP_IDEMPOTENT:
      g_value_set_boolean (value, gmcp_tool_is_idempotent (self));
      break;
    case PROP_OPEN_WORLD:
      g_value_set_boolean (value, gmcp_tool_is_open_world (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_tool_finalize (GObject *object)
{
  GmcpTool *self = GMCP_TOOL (object);

  g_clear_pointer (&self->input_schema, json_node_unref);
  g_clear_pointer (&self->output_schema, json_node_unref);
  g_clear_pointer (&self->headers, gmcp_tool_headers_free);
  g_free (self->server);
  g_free (self->digest);

  G_OBJECT_CLASS (gmcp_tool_parent_class)->finalize (object);
}

static void
install_hints (void)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  /**
   * GmcpTool:server-tool-name: (getter get_server_tool_name)
   *
   * The name that the server itself gives the tool.
   *
   * Since: 0.1
   */
  properties[PROP_SERVER_TOOL_NAME]
    = g_param_spec_string ("server-tool-name", NULL, NULL, NULL, flags);

  /**
   * GmcpTool:read-only: (getter is_read_only)
   *
   * Whether the server says that the tool changes nothing.
   *
   * Since: 0.1
   */
  properties[PROP_READ_ONLY] = g_param_spec_boolean ("read-only", NULL, NULL, FALSE, flags);

  /**
   * GmcpTool:destructive: (getter is_destructive)
   *
   * Whether the tool may destroy something, as far as its server says.
   *
   * Since: 0.1
   */
  properties[PROP_DESTRUCTIVE] = g_param_spec_boolean ("destructive", NULL, NULL, FALSE, flags);

  /**
   * GmcpTool:idempotent: (getter is_idempotent)
   *
   * Whether a second call with the same arguments has no further effect, as the server says.
   *
   * Since: 0.1
   */
  properties[PROP_IDEMPOTENT] = g_param_spec_boolean ("idempotent", NULL, NULL, FALSE, flags);

  /**
   * GmcpTool:open-world: (getter is_open_world)
   *
   * Whether the tool reaches out to an open world, as far as its server says.
   *
   * Since: 0.1
   */
  properties[PROP_OPEN_WORLD] = g_param_spec_boolean ("open-world", NULL, NULL, FALSE, flags);
}

static void
gmcp_tool_class_init (GmcpToolClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = gmcp_tool_get_property;
  object_class->finalize = gmcp_tool_finalize;
  GMCP_DEFINITION_CLASS (klass)->has_name_as_key = TRUE;
  GMCP_DEFINITION_CLASS (klass)->has_title_in_annotations = TRUE;

  /**
   * GmcpTool:server-id: (getter get_server_id)
   *
   * The id of the server that has the tool.
   *
   * Since: 0.1
   */
  properties[PROP_SERVER_ID] = g_param_spec_string ("server-id", NULL, NULL, NULL, flags);

  install_hints ();
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_tool_init (GmcpTool *self)
{
}

static GmcpTool *
new_checked (GmcpJsonValue value, GmcpError code, GError **error)
{
  g_autoptr (GmcpTool) self = NULL;
  GmcpJsonValue schema;

  if (!gmcp_json_value_is_object (value))
    {
      g_set_error_literal (error, GMCP_ERROR, code, _ ("A tool has to be a JSON object"));
      return NULL;
    }

  self = gmcp_definition_new (GMCP_TYPE_TOOL, value, "name", error, code, _ ("A tool has no name"));
  if (self == NULL)
    return NULL;

  schema = gmcp_tool_get_input_schema_value (self);
  if (gmcp_json_value_is_present (schema) && !gmcp_json_value_is_object (schema))
    {
      g_autofree char *shown = gmcp_protocol_shorten (gmcp_definition_get_key (self));

      g_set_error (error, GMCP_ERROR, code,
                   _ ("The input schema of the tool %s is not a JSON object"), shown);
      return NULL;
    }

  return g_steal_pointer (&self);
}

GmcpTool *
gmcp_tool_new_from_value (GmcpJsonValue value, GError **error)
{
  return new_checked (value, GMCP_ERROR_PROTOCOL, error);
}

GmcpTool *
gmcp_tool_new_listed (GmcpTool *original, const char *server, const char *listed_name)
{
  GmcpTool *self = gmcp_definition_new_listed (original, listed_name);

  self->server = g_strdup (server);
  return self;
}

GmcpJsonValue
gmcp_tool_get_input_schema_value (GmcpTool *self)
{
  return gmcp_definition_get_member (self, "inputSchema");
}

const GmcpToolHeaders *
gmcp_tool_peek_headers (GmcpTool *self, GError **error)
{
  GError *reason = NULL;

  if (!self->headers_read)
    self->headers = gmcp_tool_headers_new (gmcp_tool_get_input_schema_value (self), &reason);
  self->headers_read = reason == NULL;
  if (reason != NULL)
    g_propagate_error (error, reason);
  return self->headers;
}

GmcpJsonValue
gmcp_tool_get_output_schema_value (GmcpTool *self)
{
  GmcpJsonValue schema = gmcp_definition_get_member (self, "outputSchema");

  return gmcp_json_value_is_object (schema) ? schema : GMCP_JSON_NONE;
}

/**
 * gmcp_tool_new_from_json:
 * @json: a tool as JSON text, in the form that servers list tools in
 * @error: return location for an error
 *
 * Makes a tool, for those who provide tools of their own.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @json is no JSON, and `INVALID_ARGUMENT` where
 * it is no object, has no name, or has an `inputSchema` that is no object.
 *
 * Spec: MCP 2026-07-28, server/tools, "Tool".
 *
 * Returns: (transfer full): a new tool
 *
 * Since: 0.1
 */
GmcpTool *
gmcp_tool_new_from_json (const char *json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (json != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, error);
  if (doc == NULL)
    return NULL;

  return new_checked (gmcp_json_doc_get_root (doc), GMCP_ERROR_INVALID_ARGUMENT, error);
}

/**
 * gmcp_tool_new:
 * @name: the name that the tool is called by
 * @description: (nullable): what the tool does, for the model
 * @input_schema_json: (nullable): the JSON Schema of its arguments as text, or %NULL for any object
 * @error: return location for an error
 *
 * Makes a tool, for those who provide tools of their own. [class@Gmcp.ToolBuilder] makes one that
 * has more parts.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @input_schema_json is no JSON, and
 * `INVALID_ARGUMENT` where it is no object or @name is empty.
 *
 * Spec: MCP 2026-07-28, server/tools, "Tool".
 *
 * Returns: (transfer full): a new tool
 *
 * Since: 0.1
 */
GmcpTool *
gmcp_tool_new (const char *name,
               const char *description,
               const char *input_schema_json,
               GError **error)
{
  g_autoptr (GmcpToolBuilder) builder = NULL;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  builder = gmcp_tool_builder_new (name);
  gmcp_tool_builder_set_description (builder, description);
  gmcp_tool_builder_set_input_schema_json (builder, input_schema_json);
  return gmcp_tool_builder_build (builder, error);
}

/**
 * gmcp_tool_get_server_id: (get-property server-id)
 * @self: a tool
 *
 * Gives the id of the server that has the tool.
 *
 * Returns: (transfer none) (nullable): the id, or %NULL where the tool does not come through a
 *   provider of several servers
 *
 * Since: 0.1
 */
const char *
gmcp_tool_get_server_id (GmcpTool *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL (self), NULL);

  return self->server;
}

/**
 * gmcp_tool_get_server_tool_name:
 * @self: a tool
 *
 * Gives the name that the server itself has for the tool.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.1
 */
const char *
gmcp_tool_get_server_tool_name (GmcpTool *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL (self), NULL);

  return gmcp_definition_get_key (gmcp_definition_get_original (self));
}

/**
 * gmcp_tool_dup_qualified_name:
 * @self: a tool
 *
 * Gives the name as rules and listings write it: `SERVER.TOOL`, with the server's own name for the
 * tool.
 *
 * Returns: (transfer full): the qualified name; just the tool's where no server is known
 *
 * Since: 0.1
 */
char *
gmcp_tool_dup_qualified_name (GmcpTool *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL (self), NULL);

  if (self->server == NULL)
    return g_strdup (gmcp_tool_get_server_tool_name (self));

  return g_strconcat (self->server, ".", gmcp_tool_get_server_tool_name (self), NULL);
}

/**
 * gmcp_tool_get_input_schema:
 * @self: a tool
 *
 * Gives the JSON Schema of the tool's arguments; that of any object where the server gave none.
 *
 * Returns: (transfer none): a sealed object node
 *
 * Since: 0.1
 */
JsonNode *
gmcp_tool_get_input_schema (GmcpTool *self)
{
  g_autoptr (GmcpJsonDoc) any_object = NULL;
  GmcpJsonValue schema;

  g_return_val_if_fail (GMCP_IS_TOOL (self), NULL);

  self = gmcp_definition_get_original (self);
  schema = gmcp_tool_get_input_schema_value (self);
  if (!gmcp_json_value_is_present (schema))
    {
      any_object
        = gmcp_json_doc_parse (ANY_OBJECT_SCHEMA, strlen (ANY_OBJECT_SCHEMA), NULL, 0, NULL);
      schema = gmcp_json_doc_get_root (any_object);
    }

  return gmcp_protocol_cache_node (&self->input_schema, schema);
}

/**
 * gmcp_tool_dup_input_schema_json:
 * @self: a tool
 *
 * Gives the JSON Schema of the tool's arguments as the server wrote it; that of any object where
 * the server gave none.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_tool_dup_input_schema_json (GmcpTool *self)
{
  GmcpJsonValue schema;

  g_return_val_if_fail (GMCP_IS_TOOL (self), NULL);

  schema = gmcp_tool_get_input_schema_value (self);
  if (!gmcp_json_value_is_present (schema))
    return g_strdup (ANY_OBJECT_SCHEMA);

  return gmcp_json_value_dup_raw (schema);
}

/**
 * gmcp_tool_get_output_schema:
 * @self: a tool
 *
 * Gives the JSON Schema of the structured content of the tool's results.
 *
 * Returns: (transfer none) (nullable): a sealed object node, or %NULL where the server gave none
 *
 * Since: 0.1
 */
JsonNode *
gmcp_tool_get_output_schema (GmcpTool *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL (self), NULL);

  self = gmcp_definition_get_original (self);
  return gmcp_protocol_cache_node (&self->output_schema, gmcp_tool_get_output_schema_value (self));
}

/**
 * gmcp_tool_dup_output_schema_json:
 * @self: a tool
 *
 * Gives the JSON Schema of the structured content of the tool's results as the server wrote it.
 *
 * Returns: (transfer full) (nullable): JSON text, or %NULL where the server gave none
 *
 * Since: 0.1
 */
char *
gmcp_tool_dup_output_schema_json (GmcpTool *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL (self), NULL);

  return gmcp_json_value_dup_raw (gmcp_tool_get_output_schema_value (self));
}

/**
 * gmcp_tool_dup_digest:
 * @self: a tool
 *
 * Gives a digest of all that the server says of the tool, but for `_meta`: its name, title and
 * description, schemas, annotations, icons, and what is not known here. It does not depend on how the
 * JSON is written, and can be kept to notice later that a tool is no longer the one that was agreed to.
 *
 * Returns: (transfer full): a SHA-256 digest in hexadecimal
 *
 * Since: 0.1
 */
char *
gmcp_tool_dup_digest (GmcpTool *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL (self), NULL);

  self = gmcp_definition_get_original (self);
  if (self->digest == NULL)
    self->digest = gmcp_tool_digest_value (gmcp_definition_get_value (self));
  return g_strdup (self->digest);
}
