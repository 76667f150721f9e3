/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>
#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_CONFIG_REVIEW (gmcp_config_review_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpConfigReview, gmcp_config_review, GMCP, CONFIG_REVIEW, GObject)

GMCP_AVAILABLE_IN_0_1
void gmcp_config_review_read_async (GFile *file,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
GMCP_AVAILABLE_IN_0_1
GmcpConfigReview *gmcp_config_review_read_finish (GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
GFile *gmcp_config_review_dup_file (GmcpConfigReview *self);
GMCP_AVAILABLE_IN_0_1
const char *gmcp_config_review_get_text (GmcpConfigReview *self);
GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_config_review_get_servers (GmcpConfigReview *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_config_review_trust_async (GmcpConfigReview *self,
                                     const char *const *server_ids,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_config_review_trust_finish (GmcpConfigReview *self, GAsyncResult *result, GError **error);

G_END_DECLS
