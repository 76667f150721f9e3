/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>
#include <gmcp/transport/gmcp-transport.h>

#include "gmcp-config-expand-private.h"
#include "gmcp-config-places-private.h"

G_BEGIN_DECLS

struct _GmcpServerConfig
{
  GObject parent_instance;

  char *id;
  char *title;
  char *cwd;
  char *url;
  char *ca_file;
  GStrv redirect_origins;
  GStrv headers; /* names and values in turn, a name once; secrets */
  GStrv argv;
  GStrv environment; /* NAME=VALUE, sorted, a name once */
  GmcpServerTransport transport;
  GmcpEra era;
  guint call_timeout_ms;
  guint startup_timeout_ms;
  guint install_timeout_ms;
  gboolean enabled;
  gboolean inherit_environment;
  gboolean allow_sampling;

  /* How the server is looked after. */
  GmcpServerStart start;
  char *package;
  char *instructions;
  gboolean trusted;
  GmcpHealthMethod health_method;
  char *health_tool;
  char *health_arguments;
  guint health_interval_ms;
  guint health_timeout_ms;
  gboolean restart_on_failure;
  guint max_restart_attempts;
  guint idle_timeout_ms;
  guint shutdown_timeout_ms;
  guint max_calls;
  guint max_queued_calls;
  GStrv allowed_tools;
  GStrv denied_tools;

  /* What the server's program may do. */
  GmcpSandbox sandbox;
  GStrv writable_paths;
  gboolean no_network;
  gboolean unix_sockets;
  guint max_cpu_ms;
  guint max_memory_mib;
  guint max_processes;

  GmcpConfigOrigin *origin;  /* NULL where it comes from nowhere in particular */
  GmcpConfigPlaces *places;  /* NULL where it comes from nowhere in particular */
  gboolean expanded;         /* what looks like a variable is none */
  gboolean shown_filled;     /* what looks like a variable is none, in what is shown */
  gboolean start_is_default; /* nothing says how it starts but the manager's auto-start-default */
  gboolean title_is_name;    /* the title is what the entry is called, and no text */
  gboolean stands_in; /* of a project, and approved in place of one of the same id elsewhere */
  gboolean environment_locked; /* MCP_<SERVER>_<NAME> does not count */
};

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
