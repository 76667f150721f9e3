/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-server-config-private.h"
#include "gmcp-settings-config-source-private.h"
#include "gmcp-settings-schema-private.h"
#include "gmcp-settings-server-private.h"

#include <gmcp/core/gmcp-error.h>

/* The settings of all servers, and those of one. */
typedef struct
{
  GSettings *manager;
  GSettings *server; /* NULL for what is no id, which may stand in the list all the same */
  GStrv ids;
} Edit;

static void
edit_clear (Edit *edit)
{
  g_clear_object (&edit->manager);
  g_clear_object (&edit->server);
  g_clear_pointer (&edit->ids, g_strfreev);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Edit, edit_clear)

static gboolean
open_edit (Edit *edit, GmcpSettingsConfigSource *self, const char *id, GError **error)
{
  g_autoptr (GSettingsSchema) manager_schema = NULL;
  g_autoptr (GSettingsSchema) server_schema = NULL;
  g_autoptr (GSettingsBackend) backend = gmcp_settings_config_source_ref_backend (self);
  g_autofree char *path = NULL;

  manager_schema = gmcp_settings_lookup_manager_schema (error);
  if (manager_schema == NULL)
    return FALSE;
  server_schema = gmcp_settings_lookup_server_schema (error);
  if (server_schema == NULL)
    return FALSE;

  edit->manager = g_settings_new_full (manager_schema, backend, NULL);
  if (gmcp_server_config_is_valid_id (id))
    {
      path = g_strconcat (GMCP_SETTINGS_SERVERS_PATH, id, "/", NULL);
      edit->server = g_settings_new_full (server_schema, backend, path);
    }
  edit->ids = g_settings_get_strv (edit->manager, "servers");
  return TRUE;
}

static gboolean
may_change_list (Edit *edit, GError **error)
{
  if (g_settings_is_writable (edit->manager, "servers"))
    return TRUE;

  g_set_error_literal (
    error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED,
    _ ("The list of servers cannot be changed: the administrator of this computer "
       "has locked it, or the folder of your settings cannot be written"));
  return FALSE;
}

static gboolean
is_listed (Edit *edit, const char *id, GError **error)
{
  if (g_strv_contains ((const char *const *) edit->ids, id))
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
               _ ("There is no server “%s” in the settings"), id);
  return FALSE;
}

static gboolean
has_id (Edit *edit, const char *id, GError **error)
{
  if (edit->server != NULL)
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
               _ ("“%s” cannot be the id of a server"), id);
  return FALSE;
}

/* What cannot be started is stored only where it is not to be. */
static gboolean
write_server (Edit *edit, GmcpServerConfig *config, GError **error)
{
  const char *property;

  if (gmcp_server_config_is_enabled (config)
      && !gmcp_server_config_check (config, &property, error))
    return FALSE;
  return gmcp_settings_replace_server (edit->server, config, error);
}

/**
 * gmcp_settings_config_source_add_server:
 * @self: a source
 * @config: a server
 * @error: return location for an error
 *
 * Stores a new server: first its keys, then its id at the end of the key `servers`, so that whoever follows
 * the settings sees it when all of it is there. What was left of an earlier server of that id does not count.
 * Nothing is started; each value is stored as it is, so that a secret belongs into the keyring and its name
 * into @config ([class@Gmcp.KeyringSecret]).
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where there is a server with that id, with `INVALID_CONFIG` for
 * what could not be started, is beyond what a key takes or has no key there (it belongs into a file, and the
 * message names it), with `LIMIT_EXCEEDED` where there are as many
 * servers as there may be, with `NOT_PERMITTED` for what the administrator has locked, and with `NOT_SUPPORTED` where no
 * schema is installed. Nothing is changed then.
 *
 * Returns: whether it is stored
 *
 * Since: 0.1
 */
gboolean
gmcp_settings_config_source_add_server (GmcpSettingsConfigSource *self,
                                        GmcpServerConfig *config,
                                        GError **error)
{
  g_auto (Edit) edit = { NULL };
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  g_auto (GStrv) wanted = NULL;
  const char *id;

  g_return_val_if_fail (GMCP_IS_SETTINGS_CONFIG_SOURCE (self), FALSE);
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (config), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  id = gmcp_server_config_get_id (config);
  if (!open_edit (&edit, self, id, error) || !has_id (&edit, id, error)
      || !may_change_list (&edit, error))
    return FALSE;
  if (g_strv_contains ((const char *const *) edit.ids, id))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("There is a server “%s” in the settings already"), id);
      return FALSE;
    }
  if (g_strv_length (edit.ids) >= GMCP_LIMIT_SERVERS)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("“%s” is over the limit of %u servers"), id, GMCP_LIMIT_SERVERS);
      return FALSE;
    }
  if (!write_server (&edit, config, error))
    return FALSE;

  g_strv_builder_addv (ids, (const char **) edit.ids);
  g_strv_builder_add (ids, id);
  wanted = g_strv_builder_end (ids);
  g_settings_set_strv (edit.manager, "servers", (const char *const *) wanted);
  return TRUE;
}

/**
 * gmcp_settings_config_source_set_server:
 * @self: a source
 * @config: a server whose id is in the settings
 * @error: return location for an error
 *
 * Stores other values for a server, all at once. Keys that are as by default are reset.
 *
 * Fails as [method@Gmcp.SettingsConfigSource.add_server] does, and with [error@Gmcp.Error] `NOT_CONFIGURED` where there is
 * no server with that id.
 *
 * Returns: whether it is stored
 *
 * Since: 0.1
 */
gboolean
gmcp_settings_config_source_set_server (GmcpSettingsConfigSource *self,
                                        GmcpServerConfig *config,
                                        GError **error)
{
  g_auto (Edit) edit = { NULL };
  const char *id;

  g_return_val_if_fail (GMCP_IS_SETTINGS_CONFIG_SOURCE (self), FALSE);
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (config), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  id = gmcp_server_config_get_id (config);
  return open_edit (&edit, self, id, error) && has_id (&edit, id, error)
         && is_listed (&edit, id, error) && write_server (&edit, config, error);
}

/**
 * gmcp_settings_config_source_remove_server:
 * @self: a source
 * @server_id: what stands in the key `servers`, also where it cannot be an id
 * @error: return location for an error
 *
 * Removes a server: its id from the key `servers`, then its keys. Managers that follow the settings stop it.
 *
 * Fails with [error@Gmcp.Error] `NOT_CONFIGURED` where there is no server with that id, with `NOT_PERMITTED` where
 * the administrator has locked the list, and with `NOT_SUPPORTED` where no schema is installed.
 *
 * Returns: whether it is removed
 *
 * Since: 0.1
 */
gboolean
gmcp_settings_config_source_remove_server (GmcpSettingsConfigSource *self,
                                           const char *server_id,
                                           GError **error)
{
  g_auto (Edit) edit = { NULL };
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  g_auto (GStrv) wanted = NULL;

  g_return_val_if_fail (GMCP_IS_SETTINGS_CONFIG_SOURCE (self), FALSE);
  g_return_val_if_fail (server_id != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!open_edit (&edit, self, server_id, error) || !is_listed (&edit, server_id, error)
      || !may_change_list (&edit, error))
    return FALSE;

  for (gsize i = 0; edit.ids[i] != NULL; i++)
    {
      if (!g_str_equal (edit.ids[i], server_id))
        g_strv_builder_add (ids, edit.ids[i]);
    }
  wanted = g_strv_builder_end (ids);
  g_settings_set_strv (edit.manager, "servers", (const char *const *) wanted);
  if (edit.server != NULL)
    gmcp_settings_reset_server (edit.server);
  return TRUE;
}

static gboolean
has_any_value (GSettings *settings)
{
  g_autoptr (GSettingsSchema) schema = NULL;
  g_auto (GStrv) keys = NULL;

  g_object_get (settings, "settings-schema", &schema, NULL);
  keys = g_settings_schema_list_keys (schema);
  for (gsize i = 0; keys[i] != NULL; i++)
    {
      g_autoptr (GVariant) value = g_settings_get_user_value (settings, keys[i]);

      if (value != NULL)
        return TRUE;
    }
  return FALSE;
}

/**
 * gmcp_settings_config_source_has_unlisted_server:
 * @self: a source
 * @server_id: what may be the id of a server
 *
 * Says whether keys are set for a server whose id is not in the key `servers`, so that they do not count:
 * somebody who set them by hand has forgotten that.
 *
 * Returns: whether there is such a server
 *
 * Since: 0.1
 */
gboolean
gmcp_settings_config_source_has_unlisted_server (GmcpSettingsConfigSource *self,
                                                 const char *server_id)
{
  g_auto (Edit) edit = { NULL };

  g_return_val_if_fail (GMCP_IS_SETTINGS_CONFIG_SOURCE (self), FALSE);
  g_return_val_if_fail (server_id != NULL, FALSE);

  return open_edit (&edit, self, server_id, NULL) && edit.server != NULL
         && !g_strv_contains ((const char *const *) edit.ids, server_id)
         && has_any_value (edit.server);
}

/**
 * gmcp_settings_config_source_set_server_enabled:
 * @self: a source
 * @server_id: a server whose id is in the settings
 * @enabled: whether it is to be enabled
 * @error: return location for an error
 *
 * Switches a server on or off, and leaves its other keys.
 *
 * Fails with [error@Gmcp.Error] `NOT_CONFIGURED` where there is no server with that id, with `NOT_PERMITTED` where the
 * administrator has locked the key, and with `NOT_SUPPORTED` where no schema is installed.
 *
 * Returns: whether it is stored
 *
 * Since: 0.1
 */
gboolean
gmcp_settings_config_source_set_server_enabled (GmcpSettingsConfigSource *self,
                                                const char *server_id,
                                                gboolean enabled,
                                                GError **error)
{
  g_auto (Edit) edit = { NULL };

  g_return_val_if_fail (GMCP_IS_SETTINGS_CONFIG_SOURCE (self), FALSE);
  g_return_val_if_fail (server_id != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!open_edit (&edit, self, server_id, error) || !has_id (&edit, server_id, error)
      || !is_listed (&edit, server_id, error))
    return FALSE;
  if (g_settings_set_boolean (edit.server, "enabled", enabled))
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED,
               _ ("Whether “%s” is enabled is locked by the administrator of this computer"),
               server_id);
  return FALSE;
}
