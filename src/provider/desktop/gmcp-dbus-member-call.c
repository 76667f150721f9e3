/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-dbus-introspection-private.h"
#include "gmcp-dbus-member-struct-private.h"
#include "gmcp-derived-tool-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-tool-call-private.h"
#include "gmcp-variant-json-private.h"

#define NO_REPLY   "org.freedesktop.DBus.Method.NoReply"
#define PROPERTIES "org.freedesktop.DBus.Properties"

/* Of an error of another program's. */
#define MESSAGE_CHARS 4000

/* A call that is under way. */
typedef struct
{
  GmcpDBusMember *member;
  GmcpToolCall *call;
} DBusCall;

static void
dbus_call_free (DBusCall *pending)
{
  gmcp_dbus_member_unref (pending->member);
  g_object_unref (pending->call);
  g_free (pending);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DBusCall, dbus_call_free)

/* Remote errors come with their name on D-Bus, which a model can tell apart. */
static void
return_failure (GmcpToolCall *call, const GError *error)
{
  g_autofree char *name = g_dbus_error_get_remote_error (error);
  g_autoptr (GError) stripped = g_error_copy (error);
  g_autofree char *shown = NULL;
  g_autofree char *message = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      gmcp_tool_call_return_error (call, error);
      return;
    }

  g_dbus_error_strip_remote_error (stripped);
  shown = g_utf8_strlen (stripped->message, -1) > MESSAGE_CHARS
            ? g_utf8_substring (stripped->message, 0, MESSAGE_CHARS)
            : g_strdup (stripped->message);
  message = name != NULL ? g_strdup_printf ("%s: %s", name, shown) : g_strdup (shown);
  gmcp_derived_tool_return_failure (call, message);
}

static gboolean
write_values (GmcpJsonWriter *writer, GmcpDBusMember *member, GVariant *values, GError **error)
{
  gmcp_json_writer_begin_object (writer);
  for (guint i = 0; member->out_names[i] != NULL; i++)
    {
      g_autoptr (GVariant) value = g_variant_get_child_value (values, i);

      gmcp_json_writer_key (writer, member->out_names[i]);
      if (!gmcp_variant_write_json (writer, value, error))
        {
          g_prefix_error (error, "%s: ", member->out_names[i]);
          return FALSE;
        }
    }
  gmcp_json_writer_end_object (writer);
  return TRUE;
}

static void
return_values (GmcpToolCall *call, GmcpDBusMember *member, GVariant *values)
{
  g_autoptr (GString) json = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (json);
  g_autoptr (GError) error = NULL;

  if (member->out_names[0] == NULL)
    {
      g_autofree char *text = g_strdup_printf ("“%s” was called.", member->name);
      g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text (text);

      gmcp_tool_call_return_result (call, result);
    }
  else if (write_values (&writer, member, values, &error))
    {
      gmcp_derived_tool_return_object (call, json->str);
    }
  else
    {
      gmcp_derived_tool_return_failure (call, error->message);
    }
}

static void
on_called (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (DBusCall) pending = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply
    = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &error);

  if (reply != NULL)
    return_values (pending->call, pending->member, reply);
  else
    return_failure (pending->call, error);
}

static void
on_property_set (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (DBusCall) pending = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply
    = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &error);
  g_autofree char *text = g_strdup_printf ("“%s” was set.", pending->member->name);
  g_autoptr (GmcpToolResult) done = gmcp_tool_result_new_text (text);

  if (reply != NULL)
    gmcp_tool_call_return_result (pending->call, done);
  else
    return_failure (pending->call, error);
}

static void
on_property_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (DBusCall) pending = data;
  GmcpDBusMember *member = pending->member;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply
    = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &error);
  g_autoptr (GVariant) value = NULL;
  g_autoptr (GVariant) values = NULL;

  if (reply == NULL)
    {
      return_failure (pending->call, error);
      return;
    }

  g_variant_get (reply, "(v)", &value);
  values = g_variant_ref_sink (g_variant_new_tuple (&value, 1));
  if (!g_variant_is_of_type (values, member->out_type))
    {
      g_autofree char *message = g_strdup_printf (
        _ ("The property “%s” has the type “%s”, and was said to have “%s”"), member->name,
        g_variant_get_type_string (value), member->property->signature);

      gmcp_derived_tool_return_failure (pending->call, message);
      return;
    }
  return_values (pending->call, member, values);
}

/* The arguments as the method wants them; not floating. */
static GVariant *
read_arguments (GmcpDBusMember *member, GmcpToolCall *call, GError **error)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (member->in_type);
  GmcpJsonValue given = gmcp_tool_call_get_arguments_value (call);
  const GVariantType *type = g_variant_type_first (member->in_type);
  g_autoptr (GVariant) arguments = NULL;

  for (guint i = 0; member->in_names[i] != NULL; i++)
    {
      const char *name = member->in_names[i];
      GmcpJsonValue value = gmcp_json_value_get_member (given, name);
      g_autoptr (GVariant) argument = NULL;

      if (!gmcp_json_value_is_present (value))
        {
          g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                       _ ("The argument “%s” is missing"), name);
          return NULL;
        }
      argument = gmcp_variant_read_json (value, type, name, error);
      if (argument == NULL)
        return NULL;
      g_variant_builder_add_value (&builder, argument);
      type = g_variant_type_next (type);
    }
  arguments = g_variant_ref_sink (g_variant_builder_end (&builder));
  if (g_variant_get_size (arguments) > GMCP_LIMIT_VARIANT_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("The arguments have more than %u bytes, which is the limit"),
                   GMCP_LIMIT_VARIANT_BYTES);
      return NULL;
    }
  return g_steal_pointer (&arguments);
}

static DBusCall *
begin_call (GmcpDBusMember *member, GmcpToolCall *call)
{
  DBusCall *pending = g_new0 (DBusCall, 1);

  pending->member = gmcp_dbus_member_ref (member);
  pending->call = g_object_ref (call);
  return pending;
}

static gboolean
expects_no_reply (GmcpDBusMember *member)
{
  const char *said
    = gmcp_dbus_introspection_find_annotation (member->method->annotations, NO_REPLY);

  return g_strcmp0 (said, "true") == 0 && member->out_names[0] == NULL;
}

static void
call_method (GmcpDBusMember *self, const GmcpDBusPlace *place, GmcpToolCall *call)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) arguments = read_arguments (self, call, &error);

  if (arguments == NULL)
    {
      gmcp_derived_tool_return_failure (call, error->message);
      return;
    }

  /* The call has a time limit of its own, which cancels this one. */
  if (!expects_no_reply (self))
    {
      g_dbus_connection_call (
        place->connection, place->bus_name, place->object_path, self->interface_name, self->name,
        arguments, self->out_type, G_DBUS_CALL_FLAGS_NONE, G_MAXINT,
        gmcp_tool_call_get_cancellable (call), on_called, begin_call (self, call));
      return;
    }
  g_dbus_connection_call (place->connection, place->bus_name, place->object_path,
                          self->interface_name, self->name, arguments, NULL, G_DBUS_CALL_FLAGS_NONE,
                          G_MAXINT, NULL, NULL, NULL);
  return_values (call, self, NULL);
}

static void
read_property (GmcpDBusMember *self, const GmcpDBusPlace *place, GmcpToolCall *call)
{
  g_dbus_connection_call (place->connection, place->bus_name, place->object_path, PROPERTIES, "Get",
                          g_variant_new ("(ss)", self->interface_name, self->name),
                          G_VARIANT_TYPE ("(v)"), G_DBUS_CALL_FLAGS_NONE, G_MAXINT,
                          gmcp_tool_call_get_cancellable (call), on_property_read,
                          begin_call (self, call));
}

static void
set_property (GmcpDBusMember *self, const GmcpDBusPlace *place, GmcpToolCall *call)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) arguments = read_arguments (self, call, &error);
  g_autoptr (GVariant) value = NULL;

  if (arguments == NULL)
    {
      gmcp_derived_tool_return_failure (call, error->message);
      return;
    }

  value = g_variant_get_child_value (arguments, 0);
  g_dbus_connection_call (place->connection, place->bus_name, place->object_path, PROPERTIES, "Set",
                          g_variant_new ("(ssv)", self->interface_name, self->name, value), NULL,
                          G_DBUS_CALL_FLAGS_NONE, G_MAXINT, gmcp_tool_call_get_cancellable (call),
                          on_property_set, begin_call (self, call));
}

void
gmcp_dbus_member_call (GmcpDBusMember *self, const GmcpDBusPlace *place, GmcpToolCall *call)
{
  switch (self->use)
    {
    case GMCP_DBUS_READ_PROPERTY:
      read_property (self, place, call);
      break;

    case GMCP_DBUS_WRITE_PROPERTY:
      set_property (self, place, call);
      break;

    case GMCP_DBUS_CALL_METHOD:
    default:
      call_method (self, place, call);
    }
}
