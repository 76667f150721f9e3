/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-edit-private.h"
#include "gmcp-config-import-private.h"
#include "gmcp-gateway-command-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-server-config-write-private.h"
#include "gmcp-settings-server-private.h"

#include <gmcp/core/gmcp-error.h>

/* What the entry of another program always says; of the rest it says what is not the default. */
static gboolean
is_always_said (const char *property)
{
  static const char *const said[]
    = { "transport", "argv", "environment", "cwd", "url", "headers", NULL };

  return g_strv_contains (said, property);
}

static gboolean
is_default (const GmcpConfigField *field, GmcpServerConfig *config)
{
  g_autoptr (GmcpServerConfig) plain = g_object_new (GMCP_TYPE_SERVER_CONFIG, NULL);

  return gmcp_config_field_equal (field, config, plain);
}

/* The value that a name has now, where that is in the keyring. */
static const char *
find_kept_secret (const char *const *present, const char *name, gsize length, gboolean joined)
{
  for (gsize i = 0; present[i] != NULL; i += joined ? 1 : 2)
    {
      const char *value = joined ? present[i] + strcspn (present[i], "=") + 1 : present[i + 1];
      gsize present_length = joined ? strcspn (present[i], "=") : strlen (present[i]);

      if (present_length == length && g_ascii_strncasecmp (present[i], name, length) == 0
          && strstr (value, "${secret:") != NULL)
        return value;
    }
  return NULL;
}

/* What was put into the keyring stays there. */
static GStrv
keep_secrets (const char *const *present, const char *const *words, gboolean joined)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();

  for (gsize i = 0; words[i] != NULL; i += joined ? 1 : 2)
    {
      gsize length = joined ? strcspn (words[i], "=") : strlen (words[i]);
      const char *value = find_kept_secret (present, words[i], length, joined);

      if (joined)
        g_ptr_array_add (kept, value != NULL
                                 ? g_strdup_printf ("%.*s=%s", (int) length, words[i], value)
                                 : g_strdup (words[i]));
      else
        {
          g_ptr_array_add (kept, g_strdup (words[i]));
          g_ptr_array_add (kept, g_strdup (value != NULL ? value : words[i + 1]));
        }
    }
  g_ptr_array_add (kept, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&kept), FALSE);
}

static void
merge_field (const GmcpConfigField *field,
             GmcpServerConfig *present,
             GmcpServerConfig *imported,
             GmcpServerConfig *merged)
{
  gboolean environment = field->kind == GMCP_CONFIG_FIELD_ENVIRONMENT;
  gboolean stays = !is_always_said (field->name)
                   && (is_default (field, imported) || g_str_equal (field->name, "title"));
  GStrv words;

  gmcp_config_field_copy (field, stays ? present : imported, merged);
  if (stays || (!environment && field->kind != GMCP_CONFIG_FIELD_HEADERS))
    return;

  words = g_steal_pointer (&G_STRUCT_MEMBER (GStrv, merged, field->offset));
  G_STRUCT_MEMBER (GStrv, merged, field->offset)
    = keep_secrets (G_STRUCT_MEMBER (const char *const *, present, field->offset),
                    (const char *const *) words, environment);
  g_strfreev (words);
}

/* The server as it is, with what the other program says of it. */
static GmcpServerConfig *
merge_config (GmcpServerConfig *present, GmcpServerConfig *imported)
{
  GmcpServerConfig *merged = g_object_new (GMCP_TYPE_SERVER_CONFIG, NULL);
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);

  for (gsize i = 0; i < n_fields; i++)
    merge_field (&fields[i], present, imported, merged);
  return merged;
}

/* Lists the changes; all properties where there is nothing to compare with. */
static void
list_changes (GmcpConfigImportItem *item)
{
  g_autoptr (GPtrArray) properties = g_ptr_array_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);

  for (gsize i = 0; i < n_fields; i++)
    {
      if (item->present != NULL ? gmcp_config_field_equal (&fields[i], item->present, item->config)
                                : g_str_equal (fields[i].name, "id"))
        continue;
      g_ptr_array_add (properties, g_strdup (fields[i].name));
      /* A title is the name, which is shown anyway. */
      if (item->present != NULL
          || (!is_default (&fields[i], item->config) && !g_str_equal (fields[i].name, "title")))
        g_ptr_array_add (names, gmcp_server_config_name_field (&fields[i]));
    }
  g_ptr_array_add (properties, NULL);
  g_ptr_array_add (names, NULL);
  item->properties = (GStrv) g_ptr_array_free (g_steal_pointer (&properties), FALSE);
  item->fields = (GStrv) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

static void
refuse_item (GmcpConfigImportItem *item, const char *problem)
{
  item->change = GMCP_IMPORT_CHANGE_REFUSED;
  item->problem = g_strdup (problem);
  g_clear_object (&item->config);
}

/* The place within the entry. */
static char *
describe_finding (GmcpConfigFinding *finding, const char *path)
{
  const char *place = gmcp_config_finding_get_key_path (finding);
  const char *message = gmcp_config_finding_get_message (finding);

  if (place == NULL || !g_str_has_prefix (place, path) || place[strlen (path)] != '.')
    return g_strdup (message);
  return g_strdup_printf ("%s: %s", place + strlen (path) + 1, message);
}

static void
take_findings (GmcpConfigImportItem *item, GmcpConfigOutcome *outcome, GPtrArray *findings)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new ();

  for (guint i = outcome->first_finding; i < outcome->first_finding + outcome->n_findings; i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (findings, i);
      g_autofree char *text = describe_finding (finding, outcome->path);

      if (gmcp_config_finding_get_severity (finding) != GMCP_NOTICE_LEVEL_ERROR)
        g_ptr_array_add (notes, g_steal_pointer (&text));
      else if (item->problem == NULL)
        refuse_item (item, text);
    }
  g_ptr_array_add (notes, NULL);
  item->notes = (GStrv) g_ptr_array_free (g_steal_pointer (&notes), FALSE);
  if (outcome->config == NULL && item->problem == NULL)
    refuse_item (item, _ ("it cannot be read"));
}

/* The name of an entry becomes a text, in which variables count. */
static GmcpServerConfig *
take_new (GmcpServerConfig *imported)
{
  GmcpServerConfig *config;
  g_autoptr (GString) title = g_string_new (gmcp_server_config_get_title (imported));

  if (!gmcp_server_config_is_titled_by_name (imported) || strstr (title->str, "${") == NULL)
    return g_object_ref (imported);

  config = gmcp_server_config_copy (imported);
  g_string_replace (title, "${", "$${", 0);
  gmcp_server_config_take_title (config, g_string_free (g_steal_pointer (&title), FALSE));
  gmcp_server_config_set_titled_by_name (config, FALSE);
  return config;
}

/* Into the settings goes what they keep; the rest stays as it is there, and is told of. */
static void
leave_out_unkept (GmcpConfigImportItem *item)
{
  g_autofree char *names = gmcp_settings_list_unkept (item->config);
  g_autofree char *note = NULL;
  g_autoptr (GPtrArray) notes = g_ptr_array_new ();
  GmcpServerConfig *kept;

  if (names == NULL)
    return;

  kept = gmcp_settings_dup_kept (item->config);
  g_set_object (&item->config, kept);
  g_object_unref (kept);
  /* Translators: names of keys */
  note = g_strdup_printf (
    _ ("not kept in the settings, which have no such keys: %s; import the server into "
       "a file to have them (gmcp import --to FILE)"),
    names);
  for (gsize i = 0; item->notes[i] != NULL; i++)
    g_ptr_array_add (notes, g_strdup (item->notes[i]));
  g_ptr_array_add (notes, g_steal_pointer (&note));
  g_ptr_array_add (notes, NULL);
  g_strfreev (item->notes);
  item->notes = (GStrv) g_ptr_array_free (g_steal_pointer (&notes), FALSE);
}

/* What the other program says of the server, as it is meant from here. */
static GmcpServerConfig *
dup_imported (GmcpConfigImport *self, GmcpServerConfig *config)
{
  const char *folder = self->folder != NULL ? g_file_peek_path (self->folder) : NULL;

  return self->text != NULL && folder != NULL
           ? gmcp_config_import_dup_with_full_paths (config, folder)
           : g_object_ref (config);
}

static GmcpConfigImportItem *
make_item (GmcpConfigImport *self,
           GmcpConfigOutcome *outcome,
           GPtrArray *findings,
           GmcpServerConfig *present)
{
  GmcpConfigImportItem *item = g_object_new (GMCP_TYPE_CONFIG_IMPORT_ITEM, NULL);
  g_autoptr (GmcpServerConfig) imported = NULL;

  item->name = g_strdup (outcome->name);
  item->id = g_strdup (outcome->id);
  take_findings (item, outcome, findings);
  if (item->problem == NULL
      && gmcp_is_gateway_command (gmcp_server_config_get_argv (outcome->config)))
    refuse_item (item,
                 _ ("it is the gateway of gmcp, which has the servers that are here: each would "
                    "be there twice"));
  if (item->problem != NULL)
    return item;

  g_set_object (&item->present, present);
  imported = dup_imported (self, outcome->config);
  item->config = present != NULL ? merge_config (present, imported) : take_new (imported);
  if (self->target_file == NULL)
    leave_out_unkept (item);
  if (self->store_secrets)
    gmcp_config_import_move_secrets (item);
  item->secrets = gmcp_config_list_plain_secrets (item->config);
  list_changes (item);
  if (present != NULL)
    gmcp_config_import_note_changes (item);
  if (present == NULL)
    item->change = GMCP_IMPORT_CHANGE_ADDED;
  else
    item->change
      = item->properties[0] != NULL ? GMCP_IMPORT_CHANGE_CHANGED : GMCP_IMPORT_CHANGE_SAME;
  return item;
}

static gboolean
is_to_be_written (GmcpConfigImportItem *item)
{
  return item->change == GMCP_IMPORT_CHANGE_ADDED || item->change == GMCP_IMPORT_CHANGE_CHANGED;
}

static gboolean
check_in_settings (GmcpConfigImport *self, GmcpConfigImportItem *item, GError **error)
{
  g_autoptr (GSettings) settings = gmcp_config_import_open_server (self, item->id);

  if (item->change == GMCP_IMPORT_CHANGE_ADDED
      && !g_settings_is_writable (self->manager_settings, "servers"))
    {
      g_set_error_literal (
        error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED,
        _ ("the list of servers cannot be changed: the administrator of this computer "
           "has locked it, or the folder of your settings cannot be written"));
      return FALSE;
    }
  return gmcp_settings_check_server (settings, item->config, (const char *const *) item->properties,
                                     error);
}

char *
gmcp_config_import_edit (GmcpConfigImport *self,
                         GmcpConfigImportItem **items,
                         guint n_items,
                         GError **error)
{
  g_autofree GmcpConfigEdit *edits = g_new0 (GmcpConfigEdit, n_items + 1);
  gsize length = 0;
  const char *text
    = self->target_text != NULL ? g_bytes_get_data (self->target_text, &length) : NULL;
  gsize n_edits = 0;

  for (guint i = 0; i < n_items; i++)
    {
      if (!is_to_be_written (items[i]))
        continue;
      edits[n_edits].name = items[i]->name;
      edits[n_edits].config = items[i]->config;
      edits[n_edits].fields
        = items[i]->present != NULL ? (const char *const *) items[i]->properties : NULL;
      n_edits++;
    }
  return gmcp_config_edit (gmcp_config_import_get_target_format (self), text, length,
                           self->target_folder, edits, n_edits, error);
}

/* What cannot be written is not offered. */
static void
check_in_file (GmcpConfigImport *self, GPtrArray *items)
{
  g_autofree char *all
    = gmcp_config_import_edit (self, (GmcpConfigImportItem **) items->pdata, items->len, NULL);

  for (guint i = 0; all == NULL && i < items->len; i++)
    {
      GmcpConfigImportItem *item = g_ptr_array_index (items, i);
      g_autoptr (GError) error = NULL;
      g_autofree char *one G_GNUC_UNUSED
        = is_to_be_written (item) ? gmcp_config_import_edit (self, &item, 1, &error) : NULL;

      if (error != NULL)
        refuse_item (item, error->message);
    }
}

GPtrArray *
gmcp_config_import_plan (GmcpConfigImport *self,
                         GmcpConfigContents *contents,
                         GPtrArray *findings,
                         GHashTable *present)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < contents->outcomes->len; i++)
    {
      GmcpConfigOutcome *outcome = g_ptr_array_index (contents->outcomes, i);
      GmcpConfigImportItem *item
        = make_item (self, outcome, findings, g_hash_table_lookup (present, outcome->id));
      g_autoptr (GError) error = NULL;

      g_ptr_array_add (items, item);
      if (is_to_be_written (item) && self->target_file == NULL
          && !check_in_settings (self, item, &error))
        refuse_item (item, error->message);
    }
  if (self->target_file != NULL)
    check_in_file (self, items);
  return items;
}
