/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-derived-tool-private.h"
#include "gmcp-object-method-struct-private.h"
#include "gmcp-tool-call-private.h"

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
      const GmcpObjectParameter *parameter
        = &g_array_index (self->parameters, GmcpObjectParameter, i);

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
      const GmcpObjectParameter *parameter
        = &g_array_index (self->parameters, GmcpObjectParameter, i);
      GIArgument *argument = &frame->taken[frame->n_taken];

      if (parameter->is_given)
        {
          frame->places[frame->n_given].v_pointer = &frame->given[frame->n_given];
          frame->n_given++;
          continue;
        }

      if (parameter->value.kind == GMCP_OBJECT_CANCELLABLE)
        argument->v_pointer = gmcp_tool_call_get_cancellable (call);
      else if (parameter->value.kind == GMCP_OBJECT_LENGTH)
        argument->v_int64 = -1; /* in every size of it */
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
      gmcp_json_writer_key (writer, gmcp_object_method_get_result_name (self));
      if (!gmcp_object_value_write (&self->result, &frame->result, writer, error))
        return FALSE;
    }
  for (guint i = 0; i < self->parameters->len; i++)
    {
      const GmcpObjectParameter *parameter
        = &g_array_index (self->parameters, GmcpObjectParameter, i);

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
      const GmcpObjectParameter *parameter
        = &g_array_index (self->parameters, GmcpObjectParameter, i);

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

  if (gmcp_object_method_count_given (self) == 0)
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
      if (g_cancellable_is_cancelled (gmcp_tool_call_get_cancellable (call)))
        gmcp_tool_call_return_error (call, error);
      else
        gmcp_derived_tool_return_failure (call, error->message);
    }
  frame_clear (&frame);
}
