/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GMCP_TASK_ERROR (gmcp_task_error_quark ())

typedef enum
{
  GMCP_TASK_ERROR_DATABASE,
  GMCP_TASK_ERROR_NOT_FOUND,
  GMCP_TASK_ERROR_CONFIRMATION_REQUIRED,
  GMCP_TASK_ERROR_VALIDATION,
  GMCP_TASK_ERROR_TIMED_OUT,
  GMCP_TASK_ERROR_BUSY,
  GMCP_TASK_ERROR_LOST,
  GMCP_TASK_ERROR_UNCERTAIN,
} GmcpTaskError;

GQuark gmcp_task_error_quark (void);

const char *gmcp_task_error_get_word (const GError *error);

G_END_DECLS
