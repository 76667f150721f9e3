/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-soup.h"

G_BEGIN_DECLS

/* Whether a process of this user is at the other end, as the system has it. Every user of a machine can connect to its
 * loopback address. One that has sent its request and is gone is nobody's. */
gboolean gmcpd_api_peer_is_own_user (const GmcpdSoup *soup, SoupServerMessage *message);

G_END_DECLS
