/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcpd-gate.h"
#include "gmcpd-object-manager.h"

#define INTERFACE "org.freedesktop.DBus.ObjectManager"

static const char introspection[]
  = "<node><interface name='" INTERFACE "'>"
    "<method name='GetManagedObjects'>"
    "<arg type='a{oa{sa{sv}}}' name='objects' direction='out'/></method>"
    "<signal name='InterfacesAdded'>"
    "<arg type='o' name='object'/><arg type='a{sa{sv}}' name='interfaces'/></signal>"
    "<signal name='InterfacesRemoved'>"
    "<arg type='o' name='object'/><arg type='as' name='interfaces'/></signal>"
    "</interface></node>";

struct _GmcpdObjectManager
{
  char *path;
  GmcpdCallers *callers;
  GDBusNodeInfo *info;
  GHashTable *objects;     /* path: GDBusInterfaceSkeleton */
  GHashTable *connections; /* GDBusConnection: number of the registration */
};

GmcpdObjectManager *
gmcpd_object_manager_new (const char *path, GmcpdCallers *callers)
{
  GmcpdObjectManager *self = g_new0 (GmcpdObjectManager, 1);

  self->path = g_strdup (path);
  self->callers = g_object_ref (callers);
  self->info = g_dbus_node_info_new_for_xml (introspection, NULL);
  self->objects = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->connections = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  return self;
}

void
gmcpd_object_manager_free (GmcpdObjectManager *self)
{
  g_autoptr (GList) connections = g_hash_table_get_keys (self->connections);

  for (GList *l = connections; l != NULL; l = l->next)
    gmcpd_object_manager_unexport (self, l->data);
  g_hash_table_unref (self->connections);
  g_hash_table_unref (self->objects);
  g_dbus_node_info_unref (self->info);
  g_object_unref (self->callers);
  g_free (self->path);
  g_free (self);
}

static GVariant *
describe_interfaces (GDBusInterfaceSkeleton *skeleton)
{
  g_autoptr (GVariant) properties = g_dbus_interface_skeleton_get_properties (skeleton);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sa{sv}}"));
  g_variant_builder_add (&builder, "{s@a{sv}}", g_dbus_interface_skeleton_get_info (skeleton)->name,
                         properties);
  return g_variant_builder_end (&builder);
}

static GVariant *
describe_objects (GmcpdObjectManager *self)
{
  GVariantBuilder builder;
  GHashTableIter iter;
  gpointer path;
  gpointer skeleton;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{oa{sa{sv}}}"));
  g_hash_table_iter_init (&iter, self->objects);
  while (g_hash_table_iter_next (&iter, &path, &skeleton))
    g_variant_builder_add (&builder, "{o@a{sa{sv}}}", path, describe_interfaces (skeleton));
  return g_variant_builder_end (&builder);
}

static void
emit_signal (GmcpdObjectManager *self, const char *name, GVariant *parameters)
{
  GHashTableIter iter;
  gpointer connection;

  g_variant_ref_sink (parameters);
  g_hash_table_iter_init (&iter, self->connections);
  while (g_hash_table_iter_next (&iter, &connection, NULL))
    g_dbus_connection_emit_signal (connection, NULL, self->path, INTERFACE, name, parameters, NULL);
  g_variant_unref (parameters);
}

void
gmcpd_object_manager_add (GmcpdObjectManager *self,
                          const char *path,
                          GDBusInterfaceSkeleton *skeleton)
{
  GHashTableIter iter;
  gpointer connection;

  g_hash_table_insert (self->objects, g_strdup (path), g_object_ref (skeleton));
  g_hash_table_iter_init (&iter, self->connections);
  /* That fails for a path that is taken only, which was looked up above. */
  while (g_hash_table_iter_next (&iter, &connection, NULL))
    g_dbus_interface_skeleton_export (skeleton, connection, path, NULL);
  emit_signal (self, "InterfacesAdded",
               g_variant_new ("(o@a{sa{sv}})", path, describe_interfaces (skeleton)));
}

void
gmcpd_object_manager_remove (GmcpdObjectManager *self, const char *path)
{
  GDBusInterfaceSkeleton *skeleton = g_hash_table_lookup (self->objects, path);
  const char *interfaces[] = { NULL, NULL };

  if (skeleton == NULL)
    return;

  interfaces[0] = g_dbus_interface_skeleton_get_info (skeleton)->name;
  gmcpd_gate_unexport (skeleton);
  emit_signal (self, "InterfacesRemoved", g_variant_new ("(o^as)", path, interfaces));
  g_hash_table_remove (self->objects, path);
}

typedef struct
{
  GmcpdObjectManager *manager;
  GDBusMethodInvocation *invocation;
} Asking;

static void
on_identified (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autofree Asking *asking = user_data;
  GError *error = NULL;
  g_autoptr (GmcpdCaller) caller
    = gmcpd_callers_identify_finish (GMCPD_CALLERS (object), result, &error);

  if (caller != NULL)
    error = gmcpd_gate_refuse (caller->sandbox);
  if (error != NULL)
    g_dbus_method_invocation_take_error (asking->invocation, error);
  else
    g_dbus_method_invocation_return_value (
      asking->invocation, g_variant_new ("(@a{oa{sa{sv}}})", describe_objects (asking->manager)));
}

static void
on_method_call (GDBusConnection *connection,
                const char *sender,
                const char *path,
                const char *interface,
                const char *method,
                GVariant *parameters,
                GDBusMethodInvocation *invocation,
                gpointer user_data)
{
  GmcpdObjectManager *self = user_data;
  Asking *asking = g_new (Asking, 1);

  *asking = (Asking){ self, invocation };
  gmcpd_callers_identify_async (self->callers, invocation, on_identified, asking);
}

static const GDBusInterfaceVTable vtable = { .method_call = on_method_call };

gboolean
gmcpd_object_manager_export (GmcpdObjectManager *self, GDBusConnection *connection, GError **error)
{
  GHashTableIter iter;
  gpointer path;
  gpointer skeleton;
  guint id = g_dbus_connection_register_object (connection, self->path, self->info->interfaces[0],
                                                &vtable, self, NULL, error);

  if (id == 0)
    return FALSE;

  g_hash_table_insert (self->connections, g_object_ref (connection), GUINT_TO_POINTER (id));
  g_hash_table_iter_init (&iter, self->objects);
  while (g_hash_table_iter_next (&iter, &path, &skeleton))
    if (!g_dbus_interface_skeleton_export (skeleton, connection, path, error))
      return FALSE;
  return TRUE;
}

void
gmcpd_object_manager_unexport (GmcpdObjectManager *self, GDBusConnection *connection)
{
  gpointer id = g_hash_table_lookup (self->connections, connection);
  GHashTableIter iter;
  gpointer skeleton;

  if (id == NULL)
    return;

  g_hash_table_iter_init (&iter, self->objects);
  while (g_hash_table_iter_next (&iter, NULL, &skeleton))
    if (g_dbus_interface_skeleton_has_connection (skeleton, connection))
      g_dbus_interface_skeleton_unexport_from_connection (skeleton, connection);
  g_dbus_connection_unregister_object (connection, GPOINTER_TO_UINT (id));
  g_hash_table_remove (self->connections, connection);
}
