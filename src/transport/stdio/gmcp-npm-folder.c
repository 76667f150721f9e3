/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-npm-folder-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"

/* npm's folder names: the first digits of the hash of the sorted names. */
#define HASH_DIGITS 16

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static char *
dup_cache (const char *const *environment)
{
  static const char *const names[] = { "npm_config_cache", "NPM_CONFIG_CACHE" };
  const char *home;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *cache = g_environ_getenv ((char **) environment, names[i]);

      if (cache != NULL && g_path_is_absolute (cache))
        return g_strdup (cache);
    }

  home = g_environ_getenv ((char **) environment, "HOME");
  return home != NULL && g_path_is_absolute (home) ? g_build_filename (home, ".npm", NULL) : NULL;
}

char *
gmcp_npm_folder_dup_path (GPtrArray *packages, const char *const *environment)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA512);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  g_autofree char *cache = dup_cache (environment);
  g_autofree char *name = NULL;

  if (cache == NULL || packages->len == 0)
    return NULL;

  for (guint i = 0; i < packages->len; i++)
    g_ptr_array_add (sorted, g_ptr_array_index (packages, i));
  g_ptr_array_sort (sorted, compare_names);
  for (guint i = 0; i < sorted->len; i++)
    {
      const char *package = g_ptr_array_index (sorted, i);

      g_checksum_update (checksum, (const guchar *) "\n", i > 0 ? 1 : 0);
      g_checksum_update (checksum, (const guchar *) package, strlen (package));
    }

  name = g_strndup (g_checksum_get_string (checksum), HASH_DIGITS);
  return g_build_filename (cache, "_npx", name, NULL);
}

/* The first path in the text that leads to, or into, a folder of npm's for one package. */
static char *
find_folder (const char *text)
{
  const char *at = strstr (text, "/_npx/");
  const char *from = at;
  gsize n_digits = 0;

  if (at == NULL)
    return NULL;

  /* A home may have a space in its name; a quotation mark or a line's start comes before the path. */
  while (from > text && strchr ("\n'\"`(", from[-1]) == NULL)
    from--;
  while (from < at && *from != '/')
    from++;
  at += strlen ("/_npx/");
  while (g_ascii_isxdigit (at[n_digits]))
    n_digits++;

  return n_digits == HASH_DIGITS ? g_strndup (from, at + n_digits - from) : NULL;
}

char *
gmcp_npm_folder_dup_hint (const char *text, int exit_status, const char *folder)
{
  static const char *const signs[] = {
    "ENOTEMPTY",
    "Cannot find module",
    "ERR_MODULE_NOT_FOUND",
    "Cannot find package",
    "ENOENT",
    "EEXIST",
    "EINTEGRITY",
    "EJSONPARSE",
    "ERR_INVALID_PACKAGE_CONFIG",
    "ECOMPROMISED",
    "Unexpected end of",
  };
  g_autofree char *named = find_folder (text);
  g_autofree char *quoted = NULL;
  gboolean is_broken = FALSE;

  for (gsize i = 0; named != NULL && !is_broken && i < G_N_ELEMENTS (signs); i++)
    is_broken = strstr (text, signs[i]) != NULL;

  /* The program itself was not fetched: the shell says so, without a path. */
  if (!is_broken && folder != NULL
      && ((exit_status == 127 && strstr (text, "not found") != NULL)
          || (exit_status == 126 && strstr (text, "ermission denied") != NULL)
          || strstr (text, "could not determine executable to run") != NULL))
    {
      g_free (named);
      named = g_strdup (folder);
      is_broken = TRUE;
    }
  if (!is_broken)
    return NULL;

  quoted = g_shell_quote (named);
  return g_strdup_printf (
    _ (
      "npm’s folder for this package may be half written, as an installation that was interrupted leaves "
      "it, and npm does not mend it by itself. Remove it, then start the server again: rm -rf %s"),
    quoted);
}
