/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-config-node-private.h"

G_BEGIN_DECLS

/* The first document of a YAML text, with the scalars of YAML 1.2's core schema; what is no number, no
 * boolean and no null is a string. The tree owns what is given. Fails with GMCP_ERROR_NOT_SUPPORTED
 * in a build without libyaml. The error does not name the line, which is then in *error_line. */
GmcpConfigNode *gmcp_yaml_read (const char *text,
                                gsize length,
                                GmcpConfigTree *tree,
                                guint *error_line,
                                GError **error);

G_END_DECLS
