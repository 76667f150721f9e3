/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"
#include "gmcp-local-file-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-input-private.h"
#include "gmcp-managed-server-news-private.h"
#include "gmcp-managed-server-parts-private.h"
#include "gmcp-managed-server-statistics-private.h"
#include "gmcp-stdio-transport-private.h"

#include <gmcp/core/gmcp-error.h>

void
gmcp_managed_server_call_failed (const GError *error, gpointer data)
{
  g_autoptr (GmcpManagedServer) self = g_object_ref (GMCP_MANAGED_SERVER (data));

  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT))
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_WARNING, "%s", error->message);
  else if (error->domain == GMCP_RPC_ERROR)
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_ERROR,
                                _ ("Server “%s” answered with an error: %s"),
                                gmcp_managed_server_get_title (self), error->message);
}

static void
on_output (const char *text, gsize length, gpointer data)
{
  gmcp_server_log_take_output (data, text, length);
}

static void
on_text (const char *text, gsize length, gpointer data)
{
  gmcp_server_log_take_text (data, text, length);
}

static char *
redact_text (const char *text, gpointer data)
{
  return gmcp_server_log_redact (data, text);
}

char *
gmcp_managed_server_redact (GmcpManagedServer *self, char *text)
{
  GmcpServerLog *log = gmcp_managed_server_get_log (self);
  char *redacted = log != NULL ? gmcp_server_log_redact (log, text) : NULL;

  if (redacted == NULL)
    return text;

  g_free (text);
  return redacted;
}

void
gmcp_managed_server_log_output (GmcpManagedServer *self, GmcpClient *client)
{
  GmcpServerLog *log = gmcp_managed_server_get_log (self);
  GmcpTransport *transport = gmcp_client_get_transport (client);

  if (log == NULL)
    return;

  gmcp_client_set_text_filter (client, redact_text, gmcp_server_log_ref (log),
                               (GDestroyNotify) gmcp_server_log_unref);
  if (!GMCP_IS_STDIO_TRANSPORT (transport))
    return;

  gmcp_server_log_end_line (log);
  gmcp_stdio_transport_set_stderr_func (GMCP_STDIO_TRANSPORT (transport), on_output, redact_text,
                                        gmcp_server_log_ref (log),
                                        (GDestroyNotify) gmcp_server_log_unref);
  gmcp_stdio_transport_set_text_func (GMCP_STDIO_TRANSPORT (transport), on_text);
}

/**
 * gmcp_managed_server_dup_log_file:
 * @self: a server
 *
 * Gives the file that holds what the server prints to its standard error, the first lines that it prints
 * to its standard output and that are no messages (marked `stdout`), and what became of it, each line with
 * its time and without secrets. It is rotated at 10 MiB, and four older ones are kept with
 * the same name and `.1` to `.4`. It is not there before the first line.
 *
 * Returns: (transfer full): the file
 *
 * Since: 0.1
 */
GFile *
gmcp_managed_server_dup_log_file (GmcpManagedServer *self)
{
  g_autofree char *path = NULL;
  GmcpServerLog *log;

  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);

  log = gmcp_managed_server_get_log (self);
  path = log != NULL ? gmcp_server_log_dup_own_path (log) : NULL;
  return gmcp_file_new_for_path_or_null (path);
}

/**
 * gmcp_managed_server_dup_statistics_json:
 * @self: a server
 *
 * Gives what is known of the calls of the server's tools that have ended since the manager was made,
 * as a JSON object: `name`, `restarts` (as [property@Gmcp.ManagedServer:restarts]), `calls`, `errors` (without a result), `tool_errors` (with a result that says that
 * the tool failed), `bytes_sent` (of arguments), `bytes_received` (of results), `latency_us` with
 * `p50`, `p90`, `p99` and `max` in microseconds (off by an eighth at most), `recent_us` (of up to 32 calls
 * that ended last, the last one at the end, in microseconds), `running` and `queued` (calls under way, and calls
 * that wait for their turn), and `tools`: the sums for each tool that was called, by its name.
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

  /* A server that no manager made has no statistics. */
  if (gmcp_managed_server_get_call_statistics (self) == NULL)
    return g_strdup ("{}");

  out = g_string_new (NULL);
  writer = gmcp_json_writer_init (out);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "name", gmcp_managed_server_get_id (self));
  gmcp_json_writer_member_int64 (&writer, "restarts", gmcp_managed_server_get_restarts (self));
  gmcp_call_statistics_write (gmcp_managed_server_get_call_statistics (self),
                              gmcp_managed_server_get_call_limiter (self), &writer);
  gmcp_json_writer_end_object (&writer);
  return g_string_free (out, FALSE);
}
