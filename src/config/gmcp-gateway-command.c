/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-command-private.h"

static gboolean
is_our_program (const char *word)
{
  g_autofree char *name = g_path_get_basename (word);

  return g_str_equal (name, "gmcp");
}

/* How many words an option of the program takes up, 0 for what is none. */
static gsize
count_option_words (const char *const *words)
{
  static const char *const with_value[] = { "-c", "--config", "--host", NULL };

  if (words[0][0] != '-')
    return 0;
  return g_strv_contains (with_value, words[0]) && words[1] != NULL ? 2 : 1;
}

gboolean
gmcp_is_gateway_command (const char *const *argv)
{
  for (gsize i = 0; argv != NULL && argv[i] != NULL; i++)
    {
      gsize next = i + 1;
      gsize n_words;

      if (!is_our_program (argv[i]))
        continue;
      while (argv[next] != NULL && (n_words = count_option_words (argv + next)) > 0)
        next += n_words;
      if (argv[next] != NULL && g_str_equal (argv[next], "gateway"))
        return TRUE;
    }
  return FALSE;
}

gboolean
gmcp_gateway_command_has_file (const char *const *argv)
{
  for (gsize i = 0; argv != NULL && argv[i] != NULL; i++)
    {
      if (g_str_has_prefix (argv[i], "-c") || g_str_equal (argv[i], "--config")
          || g_str_has_prefix (argv[i], "--config="))
        return TRUE;
    }
  return FALSE;
}
