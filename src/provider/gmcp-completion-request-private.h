/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-completion-request.h>

G_BEGIN_DECLS

/* context, which may be NULL, is copied. */
GmcpCompletionRequest *gmcp_completion_request_new (const char *reference,
                                                    const char *argument,
                                                    const char *value,
                                                    GHashTable *context);

/* For a provider that completes nothing. */
void gmcp_completion_request_return_nothing (gpointer provider, gpointer request);
/* With the result, or where that is NULL with the error. */
void gmcp_completion_request_return_outcome (GmcpCompletionRequest *self,
                                             GmcpCompletionResult *result,
                                             const GError *error);

G_END_DECLS
