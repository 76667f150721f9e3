/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "cli-affirm.h"
#include "cli-config.h"
#include "cli-text.h"

#include <gmcp/core/gmcp-visible-text.h>
#include <gmcp/config/file/gmcp-config-review.h>
#include <gmcp/config/file/gmcp-file-config-source.h>

static gboolean
drop_trust (CliHost *host, GmcpFileConfigSource *source, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_file_config_source_set_trusted_async (source, FALSE, host->cancellable, cli_store_result,
                                             &result);
  return gmcp_file_config_source_set_trusted_finish (source, cli_wait (&result), error);
}

static gboolean
drop_approval (CliHost *host, GmcpFileConfigSource *source, const char *id, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_file_config_source_set_approved_async (source, id, FALSE, host->cancellable,
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

      GFile *place = gmcp_config_finding_get_file (finding);
      g_autofree char *name = place != NULL ? g_file_get_parse_name (place) : NULL;

      if (g_strcmp0 (name, file) == 0
          && g_strcmp0 (gmcp_config_finding_get_server_id (finding), id) == 0)
        g_print ("    %s\n", gmcp_config_finding_get_message (finding));
    }
}

/* What does not run although it is trusted. */
static void
print_shadows (CliHost *host, GmcpFileConfigSource *source, const char *file)
{
  g_autoptr (GPtrArray) findings = find_beside_others (host, GMCP_CONFIG_SOURCE (source));
  GListModel *servers = gmcp_config_source_get_servers (GMCP_CONFIG_SOURCE (source));
  guint n_servers = g_list_model_get_n_items (servers);

  for (guint i = 0; i < n_servers; i++)
    {
      g_autoptr (GmcpServerConfig) config = g_list_model_get_item (servers, i);

      print_shadow (findings, file, gmcp_server_config_get_id (config));
    }
}

static GmcpConfigReview *
read_review (CliHost *host, GFile *file, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_config_review_read_async (file, host->cancellable, cli_store_result, &result);
  return gmcp_config_review_read_finish (cli_wait (&result), error);
}

static gboolean
store_review (CliHost *host, GmcpConfigReview *review, char *servers[], GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; servers[i] != NULL; i++)
    g_ptr_array_add (ids, gmcp_server_config_make_id (servers[i]));
  g_ptr_array_add (ids, NULL);
  gmcp_config_review_trust_async (review, (const char *const *) ids->pdata, host->cancellable,
                                  cli_store_result, &result);
  return gmcp_config_review_trust_finish (review, cli_wait (&result), error);
}

/* Shows all of it before anything is asked or stored. */
static gboolean
is_agreed (CliHost *host, GmcpConfigReview *review, gboolean yes)
{
  g_autoptr (GFile) file = gmcp_config_review_dup_file (review);
  g_autofree char *name = gmcp_dup_visible_line (g_file_peek_path (file), 0);
  g_autofree char *text = g_strdup_printf (
    /* Translators: a file, and what is in it */
    _ ("%s brings what follows; its servers run as you, with what is given them:\n%s"), name,
    gmcp_config_review_get_text (review));

  if (!yes && cli_may_ask ())
    return cli_affirm (host, text, _ ("Trust this? [y/N]"));

  cli_text_show (text);
  return yes;
}

static CliExit
trust_file (CliHost *host, GFile *file, char *servers[], gboolean yes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpConfigReview) review = read_review (host, file, &error);
  g_autoptr (GmcpFileConfigSource) source = NULL;
  g_autoptr (GFile) reviewed = NULL;
  g_autofree char *name = NULL;

  if (review == NULL)
    return cli_host_report (host, error);
  if (!is_agreed (host, review, yes))
    return cli_usage_error (cli_may_ask ()
                              ? _ ("nothing was trusted")
                              : _ ("nothing was trusted: there is no terminal to ask on; “--yes” "
                                   "trusts what was shown"));
  if (!store_review (host, review, servers, &error))
    return cli_host_report (host, error);

  reviewed = gmcp_config_review_dup_file (review);
  name = g_filename_display_name (g_file_peek_path (reviewed));
  source = g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", file, "project", TRUE, NULL);
  if (!load_file (host, source, &error))
    return cli_host_report (host, error);
  if (!gmcp_file_config_source_is_trusted (source))
    return cli_usage_error (_ ("%s has been changed meanwhile, and is not trusted"), name);

  g_print (_ ("%s is trusted as it is now.\n"), name);
  print_shadows (host, source, name);
  return CLI_EXIT_OK;
}

static CliExit
distrust_file (CliHost *host, GFile *file, const char *path, char *servers[])
{
  g_autoptr (GmcpFileConfigSource) source
    = g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", file, "project", TRUE, NULL);
  g_autoptr (GError) error = NULL;

  if (!load_file (host, source, &error))
    return cli_host_report (host, error);

  for (int i = 0; servers[i] != NULL; i++)
    {
      g_autofree char *id = gmcp_server_config_make_id (servers[i]);

      if (!drop_approval (host, source, id, &error))
        return cli_host_report (host, error);
    }
  /* With servers named, trust in the rest of the file stays. */
  if (servers[0] == NULL && !drop_trust (host, source, &error))
    return cli_host_report (host, error);

  g_print (servers[0] == NULL ? _ ("%s is not trusted any more.\n")
                              : _ ("The servers named are not taken from %s any more.\n"),
           path);
  return CLI_EXIT_OK;
}

CliExit
cli_config_set_trusted (CliHost *host,
                        const char *path,
                        char *servers[],
                        gboolean trusted,
                        gboolean yes)
{
  g_autoptr (GFile) file = make_real_file (path);

  if (!trusted)
    return distrust_file (host, file, path, servers);
  if (is_users_own (file))
    return cli_usage_error (_ ("%s is a file of your own and no project's: its servers run without "
                               "being trusted"),
                            path);
  return trust_file (host, file, servers, yes);
}
