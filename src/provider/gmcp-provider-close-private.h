/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-provider-close.h>

G_BEGIN_DECLS

/* Takes the task, which is completed with a boolean. */
GmcpProviderClose *gmcp_provider_close_new_take (GTask *task);

G_END_DECLS
