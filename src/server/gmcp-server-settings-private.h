/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* The numbers that are set of a server. */
typedef struct
{
  guint page_size;
  guint max_requests;
  guint list_ttl_ms;
  guint call_timeout_ms;
  guint max_tasks;
  guint task_ttl_ms;
  guint task_poll_interval_ms;
} GmcpServerSettings;

void gmcp_server_settings_init (GmcpServerSettings *self);

/* The properties of the server's class, from first on. */
void gmcp_server_settings_install (GObjectClass *klass, guint first);
void gmcp_server_settings_get (const GmcpServerSettings *self, guint index, GValue *value);
/* Whether it is another value than before. */
gboolean gmcp_server_settings_set (GmcpServerSettings *self, guint index, const GValue *value);

G_END_DECLS
