/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-program-check-private.h"

#include <string.h>

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-flatpak-host-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-server-program-private.h"

#include <gmcp/core/gmcp-error.h>

/* A path leads to the program wherever else others are looked for. */
static gboolean
is_found_in (GmcpServerConfig *config, const char *path)
{
  g_autofree char *file = gmcp_server_program_find (config, path);

  return file != NULL || strchr (gmcp_server_program_get (config), '/') != NULL;
}

static void
on_path (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpServerConfig *config = g_task_get_source_object (task);
  g_autofree char *path = NULL;
  g_autofree char *file = NULL;
  GError *error = NULL;

  if (!gmcp_server_program_choose_path_finish (result, &path, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  file = gmcp_server_program_find (config, path);
  if (file != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING,
                             _ ("its program “%s” was not found"),
                             (const char *) g_task_get_task_data (task));
}

void
gmcp_program_check_async (GmcpServerConfig *config,
                          GMainContext *context,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (config, cancellable, callback, user_data);
  char *command = gmcp_config_is_pattern (gmcp_server_program_get (config))
                    ? NULL
                    : gmcp_server_program_dup_name (config);

  g_task_set_source_tag (task, gmcp_program_check_async);
  g_task_set_task_data (task, command, g_free);
  if (command == NULL || gmcp_flatpak_is_inside ()
      || gmcp_config_is_pattern (gmcp_server_program_get_own_path (config)))
    g_task_return_boolean (task, TRUE);
  else
    gmcp_server_program_choose_path_async (config, context, is_found_in, cancellable, on_path,
                                           g_steal_pointer (&task));
}

gboolean
gmcp_program_check_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_program_check_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
