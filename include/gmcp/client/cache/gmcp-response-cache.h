/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_RESPONSE_CACHE (gmcp_response_cache_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpResponseCache, gmcp_response_cache, GMCP, RESPONSE_CACHE, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpResponseCache *gmcp_response_cache_new (void);

GMCP_AVAILABLE_IN_0_1
guint64 gmcp_response_cache_get_max_bytes (GmcpResponseCache *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_response_cache_set_max_bytes (GmcpResponseCache *self, guint64 max_bytes);

GMCP_AVAILABLE_IN_0_1
guint gmcp_response_cache_get_max_ttl_ms (GmcpResponseCache *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_response_cache_set_max_ttl_ms (GmcpResponseCache *self, guint max_ttl_ms);

GMCP_AVAILABLE_IN_0_1
guint gmcp_response_cache_get_list_ttl_ms (GmcpResponseCache *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_response_cache_set_list_ttl_ms (GmcpResponseCache *self, guint list_ttl_ms);

GMCP_AVAILABLE_IN_0_1
guint gmcp_response_cache_get_resource_ttl_ms (GmcpResponseCache *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_response_cache_set_resource_ttl_ms (GmcpResponseCache *self, guint resource_ttl_ms);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_response_cache_get_stale_on_error (GmcpResponseCache *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_response_cache_set_stale_on_error (GmcpResponseCache *self, gboolean stale_on_error);

GMCP_AVAILABLE_IN_0_1
guint64 gmcp_response_cache_get_size_bytes (GmcpResponseCache *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_response_cache_get_n_responses (GmcpResponseCache *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_response_cache_clear (GmcpResponseCache *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_response_cache_forget_server (GmcpResponseCache *self, const char *cache_key);

G_END_DECLS
