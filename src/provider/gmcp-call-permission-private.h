/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-call-permission.h>

G_BEGIN_DECLS

typedef enum
{
  GMCP_CALL_ANSWER_DENY,
  GMCP_CALL_ANSWER_ALLOW_ONCE,
  GMCP_CALL_ANSWER_ALLOW_ALWAYS,
} GmcpCallAnswer;

/* Takes the answer, once at most, and never after gmcp_call_permission_close(); a request whose last
 * reference is dropped is denied, so it may be called while the object is disposed of. */
typedef void (*GmcpApprovalFunc) (GmcpCallAnswer answer, gpointer data);

typedef struct
{
  GmcpTool *tool;
  const char *server_name;
  const char *arguments_json;
  const char *role; /* NULL for none */
  const char *rule;
} GmcpCallQuestion;

GmcpCallPermission *
gmcp_call_permission_new (const GmcpCallQuestion *question, GmcpApprovalFunc func, gpointer data);
/* Nobody waits for the answer any more. */
void gmcp_call_permission_close (GmcpCallPermission *self);

G_END_DECLS
