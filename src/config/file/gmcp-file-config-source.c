/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-load-private.h"
#include "gmcp-local-file-private.h"
#include "gmcp-config-source-policy-private.h"
#include "gmcp-config-trust-private.h"
#include "gmcp-file-config-source-private.h"
#include "gmcp-file-watch-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-server-config-private.h"
#include "gmcp-state-file-private.h"

#include <gmcp/core/gmcp-error.h>

/**
 * GmcpFileConfigSource:
 *
 * Servers from a file: JSON in the form that many hosts share, YAML or TOML.
 *
 * ```json
 * { "mcpServers": { "web": { "command": "mcp-web", "args": ["--fast"], "env": { "LEVEL": "2" } } } }
 * ```
 *
 * In JSON there may be comments, and a comma before a closing bracket. The servers stand below
 * `mcpServers`, `servers` or `mcp_servers`, in a map or in an array whose entries have an `id`, and
 * the keys of an entry go by the names that they have in the files of other programs too.
 *
 * A name that cannot be an id gets one made from it and stays as the title; two names that give the
 * same id are an error. All that is to be said about the file, with line and key, is in
 * [property@Gmcp.ConfigSource:findings].
 *
 * One wrong entry makes the file an error; what was read before stays then. In a file that need not be
 * there ([property@Gmcp.FileConfigSource:optional]) and has not been read without an error yet, an entry
 * that is wrong is left out instead, and so is a wrong value in `mcp_settings`: the other servers count,
 * and [signal@Gmcp.ConfigSource::problem-found] tells of each error. What is no JSON, YAML or TOML, or
 * wrong in rules, tiers or projects, is an error for the whole file in any case.
 *
 * From the first load on the file is watched. A change is taken when the file has been left alone for
 * [property@Gmcp.FileConfigSource:delay-ms]; a file that is wrong or empty then leaves what was read
 * before. One that is taken away takes its servers with it, and
 * [signal@Gmcp.ConfigSource::problem-found] tells so; they are back when it is.
 *
 * A file that belongs to a project ([property@Gmcp.FileConfigSource:project]) may come from anybody:
 * before the user trusts the file with just these contents ([method@Gmcp.FileConfigSource.set_trusted_async])
 * nothing in it counts. It is not even parsed then: there are no servers, and one warning among
 * [property@Gmcp.ConfigSource:findings] says so. What another program says of
 * that, as `gmcp config trust` does, is followed from a second after the first load on. A folder is one
 * by whatever path it is reached, and a file is trusted in the folder that it stands in: one that is a link
 * is not trusted by what it leads to.
 *
 * Servers of a project's file run in the workspace, and those of a file that has to be there
 * ([property@Gmcp.FileConfigSource:optional]) in its folder, unless their `cwd` says otherwise.
 *
 * Since: 0.1
 */
G_DEFINE_FINAL_TYPE (GmcpFileConfigSource, gmcp_file_config_source, GMCP_TYPE_CONFIG_SOURCE)

typedef enum
{
  PROP_FILE = 1,
  PROP_OPTIONAL,
  PROP_WORKSPACE,
  PROP_PROJECT,
  PROP_DELAY_MS,
  PROP_TRUSTED,
} GmcpFileConfigSourceProperty;

static GParamSpec *properties[PROP_TRUSTED + 1];

void
gmcp_file_config_source_take_trusted (GmcpFileConfigSource *self, gboolean trusted)
{
  if (self->trusted == trusted)
    return;

  self->trusted = trusted;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TRUSTED]);
}

/* What the store of trusted files calls the file. */
static char *
dup_trusted_as (GmcpFileConfigSource *self)
{
  return self->location != NULL ? g_strdup (self->location->trusted_as)
                                : g_file_get_uri (self->file);
}

char *
gmcp_file_config_source_dup_name (GmcpFileConfigSource *self)
{
  if (self->project && self->location != NULL)
    {
      g_autoptr (GFile) located = g_file_new_for_path (self->location->file);

      return g_file_get_parse_name (located);
    }

  return self->file != NULL ? g_file_get_parse_name (self->file) : g_strdup ("");
}

/* FALSE with an error for a source that was made without a file. */
static gboolean
has_file (GmcpFileConfigSource *self, GError **error)
{
  if (self->file != NULL)
    return TRUE;

  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                       _ ("The source has no file to read"));
  return FALSE;
}

static void
on_changed (gpointer data)
{
  gmcp_file_config_source_read (data, NULL);
}

static void
gmcp_file_config_source_load (GmcpConfigSource *source, GmcpConfigLoad *load)
{
  GmcpFileConfigSource *self = GMCP_FILE_CONFIG_SOURCE (source);
  g_autoptr (GError) error = NULL;

  if (!has_file (self, &error))
    {
      gmcp_config_load_return_error (load, error);
      return;
    }

  if (self->watch == NULL)
    {
      g_main_context_push_thread_default (self->context);
      self->watch = gmcp_file_watch_new (self->file, self->delay_ms, on_changed, self);
      g_main_context_pop_thread_default (self->context);
    }
  gmcp_file_config_source_watch_trust (self);
  gmcp_file_config_source_read (self, load);
}

static void
gmcp_file_config_source_constructed (GObject *object)
{
  GmcpFileConfigSource *self = GMCP_FILE_CONFIG_SOURCE (object);

  G_OBJECT_CLASS (gmcp_file_config_source_parent_class)->constructed (object);

  self->context = g_main_context_ref_thread_default ();
  self->trusted = !self->project;
}

static void
gmcp_file_config_source_dispose (GObject *object)
{
  GmcpFileConfigSource *self = GMCP_FILE_CONFIG_SOURCE (object);

  g_clear_pointer (&self->watch, gmcp_file_watch_free);
  gmcp_file_config_source_unwatch_trust (self);

  G_OBJECT_CLASS (gmcp_file_config_source_parent_class)->dispose (object);
}

static void
gmcp_file_config_source_finalize (GObject *object)
{
  GmcpFileConfigSource *self = GMCP_FILE_CONFIG_SOURCE (object);

  g_clear_object (&self->file);
  g_free (self->workspace);
  g_free (self->hash);
  g_clear_pointer (&self->location, gmcp_config_location_unref);
  g_clear_pointer (&self->contents, gmcp_config_contents_free);
  g_clear_pointer (&self->refused, gmcp_config_contents_free);
  g_clear_error (&self->failure);
  g_ptr_array_unref (self->overtaken);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (gmcp_file_config_source_parent_class)->finalize (object);
}

static void
gmcp_file_config_source_get_property (GObject *object,
                                      guint prop_id,
                                      GValue *value,
                                      GParamSpec *pspec)
{
  GmcpFileConfigSource *self = GMCP_FILE_CONFIG_SOURCE (object);

  switch ((GmcpFileConfigSourceProperty) prop_id)
    {
    case PROP_FILE:
      g_value_set_object (value, self->file);
      break;
    case PROP_OPTIONAL:
      g_value_set_boolean (value, self->optional);
      break;
    case PROP_WORKSPACE:
      g_value_take_object (value, gmcp_file_new_for_path_or_null (self->workspace));
      break;
    case PROP_PROJECT:
      g_value_set_boolean (value, self->project);
      break;
    case PROP_DELAY_MS:
      g_value_set_uint (value, self->delay_ms);
      break;
    case PROP_TRUSTED:
      g_value_set_boolean (value, self->trusted);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_file_config_source_set_property (GObject *object,
                                      guint prop_id,
                                      const GValue *value,
                                      GParamSpec *pspec)
{
  GmcpFileConfigSource *self = GMCP_FILE_CONFIG_SOURCE (object);

  switch ((GmcpFileConfigSourceProperty) prop_id)
    {
    case PROP_FILE:
      self->file = g_value_dup_object (value);
      break;
    case PROP_OPTIONAL:
      self->optional = g_value_get_boolean (value);
      break;
    case PROP_WORKSPACE:
      self->workspace = g_strdup (gmcp_file_peek_path_or_null (g_value_get_object (value)));
      break;
    case PROP_PROJECT:
      self->project = g_value_get_boolean (value);
      break;
    case PROP_DELAY_MS:
      self->delay_ms = g_value_get_uint (value);
      break;
    case PROP_TRUSTED:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_file_config_source_class_init (GmcpFileConfigSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = gmcp_file_config_source_constructed;
  object_class->dispose = gmcp_file_config_source_dispose;
  object_class->finalize = gmcp_file_config_source_finalize;
  object_class->get_property = gmcp_file_config_source_get_property;
  object_class->set_property = gmcp_file_config_source_set_property;
  GMCP_CONFIG_SOURCE_CLASS (klass)->load = gmcp_file_config_source_load;
  GMCP_CONFIG_SOURCE_CLASS (klass)->keeps_time = TRUE;

  /**
   * GmcpFileConfigSource:file: (getter get_file)
   *
   * The file.
   *
   * Since: 0.1
   */
  properties[PROP_FILE] = g_param_spec_object ("file", NULL, NULL, G_TYPE_FILE, flags);

  /**
   * GmcpFileConfigSource:optional:
   *
   * Whether a file that is not there stands for no servers, rather than for an error, and wrong entries
   * are left out where the file was not well before.
   *
   * Since: 0.1
   */
  properties[PROP_OPTIONAL] = g_param_spec_boolean ("optional", NULL, NULL, FALSE, flags);

  /**
   * GmcpFileConfigSource:workspace:
   *
   * The folder that `{workspace}` and `${workspaceFolder}` stand for in the file; %NULL for the
   * manager's, or, in a project's file, for the folder that the file is in.
   *
   * Since: 0.1
   */
  properties[PROP_WORKSPACE] = g_param_spec_object ("workspace", NULL, NULL, G_TYPE_FILE, flags);

  /**
   * GmcpFileConfigSource:project:
   *
   * Whether the file belongs to a project, and so has to be trusted first.
   *
   * Since: 0.1
   */
  properties[PROP_PROJECT] = g_param_spec_boolean ("project", NULL, NULL, FALSE, flags);

  /**
   * GmcpFileConfigSource:delay-ms:
   *
   * How long the file has to be left alone after a change before it is read, in milliseconds.
   *
   * Since: 0.1
   */
  properties[PROP_DELAY_MS] = g_param_spec_uint ("delay-ms", NULL, NULL, 0, G_MAXUINT,
                                                 GMCP_DEFAULT_SETTINGS_DELAY_MS, flags);

  /**
   * GmcpFileConfigSource:trusted: (getter is_trusted)
   *
   * Whether the servers of the file may run.
   *
   * Since: 0.1
   */
  properties[PROP_TRUSTED]
    = g_param_spec_boolean ("trusted", NULL, NULL, TRUE,
                            G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_file_config_source_init (GmcpFileConfigSource *self)
{
  self->overtaken = g_ptr_array_new_with_free_func (g_object_unref);
}

/**
 * gmcp_file_config_source_new:
 * @file: a file; it need not be there before the configuration is loaded
 *
 * Makes a source for the servers of a file. The end of its name says which format it has: `.yaml` and
 * `.yml`, `.toml`, and JSON for any other.
 *
 * Returns: (transfer full): a source
 *
 * Since: 0.1
 */
GmcpFileConfigSource *
gmcp_file_config_source_new (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  return g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", file, NULL);
}

/**
 * gmcp_file_config_source_get_file:
 * @self: a source
 *
 * Gives the file.
 *
 * Returns: (transfer none) (nullable): the file; %NULL for a source that was made without one
 *
 * Since: 0.1
 */
GFile *
gmcp_file_config_source_get_file (GmcpFileConfigSource *self)
{
  g_return_val_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self), NULL);

  return self->file;
}

/**
 * gmcp_file_config_source_is_trusted:
 * @self: a source
 *
 * Says whether the servers of the file may run: those of a project's file only once the user trusts it
 * with the contents that were read last.
 *
 * Returns: whether they may
 *
 * Since: 0.1
 */
gboolean
gmcp_file_config_source_is_trusted (GmcpFileConfigSource *self)
{
  g_return_val_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self), FALSE);

  return self->trusted;
}

static void
on_stored (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpFileConfigSource *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;

  if (!gmcp_config_trust_store_finish (result, &error))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }

  gmcp_file_config_source_read (self, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
store_trust (GmcpFileConfigSource *self, const char *server_id, gboolean wanted, GTask *task)
{
  GError *error = NULL;

  if (!has_file (self, &error))
    g_task_return_error (task, error);
  else if (self->hash == NULL)
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, "%s",
                             _ ("Only the file of a project that has been read can be trusted"));
  else
    {
      g_autofree char *path = dup_trusted_as (self);

      gmcp_config_trust_store_async (path, server_id, wanted ? self->hash : NULL,
                                     g_task_get_cancellable (task), on_stored, g_object_ref (task));
    }
}

/**
 * gmcp_file_config_source_set_trusted_async:
 * @self: the source of a project's file, which has been loaded
 * @trusted: whether its servers may run
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Remembers that the user trusts the file with the contents that were read last, or does not trust it
 * any more; when it changes it has to be trusted anew. The servers follow. A server whose id stands
 * elsewhere, too, needs [method@Gmcp.FileConfigSource.set_approved_async] beside that. Fails with
 * %GMCP_ERROR_INVALID_CONFIG where the file has not been read, and with I/O errors.
 *
 * Since: 0.1
 */
void
gmcp_file_config_source_set_trusted_async (GmcpFileConfigSource *self,
                                           gboolean trusted,
                                           GCancellable *cancellable,
                                           GAsyncReadyCallback callback,
                                           gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_file_config_source_set_trusted_async);
  if (!g_task_return_error_if_cancelled (task))
    store_trust (self, NULL, trusted, task);
}

/**
 * gmcp_file_config_source_set_trusted_finish:
 * @self: a source
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.FileConfigSource.set_trusted_async].
 *
 * Returns: whether it is remembered
 *
 * Since: 0.1
 */
gboolean
gmcp_file_config_source_set_trusted_finish (GmcpFileConfigSource *self,
                                            GAsyncResult *result,
                                            GError **error)
{
  g_return_val_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (
    g_async_result_is_tagged (result, gmcp_file_config_source_set_trusted_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * gmcp_file_config_source_set_approved_async:
 * @self: the source of a project's file, which has been loaded
 * @server_id: the id of a server in it
 * @approved: whether it may stand in for another
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Remembers that the server of this file is to be taken, and not one of the same id that stands in
 * another place, as long as the file has the contents that were read last and is trusted; or that it
 * is not any more. Fails with %GMCP_ERROR_NOT_CONFIGURED where no such server is in the file, with
 * %GMCP_ERROR_INVALID_CONFIG where the file has not been read, and with I/O errors.
 *
 * Since: 0.1
 */
void
gmcp_file_config_source_set_approved_async (GmcpFileConfigSource *self,
                                            const char *server_id,
                                            gboolean approved,
                                            GCancellable *cancellable,
                                            GAsyncReadyCallback callback,
                                            gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self));
  g_return_if_fail (server_id != NULL);
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_file_config_source_set_approved_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (approved && self->contents != NULL
      && !g_hash_table_contains (self->contents->lines, server_id))
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                             _ ("There is no server “%s” in the file"), server_id);
  else
    store_trust (self, server_id, approved, task);
}

/**
 * gmcp_file_config_source_set_approved_finish:
 * @self: a source
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.FileConfigSource.set_approved_async].
 *
 * Returns: whether it is remembered
 *
 * Since: 0.1
 */
gboolean
gmcp_file_config_source_set_approved_finish (GmcpFileConfigSource *self,
                                             GAsyncResult *result,
                                             GError **error)
{
  g_return_val_if_fail (GMCP_IS_FILE_CONFIG_SOURCE (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (
    g_async_result_is_tagged (result, gmcp_file_config_source_set_approved_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

GmcpConfigContents *
gmcp_file_config_source_peek_contents (GmcpFileConfigSource *self)
{
  return self->contents;
}

GmcpConfigContents *
gmcp_file_config_source_peek_refused (GmcpFileConfigSource *self)
{
  return self->refused;
}
