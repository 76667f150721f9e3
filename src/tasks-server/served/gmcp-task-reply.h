/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-tool-result.h>

#include "gmcp-task-record.h"

G_BEGIN_DECLS

GmcpToolResult *gmcp_task_reply_new_page (const GmcpTaskPage *page);

GmcpToolResult *gmcp_task_reply_new_task (const GmcpTaskRecord *record);

GmcpToolResult *gmcp_task_reply_new_deleted (const char *id);

GmcpToolResult *gmcp_task_reply_new_error (const GError *error);

char *gmcp_task_reply_dup_page_json (const GmcpTaskPage *page);

char *gmcp_task_reply_dup_record_json (const GmcpTaskRecord *record);

G_END_DECLS
