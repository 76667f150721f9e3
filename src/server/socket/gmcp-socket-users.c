/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-socket-users-private.h"

#include <gio/gcredentials.h>
#include <pwd.h>
#include <unistd.h>

#include "gmcp-i18n-private.h"
#include "gmcp-process-name-private.h"

#define PASSWD_BYTES (64u * 1024)

struct _GmcpSocketUsers
{
  GHashTable *names; /* uid -> name */
};

/* Reads the system's table of users; NULL where there is no such user. */
static const struct passwd *
look_up (const char *name, uid_t uid, struct passwd *entry, char *buffer)
{
  struct passwd *found = NULL;

  if (name != NULL)
    getpwnam_r (name, entry, buffer, PASSWD_BYTES, &found);
  else
    getpwuid_r (uid, entry, buffer, PASSWD_BYTES, &found);
  return found;
}

static void
add_user (GmcpSocketUsers *self, uid_t uid, char *buffer)
{
  struct passwd entry;
  const struct passwd *found = look_up (NULL, uid, &entry, buffer);
  char *name = found != NULL && g_utf8_validate (found->pw_name, -1, NULL)
                 ? g_strdup (found->pw_name)
                 : g_strdup_printf ("%u", (guint) uid);

  g_hash_table_insert (self->names, GUINT_TO_POINTER (uid), name);
}

static gboolean
add_named (GmcpSocketUsers *self, const char *name, char *buffer, GError **error)
{
  struct passwd entry;
  const struct passwd *found = NULL;
  guint64 uid = 0;

  /* (uid_t) -1 is nobody. */
  if (g_ascii_string_to_unsigned (name, 10, 0, G_MAXUINT32 - 1, &uid, NULL))
    {
      add_user (self, (uid_t) uid, buffer);
      return TRUE;
    }

  found = look_up (name, 0, &entry, buffer);
  if (found == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   /* Translators: a login name */
                   _ ("There is no user “%s” on this machine that could be let in"), name);
      return FALSE;
    }

  g_hash_table_insert (self->names, GUINT_TO_POINTER (found->pw_uid), g_strdup (name));
  return TRUE;
}

GmcpSocketUsers *
gmcp_socket_users_new (const char *const *named, GError **error)
{
  g_autoptr (GmcpSocketUsers) self = g_new0 (GmcpSocketUsers, 1);
  g_autofree char *buffer = g_malloc (PASSWD_BYTES);

  self->names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  add_user (self, geteuid (), buffer);
  for (; named != NULL && *named != NULL; named++)
    if (!add_named (self, *named, buffer, error))
      return NULL;
  return g_steal_pointer (&self);
}

void
gmcp_socket_users_free (GmcpSocketUsers *self)
{
  g_hash_table_unref (self->names);
  g_free (self);
}

gboolean
gmcp_socket_users_has_others (GmcpSocketUsers *self)
{
  return g_hash_table_size (self->names) > 1;
}

const char *
gmcp_socket_users_identify (GmcpSocketUsers *self, GSocket *connection)
{
  g_autoptr (GCredentials) credentials = g_socket_get_credentials (connection, NULL);
  uid_t uid = credentials != NULL ? g_credentials_get_unix_user (credentials, NULL) : (uid_t) -1;

  if (uid == (uid_t) -1)
    return NULL;
  return g_hash_table_lookup (self->names, GUINT_TO_POINTER (uid));
}

char *
gmcp_socket_dup_program (GSocket *connection)
{
  g_autoptr (GCredentials) credentials = g_socket_get_credentials (connection, NULL);
  pid_t pid = credentials != NULL ? g_credentials_get_unix_pid (credentials, NULL) : -1;

  return pid > 0 ? gmcp_process_dup_name_of_peer ((int) pid) : NULL;
}
