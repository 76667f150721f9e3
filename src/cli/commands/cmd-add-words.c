/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cmd-add-words.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli-commands.h"
#include "cli-quoting.h"

/* HOST:PORT/PATH, where HOST and one of the others are there. */
#define BARE_ADDRESS                                                                               \
  "^(localhost|[0-9]{1,3}(\\.[0-9]{1,3}){3}|[a-z0-9-]+(\\.[a-z0-9-]+)+)(:[0-9]+(/.*)?|/.*)$"
#define LOCAL_ADDRESS "^(localhost|127\\.|10\\.|192\\.168\\.|[^/]*:[0-9]+)"

static gboolean
is_address (const char *word)
{
  return strstr (word, "://") != NULL;
}

static const char *
find_path (const char *word)
{
  static const char *const endings[] = { ".json", ".jsonc", ".yaml", ".yml", ".toml", NULL };

  if (*word == '@')
    return word + 1;
  for (gsize i = 0; endings[i] != NULL; i++)
    {
      if (g_str_has_suffix (word, endings[i]))
        return word;
    }
  return NULL;
}

static gboolean
is_json (const char *word)
{
  return word[strspn (word, " \t\r\n")] == '{';
}

static gboolean
is_text (const char *word)
{
  return g_str_equal (word, "-") || strpbrk (word, "{\n") != NULL || find_path (word) != NULL;
}

const char *
cli_add_words_find_file (const char *word)
{
  return strpbrk (word, "{\n") == NULL ? find_path (word) : NULL;
}

gboolean
cli_add_words_are_named_json (int argc, char *argv[])
{
  return argc == 3 && !is_json (argv[1]) && is_json (argv[2]);
}

/* Whether a value follows in a word of its own. */
static gboolean
takes_next_word (const char *option)
{
  static const char *const of_all[] = { "--timeout", "--config", "-c", NULL };

  if (g_strv_contains (of_all, option))
    return TRUE;
  for (const GOptionEntry *entry = cli_add_command.entries; entry->long_name != NULL; entry++)
    {
      g_autofree char *name = g_strconcat ("--", entry->long_name, NULL);
      const char letter[] = { '-', entry->short_name, '\0' };

      if (g_str_equal (option, name) || (entry->short_name != 0 && g_str_equal (option, letter)))
        return entry->arg != G_OPTION_ARG_NONE;
    }
  return FALSE;
}

/* The place of the next word that is neither an option nor the value of one; argc where there is none. */
static int
find_word (int argc, char *argv[], int i)
{
  for (; i < argc; i++)
    {
      if (*argv[i] != '-' || argv[i][1] == '\0')
        return i;
      i += takes_next_word (argv[i]);
    }
  return argc;
}

gboolean
cli_add_words_end_options (int argc, char *argv[])
{
  int first = find_word (argc, argv, 1);
  int second = find_word (argc, argv, first + 1);

  for (int i = 1; i < argc; i++)
    {
      if (g_str_equal (argv[i], "--"))
        return FALSE;
    }
  if (first < argc && (is_address (argv[first]) || is_text (argv[first])))
    return FALSE;
  return second >= argc || (!is_address (argv[second]) && !is_json (argv[second]));
}

/* “add -- node server.js”, or “add node server.js”: node is the program. A server may have the name of one, and then
 * its command stands behind “--”. */
static gboolean
lacks_name (CliHost *host, int argc, char *argv[])
{
  static const char *const runners[]
    = { "bun", "bunx", "deno", "docker", "dotnet", "go",      "java", "node", "nodejs",
        "npm", "npx",  "pipx", "podman", "python", "python3", "uv",   "uvx",  NULL };

  if (is_text (argv[1]))
    return FALSE;
  if (host->n_before_mark == 0)
    return TRUE;
  return argc > 2 && host->n_before_mark == argc - 1 && !is_address (argv[2]) && !is_json (argv[2])
         && g_strv_contains (runners, argv[1]);
}

static char *
join_quoted (char *const *words)
{
  g_autoptr (GPtrArray) quoted = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; words[i] != NULL; i++)
    g_ptr_array_add (quoted, cli_quoting_quote (words[i], FALSE));
  g_ptr_array_add (quoted, NULL);
  return g_strjoinv (" ", (char **) quoted->pdata);
}

static CliExit
report_no_name (char *const *words)
{
  g_autofree char *command = join_quoted (words);

  /* Translators: the words of a command; NAME as in the help of “add” */
  return cli_usage_error (
    _ (
      "add: the name that the server is to have is missing before “--”, as in: gmcp add NAME -- %s"),
    command);
}

/* A file, or a program by its name. */
static gboolean
is_there (const char *word)
{
  g_autofree char *program = g_find_program_in_path (word);

  return program != NULL || g_file_test (word, G_FILE_TEST_EXISTS);
}

/* A command of one word. */
static CliExit
check_command (char *argv[])
{
  if (is_there (argv[2]))
    return CLI_EXIT_OK;
  if (strpbrk (argv[2], " \t") != NULL)
    return cli_usage_error (
      /* Translators: a word with spaces in it; the name of a server, and that word again */
      _ ("add: there is no program “%s”; a program and its arguments are words of their own: gmcp "
         "add %s -- %s"),
      argv[2], argv[1], argv[2]);
  if (g_regex_match_simple (BARE_ADDRESS, argv[2], G_REGEX_CASELESS, 0))
    {
      gboolean is_local = g_regex_match_simple (LOCAL_ADDRESS, argv[2], G_REGEX_CASELESS, 0);

      return cli_usage_error (
        /* Translators: a word; the name of a server, “http” or “https”, and that word again */
        _ ("add: there is no program “%s”; as an address it begins with its scheme: gmcp add %s "
           "%s://%s"),
        argv[2], argv[1], is_local ? "http" : "https", argv[2]);
    }
  return CLI_EXIT_OK;
}

CliExit
cli_add_words_check (CliHost *host, int argc, char *argv[])
{
  /* JSON that no quotes kept in one piece, or that a shell has taken for its own braces. */
  if (argc > 2 && argv[1][0] == '{')
    return cli_usage_error (_ ("add: the JSON came in pieces; put it between single quotes, as in "
                               "gmcp add '{\"mcpServers\": …}'"));
  if (argc == 2 && is_address (argv[1]) && !is_text (argv[1]))
    return cli_usage_error (
      _ ("add: the name that the server is to have is missing before the address, as in: gmcp add "
         "NAME %s"),
      argv[1]);
  if (argc > 1 && lacks_name (host, argc, argv))
    return report_no_name (argv + 1);
  /* No program begins with “-”: that is an option which stands behind the name. */
  if (argc < 2 || (argc == 2 && !is_text (argv[1])) || (argc > 2 && *argv[2] == '-'))
    return cli_usage_error (
      _ ("add: a name, and a command or an address are needed, as in “gmcp add time -- uvx "
         "mcp-server-time”; see gmcp add --help"));
  if (argc != 3 || cli_add_words_are_named_json (argc, argv) || is_address (argv[2]))
    return CLI_EXIT_OK;
  return check_command (argv);
}

/* The word is an option of “add”, and of few other programs. */
static gboolean
is_own_option (const char *word, const char *program)
{
  static const char *const containers[] = { "docker", "podman", NULL };
  g_autofree char *name = g_strndup (word, strcspn (word, "="));

  if (g_strv_contains (containers, program))
    return g_str_equal (word, "--no-test") || g_str_equal (word, "--plain-secrets");
  for (const GOptionEntry *entry = cli_add_command.entries; entry->long_name != NULL; entry++)
    {
      if (g_str_has_prefix (name, "--") && g_str_equal (name + 2, entry->long_name))
        return TRUE;
    }
  return FALSE;
}

void
cli_add_words_warn (CliHost *host, int argc, char *argv[])
{
  gboolean has_mark = host->n_before_mark < argc - 1;

  if (argc < 3 || is_address (argv[2]))
    return;
  for (int i = 2; i < argc; i++)
    {
      if (!has_mark && i > 2 && is_own_option (argv[i], argv[2]))
        g_printerr (
          _ ("gmcp: add: “%s” goes to the command, since it stands behind it; one that is for "
             "gmcp itself has its place before “%s”\n"),
          argv[i], argv[1]);
      if ((g_str_has_prefix (argv[i], "./") || g_str_has_prefix (argv[i], "../"))
          && !g_file_test (argv[i], G_FILE_TEST_EXISTS))
        g_printerr (_ ("gmcp: add: “%s” is not there; only the path of a file that is there is "
                       "made full\n"),
                    argv[i]);
    }
}
