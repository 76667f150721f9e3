/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_ICON (gmcp_icon_get_type ())

typedef struct _GmcpIcon GmcpIcon;

GMCP_AVAILABLE_IN_0_1
GType gmcp_icon_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GmcpIcon *gmcp_icon_ref (GmcpIcon *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_icon_unref (GmcpIcon *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_icon_get_src (GmcpIcon *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_icon_get_mime_type (GmcpIcon *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_icon_get_theme (GmcpIcon *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_icon_get_sizes (GmcpIcon *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_icon_dup_json (GmcpIcon *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpIcon, gmcp_icon_unref)

G_END_DECLS
