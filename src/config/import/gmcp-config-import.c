/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-import-private.h"
#include "gmcp-settings-schema-private.h"

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
 * What the settings have no key for is not imported into them; the
 * [property@Gmcp.ConfigImportItem:notes] of the server say so, and a file can keep it.
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
  PROP_TEXT,
  PROP_FOLDER,
  PROP_BACKEND,
  PROP_TARGET_FILE,
  PROP_ITEMS,
  PROP_STORE_SECRETS,
} GmcpConfigImportProperty;

static GParamSpec *properties[PROP_STORE_SECRETS + 1];

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
  else if (self->file != NULL && g_file_peek_path (self->file) != NULL)
    {
      self->program = gmcp_config_foreign_guess (g_file_peek_path (self->file));
    }
  if (self->backend != NULL || keeps_settings ())
    return;
  path = g_build_filename (g_get_user_config_dir (), "mcp", "mcp.json", NULL);
  self->target_file = g_file_new_for_path (path);
}

void
gmcp_config_import_drop_preview (GmcpConfigImport *self)
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

  gmcp_config_import_drop_preview (self);
  g_free (self->program_name);
  g_clear_object (&self->file);
  g_free (self->text);
  g_clear_object (&self->folder);
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
    case PROP_TEXT:
      g_value_set_string (value, self->text);
      break;
    case PROP_FOLDER:
      g_value_set_object (value, self->folder);
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
    case PROP_STORE_SECRETS:
      g_value_set_boolean (value, self->store_secrets);
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
    case PROP_TEXT:
      self->text = g_value_dup_string (value);
      break;
    case PROP_FOLDER:
      self->folder = g_value_dup_object (value);
      break;
    case PROP_BACKEND:
      self->backend = g_value_dup_object (value);
      break;
    case PROP_TARGET_FILE:
      gmcp_config_import_set_target_file (self, g_value_get_object (value));
      break;
    case PROP_STORE_SECRETS:
      gmcp_config_import_set_store_secrets (self, g_value_get_boolean (value));
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
   * The file that is imported from; %NULL for a text.
   *
   * Since: 0.1
   */
  properties[PROP_FILE] = g_param_spec_object ("file", NULL, NULL, G_TYPE_FILE, flags);

  /**
   * GmcpConfigImport:text:
   *
   * The text that is imported from, such as somebody has copied from the page of a server; %NULL for a file.
   *
   * Since: 0.1
   */
  properties[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, NULL, flags);

  /**
   * GmcpConfigImport:folder:
   *
   * What relative paths of a text are relative to; %NULL to refuse them. The command and the arguments that
   * name what is there are stored with their full paths, since a server runs in a folder of its own.
   *
   * Since: 0.1
   */
  properties[PROP_FOLDER] = g_param_spec_object ("folder", NULL, NULL, G_TYPE_FILE, flags);

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
   * The file in JSON or YAML that is imported to; %NULL for the settings.
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

  /**
   * GmcpConfigImport:store-secrets: (getter get_store_secrets) (setter set_store_secrets)
   *
   * Whether variables and headers that look like secrets go into the keyring, and `${secret:NAME}` is
   * written in their place.
   *
   * Since: 0.1
   */
  properties[PROP_STORE_SECRETS]
    = g_param_spec_boolean ("store-secrets", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

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
 * gmcp_config_import_new_for_text:
 * @text: what any program whose files can be imported has, in JSON, YAML or TOML, or one server of it
 * @folder: (nullable): what relative paths in @text are relative to
 *
 * Makes an import of a text, such as somebody has copied from the page of a server. Braces around
 * the whole JSON may be missing. A server without a name gets one from its package, program or address.
 *
 * Returns: (transfer full): an import
 *
 * Since: 0.1
 */
GmcpConfigImport *
gmcp_config_import_new_for_text (const char *text, GFile *folder)
{
  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (folder == NULL || G_IS_FILE (folder), NULL);

  return g_object_new (GMCP_TYPE_CONFIG_IMPORT, "text", text, "folder", folder, NULL);
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
 * Returns: (transfer none) (nullable): a file; %NULL for a text
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
 * @file: (nullable): a file in JSON or YAML, which need not be there; %NULL for the settings
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

  gmcp_config_import_drop_preview (self);
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

/**
 * gmcp_config_import_get_store_secrets: (get-property store-secrets)
 * @self: an import
 *
 * Says whether what looks like a secret goes into the keyring.
 *
 * Returns: whether it does
 *
 * Since: 0.1
 */
gboolean
gmcp_config_import_get_store_secrets (GmcpConfigImport *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT (self), FALSE);

  return self->store_secrets;
}

/**
 * gmcp_config_import_set_store_secrets: (set-property store-secrets)
 * @self: an import
 * @store_secrets: whether it does
 *
 * Sets whether the values of variables and headers that look like secrets go into the keyring, and
 * `${secret:NAME}` is written in their place, where NAME is made of the id of the server and the name of
 * the variable or header. What was loaded does not count any more. Without a keyring nothing is imported
 * then.
 *
 * Since: 0.1
 */
void
gmcp_config_import_set_store_secrets (GmcpConfigImport *self, gboolean store_secrets)
{
  g_return_if_fail (GMCP_IS_CONFIG_IMPORT (self));

  store_secrets = !!store_secrets;
  if (self->store_secrets == store_secrets)
    return;

  self->store_secrets = store_secrets;
  gmcp_config_import_drop_preview (self);
  g_list_store_remove_all (self->items);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STORE_SECRETS]);
}
