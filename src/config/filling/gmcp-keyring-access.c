/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-keyring-access-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-keyring-secret-private.h"

#ifdef HAVE_LIBSECRET
#include "gmcp-libsecret-private.h"
#endif

#define SCHEMA "org.gmcp.Credential"
/* Secrets of the user's own files and settings, those of a project's file, and what was asked for. */
#define KIND_OWN      "variable"
#define KIND_CONFINED "project-variable"
#define KIND_INPUT    "input"
#define KIND_DAEMON   "daemon-token"

#ifdef HAVE_LIBSECRET

static const SecretSchema schema = { SCHEMA,
                                     SECRET_SCHEMA_NONE,
                                     {
                                       { "server-id", SECRET_SCHEMA_ATTRIBUTE_STRING },
                                       { "kind", SECRET_SCHEMA_ATTRIBUTE_STRING },
                                       { "name", SECRET_SCHEMA_ATTRIBUTE_STRING },
                                       { "issuer", SECRET_SCHEMA_ATTRIBUTE_STRING },
                                       { "resource", SECRET_SCHEMA_ATTRIBUTE_STRING },
                                       { "client-id", SECRET_SCHEMA_ATTRIBUTE_STRING },
                                       { NULL, 0 },
                                     },
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0 };

/* NULL where the task has ended, since libsecret is not there. */
static const GmcpLibsecret *
load_libsecret (GTask *task)
{
  GError *error = NULL;
  const GmcpLibsecret *libsecret = gmcp_libsecret_load (&error);

  if (libsecret == NULL)
    g_task_return_error (task, error);
  return libsecret;
}

/* libsecret keeps the table itself until it is done. */
static GHashTable *
new_attributes (const char *kind)
{
  GHashTable *attributes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  g_hash_table_insert (attributes, (gpointer) "kind", g_strdup (kind));
  return attributes;
}

static const char *
get_kind (GmcpKeyringSecret *secret)
{
  if (gmcp_keyring_secret_is_for_daemon (secret))
    return KIND_DAEMON;
  if (gmcp_keyring_secret_is_input (secret))
    return KIND_INPUT;
  return gmcp_keyring_secret_get_path (secret) != NULL ? KIND_CONFINED : KIND_OWN;
}

/* All that there may be of a kind: what is left out matches anything. */
static GHashTable *
make_attributes (GmcpKeyringSecret *secret)
{
  const char *server_id = gmcp_keyring_secret_get_server_id (secret);
  const char *path = gmcp_keyring_secret_get_path (secret);
  gboolean is_input = gmcp_keyring_secret_is_input (secret);
  GHashTable *attributes = new_attributes (get_kind (secret));

  g_hash_table_insert (attributes, (gpointer) "name",
                       g_strdup (gmcp_keyring_secret_get_name (secret)));
  if (server_id != NULL)
    g_hash_table_insert (attributes, (gpointer) "server-id", g_strdup (server_id));
  if (is_input || path != NULL)
    g_hash_table_insert (attributes, (gpointer) "resource", g_strdup (path != NULL ? path : ""));
  return attributes;
}

static void
return_keyring_error (GTask *task, GError *error)
{
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_prefix_error (&error, "%s: ", _ ("the keyring cannot be used (is it there, and unlocked?)"));
  g_task_return_error (task, error);
}

static void
on_looked_up (GObject *object, GAsyncResult *result, gpointer data)
{
  const GmcpLibsecret *libsecret = gmcp_libsecret_load (NULL);
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  char *secret = libsecret->password_lookup_finish (result, &error);
  char *copy;

  if (error != NULL)
    {
      return_keyring_error (task, error);
      return;
    }

  /* Ours, so that it is freed like any other text. */
  copy = g_strdup (secret);
  libsecret->password_free (secret);
  g_task_return_pointer (task, copy, g_free);
}

void
gmcp_keyring_begin_lookup (GmcpKeyringSecret *secret, GTask *task)
{
  const GmcpLibsecret *libsecret = load_libsecret (task);
  g_autoptr (GHashTable) attributes = make_attributes (secret);

  if (libsecret == NULL)
    return;
  libsecret->password_lookupv (&schema, attributes, g_task_get_cancellable (task), on_looked_up,
                               g_object_ref (task));
}

static void
on_stored (GObject *object, GAsyncResult *result, gpointer data)
{
  const GmcpLibsecret *libsecret = gmcp_libsecret_load (NULL);
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (libsecret->password_store_finish (result, &error))
    g_task_return_boolean (task, TRUE);
  else
    return_keyring_error (task, error);
}

void
gmcp_keyring_begin_store (GmcpKeyringSecret *secret, const char *value, GTask *task)
{
  const GmcpLibsecret *libsecret = load_libsecret (task);
  g_autoptr (GHashTable) attributes = make_attributes (secret);

  if (libsecret == NULL)
    return;
  libsecret->password_storev (&schema, attributes, SECRET_COLLECTION_DEFAULT,
                              gmcp_keyring_secret_get_name (secret), value,
                              g_task_get_cancellable (task), on_stored, g_object_ref (task));
}

static void
on_removed (GObject *object, GAsyncResult *result, gpointer data)
{
  const GmcpLibsecret *libsecret = gmcp_libsecret_load (NULL);
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  gboolean removed = libsecret->password_clear_finish (result, &error);

  if (error != NULL)
    return_keyring_error (task, error);
  else
    g_task_return_boolean (task, removed);
}

void
gmcp_keyring_begin_remove (GmcpKeyringSecret *secret, GTask *task)
{
  const GmcpLibsecret *libsecret = load_libsecret (task);
  g_autoptr (GHashTable) attributes = make_attributes (secret);

  if (libsecret == NULL)
    return;
  libsecret->password_clearv (&schema, attributes, g_task_get_cancellable (task), on_removed,
                              g_object_ref (task));
}

/* What configurations can name, and no other. */
static const char *const kinds[] = { KIND_OWN, KIND_CONFINED, KIND_INPUT };

typedef struct
{
  GPtrArray *found;
  gsize next; /* of kinds */
} Listing;

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  g_clear_pointer (&listing->found, g_ptr_array_unref);
  g_free (listing);
}

static void
add_found (Listing *listing, SecretRetrievable *item)
{
  const GmcpLibsecret *libsecret = gmcp_libsecret_load (NULL);
  g_autoptr (GHashTable) attributes = libsecret->retrievable_get_attributes (item);
  const char *name = g_hash_table_lookup (attributes, "name");
  const char *server_id = g_hash_table_lookup (attributes, "server-id");
  const char *file = g_hash_table_lookup (attributes, "resource");

  if (file != NULL && *file == '\0')
    file = NULL;
  if (name == NULL)
    return;
  if (g_strcmp0 (g_hash_table_lookup (attributes, "kind"), KIND_INPUT) == 0)
    g_ptr_array_add (listing->found, gmcp_keyring_secret_new_for_input_of_path (name, file));
  else if ((server_id == NULL) == (file == NULL))
    g_ptr_array_add (listing->found, gmcp_keyring_secret_new_for_path (name, server_id, file));
}

static void list_next (GTask *task);

static void
on_found (GObject *object, GAsyncResult *result, gpointer data)
{
  const GmcpLibsecret *libsecret = gmcp_libsecret_load (NULL);
  g_autoptr (GTask) task = data;
  Listing *listing = g_task_get_task_data (task);
  GError *error = NULL;
  GList *items = libsecret->password_search_finish (result, &error);

  if (error != NULL)
    {
      return_keyring_error (task, error);
      return;
    }
  for (GList *l = items; l != NULL; l = l->next)
    add_found (listing, l->data);
  g_list_free_full (items, g_object_unref);
  list_next (task);
}

static void
list_next (GTask *task)
{
  const GmcpLibsecret *libsecret = gmcp_libsecret_load (NULL);
  Listing *listing = g_task_get_task_data (task);
  g_autoptr (GHashTable) attributes = NULL;

  if (listing->next == G_N_ELEMENTS (kinds))
    {
      g_task_return_pointer (task, g_steal_pointer (&listing->found),
                             (GDestroyNotify) g_ptr_array_unref);
      return;
    }

  attributes = new_attributes (kinds[listing->next++]);
  libsecret->password_searchv (&schema, attributes, SECRET_SEARCH_ALL,
                               g_task_get_cancellable (task), on_found, g_object_ref (task));
}

void
gmcp_keyring_begin_list (GTask *task)
{
  Listing *listing;

  if (load_libsecret (task) == NULL)
    return;

  listing = g_new0 (Listing, 1);
  listing->found = g_ptr_array_new_with_free_func (g_object_unref);
  g_task_set_task_data (task, listing, listing_free);
  list_next (task);
}

#else

static void
return_not_supported (GTask *task)
{
  g_task_return_new_error (
    task, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED, "%s",
    _ ("this build of gmcp does not look into the keyring: use a variable of "
       "the environment, or build it with libsecret"));
}

void
gmcp_keyring_begin_lookup (GmcpKeyringSecret *secret, GTask *task)
{
  return_not_supported (task);
}

void
gmcp_keyring_begin_store (GmcpKeyringSecret *secret, const char *value, GTask *task)
{
  return_not_supported (task);
}

void
gmcp_keyring_begin_remove (GmcpKeyringSecret *secret, GTask *task)
{
  return_not_supported (task);
}

void
gmcp_keyring_begin_list (GTask *task)
{
  return_not_supported (task);
}

#endif
