/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-confinement-private.h"

#include <sys/resource.h>

#include "gmcp-sandbox-command-private.h"
#include "gmcp-systemd-service-private.h"

static const char *const outward_variables[] = {
  "DBUS_SESSION_BUS_ADDRESS",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XAUTHORITY",
  "TMPDIR",
  "SSH_AUTH_SOCK",
  "GPG_AGENT_INFO",
  "NOTIFY_SOCKET",
  "PULSE_SERVER",
  "DOCKER_HOST",
  "GNOME_KEYRING_CONTROL",
  "AT_SPI_BUS_ADDRESS",
};

GmcpConfinement *
gmcp_confinement_copy (const GmcpConfinement *self)
{
  GmcpConfinement *copy = g_memdup2 (self, sizeof *self);

  copy->name = g_strdup (self->name);
  copy->writable_paths = g_strdupv (self->writable_paths);
  return copy;
}

void
gmcp_confinement_free (GmcpConfinement *self)
{
  g_free (self->name);
  g_strfreev (self->writable_paths);
  g_free (self);
}

gboolean
gmcp_confinement_needs_service (const GmcpConfinement *self)
{
  return self->max_memory_mib > 0 || self->max_processes > 0;
}

gboolean
gmcp_confinement_needs_sandbox (const GmcpConfinement *self)
{
  return self->read_only_home;
}

gboolean
gmcp_confinement_get_limit (const GmcpConfinement *self, GmcpGuardLimit *limit)
{
  guint64 seconds = (self->max_cpu_ms + (guint64) 999) / 1000;

  if (seconds == 0)
    return FALSE;

  /* SIGXCPU at first, and SIGKILL for one that takes no notice of it. */
  *limit = (GmcpGuardLimit){ RLIMIT_CPU, seconds, seconds + 1 };
  return TRUE;
}

gboolean
gmcp_confinement_check (const GmcpConfinement *self,
                        const char *command,
                        const char *host_path,
                        GError **error)
{
  g_autofree char *bwrap = NULL;

  if (gmcp_confinement_needs_sandbox (self))
    {
      bwrap = gmcp_sandbox_command_find_bubblewrap (command, host_path, error);
      if (bwrap == NULL)
        return FALSE;
    }
  return !gmcp_confinement_needs_service (self) || gmcp_systemd_service_check (self, error);
}

GStrv
gmcp_confinement_trim_environment (const GmcpConfinement *self,
                                   GStrv environment,
                                   const char *const *own)
{
  for (gsize i = 0; i < G_N_ELEMENTS (outward_variables); i++)
    {
      if (g_environ_getenv ((char **) own, outward_variables[i]) == NULL)
        environment = g_environ_unsetenv (environment, outward_variables[i]);
    }
  return environment;
}
