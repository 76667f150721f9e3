/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

/* The tools' JSON schemas name the same numbers. Lengths are in Unicode characters, as JSON Schema
 * counts them. */

#define GMCP_TASK_LIMIT_TITLE_LENGTH       200
#define GMCP_TASK_LIMIT_DESCRIPTION_LENGTH 10000
#define GMCP_TASK_LIMIT_USER_LENGTH        255
#define GMCP_TASK_LIMIT_PAGE_ITEMS         1000
#define GMCP_TASK_LIMIT_COMPLETIONS        100
#define GMCP_TASK_LIMIT_AGENDA             200
#define GMCP_TASK_LIMIT_OFFSET             1000000000

/* Of clients on sockets and over HTTP. */
#define GMCP_TASK_LIMIT_MESSAGE_BYTES (1024u * 1024)
#define GMCP_TASK_LIMIT_QUEUED_BYTES  (16u * 1024 * 1024)
/* Of all of them together, at each door. The unit of systemd leaves room for twice as much. */
#define GMCP_TASK_LIMIT_UNREAD_BYTES     (64u * 1024 * 1024)
#define GMCP_TASK_LIMIT_UNANSWERED_BYTES (64u * 1024 * 1024)
#define GMCP_TASK_LIMIT_KEPT_BYTES       (32u * 1024 * 1024)

#define GMCP_TASK_DEFAULT_PAGE_ITEMS     50
#define GMCP_TASK_DEFAULT_TIMEOUT_MS     25000u
#define GMCP_TASK_MAX_TIMEOUT_MS         3600000u

/* How long an interrupted operation may take to come back before its caller is answered anyway.
 * With the default above this is less than the 30 s that hosts give a call, so that TIMEOUT reaches
 * them. */
#define GMCP_TASK_INTERRUPT_GRACE_MS 2000
