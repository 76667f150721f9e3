/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-config-finding.h>
#include <gmcp/config/source/gmcp-config-load.h>
#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

#define GMCP_TYPE_CONFIG_SOURCE (gmcp_config_source_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_DERIVABLE_TYPE (GmcpConfigSource, gmcp_config_source, GMCP, CONFIG_SOURCE, GObject)

/**
 * GmcpConfigSourceClass:
 * @parent_class: the parent class
 * @load: reads the configuration, gives it with [method@Gmcp.ConfigSource.set_servers], then calls
 *   [method@Gmcp.ConfigLoad.return_success]
 *
 * What a place that configurations come from implements.
 *
 * Since: 0.1
 */
struct _GmcpConfigSourceClass
{
  GObjectClass parent_class;

  void (*load) (GmcpConfigSource *self, GmcpConfigLoad *load);

  /*< private >*/
  gboolean keeps_time;
  gpointer _reserved[8];
};

GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_config_source_get_servers (GmcpConfigSource *self);

GMCP_AVAILABLE_IN_0_1
GmcpServerConfig *gmcp_config_source_find_server (GmcpConfigSource *self, const char *server_id);

GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_config_source_get_findings (GmcpConfigSource *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_config_source_load_async (GmcpConfigSource *self,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_config_source_load_finish (GmcpConfigSource *self, GAsyncResult *result, GError **error);

/* For subclasses. */

GMCP_AVAILABLE_IN_0_1
void gmcp_config_source_set_servers (GmcpConfigSource *self,
                                     GmcpServerConfig **servers,
                                     guint n_servers);

GMCP_AVAILABLE_IN_0_1
void gmcp_config_source_set_findings (GmcpConfigSource *self,
                                      GmcpConfigFinding **findings,
                                      guint n_findings);

GMCP_AVAILABLE_IN_0_1
void gmcp_config_source_report (GmcpConfigSource *self, const char *server_id, const GError *error);

G_END_DECLS
