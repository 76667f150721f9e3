/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-import-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-settings-schema-private.h"
#include "gmcp-settings-server-private.h"
#include "gmcp-state-file-private.h"

#include <gmcp/core/gmcp-error.h>

/**
 * GmcpConfigImport:
 *
 * Servers that another program has in its configuration, on their way into the configuration here.
 *
 * After [method@Gmcp.ConfigImport.load_async] the [property@Gmcp.ConfigImport:items] say what importing
 * each of the servers does: which would be added, what would change about one that is there, which
 * cannot be imported, and why. Nothing is written before [method@Gmcp.ConfigImport.apply_async].
 *
 * The servers go into the settings, where the session keeps settings, or else into
 * `$XDG_CONFIG_HOME/mcp/mcp.json`, or into the file that [property@Gmcp.ConfigImport:target-file] names.
 * Of a file all stays as it is, comments among it, but for the servers that are imported; what cannot
 * be written without loss is not.
 *
 * Variables of the other program are turned into those that have the same meaning here.
 *
 * Since: 0.1
 */

G_DEFINE_FINAL_TYPE (GmcpConfigImport, gmcp_config_import, G_TYPE_OBJECT)

typedef enum
{
  PROP_PROGRAM = 1,
  PROP_FILE,
  PROP_BACKEND,
  PROP_TARGET_FILE,
  PROP_ITEMS,
} GmcpConfigImportProperty;

static GParamSpec *properties[PROP_ITEMS + 1];

/* Whether what is written to the settings is there the next time. */
static gboolean
keeps_settings (void)
{
  g_autoptr (GSettingsBackend) backend = g_settings_backend_get_default ();
  const char *type = G_OBJECT_TYPE_NAME (backend);
  g_autoptr (GSettingsSchema) schema = gmcp_settings_lookup_server_schema (NULL);
  g_autofree char *bus = g_build_filename (g_get_user_runtime_dir (), "bus", NULL);

  if (schema == NULL || g_str_equal (type, "GMemorySettingsBackend")
      || g_str_equal (type, "GNullSettingsBackend"))
    return FALSE;
  return !g_str_equal (type, "DConfSettingsBackend")
         || g_getenv ("DBUS_SESSION_BUS_ADDRESS") != NULL || g_file_test (bus, G_FILE_TEST_EXISTS);
}

static void
gmcp_config_import_constructed (GObject *object)
{
  GmcpConfigImport *self = GMCP_CONFIG_IMPORT (object);
  g_autofree char *path = NULL;

  G_OBJECT_CLASS (gmcp_config_import_parent_class)->constructed (object);

  if (self->program_name != NULL)
    {
      self->program = gmcp_config_foreign_look_up (self->program_name);
    }
  else if (g_file_peek_path (self->file) != NULL)
    {
      self->program = gmcp_config_foreign_guess (g_file_peek_path (self->file));
    }
  if (self->backend != NULL || keeps_settings ())
    return;
  path = g_build_filename (g_get_user_config_dir (), "mcp", "mcp.json", NULL);
  self->target_file = g_file_new_for_path (path);
}

static void
drop_preview (GmcpConfigImport *self)
{
  self->loaded = FALSE;
  g_clear_pointer (&self->target_text, g_bytes_unref);
  g_clear_pointer (&self->target_folder, g_free);
  g_clear_object (&self->manager_settings);
}

static void
gmcp_config_import_finalize (GObject *object)
{
  GmcpConfigImport *self = GMCP_CONFIG_IMPORT (object);

  drop_preview (self);
  g_free (self->program_name);
  g_clear_object (&self->file);
  g_clear_object (&self->target_file);
  g_clear_object (&self->backend);
  g_clear_object (&self->items);

  G_OBJECT_CLASS (gmcp_config_import_parent_class)->finalize (object);
}

static void
gmcp_config_import_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpConfigImport *self = GMCP_CONFIG_IMPORT (object);

  switch ((GmcpConfigImportProperty) prop_id)
    {
    case PROP_PROGRAM:
      g_value_set_string (value, gmcp_config_import_get_program (self));
      break;
    case PROP_FILE:
      g_value_set_object (value, self->file);
      break;
    case PROP_BACKEND:
      g_value_set_object (value, self->backend);
      break;
    case PROP_TARGET_FILE:
      g_value_set_object (value, self->target_file);
      break;
    case PROP_ITEMS:
      g_value_set_object (value, self->items);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_config_import_set_property (GObject *object,
                                 guint prop_id,
                                 const GValue *value,
                                 GParamSpec *pspec)
{
  GmcpConfigImport *self = GMCP_CONFIG_IMPORT (object);

  switch ((GmcpConfigImportProperty) prop_id)
    {
    case PROP_PROGRAM:
      self->program_name = g_value_dup_string (value);
      break;
    case PROP_FILE:
      self->file = g_value_dup_object (value);
      break;
    case PROP_BACKEND:
      self->backend = g_value_dup_object (value);
      break;
    case PROP_TARGET_FILE:
      gmcp_config_import_set_target_file (self, g_value_get_object (value));
      break;
    case PROP_ITEMS:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_config_import_class_init (GmcpConfigImportClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = gmcp_config_import_constructed;
  object_class->finalize = gmcp_config_import_finalize;
  object_class->get_property = gmcp_config_import_get_property;
  object_class->set_property = gmcp_config_import_set_property;

  /**
   * GmcpConfigImport:program: (getter get_program)
   *
   * The program whose file it is, as [func@Gmcp.ConfigImport.list_programs] names it; %NULL to find
   * that out, and for a file of servers that is no program's in particular.
   *
   * Since: 0.1
   */
  properties[PROP_PROGRAM] = g_param_spec_string ("program", NULL, NULL, NULL, flags);

  /**
   * GmcpConfigImport:file: (getter get_file)
   *
   * The file that is imported from.
   *
   * Since: 0.1
   */
  properties[PROP_FILE] = g_param_spec_object ("file", NULL, NULL, G_TYPE_FILE, flags);

  /**
   * GmcpConfigImport:backend:
   *
   * The `GSettingsBackend` to write to; %NULL for the one of the session.
   *
   * Since: 0.1
   */
  properties[PROP_BACKEND]
    = g_param_spec_object ("backend", NULL, NULL, G_TYPE_SETTINGS_BACKEND, flags);

  /**
   * GmcpConfigImport:target-file: (getter get_target_file) (setter set_target_file)
   *
   * The JSON file that is imported to; %NULL for the settings.
   *
   * Since: 0.1
   */
  properties[PROP_TARGET_FILE]
    = g_param_spec_object ("target-file", NULL, NULL, G_TYPE_FILE,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  /**
   * GmcpConfigImport:items: (getter get_items)
   *
   * What there is to import, as a list of [class@Gmcp.ConfigImportItem]; empty before it was loaded.
   *
   * Since: 0.1
   */
  properties[PROP_ITEMS] = g_param_spec_object ("items", NULL, NULL, G_TYPE_LIST_MODEL,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_config_import_init (GmcpConfigImport *self)
{
  self->items = g_list_store_new (GMCP_TYPE_CONFIG_IMPORT_ITEM);
}

/**
 * gmcp_config_import_new:
 * @program: (nullable): the program whose file it is; %NULL to find that out
 * @file: the file to import from
 *
 * Makes an import. Nothing is read before it is loaded.
 *
 * Returns: (transfer full): an import
 *
 * Since: 0.1
 */
GmcpConfigImport *
gmcp_config_import_new (const char *program, GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  return g_object_new (GMCP_TYPE_CONFIG_IMPORT, "program", program, "file", file, NULL);
}

/**
 * gmcp_config_import_list_programs:
 *
 * Lists the programs whose configuration can be imported, such as `claude-desktop`.
 *
 * Returns: (transfer full) (array zero-terminated=1): their names
 *
 * Since: 0.1
 */
char **
gmcp_config_import_list_programs (void)
{
  gsize n_programs;
  const GmcpConfigForeign *programs = gmcp_config_foreign_get_all (&n_programs);
  char **names = g_new0 (char *, n_programs + 1);

  for (gsize i = 0; i < n_programs; i++)
    names[i] = g_strdup (programs[i].name);
  return names;
}

/**
 * gmcp_config_import_get_program: (get-property program)
 * @self: an import
 *
 * Gives the program whose file it is. It may be known only once the file was read.
 *
 * Returns: (nullable): its name; %NULL for a file that is no program's in particular
 *
 * Since: 0.1
 */
const char *
gmcp_config_import_get_program (GmcpConfigImport *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT (self), NULL);

  return self->program != NULL ? self->program->name : self->program_name;
}

/**
 * gmcp_config_import_get_title:
 * @self: an import
 *
 * Gives the name of the program for people to read.
 *
 * Returns: (nullable): its title; %NULL for a file that is no program's in particular
 *
 * Since: 0.1
 */
const char *
gmcp_config_import_get_title (GmcpConfigImport *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT (self), NULL);

  return self->program != NULL ? self->program->title : NULL;
}

/**
 * gmcp_config_import_get_file: (get-property file)
 * @self: an import
 *
 * Gives the file that is imported from.
 *
 * Returns: (transfer none): a file
 *
 * Since: 0.1
 */
GFile *
gmcp_config_import_get_file (GmcpConfigImport *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT (self), NULL);

  return self->file;
}

/**
 * gmcp_config_import_get_target_file: (get-property target-file)
 * @self: an import
 *
 * Gives the file that is imported to.
 *
 * Returns: (transfer none) (nullable): a file; %NULL for the settings
 *
 * Since: 0.1
 */
GFile *
gmcp_config_import_get_target_file (GmcpConfigImport *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT (self), NULL);

  return self->target_file;
}

/**
 * gmcp_config_import_set_target_file: (set-property target-file)
 * @self: an import
 * @file: (nullable): a JSON file, which need not be there; %NULL for the settings
 *
 * Sets what is imported to. What was loaded does not count any more.
 *
 * Since: 0.1
 */
void
gmcp_config_import_set_target_file (GmcpConfigImport *self, GFile *file)
{
  g_return_if_fail (GMCP_IS_CONFIG_IMPORT (self));
  g_return_if_fail (file == NULL || G_IS_FILE (file));

  if (!g_set_object (&self->target_file, file))
    return;

  drop_preview (self);
  g_list_store_remove_all (self->items);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TARGET_FILE]);
}

/**
 * gmcp_config_import_get_items: (get-property items)
 * @self: an import
 *
 * Gives what there is to import, as [class@Gmcp.ConfigImportItem].
 *
 * Returns: (transfer none): a list
 *
 * Since: 0.1
 */
GListModel *
gmcp_config_import_get_items (GmcpConfigImport *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT (self), NULL);

  return G_LIST_MODEL (self->items);
}

gboolean
gmcp_config_import_open_settings (GmcpConfigImport *self, GError **error)
{
  g_autoptr (GSettingsSchema) schema = gmcp_settings_lookup_manager_schema (error);

  if (schema == NULL)
    return FALSE;
  g_clear_object (&self->manager_settings);
  self->manager_settings = g_settings_new_full (schema, self->backend, NULL);
  return TRUE;
}

GSettings *
gmcp_config_import_open_server (GmcpConfigImport *self, const char *id)
{
  g_autofree char *path = g_strconcat (GMCP_SETTINGS_SERVERS_PATH, id, "/", NULL);
  g_autoptr (GSettingsSchema) schema = gmcp_settings_lookup_server_schema (NULL);

  return schema != NULL ? g_settings_new_full (schema, self->backend, path) : NULL;
}

static void
add_present (GHashTable *present, GmcpServerConfig *config)
{
  g_hash_table_insert (present, g_strdup (gmcp_server_config_get_id (config)), config);
}

static gboolean
list_in_settings (GmcpConfigImport *self, GHashTable *present, GError **error)
{
  g_auto (GStrv) ids = NULL;
  g_autoptr (GSettingsSchema) schema = gmcp_settings_lookup_server_schema (error);

  if (schema == NULL || !gmcp_config_import_open_settings (self, error))
    return FALSE;

  ids = g_settings_get_strv (self->manager_settings, "servers");
  for (gsize i = 0; ids[i] != NULL; i++)
    {
      g_autoptr (GSettings) settings = NULL;

      if (!gmcp_server_config_is_valid_id (ids[i]))
        continue;
      settings = gmcp_config_import_open_server (self, ids[i]);
      add_present (present, gmcp_settings_read_server (settings, ids[i]));
    }
  return TRUE;
}

gboolean
gmcp_config_import_is_blank (GBytes *text)
{
  gsize length;
  const char *data = g_bytes_get_data (text, &length);

  for (gsize i = 0; i < length; i++)
    {
      if (!g_ascii_isspace (data[i]))
        return FALSE;
    }
  return TRUE;
}

static gboolean
list_in_file (GmcpConfigImport *self, GHashTable *present, GError **error)
{
  g_autoptr (GmcpConfigContents) contents = NULL;
  gsize length;
  const char *text;
  g_autofree char *name = g_file_get_parse_name (self->target_file);

  if (gmcp_config_format_guess (name) != GMCP_CONFIG_FORMAT_JSON)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                   _ ("%s: servers are imported into JSON files only"), name);
      return FALSE;
    }
  if (self->target_text == NULL)
    return TRUE;

  text = g_bytes_get_data (self->target_text, &length);
  contents = gmcp_config_contents_read (text, length, GMCP_CONFIG_FORMAT_JSON, name,
                                        self->target_folder, NULL, error);
  if (contents == NULL)
    return FALSE;
  for (guint i = 0; i < contents->servers->len; i++)
    add_present (present, g_object_ref (g_ptr_array_index (contents->servers, i)));
  return TRUE;
}

GHashTable *
gmcp_config_import_list_present (GmcpConfigImport *self, GError **error)
{
  g_autoptr (GHashTable) present
    = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  gboolean done = self->target_file != NULL ? list_in_file (self, present, error)
                                            : list_in_settings (self, present, error);

  return done ? g_steal_pointer (&present) : NULL;
}

static gboolean
check_size (GBytes *text, const char *name, GError **error)
{
  if (g_bytes_get_size (text) <= GMCP_LIMIT_CONFIG_FILE_BYTES)
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
               _ ("%s: larger than a configuration may be (%u bytes)"), name,
               GMCP_LIMIT_CONFIG_FILE_BYTES);
  return FALSE;
}

static gboolean
preview (GmcpConfigImport *self, GBytes *source, GError **error)
{
  g_autofree char *name = g_file_get_parse_name (self->file);
  g_autoptr (GFile) parent = g_file_get_parent (self->file);
  g_autofree char *folder = parent != NULL ? g_file_get_path (parent) : NULL;
  g_autoptr (GPtrArray) findings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GmcpConfigContents) contents = NULL;
  g_autoptr (GHashTable) present = NULL;
  g_autoptr (GPtrArray) items = NULL;
  gsize length;
  const char *text = g_bytes_get_data (source, &length);

  if (!check_size (source, name, error))
    return FALSE;
  contents = gmcp_config_contents_read_foreign (text != NULL ? text : "", length, &self->program,
                                                name, folder, findings, error);
  present = contents != NULL ? gmcp_config_import_list_present (self, error) : NULL;
  if (present == NULL)
    return FALSE;

  items = gmcp_config_import_plan (self, contents, findings, present);
  g_list_store_splice (self->items, 0, g_list_model_get_n_items (G_LIST_MODEL (self->items)),
                       items->pdata, items->len);
  self->loaded = TRUE;
  return TRUE;
}

static void
finish_loading (GTask *task)
{
  GError *error = NULL;

  if (preview (g_task_get_source_object (task), g_task_get_task_data (task), &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_target_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpConfigImport *self = g_task_get_source_object (task);
  g_autofree char *name = g_file_get_parse_name (self->target_file);
  g_autoptr (GBytes) text = NULL;
  GError *error = NULL;

  text = gmcp_state_file_read_finish (result, &error);
  if (error != NULL)
    g_prefix_error (&error, "%s: ", name);
  else if (text != NULL)
    check_size (text, name, &error);
  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  if (text != NULL && !gmcp_config_import_is_blank (text))
    self->target_text = g_steal_pointer (&text);
  finish_loading (task);
}

static void
on_source_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpConfigImport *self = g_task_get_source_object (task);
  g_autoptr (GBytes) text = NULL;
  GError *error = NULL;

  text = gmcp_state_file_read_finish (result, &error);
  if (error != NULL)
    {
      g_prefix_error (&error, "%s: ", g_file_peek_path (self->file));
      g_task_return_error (task, error);
      return;
    }
  if (text == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("%s is not there"),
                               g_file_peek_path (self->file));
      return;
    }

  g_task_set_task_data (task, g_steal_pointer (&text), (GDestroyNotify) g_bytes_unref);
  if (self->target_file == NULL)
    {
      finish_loading (task);
      return;
    }
  self->target_folder = g_path_get_dirname (g_file_peek_path (self->target_file));
  gmcp_state_file_read_async (g_file_peek_path (self->target_file), g_task_get_cancellable (task),
                              on_target_read, g_object_ref (task));
}

/**
 * gmcp_config_import_load_async:
 * @self: an import
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads the file and what is configured here, and says in [property@Gmcp.ConfigImport:items] what
 * importing would do. Fails with %GMCP_ERROR_INVALID_CONFIG where one of the files is broken or too
 * large, with %GMCP_ERROR_INVALID_ARGUMENT for a program that is not known, and with I/O errors.
 *
 * Since: 0.1
 */
void
gmcp_config_import_load_async (GmcpConfigImport *self,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_CONFIG_IMPORT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_config_import_load_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->program_name != NULL && self->program == NULL)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                               _ ("the files of “%s” are not known"), self->program_name);
      return;
    }
  if (g_file_peek_path (self->file) == NULL
      || (self->target_file != NULL && g_file_peek_path (self->target_file) == NULL))
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED, "%s",
                               _ ("only files of this computer can be imported from and to"));
      return;
    }

  drop_preview (self);
  gmcp_state_file_read_async (g_file_peek_path (self->file), cancellable, on_source_read,
                              g_steal_pointer (&task));
}

/**
 * gmcp_config_import_load_finish:
 * @self: an import
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ConfigImport.load_async].
 *
 * Returns: whether the items are there
 *
 * Since: 0.1
 */
gboolean
gmcp_config_import_load_finish (GmcpConfigImport *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_import_load_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
