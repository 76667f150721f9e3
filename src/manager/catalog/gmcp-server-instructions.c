/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-instructions-private.h"

void
gmcp_server_instructions_append (GString *text, GmcpManagedServer *server)
{
  const char *parts[] = {
    gmcp_server_config_get_instructions (gmcp_managed_server_get_config (server)),
    gmcp_managed_server_get_instructions (server),
  };
  gboolean headed = FALSE;

  if (!gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server)))
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      if (parts[i] == NULL || *parts[i] == '\0')
        continue;
      if (!headed)
        g_string_append_printf (text, "%s# %s\n", text->len > 0 ? "\n" : "",
                                gmcp_managed_server_get_title (server));
      headed = TRUE;
      g_string_append_printf (text, "\n%s\n", parts[i]);
    }
}

char *
gmcp_server_instructions_gather (GmcpServerTable *servers,
                                 gboolean (*includes) (GmcpManagedServer *server, gpointer data),
                                 gpointer data)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < gmcp_server_table_get_length (servers); i++)
    {
      GmcpManagedServer *server = gmcp_server_table_get_server (servers, i);

      if (includes (server, data))
        gmcp_server_instructions_append (text, server);
    }
  return g_string_free (text, text->len == 0);
}
