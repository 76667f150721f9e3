/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-call-permission.h>

G_BEGIN_DECLS

/* The answers; NULL where the call is not to be made. */
#define GMCP_CALL_ANSWER_ALLOW_ONCE   "allow-once"
#define GMCP_CALL_ANSWER_ALLOW_ALWAYS "allow-always"

typedef struct
{
  GmcpTool *tool;
  const char *server_name;
  const char *arguments_json;
  const char *role; /* NULL for none */
  const char *rule;
  const char *change; /* NULL for a tool that is as it was approved */
} GmcpCallQuestion;

GmcpCallPermission *gmcp_call_permission_new (const GmcpCallQuestion *question);

G_END_DECLS
