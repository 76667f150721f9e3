/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-program-private.h"

#include <string.h>

#include "gmcp-login-path-private.h"
#include "gmcp-program-search-private.h"

const char *
gmcp_server_program_get (GmcpServerConfig *config)
{
  const char *const *argv = gmcp_server_config_get_argv (config);

  return gmcp_server_config_get_transport (config) == GMCP_SERVER_TRANSPORT_STDIO && argv != NULL
             && argv[0] != NULL
           ? argv[0]
           : "";
}

const char *
gmcp_server_program_get_own_path (GmcpServerConfig *config)
{
  return g_environ_getenv ((char **) gmcp_server_config_get_environment (config), "PATH");
}

const char *
gmcp_server_program_get_path (GmcpServerConfig *config)
{
  const char *own_path = gmcp_server_program_get_own_path (config);

  return own_path != NULL ? own_path : g_getenv ("PATH");
}

char *
gmcp_server_program_dup_name (GmcpServerConfig *config)
{
  const char *program = gmcp_server_program_get (config);
  const char *cwd = gmcp_server_config_get_cwd (config);

  if (*program == '\0')
    return NULL;
  if (strchr (program, '/') == NULL || g_path_is_absolute (program))
    return g_strdup (program);
  return cwd != NULL && g_path_is_absolute (cwd) ? g_canonicalize_filename (program, cwd) : NULL;
}

char *
gmcp_server_program_find (GmcpServerConfig *config, const char *path)
{
  g_autofree char *name = gmcp_server_program_dup_name (config);

  return name != NULL ? gmcp_program_search (name, path) : NULL;
}

static void
on_login_path (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autofree char *login_path = NULL;
  GError *error = NULL;

  if (gmcp_login_path_get_finish (result, &login_path, &error))
    g_task_return_pointer (task, gmcp_login_path_merge (g_getenv ("PATH"), login_path), g_free);
  else
    g_task_return_error (task, error);
}

void
gmcp_server_program_choose_path_async (GmcpServerConfig *config,
                                       GMainContext *context,
                                       GmcpServerProgramFunc is_enough,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data)
{
  const char *path = gmcp_server_program_get_path (config);
  g_autoptr (GTask) task = NULL;

  g_main_context_push_thread_default (context);
  task = g_task_new (config, cancellable, callback, user_data);
  g_main_context_pop_thread_default (context);
  g_task_set_source_tag (task, gmcp_server_program_choose_path_async);
  if (gmcp_server_program_get_own_path (config) != NULL || is_enough (config, path))
    g_task_return_pointer (task, g_strdup (path), g_free);
  else
    gmcp_login_path_get_async (context, cancellable, on_login_path, g_steal_pointer (&task));
}

gboolean
gmcp_server_program_choose_path_finish (GAsyncResult *result, char **path, GError **error)
{
  g_autoptr (GError) reason = NULL;

  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_server_program_choose_path_async),
                        FALSE);

  *path = g_task_propagate_pointer (G_TASK (result), &reason);
  if (reason == NULL)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&reason));
  return FALSE;
}
