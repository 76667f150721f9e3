/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-resource-find.h"

#include <glib/gi18n.h>

#include "cli-suggest.h"
#include "cli-text.h"

#define SHOWN_COLUMNS 60u

static GListModel *
list_resources (CliHost *host, GmcpClient *client)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_client_list_resources_async (client, host->cancellable, cli_store_result, &result);
  return gmcp_client_list_resources_finish (client, cli_wait (&result), NULL);
}

static gboolean
has_scheme (const char *word)
{
  g_autofree char *scheme = g_uri_parse_scheme (word);

  return scheme != NULL;
}

/* Names and URIs alike. */
static char *
suggest_resource (GListModel *resources, const char *word)
{
  guint n = g_list_model_get_n_items (resources);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *near = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpResource) resource = g_list_model_get_item (resources, i);
      const char *name = gmcp_definition_get_name (GMCP_DEFINITION (resource));

      g_ptr_array_add (words, g_strdup (gmcp_resource_get_uri (resource)));
      if (name != NULL)
        g_ptr_array_add (words, g_strdup (name));
    }
  g_ptr_array_add (words, NULL);
  near = cli_suggest_near (word, (const char *const *) words->pdata);
  return cli_text_plain (near, G_MAXUINT / 2);
}

CliExit
cli_resource_find_uri (CliHost *host, GmcpClient *client, const char *word, char **uri)
{
  g_autoptr (GListModel) resources = has_scheme (word) ? NULL : list_resources (host, client);
  guint n = resources != NULL ? g_list_model_get_n_items (resources) : 0;
  g_autofree char *near = NULL;
  g_autofree char *shown = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpResource) resource = g_list_model_get_item (resources, i);

      if (g_strcmp0 (gmcp_definition_get_name (GMCP_DEFINITION (resource)), word) != 0)
        continue;
      *uri = g_strdup (gmcp_resource_get_uri (resource));
      return CLI_EXIT_OK;
    }
  if (n == 0)
    {
      *uri = g_strdup (word);
      return CLI_EXIT_OK;
    }

  near = suggest_resource (resources, word);
  shown = cli_text_plain (word, SHOWN_COLUMNS);
  /* Translators: a word, and “. Near to it: notes.” or nothing */
  return cli_usage_error (_ ("read: “%s” is no URI, and no resource has that name%s"), shown, near);
}

CliExit
cli_resource_report (CliHost *host, GmcpClient *client, const char *uri, const GError *error)
{
  g_autoptr (GListModel) resources = NULL;
  g_autofree char *near = NULL;
  g_autoptr (GError) shown = g_error_copy (error);

  if (error->domain != GMCP_RPC_ERROR)
    return cli_host_report (host, error);

  resources = list_resources (host, client);
  near = resources != NULL ? suggest_resource (resources, uri) : g_strdup ("");
  if (*near != '\0')
    {
      g_free (shown->message);
      shown->message = g_strconcat (error->message, near, NULL);
    }
  return cli_host_report (host, shown);
}
