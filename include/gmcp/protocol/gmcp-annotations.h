/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-enums.h>

G_BEGIN_DECLS

#define GMCP_TYPE_ANNOTATIONS (gmcp_annotations_get_type ())

typedef struct _GmcpAnnotations GmcpAnnotations;

GMCP_AVAILABLE_IN_0_1
GType gmcp_annotations_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GmcpAnnotations *gmcp_annotations_ref (GmcpAnnotations *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_annotations_unref (GmcpAnnotations *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_annotations_get_audience (GmcpAnnotations *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_annotations_is_for (GmcpAnnotations *self, GmcpMessageRole role);

GMCP_AVAILABLE_IN_0_1
double gmcp_annotations_get_priority (GmcpAnnotations *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_annotations_get_last_modified (GmcpAnnotations *self);

GMCP_AVAILABLE_IN_0_1
GDateTime *gmcp_annotations_dup_last_modified (GmcpAnnotations *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_annotations_dup_json (GmcpAnnotations *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpAnnotations, gmcp_annotations_unref)

G_END_DECLS
