/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* The arguments of a call, and the forms in which they have been asked for. */
typedef struct
{
  GmcpJsonDoc *doc; /* whose root is an object; NULL for none */
  char *json;
  JsonNode *node;
} GmcpToolCallArguments;

void gmcp_tool_call_arguments_clear (GmcpToolCallArguments *self);

/* May be called in any thread. */
const char *gmcp_tool_call_arguments_get_json (GmcpToolCallArguments *self);
JsonNode *gmcp_tool_call_arguments_get_node (GmcpToolCallArguments *self);

G_END_DECLS
