/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_ROOT (gmcp_root_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpRoot, gmcp_root, GMCP, ROOT, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpRoot *gmcp_root_new (const char *uri, const char *name);

GMCP_AVAILABLE_IN_0_1
GmcpRoot *gmcp_root_new_for_file (GFile *file, const char *name);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_root_get_uri (GmcpRoot *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_root_get_name (GmcpRoot *self);

G_END_DECLS
