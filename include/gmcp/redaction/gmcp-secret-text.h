/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_text_has_secret (const char *text);

G_END_DECLS
