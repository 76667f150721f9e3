/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>

G_BEGIN_DECLS

/* What the host has set on the client of a server and a client that follows has to have, too: from which level on the
 * server is to log, and the roots. */
typedef struct _GmcpClientWishes GmcpClientWishes;

GmcpClientWishes *gmcp_client_wishes_new (void);
void gmcp_client_wishes_free (GmcpClientWishes *self);

/* Takes over what is set on the client. */
void gmcp_client_wishes_note (GmcpClientWishes *self, GmcpClient *client);
/* Sets it on a client that is not open yet. */
void gmcp_client_wishes_apply (GmcpClientWishes *self, GmcpClient *client);

/* Why the host needs a process of its own of a server that cannot tell its clients apart, a sentence's part for the
 * user; NULL where nothing is wished for. */
const char *gmcp_client_wishes_get_need (GmcpClientWishes *self);

G_END_DECLS
