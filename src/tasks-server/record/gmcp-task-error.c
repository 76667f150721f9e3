/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-task-error.h"

/* clang-format off */
G_DEFINE_QUARK (gmcp-task-error-quark, gmcp_task_error)
/* clang-format on */

/* BUSY and LOST never leave the worker, which tries again; if they did, the database would be what
 * failed. After LOST nothing was done; after UNCERTAIN nobody knows. */
static const char *const words[] = {
  [GMCP_TASK_ERROR_DATABASE] = "DATABASE_ERROR",
  [GMCP_TASK_ERROR_NOT_FOUND] = "TASK_NOT_FOUND",
  [GMCP_TASK_ERROR_CONFIRMATION_REQUIRED] = "CONFIRMATION_REQUIRED",
  [GMCP_TASK_ERROR_VALIDATION] = "VALIDATION_ERROR",
  [GMCP_TASK_ERROR_TIMED_OUT] = "TIMEOUT",
  [GMCP_TASK_ERROR_BUSY] = "DATABASE_ERROR",
  [GMCP_TASK_ERROR_LOST] = "DATABASE_ERROR",
  [GMCP_TASK_ERROR_UNCERTAIN] = "DATABASE_ERROR",
};

/* The word that a tool's result carries in `error_code`. */
const char *
gmcp_task_error_get_word (const GError *error)
{
  if (error->domain == GMCP_TASK_ERROR && error->code >= 0
      && (gsize) error->code < G_N_ELEMENTS (words))
    return words[error->code];

  return words[GMCP_TASK_ERROR_DATABASE];
}
