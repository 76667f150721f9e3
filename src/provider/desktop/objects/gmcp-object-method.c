/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-object-method-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-derived-tool-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-object-value-private.h"
#include "gmcp-tool-call-private.h"

#define RESULT "result"

typedef struct
{
  char *name;
  gboolean is_given; /* by the method; otherwise to it */
  GmcpObjectValue value;
} Parameter;

struct _GmcpObjectMethod
{
  const GmcpGirepository *gi;
  GIFunctionInfo *info;
  char *name;
  char *class_name;
  GArray *parameters; /* (element-type Parameter) */
  GmcpObjectValue result;
};

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

/* Of a class that has no data, such as one that a program keeps to itself, those of its interfaces are known. */
static GIFunctionInfo *
find_method (const GmcpGirepository *gi, GType class_type, const char *name, gboolean *is_known)
{
  g_autofree GType *interfaces = NULL;
  guint n_interfaces;
  GIFunctionInfo *method = NULL;

  for (GType type = class_type; type != 0 && method == NULL; type = g_type_parent (type))
    {
      gboolean has_data = FALSE;

      method = find_in_type (gi, type, name, &has_data);
      /* Every object is a GObject, of which nobody wants a tool. */
      *is_known = *is_known || (has_data && type != G_TYPE_OBJECT);
    }
  interfaces = g_type_interfaces (class_type, &n_interfaces);
  for (guint i = 0; i < n_interfaces && method == NULL; i++)
    method = find_in_type (gi, interfaces[i], name, is_known);
  return method;
}

/* What it takes and gives */

static void
clear_parameter (gpointer data)
{
  Parameter *parameter = data;

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
read_parameter (Parameter *parameter, const GmcpGirepository *gi, GIArgInfo *info, GError **error)
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

static gboolean
read_parameters (GmcpObjectMethod *self, GError **error)
{
  GICallableInfo *info = (GICallableInfo *) self->info;
  guint n_parameters = self->gi->callable_info_get_n_args (info);

  for (guint i = 0; i < n_parameters; i++)
    {
      GIArgInfo *argument = self->gi->callable_info_get_arg (info, i);
      Parameter parameter = { NULL };
      gboolean good = read_parameter (&parameter, self->gi, argument, error);

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

  if (!self->gi->callable_info_is_method (info)
      || self->gi->callable_info_get_instance_ownership_transfer (info) != GI_TRANSFER_NOTHING)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                           _ ("it makes an object, or ends one"));
      return FALSE;
    }
  return read_parameters (self, error) && read_result (self, error);
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
      if (is_known)
        g_set_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL, _ ("%s has no method “%s”"),
                     G_OBJECT_TYPE_NAME (object), name);
      else
        g_set_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL,
                     _ ("The introspection data of %s are not loaded"),
                     G_OBJECT_TYPE_NAME (object));
      return NULL;
    }

  self = g_rc_box_new0 (GmcpObjectMethod);
  self->gi = gi;
  self->info = info;
  self->name = g_strdup (name);
  self->class_name = g_strdup (G_OBJECT_TYPE_NAME (object));
  self->parameters = g_array_new (FALSE, FALSE, sizeof (Parameter));
  g_array_set_clear_func (self->parameters, clear_parameter);
  if (read_method (self, error))
    return g_steal_pointer (&self);

  g_prefix_error (error, _ ("The method “%s” of %s cannot be a tool: "), name, self->class_name);
  return NULL;
}

static guint
count_given (GmcpObjectMethod *self)
{
  guint n_given = self->result.kind != GMCP_OBJECT_NOTHING ? 1 : 0;

  for (guint i = 0; i < self->parameters->len; i++)
    n_given += g_array_index (self->parameters, Parameter, i).is_given;
  return n_given;
}

/* The definition */

static gboolean
is_told_of (const Parameter *parameter, gboolean is_given)
{
  return parameter->is_given == is_given && parameter->value.kind != GMCP_OBJECT_CANCELLABLE;
}

static void
write_required (GmcpObjectMethod *self, GmcpJsonWriter *writer, gboolean is_given)
{
  gmcp_json_writer_key (writer, "required");
  gmcp_json_writer_begin_array (writer);
  if (is_given && self->result.kind != GMCP_OBJECT_NOTHING)
    gmcp_json_writer_string (writer, RESULT);
  for (guint i = 0; i < self->parameters->len; i++)
    {
      const Parameter *parameter = &g_array_index (self->parameters, Parameter, i);

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
      gmcp_json_writer_key (writer, RESULT);
      gmcp_object_value_write_schema (&self->result, writer);
    }
  for (guint i = 0; i < self->parameters->len; i++)
    {
      const Parameter *parameter = &g_array_index (self->parameters, Parameter, i);

      if (!is_told_of (parameter, is_given))
        continue;
      gmcp_json_writer_key (writer, parameter->name);
      gmcp_object_value_write_schema (&parameter->value, writer);
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
  if (count_given (self) > 0)
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

/* A call */

typedef struct
{
  GIArgument *taken;  /* of the object, and of each argument that the method takes */
  GIArgument *places; /* where the method writes what it gives, as girepository wants it */
  GIArgument *given;  /* what it wrote there */
  guint n_taken;      /* with the object */
  guint n_given;
  GIArgument result;
} Frame;

static void
frame_init (Frame *frame, GmcpObjectMethod *self, GObject *object)
{
  guint n_parameters = self->parameters->len;

  *frame = (Frame){ .taken = g_new0 (GIArgument, n_parameters + 1),
                    .places = g_new0 (GIArgument, n_parameters + 1),
                    .given = g_new0 (GIArgument, n_parameters + 1) };
  frame->taken[frame->n_taken++].v_pointer = object;
}

static void
frame_clear (Frame *frame)
{
  g_free (frame->taken);
  g_free (frame->places);
  g_free (frame->given);
}

/* What the method takes over is its own once it was called. */
static void
free_taken (GmcpObjectMethod *self, Frame *frame, gboolean was_called)
{
  guint n = 1;

  for (guint i = 0; i < self->parameters->len && n < frame->n_taken; i++)
    {
      const Parameter *parameter = &g_array_index (self->parameters, Parameter, i);

      if (parameter->is_given)
        continue;
      if (!was_called || parameter->value.transfer == GI_TRANSFER_NOTHING)
        gmcp_object_value_free_argument (&parameter->value, &frame->taken[n]);
      n++;
    }
}

static gboolean
read_arguments (GmcpObjectMethod *self, GmcpToolCall *call, Frame *frame, GError **error)
{
  GmcpJsonValue arguments = gmcp_tool_call_get_arguments_value (call);

  for (guint i = 0; i < self->parameters->len; i++)
    {
      const Parameter *parameter = &g_array_index (self->parameters, Parameter, i);
      GIArgument *argument = &frame->taken[frame->n_taken];

      if (parameter->is_given)
        {
          frame->places[frame->n_given].v_pointer = &frame->given[frame->n_given];
          frame->n_given++;
          continue;
        }

      if (parameter->value.kind == GMCP_OBJECT_CANCELLABLE)
        argument->v_pointer = gmcp_tool_call_get_cancellable (call);
      else if (!gmcp_object_value_read (&parameter->value,
                                        gmcp_json_value_get_member (arguments, parameter->name),
                                        parameter->name, argument, error))
        return FALSE;
      frame->n_taken++;
    }
  return TRUE;
}

static gboolean
write_given (GmcpObjectMethod *self, Frame *frame, GmcpJsonWriter *writer, GError **error)
{
  guint n = 0;

  gmcp_json_writer_begin_object (writer);
  if (self->result.kind != GMCP_OBJECT_NOTHING)
    {
      gmcp_json_writer_key (writer, RESULT);
      if (!gmcp_object_value_write (&self->result, &frame->result, writer, error))
        return FALSE;
    }
  for (guint i = 0; i < self->parameters->len; i++)
    {
      const Parameter *parameter = &g_array_index (self->parameters, Parameter, i);

      if (!parameter->is_given)
        continue;
      gmcp_json_writer_key (writer, parameter->name);
      if (!gmcp_object_value_write (&parameter->value, &frame->given[n++], writer, error))
        {
          g_prefix_error (error, "%s: ", parameter->name);
          return FALSE;
        }
    }
  gmcp_json_writer_end_object (writer);
  return TRUE;
}

static void
free_given (GmcpObjectMethod *self, Frame *frame)
{
  guint n = 0;

  gmcp_object_value_free_given (&self->result, &frame->result);
  for (guint i = 0; i < self->parameters->len; i++)
    {
      const Parameter *parameter = &g_array_index (self->parameters, Parameter, i);

      if (parameter->is_given)
        gmcp_object_value_free_given (&parameter->value, &frame->given[n++]);
    }
}

static void
return_given (GmcpObjectMethod *self, Frame *frame, GmcpToolCall *call)
{
  g_autoptr (GString) json = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (json);
  g_autoptr (GError) error = NULL;

  if (count_given (self) == 0)
    {
      g_autofree char *text = g_strdup_printf ("“%s” was called.", self->name);
      g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text (text);

      gmcp_tool_call_return_result (call, result);
    }
  else if (write_given (self, frame, &writer, &error))
    {
      gmcp_derived_tool_return_object (call, json->str);
    }
  else
    {
      gmcp_derived_tool_return_failure (call, error->message);
    }
}

void
gmcp_object_method_call (GmcpObjectMethod *self, GObject *object, GmcpToolCall *call)
{
  g_autoptr (GError) error = NULL;
  Frame frame;

  frame_init (&frame, self, object);
  if (!read_arguments (self, call, &frame, &error))
    {
      free_taken (self, &frame, FALSE);
      gmcp_derived_tool_return_failure (call, error->message);
    }
  else if (self->gi->function_info_invoke (self->info, frame.taken, frame.n_taken, frame.places,
                                           frame.n_given, &frame.result, &error))
    {
      free_taken (self, &frame, TRUE);
      return_given (self, &frame, call);
      free_given (self, &frame);
    }
  else
    {
      free_taken (self, &frame, TRUE);
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        gmcp_tool_call_return_error (call, error);
      else
        gmcp_derived_tool_return_failure (call, error->message);
    }
  frame_clear (&frame);
}
