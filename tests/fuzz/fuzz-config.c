/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gmcp-config-contents-private.h"
#include "gmcp-server-config-private.h"

#include <gmcp/core/gmcp-error.h>

/* A configuration file: one that starts with #toml or #yaml is read as that, else as JSON. It gives
 * servers that can be started, each with an id of its own, or an error that names the file; the same
 * comes out a second time. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_at (gboolean holds, const char *condition, int line)
{
  if (G_LIKELY (holds))
    return;
  g_printerr ("%s:%d: not so: %s\n", __FILE__, line, condition);
  abort ();
}

#define check(condition) check_at (condition, #condition, __LINE__)

static void
check_server (GmcpServerConfig *server, GHashTable *ids)
{
  const char *const *argv = gmcp_server_config_get_argv (server);
  const char *const *environment = gmcp_server_config_get_environment (server);
  g_autofree char *hash = gmcp_server_config_dup_hash (server);
  g_autofree char *id = gmcp_server_config_make_id (gmcp_server_config_get_title (server));

  check (gmcp_server_config_validate (server, NULL));
  check (g_hash_table_add (ids, (gpointer) gmcp_server_config_get_id (server)));
  check (gmcp_server_config_is_valid_id (id));
  check (strlen (hash) == 64);
  check (gmcp_server_config_get_transport (server) != GMCP_SERVER_TRANSPORT_STDIO
         || *argv[0] != '\0');
  check (g_utf8_validate (gmcp_server_config_get_title (server), -1, NULL));
  for (size_t i = 1; environment[0] != NULL && environment[i] != NULL; i++)
    check (strcmp (environment[i - 1], environment[i]) != 0);
}

static GmcpConfigFormat
find_format (const uint8_t *data, size_t size)
{
  if (size >= 5 && memcmp (data, "#toml", 5) == 0)
    return GMCP_CONFIG_FORMAT_TOML;
  if (size >= 5 && memcmp (data, "#yaml", 5) == 0)
    return GMCP_CONFIG_FORMAT_YAML;
  return GMCP_CONFIG_FORMAT_JSON;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  GmcpConfigFormat format = find_format (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) again_error = NULL;
  g_autoptr (GPtrArray) findings = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GmcpConfigContents) contents = gmcp_config_contents_read (
    (const char *) data, size, format, "/srv/FILE", "/srv", findings, &error);
  g_autoptr (GmcpConfigContents) contents_again = gmcp_config_contents_read (
    (const char *) data, size, format, "/srv/FILE", "/srv", NULL, &again_error);
  g_autoptr (GError) all_error = NULL;
  g_autoptr (GmcpConfigContents) all = gmcp_config_contents_read_all (
    (const char *) data, size, format, "/srv/FILE", "/srv", NULL, &all_error);
  GPtrArray *servers = contents != NULL ? contents->servers : NULL;
  GPtrArray *again = contents_again != NULL ? contents_again->servers : NULL;
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  check ((servers == NULL) == (again == NULL));
  check ((servers == NULL) == (all_error != NULL));
  check (servers == NULL ? all == NULL || all->n_errors > 0
                         : all->n_errors == 0 && all->usable && all->servers->len == servers->len);
  if (servers == NULL)
    {
      check (error->domain == GMCP_ERROR);
      check (error->code == GMCP_ERROR_INVALID_CONFIG || error->code == GMCP_ERROR_NOT_SUPPORTED);
      check (g_str_has_prefix (error->message, "/srv/FILE:"));
      check (findings->len > 0);
      check (g_utf8_validate (error->message, -1, NULL));
      check (strcmp (error->message, again_error->message) == 0);
      return 0;
    }

  check (servers->len == again->len);
  check (gmcp_config_policy_equal (contents->policy, contents_again->policy));
  for (guint i = 0; i < servers->len; i++)
    {
      check_server (g_ptr_array_index (servers, i), ids);
      check (
        gmcp_server_config_equal (g_ptr_array_index (servers, i), g_ptr_array_index (again, i)));
    }

  return 0;
}
