/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcpd-facts.h"
#include "gmcpd-places.h"
#include "gmcpd-gate.h"
#include "gmcpd-names.h"
#include "gmcpd-server-methods.h"
#include "gmcpd-server-object.h"

/* The properties of a server's object, which follow those of the managed server. */

#define GMCPD_TYPE_SERVER_OBJECT (gmcpd_server_object_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdServerObject,
                      gmcpd_server_object,
                      GMCPD,
                      SERVER_OBJECT,
                      GmcpdManager1ServerSkeleton)

struct _GmcpdServerObject
{
  GmcpdManager1ServerSkeleton parent_instance;

  GmcpManager *manager; /* not owned: it has the server, which is owned */
  GmcpManagedServer *server;
};

G_DEFINE_FINAL_TYPE (GmcpdServerObject, gmcpd_server_object, GMCPD_TYPE_MANAGER1_SERVER_SKELETON)

static gint64
get_started_at (GmcpManagedServer *server)
{
  g_autoptr (GDateTime) started_at = gmcp_managed_server_dup_started_at (server);

  return started_at != NULL ? g_date_time_to_unix (started_at) : 0;
}

/* How long it has been running is read when somebody asks; nobody is told of each second. */
static void
gmcpd_server_object_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpdServerObject *self = GMCPD_SERVER_OBJECT (object);

  G_OBJECT_CLASS (gmcpd_server_object_parent_class)->get_property (object, prop_id, value, pspec);
  if (g_str_equal (pspec->name, "uptime"))
    g_value_set_int64 (value, gmcp_managed_server_get_uptime_seconds (self->server));
}

static void
gmcpd_server_object_finalize (GObject *object)
{
  g_object_unref (GMCPD_SERVER_OBJECT (object)->server);

  G_OBJECT_CLASS (gmcpd_server_object_parent_class)->finalize (object);
}

static void
gmcpd_server_object_class_init (GmcpdServerObjectClass *klass)
{
  G_OBJECT_CLASS (klass)->get_property = gmcpd_server_object_get_property;
  G_OBJECT_CLASS (klass)->finalize = gmcpd_server_object_finalize;
  G_DBUS_INTERFACE_SKELETON_CLASS (klass)->get_vtable = gmcpd_gate_get_vtable;
}

static void
gmcpd_server_object_init (GmcpdServerObject *self)
{
}

/* What the server is configured to be. */
static void
update_config (GmcpdServerObject *self)
{
  GmcpdManager1Server *skeleton = GMCPD_MANAGER1_SERVER (self);
  const char *id = gmcp_managed_server_get_id (self->server);
  g_autofree char *source = gmcpd_places_describe (self->manager, id);
  g_autofree char *place = gmcpd_names_dup_text (source);
  g_autofree char *title = gmcpd_names_dup_text (gmcp_managed_server_get_title (self->server));

  gmcpd_manager1_server_set_title (skeleton, title);
  gmcpd_manager1_server_set_source (skeleton, place);
  gmcpd_manager1_server_set_transport (
    skeleton, gmcpd_facts_get_transport (gmcp_managed_server_get_config (self->server)));
  gmcpd_manager1_server_set_start (
    skeleton, gmcpd_facts_get_nick (GMCP_TYPE_SERVER_START,
                                    (int) gmcp_managed_server_get_start (self->server)));
}

/* How the server is. */
static void
update_state (GmcpdServerObject *self)
{
  GmcpdManager1Server *skeleton = GMCPD_MANAGER1_SERVER (self);
  GmcpServerState state = gmcp_managed_server_get_state (self->server);
  const GError *error = gmcp_managed_server_get_last_error (self->server);
  g_autofree char *message = gmcpd_names_dup_text (error != NULL ? error->message : "");

  gmcpd_manager1_server_set_state (skeleton,
                                   gmcpd_facts_get_nick (GMCP_TYPE_SERVER_STATE, (int) state));
  gmcpd_manager1_server_set_health (skeleton, gmcp_server_state_get_health (state));
  gmcpd_manager1_server_set_pid (skeleton, (guint) gmcp_managed_server_get_pid (self->server));
  gmcpd_manager1_server_set_tools (skeleton, gmcp_managed_server_get_tools_count (self->server));
  gmcpd_manager1_server_set_restarts (skeleton, gmcp_managed_server_get_restarts (self->server));
  gmcpd_manager1_server_set_started_at (skeleton, get_started_at (self->server));
  gmcpd_manager1_server_set_last_error (skeleton, message);
}

/* What has not changed is not told of. */
static void
on_notify (GmcpManagedServer *server, GParamSpec *pspec, GmcpdServerObject *self)
{
  if (g_str_equal (pspec->name, "config") || g_str_equal (pspec->name, "title")
      || g_str_equal (pspec->name, "start"))
    update_config (self);
  else if (!g_str_equal (pspec->name, "uptime-seconds"))
    update_state (self);
}

GDBusInterfaceSkeleton *
gmcpd_server_object_new (GmcpManager *manager,
                         GmcpManagedServer *server,
                         GmcpdCalls *calls,
                         GmcpdCallers *callers)
{
  GmcpdServerObject *self = g_object_new (GMCPD_TYPE_SERVER_OBJECT, NULL);

  self->manager = manager;
  self->server = g_object_ref (server);
  gmcpd_gate_set_callers (G_DBUS_INTERFACE_SKELETON (self), callers);
  gmcpd_manager1_server_set_name (GMCPD_MANAGER1_SERVER (self),
                                  gmcp_managed_server_get_id (server));
  update_config (self);
  update_state (self);
  g_signal_connect_object (server, "notify", G_CALLBACK (on_notify), self, 0);
  gmcpd_server_methods_connect (GMCPD_MANAGER1_SERVER (self), server, calls);
  return G_DBUS_INTERFACE_SKELETON (self);
}
