/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-provider-close.h>

#include "gmcp-request-guard-private.h"

G_BEGIN_DECLS

/* Takes the task, which is completed with a boolean. */
GmcpProviderClose *gmcp_provider_close_new_take (GTask *task);

/* From now on it ends when its time is over or it is cancelled, whatever the provider does. */
void gmcp_provider_close_guard (GmcpProviderClose *self);

G_END_DECLS
