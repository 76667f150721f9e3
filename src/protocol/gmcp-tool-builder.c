/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/protocol/gmcp-tool-builder.h>

#include "gmcp-i18n-private.h"
#include "gmcp-icon-private.h"
#include "gmcp-json-private.h"

/**
 * GmcpToolBuilder:
 *
 * Makes a [class@Gmcp.Tool] out of its parts: set what the tool has, then
 * [method@Gmcp.ToolBuilder.build] it. [ctor@Gmcp.Tool.new] is shorter for a tool that has a name, a
 * description and a schema only.
 *
 * Spec: MCP 2026-07-28, server/tools, "Tool".
 *
 * Since: 0.1
 */
typedef enum
{
  HINT_READ_ONLY,
  HINT_DESTRUCTIVE,
  HINT_IDEMPOTENT,
  HINT_OPEN_WORLD,
  N_HINTS,
} Hint;

typedef enum
{
  JSON_INPUT_SCHEMA,
  JSON_OUTPUT_SCHEMA,
  JSON_META,
  N_JSONS,
} JsonMember;

static const char *const hint_names[N_HINTS] = {
  [HINT_READ_ONLY] = "readOnlyHint",
  [HINT_DESTRUCTIVE] = "destructiveHint",
  [HINT_IDEMPOTENT] = "idempotentHint",
  [HINT_OPEN_WORLD] = "openWorldHint",
};

static const char *const json_names[N_JSONS] = {
  [JSON_INPUT_SCHEMA] = "inputSchema",
  [JSON_OUTPUT_SCHEMA] = "outputSchema",
  [JSON_META] = "_meta",
};

struct _GmcpToolBuilder
{
  GObject parent_instance;

  char *name;
  char *title;
  char *description;
  char *jsons[N_JSONS];
  gboolean hints[N_HINTS];
  gboolean has_hint[N_HINTS];
  GmcpTaskSupport task_support;
  GString *icons; /* nullable: elements of an array */
};

G_DEFINE_FINAL_TYPE (GmcpToolBuilder, gmcp_tool_builder, G_TYPE_OBJECT)

typedef enum
{
  PROP_NAME = 1,
} GmcpToolBuilderProperty;

static GParamSpec *properties[PROP_NAME + 1];

static void
gmcp_tool_builder_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch ((GmcpToolBuilderProperty) prop_id)
    {
    case PROP_NAME:
      g_value_set_string (value, GMCP_TOOL_BUILDER (object)->name);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_tool_builder_set_property (GObject *object,
                                guint prop_id,
                                const GValue *value,
                                GParamSpec *pspec)
{
  switch ((GmcpToolBuilderProperty) prop_id)
    {
    case PROP_NAME:
      GMCP_TOOL_BUILDER (object)->name = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_tool_builder_finalize (GObject *object)
{
  GmcpToolBuilder *self = GMCP_TOOL_BUILDER (object);

  g_free (self->name);
  g_free (self->title);
  g_free (self->description);
  for (guint i = 0; i < N_JSONS; i++)
    g_free (self->jsons[i]);
  if (self->icons != NULL)
    g_string_free (self->icons, TRUE);

  G_OBJECT_CLASS (gmcp_tool_builder_parent_class)->finalize (object);
}

static void
gmcp_tool_builder_class_init (GmcpToolBuilderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_tool_builder_get_property;
  object_class->set_property = gmcp_tool_builder_set_property;
  object_class->finalize = gmcp_tool_builder_finalize;

  /**
   * GmcpToolBuilder:name:
   *
   * The name that the tool is called by.
   *
   * Since: 0.1
   */
  properties[PROP_NAME] = g_param_spec_string (
    "name", NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_tool_builder_init (GmcpToolBuilder *self)
{
}

static void
replace_text (char **text, const char *value)
{
  char *copy = g_strdup (value);

  g_free (*text);
  *text = copy;
}

static void
set_hint (GmcpToolBuilder *self, Hint hint, gboolean value)
{
  self->hints[hint] = value != FALSE;
  self->has_hint[hint] = TRUE;
}

/**
 * gmcp_tool_builder_new:
 * @name: the name that the tool is called by
 *
 * Makes a builder for a tool that has a name only.
 *
 * Returns: (transfer full): a new builder
 *
 * Since: 0.1
 */
GmcpToolBuilder *
gmcp_tool_builder_new (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  return g_object_new (GMCP_TYPE_TOOL_BUILDER, "name", name, NULL);
}

/**
 * gmcp_tool_builder_set_title:
 * @self: a builder
 * @title: (nullable): a name to show to people
 *
 * Sets the tool's title.
 *
 * Since: 0.1
 */
void
gmcp_tool_builder_set_title (GmcpToolBuilder *self, const char *title)
{
  g_return_if_fail (GMCP_IS_TOOL_BUILDER (self));

  replace_text (&self->title, title);
}

/**
 * gmcp_tool_builder_set_description:
 * @self: a builder
 * @description: (nullable): what the tool does, for the model
 *
 * Sets the tool's description.
 *
 * Since: 0.1
 */
void
gmcp_tool_builder_set_description (GmcpToolBuilder *self, const char *description)
{
  g_return_if_fail (GMCP_IS_TOOL_BUILDER (self));

  replace_text (&self->description, description);
}

/**
 * gmcp_tool_builder_set_input_schema_json:
 * @self: a builder
 * @input_schema_json: (nullable): a JSON Schema as text, or %NULL for any object
 *
 * Sets the schema of the tool's arguments. [method@Gmcp.ToolBuilder.build] tells whether it is JSON.
 *
 * Since: 0.1
 */
void
gmcp_tool_builder_set_input_schema_json (GmcpToolBuilder *self, const char *input_schema_json)
{
  g_return_if_fail (GMCP_IS_TOOL_BUILDER (self));

  replace_text (&self->jsons[JSON_INPUT_SCHEMA], input_schema_json);
}

/**
 * gmcp_tool_builder_set_output_schema_json:
 * @self: a builder
 * @output_schema_json: (nullable): a JSON Schema as text, or %NULL where the tool promises nothing
 *
 * Sets the schema of the tool's structured content.
 *
 * Since: 0.1
 */
void
gmcp_tool_builder_set_output_schema_json (GmcpToolBuilder *self, const char *output_schema_json)
{
  g_return_if_fail (GMCP_IS_TOOL_BUILDER (self));

  replace_text (&self->jsons[JSON_OUTPUT_SCHEMA], output_schema_json);
}

/**
 * gmcp_tool_builder_set_meta_json:
 * @self: a builder
 * @meta_json: (nullable): a JSON object as text
 *
 * Sets what stands in the tool's `_meta`.
 *
 * Since: 0.1
 */
void
gmcp_tool_builder_set_meta_json (GmcpToolBuilder *self, const char *meta_json)
{
  g_return_if_fail (GMCP_IS_TOOL_BUILDER (self));

  replace_text (&self->jsons[JSON_META], meta_json);
}

/**
 * gmcp_tool_builder_set_read_only:
 * @self: a builder
 * @read_only: whether the tool changes nothing
 *
 * Says whether the tool only reads. Where this is not called the tool does not say it, which counts
 * as no.
 *
 * Since: 0.1
 */
void
gmcp_tool_builder_set_read_only (GmcpToolBuilder *self, gboolean read_only)
{
  g_return_if_fail (GMCP_IS_TOOL_BUILDER (self));

  set_hint (self, HINT_READ_ONLY, read_only);
}

/**
 * gmcp_tool_builder_set_destructive:
 * @self: a builder
 * @destructive: whether the tool may destroy something
 *
 * Says whether the tool may destroy something. Where this is not called the tool does not say it,
 * which counts as yes.
 *
 * Since: 0.1
 */
void
gmcp_tool_builder_set_destructive (GmcpToolBuilder *self, gboolean destructive)
{
  g_return_if_fail (GMCP_IS_TOOL_BUILDER (self));

  set_hint (self, HINT_DESTRUCTIVE, destructive);
}

/**
 * gmcp_tool_builder_set_idempotent:
 * @self: a builder
 * @idempotent: whether a second call with the same arguments changes nothing more
 *
 * Says whether the tool may be called again without harm. Where this is not called the tool does not
 * say it, which counts as no.
 *
 * Since: 0.1
 */
void
gmcp_tool_builder_set_idempotent (GmcpToolBuilder *self, gboolean idempotent)
{
  g_return_if_fail (GMCP_IS_TOOL_BUILDER (self));

  set_hint (self, HINT_IDEMPOTENT, idempotent);
}

/**
 * gmcp_tool_builder_set_open_world:
 * @self: a builder
 * @open_world: whether the tool deals with an open world, such as the web
 *
 * Says whether the tool deals with an open world. Where this is not called the tool does not say it,
 * which counts as yes.
 *
 * Since: 0.1
 */
void
gmcp_tool_builder_set_open_world (GmcpToolBuilder *self, gboolean open_world)
{
  g_return_if_fail (GMCP_IS_TOOL_BUILDER (self));

  set_hint (self, HINT_OPEN_WORLD, open_world);
}

/**
 * gmcp_tool_builder_add_icon:
 * @self: a builder
 * @src: where the image is: an `https:` or `http:` address, or a `data:image/…` one that holds it
 * @mime_type: (nullable): what kind of image it is, such as `image/svg+xml`
 * @theme: (nullable): `light` or `dark`, for the background that the image is made for
 *
 * Adds a picture for those who show the tool.
 *
 * Spec: MCP 2026-07-28, basic, "Icons".
 *
 * Since: 0.1
 */
void
gmcp_tool_builder_add_icon (GmcpToolBuilder *self,
                            const char *src,
                            const char *mime_type,
                            const char *theme)
{
  g_return_if_fail (GMCP_IS_TOOL_BUILDER (self));
  g_return_if_fail (src != NULL);

  if (!gmcp_icons_append (&self->icons, src, mime_type, theme))
    g_warning ("An icon is not added: its address has to be an http:, https: or data:image/ one");
}

static void
write_icons (GmcpToolBuilder *self, GmcpJsonWriter *writer)
{
  if (self->icons == NULL)
    return;

  gmcp_json_writer_key (writer, "icons");
  gmcp_json_writer_begin_array (writer);
  gmcp_json_writer_raw (writer, self->icons->str, (gssize) self->icons->len);
  gmcp_json_writer_end_array (writer);
}

/**
 * gmcp_tool_builder_set_task_support:
 * @self: a builder
 * @task_support: whether calls of the tool may become tasks
 *
 * Says whether calls of the tool may become tasks; a [class@Gmcp.Server] makes tasks of them then, for
 * clients that can have tasks. Where this is not called no call is one.
 *
 * Spec: MCP 2025-11-25, basic/utilities/tasks, "Tool-Level Negotiation".
 *
 * Since: 0.1
 */
void
gmcp_tool_builder_set_task_support (GmcpToolBuilder *self, GmcpTaskSupport task_support)
{
  g_return_if_fail (GMCP_IS_TOOL_BUILDER (self));

  self->task_support = task_support;
}

static void
write_task_support (GmcpToolBuilder *self, GmcpJsonWriter *writer)
{
  if (self->task_support == GMCP_TASK_SUPPORT_FORBIDDEN)
    return;

  gmcp_json_writer_key (writer, "execution");
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "taskSupport",
                                  self->task_support == GMCP_TASK_SUPPORT_REQUIRED ? "required"
                                                                                   : "optional");
  gmcp_json_writer_end_object (writer);
}

static gboolean
write_json_members (GmcpToolBuilder *self, GmcpJsonWriter *writer, GError **error)
{
  for (guint i = 0; i < N_JSONS; i++)
    {
      g_autoptr (GmcpJsonDoc) doc = NULL;

      if (self->jsons[i] == NULL)
        continue;

      doc = gmcp_json_doc_parse (self->jsons[i], strlen (self->jsons[i]), NULL, 0, error);
      if (doc == NULL)
        {
          /* Translators: “inputSchema” or another member, and the name of a tool */
          g_prefix_error (error, _ ("%s of the tool “%s”: "), json_names[i], self->name);
          return FALSE;
        }
      if (!gmcp_json_value_is_object (gmcp_json_doc_get_root (doc)))
        {
          g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                       _ ("%s of the tool “%s” has to be a JSON object"), json_names[i],
                       self->name);
          return FALSE;
        }
      gmcp_json_writer_member_value (writer, json_names[i], gmcp_json_doc_get_root (doc));
    }

  return TRUE;
}

static void
write_hints (GmcpToolBuilder *self, GmcpJsonWriter *writer)
{
  gboolean begun = FALSE;

  for (guint i = 0; i < N_HINTS; i++)
    {
      if (!self->has_hint[i])
        continue;

      if (!begun)
        {
          gmcp_json_writer_key (writer, "annotations");
          gmcp_json_writer_begin_object (writer);
        }
      begun = TRUE;
      gmcp_json_writer_member_boolean (writer, hint_names[i], self->hints[i]);
    }

  if (begun)
    gmcp_json_writer_end_object (writer);
}

/**
 * gmcp_tool_builder_build:
 * @self: a builder
 * @error: return location for an error
 *
 * Makes the tool. The builder may be changed and used again.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where a schema or the metadata is no JSON, and
 * `INVALID_ARGUMENT` where it is no object or the name is empty.
 *
 * Returns: (transfer full): a new tool
 *
 * Since: 0.1
 */
GmcpTool *
gmcp_tool_builder_build (GmcpToolBuilder *self, GError **error)
{
  g_autoptr (GString) json = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (json);

  g_return_val_if_fail (GMCP_IS_TOOL_BUILDER (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "name", self->name != NULL ? self->name : "");
  if (self->title != NULL)
    gmcp_json_writer_member_string (&writer, "title", self->title);
  if (self->description != NULL)
    gmcp_json_writer_member_string (&writer, "description", self->description);
  write_hints (self, &writer);
  write_task_support (self, &writer);
  write_icons (self, &writer);
  if (!write_json_members (self, &writer, error))
    return NULL;
  gmcp_json_writer_end_object (&writer);
  return gmcp_tool_new_from_json (json->str, error);
}
