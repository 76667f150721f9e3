/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcpd-calls.h"
#include "gmcpd-control.h"
#include "gmcpd-gate.h"
#include "gmcpd-manager-object.h"
#include "gmcpd-names.h"
#include "gmcpd-object-manager.h"
#include "gmcpd-question-object.h"
#include "gmcpd-server-object.h"

struct _GmcpdControl
{
  GObject parent_instance;

  GmcpManager *manager;
  GmcpdOpenQuestions *questions;
  GmcpdWatchers *watchers;
  GmcpdCalls *calls;
  GmcpdCallers *callers;
  GDBusInterfaceSkeleton *manager_object;
  GmcpdObjectManager *objects;
  GPtrArray *paths; /* of the servers, in the order of the manager */
};

static void gmcpd_control_init_export (GmcpdExportInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpdControl,
                               gmcpd_control,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCPD_TYPE_EXPORT, gmcpd_control_init_export))

static void
gmcpd_control_finalize (GObject *object)
{
  GmcpdControl *self = GMCPD_CONTROL (object);

  gmcpd_object_manager_free (self->objects);
  gmcpd_gate_unexport (self->manager_object);
  g_object_unref (self->manager_object);
  g_ptr_array_unref (self->paths);
  gmcpd_watchers_free (self->watchers);
  g_object_unref (self->questions);
  gmcpd_calls_free (self->calls);
  g_object_unref (self->callers);
  g_object_unref (self->manager);

  G_OBJECT_CLASS (gmcpd_control_parent_class)->finalize (object);
}

static void
gmcpd_control_class_init (GmcpdControlClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcpd_control_finalize;
}

static void
gmcpd_control_init (GmcpdControl *self)
{
  self->calls = gmcpd_calls_new (G_MAXUINT);
  self->callers = gmcpd_callers_new ();
  self->paths = g_ptr_array_new_with_free_func (g_free);
}

static void
add_server (GmcpdControl *self, guint position)
{
  g_autoptr (GmcpManagedServer) server
    = g_list_model_get_item (G_LIST_MODEL (self->manager), position);
  g_autoptr (GDBusInterfaceSkeleton) object
    = gmcpd_server_object_new (self->manager, server, self->calls, self->callers);
  char *path = gmcpd_names_dup_server_path (gmcp_managed_server_get_id (server));

  gmcpd_object_manager_add (self->objects, path, object);
  g_ptr_array_insert (self->paths, (int) position, path);
}

static void
on_servers_changed (GListModel *model,
                    guint position,
                    guint n_removed,
                    guint n_added,
                    GmcpdControl *self)
{
  for (guint i = 0; i < n_removed; i++)
    {
      gmcpd_object_manager_remove (self->objects, self->paths->pdata[position]);
      g_ptr_array_remove_index (self->paths, position);
    }
  for (guint i = 0; i < n_added; i++)
    add_server (self, position + i);
}

static void
on_asked (GmcpdOpenQuestions *questions, const char *id, GmcpdControl *self)
{
  g_autofree char *path = gmcpd_names_dup_question_path (id);
  g_autoptr (GDBusInterfaceSkeleton) object
    = gmcpd_question_object_new (questions, id, self->callers);

  gmcpd_object_manager_add (self->objects, path, object);
}

static void
on_gone (GmcpdOpenQuestions *questions, const char *id, GmcpdControl *self)
{
  g_autofree char *path = gmcpd_names_dup_question_path (id);

  gmcpd_object_manager_remove (self->objects, path);
}

GmcpdExport *
gmcpd_control_new (GmcpManager *manager, GmcpdOpenQuestions *questions, GmcpdDashboard dashboard)
{
  GmcpdControl *self = g_object_new (GMCPD_TYPE_CONTROL, NULL);

  self->manager = g_object_ref (manager);
  self->questions = g_object_ref (questions);
  self->watchers = gmcpd_watchers_new (questions);
  self->manager_object
    = gmcpd_manager_object_new (manager, dashboard, self->watchers, self->calls, self->callers);
  self->objects = gmcpd_object_manager_new (GMCPD_MANAGER_PATH, self->callers);
  g_signal_connect_object (manager, "items-changed", G_CALLBACK (on_servers_changed), self, 0);
  g_signal_connect_object (questions, "asked", G_CALLBACK (on_asked), self, 0);
  g_signal_connect_object (questions, "gone", G_CALLBACK (on_gone), self, 0);
  on_servers_changed (G_LIST_MODEL (manager), 0, 0,
                      g_list_model_get_n_items (G_LIST_MODEL (manager)), self);
  return GMCPD_EXPORT (self);
}

static void
gmcpd_control_remove_from (GmcpdExport *export, GDBusConnection *connection)
{
  GmcpdControl *self = GMCPD_CONTROL (export);

  gmcpd_object_manager_unexport (self->objects, connection);
  if (g_dbus_interface_skeleton_has_connection (self->manager_object, connection))
    g_dbus_interface_skeleton_unexport_from_connection (self->manager_object, connection);
}

static gboolean
gmcpd_control_add_to (GmcpdExport *export, GDBusConnection *connection, GError **error)
{
  GmcpdControl *self = GMCPD_CONTROL (export);

  if (g_dbus_interface_skeleton_export (self->manager_object, connection, GMCPD_MANAGER_PATH, error)
      && gmcpd_object_manager_export (self->objects, connection, error))
    return TRUE;

  gmcpd_control_remove_from (export, connection);
  return FALSE;
}

static void
gmcpd_control_drain_async (GmcpdExport *export,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  gmcpd_calls_drain_async (GMCPD_CONTROL (export)->calls, cancellable, callback, user_data);
}

static void
gmcpd_control_init_export (GmcpdExportInterface *iface)
{
  iface->add_to = gmcpd_control_add_to;
  iface->remove_from = gmcpd_control_remove_from;
  iface->drain_async = gmcpd_control_drain_async;
}
