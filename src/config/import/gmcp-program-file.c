/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-import-private.h"
#include "gmcp-gateway-command-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-program-connection-private.h"
#include "gmcp-redactor-config-private.h"

#include <gmcp/core/gmcp-error.h>

/* What another program has in its file. */

static void
server_free (gpointer data)
{
  GmcpProgramServer *server = data;

  g_free (server->name);
  g_strfreev (server->argv);
  g_free (server);
}

void
gmcp_program_file_free (GmcpProgramFile *file)
{
  g_clear_pointer (&file->text, g_bytes_unref);
  g_ptr_array_unref (file->servers);
  g_ptr_array_unref (file->backups);
  g_clear_pointer (&file->document, gmcp_config_document_free);
  gmcp_redactor_free (file->redactor);
  g_free (file);
}

static GmcpProgramFile *
make_file (void)
{
  GmcpProgramFile *file = g_new0 (GmcpProgramFile, 1);

  file->servers = g_ptr_array_new_with_free_func (server_free);
  file->backups = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  file->redactor = gmcp_redactor_new ();
  return file;
}

static void
add_server (GmcpProgramFile *file, const GmcpConfigOutcome *outcome)
{
  GmcpProgramServer *server = g_new0 (GmcpProgramServer, 1);
  const char *const *argv
    = outcome->config != NULL ? gmcp_server_config_get_argv (outcome->config) : NULL;

  server->name = g_strdup (outcome->name);
  server->argv = argv != NULL && argv[0] != NULL ? g_strdupv ((GStrv) argv) : NULL;
  server->is_gateway = gmcp_is_gateway_command (argv);
  g_ptr_array_add (file->servers, server);
  if (outcome->config != NULL)
    gmcp_redactor_add_config (file->redactor, outcome->config);
}

static gboolean
read_text (GmcpProgramFile *file, const GmcpConfigForeign *program, GFile *place, GError **error)
{
  g_autofree char *name = g_file_get_parse_name (place);
  g_autofree char *folder = g_path_get_dirname (g_file_peek_path (place));
  g_autoptr (GPtrArray) findings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GmcpConfigContents) contents = NULL;
  guint line = 0;
  gsize length;
  const char *text = g_bytes_get_data (file->text, &length);

  contents
    = gmcp_config_contents_read_foreign (text, length, &program, name, folder, findings, error);
  if (contents == NULL)
    return FALSE;
  file->document = gmcp_config_document_parse (text, length, program->format, &line, error);
  for (guint i = 0; file->document != NULL && i < contents->outcomes->len; i++)
    add_server (file, g_ptr_array_index (contents->outcomes, i));
  return file->document != NULL;
}

GmcpProgramFile *
gmcp_program_file_read (const GmcpConfigForeign *program, GFile *file, GBytes *text, GError **error)
{
  g_autoptr (GmcpProgramFile) contents = make_file ();
  g_autofree char *name = g_file_get_parse_name (file);

  contents->text = text;
  if (text != NULL && g_bytes_get_size (text) > GMCP_LIMIT_CONFIG_FILE_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("%s: larger than a configuration may be (%u bytes)"), name,
                   GMCP_LIMIT_CONFIG_FILE_BYTES);
      return NULL;
    }
  if (text != NULL && !gmcp_config_import_is_blank (text)
      && !read_text (contents, program, file, error))
    return NULL;
  return g_steal_pointer (&contents);
}
