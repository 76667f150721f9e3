/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-manager-folders-private.h"
#include "gmcp-manager-places-private.h"
#include "gmcp-server-config-private.h"

/* Arguments that go by the folder of the server, where that is one of its own and empty at first. */

static const char *const file_ends[] = {
  ".py",  ".js",  ".mjs", ".cjs",  ".ts",   ".mts",  ".sh",   ".rb",   ".pl",
  ".php", ".go",  ".jar", ".lua",  ".json", ".yml",  ".yaml", ".toml", ".db",
  ".md",  ".txt", ".ps",  ".wasm", ".exe",  ".conf", ".ini",  ".env",  ".sqlite",
};

/* The word after one of these is code, a module or a package. */
static const char *const name_options[] = {
  "-m", "-c", "-e", "-p", "--package", "--eval", "--call", "--from", "--with", NULL,
};

static gboolean
has_file_end (const char *word)
{
  for (gsize i = 0; i < G_N_ELEMENTS (file_ends); i++)
    {
      if (g_str_has_suffix (word, file_ends[i]))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_relative_path (const char *word, const char *before)
{
  const char *value = *word == '-' ? strchr (word, '=') : NULL;

  if (value != NULL)
    word = value + 1;
  if (g_str_equal (word, ".") || g_str_equal (word, "..") || g_str_has_prefix (word, "./")
      || g_str_has_prefix (word, "../"))
    return TRUE;

  /* A name that may be a file's; not one of a package, or of a place in the net. */
  return (g_ascii_isalnum (*word) || *word == '_' || *word == '.') && has_file_end (word)
         && strpbrk (word, ":@ ") == NULL && !gmcp_config_is_pattern (word)
         && (value != NULL || !g_strv_contains (name_options, before));
}

static void
add_about_word (GPtrArray *findings, GmcpServerConfig *config, guint i, const char *word)
{
  g_autofree char *message = g_strdup_printf (
    _ ("“%s” is a relative path, and the server runs in an empty folder of its own: write the full "
       "path, ${workspaceFolder} for the folder that is worked in, or set “cwd”"),
    word);

  gmcp_manager_add_about_word (findings, config, "argv", i, message);
}

static void
look_at_words (GPtrArray *findings, GmcpServerConfig *config)
{
  const char *const *argv = gmcp_server_config_get_argv (config);

  if (argv == NULL || argv[0] == NULL)
    return;
  if (strchr (argv[0], '/') != NULL && *argv[0] != '/' && !gmcp_config_is_pattern (argv[0]))
    add_about_word (findings, config, 0, argv[0]);

  for (guint i = 1; argv[i] != NULL; i++)
    {
      if (is_relative_path (argv[i], argv[i - 1]))
        add_about_word (findings, config, i, argv[i]);
    }
}

void
gmcp_manager_add_relative (GmcpManager *self, GPtrArray *findings)
{
  guint n_servers = g_list_model_get_n_items (G_LIST_MODEL (self));

  for (guint i = 0; i < n_servers; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (self), i);
      GmcpServerConfig *config = gmcp_managed_server_get_config (server);

      if (gmcp_server_config_get_transport (config) == GMCP_SERVER_TRANSPORT_STDIO
          && gmcp_server_config_is_enabled (config) && gmcp_server_folder_is_own (config))
        look_at_words (findings, config);
    }
}
