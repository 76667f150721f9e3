/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-private.h"
#include "gmcp-server-config-private.h"

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
