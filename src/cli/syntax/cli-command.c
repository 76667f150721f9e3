/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-command.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli-failure.h"
#include "cli-suggest.h"
#include "cli-text.h"

#define VERB_COLUMNS 12

static const struct
{
  CliTakes flag;
  gsize offset; /* in the host */
  GOptionEntry entry;
} host_entries[] = {
  { CLI_TAKES_JSON,
    G_STRUCT_OFFSET (CliHost, json),
    { "json", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Print JSON"), NULL } },
  { CLI_TAKES_TIMEOUT,
    G_STRUCT_OFFSET (CliHost, timeout_seconds),
    { "timeout", 0, 0, G_OPTION_ARG_INT, NULL,
      N_ ("Give up after so many seconds, whatever the command is at"), N_ ("SECONDS") } },
  { CLI_TAKES_CONFIG,
    G_STRUCT_OFFSET (CliHost, config_file),
    { "config", 'c', 0, G_OPTION_ARG_FILENAME, NULL, CLI_CONFIG_SUMMARY, N_ ("FILE") } },
};

void
cli_command_append_entries (GArray *entries, const GOptionEntry *from, gpointer options)
{
  for (; from != NULL && from->long_name != NULL; from++)
    {
      GOptionEntry entry = *from;

      entry.arg_data
        = options != NULL ? G_STRUCT_MEMBER_P (options, GPOINTER_TO_SIZE (from->arg_data)) : NULL;
      g_array_append_val (entries, entry);
    }
}

/* The options with their values in the host and in the struct; where there are none, nowhere. */
static GArray *
make_entries (const CliCommand *self, CliHost *host, gpointer options)
{
  GArray *entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  cli_command_append_entries (entries, self->entries, options);
  for (gsize i = 0; i < G_N_ELEMENTS (host_entries); i++)
    {
      GOptionEntry entry = host_entries[i].entry;

      if ((self->takes & host_entries[i].flag) == 0)
        continue;
      entry.arg_data = host != NULL ? G_STRUCT_MEMBER_P (host, host_entries[i].offset) : NULL;
      g_array_append_val (entries, entry);
    }
  return entries;
}

GArray *
cli_command_list_entries (const CliCommand *self)
{
  return make_entries (self, NULL, NULL);
}

char *
cli_command_dup_description (const CliCommand *self)
{
  if (self->dup_description != NULL)
    return self->dup_description ();
  return self->description != NULL ? g_strdup (_ (self->description)) : NULL;
}

/* Verbs stand below what the command does, each with its arguments. */
static char *
make_summary (const CliCommand *self)
{
  GString *text = g_string_new (_ (self->summary));

  for (const CliVerb *verb = self->verbs; verb != NULL && verb->name != NULL; verb++)
    g_string_append_printf (text, "\n%s  %s%s%s\n      %s", verb == self->verbs ? "\n" : "",
                            verb->name, verb->synopsis != NULL ? " " : "",
                            verb->synopsis != NULL ? _ (verb->synopsis) : "", _ (verb->summary));
  return g_string_free (text, FALSE);
}

static GOptionContext *
make_context (const CliCommand *self, const GArray *entries)
{
  const char *synopsis = self->verbs != NULL ? N_ ("VERB …") : self->synopsis;
  GOptionContext *context = g_option_context_new (synopsis != NULL ? _ (synopsis) : NULL);
  g_autofree char *summary = make_summary (self);
  g_autofree char *description = cli_command_dup_description (self);

  g_option_context_set_summary (context, summary);
  g_option_context_set_description (context, description);
  g_option_context_add_main_entries (context, &g_array_index (entries, GOptionEntry, 0),
                                     GETTEXT_PACKAGE);
  return context;
}

/* “. Near to it: --json.” for the first option that is not known, or "". */
static char *
suggest_option (const GArray *entries, char *const *argv)
{
  g_autoptr (GPtrArray) known = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < entries->len; i++)
    g_ptr_array_add (known,
                     g_strconcat ("--", g_array_index (entries, GOptionEntry, i).long_name, NULL));
  g_ptr_array_add (known, g_strdup ("--help"));
  g_ptr_array_add (known, NULL);

  for (gsize i = 1; argv[i] != NULL && !g_str_equal (argv[i], "--"); i++)
    {
      g_autofree char *word = g_strndup (argv[i], strcspn (argv[i], "="));

      if (g_str_has_prefix (word, "--")
          && !g_strv_contains ((const char *const *) known->pdata, word))
        return cli_suggest_near (word, (const char *const *) known->pdata);
    }
  return g_strdup ("");
}

CliExit
cli_command_report_options (const CliCommand *self,
                            const GArray *entries,
                            const GError *error,
                            char *const *argv)
{
  gboolean is_unknown = g_error_matches (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION);
  g_autofree char *suggestion = is_unknown ? suggest_option (entries, argv) : g_strdup ("");
  const char *hint
    = is_unknown && *suggestion == '\0' && self != NULL && self->unknown_option != NULL
        ? _ (self->unknown_option)
        : "";

  return cli_usage_error ("%s%s%s%s%s", self != NULL ? self->name : "", self != NULL ? ": " : "",
                          error->message, suggestion, hint);
}

static const CliVerb *
find_verb (const CliCommand *self, const char *name)
{
  for (const CliVerb *verb = self->verbs; verb->name != NULL; verb++)
    {
      if (g_str_equal (verb->name, name))
        return verb;
    }
  return NULL;
}

static CliExit
report_verb (const CliCommand *self, const char *word)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *listed = NULL;
  g_autofree char *suggestion = NULL;

  for (const CliVerb *verb = self->verbs; verb->name != NULL; verb++)
    g_ptr_array_add (names, (gpointer) verb->name);
  g_ptr_array_add (names, NULL);
  listed = g_strjoinv (", ", (char **) names->pdata);
  if (word == NULL)
    /* Translators: a command, and the words that can follow it */
    return cli_usage_error (_ ("%s: say what to do: %s"), self->name, listed);

  suggestion = cli_suggest_near (word, (const char *const *) names->pdata);
  /* Translators: a command, a word, the words that can follow the command, and “. Near to it: show.” or nothing */
  return cli_usage_error (_ ("%s: “%s” is none of %s%s"), self->name, word, listed, suggestion);
}

static CliExit
dispatch_verb (const CliCommand *self, CliHost *host, gconstpointer options, int argc, char *argv[])
{
  const CliVerb *verb;

  if (self->verbs == NULL)
    return self->run (host, options, argc, argv);
  if (argc < 2)
    return report_verb (self, NULL);

  verb = find_verb (self, argv[1]);
  if (verb == NULL)
    return report_verb (self, argv[1]);
  return verb->run (host, options, argc - 1, argv + 1);
}

static void
print_help (const CliCommand *self)
{
  g_autoptr (GArray) entries = make_entries (self, NULL, NULL);
  g_autoptr (GOptionContext) context = make_context (self, entries);
  g_autofree char *text = g_option_context_get_help (context, TRUE, NULL);

  cli_text_print_filled (text);
}

/* GOption's own option ends the program, and prints lines as long as they are. */
static void
take_help_option (GOptionContext *context, gboolean *help)
{
  const GOptionEntry entries[] = {
    { "help", 'h', 0, G_OPTION_ARG_NONE, help, NULL, NULL },
    { "help-all", '?', G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, help, NULL, NULL },
    { NULL },
  };

  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, entries, NULL);
}

static int
find_mark (int argc, char *const *argv)
{
  for (int i = 1; i < argc; i++)
    {
      if (g_str_equal (argv[i], "--"))
        return i;
    }
  return argc;
}

/* GOption drops the “--” or leaves it, depending on what follows, so that it sees only what stands before. */
static gboolean
parse_words (GOptionContext *context,
             CliHost *host,
             int argc,
             char *const *argv,
             char **words,
             int *n_words,
             GError **error)
{
  int mark = find_mark (argc, argv);

  *n_words = mark;
  words[mark] = NULL;
  if (!g_option_context_parse (context, n_words, &words, error))
    return FALSE;

  host->n_before_mark = *n_words - 1;
  for (int i = mark + 1; i < argc; i++)
    words[(*n_words)++] = argv[i];
  words[*n_words] = NULL;
  return TRUE;
}

static CliExit
parse_and_run (const CliCommand *self, CliHost *host, gpointer options, int argc, char *argv[])
{
  gboolean help = FALSE;
  g_autoptr (GArray) entries = make_entries (self, host, options);
  g_autoptr (GOptionContext) context = make_context (self, entries);
  g_autofree char **words = g_memdup2 (argv, sizeof (char *) * ((gsize) argc + 1));
  int n_words = argc;
  g_autoptr (GError) error = NULL;

  if (self->is_raw)
    return self->run (host, options, argc, argv);
  take_help_option (context, &help);
  if (self->ends_options != NULL)
    g_option_context_set_strict_posix (context, self->ends_options (argc, argv));
  if (!parse_words (context, host, argc, argv, words, &n_words, &error))
    return cli_command_report_options (self, entries, error, argv);
  if (help && self->help != NULL && n_words > 1)
    return self->help (host, options, n_words, words);
  if (help)
    {
      print_help (self);
      return CLI_EXIT_OK;
    }
  return dispatch_verb (self, host, options, n_words, words);
}

static void
clear_options (const CliCommand *self, gpointer options)
{
  for (const GOptionEntry *entry = self->entries; entry != NULL && entry->long_name != NULL;
       entry++)
    {
      gpointer value = G_STRUCT_MEMBER_P (options, GPOINTER_TO_SIZE (entry->arg_data));

      if (entry->arg == G_OPTION_ARG_STRING || entry->arg == G_OPTION_ARG_FILENAME)
        g_clear_pointer ((char **) value, g_free);
      else if (entry->arg == G_OPTION_ARG_STRING_ARRAY || entry->arg == G_OPTION_ARG_FILENAME_ARRAY)
        g_clear_pointer ((char ***) value, g_strfreev);
    }
}

/* Also where another option is wrong. */
static gboolean
wants_json (const CliCommand *self, char *const *argv)
{
  if ((self->takes & CLI_TAKES_JSON) == 0)
    return FALSE;

  for (gsize i = 1; argv[i] != NULL && !g_str_equal (argv[i], "--"); i++)
    {
      if (g_str_equal (argv[i], "--json"))
        return TRUE;
    }
  return FALSE;
}

CliExit
cli_command_run (const CliCommand *self, CliHost *host, int argc, char *argv[])
{
  /* As the usage line has it. */
  g_autofree char *name = g_strconcat ("gmcp ", self->name, NULL);
  g_autofree char *before = g_strdup (g_get_prgname ());
  g_autofree gpointer options = NULL;
  CliExit status;

  if (self->options_size > 0)
    options = self->defaults != NULL ? g_memdup2 (self->defaults, self->options_size)
                                     : g_malloc0 (self->options_size);
  host->json = FALSE;
  if (wants_json (self, argv))
    cli_failure_hold ();
  g_set_prgname (name);
  status = parse_and_run (self, host, options, argc, argv);
  cli_failure_release (status);
  g_set_prgname (before);
  if (options != NULL)
    clear_options (self, options);
  return status;
}
