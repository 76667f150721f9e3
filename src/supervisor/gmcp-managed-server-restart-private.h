/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-managed-server-private.h"

G_BEGIN_DECLS

/* What follows where a server or its connection is lost. */

/* The connection is lost, or good for nothing. */
void gmcp_managed_server_recover (GmcpManagedServer *self, const GError *error);
/* The server was up, and wants a sign-in before it goes on. */
void gmcp_managed_server_need_sign_in (GmcpManagedServer *self, const GError *error);
/* The server is not started again by itself: its tools go, and one notice tells why, an error where
 * it was kept up. */
void gmcp_managed_server_tell_of_failure (GmcpManagedServer *self,
                                          GmcpNoticeLevel level,
                                          const GError *error);
void gmcp_managed_server_arm_retry (GmcpManagedServer *self, guint delay_ms);
/* The notice of a retry, after that of the failure. */
void gmcp_managed_server_tell_of_retry (GmcpManagedServer *self, guint delay_ms);

G_END_DECLS
