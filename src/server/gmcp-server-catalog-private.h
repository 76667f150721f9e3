/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-provider.h>

#include "gmcp-server-era-private.h"
#include "gmcp-server-list-private.h"

G_BEGIN_DECLS

/* What a server has to serve: its provider, the lists of it, and whether they are up to date. */

typedef struct _GmcpServerCatalog GmcpServerCatalog;

typedef struct
{
  void (*list_changed) (GmcpServerSubject subject, gpointer data);
  void (*resource_updated) (const char *uri, gpointer data);
  /* user: NULL for clients of whom nobody verified who they are. */
  void (*resource_updated_for_user) (const char *uri, const char *user, gpointer data);
  /* What has to be there before the provider loads; ends with gmcp_server_catalog_load_provider(). */
  void (*prepare) (gpointer data);
} GmcpServerCatalogFuncs;

GmcpServerCatalog *gmcp_server_catalog_new (GmcpToolProvider *provider,
                                            const GmcpServerCatalogFuncs *funcs,
                                            gpointer data);
void gmcp_server_catalog_free (GmcpServerCatalog *self);

GmcpToolProvider *gmcp_server_catalog_get_provider (GmcpServerCatalog *self);
/* Whether the provider has that: what decides on capabilities and methods. */
gboolean gmcp_server_catalog_has (GmcpServerCatalog *self, GmcpServerSubject subject);
/* The members that both eras have. */
/* tells: the client can be told what it has not asked about. */
void gmcp_server_catalog_write_capabilities (GmcpServerCatalog *self,
                                             GmcpJsonWriter *writer,
                                             gboolean tells);
/* Whether there are tools now whose calls may become tasks. */
gboolean gmcp_server_catalog_offers_tasks (GmcpServerCatalog *self);

GmcpServerList *gmcp_server_catalog_get_tools (GmcpServerCatalog *self);
GmcpServerList *gmcp_server_catalog_get_resources (GmcpServerCatalog *self);
GmcpServerList *gmcp_server_catalog_get_templates (GmcpServerCatalog *self);
GmcpServerList *gmcp_server_catalog_get_prompts (GmcpServerCatalog *self);

/* Prepares, and then asks the provider for its tools; once. */
void gmcp_server_catalog_load (GmcpServerCatalog *self);
void gmcp_server_catalog_load_provider (GmcpServerCatalog *self);
gboolean gmcp_server_catalog_is_loaded (GmcpServerCatalog *self);
/* Keeps a request that is handled when the provider has loaded. */
void gmcp_server_catalog_wait (GmcpServerCatalog *self, GmcpServerExchange *exchange);

/* Somebody wants to hear of changes of a resource; as often as it is wanted. */
void gmcp_server_catalog_watch (GmcpServerCatalog *self, const char *uri);
void gmcp_server_catalog_unwatch (GmcpServerCatalog *self, const char *uri);

G_END_DECLS
