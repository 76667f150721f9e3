/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-managed-server-statistics-private.h"
#include "gmcp-managed-server-news-private.h"
#include "gmcp-managed-server-parts-private.h"

/* What a user may want to know of a server: a signal, a line of GLib's structured log, and one of the server's
 * own log. */

static const char *const level_nicks[] = { "info", "warning", "error" };

/* What a peer or a user does is never a warning of GLib's, which may end the program. */
void
gmcp_notice_log (const char *server_id, GmcpNoticeLevel level, const char *message)
{
  const GLogField fields[] = {
    { "MESSAGE", message, -1 },
    { "GLIB_DOMAIN", G_LOG_DOMAIN, -1 },
    { "GMCP_LEVEL", level_nicks[level], -1 },
    { "GMCP_SERVER", server_id, -1 },
  };

  g_log_structured_array (G_LOG_LEVEL_INFO, fields, G_N_ELEMENTS (fields) - (server_id == NULL));
}

void
gmcp_managed_server_write_log (GmcpManagedServer *self, GmcpNoticeLevel level, const char *message)
{
  GmcpServerLog *log = gmcp_managed_server_get_log (self);

  if (log != NULL)
    gmcp_server_log_note (log, level_nicks[level], message);
}

void
gmcp_managed_server_notice (GmcpManagedServer *self, GmcpNoticeLevel level, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = gmcp_managed_server_redact (self, g_strdup_vprintf (format, arguments));
  va_end (arguments);

  gmcp_notice_log (gmcp_managed_server_get_id (self), level, message);
  gmcp_managed_server_write_log (self, level, message);
  gmcp_managed_server_emit_notice (self, level, message);
}
