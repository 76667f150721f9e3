/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/config/gmcp-server-config.h>
#include <gmcp/core/gmcp-error.h>
#include <gmcp/json/gmcp-json.h>

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-i18n-private.h"

static char *
dup_name (const char *name)
{
  return g_strdup (name);
}

/* What is taken away or merged is called as the configuration is written, whatever name it has in the patch. */
static char *
dup_key (const char *name)
{
  char *key = NULL;
  guint scale;

  return gmcp_config_key_resolve (name, &key, &scale) == GMCP_CONFIG_KEY_KNOWN ? key
                                                                               : g_strdup (name);
}

/* RFC 7396, 2. */
static void
merge_into (JsonObject *target, JsonObject *patch, char *(*dup_old_name) (const char *name))
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  json_object_iter_init_ordered (&iter, patch);
  while (json_object_iter_next_ordered (&iter, &name, &value))
    {
      g_autofree char *old_name = dup_old_name (name);
      JsonNode *old = json_object_get_member (target, old_name);
      g_autoptr (JsonObject) merged = NULL;

      if (JSON_NODE_HOLDS_OBJECT (value))
        {
          merged = old != NULL && JSON_NODE_HOLDS_OBJECT (old) ? json_node_dup_object (old)
                                                               : json_object_new ();
          merge_into (merged, json_node_get_object (value), dup_name);
        }
      if (old != NULL)
        json_object_remove_member (target, old_name);
      if (merged != NULL)
        json_object_set_object_member (target, old_name, g_steal_pointer (&merged));
      else if (!JSON_NODE_HOLDS_NULL (value))
        json_object_set_member (target, name, json_node_copy (value));
    }
}

/**
 * gmcp_server_config_dup_patched:
 * @self: a configuration
 * @patch: a JSON object: a merge patch ([RFC 7396](https://www.rfc-editor.org/rfc/rfc7396)) of what
 *   [method@Gmcp.ServerConfig.dup_json] gives, such as `{"title": "…", "env": {"LEVEL": null}}`
 * @error: return location for a #GError
 *
 * Makes a configuration that is another way. Keys may be called in @patch as in the files of other programs, too.
 *
 * Fails as [ctor@Gmcp.ServerConfig.new_from_json] does.
 *
 * Returns: (transfer full): a configuration with the same id
 *
 * Since: 0.1
 */
GmcpServerConfig *
gmcp_server_config_dup_patched (GmcpServerConfig *self, const char *patch, GError **error)
{
  g_autofree char *json = NULL;
  g_autofree char *patched = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (JsonNode) patch_node = NULL;

  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);
  g_return_val_if_fail (patch != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  patch_node = gmcp_json_parse (patch, -1, error);
  if (patch_node == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_OBJECT (patch_node))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("%s: a change of a server has to be a JSON object"),
                   gmcp_server_config_get_id (self));
      return NULL;
    }

  json = gmcp_server_config_dup_json (self);
  node = gmcp_json_parse (json, -1, error);
  if (node == NULL)
    return NULL;
  merge_into (json_node_get_object (node), json_node_get_object (patch_node), dup_key);
  patched = gmcp_json_print (node, error);
  return patched != NULL
           ? gmcp_server_config_new_from_json (gmcp_server_config_get_id (self), patched, error)
           : NULL;
}
