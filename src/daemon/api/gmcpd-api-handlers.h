/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-api-request.h"

G_BEGIN_DECLS

/* What there is at each route; each of these answers its request. */

/* gmcpd-api-servers.c */
void gmcpd_api_get_status (GmcpdApiRequest *request);
void gmcpd_api_list_servers (GmcpdApiRequest *request);
void gmcpd_api_get_server (GmcpdApiRequest *request);

/* gmcpd-api-description.c */
void gmcpd_api_get_description (GmcpdApiRequest *request);

/* gmcpd-api-links.c */
void gmcpd_api_make_sign_in_link (GmcpdApiRequest *request);

/* gmcpd-api-logs.c */
void gmcpd_api_get_log (GmcpdApiRequest *request);

/* gmcpd-api-questions.c */
void gmcpd_api_list_questions (GmcpdApiRequest *request);
void gmcpd_api_answer_question (GmcpdApiRequest *request);

/* gmcpd-api-changes.c */
void gmcpd_api_list_changes (GmcpdApiRequest *request);
void gmcpd_api_approve_change (GmcpdApiRequest *request);

/* gmcpd-api-audit.c */
void gmcpd_api_get_audit (GmcpdApiRequest *request);

/* gmcpd-api-events.c */
void gmcpd_api_get_events (GmcpdApiRequest *request);

/* gmcpd-api-editing.c */
void gmcpd_api_add_server (GmcpdApiRequest *request);
void gmcpd_api_patch_server (GmcpdApiRequest *request);
void gmcpd_api_remove_server (GmcpdApiRequest *request);

/* gmcpd-api-actions.c */
void gmcpd_api_start_server (GmcpdApiRequest *request);
void gmcpd_api_stop_server (GmcpdApiRequest *request);
void gmcpd_api_restart_server (GmcpdApiRequest *request);
void gmcpd_api_check_health (GmcpdApiRequest *request);
void gmcpd_api_test_server (GmcpdApiRequest *request);

/* gmcpd-api-tools.c */
void gmcpd_api_list_tools (GmcpdApiRequest *request);
void gmcpd_api_call_tool (GmcpdApiRequest *request);

G_END_DECLS
