/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-relative-words-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-server-folder-private.h"

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

guint
gmcp_relative_words_find (GmcpServerConfig *config, guint from)
{
  const char *const *argv = gmcp_server_config_get_argv (config);

  if (gmcp_server_config_get_transport (config) != GMCP_SERVER_TRANSPORT_STDIO
      || !gmcp_server_folder_is_own (config) || argv == NULL || argv[0] == NULL)
    return GMCP_NO_RELATIVE_WORD;

  if (from == 0 && strchr (argv[0], '/') != NULL && *argv[0] != '/'
      && !gmcp_config_is_pattern (argv[0]))
    return 0;
  for (guint i = MAX (from, 1); argv[i] != NULL; i++)
    {
      if (is_relative_path (argv[i], argv[i - 1]))
        return i;
    }
  return GMCP_NO_RELATIVE_WORD;
}

char *
gmcp_relative_words_describe (GmcpServerConfig *config, guint word)
{
  return g_strdup_printf (
    _ ("“%s” is a relative path, and the server runs in an empty folder of its own: write the full "
       "path, ${workspaceFolder} for the folder that is worked in, or set “cwd”"),
    gmcp_server_config_get_argv (config)[word]);
}
