/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>
#include <gmcp/transport/gmcp-transport.h>

#include "gmcp-config-origin-private.h"
#include "gmcp-config-places-private.h"

G_BEGIN_DECLS

/* What is noted of a configuration beside its values: gmcp-server-config-notes.c. A copy has the same. */

/* Where its values stand; NULL where it comes from nowhere in particular. */
GmcpConfigPlaces *gmcp_server_config_get_places (GmcpServerConfig *self);
/* Takes a reference; nullable. */
void gmcp_server_config_take_places (GmcpServerConfig *self, GmcpConfigPlaces *places);
/* The place of one value, or of one of its words; NULL where it comes from nowhere in particular. */
GmcpConfigPlace *gmcp_server_config_find_place (GmcpServerConfig *self, const char *property);
GmcpConfigPlace *
gmcp_server_config_find_place_of_word (GmcpServerConfig *self, const char *property, guint word);
/* What looks like a variable is none. */
gboolean gmcp_server_config_is_expanded (GmcpServerConfig *self);
void gmcp_server_config_set_expanded (GmcpServerConfig *self);
/* What looks like a variable is none, in what is shown. */
gboolean gmcp_server_config_is_shown_filled (GmcpServerConfig *self);
void gmcp_server_config_set_shown_filled (GmcpServerConfig *self);
/* Nothing says how it starts but the manager's auto-start-default. */
gboolean gmcp_server_config_has_default_start (GmcpServerConfig *self);
void gmcp_server_config_set_default_start (GmcpServerConfig *self, gboolean is_default);
/* The title is what the entry is called, and no text. */
gboolean gmcp_server_config_is_titled_by_name (GmcpServerConfig *self);
void gmcp_server_config_set_titled_by_name (GmcpServerConfig *self, gboolean is_name);
/* It is of a project, and approved in place of one of the same id elsewhere. */
gboolean gmcp_server_config_stands_in (GmcpServerConfig *self);
void gmcp_server_config_set_stands_in (GmcpServerConfig *self, gboolean stands_in);
/* MCP_<SERVER>_<NAME> does not count. */
gboolean gmcp_server_config_is_environment_locked (GmcpServerConfig *self);
void gmcp_server_config_lock_environment (GmcpServerConfig *self);

/* Values of a copy that nobody has seen yet. Those that take a text keep it. */
void gmcp_server_config_set_enabled (GmcpServerConfig *self, gboolean enabled);
void gmcp_server_config_set_start (GmcpServerConfig *self, GmcpServerStart start);
void gmcp_server_config_take_title (GmcpServerConfig *self, char *title);
void gmcp_server_config_take_cwd (GmcpServerConfig *self, char *cwd);
void gmcp_server_config_take_argument (GmcpServerConfig *self, gsize position, char *argument);
void
gmcp_server_config_take_environment_entry (GmcpServerConfig *self, gsize position, char *entry);
void gmcp_server_config_take_header_value (GmcpServerConfig *self, gsize position, char *value);

typedef enum
{
  GMCP_CONFIG_FIELD_STRING, /* an empty one is none */
  GMCP_CONFIG_FIELD_FLAG,
  GMCP_CONFIG_FIELD_NUMBER,
  GMCP_CONFIG_FIELD_ENUM,
  GMCP_CONFIG_FIELD_WORDS,
  GMCP_CONFIG_FIELD_ENVIRONMENT,
  GMCP_CONFIG_FIELD_HEADERS,
} GmcpConfigFieldKind;

/* One value of a configuration, under the name of its property. */
typedef struct
{
  const char *name;
  GmcpConfigFieldKind kind;
  gsize offset;
  gboolean of_process; /* a process started with another value does not serve */
  gboolean shown;      /* to people, or to a model, also while the server does not run */
  gboolean
    in_settings; /* org.gmcp.Server has a key for it; the others are for files and programs */
} GmcpConfigField;

const GmcpConfigField *gmcp_config_fields_get (gsize *n_fields);
void
gmcp_config_field_get_value (const GmcpConfigField *field, GmcpServerConfig *config, GValue *value);
void gmcp_config_field_set_value (const GmcpConfigField *field,
                                  GmcpServerConfig *config,
                                  const GValue *value);
gboolean
gmcp_config_field_equal (const GmcpConfigField *field, GmcpServerConfig *a, GmcpServerConfig *b);
void
gmcp_config_field_copy (const GmcpConfigField *field, GmcpServerConfig *from, GmcpServerConfig *to);
/* What may be shown of an element of “headers” that should be a name; what is behind a colon is a secret. */
char *gmcp_config_dup_header_name (const char *name);
/* Borrowed: the header at which names and values get out of step; NULL where each has its value. */
const char *gmcp_server_config_peek_unpaired_header (GmcpServerConfig *self);
void gmcp_config_field_clear (const GmcpConfigField *field, GmcpServerConfig *config);

/* With all that goes with it. */
GmcpServerConfig *gmcp_server_config_copy (GmcpServerConfig *self);

/* Whether the configuration lets a tool be listed and called, by the name that the server gives it. */
gboolean gmcp_server_config_allows_tool (GmcpServerConfig *self, const char *tool);

/* The path of a URL that is a Unix socket with one message a line; NULL for any other. */
char *gmcp_server_config_dup_socket_path (GmcpServerConfig *self);

/* The way to the server that the configuration names, not open yet; GMCP_ERROR_INVALID_CONFIG where it
 * names none. */
GmcpTransport *gmcp_server_config_make_transport (GmcpServerConfig *self, GError **error);
/* Whether what the sandbox and the limits need is there, as far as can be told without waiting. */
gboolean gmcp_server_config_check_confinement (GmcpServerConfig *self, GError **error);

/* A transport of that kind, not open yet, goes where a configuration says whose variables have been filled
 * in. */
gboolean
gmcp_server_config_aim_transport (GmcpServerConfig *self, GmcpTransport *transport, GError **error);

/* Whether a process started for the one serves for the other. */
gboolean gmcp_server_config_same_process (GmcpServerConfig *self, GmcpServerConfig *other);

/* gmcp_server_config_validate(), with the property that is wrong. */
gboolean gmcp_server_config_check (GmcpServerConfig *self, const char **property, GError **error);

G_END_DECLS
