/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "cli-config.h"

#include <gmcp/manager/gmcp-file-config-source.h>

static gboolean
set_file_trusted (CliHost *host, GmcpFileConfigSource *source, gboolean trusted, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_file_config_source_set_trusted_async (source, trusted, host->cancellable, cli_store_result,
                                             &result);
  return gmcp_file_config_source_set_trusted_finish (source, cli_wait (&result), error);
}

static gboolean
set_approved (CliHost *host,
              GmcpFileConfigSource *source,
              const char *id,
              gboolean approved,
              GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_file_config_source_set_approved_async (source, id, approved, host->cancellable,
                                              cli_store_result, &result);
  return gmcp_file_config_source_set_approved_finish (source, cli_wait (&result), error);
}

static gboolean
load_file (CliHost *host, GmcpFileConfigSource *source, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_config_source_load_async (GMCP_CONFIG_SOURCE (source), host->cancellable, cli_store_result,
                                 &result);
  return gmcp_config_source_load_finish (GMCP_CONFIG_SOURCE (source), cli_wait (&result), error);
}

static gboolean
is_same_file (GFile *file, GFile *other)
{
  g_autofree char *real = realpath (g_file_peek_path (file), NULL);
  g_autofree char *other_real = realpath (g_file_peek_path (other), NULL);

  return g_file_equal (file, other) || (real != NULL && g_strcmp0 (real, other_real) == 0);
}

/* Trust goes by the real folder, so that is what is shown; a file that is a link stays one. */
static GFile *
make_real_file (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (path);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  char *real = folder != NULL ? realpath (g_file_peek_path (folder), NULL) : NULL;
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *real_path = real != NULL ? g_build_filename (real, name, NULL) : NULL;

  free (real);
  return real_path != NULL ? g_file_new_for_path (real_path) : g_steal_pointer (&file);
}

/* What stands at a place of the user's own runs without being trusted. */
static gboolean
is_users_own (GFile *file)
{
  g_autoptr (GmcpManager) manager = gmcp_manager_new ();
  g_autoptr (GPtrArray) sources = NULL;

  gmcp_manager_add_default_sources (manager);
  sources = gmcp_manager_list_sources (manager);
  for (guint i = 0; g_file_peek_path (file) != NULL && i < sources->len; i++)
    {
      GmcpConfigSource *source = g_ptr_array_index (sources, i);

      if (GMCP_IS_FILE_CONFIG_SOURCE (source)
          && is_same_file (file,
                           gmcp_file_config_source_get_file (GMCP_FILE_CONFIG_SOURCE (source))))
        return TRUE;
    }
  return FALSE;
}

/* The names only: a value may be a secret. */
static void
print_variables (GmcpServerConfig *config)
{
  const char *const *environment = gmcp_server_config_get_environment (config);
  g_autoptr (GString) names = g_string_new (NULL);

  for (gsize i = 0; environment != NULL && environment[i] != NULL; i++)
    g_string_append_printf (names, "%s%.*s", i > 0 ? ", " : "", (int) strcspn (environment[i], "="),
                            environment[i]);
  if (names->len > 0)
    {
      g_autofree char *visible = g_strescape (names->str, NULL);

      g_print (_ ("    with these variables set: %s\n"), visible);
    }
}

/* What is said of the servers of the file beside all other places; NULL where they cannot be read. */
static GPtrArray *
find_beside_others (CliHost *host, GmcpConfigSource *source)
{
  g_autoptr (GmcpManager) manager = gmcp_manager_new ();
  g_autoptr (GError) error = NULL;

  gmcp_manager_add_default_sources (manager);
  gmcp_manager_add_source (manager, source);
  cli_config_load (host, manager, &error);
  return error == NULL ? gmcp_manager_list_findings (manager) : NULL;
}

/* A server that stands elsewhere, too, does not run for being trusted. */
static void
print_shadow (GPtrArray *findings, const char *file, const char *id)
{
  for (guint i = 0; findings != NULL && i < findings->len; i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (findings, i);

      if (g_strcmp0 (gmcp_config_finding_get_file (finding), file) == 0
          && g_strcmp0 (gmcp_config_finding_get_key_path (finding), id) == 0)
        g_print ("    %s\n", gmcp_config_finding_get_message (finding));
    }
}

static void
print_servers (CliHost *host, GmcpConfigSource *source, const char *file)
{
  g_autoptr (GPtrArray) findings = find_beside_others (host, source);
  GListModel *servers = gmcp_config_source_get_servers (source);
  guint n_servers = g_list_model_get_n_items (servers);

  for (guint i = 0; i < n_servers; i++)
    {
      g_autoptr (GmcpServerConfig) config = g_list_model_get_item (servers, i);
      g_autofree char *command = gmcp_server_config_dup_command_text (config);

      if (!gmcp_server_config_is_enabled (config))
        continue;
      g_print ("  %s: %s\n", gmcp_server_config_get_id (config), command);
      print_variables (config);
      print_shadow (findings, file, gmcp_server_config_get_id (config));
    }
}

static CliExit
print_trusted (CliHost *host, GmcpFileConfigSource *source)
{
  g_autofree char *name = g_file_get_parse_name (gmcp_file_config_source_get_file (source));
  g_autoptr (GError) error = NULL;

  if (!load_file (host, source, &error))
    return cli_host_report (host, error);
  if (!gmcp_file_config_source_is_trusted (source))
    return cli_usage_error (_ ("%s has been changed meanwhile, and is not trusted"), name);

  g_print (_ ("%s is trusted as it is now. Its servers may run:\n"), name);
  print_servers (host, GMCP_CONFIG_SOURCE (source), name);
  return CLI_EXIT_OK;
}

/* A file, and the servers of it that are to be taken in place of others. */
CliExit
cli_config_set_trusted (CliHost *host, const char *path, char *servers[], gboolean trusted)
{
  g_autoptr (GFile) file = make_real_file (path);
  g_autoptr (GmcpFileConfigSource) source
    = g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", file, "project", TRUE, NULL);
  g_autoptr (GError) error = NULL;

  if (trusted && is_users_own (file))
    return cli_usage_error (_ ("%s is a file of your own and no project's: its servers run without "
                               "being trusted"),
                            path);
  if (!load_file (host, source, &error))
    return cli_host_report (host, error);

  for (int i = 0; servers[i] != NULL; i++)
    {
      g_autofree char *id = gmcp_server_config_make_id (servers[i]);

      if (!set_approved (host, source, id, trusted, &error))
        return cli_host_report (host, error);
    }
  /* Whoever takes back what was said of a server may trust the others still. */
  if ((trusted || servers[0] == NULL) && !set_file_trusted (host, source, trusted, &error))
    return cli_host_report (host, error);
  if (trusted)
    return print_trusted (host, source);

  g_print (servers[0] == NULL ? _ ("%s is not trusted any more.\n")
                              : _ ("The servers named are not taken from %s any more.\n"),
           path);
  return CLI_EXIT_OK;
}
