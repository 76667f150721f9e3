/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcpd-api-door.h"
#include "gmcpd-bus-door.h"
#include "gmcpd-control-listener.h"
#include "gmcpd-control.h"
#include "gmcpd-door-switch.h"
#include "gmcpd-doors.h"
#include "gmcpd-gateway-door.h"
#include "gmcpd-gateway-http.h"
#include "gmcpd-names.h"
#include "gmcpd-settings.h"
#include "gmcpd-share-door.h"
#include "gmcpd-tools-export.h"

/* In the folder of the sockets, where the command line looks for them; socket units call the first two so, too. */
#define CONTROL_SOCKET_NAME "control"
#define GATEWAY_SOCKET_NAME "gateway"
/* No role has a socket that is called so, as gateway-http would be that of a role. */
#define GATEWAY_HTTP_NAME "gateway.http"

void
gmcpd_activated_clear (GmcpdActivated *self)
{
  g_clear_pointer (&self->sockets, g_ptr_array_unref);
  g_strfreev (self->names);
}

static GSocket *
find_socket (const GmcpdActivated *activated, const char *name)
{
  for (guint i = 0; i < activated->sockets->len; i++)
    if (g_str_equal (activated->names[i], name))
      return activated->sockets->pdata[i];
  return NULL;
}

/* What the doors over HTTP are made of, shared by both. */
typedef struct
{
  GmcpdSettings *settings;
  gboolean has_keyring;
  GmcpManager *manager;
  GmcpdOpenQuestions *questions;
  GmcpdGateways *gateways;
  char *address_path;
} HttpParts;

static void
http_parts_clear (gpointer parts)
{
  HttpParts *self = parts;

  g_object_unref (self->settings);
  g_object_unref (self->manager);
  g_object_unref (self->questions);
  gmcpd_gateways_unref (self->gateways);
  g_free (self->address_path);
}

static void
http_parts_release (gpointer parts)
{
  g_rc_box_release_full (parts, http_parts_clear);
}

static GmcpdDoor *
make_api_door (gpointer data)
{
  const HttpParts *parts = data;

  return gmcpd_api_door_new (parts->manager, parts->questions,
                             gmcpd_settings_get_port (parts->settings, GMCPD_SETTING_CONTROL_PORT),
                             parts->has_keyring);
}

static GmcpdDoor *
make_gateway_http (gpointer data)
{
  const HttpParts *parts = data;
  g_autofree char *role = gmcpd_settings_dup_role (parts->settings, GMCPD_SETTING_GATEWAY_ROLE);

  return gmcpd_gateway_http_new (
    parts->gateways, gmcpd_settings_get_port (parts->settings, GMCPD_SETTING_GATEWAY_PORT), role,
    parts->address_path, parts->has_keyring);
}

static void
on_setting_changed (GmcpdDoorSwitch *door)
{
  gmcpd_door_switch_renew (door);
}

static void
follow_setting (GmcpdDoorSwitch *door, GmcpdSettings *settings, const char *signal)
{
  g_signal_connect_object (settings, signal, G_CALLBACK (on_setting_changed), door,
                           G_CONNECT_SWAPPED);
}

static GmcpdDoorSwitch *
make_switch (GmcpdDoorMaker make_door, HttpParts *parts, const char *port_key)
{
  return gmcpd_door_switch_new (make_door, g_rc_box_acquire (parts), http_parts_release,
                                gmcpd_settings_is_given (parts->settings, port_key));
}

static GmcpdDoorSwitch *
make_api_switch (HttpParts *parts)
{
  GmcpdDoorSwitch *door = make_switch (make_api_door, parts, GMCPD_SETTING_CONTROL_PORT);

  follow_setting (door, parts->settings, "changed::" GMCPD_SETTING_CONTROL_PORT);
  return door;
}

static void
add_gateway (GmcpdDaemon *daemon, HttpParts *parts, const GmcpdActivated *activated)
{
  g_autofree char *path
    = gmcpd_runtime_dup_path (gmcpd_daemon_get_runtime (daemon), GATEWAY_SOCKET_NAME);
  g_autoptr (GmcpdDoor) door
    = gmcpd_gateway_door_new (parts->gateways, path, find_socket (activated, GATEWAY_SOCKET_NAME));
  g_autoptr (GmcpdDoorSwitch) http
    = make_switch (make_gateway_http, parts, GMCPD_SETTING_GATEWAY_PORT);

  follow_setting (http, parts->settings, "changed::" GMCPD_SETTING_GATEWAY_PORT);
  follow_setting (http, parts->settings, "changed::" GMCPD_SETTING_GATEWAY_ROLE);
  gmcpd_daemon_add_door (daemon, door);
  gmcpd_daemon_add_door (daemon, GMCPD_DOOR (http));
}

static void
make_dashboard_link (gpointer api,
                     GCancellable *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer user_data)
{
  gmcpd_api_door_make_link_async (GMCPD_API_DOOR (gmcpd_door_switch_get_door (api)), cancellable,
                                  callback, user_data);
}

/* There may be another door by now, which knows nothing of the link. */
static char *
finish_dashboard_link (gpointer api, GAsyncResult *result, guint *seconds, GError **error)
{
  g_autoptr (GObject) door = g_async_result_get_source_object (result);

  return gmcpd_api_door_make_link_finish (GMCPD_API_DOOR (door), result, seconds, error);
}

static void
add_bus_door (GmcpdDaemon *daemon, GmcpdExport *export, const char *name)
{
  g_autoptr (GmcpdDoor) door = gmcpd_bus_door_new (export, name);

  gmcpd_daemon_add_door (daemon, door);
}

static void
on_tools_role_changed (GmcpdSettings *settings, GmcpdToolsExport *tools)
{
  g_autofree char *role = gmcpd_settings_dup_role (settings, GMCPD_SETTING_TOOLS_ROLE);

  gmcpd_tools_export_set_role (tools, role);
}

static void
add_tools (GmcpdDaemon *daemon, GmcpdSettings *settings, GmcpdOpenQuestions *questions)
{
  g_autofree char *role = gmcpd_settings_dup_role (settings, GMCPD_SETTING_TOOLS_ROLE);
  g_autoptr (GmcpdExport) tools
    = gmcpd_tools_export_new (gmcpd_daemon_get_manager (daemon), questions, role);

  g_signal_connect_object (settings, "changed::" GMCPD_SETTING_TOOLS_ROLE,
                           G_CALLBACK (on_tools_role_changed), tools, 0);
  add_bus_door (daemon, tools, GMCPD_TOOLS_NAME);
}

static HttpParts *
make_http_parts (GmcpdDaemon *daemon, const GmcpdOptions *options)
{
  GmcpManager *manager = gmcpd_daemon_get_manager (daemon);
  HttpParts *parts = g_rc_box_new0 (HttpParts);

  parts->settings = gmcpd_settings_new (options);
  parts->has_keyring = !options->no_bus;
  parts->manager = g_object_ref (manager);
  parts->questions = gmcpd_open_questions_new (manager);
  parts->gateways = gmcpd_gateways_new (manager, parts->questions);
  parts->address_path
    = gmcpd_runtime_dup_path (gmcpd_daemon_get_runtime (daemon), GATEWAY_HTTP_NAME);
  return parts;
}

/* The socket first, the manager's name last: where the bus has that, all else is there that can be waited for. */
void
gmcpd_doors_add (GmcpdDaemon *daemon, const GmcpdOptions *options, const GmcpdActivated *activated)
{
  GmcpManager *manager = gmcpd_daemon_get_manager (daemon);
  HttpParts *parts = make_http_parts (daemon, options);
  g_autoptr (GmcpdDoorSwitch) api = make_api_switch (parts);
  g_autoptr (GmcpdExport) control = gmcpd_control_new (
    manager, parts->questions, (GmcpdDashboard){ make_dashboard_link, finish_dashboard_link, api });
  g_autofree char *path
    = gmcpd_runtime_dup_path (gmcpd_daemon_get_runtime (daemon), CONTROL_SOCKET_NAME);
  g_autoptr (GmcpdDoor) listener
    = gmcpd_control_listener_new (control, path, find_socket (activated, CONTROL_SOCKET_NAME));
  g_autoptr (GmcpdDoor) shares = gmcpd_share_door_new (manager);

  gmcpd_daemon_add_door (daemon, listener);
  gmcpd_daemon_add_door (daemon, shares);
  add_gateway (daemon, parts, activated);
  gmcpd_daemon_add_door (daemon, GMCPD_DOOR (api));
  if (!options->no_bus)
    {
      add_tools (daemon, parts->settings, parts->questions);
      add_bus_door (daemon, control, GMCPD_MANAGER_NAME);
    }
  http_parts_release (parts);
}
