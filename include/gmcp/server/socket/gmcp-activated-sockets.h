/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_take_activated_sockets (char ***names, GError **error);

G_END_DECLS
