/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-commands.h"
#include "cli-daemon-question.h"
#include "cli-failure.h"
#include "cli-json.h"
#include "cli-terminal.h"

/* gmcp questions: what waits for a person at the session daemon. */

typedef struct
{
  CliHost *host;
  CliDaemonQuestions *questions;
  GHashTable *left; /* paths of those that the person left open */
} Session;

static CliExit
refuse_without_daemon (CliHost *host)
{
  if (host->config_file != NULL)
    return cli_daemon_report_none_of_file ("questions");
  cli_failure_tell (_ ("questions: no session daemon runs, and what programs ask that run servers "
                       "by themselves is asked there"));
  return CLI_EXIT_UNREACHABLE;
}

static void
add_text (JsonObject *object, const char *name, const char *text)
{
  if (*text != '\0')
    json_object_set_string_member (object, name, text);
}

static void
print_json (GPtrArray *open)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < open->len; i++)
    {
      const CliOpenQuestion *question = g_ptr_array_index (open, i);
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "kind", question->kind);
      add_text (object, "server", question->server);
      add_text (object, "client", question->client);
      add_text (object, "askedAt", question->asked_at);
      if (question->is_accepted)
        json_object_set_boolean_member (object, "accepted", TRUE);
      json_array_add_object_element (array, object);
    }
  cli_json_print_array (array);
}

static void
print_lines (GPtrArray *open)
{
  for (guint i = 0; i < open->len; i++)
    {
      g_autofree char *line = cli_daemon_question_describe (g_ptr_array_index (open, i));

      g_print ("%s\n", line);
    }
  if (open->len == 0)
    g_printerr ("%s\n", _ ("gmcp: nothing waits for an answer"));
}

static const CliOpenQuestion *
find_next (Session *self)
{
  GPtrArray *open = cli_daemon_questions_get (self->questions);

  for (guint i = 0; i < open->len; i++)
    {
      const CliOpenQuestion *question = g_ptr_array_index (open, i);

      if (!g_hash_table_contains (self->left, question->path))
        return question;
    }
  return NULL;
}

static gboolean
goes_on (Session *self)
{
  return !g_cancellable_is_cancelled (self->host->cancellable)
         && !cli_daemon_questions_are_over (self->questions);
}

static void
ask_open (Session *self)
{
  const CliOpenQuestion *question;

  while (goes_on (self) && (question = find_next (self)) != NULL)
    {
      g_autofree char *path = g_strdup (question->path);

      if (!cli_daemon_question_ask (self->host, self->questions, question))
        g_hash_table_add (self->left, g_steal_pointer (&path));
    }
}

/* For those that come. */
static void
wait_and_ask (Session *self)
{
  g_printerr ("%s\n", _ ("gmcp: waiting for questions; Ctrl-C ends it"));
  while (goes_on (self))
    {
      while (goes_on (self) && find_next (self) == NULL)
        g_main_context_iteration (NULL, TRUE);
      ask_open (self);
    }
}

static CliExit
ask_all (CliHost *host, CliDaemonQuestions *questions)
{
  g_autoptr (GHashTable) left = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Session self = { host, questions, left };

  /* A shell asks for the next command, and tells of questions that come. */
  if (host->session != NULL && cli_daemon_questions_get (questions)->len == 0)
    g_printerr ("%s\n", _ ("gmcp: nothing waits for an answer"));
  ask_open (&self);
  if (host->session == NULL)
    wait_and_ask (&self);
  if (!cli_daemon_questions_are_over (questions))
    return CLI_EXIT_OK;

  cli_failure_tell (_ ("questions: the session daemon has ended"));
  return CLI_EXIT_UNREACHABLE;
}

static CliExit
run_questions (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  gboolean asks = cli_may_ask () && !host->json;
  g_autoptr (CliDaemonQuestions) questions = NULL;
  g_autoptr (GError) error = NULL;
  CliDaemon *daemon;

  if (argc > 1)
    return cli_usage_error (_ ("questions: takes no arguments: %s"), argv[1]);

  daemon = cli_daemon_look_for (host);
  if (daemon == NULL)
    return refuse_without_daemon (host);

  questions = cli_daemon_questions_new (daemon, asks, &error);
  if (questions == NULL)
    return cli_host_report (host, error);
  if (asks)
    return ask_all (host, questions);

  if (host->json)
    print_json (cli_daemon_questions_get (questions));
  else
    print_lines (cli_daemon_questions_get (questions));
  return CLI_EXIT_OK;
}

const CliCommand cli_questions_command = {
  .name = "questions",
  .group = CLI_COMMAND_GROUP_RUN,
  .summary = N_ ("Answer what programs cannot ask you themselves"),
  .description = N_ (
    "The session daemon asks here what the client of a gateway cannot be asked: whether a tool may be called, also one\n"
    "that has changed, what a server asks, and values that a server needs to start. On a terminal the command waits for\n"
    "questions, and asks them one after the other; Ctrl-D leaves one open. Elsewhere it prints those that are open."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_CONFIG,
  .run = run_questions,
};
