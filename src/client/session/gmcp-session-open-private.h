/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>

G_BEGIN_DECLS

/* The opening that is under way, if any, has its start-up limit from now on, and that much more. */
void gmcp_client_extend_opening (GmcpClient *self, guint more_ms);

G_END_DECLS
