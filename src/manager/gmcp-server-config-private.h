/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-server-config.h>
#include <gmcp/transport/gmcp-transport.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

struct _GmcpServerConfig
{
  GObject parent_instance;

  char *id;
  char *title;
  char *cwd;
  char *url;
  char *ca_file;
  GStrv headers; /* names and values in turn, a name once; secrets */
  GStrv argv;
  GStrv environment; /* NAME=VALUE, sorted, a name once */
  GmcpServerTransport transport;
  GmcpEra era;
  guint call_timeout_ms;
  guint startup_timeout_ms;
  gboolean enabled;
  gboolean inherit_environment;
  gboolean allow_sampling;
};

/* One entry of a map of servers. Errors are GMCP_ERROR_INVALID_CONFIG and name the key under path,
 * which is where the entry stands. A relative cwd is taken from base_dir (nullable). */
GmcpServerConfig *gmcp_server_config_new_from_value (const char *id,
                                                     const char *title,
                                                     GmcpJsonValue value,
                                                     const char *path,
                                                     const char *base_dir,
                                                     GError **error);

/* Of a URL that is a Unix socket with one message a line; NULL for any other. */
char *gmcp_server_config_dup_socket_path (GmcpServerConfig *self);

/* The way to the server that the configuration names, not open yet; GMCP_ERROR_INVALID_CONFIG where it
 * names none. */
GmcpTransport *gmcp_server_config_make_transport (GmcpServerConfig *self, GError **error);

/* Whether a process started for the one serves for the other. */
gboolean gmcp_server_config_same_process (GmcpServerConfig *self, GmcpServerConfig *other);

G_END_DECLS
