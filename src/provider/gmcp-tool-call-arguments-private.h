/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* The arguments of a call, and the forms in which they have been asked for. */
typedef struct
{
  GmcpJsonValue view; /* of a message, which is referred to; none where they came by themselves */
  GmcpJsonDoc *doc;   /* whose root is an object; that of a view is made when asked for */
  char *json;
  JsonNode *node;
} GmcpToolCallArguments;

void gmcp_tool_call_arguments_clear (GmcpToolCallArguments *self);
/* Refers to the document of the view, which may be GMCP_JSON_NONE. */
void gmcp_tool_call_arguments_set_view (GmcpToolCallArguments *self, GmcpJsonValue view);
/* GMCP_JSON_NONE and NULL for no arguments. Borrowed. */
GmcpJsonValue gmcp_tool_call_arguments_get_value (GmcpToolCallArguments *self);
GmcpJsonDoc *gmcp_tool_call_arguments_get_doc (GmcpToolCallArguments *self);

/* May be called in any thread. */
const char *gmcp_tool_call_arguments_get_json (GmcpToolCallArguments *self);
JsonNode *gmcp_tool_call_arguments_get_node (GmcpToolCallArguments *self);

G_END_DECLS
