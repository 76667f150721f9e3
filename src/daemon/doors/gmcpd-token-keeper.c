/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>

#include <gmcp/config/filling/gmcp-keyring-secret.h>

#include "gmcpd-token-file.h"
#include "gmcpd-token-keeper.h"
#include "gmcpd-token.h"

/* A keyring that asks to be unlocked holds a door up for no longer: the bus gives a program that it starts 25 s. */
#define KEYRING_LIMIT_MS 10000

typedef struct
{
  char *path; /* of the file */
  GmcpKeyringSecret *secret;
  char *token;             /* a new one, on its way into the keyring */
  GCancellable *giving_up; /* on the keyring */
  GSource *limit;
} Search;

static void
end_limit (Search *search)
{
  if (search->limit != NULL)
    g_source_destroy (search->limit);
  g_clear_pointer (&search->limit, g_source_unref);
}

static void
search_free (gpointer data)
{
  Search *search = data;

  end_limit (search);
  g_object_unref (search->giving_up);
  g_object_unref (search->secret);
  g_free (search->token);
  g_free (search->path);
  g_free (search);
}

static char *
make_token (GError **error)
{
  char *token = gmcpd_token_make ();

  if (token == NULL)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
                 /* Translators: what the system says */
                 _ ("There are no random numbers to make a token of: %s"), g_strerror (errno));
  return token;
}

static void
make_file (GTask *task)
{
  const Search *search = g_task_get_task_data (task);
  GError *error = NULL;
  g_autofree char *token = make_token (&error);

  if (token != NULL && gmcpd_token_file_write (search->path, token, &error))
    g_task_return_pointer (task, g_steal_pointer (&token), g_free);
  else
    g_task_return_error (task, error);
}

static void
go_on_without_keyring (GTask *task, const GError *reason)
{
  const Search *search = g_task_get_task_data (task);
  g_autofree char *shown = NULL;

  if (g_task_return_error_if_cancelled (task))
    return;

  shown = g_filename_display_name (search->path);
  g_printerr (
    /* Translators: a file, and why the keyring was not used */
    _ ("gmcpd: a new token stands in the file “%s”, since it cannot be kept in the keyring: %s\n"),
    shown,
    g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? _ ("it does not answer")
                                                               : reason->message);
  make_file (task);
}

static void
on_stored (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Search *search = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  end_limit (search);
  if (gmcp_keyring_secret_store_finish (GMCP_KEYRING_SECRET (object), result, &error))
    g_task_return_pointer (task, g_steal_pointer (&search->token), g_free);
  else
    go_on_without_keyring (task, error);
}

static void
store_new_token (GTask *task)
{
  Search *search = g_task_get_task_data (task);
  GError *error = NULL;

  search->token = make_token (&error);
  if (search->token == NULL)
    {
      end_limit (search);
      g_task_return_error (task, error);
      return;
    }
  gmcp_keyring_secret_store_async (search->secret, search->token, search->giving_up, on_stored,
                                   g_object_ref (task));
}

static void
on_looked_up (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Search *search = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autofree char *token
    = gmcp_keyring_secret_lookup_finish (GMCP_KEYRING_SECRET (object), result, &error);

  if (error != NULL)
    {
      end_limit (search);
      go_on_without_keyring (task, error);
    }
  else if (token != NULL && gmcpd_token_is_sound (token))
    {
      end_limit (search);
      g_task_return_pointer (task, g_steal_pointer (&token), g_free);
    }
  else
    store_new_token (task);
}

static gboolean
on_limit (gpointer user_data)
{
  const Search *search = user_data;

  g_cancellable_cancel (search->giving_up);
  return G_SOURCE_REMOVE;
}

/* Over as well when the one that asked gives up. */
static void
start_limit (Search *search, GCancellable *cancellable)
{
  search->limit = g_timeout_source_new (KEYRING_LIMIT_MS);
  g_source_set_static_name (search->limit, "[gmcpd] time of the keyring");
  g_source_set_callback (search->limit, on_limit, search, NULL);
  if (cancellable != NULL)
    {
      g_autoptr (GSource) cancelled = g_cancellable_source_new (cancellable);

      g_source_set_dummy_callback (cancelled);
      g_source_add_child_source (search->limit, cancelled);
    }
  g_source_attach (search->limit, g_main_context_get_thread_default ());
}

void
gmcpd_token_keeper_ensure_async (const char *name,
                                 gboolean has_keyring,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Search *search = g_new0 (Search, 1);
  g_autofree char *token = NULL;
  GError *error = NULL;

  search->path = g_build_filename (g_get_user_state_dir (), "gmcp", name, NULL);
  search->secret = gmcp_keyring_secret_new_for_daemon (name);
  search->giving_up = g_cancellable_new ();
  g_task_set_source_tag (task, gmcpd_token_keeper_ensure_async);
  g_task_set_task_data (task, search, search_free);

  token = gmcpd_token_file_read (search->path, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else if (token != NULL)
    g_task_return_pointer (task, g_steal_pointer (&token), g_free);
  else if (!has_keyring)
    make_file (task);
  else
    {
      start_limit (search, cancellable);
      gmcp_keyring_secret_lookup_async (search->secret, search->giving_up, on_looked_up,
                                        g_object_ref (task));
    }
}

char *
gmcpd_token_keeper_ensure_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
