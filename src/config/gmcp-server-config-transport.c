/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-local-file-private.h"
#include "gmcp-flatpak-host-private.h"
#include "gmcp-http-link-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-stdio-transport-private.h"
#include "gmcp-stream-transport-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/transport/http/gmcp-http-transport.h>
#include <gmcp/transport/stdio/gmcp-stdio-transport.h>
#include <gmcp/transport/gmcp-stream-transport.h>

char *
gmcp_server_config_dup_socket_path (GmcpServerConfig *self)
{
  const char *url = gmcp_server_config_get_url (self);
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_ENCODED, NULL);
  g_autofree char *path = NULL;

  if (uri == NULL || strcmp (g_uri_get_scheme (uri), "unix") != 0
      || g_uri_get_fragment (uri) != NULL)
    return NULL;

  path = g_uri_unescape_string (g_uri_get_path (uri), NULL);
  return path != NULL && path[0] == '/' && path[1] != '\0' ? g_steal_pointer (&path) : NULL;
}

static GmcpConfinement
get_confinement (GmcpServerConfig *config)
{
  return (GmcpConfinement){
    .name = (char *) gmcp_server_config_get_id (config),
    .read_only_home = gmcp_server_config_get_sandbox (config) == GMCP_SANDBOX_READ_ONLY_HOME,
    .writable_paths = (GStrv) gmcp_server_config_get_writable_paths (config),
    .no_network = gmcp_server_config_get_no_network (config),
    .unix_sockets = gmcp_server_config_get_unix_sockets (config),
    .max_cpu_ms = gmcp_server_config_get_max_cpu_ms (config),
    .max_memory_mib = gmcp_server_config_get_max_memory_mib (config),
    .max_processes = gmcp_server_config_get_max_processes (config),
  };
}

static void
confine_transport (GmcpServerConfig *config, GmcpStdioTransport *transport)
{
  const GmcpConfinement confinement = get_confinement (config);
  gboolean is_free = gmcp_server_config_get_sandbox (config) == GMCP_SANDBOX_NONE
                     && gmcp_server_config_get_max_cpu_ms (config) == 0
                     && !gmcp_confinement_needs_service (&confinement);

  gmcp_stdio_transport_set_confinement (transport, is_free ? NULL : &confinement);
}

gboolean
gmcp_server_config_check_confinement (GmcpServerConfig *self, GError **error)
{
  const GmcpConfinement confinement = get_confinement (self);
  const char *const *argv = gmcp_server_config_get_argv (self);

  return gmcp_server_config_get_transport (self) != GMCP_SERVER_TRANSPORT_STDIO || argv == NULL
         || argv[0] == NULL
         /* On the host only the start can tell. */
         || gmcp_flatpak_is_inside ()
         || gmcp_confinement_check (&confinement, argv[0], g_getenv ("PATH"), error);
}

static GmcpTransport *
make_for_program (GmcpServerConfig *config)
{
  GmcpStdioTransport *transport = gmcp_stdio_transport_new (gmcp_server_config_get_argv (config));

  gmcp_stdio_transport_set_environment (transport, gmcp_server_config_get_environment (config));
  gmcp_stdio_transport_set_inherit_environment (
    transport, gmcp_server_config_get_inherit_environment (config));
  gmcp_stdio_transport_set_use_login_path (transport, TRUE);
  if (gmcp_server_config_get_cwd (config) != NULL)
    gmcp_stdio_transport_set_cwd (transport, gmcp_server_config_get_cwd (config));
  confine_transport (config, transport);
  return GMCP_TRANSPORT (transport);
}

static void
set_ca_file (GmcpHttpTransport *transport, const char *path)
{
  g_autoptr (GFile) file = gmcp_file_new_for_path_or_null (path);

  gmcp_http_transport_set_ca_file (transport, file);
}

static gboolean
aim_http (GmcpServerConfig *config, GmcpHttpTransport *transport, GError **error)
{
  const char *const *headers = gmcp_server_config_get_headers (config);

  gmcp_http_transport_set_uri (transport, gmcp_server_config_get_url (config));
  set_ca_file (transport, gmcp_server_config_get_ca_file (config));
  gmcp_http_transport_set_allowed_redirect_origins (
    transport, gmcp_server_config_get_allowed_redirect_origins (config));
  for (gsize i = 0; headers[i] != NULL; i += 2)
    {
      if (!gmcp_http_transport_set_header (transport, headers[i], headers[i + 1], error))
        return FALSE;
    }
  return TRUE;
}

gboolean
gmcp_server_config_aim_transport (GmcpServerConfig *self, GmcpTransport *transport, GError **error)
{
  g_autofree char *socket = NULL;

  if (!gmcp_server_config_validate (self, error))
    return FALSE;

  if (GMCP_IS_STDIO_TRANSPORT (transport))
    {
      GmcpStdioTransport *stdio = GMCP_STDIO_TRANSPORT (transport);

      gmcp_stdio_transport_set_argv (stdio, gmcp_server_config_get_argv (self));
      gmcp_stdio_transport_set_environment (stdio, gmcp_server_config_get_environment (self));
      gmcp_stdio_transport_set_cwd (stdio, gmcp_server_config_get_cwd (self));
      confine_transport (self, stdio);
      return TRUE;
    }
  if (GMCP_IS_HTTP_TRANSPORT (transport))
    return aim_http (self, GMCP_HTTP_TRANSPORT (transport), error);

  socket = gmcp_server_config_dup_socket_path (self);
  if (socket != NULL)
    {
      gmcp_stream_transport_set_path (GMCP_STREAM_TRANSPORT (transport), socket);
      return TRUE;
    }
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
               _ ("Server “%s”: its address is no socket once its variables are filled in"),
               gmcp_server_config_get_title (self));
  return FALSE;
}

/* A socket that is known only once variables are filled in. */
static gboolean
is_socket_pattern (GmcpServerConfig *self)
{
  const char *url = gmcp_server_config_get_url (self);

  return !gmcp_server_config_is_expanded (self) && gmcp_config_is_pattern (url)
         && g_str_has_prefix (url, "unix:") && strchr (url, '#') == NULL;
}

static GmcpTransport *
make_for_http (GmcpServerConfig *config, GError **error)
{
  const char *const *headers = gmcp_server_config_get_headers (config);
  g_autoptr (GmcpHttpTransport) transport
    = gmcp_http_transport_new (gmcp_server_config_get_url (config));

  gmcp_http_transport_set_sse_only (transport, gmcp_server_config_get_transport (config)
                                                 == GMCP_SERVER_TRANSPORT_SSE);
  set_ca_file (transport, gmcp_server_config_get_ca_file (config));
  gmcp_http_transport_set_allowed_redirect_origins (
    transport, gmcp_server_config_get_allowed_redirect_origins (config));
  /* Headers with variables get their values when the transport is opened. */
  for (gsize i = 0; headers[i] != NULL; i += 2)
    {
      if (!gmcp_config_is_pattern (headers[i + 1])
          && !gmcp_http_transport_set_header (transport, headers[i], headers[i + 1], error))
        return NULL;
    }
  return GMCP_TRANSPORT (g_steal_pointer (&transport));
}

GmcpTransport *
gmcp_server_config_make_transport (GmcpServerConfig *self, GError **error)
{
  g_autofree char *socket = NULL;

  if (!gmcp_server_config_validate (self, error))
    return NULL;
  if (gmcp_server_config_get_transport (self) == GMCP_SERVER_TRANSPORT_STDIO)
    return make_for_program (self);
  if (is_socket_pattern (self))
    return GMCP_TRANSPORT (gmcp_stream_transport_new_for_path ("/"));

  socket = gmcp_server_config_dup_socket_path (self);
  return socket != NULL ? GMCP_TRANSPORT (gmcp_stream_transport_new_for_path (socket))
                        : make_for_http (self, error);
}
