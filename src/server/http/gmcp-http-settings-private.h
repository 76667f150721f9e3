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
} GmcpHttpSettings;

void gmcp_http_settings_init (GmcpHttpSettings *self);
void gmcp_http_settings_clear (GmcpHttpSettings *self);

/* The properties of the endpoint's class, from first on. */
void gmcp_http_settings_install (GObjectClass *klass, guint first);
/* FALSE for a property that is none of these. pspec is NULL where a value is only looked at. */
gboolean gmcp_http_settings_get (const GmcpHttpSettings *self, guint index, GValue *value);
/* Whether it is another value than before. */
gboolean gmcp_http_settings_set (GmcpHttpSettings *self, guint index, const GValue *value);

G_END_DECLS
