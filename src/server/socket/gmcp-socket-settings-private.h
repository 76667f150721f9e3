/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-socket-clients-private.h"

G_BEGIN_DECLS

/* What is set of an endpoint: all its properties but what is served. */
typedef struct
{
  GStrv allowed_users;
  GmcpSocketLimits limits;
} GmcpSocketSettings;

void gmcp_socket_settings_init (GmcpSocketSettings *self);
void gmcp_socket_settings_clear (GmcpSocketSettings *self);

/* The properties of the endpoint's class, from first on. */
void gmcp_socket_settings_install (GObjectClass *klass, guint first);
/* FALSE for a property that is none of these. */
gboolean gmcp_socket_settings_get (const GmcpSocketSettings *self, guint index, GValue *value);
/* Whether it is another value than before. */
gboolean gmcp_socket_settings_set (GmcpSocketSettings *self, guint index, const GValue *value);

G_END_DECLS
