/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-input-private.h"
#include "gmcp-managed-server-parts-private.h"

#include <gmcp/core/gmcp-error.h>

/* What a server answered before, and what it is asked for through the manager: an answer that is
 * fresh wakes no server, and one that is stale is better than none where the server is away. */

typedef struct
{
  char *uri;
  GmcpCallOptions *options;
} Reading;

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_free (reading->uri);
  g_object_unref (reading->options);
  g_free (reading);
}

void
gmcp_managed_server_set_cache (GmcpManagedServer *self, GmcpResponseCache *cache)
{
  gmcp_answer_cache_set_store (gmcp_managed_server_get_answers (self), cache);
}

void
gmcp_managed_server_forget_answers (GmcpManagedServer *self)
{
  gmcp_answer_cache_forget (gmcp_managed_server_get_answers (self),
                            gmcp_managed_server_get_config (self));
}

GmcpResourceResult *
gmcp_managed_server_find_kept_resource (GmcpManagedServer *self, const char *uri)
{
  return gmcp_answer_cache_find (gmcp_managed_server_get_answers (self), uri);
}

static GmcpResourceResult *
find_kept (GmcpManagedServer *self, Reading *reading, gboolean is_away)
{
  return gmcp_answer_cache_find_allowed (gmcp_managed_server_get_answers (self), reading->uri,
                                         reading->options, is_away);
}

static void
return_result (GTask *task, GmcpResourceResult *result)
{
  g_task_return_pointer (task, result, (GDestroyNotify) gmcp_resource_result_unref);
}

static void
on_read (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  GmcpManagedServer *self = g_task_get_source_object (task);
  GmcpResourceResult *result
    = gmcp_client_read_resource_finish (GMCP_CLIENT (object), async_result, &error);

  gmcp_managed_server_release (self);
  if (result != NULL)
    {
      return_result (task, result);
      return;
    }

  /* A failed read counts like a failed call. */
  gmcp_managed_server_call_failed (error, self);
  g_task_return_error (task, error);
}

static void
read_from_client (GTask *task)
{
  GmcpManagedServer *self = g_task_get_source_object (task);
  Reading *reading = g_task_get_task_data (task);
  GmcpClient *client = gmcp_server_instance_get_client (gmcp_managed_server_get_instance (self));

  gmcp_managed_server_hold (self);
  gmcp_client_read_resource_async (client, reading->uri, reading->options,
                                   g_task_get_cancellable (task), on_read, g_object_ref (task));
}

static void
on_started (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpManagedServer *self = GMCP_MANAGED_SERVER (object);
  g_autoptr (GError) error = NULL;
  GmcpResourceResult *result = NULL;

  if (gmcp_managed_server_demand_finish (self, async_result, &error)
      && gmcp_managed_server_is_ready (self))
    {
      read_from_client (task);
      return;
    }

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    result = find_kept (self, g_task_get_task_data (task), TRUE);
  if (result != NULL)
    return_result (task, result);
  else if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED,
                             _ ("Server “%s” was started to read a resource and ended again; "
                                "nothing was sent"),
                             gmcp_managed_server_get_title (self));
}

/**
 * gmcp_managed_server_read_resource_async:
 * @self: a server
 * @uri: the resource's URI, as listed, or made of a template
 * @options: (nullable): time limits and more, for this request only
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads a resource. What the server answered before is taken from the manager's
 * [property@Gmcp.Manager:response-cache] while it is fresh, whether the server runs or not; else the
 * server is asked, and started for it where it does not run.
 *
 * Where the server is away, an answer that is stale has to do, and
 * [method@Gmcp.ResourceResult.is_stale] tells so. With @options that is only so where
 * [property@Gmcp.CallOptions:stale-on-error] is set there.
 *
 * Fails as [method@Gmcp.ManagedServer.start_async] and [method@Gmcp.Client.read_resource_async] do.
 *
 * Spec: MCP 2026-07-28, server/resources, "Reading Resources".
 *
 * Since: 0.1
 */
void
gmcp_managed_server_read_resource_async (GmcpManagedServer *self,
                                         const char *uri,
                                         GmcpCallOptions *options,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Reading *reading;
  GmcpResourceResult *result;

  g_return_if_fail (GMCP_IS_MANAGED_SERVER (self));
  g_return_if_fail (uri != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_managed_server_check_thread (self, G_STRFUNC))
    return;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_managed_server_read_resource_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  reading = g_new (Reading, 1);
  reading->uri = g_strdup (uri);
  if (options != NULL)
    {
      reading->options = g_object_ref (options);
    }
  else
    {
      reading->options = gmcp_call_options_new ();
      gmcp_call_options_set_stale_on_error (reading->options, TRUE);
    }
  g_task_set_task_data (task, reading, reading_free);

  if (gmcp_managed_server_is_ready (self))
    read_from_client (task);
  else if ((result = find_kept (self, reading, FALSE)) != NULL)
    return_result (task, result);
  else
    gmcp_managed_server_demand_async (self, cancellable, on_started, g_steal_pointer (&task));
}

/**
 * gmcp_managed_server_read_resource_finish:
 * @self: a server
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ManagedServer.read_resource_async].
 *
 * Returns: (transfer full): what is in the resource
 *
 * Since: 0.1
 */
GmcpResourceResult *
gmcp_managed_server_read_resource_finish (GmcpManagedServer *self,
                                          GAsyncResult *result,
                                          GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_managed_server_read_resource_async),
                        NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
