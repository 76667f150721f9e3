/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-fields-private.h"
#include "gmcp-config-import-private.h"

/**
 * GmcpConfigImportItem:
 *
 * A server that another program has, and what importing it does. It holds no secret but in
 * [property@Gmcp.ConfigImportItem:config]. Immutable.
 *
 * Since: 0.1
 */

G_DEFINE_FINAL_TYPE (GmcpConfigImportItem, gmcp_config_import_item, G_TYPE_OBJECT)

static const GmcpField fields[] = {
  /**
   * GmcpConfigImportItem:name: (getter get_name)
   *
   * The name that the other program knows the server by.
   *
   * Since: 0.1
   */
  { "name", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpConfigImportItem, name) },

  /**
   * GmcpConfigImportItem:id: (getter get_id)
   *
   * The id that the server has, or would have.
   *
   * Since: 0.1
   */
  { "id", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpConfigImportItem, id) },

  /**
   * GmcpConfigImportItem:change: (getter get_change)
   *
   * What importing it does.
   *
   * Since: 0.1
   */
  { "change", GMCP_FIELD_ENUM, G_STRUCT_OFFSET (GmcpConfigImportItem, change),
    gmcp_import_change_get_type },

  /**
   * GmcpConfigImportItem:config: (getter get_config)
   *
   * The configuration as it is to be; %NULL where it cannot be imported.
   *
   * Since: 0.1
   */
  { "config", GMCP_FIELD_OBJECT, G_STRUCT_OFFSET (GmcpConfigImportItem, config),
    gmcp_server_config_get_type },

  /**
   * GmcpConfigImportItem:fields: (getter get_fields)
   *
   * The keys that are to change, or that a new server would have, as they are called in JSON.
   *
   * Since: 0.1
   */
  { "fields", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpConfigImportItem, fields) },

  /**
   * GmcpConfigImportItem:problem: (getter get_problem)
   *
   * Why it cannot be imported, as a sentence; %NULL where it can.
   *
   * Since: 0.1
   */
  { "problem", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpConfigImportItem, problem) },

  /**
   * GmcpConfigImportItem:secrets: (getter get_secrets)
   *
   * The keys whose value is there for all to read and looks like a secret, such as
   * `env.API_TOKEN`: it is better kept in the keyring.
   *
   * Since: 0.1
   */
  { "secrets", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpConfigImportItem, secrets) },

  /**
   * GmcpConfigImportItem:notes: (getter get_notes)
   *
   * What it changes, where the server is there already, and what of it has no effect here.
   *
   * Since: 0.1
   */
  { "notes", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpConfigImportItem, notes) },
  { NULL },
};

static void
gmcp_config_import_item_finalize (GObject *object)
{
  GmcpConfigImportItem *self = GMCP_CONFIG_IMPORT_ITEM (object);

  g_clear_object (&self->present);
  g_strfreev (self->properties);
  g_clear_pointer (&self->moved, g_ptr_array_unref);

  gmcp_fields_finalize (object);
}

static void
gmcp_config_import_item_class_init (GmcpConfigImportItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  gmcp_fields_install (G_OBJECT_CLASS (klass), fields, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  object_class->finalize = gmcp_config_import_item_finalize;
}

static void
gmcp_config_import_item_init (GmcpConfigImportItem *self)
{
}

static const char *const *
list_or_none (GStrv words)
{
  static const char *const none[] = { NULL };

  return words != NULL ? (const char *const *) words : none;
}

/**
 * gmcp_config_import_item_get_name: (get-property name)
 * @self: an item
 *
 * Gives the name that the other program knows the server by.
 *
 * Returns: the name
 *
 * Since: 0.1
 */
const char *
gmcp_config_import_item_get_name (GmcpConfigImportItem *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT_ITEM (self), NULL);

  return self->name;
}

/**
 * gmcp_config_import_item_get_id: (get-property id)
 * @self: an item
 *
 * Gives the id that the server has, or would have.
 *
 * Returns: the id
 *
 * Since: 0.1
 */
const char *
gmcp_config_import_item_get_id (GmcpConfigImportItem *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT_ITEM (self), NULL);

  return self->id;
}

/**
 * gmcp_config_import_item_get_change: (get-property change)
 * @self: an item
 *
 * Says what importing it does.
 *
 * Returns: what it does
 *
 * Since: 0.1
 */
GmcpImportChange
gmcp_config_import_item_get_change (GmcpConfigImportItem *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT_ITEM (self), GMCP_IMPORT_CHANGE_REFUSED);

  return self->change;
}

/**
 * gmcp_config_import_item_get_config: (get-property config)
 * @self: an item
 *
 * Gives the configuration as it is to be: that of the other program, with all that it does not
 * speak of left as it is.
 *
 * Returns: (transfer none) (nullable): a configuration; %NULL where it cannot be imported
 *
 * Since: 0.1
 */
GmcpServerConfig *
gmcp_config_import_item_get_config (GmcpConfigImportItem *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT_ITEM (self), NULL);

  return self->config;
}

/**
 * gmcp_config_import_item_get_fields: (get-property fields)
 * @self: an item
 *
 * Lists the keys that are to change, or that a new server would have, as they are called in JSON.
 *
 * Returns: (array zero-terminated=1): names of keys
 *
 * Since: 0.1
 */
const char *const *
gmcp_config_import_item_get_fields (GmcpConfigImportItem *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT_ITEM (self), NULL);

  return list_or_none (self->fields);
}

/**
 * gmcp_config_import_item_get_problem: (get-property problem)
 * @self: an item
 *
 * Says why it cannot be imported.
 *
 * Returns: (nullable): a sentence; %NULL where it can
 *
 * Since: 0.1
 */
const char *
gmcp_config_import_item_get_problem (GmcpConfigImportItem *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT_ITEM (self), NULL);

  return self->problem;
}

/**
 * gmcp_config_import_item_get_secrets: (get-property secrets)
 * @self: an item
 *
 * Lists the keys whose value is there for all to read and looks like a secret. It is better kept
 * in the keyring, and referred to with `${secret:NAME}`.
 *
 * Returns: (array zero-terminated=1): keys, such as `env.API_TOKEN`
 *
 * Since: 0.1
 */
const char *const *
gmcp_config_import_item_get_secrets (GmcpConfigImportItem *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT_ITEM (self), NULL);

  return list_or_none (self->secrets);
}

/**
 * gmcp_config_import_item_get_notes: (get-property notes)
 * @self: an item
 *
 * Says, for a server that is there already, what its command and its address were and will be, and which
 * variables and headers change, and then what of the item has no effect here, key by key. No secret is in
 * it.
 *
 * Returns: (array zero-terminated=1): sentences
 *
 * Since: 0.1
 */
const char *const *
gmcp_config_import_item_get_notes (GmcpConfigImportItem *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_IMPORT_ITEM (self), NULL);

  return list_or_none (self->notes);
}
