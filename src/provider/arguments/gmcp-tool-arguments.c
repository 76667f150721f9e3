/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tool-argument-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-tool-private.h"

/* Parts of a schema whose properties are the tool's: alternatives of allOf, anyOf and oneOf, and those in
 * them. */
#define PARTS_MAX 100u

typedef struct
{
  GmcpTool *tool;
  GmcpJsonValue root;
  GHashTable *required; /* names */
  GHashTable *seen;     /* names */
  GPtrArray *arguments;
  guint n_parts;
} Gathering;

typedef void (*PartFunc) (Gathering *self, GmcpJsonValue part);

static void
visit_parts (Gathering *self, GmcpJsonValue written, gboolean certain, PartFunc func, guint depth)
{
  static const char *const lists[] = { "allOf", "anyOf", "oneOf" };
  GmcpJsonValue schema = gmcp_argument_resolve (self->root, written);

  if (depth > 8 || self->n_parts++ >= PARTS_MAX)
    return;
  func (self, schema);
  for (gsize i = 0; i < (certain ? 1 : G_N_ELEMENTS (lists)); i++)
    {
      GmcpJsonValue list = gmcp_json_value_get_member (schema, lists[i]);
      GmcpJsonIter iter;
      GmcpJsonValue part;

      if (!gmcp_json_value_is_array (list))
        continue;
      gmcp_json_iter_init (&iter, list);
      while (self->n_parts < PARTS_MAX && gmcp_json_iter_next (&iter, NULL, &part))
        visit_parts (self, part, certain, func, depth + 1);
    }
}

static void
gather_required (Gathering *self, GmcpJsonValue part)
{
  GmcpJsonIter iter;
  GmcpJsonValue name;

  gmcp_json_iter_init (&iter, gmcp_json_value_get_member (part, "required"));
  while (g_hash_table_size (self->required) < GMCP_LIMIT_TOOL_ARGUMENTS
         && gmcp_json_iter_next (&iter, NULL, &name))
    if (gmcp_json_value_is_string (name))
      g_hash_table_add (self->required, gmcp_json_value_dup_string (name));
}

static void
gather_properties (Gathering *self, GmcpJsonValue part)
{
  GmcpJsonValue properties = gmcp_json_value_get_member (part, "properties");
  GmcpJsonIter iter;
  GmcpJsonValue key, schema;

  if (!gmcp_json_value_is_object (properties))
    return;
  gmcp_json_iter_init (&iter, properties);
  while (self->arguments->len < GMCP_LIMIT_TOOL_ARGUMENTS
         && gmcp_json_iter_next (&iter, &key, &schema))
    {
      char *name = gmcp_json_value_dup_string (key);

      if (g_hash_table_add (self->seen, name))
        g_ptr_array_add (self->arguments,
                         gmcp_tool_argument_new (self->tool, name, schema,
                                                 g_hash_table_contains (self->required, name)));
    }
}

/* What has to be given without being described. */
static void
add_undescribed (Gathering *self)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, self->required);
  while (self->arguments->len < GMCP_LIMIT_TOOL_ARGUMENTS
         && g_hash_table_iter_next (&iter, &name, NULL))
    if (!g_hash_table_contains (self->seen, name))
      g_ptr_array_add (self->arguments,
                       gmcp_tool_argument_new (self->tool, name, GMCP_JSON_NONE, TRUE));
}

/* Those required first, the others behind, both in the order of the server. */
static GPtrArray *
sort_arguments (GPtrArray *arguments)
{
  GPtrArray *sorted = g_ptr_array_new_full (arguments->len, g_object_unref);

  for (guint required = 2; required-- > 0;)
    for (guint i = 0; i < arguments->len; i++)
      {
        GmcpToolArgument *argument = g_ptr_array_index (arguments, i);

        if (gmcp_tool_argument_is_required (argument) == (gboolean) required)
          g_ptr_array_add (sorted, g_object_ref (argument));
      }
  return sorted;
}

/**
 * gmcp_tool_list_arguments:
 * @self: a tool
 *
 * Gives what the tool takes, read out of its input schema: the arguments that have to be given first,
 * then the others, both in the order of the server.
 *
 * At most a thousand are given. A tool may take more that its schema does not name; see
 * [method@Gmcp.Tool.takes_argument].
 *
 * Returns: (transfer container) (element-type Gmcp.ToolArgument): the arguments; empty where there are
 *   none
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_tool_list_arguments (GmcpTool *self)
{
  g_autoptr (GHashTable) required = NULL;
  g_autoptr (GHashTable) seen = NULL;
  g_autoptr (GPtrArray) arguments = NULL;
  Gathering gathering = { 0 };

  g_return_val_if_fail (GMCP_IS_TOOL (self), NULL);

  required = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  arguments = g_ptr_array_new_with_free_func (g_object_unref);
  gathering = (Gathering){ .tool = self,
                           .root = gmcp_tool_get_input_schema_value (self),
                           .required = required,
                           .seen = seen,
                           .arguments = arguments };
  visit_parts (&gathering, gathering.root, TRUE, gather_required, 0);
  gathering.n_parts = 0;
  visit_parts (&gathering, gathering.root, FALSE, gather_properties, 0);
  add_undescribed (&gathering);
  return sort_arguments (arguments);
}

/**
 * gmcp_tool_takes_argument:
 * @self: a tool
 * @name: the name of an argument
 *
 * Tells whether the tool takes an argument of that name, as far as its input schema says: because the schema
 * names it, says that there may be others, or names none at all.
 *
 * A schema that names some and says nothing of others allows these, strictly; most often such a name is
 * misspelt, so the answer is no.
 *
 * Returns: whether the tool is known to take it
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_takes_argument (GmcpTool *self, const char *name)
{
  static const char *const others[]
    = { "additionalProperties", "patternProperties", "unevaluatedProperties" };
  g_autoptr (GPtrArray) arguments = NULL;
  GmcpJsonValue root, schema;

  g_return_val_if_fail (GMCP_IS_TOOL (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  arguments = gmcp_tool_list_arguments (self);
  for (guint i = 0; i < arguments->len; i++)
    if (g_str_equal (gmcp_tool_argument_get_name (arguments->pdata[i]), name))
      return TRUE;

  root = gmcp_tool_get_input_schema_value (self);
  schema = gmcp_argument_resolve (root, root);
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      GmcpJsonKind kind = gmcp_json_value_get_kind (gmcp_json_value_get_member (schema, others[i]));

      if (kind == GMCP_JSON_TRUE || kind == GMCP_JSON_OBJECT)
        return TRUE;
      if (kind == GMCP_JSON_FALSE)
        return FALSE;
    }
  return arguments->len == 0;
}

/**
 * gmcp_tool_dup_signature:
 * @self: a tool
 *
 * Gives what the tool takes in one line: `(a: number, b?: string[])`. A question mark stands behind what
 * may be left out. The text is as long as there are arguments.
 *
 * Returns: (transfer full): the signature; `()` for a tool without arguments
 *
 * Since: 0.1
 */
char *
gmcp_tool_dup_signature (GmcpTool *self)
{
  g_autoptr (GPtrArray) arguments = NULL;
  GString *out;

  g_return_val_if_fail (GMCP_IS_TOOL (self), NULL);

  arguments = gmcp_tool_list_arguments (self);
  out = g_string_new ("(");
  for (guint i = 0; i < arguments->len; i++)
    {
      GmcpToolArgument *argument = g_ptr_array_index (arguments, i);
      g_autofree char *name = gmcp_argument_quote_name (gmcp_tool_argument_get_name (argument));

      g_string_append_printf (out, "%s%s%s: %s", i > 0 ? ", " : "", name,
                              gmcp_tool_argument_is_required (argument) ? "" : "?",
                              gmcp_tool_argument_get_type_text (argument));
    }
  g_string_append_c (out, ')');
  return g_string_free (out, FALSE);
}

static char *
make_example (GPtrArray *arguments, gboolean whole)
{
  GString *out = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (out);

  gmcp_json_writer_begin_object (&writer);
  for (guint i = 0; i < arguments->len; i++)
    {
      GmcpToolArgument *argument = g_ptr_array_index (arguments, i);

      if (whole || gmcp_tool_argument_is_required (argument))
        {
          g_autofree char *value = gmcp_tool_argument_dup_example_json (argument);
          g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (value, strlen (value), NULL, 0, NULL);

          gmcp_json_writer_key (&writer, gmcp_tool_argument_get_name (argument));
          gmcp_json_writer_value (&writer, gmcp_json_doc_get_root (doc));
        }
    }
  gmcp_json_writer_end_object (&writer);
  return g_string_free (out, FALSE);
}

/* The server's own examples of whole calls, then those that are made. */
static GPtrArray *
list_examples (GmcpTool *tool)
{
  g_autoptr (GPtrArray) arguments = gmcp_tool_list_arguments (tool);
  GPtrArray *examples = g_ptr_array_new_with_free_func (g_free);
  GmcpJsonValue own
    = gmcp_json_value_get_member (gmcp_tool_get_input_schema_value (tool), "examples");
  guint n = MIN (gmcp_json_value_get_length (own), 4);

  for (guint i = 0; i < n && gmcp_json_value_is_array (own); i++)
    if (gmcp_json_value_is_object (gmcp_json_value_get_element (own, i)))
      g_ptr_array_add (examples, gmcp_json_value_dup_raw (gmcp_json_value_get_element (own, i)));
  g_ptr_array_add (examples, make_example (arguments, FALSE));
  g_ptr_array_add (examples, make_example (arguments, TRUE));
  return examples;
}

/**
 * gmcp_tool_dup_example_json:
 * @self: a tool
 *
 * Gives arguments that the tool may be called with: what has to be given, and no more. They fit the tool's
 * input schema wherever such values are found; what they mean to the server nobody knows.
 *
 * Returns: (transfer full): a JSON object as text
 *
 * Since: 0.1
 */
char *
gmcp_tool_dup_example_json (GmcpTool *self)
{
  g_autoptr (GPtrArray) examples = NULL;

  g_return_val_if_fail (GMCP_IS_TOOL (self), NULL);

  examples = list_examples (self);
  for (guint i = 0; i < examples->len; i++)
    if (gmcp_tool_check_arguments_json (self, examples->pdata[i], NULL))
      return g_strdup (examples->pdata[i]);
  /* The one with what has to be given. */
  return g_strdup (examples->pdata[examples->len - 2]);
}

static const GmcpJsonSchemaOptions check_options = {
  .limits = { .subschemas = GMCP_LIMIT_OUTPUT_SUBSCHEMAS, .steps = GMCP_LIMIT_OUTPUT_STEPS },
};

/**
 * gmcp_tool_check_arguments_json:
 * @self: a tool
 * @arguments_json: the text of a JSON object
 * @error: return location for an error
 *
 * Checks arguments against the tool's input schema, before they are sent. Fails with
 * [error@Gmcp.Error] `INVALID_ARGUMENT`, with one line for people that names the argument and what it
 * should be, and `INVALID_JSON` for what is no JSON.
 *
 * A schema that cannot be understood, or is too large to be checked at once, refuses nothing: the server
 * has the last word in any case.
 *
 * Returns: whether nothing speaks against the arguments
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_check_arguments_json (GmcpTool *self, const char *arguments_json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GmcpJsonSchema) schema = NULL;
  g_autoptr (GError) refusal = NULL;
  g_autofree char *message = NULL;

  g_return_val_if_fail (GMCP_IS_TOOL (self), FALSE);
  g_return_val_if_fail (arguments_json != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  doc = gmcp_protocol_parse_object (arguments_json, _ ("The arguments"), error);
  if (doc == NULL)
    return FALSE;
  schema = gmcp_json_schema_compile (gmcp_tool_get_input_schema_value (self), &check_options, NULL);
  if (schema == NULL || gmcp_json_schema_validate (schema, gmcp_json_doc_get_root (doc), &refusal)
      || refusal->code != GMCP_ERROR_INVALID_ARGUMENT)
    return TRUE;

  message = gmcp_argument_explain_refusal (self, gmcp_json_doc_get_root (doc), refusal);
  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, message);
  return FALSE;
}
