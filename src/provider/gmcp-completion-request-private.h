/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-completion-request.h>

G_BEGIN_DECLS

/* context, which may be NULL, is copied. */
GmcpCompletionRequest *gmcp_completion_request_new_take (GTask *task,
                                                         const char *reference,
                                                         const char *argument,
                                                         const char *value,
                                                         GHashTable *context,
                                                         GmcpCallOptions *options);

G_END_DECLS
