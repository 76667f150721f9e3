/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-icon.h>

G_BEGIN_DECLS

#define GMCP_TYPE_IMPLEMENTATION (gmcp_implementation_get_type ())

typedef struct _GmcpImplementation GmcpImplementation;

GMCP_AVAILABLE_IN_0_1
GType gmcp_implementation_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GmcpImplementation *gmcp_implementation_new (const char *name, const char *version);

GMCP_AVAILABLE_IN_0_1
GmcpImplementation *gmcp_implementation_new_from_json (const char *json, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpImplementation *gmcp_implementation_ref (GmcpImplementation *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_implementation_unref (GmcpImplementation *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_implementation_get_name (GmcpImplementation *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_implementation_get_version (GmcpImplementation *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_implementation_get_title (GmcpImplementation *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_implementation_get_description (GmcpImplementation *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_implementation_get_website_url (GmcpImplementation *self);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_implementation_list_icons (GmcpImplementation *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_implementation_dup_json (GmcpImplementation *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpImplementation, gmcp_implementation_unref)

G_END_DECLS
