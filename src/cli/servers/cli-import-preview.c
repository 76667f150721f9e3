/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-import-preview.h"

#include <glib/gi18n.h>

#include "cli-import.h"
#include "cli-text.h"

#include <gmcp/core/gmcp-visible-text.h>

#define MARK_COLUMNS 10

static void
append_line (GString *out, const char *mark, const char *name, const char *text)
{
  g_autofree char *padded = cli_text_pad (mark, MARK_COLUMNS);

  g_string_append_printf (out, "  %s %s%s%s\n", padded, name, text != NULL ? ": " : "",
                          text != NULL ? text : "");
}

/* What would run or be reached, whole; of variables and headers the names. */
static void
append_details (GString *out, GmcpServerConfig *config)
{
  g_autofree char *details = gmcp_server_config_dup_details (config, FALSE);
  g_auto (GStrv) lines = g_strsplit (details, "\n", -1);

  for (gsize i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      g_string_append_printf (out, "             %s\n", lines[i]);
}

static void
append_item (GString *out, GmcpConfigImportItem *item)
{
  const char *name = gmcp_config_import_item_get_name (item);
  const char *const *secrets = gmcp_config_import_item_get_secrets (item);
  const char *const *notes = gmcp_config_import_item_get_notes (item);
  g_autofree char *fields = g_strjoinv (", ", (char **) gmcp_config_import_item_get_fields (item));
  GmcpImportChange change = gmcp_config_import_item_get_change (item);

  switch (change)
    {
    case GMCP_IMPORT_CHANGE_ADDED:
      append_line (out, _ ("new"), name, fields);
      break;
    case GMCP_IMPORT_CHANGE_CHANGED:
      append_line (out, _ ("changed"), name, fields);
      break;
    case GMCP_IMPORT_CHANGE_SAME:
      append_line (out, _ ("the same"), name, NULL);
      break;
    case GMCP_IMPORT_CHANGE_REFUSED:
    default:
      append_line (out, _ ("impossible"), name, gmcp_config_import_item_get_problem (item));
    }

  if (change == GMCP_IMPORT_CHANGE_ADDED)
    append_details (out, gmcp_config_import_item_get_config (item));
  for (gsize i = 0; change != GMCP_IMPORT_CHANGE_SAME && secrets[i] != NULL; i++)
    g_string_append_printf (out,
                            _ ("             %s looks like a secret; it is better kept in the "
                               "keyring and written ${secret:NAME}\n"),
                            secrets[i]);
  for (gsize i = 0; notes[i] != NULL; i++)
    g_string_append_printf (out, "             %s\n", notes[i]);
}

static gboolean
brings_command (GmcpConfigImportItem *item, const char *const *servers)
{
  GmcpServerConfig *config = gmcp_config_import_item_get_config (item);
  GmcpImportChange change = gmcp_config_import_item_get_change (item);

  return cli_import_is_chosen (item, servers) && config != NULL
         && (change == GMCP_IMPORT_CHANGE_ADDED || change == GMCP_IMPORT_CHANGE_CHANGED)
         && gmcp_server_config_get_url (config) == NULL;
}

char *
cli_import_dup_preview (GmcpConfigImport *import, const char *const *servers)
{
  GListModel *items = gmcp_config_import_get_items (import);
  guint n_items = g_list_model_get_n_items (items);
  g_autofree char *from = g_file_get_parse_name (gmcp_config_import_get_file (import));
  g_autofree char *to = cli_import_describe_target (import);
  const char *title = gmcp_config_import_get_title (import);
  gboolean has_command = FALSE;
  g_autoptr (GString) out = g_string_new (NULL);

  if (title != NULL)
    /* Translators: the file of another program, that program, and what is written to. */
    g_string_append_printf (out, _ ("From %s (%s) into %s:\n"), from, title, to);
  else
    g_string_append_printf (out, _ ("From %s into %s:\n"), from, to);
  if (n_items == 0)
    g_string_append (out, _ ("  There are no servers in it.\n"));
  for (guint i = 0; i < n_items; i++)
    {
      g_autoptr (GmcpConfigImportItem) item = g_list_model_get_item (items, i);

      if (cli_import_is_chosen (item, servers))
        append_item (out, item);
      has_command = has_command || brings_command (item, servers);
    }
  if (has_command)
    g_string_append (out, _ ("Its commands run as you, and may do what you may.\n"));
  return gmcp_dup_visible_text (out->str);
}
