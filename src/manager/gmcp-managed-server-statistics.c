/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-managed-server-life-private.h"

GmcpServerLedger *
gmcp_managed_server_get_ledger (GmcpManagedServer *self)
{
  return self->ledger;
}

/**
 * gmcp_managed_server_dup_statistics_json:
 * @self: a server
 *
 * Gives what is known of the calls of the server's tools that have ended since the manager was made,
 * as a JSON object: `calls`, `errors` (without a result), `tool_errors` (with a result that says that
 * the tool failed), `bytes_sent` (of arguments), `bytes_received` (of results), `latency_us` with
 * `p50`, `p90`, `p99` and `max` in microseconds (off by an eighth at most), `running` and `queued`
 * (calls under way, and calls that wait for their turn), and `tools`: the same for each tool that was
 * called, by its name.
 *
 * Returns: (transfer full): a JSON object as text
 *
 * Since: 0.1
 */
char *
gmcp_managed_server_dup_statistics_json (GmcpManagedServer *self)
{
  GString *out;
  GmcpJsonWriter writer;

  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);

  out = g_string_new (NULL);
  writer = gmcp_json_writer_init (out);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "name", gmcp_managed_server_get_id (self));
  gmcp_server_ledger_write (self->ledger, &writer);
  gmcp_json_writer_end_object (&writer);
  return g_string_free (out, FALSE);
}
