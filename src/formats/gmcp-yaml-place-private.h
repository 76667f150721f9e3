/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where something stands in a YAML text, so that it can be changed there and all else stays as it is. Offsets are in
 * bytes. */

typedef struct
{
  gsize key_start;
  gsize key_end;
  gsize value_start;
  gsize value_end;    /* behind the last character, before comments and blank lines */
  gsize child_start;  /* of the first key of a mapping that has some */
  guint child_indent; /* the column of that */
  gboolean is_flow;   /* a mapping between braces */
  gboolean is_block;  /* a mapping, each key in a line of its own */
  gboolean is_empty;  /* a mapping without keys, or nothing at all */
} GmcpYamlPlace;

/* The value that a path of keys leads to, through mappings. FALSE with GMCP_ERROR_NOT_CONFIGURED where there is none,
 * or another error where the text cannot be read. */
gboolean gmcp_yaml_find_place (const char *text,
                               gsize length,
                               const char *const *path,
                               GmcpYamlPlace *place,
                               GError **error);

G_END_DECLS
