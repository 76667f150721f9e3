/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

G_BEGIN_DECLS

#define GMCP_TYPE_SHARE_POINT (gmcp_share_point_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpSharePoint, gmcp_share_point, GMCP, SHARE_POINT, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpSharePoint *gmcp_share_point_new (GmcpManager *manager);

GMCP_AVAILABLE_IN_0_1
GmcpManager *gmcp_share_point_get_manager (GmcpSharePoint *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_share_point_open (GmcpSharePoint *self, GError **error);

GMCP_AVAILABLE_IN_0_1
GStrv gmcp_share_point_list_server_ids (GmcpSharePoint *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_share_point_close_async (GmcpSharePoint *self,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_share_point_close_finish (GmcpSharePoint *self, GAsyncResult *result, GError **error);

G_END_DECLS
