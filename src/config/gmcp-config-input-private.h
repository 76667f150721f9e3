/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-config-input.h>

G_BEGIN_DECLS

/* value is NULL where there is none. Called once, at the latest when the request is dropped. */
typedef void (*GmcpConfigInputDone) (const char *value, gpointer data);

GmcpConfigInput *gmcp_config_input_new (const char *server_id,
                                        const char *id,
                                        const char *file,
                                        const char *description,
                                        gboolean secret,
                                        GmcpConfigInputDone done,
                                        gpointer data);

G_END_DECLS
