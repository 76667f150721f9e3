/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/gmcp-server.h>

#include "gmcp-http-settings-private.h"

G_BEGIN_DECLS

/* Serves the requests that a SoupServer takes for an endpoint, until it is closed. */
typedef struct _GmcpHttpService GmcpHttpService;

typedef struct
{
  GObject *owner; /* the endpoint; not owned, outlives the service's being closed */
  GmcpServer *server;
  const GmcpHttpSettings *settings; /* of the owner */
  const GmcpSoupServer *soup;
  SoupServer *http;
  gboolean owns_http; /* nobody else serves anything there */
} GmcpHttpServiceParts;

GmcpHttpService *gmcp_http_service_new (const GmcpHttpServiceParts *parts, GError **error);
/* Sessions and open streams are ended, and what runs is cancelled. */
void gmcp_http_service_close (GmcpHttpService *self);
void gmcp_http_service_unref (GmcpHttpService *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpHttpService, gmcp_http_service_unref)

G_END_DECLS
