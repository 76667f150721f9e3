/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcpd-calls.h"
#include "gmcpd-open-questions.h"
#include "gmcpd-questions.h"

G_BEGIN_DECLS

/* The tools of all servers over D-Bus. Each function answers the call. */

/* Of one server, or of all where its id is empty. */
void gmcpd_tools_list (GmcpManager *manager, GmcpdCall *call, const char *server_id);
/* What a role may call; all where it is NULL. */
void gmcpd_tools_list_permitted (GmcpManager *manager, GmcpdCall *call, const char *role);

/* What all calls by one door have in common. */
typedef struct
{
  GmcpManager *manager;
  GmcpdQuestions *questions;          /* that callers are asked */
  GmcpdOpenQuestions *open_questions; /* that they are not */
  gboolean takes_role;                /* as an option */
} GmcpdToolsDoor;

/* The door lives until the call has ended. The program is that of the caller, and the role that of the call; either may
 * be NULL. */
void gmcpd_tools_call (const GmcpdToolsDoor *door,
                       GmcpdCall *call,
                       const char *program,
                       const char *role,
                       const char *name,
                       const char *arguments_json,
                       GVariant *options);

G_END_DECLS
