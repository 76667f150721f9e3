/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-waiting.h"

#include <glib/gi18n.h>

#include "cli-daemon-question.h"
#include "cli-terminal.h"

struct _CliWaiting
{
  CliHost *session;
  CliDaemonQuestions *questions; /* NULL while there is no daemon */
  GHashTable *told;              /* paths of those that were told of */
};

CliWaiting *
cli_waiting_new (CliHost *session)
{
  CliWaiting *self = g_new0 (CliWaiting, 1);

  self->session = session;
  self->told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
cli_waiting_free (CliWaiting *self)
{
  g_clear_pointer (&self->questions, cli_daemon_questions_free);
  g_hash_table_unref (self->told);
  g_free (self);
}

static void
tell_new (gpointer data)
{
  CliWaiting *self = data;
  GPtrArray *open = cli_daemon_questions_get (self->questions);

  for (guint i = 0; i < open->len; i++)
    {
      const CliOpenQuestion *question = g_ptr_array_index (open, i);
      g_autofree char *what = NULL;

      if (!g_hash_table_add (self->told, g_strdup (question->path)))
        continue;
      what = cli_daemon_question_describe (question);
      /* Translators: what is asked; “questions” is a command */
      g_printerr (_ ("gmcp: %s; to answer: questions\n"), what);
    }
}

static void
find_daemon (CliWaiting *self)
{
  CliDaemon *daemon = cli_may_ask () ? cli_daemon_look_for (self->session) : NULL;

  if (daemon != NULL)
    self->questions = cli_daemon_questions_new (daemon, TRUE, NULL);
}

void
cli_waiting_begin (CliWaiting *self)
{
  if (self->questions != NULL && cli_daemon_questions_are_over (self->questions))
    {
      g_clear_pointer (&self->questions, cli_daemon_questions_free);
      g_hash_table_remove_all (self->told);
    }
  if (self->questions == NULL)
    find_daemon (self);
  if (self->questions == NULL)
    return;

  cli_daemon_questions_set_changed (self->questions, tell_new, self);
  tell_new (self);
}

void
cli_waiting_end (CliWaiting *self)
{
  if (self->questions != NULL)
    cli_daemon_questions_set_changed (self->questions, NULL, NULL);
}
