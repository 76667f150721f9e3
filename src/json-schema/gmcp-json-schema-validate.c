/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-validate-private.h"
#include "gmcp-limits.h"

/* A message is made in the time of so many steps, and one for each level. */
#define STEPS_PER_MESSAGE 16

static const char *const type_names[]
  = { "null", "boolean", "integer", "number", "string", "array", "object" };

gboolean
gmcp_schema_run_fail (GmcpSchemaRun *run, const GmcpSchemaPath *path, const char *format, ...)
{
  g_autofree char *where = NULL;
  g_autofree char *what = NULL;
  va_list args;

  if (run->report == NULL || run->report->messages->len >= run->report->max
      || run->stop != GMCP_SCHEMA_STOP_NONE
      || !gmcp_schema_run_spend (run, STEPS_PER_MESSAGE + run->depth))
    return FALSE;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  where = gmcp_schema_path_to_string (path);
  g_ptr_array_add (run->report->messages,
                   g_strdup_printf ("%s: %s", *where != '\0' ? where : "/", what));

  return FALSE;
}

static GmcpSchemaTypes
types_of (GmcpSchemaRun *run, GmcpJsonValue value, GmcpSchemaTypes wanted)
{
  GmcpSchemaNumber number;

  switch (gmcp_json_value_get_kind (value))
    {
    case GMCP_JSON_NULL:
      return GMCP_SCHEMA_TYPE_NULL;
    case GMCP_JSON_FALSE:
    case GMCP_JSON_TRUE:
      return GMCP_SCHEMA_TYPE_BOOLEAN;
    case GMCP_JSON_STRING:
      return GMCP_SCHEMA_TYPE_STRING;
    case GMCP_JSON_ARRAY:
      return GMCP_SCHEMA_TYPE_ARRAY;
    case GMCP_JSON_OBJECT:
      return GMCP_SCHEMA_TYPE_OBJECT;
    case GMCP_JSON_NUMBER:
      /* Whether a number is whole matters only where other numbers will not do. */
      if ((wanted & GMCP_SCHEMA_TYPE_NUMBER) == 0 && (wanted & GMCP_SCHEMA_TYPE_INTEGER) != 0
          && gmcp_schema_run_read_number (run, value, &number)
          && gmcp_schema_number_is_integer (&number))
        return GMCP_SCHEMA_TYPE_NUMBER | GMCP_SCHEMA_TYPE_INTEGER;
      return GMCP_SCHEMA_TYPE_NUMBER;
    case GMCP_JSON_ABSENT:
      break;
    }

  return 0;
}

static gboolean
check_type (GmcpSchemaRun *run,
            const GmcpSchemaNode *node,
            GmcpJsonValue value,
            const GmcpSchemaPath *path)
{
  GmcpSchemaTypes found;
  g_autoptr (GString) wanted = NULL;
  const char *name = "";

  if (node->types == 0)
    return TRUE;
  found = types_of (run, value, node->types);
  if ((found & node->types) != 0)
    return TRUE;
  if (run->report == NULL || run->stop != GMCP_SCHEMA_STOP_NONE)
    return FALSE;

  wanted = g_string_new (NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (type_names); i++)
    {
      if (node->types & (1u << i))
        g_string_append_printf (wanted, "%s%s", wanted->len > 0 ? ", " : "", type_names[i]);
      if (found & (1u << i))
        name = type_names[i];
    }

  return gmcp_schema_run_fail (run, path, _ ("must be of type %s, not %s"), wanted->str, name);
}

static char *
list_values (GmcpJsonValue array)
{
  GString *out = g_string_new (NULL);
  GmcpJsonIter iter;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, array);
  while (gmcp_json_iter_next (&iter, NULL, &value))
    {
      g_autofree char *shown = gmcp_schema_dup_shown_raw (value);

      if (out->len > 0)
        g_string_append (out, ", ");
      if (out->len > 500)
        {
          g_string_append (out, "…");
          break;
        }
      g_string_append (out, shown);
    }

  return g_string_free (out, FALSE);
}

static gboolean
check_values (GmcpSchemaRun *run,
              const GmcpSchemaValueRules *rules,
              GmcpJsonValue value,
              const GmcpSchemaPath *path)
{
  g_autofree char *wanted = NULL;

  if (!gmcp_schema_run_spend_text (run, value))
    return FALSE;

  if (rules->has_enum && gmcp_schema_table_find (&rules->allowed, value) == NULL)
    {
      if (run->report == NULL)
        return FALSE;
      wanted = list_values (rules->enum_value);
      return gmcp_schema_run_fail (run, path, _ ("must be one of %s"), wanted);
    }
  if (gmcp_json_value_is_present (rules->const_value)
      && !gmcp_json_value_equal (rules->const_value, value))
    {
      if (run->report == NULL)
        return FALSE;
      wanted = gmcp_schema_dup_shown_raw (rules->const_value);
      return gmcp_schema_run_fail (run, path, _ ("must be %s"), wanted);
    }

  return TRUE;
}

static gboolean
check_kind (GmcpSchemaRun *run,
            const GmcpSchemaNode *node,
            GmcpJsonValue value,
            const GmcpSchemaPath *path,
            GmcpSchemaSeen *seen)
{
  switch (gmcp_json_value_get_kind (value))
    {
    case GMCP_JSON_NUMBER:
      return node->number == NULL || gmcp_schema_validate_number (run, node->number, value, path);
    case GMCP_JSON_STRING:
      return node->string == NULL || gmcp_schema_validate_string (run, node->string, value, path);
    case GMCP_JSON_ARRAY:
      return node->array == NULL || gmcp_schema_validate_array (run, node, value, path, seen);
    case GMCP_JSON_OBJECT:
      return node->object == NULL || gmcp_schema_validate_object (run, node, value, path, seen);
    case GMCP_JSON_ABSENT:
    case GMCP_JSON_NULL:
    case GMCP_JSON_FALSE:
    case GMCP_JSON_TRUE:
      break;
    }

  return TRUE;
}

static gboolean
check_node (GmcpSchemaRun *run,
            const GmcpSchemaNode *node,
            GmcpJsonValue value,
            const GmcpSchemaPath *path,
            GmcpSchemaSeen *seen)
{
  return check_type (run, node, value, path)
         && (node->value == NULL || check_values (run, node->value, value, path))
         && check_kind (run, node, value, path, seen)
         && (node->logic == NULL || gmcp_schema_validate_logic (run, node, value, path, seen));
}

/* The keywords that are about what the others left: these see what this node saw, and nothing that
 * stands beside it. */
static gboolean
check_node_and_rest (GmcpSchemaRun *run,
                     const GmcpSchemaNode *node,
                     GmcpJsonValue value,
                     const GmcpSchemaPath *path,
                     GmcpSchemaSeen *seen)
{
  GmcpSchemaSeen own;
  gboolean valid;

  if (!gmcp_schema_run_spend (run, gmcp_json_value_get_length (value) / 16))
    return FALSE;

  gmcp_schema_seen_init (&own, gmcp_json_value_get_length (value));
  valid = check_node (run, node, value, path, &own);
  if (valid && gmcp_json_value_is_array (value))
    valid
      = gmcp_schema_validate_unevaluated_items (run, node->array->unevaluated, value, path, &own);
  else if (valid)
    valid = gmcp_schema_validate_unevaluated_members (run, node->object->unevaluated, value, path,
                                                      &own);
  if (valid && seen != NULL)
    gmcp_schema_seen_unite (seen, &own);
  gmcp_schema_seen_clear (&own);

  return valid;
}

static gboolean
wants_rest (const GmcpSchemaNode *node, GmcpJsonValue value)
{
  return (node->array != NULL && node->array->unevaluated != NULL
          && gmcp_json_value_is_array (value))
         || (node->object != NULL && node->object->unevaluated != NULL
             && gmcp_json_value_is_object (value));
}

gboolean
gmcp_schema_validate_node (GmcpSchemaRun *run,
                           const GmcpSchemaNode *node,
                           GmcpJsonValue value,
                           const GmcpSchemaPath *path,
                           GmcpSchemaSeen *seen)
{
  GmcpSchemaScope scope = { run->scope, node->resource };
  gboolean valid;

  if (run->stop != GMCP_SCHEMA_STOP_NONE || !gmcp_schema_run_spend (run, 1))
    return FALSE;
  if (node->is_never)
    return gmcp_schema_run_fail (run, path, _ ("is not allowed"));
  if (run->depth >= run->schema->limits.depth)
    {
      run->stop = GMCP_SCHEMA_STOP_DEPTH;
      return FALSE;
    }

  run->depth++;
  if (scope.outer == NULL || scope.outer->resource != node->resource)
    run->scope = &scope;
  if (wants_rest (node, value))
    valid = check_node_and_rest (run, node, value, path, seen);
  else
    valid = check_node (run, node, value, path, seen);
  run->scope = scope.outer;
  run->depth--;

  return valid && run->stop == GMCP_SCHEMA_STOP_NONE;
}

gboolean
gmcp_schema_test_node (GmcpSchemaRun *run,
                       const GmcpSchemaNode *node,
                       GmcpJsonValue value,
                       const GmcpSchemaPath *path,
                       GmcpSchemaSeen *seen)
{
  GmcpSchemaReport *report = run->report;
  gboolean valid;

  run->report = NULL;
  valid = gmcp_schema_validate_node (run, node, value, path, seen);
  run->report = report;
  return valid;
}

static GmcpSchemaRun
start_run (GmcpJsonSchema *self, GmcpJsonValue instance, GmcpSchemaReport *report)
{
  gsize length = 0;

  gmcp_json_value_peek_raw (instance, &length);
  return (GmcpSchemaRun){
    .schema = self,
    .report = report,
    .steps = (guint64) self->limits.steps + length,
  };
}

static void
set_stop_error (const GmcpSchemaRun *run, GError **error)
{
  if (run->stop == GMCP_SCHEMA_STOP_DEPTH)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                 _ ("Checking the value against its JSON Schema went more than %u levels deep"),
                 run->schema->limits.depth);
  else
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                 _ ("Checking the value against its JSON Schema took more than %u steps"),
                 run->schema->limits.steps);
}

/* Walks once more, now to say what is wrong. */
static void
set_invalid_error (GmcpJsonSchema *self, GmcpJsonValue instance, GError **error)
{
  g_autoptr (GPtrArray) messages = g_ptr_array_new_with_free_func (g_free);
  GmcpSchemaReport report = { messages, GMCP_LIMIT_SCHEMA_FAILURES };
  GmcpSchemaRun run = start_run (self, instance, &report);
  GmcpSchemaPath root = { 0 };
  g_autofree char *text = NULL;

  gmcp_schema_validate_node (&run, self->root, instance, &root, NULL);
  if (messages->len == 0)
    g_ptr_array_add (messages, g_strdup (_ ("/: does not match the schema")));
  g_ptr_array_add (messages, NULL);
  text = g_strjoinv ("; ", (char **) messages->pdata);
  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, text);
}

gboolean
gmcp_json_schema_validate (GmcpJsonSchema *self, GmcpJsonValue instance, GError **error)
{
  GmcpSchemaPath root = { 0 };
  GmcpSchemaRun run;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (gmcp_json_value_is_present (instance), FALSE);

  run = start_run (self, instance, NULL);
  if (gmcp_schema_validate_node (&run, self->root, instance, &root, NULL))
    return TRUE;

  if (run.stop != GMCP_SCHEMA_STOP_NONE)
    set_stop_error (&run, error);
  else if (error != NULL)
    set_invalid_error (self, instance, error);
  return FALSE;
}
