/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include <gmcp/protocol/gmcp-annotations.h>
#include <gmcp/protocol/gmcp-resource.h>

G_BEGIN_DECLS

#define GMCP_TYPE_CONTENT (gmcp_content_get_type ())

typedef struct _GmcpContent GmcpContent;

GMCP_AVAILABLE_IN_0_1
GType gmcp_content_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GmcpContent *gmcp_content_new_text (const char *text);

GMCP_AVAILABLE_IN_0_1
GmcpContent *gmcp_content_new_image (GBytes *data, const char *mime_type);

GMCP_AVAILABLE_IN_0_1
GmcpContent *gmcp_content_new_audio (GBytes *data, const char *mime_type);

GMCP_AVAILABLE_IN_0_1
GmcpContent *gmcp_content_new_resource_link (GmcpResource *resource);

GMCP_AVAILABLE_IN_0_1
GmcpContent *gmcp_content_new_from_json (const char *json, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpContent *gmcp_content_ref (GmcpContent *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_content_unref (GmcpContent *self);

GMCP_AVAILABLE_IN_0_1
GmcpContentKind gmcp_content_get_kind (GmcpContent *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_content_get_text (GmcpContent *self);

GMCP_AVAILABLE_IN_0_1
GBytes *gmcp_content_dup_data (GmcpContent *self, GError **error);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_content_get_mime_type (GmcpContent *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_content_get_uri (GmcpContent *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_content_get_name (GmcpContent *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_content_get_title (GmcpContent *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_content_get_description (GmcpContent *self);

GMCP_AVAILABLE_IN_0_1
GmcpAnnotations *gmcp_content_dup_annotations (GmcpContent *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_content_dup_annotations_json (GmcpContent *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_content_dup_json (GmcpContent *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpContent, gmcp_content_unref)

G_END_DECLS
