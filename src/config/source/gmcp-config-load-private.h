/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/source/gmcp-config-load.h>

G_BEGIN_DECLS

/* Takes the task, which returns a boolean. */
GmcpConfigLoad *gmcp_config_load_new_take (GTask *task);

/* From now on the request ends when its time is over or it is cancelled, whatever the source does. */
void gmcp_config_load_guard (GmcpConfigLoad *self, guint timeout_ms);

G_END_DECLS
