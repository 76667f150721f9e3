/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-enums.h>
#include <gmcp/protocol/gmcp-resource-contents.h>

G_BEGIN_DECLS

#define GMCP_TYPE_RESOURCE_RESULT (gmcp_resource_result_get_type ())

typedef struct _GmcpResourceResult GmcpResourceResult;

GMCP_AVAILABLE_IN_0_1
GType gmcp_resource_result_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GmcpResourceResult *
gmcp_resource_result_new_text (const char *uri, const char *mime_type, const char *text);

GMCP_AVAILABLE_IN_0_1
GmcpResourceResult *
gmcp_resource_result_new_bytes (const char *uri, const char *mime_type, GBytes *bytes);

GMCP_AVAILABLE_IN_0_1
GmcpResourceResult *gmcp_resource_result_new_from_json (const char *json, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpResourceResult *gmcp_resource_result_ref (GmcpResourceResult *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_resource_result_unref (GmcpResourceResult *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_resource_result_get_n_contents (GmcpResourceResult *self);

GMCP_AVAILABLE_IN_0_1
GmcpResourceContents *gmcp_resource_result_get_contents (GmcpResourceResult *self, guint position);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_resource_result_is_cached (GmcpResourceResult *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_resource_result_is_stale (GmcpResourceResult *self);

GMCP_AVAILABLE_IN_0_1
gint64 gmcp_resource_result_get_ttl_ms (GmcpResourceResult *self);

GMCP_AVAILABLE_IN_0_1
GmcpCacheScope gmcp_resource_result_get_cache_scope (GmcpResourceResult *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_resource_result_dup_text (GmcpResourceResult *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_resource_result_dup_meta_json (GmcpResourceResult *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_resource_result_dup_json (GmcpResourceResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpResourceResult, gmcp_resource_result_unref)

G_END_DECLS
