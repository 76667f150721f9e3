/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-install-private.h"

#include "gmcp-client-private.h"
#include "gmcp-stdio-transport-private.h"

#include <gmcp/transport/stdio/gmcp-stdio-transport.h>

struct _GmcpServerInstall
{
  GmcpClient *client; /* not owned */
  guint timeout_ms;
  GmcpInstallFunc func;
  gpointer data;
};

static GmcpStdioTransport *
get_transport (GmcpServerInstall *self)
{
  GmcpTransport *transport = gmcp_client_get_transport (self->client);

  return GMCP_IS_STDIO_TRANSPORT (transport) ? GMCP_STDIO_TRANSPORT (transport) : NULL;
}

/* An installation may wait for another one, which may take its time as well. The guard keeps to
 * both. */
static void
allow_for_install (GmcpServerInstall *self)
{
  gmcp_client_extend_opening (self->client,
                              self->timeout_ms > G_MAXUINT / 2 ? G_MAXUINT : self->timeout_ms * 2);
}

static void
on_install (GmcpGuardInstallPhase phase, const GmcpInstaller *installer, gpointer data)
{
  GmcpServerInstall *self = data;

  if (phase == GMCP_GUARD_INSTALL_DONE)
    gmcp_client_extend_opening (self->client, 0);
  else
    allow_for_install (self);

  if (self->func != NULL)
    self->func (phase, installer, self->data);
}

GmcpServerInstall *
gmcp_server_install_new (GmcpClient *client)
{
  GmcpServerInstall *self = g_new0 (GmcpServerInstall, 1);

  self->client = client;
  return self;
}

void
gmcp_server_install_free (GmcpServerInstall *self)
{
  GmcpStdioTransport *transport = get_transport (self);

  if (transport != NULL)
    gmcp_stdio_transport_set_install (transport, 0, NULL, NULL);
  g_free (self);
}

void
gmcp_server_install_set_timeout_ms (GmcpServerInstall *self, guint timeout_ms)
{
  GmcpStdioTransport *transport = get_transport (self);

  self->timeout_ms = timeout_ms;
  if (transport != NULL)
    gmcp_stdio_transport_set_install (transport, timeout_ms, on_install, self);
}

void
gmcp_server_install_watch (GmcpServerInstall *self, GmcpInstallFunc func, gpointer data)
{
  self->func = func;
  self->data = data;
}

void
gmcp_server_install_begin (GmcpServerInstall *self, const char *const *argv)
{
  g_autoptr (GmcpInstaller) installer
    = get_transport (self) != NULL && self->timeout_ms > 0 ? gmcp_installer_find (argv) : NULL;

  if (installer != NULL)
    allow_for_install (self);
}
