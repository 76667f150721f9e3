/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-socket-settings-private.h"

#include "gmcp-limits.h"

enum
{
  SETTING_ALLOWED_USERS,
  SETTING_MAX_CLIENTS,
  SETTING_FIRST_MESSAGE_TIMEOUT_MS,
  SETTING_MAX_MESSAGE_BYTES,
  SETTING_MAX_QUEUED_BYTES,
  SETTING_MAX_UNREAD_BYTES,
  SETTING_UNREAD_TIMEOUT_MS,
  SETTING_CLOSE_TIMEOUT_MS,
};

void
gmcp_socket_settings_init (GmcpSocketSettings *self)
{
  self->allowed_users = NULL;
  self->limits.max_clients = GMCP_DEFAULT_SOCKET_CLIENTS;
  self->limits.silence_ms = GMCP_DEFAULT_SOCKET_SILENCE_MS;
  self->limits.max_message_bytes = GMCP_LIMIT_MESSAGE_BYTES;
  self->limits.max_queued_bytes = GMCP_DEFAULT_SOCKET_QUEUE_BYTES;
  self->limits.max_unread_bytes = GMCP_LIMIT_SOCKET_UNREAD_BYTES;
  self->limits.unread_ms = GMCP_DEFAULT_SOCKET_UNREAD_MS;
  self->limits.close_ms = GMCP_DEFAULT_SOCKET_CLOSE_MS;
}

void
gmcp_socket_settings_clear (GmcpSocketSettings *self)
{
  g_clear_pointer (&self->allowed_users, g_strfreev);
}

gboolean
gmcp_socket_settings_get (const GmcpSocketSettings *self, guint index, GValue *value)
{
  switch (index)
    {
    case SETTING_ALLOWED_USERS:
      g_value_set_boxed (value, self->allowed_users);
      return TRUE;

    case SETTING_MAX_CLIENTS:
      g_value_set_uint (value, self->limits.max_clients);
      return TRUE;

    case SETTING_FIRST_MESSAGE_TIMEOUT_MS:
      g_value_set_uint (value, self->limits.silence_ms);
      return TRUE;

    case SETTING_MAX_MESSAGE_BYTES:
      g_value_set_uint64 (value, self->limits.max_message_bytes);
      return TRUE;

    case SETTING_MAX_QUEUED_BYTES:
      g_value_set_uint64 (value, self->limits.max_queued_bytes);
      return TRUE;

    case SETTING_MAX_UNREAD_BYTES:
      g_value_set_uint64 (value, self->limits.max_unread_bytes);
      return TRUE;

    case SETTING_UNREAD_TIMEOUT_MS:
      g_value_set_uint (value, self->limits.unread_ms);
      return TRUE;

    case SETTING_CLOSE_TIMEOUT_MS:
      g_value_set_uint (value, self->limits.close_ms);
      return TRUE;

    default:
      return FALSE;
    }
}

static gboolean
set_users (GmcpSocketSettings *self, const GValue *value)
{
  const char *const *given = g_value_get_boxed (value);
  const char *const *before = (const char *const *) self->allowed_users;

  if (given == before || (given != NULL && before != NULL && g_strv_equal (given, before)))
    return FALSE;

  g_strfreev (self->allowed_users);
  self->allowed_users = g_value_dup_boxed (value);
  return TRUE;
}

static gboolean
set_uint (guint *field, const GValue *value)
{
  guint before = *field;

  *field = g_value_get_uint (value);
  return *field != before;
}

static gboolean
set_uint64 (guint64 *field, const GValue *value)
{
  guint64 before = *field;

  *field = g_value_get_uint64 (value);
  return *field != before;
}

gboolean
gmcp_socket_settings_set (GmcpSocketSettings *self, guint index, const GValue *value)
{
  switch (index)
    {
    case SETTING_ALLOWED_USERS:
      return set_users (self, value);

    case SETTING_MAX_CLIENTS:
      return set_uint (&self->limits.max_clients, value);

    case SETTING_FIRST_MESSAGE_TIMEOUT_MS:
      return set_uint (&self->limits.silence_ms, value);

    case SETTING_MAX_MESSAGE_BYTES:
      return set_uint64 (&self->limits.max_message_bytes, value);

    case SETTING_MAX_QUEUED_BYTES:
      return set_uint64 (&self->limits.max_queued_bytes, value);

    case SETTING_MAX_UNREAD_BYTES:
      return set_uint64 (&self->limits.max_unread_bytes, value);

    case SETTING_UNREAD_TIMEOUT_MS:
      return set_uint (&self->limits.unread_ms, value);

    case SETTING_CLOSE_TIMEOUT_MS:
      return set_uint (&self->limits.close_ms, value);

    default:
      return FALSE;
    }
}

void
gmcp_socket_settings_install (GObjectClass *klass, guint first)
{
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  /**
   * GmcpSocketEndpoint:allowed-users:
   *
   * Users whose programs may connect to a Unix socket, beside the one that the server runs as: login
   * names, or numbers. They are looked up when the endpoint begins to listen; what is set later counts
   * from its next beginning on. Where there are some, every program can open the socket that
   * [method@Gmcp.SocketEndpoint.listen] makes, and is asked whose it is.
   *
   * Since: 0.1
   */
  g_object_class_install_property (
    klass, first + SETTING_ALLOWED_USERS,
    g_param_spec_boxed ("allowed-users", NULL, NULL, G_TYPE_STRV, flags));

  /**
   * GmcpSocketEndpoint:max-clients:
   *
   * How many clients may be connected at once. For one more the last connection of the user ends who has the most, if the
   * newcomer still has no more then; else it is told so and sent away.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first + SETTING_MAX_CLIENTS,
                                   g_param_spec_uint ("max-clients", NULL, NULL, 1, G_MAXUINT,
                                                      GMCP_DEFAULT_SOCKET_CLIENTS, flags));

  /**
   * GmcpSocketEndpoint:first-message-timeout-ms:
   *
   * How long a client that has connected may say nothing at first, in milliseconds.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first + SETTING_FIRST_MESSAGE_TIMEOUT_MS,
                                   g_param_spec_uint ("first-message-timeout-ms", NULL, NULL, 1,
                                                      G_MAXINT, GMCP_DEFAULT_SOCKET_SILENCE_MS,
                                                      flags));

  /**
   * GmcpSocketEndpoint:max-message-bytes:
   *
   * The largest message that is taken from a client, in bytes, for clients that come from now on.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first + SETTING_MAX_MESSAGE_BYTES,
                                   g_param_spec_uint64 ("max-message-bytes", NULL, NULL, 1,
                                                        G_MAXSSIZE / 4, GMCP_LIMIT_MESSAGE_BYTES,
                                                        flags));

  /**
   * GmcpSocketEndpoint:max-queued-bytes:
   *
   * How much may wait behind the first message, in bytes, until one client has read it, for clients that
   * come from now on. A result that would have to wait beyond that is answered with an error in its place,
   * and where that does not fit either, the client is sent away.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first + SETTING_MAX_QUEUED_BYTES,
                                   g_param_spec_uint64 ("max-queued-bytes", NULL, NULL, 1,
                                                        G_MAXSSIZE / 4,
                                                        GMCP_DEFAULT_SOCKET_QUEUE_BYTES, flags));

  /**
   * GmcpSocketEndpoint:max-unread-bytes:
   *
   * How much all clients together may leave unread, in bytes, of what is more than 64 KiB for one of them. A result beyond
   * that is answered with an error in its place, also for a client that reads, as long as the others do not; small ones go
   * on. As much again may come of messages that are not complete: one for which there is no room is dropped. The clients of
   * one user may take fifteen sixteenths of either. What is set while clients are there holds from the next one on.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first + SETTING_MAX_UNREAD_BYTES,
                                   g_param_spec_uint64 ("max-unread-bytes", NULL, NULL, 1,
                                                        G_MAXSSIZE / 4,
                                                        GMCP_LIMIT_SOCKET_UNREAD_BYTES, flags));

  /**
   * GmcpSocketEndpoint:unread-timeout-ms:
   *
   * How long what waits for a client may stay as it is because the client reads nothing, in milliseconds, for clients that
   * come from now on. Then the client is sent away; one that has read some of it meanwhile, about 64 KiB, has as long again.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first + SETTING_UNREAD_TIMEOUT_MS,
                                   g_param_spec_uint ("unread-timeout-ms", NULL, NULL, 1, G_MAXINT,
                                                      GMCP_DEFAULT_SOCKET_UNREAD_MS, flags));

  /**
   * GmcpSocketEndpoint:close-timeout-ms:
   *
   * How long requests that run have to be answered once [method@Gmcp.SocketEndpoint.close_async] was called, in
   * milliseconds. Then they are cancelled.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, first + SETTING_CLOSE_TIMEOUT_MS,
                                   g_param_spec_uint ("close-timeout-ms", NULL, NULL, 0, 600000,
                                                      GMCP_DEFAULT_SOCKET_CLOSE_MS, flags));
}
