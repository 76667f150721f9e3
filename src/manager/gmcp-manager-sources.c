/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-entry-private.h"
#include "gmcp-file-config-source-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-lockdown-private.h"
#include "gmcp-manager-config-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-settings-schema-private.h"

/* Takes the place; NULL for a configuration that comes from nowhere in particular. */
static void
add_finding (GPtrArray *findings,
             GmcpServerConfig *config,
             GmcpConfigPlace *place,
             const char *property,
             const char *message)
{
  const char *id = gmcp_server_config_get_id (config);
  g_autofree char *key = property != NULL ? gmcp_config_key_to_camel (property) : g_strdup ("");
  g_autofree char *path
    = place != NULL ? g_strdup (place->key_path) : gmcp_config_path_join (id, key);

  g_ptr_array_add (findings,
                   g_object_new (GMCP_TYPE_CONFIG_FINDING, "severity", GMCP_NOTICE_LEVEL_WARNING,
                                 "file", place != NULL ? place->file : NULL, "line",
                                 place != NULL ? place->line : 0, "key-path", path, "message",
                                 message, "server-id", id, NULL));
  g_clear_pointer (&place, gmcp_config_place_free);
}

/* property is NULL for the server as a whole. */
static void
add_about (GPtrArray *findings, GmcpServerConfig *config, const char *property, const char *message)
{
  GmcpConfigPlace *place
    = config->places != NULL ? gmcp_config_places_find (config->places, property) : NULL;

  add_finding (findings, config, place, property, message);
}

char *
gmcp_manager_dup_untrusted_file (GmcpManager *self)
{
  GmcpConfigStack *stack = gmcp_manager_get_config_stack (self);
  g_autoptr (GPtrArray) active = gmcp_config_stack_list_active (stack);

  for (guint i = 0; gmcp_config_stack_peek_file (stack) == NULL && i < active->len; i++)
    {
      GmcpFileConfigSource *file = gmcp_manager_get_file_source (g_ptr_array_index (active, i));

      if (file != NULL && !gmcp_file_config_source_is_trusted (file)
          && g_list_model_get_n_items (gmcp_config_source_get_findings (GMCP_CONFIG_SOURCE (file)))
               > 0)
        return gmcp_file_config_source_dup_name (file);
    }
  return NULL;
}

static char *
explain_shadow (GmcpConfigSource *source, const char *id)
{
  GmcpFileConfigSource *file = gmcp_manager_get_file_source (source);
  g_autofree char *name = NULL;
  gboolean project = FALSE;

  if (file != NULL)
    g_object_get (file, "project", &project, NULL);
  if (!project)
    return g_strdup (_ ("this server does not count: one of that id stands in a place that comes "
                        "first"));

  name = gmcp_file_config_source_dup_name (file);
  return g_strdup_printf (_ ("this server does not count: one of that id stands elsewhere; to have "
                             "this one in its place: gmcp config trust %s %s"),
                          name, id);
}

/* One round for those that stand in for others, then one for the rest. */
static void
add_shadowed_of (GmcpManager *self,
                 GmcpConfigSource *source,
                 gboolean stands_in,
                 GHashTable *seen,
                 GPtrArray *findings)
{
  GmcpSettingsConfigSource *locks
    = gmcp_config_stack_peek_settings (gmcp_manager_get_config_stack (self));
  GListModel *servers = gmcp_config_source_get_servers (source);
  guint n_servers = g_list_model_get_n_items (servers);

  for (guint i = 0; i < n_servers; i++)
    {
      g_autoptr (GmcpServerConfig) config = g_list_model_get_item (servers, i);
      const char *id = gmcp_server_config_get_id (config);
      g_autofree char *message = NULL;

      if (config->stands_in != stands_in)
        continue;
      if (!gmcp_lockdown_permits_id (locks, id))
        message = g_strdup (_ ("this server does not count: the administrator of this computer has "
                               "locked the list of servers"));
      else if (!g_hash_table_add (seen, g_strdup (id)))
        message = explain_shadow (source, id);
      if (message != NULL)
        add_about (findings, config, NULL, message);
    }
}

void
gmcp_manager_add_shadowed (GmcpManager *self, GPtrArray *findings)
{
  g_autoptr (GPtrArray) active
    = gmcp_config_stack_list_active (gmcp_manager_get_config_stack (self));
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean is_file_alone
    = gmcp_config_stack_peek_file (gmcp_manager_get_config_stack (self)) != NULL
      && active->len == 1;

  /* In a file there is each id but once. */
  for (guint i = 0; !is_file_alone && i < 2 * active->len; i++)
    add_shadowed_of (self, g_ptr_array_index (active, i % active->len), i < active->len, seen,
                     findings);
}

/* The place that the server of that id comes from; NULL for none, as for one that the host added. */
static GmcpConfigSource *
find_source (GmcpManager *self, const char *id)
{
  g_autoptr (GPtrArray) active
    = gmcp_config_stack_list_active (gmcp_manager_get_config_stack (self));

  for (guint i = 0; i < 2 * active->len; i++)
    {
      GmcpConfigSource *source = g_ptr_array_index (active, i % active->len);
      GListModel *servers = gmcp_config_source_get_servers (source);
      guint n_servers = g_list_model_get_n_items (servers);

      for (guint j = 0; j < n_servers; j++)
        {
          g_autoptr (GmcpServerConfig) config = g_list_model_get_item (servers, j);

          /* First those that stand in for others. */
          if (config->stands_in == (i < active->len)
              && g_str_equal (gmcp_server_config_get_id (config), id))
            return source;
        }
    }
  return gmcp_config_stack_peek_file (gmcp_manager_get_config_stack (self));
}

void
gmcp_manager_add_about (GPtrArray *findings,
                        GmcpServerConfig *config,
                        const char *property,
                        const char *message)
{
  add_about (findings, config, property, message);
}

void
gmcp_manager_add_about_word (GPtrArray *findings,
                             GmcpServerConfig *config,
                             const char *property,
                             guint i,
                             const char *message)
{
  GmcpConfigPlace *place
    = config->places != NULL ? gmcp_config_places_find_word (config->places, property, i) : NULL;

  add_finding (findings, config, place, property, message);
}

void
gmcp_manager_add_unconfinable (GmcpManager *self, GPtrArray *findings)
{
  GmcpServerTable *table = gmcp_manager_get_server_table (self);

  for (guint i = 0; i < gmcp_server_table_get_length (table); i++)
    {
      GmcpManagedServer *server = gmcp_server_table_get_server (table, i);
      GmcpServerConfig *config = gmcp_managed_server_get_config (server);
      const char *id = gmcp_server_config_get_id (config);
      GmcpConfigSource *source = find_source (self, id);
      g_autoptr (GError) error = NULL;

      if (source != NULL && gmcp_server_config_is_enabled (config)
          && !gmcp_server_config_check_confinement (config, &error))
        add_about (findings, config, NULL, error->message);
    }
}

/**
 * gmcp_manager_list_sources:
 * @self: a manager
 *
 * Lists the places that the configuration comes from, in order of precedence.
 *
 * Returns: (transfer container) (element-type GmcpConfigSource): the places
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_manager_list_sources (GmcpManager *self)
{
  GPtrArray *sources;

  g_return_val_if_fail (GMCP_IS_MANAGER (self), g_ptr_array_new ());

  sources = gmcp_config_stack_list_active (gmcp_manager_get_config_stack (self));
  g_ptr_array_foreach (sources, (GFunc) g_object_ref, NULL);
  g_ptr_array_set_free_func (sources, g_object_unref);
  return sources;
}
