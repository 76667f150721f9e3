/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include <gmcp/config/file/gmcp-file-config-source.h>
#include <gmcp/core/gmcp-error.h>

#include "gmcpd-places.h"

static guint n_writings;

/* The first one counts: a file may hide a server of the same name in the settings. */
GmcpConfigSource *
gmcpd_places_peek (GmcpManager *manager, const char *name)
{
  g_autoptr (GPtrArray) sources = gmcp_manager_list_sources (manager);

  for (guint i = 0; i < sources->len; i++)
    {
      g_autoptr (GmcpServerConfig) config
        = gmcp_config_source_find_server (sources->pdata[i], name);

      if (config != NULL)
        return sources->pdata[i];
    }
  return NULL;
}

char *
gmcpd_places_describe (GmcpManager *manager, const char *name)
{
  GmcpConfigSource *place = gmcpd_places_peek (manager, name);

  if (GMCP_IS_SETTINGS_CONFIG_SOURCE (place))
    return g_strdup ("settings");
  if (GMCP_IS_FILE_CONFIG_SOURCE (place))
    return g_file_get_parse_name (
      gmcp_file_config_source_get_file (GMCP_FILE_CONFIG_SOURCE (place)));
  return g_strdup ("program");
}

/* That of a project has to be looked through by its user after each change. */
static gboolean
is_written_to (GmcpConfigSource *place)
{
  gboolean is_of_project = FALSE;

  if (GMCP_IS_SETTINGS_CONFIG_SOURCE (place))
    return TRUE;
  if (!GMCP_IS_FILE_CONFIG_SOURCE (place))
    return FALSE;
  g_object_get (place, "project", &is_of_project, NULL);
  return !is_of_project;
}

GmcpConfigSource *
gmcpd_places_find (GmcpManager *manager, const char *name, GError **error)
{
  GmcpConfigSource *place = gmcpd_places_peek (manager, name);
  g_autofree char *described = NULL;

  if (place != NULL && is_written_to (place))
    return place;

  described = gmcpd_places_describe (manager, name);
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
               /* Translators: a server; “program”, or the file where it is configured */
               _ ("Server “%s” is not in the settings, but from %s; change it there"), name,
               described);
  return NULL;
}

GmcpConfigSource *
gmcpd_places_find_for_new (GmcpManager *manager, GError **error)
{
  GFile *config_file = gmcp_manager_get_config_file (manager);
  g_autoptr (GPtrArray) sources = gmcp_manager_list_sources (manager);

  for (guint i = 0; i < sources->len; i++)
    {
      gpointer source = sources->pdata[i];

      if (config_file == NULL
            ? GMCP_IS_SETTINGS_CONFIG_SOURCE (source)
            : GMCP_IS_FILE_CONFIG_SOURCE (source)
                && g_file_equal (gmcp_file_config_source_get_file (source), config_file))
        return source;
    }

  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                       _ ("There is no place where gmcpd could store a server: no schema of its "
                          "settings is installed"));
  return NULL;
}

guint
gmcpd_places_get_n_writings (void)
{
  return n_writings;
}

void
gmcpd_places_count_writing (void)
{
  n_writings++;
}
