/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-gate-private.h"

G_BEGIN_DECLS

/* What is set of an endpoint: all its properties but what is served. */
typedef struct
{
  char *path;
  GmcpHttpGate gate;
  guint64 max_message_bytes;
  guint max_sessions;
  guint session_idle_ms;
  guint keep_alive_ms;
  char *resource;
  GStrv authorization_servers;
  GStrv scopes_supported;
  GStrv required_scopes;
  guint token_timeout_ms;
  guint token_cache_ms;
  guint max_failed_tokens;
  guint max_requests;
  guint max_connections;
  guint max_session_streams;
  guint64 max_header_bytes;
  guint64 max_unanswered_bytes;
  guint64 max_unread_bytes;
  guint64 max_kept_bytes;
  guint header_ms;
  guint upload_ms;
  guint close_ms;
} GmcpHttpSettings;

void gmcp_http_settings_init (GmcpHttpSettings *self);
void gmcp_http_settings_clear (GmcpHttpSettings *self);

/* The properties of the endpoint's class, from first on. */
void gmcp_http_settings_install (GObjectClass *klass, guint first);
void gmcp_http_settings_get (const GmcpHttpSettings *self, guint index, GValue *value);
/* Whether it is another value than before. */
gboolean gmcp_http_settings_set (GmcpHttpSettings *self, guint index, const GValue *value);

G_END_DECLS
