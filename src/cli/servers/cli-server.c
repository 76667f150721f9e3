/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-server.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli-progress.h"
#include "cli-questions.h"
#include "cli-suggest.h"

#include <gmcp/config/settings/gmcp-settings-config-source.h>

static char *
list_servers (GmcpManager *manager)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (manager));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                              gmcp_managed_server_get_id (server));
    }
  return g_string_free (g_steal_pointer (&names), FALSE);
}

/* The command that puts it on the list. */
static void
tell_of_unlisted (GmcpSettingsConfigSource *source, const char *id)
{
  g_auto (GStrv) listed
    = g_settings_get_strv (gmcp_settings_config_source_get_settings (source), "servers");
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();
  g_auto (GStrv) wanted = NULL;
  g_autoptr (GVariant) value = NULL;
  g_autofree char *text = NULL;

  g_strv_builder_addv (ids, (const char **) listed);
  g_strv_builder_add (ids, id);
  wanted = g_strv_builder_end (ids);
  value = g_variant_ref_sink (g_variant_new_strv ((const char *const *) wanted, -1));
  text = g_variant_print (value, FALSE);
  /* Translators: the id of a server, and the ids of servers in brackets */
  g_printerr (_ ("There are settings for %s, but the list of servers does not name it. To add it: "
                 "gsettings set org.gmcp.Manager servers \"%s\"\n"),
              id, text);
}

static void
look_for_unlisted (GmcpManager *manager, const char *id)
{
  g_autoptr (GPtrArray) sources = gmcp_manager_list_sources (manager);

  for (guint i = 0; i < sources->len; i++)
    {
      GmcpConfigSource *source = g_ptr_array_index (sources, i);

      if (GMCP_IS_SETTINGS_CONFIG_SOURCE (source)
          && gmcp_settings_config_source_has_unlisted_server (GMCP_SETTINGS_CONFIG_SOURCE (source),
                                                              id))
        {
          tell_of_unlisted (GMCP_SETTINGS_CONFIG_SOURCE (source), id);
          return;
        }
    }
}

CliExit
cli_server_report_unknown (CliHost *host, const char *id)
{
  GmcpManager *manager = cli_host_get_manager (host);
  g_autofree char *names = list_servers (manager);
  g_auto (GStrv) known = g_strsplit (names, ", ", -1);
  g_autofree char *near = cli_suggest_near (id, (const char *const *) known);
  g_autofree char *message
    = *names != '\0' ? g_strdup_printf (_ ("Unknown server: %s (configured: %s)"), id, names)
                     : g_strdup_printf (_ ("Unknown server: %s"), id);

  cli_usage_error ("%s%s", message, near);
  look_for_unlisted (manager, id);
  if (*names == '\0')
    cli_host_explain_no_servers (host);
  return CLI_EXIT_USAGE;
}

CliExit
cli_server_load_config (CliHost *host, GmcpManager *manager)
{
  g_autoptr (GAsyncResult) configured = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_manager_load_config_async (manager, host->cancellable, cli_store_result, &configured);
  if (!gmcp_manager_load_config_finish (manager, cli_wait (&configured), &error))
    return cli_host_report (host, error);
  return CLI_EXIT_OK;
}

void
cli_server_explain_not_in_daemon (CliHost *host, const char *id)
{
  GmcpManager *manager = NULL;
  g_autofree char *words = cli_server_dup_words (host, id);

  if (cli_host_open (host) == CLI_EXIT_OK)
    manager = cli_host_get_manager (host);
  if (manager == NULL || cli_server_load_config (host, manager) != CLI_EXIT_OK)
    return;

  if (gmcp_manager_get_server (manager, id) == NULL)
    cli_server_report_unknown (host, id);
  else
    /* Translators: the id of a server, twice */
    cli_usage_error (_ ("%s is configured here, but not for gmcpd, which has no servers of a "
                        "project: “gmcp start --foreground %s” runs it until Ctrl-C"),
                     id, words);
}

CliExit
cli_server_check_role (GmcpManager *manager, const char *role)
{
  g_autoptr (GPtrArray) roles = gmcp_manager_list_roles (manager);

  for (guint i = 0; i < roles->len; i++)
    if (g_str_equal (gmcp_role_get_name (g_ptr_array_index (roles, i)), role))
      return CLI_EXIT_OK;
  return cli_usage_error (_ ("there is no role “%s”; “gmcp role” lists those that there are"),
                          role);
}

CliExit
cli_server_find (CliHost *host, const char *id, GmcpManagedServer **server)
{
  GmcpManager *manager = cli_host_get_manager (host);
  CliExit status;

  if (manager == NULL)
    return cli_usage_error (_ ("Unknown server: %s"), id);
  status = cli_server_load_config (host, manager);
  if (status != CLI_EXIT_OK)
    return status;

  *server = gmcp_manager_get_server (manager, id);
  return *server != NULL ? CLI_EXIT_OK : cli_server_report_unknown (host, id);
}

CliExit
cli_server_check_one (CliHost *host, int argc, char *argv[])
{
  if (argc < 2)
    return cli_server_report_missing (host, argv[0]);
  if (argc > 2)
    return cli_usage_error (_ ("%s: one server at a time"), argv[0]);
  return CLI_EXIT_OK;
}

static CliExit
report_gone (GmcpManagedServer *server)
{
  g_printerr (_ ("gmcp: server %s ended as soon as it was started\n"),
              gmcp_managed_server_get_id (server));
  return CLI_EXIT_UNREACHABLE;
}

GmcpClient *
cli_server_get_client (CliHost *host, GmcpManagedServer *server, CliExit *status)
{
  GmcpClient *client = gmcp_managed_server_get_client (server);
  const GError *error = gmcp_managed_server_get_last_error (server);

  if (client == NULL)
    *status = error != NULL ? cli_host_report (host, error) : report_gone (server);
  return client;
}

static CliExit
start_server (CliHost *host, GmcpManagedServer *server)
{
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = cli_questions_new_for_start (host->providers);
  g_autoptr (CliProgress) progress G_GNUC_UNUSED
    = cli_progress_new (gmcp_managed_server_get_id (server), NULL, host->json);
  g_autoptr (GAsyncResult) started = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_managed_server_start_async (server, host->cancellable, cli_store_result, &started);
  if (!gmcp_managed_server_start_finish (server, cli_wait (&started), &error))
    return cli_host_report (host, error);
  return CLI_EXIT_OK;
}

GPtrArray *
cli_server_list_unattended (GmcpManager *manager)
{
  GPtrArray *servers = g_ptr_array_new_with_free_func (g_object_unref);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (manager));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);
      GmcpServerConfig *config = gmcp_managed_server_get_config (server);

      if (gmcp_server_config_is_enabled (config)
          && (gmcp_managed_server_get_start (server) != GMCP_SERVER_START_MANUAL
              || gmcp_server_config_get_url (config) != NULL))
        g_ptr_array_add (servers, g_steal_pointer (&server));
    }
  return servers;
}

CliExit
cli_server_connect (CliHost *host, const char *id, GmcpClient **client)
{
  GmcpManagedServer *server = NULL;
  CliExit status = cli_server_find (host, id, &server);

  if (status == CLI_EXIT_OK)
    status = start_server (host, server);
  if (status == CLI_EXIT_OK)
    *client = cli_server_get_client (host, server, &status);
  return status;
}

/* All at once, so that the slowest says how long it takes. Those that failed are taken out; status
 * is that of the last. */
static void
start_all (CliHost *host, GPtrArray *servers, CliExit *status)
{
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = cli_questions_new_for_start (host->providers);
  g_autoptr (CliProgress) progress G_GNUC_UNUSED
    = cli_progress_new (_ ("starting servers"), NULL, host->json);
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_set_size (results, (int) servers->len);
  for (guint i = 0; i < servers->len; i++)
    gmcp_managed_server_start_async (servers->pdata[i], host->cancellable, cli_store_result,
                                     &results->pdata[i]);
  for (guint i = 0; i < results->len; i++)
    cli_wait ((GAsyncResult **) &results->pdata[i]);

  for (guint i = 0, k = 0; i < results->len; i++)
    {
      g_autoptr (GError) error = NULL;

      if (gmcp_managed_server_start_finish (servers->pdata[k], results->pdata[i], &error))
        {
          k++;
          continue;
        }
      /* An error that ended all starts is reported once. */
      if (!g_cancellable_is_cancelled (host->cancellable))
        *status = cli_host_report_shortly (host, error);
      g_ptr_array_remove_index (servers, k);
    }
}

static GPtrArray *
list_enabled (GmcpManager *manager)
{
  GPtrArray *servers = g_ptr_array_new_with_free_func (g_object_unref);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (manager));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);

      if (gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server)))
        g_ptr_array_add (servers, g_steal_pointer (&server));
    }
  return servers;
}

static GPtrArray *
start_enabled (CliHost *host, CliExit *status)
{
  GmcpManager *manager = cli_host_get_manager (host);
  g_autoptr (GPtrArray) servers = NULL;
  g_autoptr (GError) error = NULL;
  CliExit failed = CLI_EXIT_OK;

  *status = manager != NULL ? cli_server_load_config (host, manager) : CLI_EXIT_OK;
  if (manager == NULL || *status != CLI_EXIT_OK)
    return g_ptr_array_new ();

  servers = list_enabled (manager);
  if (servers->len == 0)
    cli_host_explain_no_servers (host);
  start_all (host, servers, &failed);
  if (g_cancellable_set_error_if_cancelled (host->cancellable, &error))
    *status = cli_host_report (host, error);
  else if (servers->len == 0)
    *status = failed == CLI_EXIT_OK && host->config_is_broken ? CLI_EXIT_USAGE : failed;
  return g_steal_pointer (&servers);
}

GPtrArray *
cli_server_start (CliHost *host, const char *id, CliExit *status)
{
  GPtrArray *servers;
  GmcpManagedServer *server = NULL;

  if (id == NULL)
    return start_enabled (host, status);

  servers = g_ptr_array_new_with_free_func (g_object_unref);
  *status = cli_server_find (host, id, &server);
  if (*status == CLI_EXIT_OK)
    *status = start_server (host, server);
  if (*status == CLI_EXIT_OK)
    g_ptr_array_add (servers, g_object_ref (server));
  return servers;
}

CliExit
cli_server_report_failures (CliHost *host)
{
  GmcpManager *manager = cli_host_get_manager (host);
  g_autoptr (GPtrArray) servers = manager != NULL ? list_enabled (manager) : g_ptr_array_new ();
  CliExit status = CLI_EXIT_OK;
  guint n_failed = 0;

  for (guint i = 0; i < servers->len; i++)
    {
      const GError *error = gmcp_managed_server_get_last_error (servers->pdata[i]);

      if (error != NULL)
        {
          CliExit own = cli_host_report_shortly (host, error);

          status = n_failed++ == 0 ? own : CLI_EXIT_UNREACHABLE;
        }
    }

  return n_failed == servers->len ? status : CLI_EXIT_OK;
}

static char *
quote_word (const char *word)
{
  for (const char *p = word; *p != '\0'; p++)
    {
      if (!g_ascii_isalnum (*p) && strchr ("/._-+@%:,", *p) == NULL)
        return g_shell_quote (word);
    }
  return g_strdup (word);
}

char *
cli_server_dup_words (CliHost *host, const char *id)
{
  g_autofree char *file = host->config_file != NULL ? quote_word (host->config_file) : NULL;

  return file != NULL ? g_strdup_printf ("%s --config %s", id, file) : g_strdup (id);
}

const char *
cli_server_find_separator (const char *name, gsize *length)
{
  const char *dot = strchr (name, '.');
  const char *scores = strstr (name, "__");

  *length = dot != NULL && (scores == NULL || dot < scores) ? 1 : 2;
  return *length == 1 ? dot : scores;
}

gboolean
cli_server_split_name (const char *command, const char *name, char **server, char **rest)
{
  gsize length;
  const char *separator = cli_server_find_separator (name, &length);

  if (separator == NULL || separator == name || separator[length] == '\0')
    {
      cli_usage_error (_ ("%s: “%s” is not of the form SERVER.NAME"), command, name);
      return FALSE;
    }
  *server = g_strndup (name, (gsize) (separator - name));
  *rest = g_strdup (separator + length);
  return TRUE;
}

char *
cli_server_dup_joined (CliHost *host, const char *id, const char *rest)
{
  GmcpManager *manager = cli_host_get_manager (host);
  g_autoptr (GAsyncResult) configured = NULL;

  if (manager == NULL)
    return NULL;
  gmcp_manager_load_config_async (manager, host->cancellable, cli_store_result, &configured);
  if (!gmcp_manager_load_config_finish (manager, cli_wait (&configured), NULL)
      || gmcp_manager_get_server (manager, id) == NULL)
    return NULL;
  return g_strconcat (id, ".", rest, NULL);
}

CliExit
cli_server_report_missing (CliHost *host, const char *command)
{
  CliExit status
    /* Translators: the name of a command */
    = cli_usage_error (_ ("%s: which server? “gmcp status” lists them"), command);
  GmcpManager *manager;

  if (host->json || cli_host_open (host) != CLI_EXIT_OK)
    return status;
  manager = cli_host_get_manager (host);
  if (manager != NULL && cli_server_load_config (host, manager) == CLI_EXIT_OK)
    cli_host_explain_no_servers (host);
  return status;
}
