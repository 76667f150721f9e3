/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-single-server-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-manager-roles-private.h"

/* What is asked of one server by the names that the server itself has for things. */

/* What waits for the server to be up. */
typedef struct
{
  GObject *request; /* of the gateway's client */
  GmcpCallOptions *options;
  GmcpCompletionKind kind;
  void (*send) (GmcpClient *client, GTask *task);
} Asking;

static void
asking_free (Asking *asking)
{
  g_object_unref (asking->request);
  g_object_unref (asking->options);
  g_free (asking);
}

/* NULL: the task has failed. */
static GmcpManagedServer *
reach_server (GmcpSingleServer *self, GmcpCallOptions *options, GTask *task)
{
  GmcpManager *manager = gmcp_single_server_get_manager (self);
  GError *error = NULL;
  GmcpManagedServer *server = gmcp_single_server_find (self, &error);

  if (server != NULL && gmcp_manager_check_reach (manager, server, options, &error))
    return server;

  g_task_return_error (task, error);
  return NULL;
}

static void
on_server_up (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  Asking *asking = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gmcp_managed_server_demand_finish (server, result, &error))
    g_task_return_error (task, error);
  else if (!gmcp_managed_server_is_ready (server))
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED,
                             /* Translators: the title of a server */
                             _ ("Server “%s” was started for a request and ended again; nothing "
                                "was sent"),
                             gmcp_managed_server_get_title (server));
  else
    asking->send (gmcp_managed_server_get_client (server), g_steal_pointer (&task));
}

/* Takes the task. */
static void
ask_server (GmcpSingleServer *self, Asking *asking, GTask *task)
{
  GmcpManagedServer *server = reach_server (self, asking->options, task);

  g_task_set_task_data (task, asking, (GDestroyNotify) asking_free);
  if (server != NULL)
    gmcp_managed_server_demand_async (server, g_task_get_cancellable (task), on_server_up, task);
  else
    g_object_unref (task);
}

static void
on_read (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  GmcpResourceResult *result
    = gmcp_managed_server_read_resource_finish (GMCP_MANAGED_SERVER (object), async_result, &error);

  if (result != NULL)
    g_task_return_pointer (task, result, (GDestroyNotify) gmcp_resource_result_unref);
  else
    g_task_return_error (task, error);
}

void
gmcp_single_server_read_async (GmcpSingleServer *self,
                               const char *uri,
                               GmcpCallOptions *options,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task
    = g_task_new (gmcp_single_server_get_manager (self), cancellable, callback, user_data);
  GmcpManagedServer *server;

  g_task_set_source_tag (task, gmcp_single_server_read_async);
  server = reach_server (self, options, task);
  if (server != NULL)
    gmcp_managed_server_read_resource_async (server, uri, options, cancellable, on_read,
                                             g_steal_pointer (&task));
}

GmcpResourceResult *
gmcp_single_server_read_finish (GmcpManager *manager, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
on_prompt (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  GmcpPromptResult *result
    = gmcp_client_get_prompt_finish (GMCP_CLIENT (object), async_result, &error);

  if (result != NULL)
    g_task_return_pointer (task, result, (GDestroyNotify) gmcp_prompt_result_unref);
  else
    g_task_return_error (task, error);
}

static void
send_prompt (GmcpClient *client, GTask *task)
{
  Asking *asking = g_task_get_task_data (task);
  GmcpPromptRequest *request = GMCP_PROMPT_REQUEST (asking->request);

  gmcp_client_get_prompt_async (client, gmcp_prompt_request_get_name (request),
                                gmcp_prompt_request_get_arguments (request), asking->options,
                                g_task_get_cancellable (task), on_prompt, task);
}

void
gmcp_single_server_get_prompt_async (GmcpSingleServer *self,
                                     GmcpPromptRequest *request,
                                     GmcpCallOptions *options,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data)
{
  GTask *task
    = g_task_new (gmcp_single_server_get_manager (self), cancellable, callback, user_data);
  Asking *asking = g_new0 (Asking, 1);

  g_task_set_source_tag (task, gmcp_single_server_get_prompt_async);
  asking->request = g_object_ref (G_OBJECT (request));
  asking->options = g_object_ref (options);
  asking->send = send_prompt;
  ask_server (self, asking, task);
}

GmcpPromptResult *
gmcp_single_server_get_prompt_finish (GmcpManager *manager, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* A server that cannot complete has nothing to say. */
static void
on_completed (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  GmcpCompletionResult *result
    = gmcp_client_complete_finish (GMCP_CLIENT (object), async_result, &error);

  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED))
    {
      g_clear_error (&error);
      result = gmcp_completion_result_new ((const char *const[]){ NULL }, -1, FALSE);
    }
  if (result != NULL)
    g_task_return_pointer (task, result, (GDestroyNotify) gmcp_completion_result_unref);
  else
    g_task_return_error (task, error);
}

static void
send_completion (GmcpClient *client, GTask *task)
{
  Asking *asking = g_task_get_task_data (task);
  GmcpCompletionRequest *request = GMCP_COMPLETION_REQUEST (asking->request);

  gmcp_client_complete_async (client, asking->kind, gmcp_completion_request_get_reference (request),
                              gmcp_completion_request_get_argument (request),
                              gmcp_completion_request_get_value (request),
                              gmcp_completion_request_get_context (request), asking->options,
                              g_task_get_cancellable (task), on_completed, task);
}

void
gmcp_single_server_complete_async (GmcpSingleServer *self,
                                   GmcpCompletionRequest *request,
                                   GmcpCompletionKind kind,
                                   GmcpCallOptions *options,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  GTask *task
    = g_task_new (gmcp_single_server_get_manager (self), cancellable, callback, user_data);
  Asking *asking = g_new0 (Asking, 1);

  g_task_set_source_tag (task, gmcp_single_server_complete_async);
  asking->request = g_object_ref (G_OBJECT (request));
  asking->options = g_object_ref (options);
  asking->kind = kind;
  asking->send = send_completion;
  ask_server (self, asking, task);
}

GmcpCompletionResult *
gmcp_single_server_complete_finish (GmcpManager *manager, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
