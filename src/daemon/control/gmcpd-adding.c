/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include <gmcp/config/settings/gmcp-settings-config-source.h>
#include <gmcp/core/gmcp-error.h>

#include "gmcpd-adding.h"
#include "gmcpd-names.h"

#define MAX_NAME_BYTES          256
#define MAX_CONFIGURATION_BYTES (1024u * 1024)

static gboolean
read_options (GVariant *options, gboolean *store, GError **error)
{
  GVariantIter iter;
  const char *key;
  GVariant *value;

  *store = FALSE;
  g_variant_iter_init (&iter, options);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
    {
      if (!g_str_equal (key, "store") || !g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
        {
          g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                               _ ("The only option is “store” (b)"));
          g_variant_unref (value);
          return FALSE;
        }
      *store = g_variant_get_boolean (value);
    }
  return TRUE;
}

static GmcpSettingsConfigSource *
find_settings (GmcpManager *manager, GError **error)
{
  g_autoptr (GPtrArray) sources = gmcp_manager_list_sources (manager);

  for (guint i = 0; i < sources->len; i++)
    if (GMCP_IS_SETTINGS_CONFIG_SOURCE (sources->pdata[i]))
      return sources->pdata[i];

  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                       _ ("gmcpd was started with a configuration file of its own, so that nothing "
                          "can be stored in the settings; edit that file"));
  return NULL;
}

static GmcpServerConfig *
read_configuration (const char *name, const char *configuration, GError **error)
{
  if (strlen (name) > MAX_NAME_BYTES || strlen (configuration) > MAX_CONFIGURATION_BYTES)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                           _ ("The name or the configuration of the server is too long"));
      return NULL;
    }
  return gmcp_server_config_new_from_json (name, configuration, error);
}

/* A server that runs by now. */
static void
return_server (GmcpdCall *call, const char *name)
{
  g_autofree char *path = gmcpd_names_dup_server_path (name);

  gmcpd_call_return (call, g_variant_new ("(o)", path));
}

static void
on_added (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GError *error = NULL;
  g_autoptr (GmcpManagedServer) server
    = gmcp_manager_add_server_finish (GMCP_MANAGER (object), result, &error);

  if (server == NULL)
    gmcpd_call_fail (user_data, error);
  else
    return_server (user_data, gmcp_managed_server_get_id (server));
}

/* A server in the settings, which the manager hears of a moment later. */
typedef struct
{
  GmcpManager *manager;
  GmcpdCall *call;
  char *name;
  gulong changed_id;
  gulong cancelled_id;
} Storing;

static void
storing_free (Storing *self)
{
  g_clear_signal_handler (&self->changed_id, self->manager);
  g_clear_signal_handler (&self->cancelled_id, gmcpd_call_get_cancellable (self->call));
  g_object_unref (self->manager);
  g_free (self->name);
  g_free (self);
}

static void
on_stored_started (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  GError *error = NULL;

  if (gmcp_managed_server_start_finish (server, result, &error))
    return_server (user_data, gmcp_managed_server_get_id (server));
  else
    gmcpd_call_fail (user_data, error);
}

static void
start_stored (Storing *self)
{
  GmcpManagedServer *server = gmcp_manager_get_server (self->manager, self->name);
  GmcpdCall *call = self->call;

  if (server == NULL)
    return;
  storing_free (self);
  gmcp_managed_server_start_async (server, gmcpd_call_get_cancellable (call), on_stored_started,
                                   call);
}

static void
on_storing_cancelled (Storing *self)
{
  GmcpdCall *call = self->call;

  storing_free (self);
  gmcpd_call_fail (
    call, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("The caller has gone")));
}

static void
store_server (GmcpManager *manager, GmcpdCall *call, GmcpServerConfig *config)
{
  GError *error = NULL;
  GmcpSettingsConfigSource *settings = find_settings (manager, &error);
  Storing *storing;

  if (settings == NULL || !gmcp_settings_config_source_add_server (settings, config, &error))
    {
      gmcpd_call_fail (call, error);
      return;
    }

  storing = g_new0 (Storing, 1);
  storing->manager = g_object_ref (manager);
  storing->call = call;
  storing->name = g_strdup (gmcp_server_config_get_id (config));
  storing->changed_id
    = g_signal_connect_swapped (manager, "items-changed", G_CALLBACK (start_stored), storing);
  storing->cancelled_id = g_signal_connect_swapped (gmcpd_call_get_cancellable (call), "cancelled",
                                                    G_CALLBACK (on_storing_cancelled), storing);
  start_stored (storing);
}

void
gmcpd_adding_add (GmcpManager *manager,
                  GmcpdCall *call,
                  const char *name,
                  const char *configuration,
                  GVariant *options)
{
  g_autoptr (GmcpServerConfig) config = NULL;
  gboolean store;
  GError *error = NULL;

  if (read_options (options, &store, &error))
    config = read_configuration (name, configuration, &error);
  if (config != NULL && gmcp_manager_get_server (manager, name) != NULL)
    g_set_error (&error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                 _ ("Server “%s” is configured already"), name);
  if (error != NULL)
    gmcpd_call_fail (call, error);
  else if (store)
    store_server (manager, call, config);
  else
    gmcp_manager_add_server_async (manager, config, gmcpd_call_get_cancellable (call), on_added,
                                   call);
}

static void
on_removed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GError *error = NULL;

  if (gmcp_manager_remove_server_finish (GMCP_MANAGER (object), result, &error))
    gmcpd_call_return (user_data, NULL);
  else
    gmcpd_call_fail (user_data, error);
}

void
gmcpd_adding_remove (GmcpManager *manager, GmcpdCall *call, const char *name, GVariant *options)
{
  GmcpSettingsConfigSource *settings = NULL;
  gboolean store;
  GError *error = NULL;

  if (read_options (options, &store, &error) && store)
    settings = find_settings (manager, &error);
  if (error != NULL
      || (settings != NULL && !gmcp_settings_config_source_remove_server (settings, name, &error)))
    gmcpd_call_fail (call, error);
  else
    gmcp_manager_remove_server_async (manager, name, gmcpd_call_get_cancellable (call), on_removed,
                                      call);
}
