/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_COMPLETION_RESULT (gmcp_completion_result_get_type ())

typedef struct _GmcpCompletionResult GmcpCompletionResult;

GMCP_AVAILABLE_IN_0_1
GType gmcp_completion_result_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GmcpCompletionResult *
gmcp_completion_result_new (const char *const *values, gint64 total, gboolean has_more);

GMCP_AVAILABLE_IN_0_1
GmcpCompletionResult *gmcp_completion_result_new_from_json (const char *json, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpCompletionResult *gmcp_completion_result_ref (GmcpCompletionResult *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_completion_result_unref (GmcpCompletionResult *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_completion_result_get_values (GmcpCompletionResult *self);

GMCP_AVAILABLE_IN_0_1
gint64 gmcp_completion_result_get_total (GmcpCompletionResult *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_completion_result_has_more (GmcpCompletionResult *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_completion_result_dup_meta_json (GmcpCompletionResult *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_completion_result_dup_json (GmcpCompletionResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpCompletionResult, gmcp_completion_result_unref)

G_END_DECLS
