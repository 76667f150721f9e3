/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "gmcpd-gate.h"

#define PROPERTIES_INTERFACE "org.freedesktop.DBus.Properties"

static GQuark
get_callers_quark (void)
{
  return g_quark_from_static_string ("gmcpd-callers");
}

void
gmcpd_gate_set_callers (GDBusInterfaceSkeleton *skeleton, GmcpdCallers *callers)
{
  g_object_set_qdata_full (G_OBJECT (skeleton), get_callers_quark (), g_object_ref (callers),
                           g_object_unref);
}

char *
gmcpd_gate_dup_program (GDBusInterfaceSkeleton *skeleton, GDBusMethodInvocation *invocation)
{
  GmcpdCallers *callers = g_object_get_qdata (G_OBJECT (skeleton), get_callers_quark ());

  return callers != NULL ? gmcpd_callers_dup_program (callers, invocation) : NULL;
}

void
gmcpd_gate_unexport (GDBusInterfaceSkeleton *skeleton)
{
  if (g_dbus_interface_skeleton_get_connection (skeleton) != NULL)
    g_dbus_interface_skeleton_unexport (skeleton);
}

GError *
gmcpd_gate_refuse (GmcpdSandbox sandbox)
{
  switch (sandbox)
    {
    case GMCPD_SANDBOX_NONE:
      return NULL;
    case GMCPD_SANDBOX_FLATPAK:
      return g_error_new_literal (
        G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED,
        _ ("A program in a sandbox may not manage servers, since that would let it run any "
           "program; org.gmcp.Tools1 is for it"));
    case GMCPD_SANDBOX_UNKNOWN:
    default:
      return gmcpd_gate_refuse_unknown (sandbox);
    }
}

GError *
gmcpd_gate_refuse_unknown (GmcpdSandbox sandbox)
{
  if (sandbox != GMCPD_SANDBOX_UNKNOWN)
    return NULL;

  return g_error_new_literal (G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED,
                              _ ("It cannot be known in which sandbox the calling program is: it "
                                 "has ended, lets nobody look at it, or its sandbox says nothing "
                                 "that can be read"));
}

static GDBusInterfaceVTable *
get_real_vtable (GDBusInterfaceSkeleton *skeleton)
{
  gpointer parent = g_type_class_peek_parent (G_OBJECT_GET_CLASS (skeleton));

  return G_DBUS_INTERFACE_SKELETON_CLASS (parent)->get_vtable (skeleton);
}

/* Takes the invocation. */
static void
answer_get (GDBusInterfaceSkeleton *skeleton, GDBusMethodInvocation *invocation)
{
  g_autoptr (GVariant) value = NULL;
  const char *interface;
  const char *name;
  GError *error = NULL;

  g_variant_get (g_dbus_method_invocation_get_parameters (invocation), "(&s&s)", &interface, &name);
  value = get_real_vtable (skeleton)->get_property (
    g_dbus_method_invocation_get_connection (invocation),
    g_dbus_method_invocation_get_sender (invocation),
    g_dbus_method_invocation_get_object_path (invocation), interface, name, &error, skeleton);
  if (value == NULL)
    {
      g_dbus_method_invocation_take_error (invocation, error);
      return;
    }
  g_variant_take_ref (value);
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(v)", value));
}

/* Takes the invocation. */
static void
answer_properties (GDBusInterfaceSkeleton *skeleton, GDBusMethodInvocation *invocation)
{
  const char *method = g_dbus_method_invocation_get_method_name (invocation);

  if (g_str_equal (method, "GetAll"))
    {
      g_autoptr (GVariant) properties = g_dbus_interface_skeleton_get_properties (skeleton);

      g_dbus_method_invocation_return_value (invocation, g_variant_new ("(@a{sv})", properties));
    }
  else if (g_str_equal (method, "Get"))
    answer_get (skeleton, invocation);
  else
    g_dbus_method_invocation_return_error_literal (
      invocation, G_DBUS_ERROR, G_DBUS_ERROR_PROPERTY_READ_ONLY, "No property can be set");
}

typedef struct
{
  GDBusInterfaceSkeleton *skeleton;
  GDBusMethodInvocation *invocation;
} Waiting;

static void
let_in (Waiting *waiting)
{
  GDBusMethodInvocation *invocation = waiting->invocation;

  if (g_str_equal (g_dbus_method_invocation_get_interface_name (invocation), PROPERTIES_INTERFACE))
    answer_properties (waiting->skeleton, invocation);
  else
    get_real_vtable (waiting->skeleton)
      ->method_call (g_dbus_method_invocation_get_connection (invocation),
                     g_dbus_method_invocation_get_sender (invocation),
                     g_dbus_method_invocation_get_object_path (invocation),
                     g_dbus_method_invocation_get_interface_name (invocation),
                     g_dbus_method_invocation_get_method_name (invocation),
                     g_dbus_method_invocation_get_parameters (invocation), invocation,
                     waiting->skeleton);
}

static void
on_identified (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autofree Waiting *waiting = user_data;
  g_autoptr (GDBusInterfaceSkeleton) skeleton G_GNUC_UNUSED = waiting->skeleton;
  GError *error = NULL;
  g_autoptr (GmcpdCaller) caller
    = gmcpd_callers_identify_finish (GMCPD_CALLERS (object), result, &error);

  if (caller != NULL)
    error = gmcpd_gate_refuse (caller->sandbox);
  if (error != NULL)
    g_dbus_method_invocation_take_error (waiting->invocation, error);
  else
    let_in (waiting);
}

static void
gate_method_call (GDBusConnection *connection,
                  const char *sender,
                  const char *path,
                  const char *interface,
                  const char *method,
                  GVariant *parameters,
                  GDBusMethodInvocation *invocation,
                  gpointer user_data)
{
  Waiting *waiting = g_new (Waiting, 1);

  *waiting = (Waiting){ g_object_ref (user_data), invocation };
  gmcpd_callers_identify_async (g_object_get_qdata (user_data, get_callers_quark ()), invocation,
                                on_identified, waiting);
}

/* Without functions for properties GDBus hands these over as calls, which can wait. */
GDBusInterfaceVTable *
gmcpd_gate_get_vtable (GDBusInterfaceSkeleton *skeleton)
{
  static GDBusInterfaceVTable vtable = { .method_call = gate_method_call };

  return &vtable;
}
