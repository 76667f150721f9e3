/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-config-struct-private.h"

void
gmcp_server_config_set_origin (GmcpServerConfig *config, GmcpConfigOrigin *origin)
{
  g_clear_pointer (&config->origin, gmcp_config_origin_unref);
  config->origin = gmcp_config_origin_ref (origin);
}

GmcpConfigOrigin *
gmcp_server_config_get_origin (GmcpServerConfig *config)
{
  return config->origin;
}

GmcpConfigPlaces *
gmcp_server_config_get_places (GmcpServerConfig *self)
{
  return self->places;
}

void
gmcp_server_config_take_places (GmcpServerConfig *self, GmcpConfigPlaces *places)
{
  g_clear_pointer (&self->places, gmcp_config_places_unref);
  self->places = places;
}

GmcpConfigPlace *
gmcp_server_config_find_place (GmcpServerConfig *self, const char *property)
{
  return self->places != NULL ? gmcp_config_places_find (self->places, property) : NULL;
}

GmcpConfigPlace *
gmcp_server_config_find_place_of_word (GmcpServerConfig *self, const char *property, guint word)
{
  return self->places != NULL ? gmcp_config_places_find_word (self->places, property, word) : NULL;
}

gboolean
gmcp_server_config_is_expanded (GmcpServerConfig *self)
{
  return self->expanded;
}

void
gmcp_server_config_set_expanded (GmcpServerConfig *self)
{
  self->expanded = TRUE;
}

gboolean
gmcp_server_config_is_shown_filled (GmcpServerConfig *self)
{
  return self->shown_filled;
}

void
gmcp_server_config_set_shown_filled (GmcpServerConfig *self)
{
  self->shown_filled = TRUE;
}

gboolean
gmcp_server_config_has_default_start (GmcpServerConfig *self)
{
  return self->start_is_default;
}

void
gmcp_server_config_set_default_start (GmcpServerConfig *self, gboolean is_default)
{
  self->start_is_default = is_default;
}

gboolean
gmcp_server_config_is_titled_by_name (GmcpServerConfig *self)
{
  return self->title_is_name;
}

void
gmcp_server_config_set_titled_by_name (GmcpServerConfig *self, gboolean is_name)
{
  self->title_is_name = is_name;
}

gboolean
gmcp_server_config_stands_in (GmcpServerConfig *self)
{
  return self->stands_in;
}

void
gmcp_server_config_set_stands_in (GmcpServerConfig *self, gboolean stands_in)
{
  self->stands_in = stands_in;
}

gboolean
gmcp_server_config_is_environment_locked (GmcpServerConfig *self)
{
  return self->environment_locked;
}

void
gmcp_server_config_lock_environment (GmcpServerConfig *self)
{
  self->environment_locked = TRUE;
}

void
gmcp_server_config_set_enabled (GmcpServerConfig *self, gboolean enabled)
{
  self->enabled = enabled;
}

void
gmcp_server_config_set_start (GmcpServerConfig *self, GmcpServerStart start)
{
  self->start = start;
}

void
gmcp_server_config_take_title (GmcpServerConfig *self, char *title)
{
  g_free (self->title);
  self->title = title;
}

void
gmcp_server_config_take_cwd (GmcpServerConfig *self, char *cwd)
{
  g_free (self->cwd);
  self->cwd = cwd;
}

void
gmcp_server_config_take_argument (GmcpServerConfig *self, gsize position, char *argument)
{
  g_free (self->argv[position]);
  self->argv[position] = argument;
}

void
gmcp_server_config_take_environment_entry (GmcpServerConfig *self, gsize position, char *entry)
{
  g_free (self->environment[position]);
  self->environment[position] = entry;
}

const char *
gmcp_server_config_peek_unpaired_header (GmcpServerConfig *self)
{
  return self->unpaired_header;
}

void
gmcp_server_config_take_header_value (GmcpServerConfig *self, gsize position, char *value)
{
  g_free (self->headers[position]);
  self->headers[position] = value;
}
