/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>
#include <yaml.h>

G_BEGIN_DECLS

/* What is called of libyaml, without yaml_; it is loaded when the first file in YAML is read. */
#define GMCP_LIBYAML_FUNCTIONS(F)                                                                  \
  F (event_delete)                                                                                 \
  F (parser_delete)                                                                                \
  F (parser_initialize)                                                                            \
  F (parser_parse)                                                                                 \
  F (parser_set_encoding)                                                                          \
  F (parser_set_input_string)

typedef struct
{
#define GMCP_LIBYAML_MEMBER(name) __typeof__ (&yaml_##name) name;
  GMCP_LIBYAML_FUNCTIONS (GMCP_LIBYAML_MEMBER)
#undef GMCP_LIBYAML_MEMBER
} GmcpLibyaml;

/* NULL with an error where libyaml cannot be loaded. */
const GmcpLibyaml *gmcp_libyaml_load (GError **error);

G_END_DECLS
