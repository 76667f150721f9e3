/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-export-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-map-edit-private.h"
#include "gmcp-program-connection-private.h"

#include <gmcp/core/gmcp-error.h>

/* The gateway as a server in another program's file, and that file with it and without it. */

/* A path has no variables in it. */
static GmcpServerConfig *
make_config (GmcpProgramConnection *self)
{
  g_auto (GStrv) command = gmcp_program_connection_dup_command (self);
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; command[i] != NULL; i++)
    {
      GString *word = g_string_new (command[i]);

      g_string_replace (word, "${", "$${", 0);
      g_ptr_array_add (argv, g_string_free (word, FALSE));
    }
  g_ptr_array_add (argv, NULL);
  return g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", GMCP_PROGRAM_CONNECTION_NAME, "title",
                       gmcp_program_connection_peek_name (self), "argv", argv->pdata, NULL);
}

/* The entry of a program that has none, as an export writes it. */
static JsonObject *
make_new_entry (GmcpProgramConnection *self)
{
  g_autoptr (GPtrArray) configs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) secrets = g_ptr_array_new ();
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  GmcpExportContext context = {
    .format = gmcp_export_format_look_up (self->program->name),
    .foreign = self->program,
    .with_secrets = TRUE,
    .secrets = secrets,
    .notes = notes,
  };
  g_autoptr (JsonObject) root = NULL;
  JsonObject *map;

  g_ptr_array_add (configs, make_config (self));
  root = gmcp_export_make_root (&context, configs);
  map = json_object_get_object_member (root, self->program->key);
  return json_object_ref (json_object_get_object_member (map, GMCP_PROGRAM_CONNECTION_NAME));
}

static GmcpMapPlace
get_place (GmcpProgramConnection *self)
{
  return (GmcpMapPlace){ self->program->format, self->program->key,
                         gmcp_program_connection_peek_name (self) };
}

static JsonObject *
dup_present_entry (GmcpProgramConnection *self)
{
  GmcpMapPlace place = get_place (self);

  return self->present != NULL && self->contents->document != NULL
           ? gmcp_map_edit_dup_entry (&place, self->contents->document)
           : NULL;
}

/* What is said there besides the command stays, but for a switch that is off. */
static void
switch_on (JsonObject *entry)
{
  if (json_object_has_member (entry, "enabled"))
    json_object_set_boolean_member (entry, "enabled", TRUE);
  if (json_object_has_member (entry, "disabled"))
    json_object_set_boolean_member (entry, "disabled", FALSE);
}

JsonObject *
gmcp_program_connection_make_entry (GmcpProgramConnection *self)
{
  g_autoptr (JsonObject) wanted = make_new_entry (self);
  JsonObject *entry = dup_present_entry (self);
  const GmcpExportFormat *format = gmcp_export_format_look_up (self->program->name);
  g_autoptr (GList) keys = json_object_get_members (wanted);

  if (entry == NULL)
    return g_steal_pointer (&wanted);
  for (GList *l = keys; l != NULL; l = l->next)
    {
      if (g_strcmp0 (l->data, format->name_key) == 0 && json_object_has_member (entry, l->data))
        continue;
      json_object_set_member (entry, l->data,
                              json_node_copy (json_object_get_member (wanted, l->data)));
    }
  switch_on (entry);
  return entry;
}

static gboolean
are_equal (JsonObject *a, JsonObject *b)
{
  g_autoptr (JsonNode) first = json_node_init_object (json_node_alloc (), a);
  g_autoptr (JsonNode) second = json_node_init_object (json_node_alloc (), b);

  return json_node_equal (first, second);
}

gboolean
gmcp_program_connection_is_as_wanted (GmcpProgramConnection *self)
{
  g_autoptr (JsonObject) present = dup_present_entry (self);
  g_autoptr (JsonObject) wanted
    = present != NULL ? gmcp_program_connection_make_entry (self) : NULL;

  return wanted != NULL && are_equal (present, wanted);
}

gboolean
gmcp_program_connection_check_loaded (GmcpProgramConnection *self, GError **error)
{
  if (self->contents != NULL)
    return TRUE;
  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                       _ ("the file of the program has to be loaded first"));
  return FALSE;
}

gboolean
gmcp_program_connection_is_there (GmcpProgramConnection *self)
{
  return self->state == GMCP_PROGRAM_CONNECTION_STATE_CONNECTED
         || self->state == GMCP_PROGRAM_CONNECTION_STATE_CHANGED;
}

static gboolean
check_name (GmcpProgramConnection *self, GError **error)
{
  if (self->state != GMCP_PROGRAM_CONNECTION_STATE_NAME_TAKEN)
    return TRUE;
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
               _ ("%s has another server with the name “%s”; give the gateway another name"),
               self->program->title, gmcp_program_connection_peek_name (self));
  return FALSE;
}

static char *
dup_text (GmcpProgramConnection *self)
{
  gsize length = 0;
  const char *text
    = self->contents->text != NULL ? g_bytes_get_data (self->contents->text, &length) : NULL;

  return g_strndup (text != NULL ? text : "", length);
}

char *
gmcp_program_connection_make_connected (GmcpProgramConnection *self, GError **error)
{
  GmcpMapPlace place;
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;
  g_autoptr (JsonObject) entry = NULL;
  char *connected;

  if (!gmcp_program_connection_check_loaded (self, error) || !check_name (self, error))
    return NULL;
  text = dup_text (self);
  if (self->state == GMCP_PROGRAM_CONNECTION_STATE_CONNECTED)
    return g_steal_pointer (&text);

  place = get_place (self);
  name = g_file_get_parse_name (self->file);
  entry = gmcp_program_connection_make_entry (self);
  connected = gmcp_map_edit_set (&place, text, strlen (text), entry, error);
  if (connected == NULL)
    g_prefix_error (error, "%s: ", name);
  return connected;
}

/* Whether the backup, which is without the entry, is what the file is once it has the entry that is there now: nothing
 * else has been changed since. */
static gboolean
is_backup_of (GBytes *backup, const char *text, const GmcpMapPlace *place, JsonObject *entry)
{
  gsize length;
  const char *before = g_bytes_get_data (backup, &length);
  g_autofree char *connected
    = length < strlen (text) ? gmcp_map_edit_set (place, before, length, entry, NULL) : NULL;
  g_autofree char *without
    = connected != NULL ? gmcp_map_edit_remove (place, before, length, NULL) : NULL;

  return g_strcmp0 (connected, text) == 0 && without != NULL && strlen (without) == length;
}

/* What a text held before it had any servers is known by the backup only. */
static char *
dup_fitting_backup (GmcpProgramConnection *self, const char *text, const GmcpMapPlace *place)
{
  g_autoptr (JsonObject) entry = dup_present_entry (self);

  for (guint i = self->contents->backups->len; entry != NULL && i > 0; i--)
    {
      GBytes *backup = g_ptr_array_index (self->contents->backups, i - 1);
      gsize length;
      const char *before = g_bytes_get_data (backup, &length);

      if (is_backup_of (backup, text, place, entry))
        return g_strndup (before != NULL ? before : "", length);
    }
  return NULL;
}

char *
gmcp_program_connection_make_disconnected (GmcpProgramConnection *self, GError **error)
{
  GmcpMapPlace place;
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;
  char *without;

  if (!gmcp_program_connection_check_loaded (self, error) || !check_name (self, error))
    return NULL;
  text = dup_text (self);
  if (!gmcp_program_connection_is_there (self))
    return g_steal_pointer (&text);

  place = get_place (self);
  name = g_file_get_parse_name (self->file);
  without = dup_fitting_backup (self, text, &place);
  if (without == NULL)
    without = gmcp_map_edit_remove (&place, text, strlen (text), error);
  if (without == NULL)
    g_prefix_error (error, "%s: ", name);
  return without;
}
