/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-router-private.h"
#include "gmcp-manager-closing-private.h"
#include "gmcp-pending-tasks-private.h"
#include "gmcp-manager-servers-private.h"
#include "gmcp-manager-calls-private.h"

struct _GmcpManagerClosing
{
  gboolean has_begun;
  GQueue closers; /* of GTask */
  /* The logs come last: until the end of the servers there may be more lines. */
  gboolean is_writing_logs;
  gboolean has_written_logs;
};

GmcpManagerClosing *
gmcp_manager_closing_new (void)
{
  GmcpManagerClosing *self = g_new0 (GmcpManagerClosing, 1);

  g_queue_init (&self->closers);
  return self;
}

void
gmcp_manager_closing_free (GmcpManagerClosing *self)
{
  g_free (self);
}

gboolean
gmcp_manager_closing_begin (GmcpManagerClosing *self)
{
  if (self->has_begun)
    return FALSE;

  self->has_begun = TRUE;
  return TRUE;
}

gboolean
gmcp_manager_is_closed (GmcpManager *self)
{
  return gmcp_manager_get_closing (self)->has_begun;
}

/* A log that cannot be written has said so, and does not keep a host from ending. */
static void
on_logs_written (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpManager) self = data;
  GmcpManagerClosing *closing = gmcp_manager_get_closing (self);

  gmcp_auditor_write_logs_finish (result);
  closing->is_writing_logs = FALSE;
  closing->has_written_logs = TRUE;
  gmcp_manager_settle_closers (self);
}

void
gmcp_manager_settle_closers (GmcpManager *self)
{
  GmcpManagerClosing *closing = gmcp_manager_get_closing (self);

  if (g_queue_is_empty (&closing->closers) || closing->is_writing_logs
      || gmcp_server_table_has_leaving (gmcp_manager_get_server_table (self))
      || gmcp_state_store_is_keeping (gmcp_manager_get_state_store (self)))
    return;

  if (closing->has_written_logs)
    {
      gmcp_pending_tasks_settle (&closing->closers, NULL);
      return;
    }

  closing->is_writing_logs = TRUE;
  gmcp_auditor_write_logs_async (gmcp_manager_get_auditor (self), on_logs_written,
                                 g_object_ref (self));
}

static void
on_ended (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpProviderClose) request = data;
  g_autoptr (GError) error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    gmcp_provider_close_return_success (request);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), error);
}

void
gmcp_manager_close (GmcpToolProvider *provider, GmcpProviderClose *request)
{
  GmcpManager *self = GMCP_MANAGER (provider);
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  g_autoptr (GTask) task = NULL;

  if (!gmcp_manager_check_request_thread (self, base, "gmcp_tool_provider_close_async"))
    return;

  task = g_task_new (self, gmcp_provider_request_get_cancellable (base), on_ended,
                     g_object_ref (request));
  g_task_set_source_tag (task, gmcp_manager_close);
  if (gmcp_manager_closing_begin (gmcp_manager_get_closing (self)))
    {
      g_autoptr (GError) reason = gmcp_manager_closed_error ();

      gmcp_call_router_close (gmcp_manager_get_call_router (self), reason);
      gmcp_state_store_close (gmcp_manager_get_state_store (self));
      gmcp_manager_drop_config (self);
      gmcp_manager_drop_servers (self, reason);
      /* What is to be written now need not wait for the servers to end. */
      gmcp_auditor_start_writing (gmcp_manager_get_auditor (self));
    }

  /* Last: a server that does not run is gone before the next one begins to leave. */
  gmcp_pending_tasks_add (&gmcp_manager_get_closing (self)->closers, task);
  gmcp_manager_settle_closers (self);
}
