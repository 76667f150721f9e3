/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-expand-private.h"
#include "gmcp-preflight-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-server-instance-private.h"
#include "gmcp-shared-process-private.h"
#include "gmcp-transport-private.h"

#include <gmcp/core/gmcp-error.h>

/* Before the client is opened, variables in the configuration get their values, the folder that a
 * program runs in is made, and it is looked whether the session's daemon has the process already, else whether
 * what the program needs is there. */

typedef struct
{
  GmcpServerInstance *instance;
  GWeakRef host;
  const GmcpServerHostFuncs *host_funcs;
  GmcpServerConfig *config; /* as it is written */
  GmcpServerConfig *found;  /* as it is to be run; NULL until its folder is known */
  gboolean
    is_choosy; /* a process is not shared that would be, were it not for what the host needs */
} Opening;

/* Gives a reference that keeps the host; NULL where the host is gone. */
static GObject *
hold_host (Opening *opening, GmcpServerHost *host)
{
  *host = (GmcpServerHost){ g_weak_ref_get (&opening->host), opening->host_funcs };
  return host->object;
}

static void
opening_free (gpointer data)
{
  Opening *opening = data;

  gmcp_server_instance_unref (opening->instance);
  g_weak_ref_clear (&opening->host);
  g_object_unref (opening->config);
  g_clear_object (&opening->found);
  g_free (opening);
}

static void
on_opened (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GError) error = NULL;

  gmcp_transport_set_opened_func (gmcp_client_get_transport (GMCP_CLIENT (object)), NULL, NULL);
  if (gmcp_client_open_finish (GMCP_CLIENT (object), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/* The program runs; one that could not be started has not been told of. */
static void
on_running (gpointer data)
{
  Opening *opening = data;
  GmcpServerHost host;
  g_autoptr (GObject) held G_GNUC_UNUSED = hold_host (opening, &host);

  gmcp_server_host_program_started (&host, opening->config);
  gmcp_server_instance_tell_process (opening->instance);
}

static void
on_looked (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Opening *opening = g_task_get_task_data (task);
  GmcpServerConfig *config = GMCP_SERVER_CONFIG (object);
  GmcpServerHost host;
  g_autoptr (GObject) held G_GNUC_UNUSED = hold_host (opening, &host);
  g_autoptr (GError) error = NULL;
  g_autofree char *searched = NULL;

  if (gmcp_preflight_finish (result, &searched, &error))
    {
      gmcp_start_trace_enter (gmcp_server_instance_get_trace (opening->instance),
                              GMCP_SERVER_STEP_CONNECTION);
      gmcp_server_host_find_node (&host, config);
      gmcp_transport_set_opened_func (gmcp_client_get_transport (g_task_get_source_object (task)),
                                      on_running, opening);
      gmcp_client_open_async (g_task_get_source_object (task), g_task_get_cancellable (task),
                              on_opened, g_object_ref (task));
      gmcp_server_install_begin (gmcp_server_instance_get_install (opening->instance),
                                 gmcp_server_config_get_argv (config));
      return;
    }

  if (searched != NULL)
    {
      g_autofree char *words
        = gmcp_server_host_dup_start_words (&host, gmcp_server_config_get_id (config));

      error = gmcp_preflight_node_error (config, words, searched);
      if (gmcp_server_host_miss_node (&host, config, searched))
        gmcp_server_instance_set_lack_told (opening->instance);
    }
  g_task_return_error (task, g_steal_pointer (&error));
}

static void
start_preflight (GTask *task, GmcpServerConfig *config)
{
  Opening *opening = g_task_get_task_data (task);

  gmcp_start_trace_enter (gmcp_server_instance_get_trace (opening->instance),
                          GMCP_SERVER_STEP_PROGRAM);
  gmcp_preflight_async (config, g_task_get_context (task), g_task_get_cancellable (task), on_looked,
                        g_object_ref (task));
}

/* A process of the daemon's that cannot be used is no reason for the server not to start. */
static void
on_shared_opened (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Opening *opening = g_task_get_task_data (task);
  GmcpServerSharing *sharing = gmcp_server_instance_get_sharing (opening->instance);
  g_autoptr (GError) error = NULL;

  if (gmcp_client_open_finish (GMCP_CLIENT (object), result, &error))
    {
      gmcp_server_sharing_confirm (sharing);
      gmcp_server_instance_tell_process (opening->instance);
      g_task_return_boolean (task, TRUE);
    }
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, g_steal_pointer (&error));
    }
  else
    {
      /* Also where a daemon was killed, which leaves its sockets. */
      gmcp_server_sharing_give_up (sharing, error);
      start_preflight (task, opening->found);
    }
}

static void
on_process_found (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Opening *opening = g_task_get_task_data (task);
  GmcpServerSharing *sharing = gmcp_server_instance_get_sharing (opening->instance);
  g_autoptr (GError) error = NULL;
  gboolean is_offered;
  gboolean is_modern;
  g_autoptr (GmcpTransport) shared
    = gmcp_shared_process_find_finish (result, &is_offered, &is_modern, &error);

  if (error != NULL && !g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (shared == NULL)
    {
      if (error != NULL)
        gmcp_server_sharing_give_up (sharing, error);
      else if (is_offered && opening->is_choosy)
        gmcp_server_sharing_decline (sharing);
      start_preflight (task, opening->found);
      return;
    }

  gmcp_start_trace_enter (gmcp_server_instance_get_trace (opening->instance),
                          GMCP_SERVER_STEP_CONNECTION);
  gmcp_server_sharing_begin (sharing, shared, is_modern);
  gmcp_client_open_async (g_task_get_source_object (task), g_task_get_cancellable (task),
                          on_shared_opened, g_object_ref (task));
}

static void
find_process (GTask *task)
{
  Opening *opening = g_task_get_task_data (task);
  GmcpServerSharing *sharing = gmcp_server_instance_get_sharing (opening->instance);
  GmcpShare share = GMCP_SHARE_AUTO;
  GmcpServerHost host;
  g_autoptr (GObject) held G_GNUC_UNUSED = hold_host (opening, &host);
  g_autofree char *key = gmcp_server_sharing_keeps_own (sharing)
                           ? NULL
                           : gmcp_server_host_dup_share_key (&host, opening->config, &share);

  opening->is_choosy = share == GMCP_SHARE_YES && gmcp_server_sharing_get_need (sharing) != NULL;
  if (opening->is_choosy)
    share = GMCP_SHARE_AUTO;
  if (key != NULL)
    gmcp_shared_process_find_async (
      opening->config, share, key, gmcp_server_host_get_activation (&host),
      g_task_get_cancellable (task), on_process_found, g_object_ref (task));
  else
    start_preflight (task, opening->found);
}

static void
on_folder (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Opening *opening = g_task_get_task_data (task);
  GmcpTransport *transport = gmcp_client_get_transport (g_task_get_source_object (task));
  GError *error = NULL;
  g_autoptr (GmcpServerConfig) config = gmcp_server_folder_find_finish (result, &error);

  if (config == NULL || !gmcp_server_config_aim_transport (config, transport, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  opening->found = g_steal_pointer (&config);
  find_process (task);
}

static void
find_folder (GTask *task, GmcpServerConfig *filled)
{
  Opening *opening = g_task_get_task_data (task);
  GmcpServerHost host;
  g_autoptr (GObject) held G_GNUC_UNUSED = hold_host (opening, &host);
  g_autofree char *state_dir = NULL;
  GmcpServerFolderContext context = { NULL };

  if (gmcp_server_config_get_transport (filled) != GMCP_SERVER_TRANSPORT_STDIO)
    {
      start_preflight (task, filled);
      return;
    }

  state_dir = gmcp_server_host_fill_folder_context (&host, &context);
  gmcp_server_folder_find_async (opening->config, filled, &context, g_task_get_cancellable (task),
                                 on_folder, g_object_ref (task));
}

static void
on_expanded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpClient *client = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpServerConfig) expanded
    = gmcp_config_expand_finish (GMCP_SERVER_CONFIG (object), result, &error);

  if (expanded == NULL && gmcp_config_expand_was_unasked (result))
    gmcp_server_instance_set_unasked (((Opening *) g_task_get_task_data (task))->instance);
  if (expanded == NULL
      || !gmcp_server_config_aim_transport (expanded, gmcp_client_get_transport (client), &error))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }

  gmcp_server_instance_set_health (((Opening *) g_task_get_task_data (task))->instance,
                                   GMCP_SERVER_CONFIG (object), expanded);
  find_folder (task, expanded);
}

void
gmcp_server_instance_open_async (GmcpServerInstance *instance,
                                 GmcpServerConfig *config,
                                 const GmcpServerHost *host,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  GmcpClient *client = gmcp_server_instance_get_client (instance);
  g_autoptr (GTask) task = g_task_new (client, cancellable, callback, user_data);
  GmcpConfigExpandContext context = { NULL };
  Opening *opening = g_new0 (Opening, 1);
  g_auto (GStrv) ids = NULL;

  g_task_set_source_tag (task, gmcp_server_instance_open_async);
  opening->instance = gmcp_server_instance_ref (instance);
  g_weak_ref_init (&opening->host, host->object);
  opening->host_funcs = host->funcs;
  opening->config = g_object_ref (config);
  g_task_set_task_data (task, opening, opening_free);
  ids = gmcp_server_host_fill_expand_context (host, &context);
  if (gmcp_config_needs_expansion (config, &context))
    gmcp_config_expand_async (config, &context, cancellable, on_expanded, g_steal_pointer (&task));
  else
    find_folder (task, config);
}

gboolean
gmcp_server_instance_open_finish (GmcpClient *client, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, client), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_server_instance_open_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
