/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-manager-private.h"

G_BEGIN_DECLS

/* The end of a manager, and who waits for it. */
GmcpManagerClosing *gmcp_manager_closing_new (void);
void gmcp_manager_closing_free (GmcpManagerClosing *self);

/* FALSE where it has begun before. */
gboolean gmcp_manager_closing_begin (GmcpManagerClosing *self);

/* What a provider does at its end. */
void gmcp_manager_close (GmcpToolProvider *provider, GmcpProviderClose *request);
/* Something that those who wait for the end may have waited for has ended. */
void gmcp_manager_settle_closers (GmcpManager *self);

G_END_DECLS
