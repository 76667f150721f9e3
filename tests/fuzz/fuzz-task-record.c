/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gmcp-server-task-struct-private.h"
#include "gmcp-task-state-private.h"

/* A record of a task, as it lies in a folder. Whatever the file says, what is taken for a task has all that clients
 * are told of it, and its own record is read as the same. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_at (gboolean holds, const char *condition, int line)
{
  if (G_LIKELY (holds))
    return;
  g_printerr ("%s:%d: not so: %s\n", __FILE__, line, condition);
  abort ();
}

#define check(condition) check_at (condition, #condition, __LINE__)

static void
check_task (GmcpServerTask *task)
{
  GmcpTaskStatus status = gmcp_server_task_get_status (task);

  check (strcmp (gmcp_server_task_get_id (task), "id") == 0);
  check (gmcp_server_task_get_ttl_ms (task) >= 0);
  check (gmcp_server_task_get_created_at (task) != NULL);
  check (gmcp_server_task_get_updated_at (task) != NULL);
  check ((gmcp_server_task_get_result (task) != NULL) == (status == GMCP_TASK_STATUS_COMPLETED));
  if (gmcp_task_status_is_final (status) && status != GMCP_TASK_STATUS_COMPLETED)
    check (gmcp_server_task_get_error_message (task) != NULL);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (GmcpServerTask) task = gmcp_server_task_read_record ("id", bytes);
  g_autoptr (GmcpServerTask) again = NULL;
  g_autoptr (GBytes) written = NULL;

  if (task == NULL)
    return 0;

  check_task (task);
  written = gmcp_server_task_write_record (task, gmcp_server_task_get_status (task));
  again = gmcp_server_task_read_record ("id", written);
  check (again != NULL);
  check_task (again);
  check (gmcp_server_task_get_status (again) == gmcp_server_task_get_status (task));
  return 0;
}
