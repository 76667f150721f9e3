/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a word without quotes stands for in YAML 1.2's core schema, as JSON text; NULL for a string. */
char *gmcp_yaml_resolve_plain (const char *text);

G_END_DECLS
