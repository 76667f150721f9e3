/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-object-method-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-derived-tool-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-object-method-struct-private.h"
#include "gmcp-tool-private.h"

/* The data */

gboolean
gmcp_object_method_require (const char *namespace_name, const char *version, GError **error)
{
  const GmcpGirepository *gi = gmcp_girepository_load (error);

  return gi != NULL && gmcp_girepository_require (gi, namespace_name, version, error);
}

static GIFunctionInfo *
find_in_type (const GmcpGirepository *gi, GType type, const char *name, gboolean *is_known)
{
  GIBaseInfo *info = gmcp_girepository_find_type (gi, type);
  GIFunctionInfo *method = NULL;

  if (info == NULL)
    return NULL;

  *is_known = TRUE;
  if (gmcp_girepository_get_kind (gi, info) == GMCP_GI_OBJECT)
    method = gi->object_info_find_method ((GIObjectInfo *) info, name);
  else if (gmcp_girepository_get_kind (gi, info) == GMCP_GI_INTERFACE)
    method = gi->interface_info_find_method ((GIInterfaceInfo *) info, name);
  gi->base_info_unref (info);
  return method;
}

/* Of a class that has no data, such as one that a program keeps to itself, those of its parents and interfaces are
 * known. What every object has is no tool: it counts references, or is for those who know the class. */
static GIFunctionInfo *
find_method (const GmcpGirepository *gi, GType class_type, const char *name, gboolean *is_known)
{
  g_autofree GType *interfaces = NULL;
  guint n_interfaces;
  GIFunctionInfo *method = NULL;

  for (GType type = class_type; type != G_TYPE_OBJECT && type != 0 && method == NULL;
       type = g_type_parent (type))
    method = find_in_type (gi, type, name, is_known);
  interfaces = g_type_interfaces (class_type, &n_interfaces);
  for (guint i = 0; i < n_interfaces && method == NULL; i++)
    method = find_in_type (gi, interfaces[i], name, is_known);
  return method;
}

/* What it takes and gives */

static void
clear_parameter (gpointer data)
{
  GmcpObjectParameter *parameter = data;

  g_free (parameter->name);
  gmcp_object_value_clear (&parameter->value);
}

static void
clear_method (gpointer data)
{
  GmcpObjectMethod *self = data;

  g_array_unref (self->parameters);
  gmcp_object_value_clear (&self->result);
  self->gi->base_info_unref ((GIBaseInfo *) self->info);
  g_free (self->name);
  g_free (self->class_name);
}

GmcpObjectMethod *
gmcp_object_method_ref (GmcpObjectMethod *self)
{
  return g_rc_box_acquire (self);
}

void
gmcp_object_method_unref (GmcpObjectMethod *self)
{
  g_rc_box_release_full (self, clear_method);
}

static gboolean
refuse_parameter (GError **error)
{
  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                       _ ("it does not just go in, or come out"));
  return FALSE;
}

static gboolean
read_parameter (GmcpObjectParameter *parameter,
                const GmcpGirepository *gi,
                GIArgInfo *info,
                GError **error)
{
  GIDirection direction = gi->arg_info_get_direction (info);
  GITransfer transfer = gi->arg_info_get_ownership_transfer (info);
  GITypeInfo *type = gmcp_girepository_get_argument_type (gi, info);
  gboolean good;

  parameter->name = g_strdup (gi->base_info_get_name ((GIBaseInfo *) info));
  parameter->is_given = direction == GI_DIRECTION_OUT;
  good = gmcp_object_value_init (&parameter->value, gi, type, transfer,
                                 gi->arg_info_may_be_null (info), error)
         && (parameter->value.kind != GMCP_OBJECT_NOTHING || refuse_parameter (error));
  gi->base_info_unref ((GIBaseInfo *) type);
  if (!good)
    return FALSE;

  if (direction == GI_DIRECTION_INOUT || gi->arg_info_is_caller_allocates (info)
      || (parameter->is_given && parameter->value.kind == GMCP_OBJECT_CANCELLABLE)
      || (!parameter->is_given
          && (transfer == GI_TRANSFER_CONTAINER
              || (parameter->value.kind == GMCP_OBJECT_CANCELLABLE
                  && transfer != GI_TRANSFER_NOTHING))))
    return refuse_parameter (error);
  return TRUE;
}

/* The data do not say that a number is the length of the text before it, past whose end nobody may read. */
static gboolean
is_called_length (const char *name)
{
  static const char *const names[] = { "len",       "length",    "n_chars", "n_bytes",    "nbytes",
                                       "num_chars", "num_bytes", "max_len", "max_length", NULL };

  return g_strv_contains (names, name) || g_str_has_suffix (name, "_len")
         || g_str_has_suffix (name, "_length");
}

static gboolean
read_length (GmcpObjectParameter *parameter, const GmcpObjectParameter *before, GError **error)
{
  if (before == NULL || before->is_given || parameter->is_given
      || (before->value.kind != GMCP_OBJECT_TEXT && before->value.kind != GMCP_OBJECT_TEXTS)
      || parameter->value.kind < GMCP_OBJECT_INT8 || parameter->value.kind > GMCP_OBJECT_UINT64
      || !is_called_length (parameter->name))
    return TRUE;

  if (gmcp_object_value_is_signed (&parameter->value))
    {
      parameter->value.kind = GMCP_OBJECT_LENGTH;
      return TRUE;
    }
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
               _ ("it may be the length of “%s”, which nobody could check"), before->name);
  return FALSE;
}

static gboolean
read_parameters (GmcpObjectMethod *self, GError **error)
{
  GICallableInfo *info = (GICallableInfo *) self->info;
  guint n_parameters = self->gi->callable_info_get_n_args (info);

  for (guint i = 0; i < n_parameters; i++)
    {
      GIArgInfo *argument = self->gi->callable_info_get_arg (info, i);
      GmcpObjectParameter parameter = { NULL };
      const GmcpObjectParameter *before
        = i > 0 ? &g_array_index (self->parameters, GmcpObjectParameter, i - 1) : NULL;
      gboolean good = read_parameter (&parameter, self->gi, argument, error)
                      && read_length (&parameter, before, error);

      g_array_append_val (self->parameters, parameter);
      self->gi->base_info_unref ((GIBaseInfo *) argument);
      if (!good)
        {
          g_prefix_error (error, _ ("The argument “%s”: "), parameter.name);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
read_result (GmcpObjectMethod *self, GError **error)
{
  GICallableInfo *info = (GICallableInfo *) self->info;
  GITypeInfo *type = self->gi->callable_info_get_return_type (info);
  gboolean good = gmcp_object_value_init (&self->result, self->gi, type,
                                          self->gi->callable_info_get_caller_owns (info),
                                          self->gi->callable_info_may_return_null (info), error)
                  && (self->result.kind != GMCP_OBJECT_CANCELLABLE || refuse_parameter (error));

  self->gi->base_info_unref ((GIBaseInfo *) type);
  if (!good)
    g_prefix_error (error, _ ("What it gives back: "));
  return good;
}

static gboolean
read_method (GmcpObjectMethod *self, GError **error)
{
  GICallableInfo *info = (GICallableInfo *) self->info;

  if (!self->gi->callable_info_is_method (info))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                           _ ("it is a function of the class, not of an object"));
      return FALSE;
    }
  if (self->gi->callable_info_get_instance_ownership_transfer (info) != GI_TRANSFER_NOTHING)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED, _ ("it ends the object"));
      return FALSE;
    }
  return read_parameters (self, error) && read_result (self, error);
}

static char *
dup_class_name (GmcpObjectMethod *self)
{
  GIBaseInfo *info = self->gi->base_info_get_container ((GIBaseInfo *) self->info);

  return g_strdup_printf ("%s.%s", self->gi->base_info_get_namespace (info),
                          self->gi->base_info_get_name (info));
}

static void
set_unknown (GObject *object, const char *name, gboolean is_known, GError **error)
{
  if (is_known)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL, _ ("%s has no method “%s”"),
                 G_OBJECT_TYPE_NAME (object), name);
  else
    g_set_error (
      error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL,
      _ ("There are no introspection data of %s in which “%s” could be. Those of a library "
         "are loaded with gmcp_object_tools_require(); a class of a program has none, and a "
         "function of the program is the tool."),
      G_OBJECT_TYPE_NAME (object), name);
}

GmcpObjectMethod *
gmcp_object_method_new (GObject *object, const char *name, GError **error)
{
  g_autoptr (GmcpObjectMethod) self = NULL;
  const GmcpGirepository *gi = gmcp_girepository_load (error);
  gboolean is_known = FALSE;
  GIFunctionInfo *info;

  if (gi == NULL)
    return NULL;

  info = find_method (gi, G_OBJECT_TYPE (object), name, &is_known);
  if (info == NULL)
    {
      set_unknown (object, name, is_known, error);
      return NULL;
    }

  self = g_rc_box_new0 (GmcpObjectMethod);
  self->gi = gi;
  self->info = info;
  self->name = g_strdup (name);
  self->class_name = dup_class_name (self);
  self->parameters = g_array_new (FALSE, FALSE, sizeof (GmcpObjectParameter));
  g_array_set_clear_func (self->parameters, clear_parameter);
  if (read_method (self, error))
    return g_steal_pointer (&self);

  g_prefix_error (error, _ ("The method “%s” of %s cannot be a tool: "), name, self->class_name);
  return NULL;
}

const char *
gmcp_object_method_get_result_name (const GmcpObjectMethod *self)
{
  for (guint i = 0; i < self->parameters->len; i++)
    {
      const GmcpObjectParameter *parameter
        = &g_array_index (self->parameters, GmcpObjectParameter, i);

      if (parameter->is_given && g_str_equal (parameter->name, "result"))
        return "return_value";
    }
  return "result";
}

guint
gmcp_object_method_count_given (const GmcpObjectMethod *self)
{
  guint n_given = self->result.kind != GMCP_OBJECT_NOTHING ? 1 : 0;

  for (guint i = 0; i < self->parameters->len; i++)
    n_given += g_array_index (self->parameters, GmcpObjectParameter, i).is_given;
  return n_given;
}

/* The definition */

static gboolean
is_told_of (const GmcpObjectParameter *parameter, gboolean is_given)
{
  return parameter->is_given == is_given && parameter->value.kind != GMCP_OBJECT_CANCELLABLE
         && parameter->value.kind != GMCP_OBJECT_LENGTH;
}

static void
write_required (GmcpObjectMethod *self, GmcpJsonWriter *writer, gboolean is_given)
{
  gmcp_json_writer_key (writer, "required");
  gmcp_json_writer_begin_array (writer);
  if (is_given && self->result.kind != GMCP_OBJECT_NOTHING)
    gmcp_json_writer_string (writer, gmcp_object_method_get_result_name (self));
  for (guint i = 0; i < self->parameters->len; i++)
    {
      const GmcpObjectParameter *parameter
        = &g_array_index (self->parameters, GmcpObjectParameter, i);

      if (is_told_of (parameter, is_given) && (is_given || !parameter->value.is_nullable))
        gmcp_json_writer_string (writer, parameter->name);
    }
  gmcp_json_writer_end_array (writer);
}

static void
write_schema (GmcpObjectMethod *self, GmcpJsonWriter *writer, gboolean is_given)
{
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "type", "object");
  gmcp_json_writer_key (writer, "properties");
  gmcp_json_writer_begin_object (writer);
  if (is_given && self->result.kind != GMCP_OBJECT_NOTHING)
    {
      gmcp_json_writer_key (writer, gmcp_object_method_get_result_name (self));
      gmcp_object_value_write_schema (&self->result, writer, TRUE);
    }
  for (guint i = 0; i < self->parameters->len; i++)
    {
      const GmcpObjectParameter *parameter
        = &g_array_index (self->parameters, GmcpObjectParameter, i);

      if (!is_told_of (parameter, is_given))
        continue;
      gmcp_json_writer_key (writer, parameter->name);
      gmcp_object_value_write_schema (&parameter->value, writer, is_given);
    }
  gmcp_json_writer_end_object (writer);
  write_required (self, writer, is_given);
  gmcp_json_writer_member_boolean (writer, "additionalProperties", FALSE);
  gmcp_json_writer_end_object (writer);
}

static const char *
find_annotation (gconstpointer method, const char *name)
{
  const GmcpObjectMethod *self = method;

  return self->gi->base_info_get_attribute ((GIBaseInfo *) self->info, name);
}

char *
gmcp_object_method_dup_definition (GmcpObjectMethod *self)
{
  GString *json = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (json);
  g_autofree char *description = g_strdup_printf (
    "%sCalls the method “%s” of %s.",
    self->gi->base_info_is_deprecated ((GIBaseInfo *) self->info) ? "Deprecated. " : "", self->name,
    self->class_name);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "name", self->name);
  gmcp_json_writer_member_string (&writer, "description", description);
  gmcp_json_writer_key (&writer, "inputSchema");
  write_schema (self, &writer, FALSE);
  if (gmcp_object_method_count_given (self) > 0)
    {
      gmcp_json_writer_key (&writer, "outputSchema");
      write_schema (self, &writer, TRUE);
    }
  gmcp_json_writer_key (&writer, "annotations");
  gmcp_json_writer_begin_object (&writer);
  gmcp_derived_tool_write_hints (&writer, find_annotation, self, TRUE);
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_end_object (&writer);
  return g_string_free (json, FALSE);
}

static const GmcpObjectParameter *
find_parameter (GmcpObjectMethod *self, const char *name)
{
  for (guint i = 0; i < self->parameters->len; i++)
    {
      const GmcpObjectParameter *parameter
        = &g_array_index (self->parameters, GmcpObjectParameter, i);

      if (is_told_of (parameter, FALSE) && g_str_equal (parameter->name, name))
        return parameter;
    }
  return NULL;
}

gboolean
gmcp_object_method_check_tool (GmcpObjectMethod *self, GmcpTool *tool, GError **error)
{
  GmcpJsonValue names
    = gmcp_json_value_get_member (gmcp_tool_get_input_schema_value (tool), "properties");
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  if (gmcp_json_value_is_object (names))
    {
      gmcp_json_iter_init (&iter, names);
      while (gmcp_json_iter_next (&iter, &key, &value))
        {
          g_autofree char *name = gmcp_json_value_dup_string (key);

          if (find_parameter (self, name) != NULL)
            continue;
          g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                       _ ("The method “%s” has no argument “%s”, which the schema of its tool has"),
                       self->name, name);
          return FALSE;
        }
    }
  for (guint i = 0; i < self->parameters->len; i++)
    {
      const GmcpObjectParameter *parameter
        = &g_array_index (self->parameters, GmcpObjectParameter, i);

      if (!is_told_of (parameter, FALSE) || parameter->value.is_nullable
          || gmcp_json_value_is_present (gmcp_json_value_get_member (names, parameter->name)))
        continue;
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("The method “%s” needs the argument “%s”, which the schema of its tool does "
                      "not have"),
                   self->name, parameter->name);
      return FALSE;
    }
  return TRUE;
}
