/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-contents-private.h"
#include "gmcp-local-file-private.h"
#include "gmcp-config-location-private.h"
#include "gmcp-config-review-text-private.h"
#include "gmcp-config-trust-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-state-file-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/config/file/gmcp-config-review.h>

/**
 * GmcpConfigReview:
 *
 * The file of a project as it was read once, for somebody who is to say whether to trust it: all of it as
 * text, and the way to trust just that. When the file changes between the two, what was
 * agreed to is not what is there, and does not run.
 *
 * Since: 0.1
 */
struct _GmcpConfigReview
{
  GObject parent_instance;

  GmcpConfigLocation *location;
  char *hash;
  char *text;
  GListStore *servers;
};

G_DEFINE_FINAL_TYPE (GmcpConfigReview, gmcp_config_review, G_TYPE_OBJECT)

static void
gmcp_config_review_finalize (GObject *object)
{
  GmcpConfigReview *self = GMCP_CONFIG_REVIEW (object);

  g_clear_pointer (&self->location, gmcp_config_location_unref);
  g_free (self->hash);
  g_free (self->text);
  g_object_unref (self->servers);

  G_OBJECT_CLASS (gmcp_config_review_parent_class)->finalize (object);
}

static void
gmcp_config_review_class_init (GmcpConfigReviewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_config_review_finalize;
}

static void
gmcp_config_review_init (GmcpConfigReview *self)
{
  self->servers = g_list_store_new (GMCP_TYPE_SERVER_CONFIG);
}

/* FALSE with an error where the text is wrong: what is left out now could be there once it is trusted. */
static gboolean
take_text (GmcpConfigReview *self, const char *text, gsize length, GError **error)
{
  g_autofree char *name = g_filename_display_name (self->location->file);
  GmcpConfigFormat format = gmcp_config_format_guess (name);
  g_autoptr (GmcpConfigContents) contents
    = gmcp_config_contents_read (text, length, format, name, self->location->folder, NULL, error);
  g_autoptr (GmcpConfigDocument) document = NULL;
  guint line;

  if (contents == NULL)
    return FALSE;
  document = gmcp_config_document_parse (text, length, format, &line, error);
  if (document == NULL)
    return FALSE;

  self->hash = gmcp_config_trust_hash (text, length);
  self->text = gmcp_config_review_describe (contents, document, self->location->folder);
  g_list_store_splice (self->servers, 0, 0, contents->servers->pdata, contents->servers->len);
  return TRUE;
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpConfigReview *self = g_task_get_task_data (task);
  g_autofree char *name = g_filename_display_name (self->location->file);
  GError *error = NULL;
  g_autoptr (GBytes) bytes = gmcp_state_file_read_finish (result, &error);
  g_autofree char *text = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, error);
      return;
    }
  if (bytes == NULL)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                               _ ("The configuration file %s cannot be read: %s"), name,
                               error != NULL ? error->message : _ ("it is not there"));
      g_clear_error (&error);
      return;
    }
  if (g_bytes_get_size (bytes) > GMCP_LIMIT_CONFIG_FILE_BYTES)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                               _ ("%s: larger than a configuration may be (%u bytes)"), name,
                               GMCP_LIMIT_CONFIG_FILE_BYTES);
      return;
    }

  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  if (take_text (self, text, g_bytes_get_size (bytes), &error))
    g_task_return_pointer (task, g_object_ref (self), g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
on_located (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpConfigReview *self = g_task_get_task_data (task);
  GError *error = NULL;

  self->location = gmcp_config_location_find_finish (result, &error);
  if (self->location == NULL)
    g_task_return_error (task, error);
  else
    gmcp_state_file_read_async (self->location->file, g_task_get_cancellable (task), on_read,
                                g_object_ref (task));
}

/**
 * gmcp_config_review_read_async:
 * @file: the file of a project
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads a file that nobody trusts yet. Nothing in it takes effect. Fails with [error@Gmcp.Error]
 * `INVALID_CONFIG` where it cannot be read, or something in it is wrong.
 *
 * Since: 0.1
 */
void
gmcp_config_review_read_async (GFile *file,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  const char *path;

  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_config_review_read_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  path = g_file_peek_path (file);
  if (path == NULL)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, "%s",
                               _ ("Only a file on this computer can be trusted"));
      return;
    }
  g_task_set_task_data (task, g_object_new (GMCP_TYPE_CONFIG_REVIEW, NULL), g_object_unref);
  gmcp_config_location_find_async (path, NULL, TRUE, cancellable, on_located,
                                   g_steal_pointer (&task));
}

/**
 * gmcp_config_review_read_finish:
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [func@Gmcp.ConfigReview.read_async].
 *
 * Returns: (transfer full): what was read
 *
 * Since: 0.1
 */
GmcpConfigReview *
gmcp_config_review_read_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_review_read_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gmcp_config_review_dup_file:
 * @self: a review
 *
 * Gives the file, in the folder that it really is in. Its path may hold anything that a name can:
 * [func@Gmcp.dup_visible_line] is for showing it.
 *
 * Returns: (transfer full): the file
 *
 * Since: 0.1
 */
GFile *
gmcp_config_review_dup_file (GmcpConfigReview *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_REVIEW (self), NULL);

  return gmcp_file_new_for_path_or_null (self->location != NULL ? self->location->file : NULL);
}

/**
 * gmcp_config_review_get_text:
 * @self: a review
 *
 * Gives all that the file says, for somebody to read before it is trusted: for each server its command
 * and every argument, environment, headers, folder and all else that is said of it, and what else the file
 * says. Nothing is cut or redacted, variables are as they are written, each secret and variable that a
 * server would be given is named, and nothing is hidden ([func@Gmcp.dup_visible_text]).
 *
 * Returns: several lines
 *
 * Since: 0.1
 */
const char *
gmcp_config_review_get_text (GmcpConfigReview *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_REVIEW (self), NULL);

  return self->text;
}

/**
 * gmcp_config_review_get_servers:
 * @self: a review
 *
 * Gives the servers of the file.
 *
 * Returns: (transfer none): a list of [class@Gmcp.ServerConfig], which does not change
 *
 * Since: 0.1
 */
GListModel *
gmcp_config_review_get_servers (GmcpConfigReview *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_REVIEW (self), NULL);

  return G_LIST_MODEL (self->servers);
}

/* What is still to be stored: the ids of servers, and last of all the file. */
typedef struct
{
  GStrv ids;
  gsize next;
} Storing;

static void
storing_free (gpointer data)
{
  Storing *storing = data;

  g_strfreev (storing->ids);
  g_free (storing);
}

static void store_next (GTask *task);

static void
on_stored (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Storing *storing = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gmcp_config_trust_store_finish (result, &error))
    g_task_return_error (task, error);
  else if (storing->next > g_strv_length (storing->ids))
    g_task_return_boolean (task, TRUE);
  else
    store_next (task);
}

static void
store_next (GTask *task)
{
  GmcpConfigReview *self = g_task_get_source_object (task);
  Storing *storing = g_task_get_task_data (task);

  gmcp_config_trust_store_async (self->location->trusted_as, storing->ids[storing->next++],
                                 self->hash, g_task_get_cancellable (task), on_stored,
                                 g_object_ref (task));
}

static gboolean
has_server (GmcpConfigReview *self, const char *id)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->servers)); i++)
    {
      g_autoptr (GmcpServerConfig) config = g_list_model_get_item (G_LIST_MODEL (self->servers), i);

      if (g_str_equal (gmcp_server_config_get_id (config), id))
        return TRUE;
    }
  return FALSE;
}

/**
 * gmcp_config_review_trust_async:
 * @self: a review
 * @server_ids: (nullable) (array zero-terminated=1): ids of servers in it that take the place of others of
 *   that id, or %NULL
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Remembers that the user trusts the file with the contents of this review, and no others; programs that
 * run follow. That is the whole file with all of its servers, whatever @server_ids says: a server whose id
 * stands elsewhere, too, is taken in the place of that one only where @server_ids has it. Fails with [error@Gmcp.Error] `NOT_CONFIGURED` where one of @server_ids is not in it, and
 * trusts nothing then.
 *
 * Since: 0.1
 */
void
gmcp_config_review_trust_async (GmcpConfigReview *self,
                                const char *const *server_ids,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Storing *storing;

  g_return_if_fail (GMCP_IS_CONFIG_REVIEW (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_config_review_trust_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (self->location == NULL)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, "%s",
                               _ ("The review has read no file"));
      return;
    }
  for (gsize i = 0; server_ids != NULL && server_ids[i] != NULL; i++)
    {
      if (has_server (self, server_ids[i]))
        continue;
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                               _ ("There is no server “%s” in the file"), server_ids[i]);
      return;
    }

  storing = g_new0 (Storing, 1);
  storing->ids = server_ids != NULL ? g_strdupv ((char **) server_ids) : g_new0 (char *, 1);
  g_task_set_task_data (task, storing, storing_free);
  store_next (task);
}

/**
 * gmcp_config_review_trust_finish:
 * @self: a review
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ConfigReview.trust_async].
 *
 * Returns: whether that was remembered
 *
 * Since: 0.1
 */
gboolean
gmcp_config_review_trust_finish (GmcpConfigReview *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_REVIEW (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_review_trust_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
