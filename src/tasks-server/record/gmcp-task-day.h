/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-task-record.h"

G_BEGIN_DECLS

/* A day of the calendar, in the time zone of this machine. */
typedef struct
{
  char date[16];  /* 2026-08-01 */
  char start[32]; /* the moments, in UTC, of its beginning and of the next day's */
  char end[32];
} GmcpTaskDay;

gboolean gmcp_task_day_parse (const char *text, GDateTime *now, GmcpTaskDay *day);

char **gmcp_task_day_complete (const char *text, GDateTime *now);

char *gmcp_task_day_sum_up (const GmcpTaskDay *day, const GmcpTaskPage *page);

G_END_DECLS
