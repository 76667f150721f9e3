/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-json-private.h"
#include "gmcp-manager-private.h"

static const char *
get_nick (GType type, int value)
{
  g_autoptr (GEnumClass) values = g_type_class_ref (type);

  return g_enum_get_value (values, value)->value_nick;
}

static void
write_string (GmcpJsonWriter *writer, const char *key, const char *string)
{
  gmcp_json_writer_key (writer, key);
  if (string != NULL)
    gmcp_json_writer_string (writer, string);
  else
    gmcp_json_writer_null (writer);
}

static void
write_time (GmcpJsonWriter *writer, const char *key, GDateTime *time)
{
  g_autofree char *text = time != NULL ? g_date_time_format_iso8601 (time) : NULL;

  write_string (writer, key, text);
}

static const char *
get_health (GmcpManagedServer *server)
{
  const char *health = gmcp_server_state_get_health (gmcp_managed_server_get_state (server));

  return g_str_equal (health, "not-applicable") ? "n/a" : health;
}

static gboolean
is_running (GmcpManagedServer *server)
{
  return gmcp_managed_server_get_client (server) != NULL;
}

static void
write_server (GmcpJsonWriter *writer, GmcpManagedServer *server)
{
  g_autoptr (GDateTime) started_at = gmcp_managed_server_dup_started_at (server);
  g_autoptr (GDateTime) checked_at = gmcp_managed_server_dup_last_health_check (server);
  g_autoptr (GDateTime) failed_at = gmcp_managed_server_dup_last_failure_at (server);
  g_autoptr (GDateTime) ready_at = gmcp_managed_server_dup_last_ready_at (server);
  const GError *error = gmcp_managed_server_get_last_error (server);
  int pid = gmcp_managed_server_get_pid (server);

  gmcp_json_writer_begin_object (writer);
  write_string (writer, "name", gmcp_managed_server_get_id (server));
  write_string (writer, "title", gmcp_managed_server_get_title (server));
  write_string (writer, "state", is_running (server) ? "running" : "stopped");
  write_string (writer, "fine_state",
                get_nick (GMCP_TYPE_SERVER_STATE, (int) gmcp_managed_server_get_state (server)));
  write_string (writer, "connection",
                gmcp_server_state_get_connection (gmcp_managed_server_get_state (server)));
  write_string (writer, "health", get_health (server));
  gmcp_json_writer_key (writer, "pid");
  if (pid > 0)
    gmcp_json_writer_int64 (writer, pid);
  else
    gmcp_json_writer_null (writer);
  write_time (writer, "started_at", started_at);
  gmcp_json_writer_member_int64 (writer, "uptime_seconds",
                                 gmcp_managed_server_get_uptime_seconds (server));
  write_time (writer, "last_health_check", checked_at);
  write_string (writer, "last_error", error != NULL ? error->message : NULL);
  write_string (writer, "last_failure", gmcp_managed_server_get_last_failure (server));
  write_time (writer, "last_failure_at", failed_at);
  gmcp_json_writer_member_int64 (writer, "tools_count",
                                 gmcp_managed_server_get_tools_count (server));
  gmcp_json_writer_member_boolean (writer, "auto_start",
                                   gmcp_managed_server_get_auto_start (server));
  write_string (writer, "start",
                get_nick (GMCP_TYPE_SERVER_START, (int) gmcp_managed_server_get_start (server)));
  gmcp_json_writer_member_int64 (writer, "restarts", gmcp_managed_server_get_restarts (server));
  write_string (writer, "sandbox",
                get_nick (GMCP_TYPE_SANDBOX, (int) gmcp_server_config_get_sandbox (
                                               gmcp_managed_server_get_config (server))));
  write_string (
    writer, "last_state",
    get_nick (GMCP_TYPE_SERVER_STATE, (int) gmcp_managed_server_get_last_state (server)));
  write_time (writer, "last_ready_at", ready_at);
  gmcp_json_writer_member_int64 (writer, "last_tools_count",
                                 gmcp_managed_server_get_last_tools_count (server));
  write_string (writer, "protocol_version", gmcp_managed_server_get_protocol_version (server));
  gmcp_json_writer_member_boolean (writer, "shared", gmcp_managed_server_is_shared (server));
  write_string (writer, "not_shared_because", gmcp_managed_server_get_unshared_reason (server));
  gmcp_json_writer_end_object (writer);
}

/**
 * gmcp_manager_dup_status_json:
 * @self: a manager
 *
 * Says how all configured servers are, for a status page or a log.
 *
 * The text is an object with `total_running`, `total_healthy` and an array `servers`. Each server has
 * `name` (its id), `title`, `state` (`running` or `stopped`), `fine_state`
 * ([property@Gmcp.ManagedServer:state]), `last_state` ([property@Gmcp.ManagedServer:last-state]),
 * `connection`, `health`, `pid`, `started_at` and `last_health_check` (ISO 8601, in UTC),
 * `uptime_seconds`, `last_error`, `last_failure` and `last_failure_at`
 * ([property@Gmcp.ManagedServer:last-failure]), `last_ready_at`, `tools_count`, `last_tools_count`
 * ([property@Gmcp.ManagedServer:last-tools-count]), `auto_start`, `start`, `restarts`, `sandbox`,
 * `protocol_version` ([property@Gmcp.ManagedServer:protocol-version]), `shared` ([property@Gmcp.ManagedServer:shared]) and
 * `not_shared_because` ([property@Gmcp.ManagedServer:unshared-reason]).
 * What there is not is `null`. It holds no secret.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_manager_dup_status_json (GmcpManager *self)
{
  g_autoptr (GPtrArray) servers = NULL;
  GString *out;
  GmcpJsonWriter writer;
  guint n_running = 0;
  guint n_healthy = 0;

  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return NULL;

  servers = gmcp_server_table_list (gmcp_manager_get_server_table (self));
  out = g_string_new (NULL);
  writer = gmcp_json_writer_init (out);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, "servers");
  gmcp_json_writer_begin_array (&writer);
  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      write_server (&writer, server);
      n_running += is_running (server);
      n_healthy += g_str_equal (get_health (server), "healthy");
    }
  gmcp_json_writer_end_array (&writer);
  gmcp_json_writer_member_int64 (&writer, "total_running", n_running);
  gmcp_json_writer_member_int64 (&writer, "total_healthy", n_healthy);
  gmcp_json_writer_end_object (&writer);
  return g_string_free (out, FALSE);
}
