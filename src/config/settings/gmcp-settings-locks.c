/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-settings-locks-private.h"
#include "gmcp-settings-schema-private.h"
#include "gmcp-settings-server-private.h"

struct _GmcpSettingsLocks
{
  GMainContext *context;
  GSettingsBackend *backend; /* NULL for the default */
  GSettingsSchema *schema;
  GHashTable *servers; /* id → GSettings */
  void (*changed) (gpointer);
  gpointer data;
};

GmcpSettingsLocks *
gmcp_settings_locks_new (GSettingsBackend *backend,
                         GSettingsSchema *server_schema,
                         void (*changed) (gpointer),
                         gpointer data)
{
  GmcpSettingsLocks *self = g_new0 (GmcpSettingsLocks, 1);

  self->context = g_main_context_ref_thread_default ();
  self->backend = backend != NULL ? g_object_ref (backend) : NULL;
  self->schema = g_settings_schema_ref (server_schema);
  self->servers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->changed = changed;
  self->data = data;
  return self;
}

void
gmcp_settings_locks_free (GmcpSettingsLocks *self)
{
  GHashTableIter iter;
  gpointer settings;

  g_hash_table_iter_init (&iter, self->servers);
  while (g_hash_table_iter_next (&iter, NULL, &settings))
    g_signal_handlers_disconnect_by_data (settings, self);
  g_hash_table_unref (self->servers);
  g_settings_schema_unref (self->schema);
  g_clear_object (&self->backend);
  g_main_context_unref (self->context);
  g_free (self);
}

static void
on_writable_changed (GSettings *settings, const char *key, gpointer data)
{
  GmcpSettingsLocks *self = data;

  self->changed (self->data);
}

static void
on_changed (GSettings *settings, const char *key, gpointer data)
{
  GmcpSettingsLocks *self = data;

  if (!g_settings_is_writable (settings, key))
    self->changed (self->data);
}

static GSettings *
ensure_settings (GmcpSettingsLocks *self, const char *id)
{
  GSettings *settings = g_hash_table_lookup (self->servers, id);
  g_autofree char *path = NULL;

  if (settings != NULL)
    return settings;

  path = g_strconcat (GMCP_SETTINGS_SERVERS_PATH, id, "/", NULL);
  g_main_context_push_thread_default (self->context);
  settings = g_settings_new_full (self->schema, self->backend, path);
  g_main_context_pop_thread_default (self->context);
  g_signal_connect (settings, "changed", G_CALLBACK (on_changed), self);
  g_signal_connect (settings, "writable-changed", G_CALLBACK (on_writable_changed), self);
  g_hash_table_insert (self->servers, g_strdup (id), settings);
  return settings;
}

static gboolean
is_locked (GSettings *settings, const GmcpConfigField *field)
{
  const char *key = gmcp_settings_get_key (field);

  return key != NULL && !g_settings_is_writable (settings, key);
}

/* A sandbox that is locked has no opening but those of the settings. */
static gboolean
is_settled (GSettings *settings, const GmcpConfigField *field)
{
  return is_locked (settings, field)
         || (g_str_equal (field->name, "unix-sockets")
             && !g_settings_is_writable (settings, "sandbox"));
}

static GmcpServerConfig *
replace_locked (GSettings *settings, GmcpServerConfig *config)
{
  const char *id = gmcp_server_config_get_id (config);
  g_autoptr (GmcpServerConfig) above = gmcp_settings_read_server (settings, id);
  GmcpServerConfig *result = g_object_new (GMCP_TYPE_SERVER_CONFIG, NULL);
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (config);
  GmcpConfigPlaces *places = gmcp_server_config_get_places (config);
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);
  gboolean title_locked = FALSE;

  for (gsize i = 0; i < n_fields; i++)
    {
      gboolean locked = is_settled (settings, &fields[i]);

      gmcp_config_field_copy (&fields[i], locked ? above : config, result);
      if (locked && fields[i].kind == GMCP_CONFIG_FIELD_ENVIRONMENT)
        gmcp_server_config_lock_environment (result);
      if (locked && g_str_equal (fields[i].name, "title"))
        title_locked = TRUE;
    }

  gmcp_server_config_set_titled_by_name (result, gmcp_server_config_is_titled_by_name (config)
                                                   && !title_locked);
  gmcp_server_config_take_places (result, places != NULL ? gmcp_config_places_ref (places) : NULL);
  gmcp_server_config_set_stands_in (result, gmcp_server_config_stands_in (config));
  /* A lock that lets a server run does not trust the file of a project. */
  if (origin != NULL && origin->confined && !gmcp_server_config_is_enabled (config))
    gmcp_server_config_set_enabled (result, FALSE);
  if (origin != NULL)
    gmcp_server_config_set_origin (result, origin);
  return result;
}

GmcpServerConfig *
gmcp_settings_locks_apply (GmcpSettingsLocks *self, GmcpServerConfig *config)
{
  const char *id = gmcp_server_config_get_id (config);
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);
  GSettings *settings;

  if (!gmcp_server_config_is_valid_id (id))
    return g_object_ref (config);

  settings = ensure_settings (self, id);
  for (gsize i = 0; i < n_fields; i++)
    {
      if (is_locked (settings, &fields[i]))
        return replace_locked (settings, config);
    }
  return g_object_ref (config);
}
