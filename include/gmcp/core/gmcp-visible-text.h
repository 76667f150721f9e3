/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

GMCP_AVAILABLE_IN_0_1
char *gmcp_dup_visible_text (const char *text);
GMCP_AVAILABLE_IN_0_1
char *gmcp_dup_visible_line (const char *text, guint max_chars);

G_END_DECLS
