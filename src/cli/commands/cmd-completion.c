/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "cli-commands.h"
#include "cli-completion.h"
#include "cli-quoting.h"
#include "cli-suggest.h"

/* gmcp completion: the script that a shell reads once, and what it asks for then. */

#define SCRIPTS "/org/gmcp/completions/"

static CliExit
run_completion (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  static const char *const shells[] = { "bash", "fish", "zsh", NULL };
  g_autofree char *names = g_strjoinv (", ", (char **) shells);
  g_autofree char *path = NULL;
  g_autoptr (GBytes) script = NULL;

  if (argc != 2)
    /* Translators: names of shells */
    return cli_usage_error (_ ("completion: for which shell? One of %s"), names);
  if (!g_strv_contains (shells, argv[1]))
    {
      g_autofree char *suggestion = cli_suggest_near (argv[1], shells);

      /* Translators: a word, names of shells, and “. Near to it: bash.” or nothing */
      return cli_usage_error (_ ("completion: “%s” is none of %s%s"), argv[1], names, suggestion);
    }

  path = g_strconcat (SCRIPTS, argv[1], NULL);
  script = g_resources_lookup_data (path, 0, NULL);
  fwrite (g_bytes_get_data (script, NULL), 1, g_bytes_get_size (script), stdout);
  return CLI_EXIT_OK;
}

const CliCommand cli_completion_command = {
  .name = "completion",
  .group = CLI_COMMAND_GROUP_RULES,
  .summary = N_ ("Print what lets a shell complete all of this"),
  .synopsis = N_ ("SHELL"),
  .description
  = N_ ("The shell finds it by itself where gmcp was installed with its packages. Elsewhere:\n\n"
        "  bash: eval \"$(gmcp completion bash)\" in ~/.bashrc\n"
        "  zsh:  eval \"$(gmcp completion zsh)\" in ~/.zshrc, behind compinit\n"
        "  fish: gmcp completion fish > ~/.config/fish/completions/gmcp.fish"),
  .run = run_completion,
};

/* Bash puts what it is given into the line as it is. */
static char *
quote_value (const char *value)
{
  static const char *const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                   "_@%+=:,./-";

  return value[strspn (value, plain)] == '\0' ? g_strdup (value) : g_shell_quote (value);
}

static void
print_candidate (const CliCandidate *candidate, gboolean for_bash)
{
  g_autofree char *value = for_bash ? quote_value (candidate->value) : g_strdup (candidate->value);

  fputs (candidate->is_partial ? ":part " : "", stdout);
  fputs (value, stdout);
  if (!for_bash && candidate->text != NULL)
    fprintf (stdout, "\t%s", candidate->text);
  fputc ('\n', stdout);
}

static void
ignore_text (const char *text)
{
}

/* What is wrong is told by the command itself, and not while it is typed. */
static CliExit
run_complete_words (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  gboolean for_bash = argc > 1 && g_str_equal (argv[1], "bash");
  g_autoptr (CliCompletion) completion = NULL;
  g_auto (GStrv) words = NULL;

  if (argc < 2)
    return CLI_EXIT_USAGE;

  g_set_printerr_handler (ignore_text);
  words = g_strdupv (argv + 2);
  for (gsize i = 0; for_bash && words[i] != NULL; i++)
    {
      g_autofree char *word = words[i];

      /* As they were typed, the last maybe with a quote that is still open. */
      words[i] = cli_quoting_unquote (word);
    }

  completion = cli_completion_new (host, cli_commands_get_program (), words);
  for (guint i = 0; i < completion->candidates->len; i++)
    print_candidate (g_ptr_array_index (completion->candidates, i), for_bash);
  if (completion->files || completion->folders)
    fputs (completion->files ? ":files\n" : ":folders\n", stdout);
  return CLI_EXIT_OK;
}

const CliCommand cli_complete_words_command = {
  .name = "__complete",
  .group = CLI_COMMAND_GROUP_HIDDEN,
  .is_raw = TRUE,
  .run = run_complete_words,
};
