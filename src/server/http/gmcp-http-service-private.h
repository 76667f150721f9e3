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
  gboolean owns_http;     /* nobody else serves anything there */
  gboolean keeps_sockets; /* others take from where it listens when it does no more */
} GmcpHttpServiceParts;

GmcpHttpService *gmcp_http_service_new (const GmcpHttpServiceParts *parts, GError **error);
/* Sessions and open streams are ended, and what runs is cancelled. */
void gmcp_http_service_close (GmcpHttpService *self);
/* The settings have other numbers for what is kept for clients. */
void gmcp_http_service_apply_budgets (GmcpHttpService *self);
/* Nobody is served any more but whose request is there already. done is called in a later turn of the main loop, when
 * that is answered or its time is over; then, or before, it is to be closed. Once. */
void gmcp_http_service_drain (GmcpHttpService *self, void (*done) (gpointer data), gpointer data);
void gmcp_http_service_unref (GmcpHttpService *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpHttpService, gmcp_http_service_unref)

G_END_DECLS
