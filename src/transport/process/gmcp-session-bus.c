/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-session-bus-private.h"

char *
gmcp_session_bus_dup_address (void)
{
  const char *address = g_getenv ("DBUS_SESSION_BUS_ADDRESS");
  const char *runtime_dir = g_getenv ("XDG_RUNTIME_DIR");

  if (address != NULL && *address != '\0')
    return g_strdup (address);
  if (runtime_dir != NULL && *runtime_dir == '/')
    {
      g_autofree char *path = g_build_filename (runtime_dir, "bus", NULL);
      g_autofree char *escaped = g_dbus_address_escape_value (path);

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        return NULL;
      return g_strconcat ("unix:path=", escaped, NULL);
    }
  return NULL;
}

void
gmcp_session_bus_connect_async (const char *address,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_dbus_connection_new_for_address (address,
                                     G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                       | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                     NULL, cancellable, callback, user_data);
}

GDBusConnection *
gmcp_session_bus_connect_finish (GAsyncResult *result, GError **error)
{
  return g_dbus_connection_new_for_address_finish (result, error);
}
