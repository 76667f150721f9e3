/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

G_BEGIN_DECLS

/* One server of a manager on a socket of its own, under the names that the server has for what it has. Nothing is
 * made for it, and the server is not started, before somebody connects. */
typedef struct _GmcpServerOffer GmcpServerOffer;

/* key is what the file of the socket is called in that folder. */
GmcpServerOffer *gmcp_server_offer_new (GmcpManager *manager,
                                        const char *server_id,
                                        const char *folder,
                                        const char *key,
                                        GError **error);
/* Ends at once what is under way. */
void gmcp_server_offer_free (GmcpServerOffer *self);

const char *gmcp_server_offer_get_key (GmcpServerOffer *self);

/* Lets nobody in any more, and ends when what is under way has ended, or the cancellable is cancelled. The
 * offer has to stay as long. The source object is none. */
void gmcp_server_offer_close_async (GmcpServerOffer *self,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerOffer, gmcp_server_offer_free)

G_END_DECLS
