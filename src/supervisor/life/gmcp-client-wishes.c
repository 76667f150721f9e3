/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-wishes-private.h"

#include "gmcp-i18n-private.h"

struct _GmcpClientWishes
{
  GmcpLogLevel log_level;
  GListModel *roots; /* nullable */
};

GmcpClientWishes *
gmcp_client_wishes_new (void)
{
  GmcpClientWishes *self = g_new0 (GmcpClientWishes, 1);

  self->log_level = GMCP_LOG_LEVEL_UNSET;
  return self;
}

void
gmcp_client_wishes_free (GmcpClientWishes *self)
{
  g_clear_object (&self->roots);
  g_free (self);
}

void
gmcp_client_wishes_note (GmcpClientWishes *self, GmcpClient *client)
{
  self->log_level = gmcp_client_get_log_level (client);
  g_set_object (&self->roots, gmcp_client_get_roots (client));
}

void
gmcp_client_wishes_apply (GmcpClientWishes *self, GmcpClient *client)
{
  /* The server is told when the client is opened. */
  if (self->log_level != GMCP_LOG_LEVEL_UNSET)
    gmcp_client_set_log_level_async (client, self->log_level, NULL, NULL, NULL, NULL);
  if (self->roots != NULL)
    gmcp_client_set_roots (client, self->roots);
}

const char *
gmcp_client_wishes_get_need (GmcpClientWishes *self)
{
  if (self->log_level != GMCP_LOG_LEVEL_UNSET)
    /* Translators: why a program does not share a process with others */
    return _ ("this program has set a log level, and a server of a revision before 2026-07-28 has "
              "one for all who share it");
  if (self->roots != NULL)
    /* Translators: why a program does not share a process with others */
    return _ ("this program has set roots, and a server of a revision before 2026-07-28 that "
              "programs share is told of none");
  return NULL;
}
