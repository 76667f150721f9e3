/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-config-reader-private.h"
#include "gmcp-limits.h"
#include "gmcp-server-config-private.h"

#include <gmcp/core/gmcp-error.h>

static const char byte_order_mark[] = "\xef\xbb\xbf";

static GmcpServerConfig *
read_server (GmcpJsonValue key,
             GmcpJsonValue value,
             GHashTable *names,
             const char *base_dir,
             GError **error)
{
  g_autofree char *name = gmcp_json_value_dup_string (key);
  g_autofree char *id = gmcp_server_config_make_id (name);
  g_autofree char *path = g_strdup_printf ("mcpServers.%s", name);
  const char *other = g_hash_table_lookup (names, id);

  if (other != NULL)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("mcpServers: the names “%s” and “%s” both give the id “%s”; rename one"),
                   other, name, id);
      return NULL;
    }

  g_hash_table_insert (names, g_strdup (id), g_strdup (name));
  return gmcp_server_config_new_from_value (id, name, value, path, base_dir, error);
}

static GPtrArray *
read_servers (GmcpJsonValue map, const char *base_dir, GError **error)
{
  g_autoptr (GPtrArray) servers = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  if (gmcp_json_value_get_length (map) > GMCP_LIMIT_SERVERS)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("mcpServers: %u servers are more than the limit of %u"),
                   gmcp_json_value_get_length (map), GMCP_LIMIT_SERVERS);
      return NULL;
    }

  gmcp_json_iter_init (&iter, map);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      GmcpServerConfig *config = read_server (key, value, names, base_dir, error);

      if (config == NULL)
        return NULL;
      g_ptr_array_add (servers, config);
    }

  return g_steal_pointer (&servers);
}

static GPtrArray *
read_document (const char *text, gsize length, const char *base_dir, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, length, NULL, 0, error);
  GmcpJsonValue map;

  if (doc == NULL)
    return NULL;

  map = gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "mcpServers");
  if (!gmcp_json_value_is_object (map))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("expected an object with the key “mcpServers”, itself an object with a key "
                      "for each server"));
      return NULL;
    }

  return read_servers (map, base_dir, error);
}

GPtrArray *
gmcp_json_config_read (const char *text,
                       gsize length,
                       const char *file_name,
                       const char *base_dir,
                       GError **error)
{
  GPtrArray *servers;

  /* Some editors put one first. */
  if (length >= strlen (byte_order_mark)
      && memcmp (text, byte_order_mark, strlen (byte_order_mark)) == 0)
    {
      text += strlen (byte_order_mark);
      length -= strlen (byte_order_mark);
    }

  servers = read_document (text, length, base_dir, error);
  if (servers == NULL && error != NULL)
    {
      /* Whatever was wrong, it is the file that has to be changed. */
      (*error)->domain = GMCP_ERROR;
      (*error)->code = GMCP_ERROR_INVALID_CONFIG;
      if (file_name != NULL)
        g_prefix_error (error, "%s: ", file_name);
    }

  return servers;
}
