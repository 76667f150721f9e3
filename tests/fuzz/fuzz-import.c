/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gmcp-config-edit-private.h"
#include "gmcp-config-export-private.h"
#include "gmcp-config-import-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-server-config-private.h"

#include <gmcp/core/gmcp-error.h>

/* The file of another program, which a first line “#NAME” says (without one it is found out), and behind
 * a line “#into” the file of ours that its servers go to. What is offered can be written; what is written
 * is read as that again, and nothing else of the file becomes another thing. Behind “#text” is what somebody has
 * copied from a page. What was read is written for every other program, too. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#define INTO "\n#into\n"
#define TEXT "#text\n"

static void
check_at (gboolean holds, const char *condition, int line)
{
  if (G_LIKELY (holds))
    return;
  g_printerr ("%s:%d: not so: %s\n", __FILE__, line, condition);
  abort ();
}

#define check(condition) check_at (condition, #condition, __LINE__)

static void
check_text (const char *text)
{
  check (text == NULL || g_utf8_validate (text, -1, NULL));
}

static void
check_texts (const char *const *texts)
{
  for (gsize i = 0; texts != NULL && texts[i] != NULL; i++)
    check_text (texts[i]);
}

static const GmcpConfigForeign *
find_program (const char **text, gsize *length)
{
  const char *end = *length > 0 && **text == '#' ? memchr (*text, '\n', *length) : NULL;
  g_autofree char *name = end != NULL ? g_strndup (*text + 1, end - *text - 1) : NULL;
  const GmcpConfigForeign *program = name != NULL ? gmcp_config_foreign_look_up (name) : NULL;

  if (program != NULL)
    {
      *length -= end + 1 - *text;
      *text = end + 1;
    }
  return program;
}

static gboolean
is_to_be_written (GmcpConfigImportItem *item)
{
  return item->change == GMCP_IMPORT_CHANGE_ADDED || item->change == GMCP_IMPORT_CHANGE_CHANGED;
}

static void
check_item (GmcpConfigImportItem *item)
{
  check_text (item->problem);
  check_texts ((const char *const *) item->fields);
  check_texts ((const char *const *) item->notes);
  check_texts ((const char *const *) item->secrets);
  check (gmcp_server_config_is_valid_id (item->id));
  check ((item->change == GMCP_IMPORT_CHANGE_REFUSED) == (item->problem != NULL));
  check ((item->config == NULL) == (item->change == GMCP_IMPORT_CHANGE_REFUSED));
  check (item->change != GMCP_IMPORT_CHANGE_SAME || item->properties[0] == NULL);
  if (item->config != NULL)
    check (gmcp_server_config_validate (item->config, NULL));
}

/* Of variables none stays that could go, and what goes is not written. */
static void
check_moved (GmcpConfigImportItem *item)
{
  for (gsize i = 0; item->secrets != NULL && item->secrets[i] != NULL; i++)
    check (!g_str_has_prefix (item->secrets[i], "env.")
           || strpbrk (item->secrets[i] + strlen ("env."), "{}:$") != NULL);
  for (guint i = 0; item->moved != NULL && i < item->moved->len; i++)
    {
      GmcpConfigImportSecret *secret = g_ptr_array_index (item->moved, i);
      g_autofree char *reference = g_strconcat ("${secret:", secret->name, "}", NULL);

      check (*secret->value != '\0');
      check (gmcp_config_variables_check (reference, NULL));
    }
}

static GmcpServerConfig *
find_server (GmcpConfigContents *contents, const char *id)
{
  for (guint i = 0; i < contents->servers->len; i++)
    {
      GmcpServerConfig *server = g_ptr_array_index (contents->servers, i);

      if (g_str_equal (gmcp_server_config_get_id (server), id))
        return server;
    }
  return NULL;
}

static GmcpConfigContents *
read_ours (const char *text, gsize length)
{
  return gmcp_config_contents_read (text, length, GMCP_CONFIG_FORMAT_JSON, "/srv/FILE", "/srv",
                                    NULL, NULL);
}

/* All at once, as it is done for a user who takes them all. */
static void
check_written (GmcpConfigImport *import, GPtrArray *items, GHashTable *present)
{
  g_autofree char *text
    = gmcp_config_import_edit (import, (GmcpConfigImportItem **) items->pdata, items->len, NULL);
  g_autoptr (GmcpConfigContents) contents = NULL;
  guint n_new = 0;

  for (guint i = 0; i < items->len; i++)
    n_new += ((GmcpConfigImportItem *) items->pdata[i])->change == GMCP_IMPORT_CHANGE_ADDED;

  /* Each can be written, but all of them may be too much. */
  if (text == NULL)
    return;
  contents = read_ours (text, strlen (text));
  check (contents != NULL);
  check (contents->servers->len == g_hash_table_size (present) + n_new);
  for (guint i = 0; i < items->len; i++)
    {
      GmcpConfigImportItem *item = g_ptr_array_index (items, i);
      GmcpServerConfig *written = find_server (contents, item->id);

      if (is_to_be_written (item))
        check (written != NULL && gmcp_server_config_equal (written, item->config));
      if (item->change == GMCP_IMPORT_CHANGE_SAME)
        check (written != NULL && gmcp_server_config_equal (written, item->present));
    }
}

/* What is written for a program can be read again, with as many servers. */
static void
check_exports (GPtrArray *servers)
{
  g_auto (GStrv) programs = gmcp_config_import_list_programs ();

  for (gsize i = 0; programs[i] != NULL; i++)
    {
      g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GPtrArray) secrets = gmcp_export_list_secrets (servers);
      GmcpExportContext context = {
        .format = gmcp_export_format_look_up (programs[i]),
        .foreign = gmcp_config_foreign_look_up (programs[i]),
        .secrets = secrets,
        .notes = notes,
      };
      g_autoptr (JsonObject) root = gmcp_export_make_root (&context, servers);
      g_autofree char *written = gmcp_config_write_object (root, context.foreign->format);
      g_autoptr (GmcpConfigDocument) document = NULL;
      guint line;

      check_text (written);
      document = gmcp_config_document_parse (written, strlen (written), context.foreign->format,
                                             &line, NULL);
      check (document != NULL);
      check (gmcp_json_value_get_length (gmcp_json_value_get_member (
               gmcp_json_doc_get_root (document->json), context.foreign->key))
             == json_object_get_size (json_object_get_object_member (root, context.foreign->key)));
    }
}

static GmcpConfigContents *
read_as (GmcpConfigFormat format, const char *text, gsize length)
{
  return gmcp_config_contents_read (text, length, format, "/srv/FILE", "/srv", NULL, NULL);
}

/* A server of the file goes, is switched off, or is written as it is written. */
static void
check_edit (GmcpConfigFormat format, const char *text, gsize length, GmcpServerConfig *server)
{
  const char *id = gmcp_server_config_get_id (server);
  g_autofree char *without = gmcp_config_edit_remove (format, text, length, "/srv", id, NULL);
  g_autofree char *off
    = gmcp_config_edit_set_enabled (format, text, length, "/srv", id, FALSE, NULL);
  g_autofree char *entry = gmcp_config_edit_dup_entry (format, text, length, id, NULL);
  g_autofree char *same
    = entry != NULL ? gmcp_config_edit_set_entry (format, text, length, "/srv", id, entry, NULL)
                    : NULL;

  /* A comment that is not UTF-8 stays as it is. */
  if (g_utf8_validate (text, (gssize) length, NULL))
    {
      check_text (without);
      check_text (entry);
    }
  if (off != NULL)
    {
      g_autoptr (GmcpConfigContents) read = read_as (format, off, strlen (off));

      check (read != NULL && !gmcp_server_config_is_enabled (find_server (read, id)));
    }
  if (same != NULL)
    {
      g_autoptr (GmcpConfigContents) read = read_as (format, same, strlen (same));

      check (read != NULL && find_server (read, id) != NULL);
    }
}

static void
check_edits (GBytes *file)
{
  static const GmcpConfigFormat formats[] = { GMCP_CONFIG_FORMAT_JSON, GMCP_CONFIG_FORMAT_YAML };
  gsize length;
  const char *text = g_bytes_get_data (file, &length);

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr (GmcpConfigContents) contents = read_as (formats[i], text, length);

      for (guint k = 0; contents != NULL && k < contents->servers->len; k++)
        check_edit (formats[i], text, length, g_ptr_array_index (contents->servers, k));
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *into = g_strstr_len ((const char *) data, (gssize) size, INTO);
  const char *text = (const char *) data;
  gsize length = into != NULL ? (gsize) (into - text) : size;
  g_autoptr (GBytes) completed = NULL;
  const GmcpConfigForeign *program = find_program (&text, &length);
  g_autoptr (GFile) file = g_file_new_for_path ("/srv/FILE");
  g_autoptr (GmcpConfigImport) import
    = g_object_new (GMCP_TYPE_CONFIG_IMPORT, "file", file, "target-file", file, NULL);
  g_autoptr (GPtrArray) findings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) present = NULL;
  g_autoptr (GPtrArray) items = NULL;
  g_autoptr (GmcpConfigContents) contents = NULL;

  if (length >= strlen (TEXT) && memcmp (text, TEXT, strlen (TEXT)) == 0)
    {
      g_autofree char *copied = g_strndup (text + strlen (TEXT), length - strlen (TEXT));

      if (!g_utf8_validate (copied, -1, NULL))
        return 0;
      completed = gmcp_config_import_complete_text (copied, NULL);
      if (completed == NULL)
        return 0;
      text = g_bytes_get_data (completed, &length);
    }
  contents = gmcp_config_contents_read_foreign (text, length, &program, "/srv/FILE", "/srv",
                                                findings, &error);

  check ((contents == NULL) == (error != NULL));
  if (contents == NULL)
    {
      check (error->domain == GMCP_ERROR);
      check (g_str_has_prefix (error->message, "/srv/FILE"));
      check_text (error->message);
      return 0;
    }

  /* Every other one with its secrets on the way into the keyring. */
  import->store_secrets = size % 2;
  import->target_folder = g_strdup ("/srv");
  if (into != NULL)
    import->target_text
      = g_bytes_new (into + strlen (INTO), (const char *) data + size - into - strlen (INTO));
  if (import->target_text != NULL && gmcp_config_import_is_blank (import->target_text))
    g_clear_pointer (&import->target_text, g_bytes_unref);
  if (import->target_text != NULL)
    check_edits (import->target_text);
  present = gmcp_config_import_list_present (import, NULL);
  if (present == NULL)
    return 0;

  items = gmcp_config_import_plan (import, contents, findings, present);
  check (items->len == contents->outcomes->len);
  for (guint i = 0; i < items->len; i++)
    {
      check_item (g_ptr_array_index (items, i));
      if (import->store_secrets)
        check_moved (g_ptr_array_index (items, i));
    }
  check_written (import, items, present);
  check_exports (contents->servers);
  return 0;
}
