/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-server-config-write-private.h"

#include <gmcp/core/gmcp-error.h>

/**
 * gmcp_server_config_new_from_json:
 * @id: the server's id
 * @json: a JSON object with `command`, `args`, `env`, `cwd`, or with `url` and `headers`, and more,
 *   as it stands below `mcpServers` in the files of many hosts
 * @error: return location for an error
 *
 * Reads the configuration of one server. Keys that are not known are left alone. Fails with
 * %GMCP_ERROR_INVALID_JSON or %GMCP_ERROR_INVALID_CONFIG; the message names the key and what was
 * expected there.
 *
 * Returns: (transfer full): a configuration, which is valid
 *
 * Since: 0.1
 */
GmcpServerConfig *
gmcp_server_config_new_from_json (const char *id, const char *json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_auto (GmcpConfigReport) report = { NULL };
  GmcpServerConfig *config;

  g_return_val_if_fail (id != NULL, NULL);
  g_return_val_if_fail (json != NULL, NULL);

  doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, error);
  if (doc == NULL)
    return NULL;

  gmcp_config_report_init (&report, NULL);
  config = gmcp_config_entry_read (id, NULL, gmcp_json_doc_get_root (doc), id, NULL,
                                   &gmcp_config_entry_plain_rules, &report);
  if (config == NULL)
    g_propagate_error (error, gmcp_config_report_make_error (&report));
  return config;
}

/**
 * gmcp_server_config_dup_json:
 * @self: a configuration
 *
 * Writes the configuration as a JSON object in the form that [ctor@Gmcp.ServerConfig.new_from_json] reads:
 * what stands behind the name of the server in a file of `mcpServers`. What is as by default is left out.
 *
 * Variables and headers are in it as they are configured. A secret that is referred to stays a
 * reference; one that is written out is written out here, too.
 *
 * Returns: (transfer full): a JSON object
 *
 * Since: 0.1
 */
char *
gmcp_server_config_dup_json (GmcpServerConfig *self)
{
  g_autoptr (GString) out = NULL;

  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  out = g_string_new (NULL);
  gmcp_server_config_write (self, gmcp_server_config_get_id (self), GMCP_JSON_NONE, NULL, "", out);
  return g_string_free (g_steal_pointer (&out), FALSE);
}
