/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-dbus-member-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-dbus-introspection-private.h"
#include "gmcp-derived-tool-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-private.h"
#include "gmcp-variant-json-private.h"

#include "gmcp-dbus-member-struct-private.h"

#define DOC_STRING "org.gtk.GDBus.DocString"
#define DEPRECATED "org.freedesktop.DBus.Deprecated"

static void
clear_member (gpointer data)
{
  GmcpDBusMember *self = data;

  g_clear_pointer (&self->method, g_dbus_method_info_unref);
  g_clear_pointer (&self->property, g_dbus_property_info_unref);
  g_clear_pointer (&self->in_type, g_variant_type_free);
  g_clear_pointer (&self->out_type, g_variant_type_free);
  g_strfreev (self->in_names);
  g_strfreev (self->out_names);
  g_free (self->interface_name);
  g_free (self->name);
}

GmcpDBusMember *
gmcp_dbus_member_ref (GmcpDBusMember *self)
{
  return g_rc_box_acquire (self);
}

void
gmcp_dbus_member_unref (GmcpDBusMember *self)
{
  g_rc_box_release_full (self, clear_member);
}

static GmcpDBusMember *
new_member (const char *interface_name, const char *name)
{
  GmcpDBusMember *self = g_rc_box_new0 (GmcpDBusMember);

  self->interface_name = g_strdup (interface_name);
  self->name = g_strdup (name);
  return self;
}

static GDBusInterfaceInfo *
find_interface (GDBusNodeInfo *node, const char *name, GError **error)
{
  GDBusInterfaceInfo *interface = g_dbus_node_info_lookup_interface (node, name);

  if (interface == NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL, _ ("The object has no interface “%s”"),
                 name);
  return interface;
}

static void
set_unknown_member (const char *interface_name, const char *name, GError **error)
{
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL, _ ("The interface “%s” has no “%s”"),
               interface_name, name);
}

static gboolean
set_method (GmcpDBusMember *self, GDBusInterfaceInfo *interface, GError **error)
{
  GDBusMethodInfo *method = g_dbus_interface_info_lookup_method (interface, self->name);

  if (method == NULL)
    {
      set_unknown_member (self->interface_name, self->name, error);
      return FALSE;
    }

  self->method = g_dbus_method_info_ref (method);
  self->in_names = gmcp_dbus_introspection_name_arguments (method->in_args);
  self->out_names = gmcp_dbus_introspection_name_arguments (method->out_args);
  self->in_type = gmcp_dbus_introspection_join_types (method->in_args, self->name, error);
  if (self->in_type == NULL)
    return FALSE;
  self->out_type = gmcp_dbus_introspection_join_types (method->out_args, self->name, error);
  return self->out_type != NULL;
}

static gboolean
check_access (GmcpDBusMember *self, GDBusPropertyInfo *property, GError **error)
{
  if (self->use == GMCP_DBUS_READ_PROPERTY
      && (property->flags & G_DBUS_PROPERTY_INFO_FLAGS_READABLE) == 0)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                 _ ("The property “%s” cannot be read"), self->name);
  else if (self->use == GMCP_DBUS_WRITE_PROPERTY
           && (property->flags & G_DBUS_PROPERTY_INFO_FLAGS_WRITABLE) == 0)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                 _ ("The property “%s” cannot be set"), self->name);
  else
    return TRUE;
  return FALSE;
}

/* Its value is what comes out, or what goes in. */
static gboolean
set_property (GmcpDBusMember *self, GDBusInterfaceInfo *interface, GError **error)
{
  GDBusPropertyInfo *property = g_dbus_interface_info_lookup_property (interface, self->name);
  GDBusArgInfo value = { .name = (char *) GMCP_DBUS_VALUE_NAME };
  GDBusArgInfo *values[] = { &value, NULL };
  gboolean is_written = self->use == GMCP_DBUS_WRITE_PROPERTY;

  if (property == NULL)
    {
      set_unknown_member (self->interface_name, self->name, error);
      return FALSE;
    }
  if (!check_access (self, property, error))
    return FALSE;

  self->property = g_dbus_property_info_ref (property);
  value.signature = property->signature;
  self->in_names = gmcp_dbus_introspection_name_arguments (is_written ? values : NULL);
  self->out_names = gmcp_dbus_introspection_name_arguments (is_written ? NULL : values);
  self->in_type
    = gmcp_dbus_introspection_join_types (is_written ? values : NULL, self->name, error);
  if (self->in_type == NULL)
    return FALSE;
  self->out_type
    = gmcp_dbus_introspection_join_types (is_written ? NULL : values, self->name, error);
  return self->out_type != NULL;
}

GmcpDBusMember *
gmcp_dbus_member_new (GDBusNodeInfo *node,
                      GmcpDBusMemberUse use,
                      const char *interface_name,
                      const char *name,
                      GError **error)
{
  g_autoptr (GmcpDBusMember) self = new_member (interface_name, name);
  GDBusInterfaceInfo *interface = find_interface (node, interface_name, error);

  self->use = use;
  if (interface == NULL
      || !(use == GMCP_DBUS_CALL_METHOD ? set_method (self, interface, error)
                                        : set_property (self, interface, error)))
    return NULL;
  return g_steal_pointer (&self);
}

char *
gmcp_dbus_member_dup_tool_name (GmcpDBusMemberUse use, const char *name)
{
  static const char *const prefixes[] = {
    [GMCP_DBUS_CALL_METHOD] = "",
    [GMCP_DBUS_READ_PROPERTY] = "get-",
    [GMCP_DBUS_WRITE_PROPERTY] = "set-",
  };

  return g_strconcat (prefixes[use], name, NULL);
}

/* The schema of a value, with what its author says of it. */
static void
write_argument_schema (GmcpJsonWriter *writer, const GVariantType *type, GDBusArgInfo *argument)
{
  g_autoptr (GString) schema = g_string_new (NULL);
  GmcpJsonWriter inner = gmcp_json_writer_init (schema);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  const char *text = argument != NULL
                       ? gmcp_dbus_introspection_find_annotation (argument->annotations, DOC_STRING)
                       : NULL;
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_variant_write_schema (&inner, type, NULL);
  if (text == NULL)
    {
      gmcp_json_writer_raw (writer, schema->str, (gssize) schema->len);
      return;
    }

  doc = gmcp_json_doc_parse (schema->str, schema->len, NULL, 0, NULL);
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "description", text);
  gmcp_json_iter_init (&iter, gmcp_json_doc_get_root (doc));
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (!g_str_equal (name, "description"))
        gmcp_json_writer_member_value (writer, name, value);
    }
  gmcp_json_writer_end_object (writer);
}

static void
write_object_schema (GmcpJsonWriter *writer,
                     const char *key,
                     GStrv names,
                     const GVariantType *types,
                     GDBusArgInfo **arguments)
{
  const GVariantType *type = g_variant_type_first (types);

  gmcp_json_writer_key (writer, key);
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "type", "object");
  gmcp_json_writer_key (writer, "properties");
  gmcp_json_writer_begin_object (writer);
  for (guint i = 0; names[i] != NULL; i++)
    {
      gmcp_json_writer_key (writer, names[i]);
      write_argument_schema (writer, type, arguments != NULL ? arguments[i] : NULL);
      type = g_variant_type_next (type);
    }
  gmcp_json_writer_end_object (writer);
  if (names[0] != NULL)
    {
      gmcp_json_writer_key (writer, "required");
      gmcp_json_writer_begin_array (writer);
      for (guint i = 0; names[i] != NULL; i++)
        gmcp_json_writer_string (writer, names[i]);
      gmcp_json_writer_end_array (writer);
    }
  gmcp_json_writer_member_boolean (writer, "additionalProperties", FALSE);
  gmcp_json_writer_end_object (writer);
}

/* The texts are for models, which are spoken to in English. */
static char *
dup_description (GmcpDBusMember *self, GDBusAnnotationInfo **annotations)
{
  const char *text = gmcp_dbus_introspection_find_annotation (annotations, DOC_STRING);
  const char *deprecated = gmcp_dbus_introspection_find_annotation (annotations, DEPRECATED);
  const char *prefix = g_strcmp0 (deprecated, "true") == 0 ? "Deprecated. " : "";

  static const char *const uses[] = {
    [GMCP_DBUS_CALL_METHOD] = "Calls the method",
    [GMCP_DBUS_READ_PROPERTY] = "Reads the property",
    [GMCP_DBUS_WRITE_PROPERTY] = "Sets the property",
  };

  if (text != NULL && self->use == GMCP_DBUS_WRITE_PROPERTY)
    return g_strdup_printf ("%sSets the property “%s”: %s", prefix, self->name, text);
  if (text != NULL)
    return g_strconcat (prefix, text, NULL);
  return g_strdup_printf ("%s%s “%s” of the D-Bus interface “%s”.", prefix, uses[self->use],
                          self->name, self->interface_name);
}

static const char *
find_annotation (gconstpointer annotations, const char *name)
{
  return gmcp_dbus_introspection_find_annotation ((GDBusAnnotationInfo **) annotations, name);
}

static void
write_hints (GmcpJsonWriter *writer, GmcpDBusMember *self, GDBusAnnotationInfo **annotations)
{
  gmcp_json_writer_key (writer, "annotations");
  gmcp_json_writer_begin_object (writer);
  if (self->use == GMCP_DBUS_READ_PROPERTY)
    gmcp_json_writer_member_boolean (writer, "readOnlyHint", TRUE);
  if (self->use == GMCP_DBUS_WRITE_PROPERTY)
    gmcp_json_writer_member_boolean (writer, "readOnlyHint", FALSE);
  /* What reading and setting a property is, its author need not say. */
  gmcp_derived_tool_write_hints (writer, find_annotation, annotations,
                                 self->use == GMCP_DBUS_CALL_METHOD);
  gmcp_json_writer_end_object (writer);
}

char *
gmcp_dbus_member_dup_definition (GmcpDBusMember *self)
{
  GString *json = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (json);
  GDBusAnnotationInfo **annotations
    = self->property != NULL ? self->property->annotations : self->method->annotations;
  g_autofree char *name = gmcp_dbus_member_dup_tool_name (self->use, self->name);
  g_autofree char *description = dup_description (self, annotations);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "name", name);
  gmcp_json_writer_member_string (&writer, "description", description);
  write_object_schema (&writer, "inputSchema", self->in_names, self->in_type,
                       self->method != NULL ? self->method->in_args : NULL);
  if (self->out_names[0] != NULL)
    write_object_schema (&writer, "outputSchema", self->out_names, self->out_type,
                         self->method != NULL ? self->method->out_args : NULL);
  write_hints (&writer, self, annotations);
  gmcp_json_writer_end_object (&writer);
  return g_string_free (json, FALSE);
}
