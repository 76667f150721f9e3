/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/filling/gmcp-config-input.h>
#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* The answer is the value. */
GmcpConfigInput *gmcp_config_input_new (GmcpServerConfig *config,
                                        const char *id,
                                        const char *file,
                                        const char *description,
                                        gboolean secret);

/* Whether somebody who was asked did not want to say, as against nobody having been there to ask. */
gboolean gmcp_config_input_was_declined (GmcpConfigInput *self);

G_END_DECLS
