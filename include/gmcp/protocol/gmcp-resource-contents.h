/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_RESOURCE_CONTENTS (gmcp_resource_contents_get_type ())

typedef struct _GmcpResourceContents GmcpResourceContents;

GMCP_AVAILABLE_IN_0_1
GType gmcp_resource_contents_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GmcpResourceContents *gmcp_resource_contents_ref (GmcpResourceContents *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_resource_contents_unref (GmcpResourceContents *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_resource_contents_get_uri (GmcpResourceContents *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_resource_contents_get_mime_type (GmcpResourceContents *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_resource_contents_is_text (GmcpResourceContents *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_resource_contents_get_text (GmcpResourceContents *self);

GMCP_AVAILABLE_IN_0_1
GBytes *gmcp_resource_contents_get_bytes (GmcpResourceContents *self, GError **error);

GMCP_AVAILABLE_IN_0_1
char *gmcp_resource_contents_dup_meta_json (GmcpResourceContents *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_resource_contents_dup_json (GmcpResourceContents *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpResourceContents, gmcp_resource_contents_unref)

G_END_DECLS
