/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-program-check-private.h"

#include <string.h>

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-flatpak-host-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-login-path-private.h"
#include "gmcp-program-search-private.h"

#include <gmcp/core/gmcp-error.h>

/* The name of the program, or its path; NULL where that is not known before a start. */
static char *
dup_command (GmcpServerConfig *config)
{
  const char *const *argv = gmcp_server_config_get_argv (config);
  const char *cwd = gmcp_server_config_get_cwd (config);

  if (gmcp_server_config_get_transport (config) != GMCP_SERVER_TRANSPORT_STDIO || argv == NULL
      || argv[0] == NULL || gmcp_config_is_pattern (argv[0]))
    return NULL;
  if (strchr (argv[0], '/') == NULL || g_path_is_absolute (argv[0]))
    return g_strdup (argv[0]);
  return cwd != NULL && g_path_is_absolute (cwd) ? g_canonicalize_filename (argv[0], cwd) : NULL;
}

static void
return_found (GTask *task, const char *command, const char *path)
{
  g_autofree char *file = gmcp_program_search (command, path);

  if (file != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING,
                             _ ("its program “%s” was not found"), command);
}

static void
on_login_path (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autofree char *login_path = NULL;
  g_autofree char *path = NULL;
  GError *error = NULL;

  if (!gmcp_login_path_get_finish (result, &login_path, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  path = gmcp_login_path_merge (g_getenv ("PATH"), login_path);
  return_found (task, g_task_get_task_data (task), path);
}

void
gmcp_program_check_async (GmcpServerConfig *config,
                          GMainContext *context,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (config, cancellable, callback, user_data);
  char *command = dup_command (config);
  const char *own_path
    = g_environ_getenv ((char **) gmcp_server_config_get_environment (config), "PATH");
  const char *path = own_path != NULL ? own_path : g_getenv ("PATH");
  g_autofree char *found = NULL;

  g_task_set_source_tag (task, gmcp_program_check_async);
  g_task_set_task_data (task, command, g_free);
  if (command == NULL || gmcp_flatpak_is_inside () || gmcp_config_is_pattern (own_path))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  found = gmcp_program_search (command, path);
  if (found != NULL || own_path != NULL || strchr (command, '/') != NULL)
    return_found (task, command, path);
  else
    gmcp_login_path_get_async (context, cancellable, on_login_path, g_steal_pointer (&task));
}

gboolean
gmcp_program_check_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_program_check_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
