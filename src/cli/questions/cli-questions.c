/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-questions.h"

#include <gio/gunixinputstream.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

#include "cli-affirm.h"
#include "cli-answer.h"
#include "cli-question.h"
#include "cli-status-line.h"

#include <gmcp/core/gmcp-visible-text.h>
#include <gmcp/manager/gmcp-manager.h>

struct _CliQuestions
{
  GPtrArray *providers;
  GQueue waiting; /* of CliQuestion */
  CliQuestion *current;

  /* The line that is waited for. */
  GDataInputStream *input; /* a new one after each question that was withdrawn */
  GCancellable *line_cancellable;
  gboolean reading;
  guint n_reads; /* with those that were given up, and have not ended yet */
};

static void ask_next (CliQuestions *self);

char *
cli_question_plain (const char *text)
{
  return gmcp_dup_visible_line (text != NULL ? text : "", 0);
}

void
cli_question_show (CliQuestion *self, const char *text)
{
  g_clear_pointer (&self->pages, cli_pages_free);
  self->pages = cli_pages_new (text);
  cli_pages_print (self->pages, FALSE);
}

static void
on_closed (GmcpInputRequest *request, gpointer data)
{
  CliQuestion *self = data;

  if (self->over != NULL)
    self->over (self, _ ("The answer is no longer needed."), self->over_data);
}

void
cli_question_init (CliQuestion *self, const CliQuestionClass *klass, GmcpInputRequest *request)
{
  self->klass = klass;
  self->request = g_object_ref (request);
  self->closed_id = g_signal_connect (request, "closed", G_CALLBACK (on_closed), self);
}

static void
question_free (CliQuestion *question)
{
  if (question->klass->clear != NULL)
    question->klass->clear (question);
  g_clear_signal_handler (&question->closed_id, question->request);
  g_clear_object (&question->request);
  g_clear_pointer (&question->pages, cli_pages_free);
  g_free (question);
}

static void
drop_current (CliQuestions *self)
{
  if (self->current == NULL)
    return;
  if (self->current->over != NULL)
    cli_status_line_release ();
  g_clear_pointer (&self->current, question_free);
}

static void
end_read (CliQuestions *self)
{
  if (self->line_cancellable != NULL)
    g_cancellable_cancel (self->line_cancellable);
  g_clear_object (&self->line_cancellable);
  g_clear_object (&self->input);
  self->reading = FALSE;
}

/* What was typed for a question that is over is no answer to the next one. */
static void
forget_line (CliQuestions *self)
{
  end_read (self);
  tcflush (STDIN_FILENO, TCIFLUSH);
}

static void
on_over (CliQuestion *question, const char *why, gpointer data)
{
  CliQuestions *self = data;

  g_printerr ("\n%s\n", why);
  forget_line (self);
  drop_current (self);
  ask_next (self);
}

/* For the rest of what there is to see, or when that is all, for the answer. */
static void
ask_current (CliQuestion *question)
{
  gulong n_left = question->pages != NULL ? cli_pages_count_left (question->pages) : 0;

  if (n_left == 0)
    {
      question->klass->ask (question);
    }
  else
    {
      g_printerr (
        g_dngettext (NULL, "… %lu more character: [Enter] shows more, [r] all the rest, [n]o:",
                     "… %lu more characters: [Enter] shows more, [r] all the rest, [n]o:", n_left),
        n_left);
      g_printerr (" ");
    }
}

/* Nothing that is typed before all was shown is an answer. */
static gboolean
take_line (CliQuestion *question, const char *line)
{
  CliAnswer answer;

  if (question->pages == NULL || cli_pages_count_left (question->pages) == 0)
    return question->klass->take_line (question, line);

  answer = cli_answer_read (line);
  if (answer == CLI_ANSWER_NO)
    {
      gmcp_input_request_decline (question->request);
      return TRUE;
    }
  if (answer == CLI_ANSWER_NOTHING || answer == CLI_ANSWER_REST)
    cli_pages_print (question->pages, answer == CLI_ANSWER_REST);
  return FALSE;
}

/* It goes first, as what is done here may bring the next one. */
static void
give_up_current (CliQuestions *self)
{
  g_autoptr (GmcpInputRequest) request = g_object_ref (self->current->request);

  drop_current (self);
  gmcp_input_request_cancel (request);
  /* The user has agreed to a visit, and does not end it. */
  if (GMCP_IS_ELICITATION (request))
    gmcp_elicitation_abandon (GMCP_ELICITATION (request));
}

static void read_line (CliQuestions *self);

static void
on_line (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *line = g_data_input_stream_read_line_finish_utf8 (G_DATA_INPUT_STREAM (source),
                                                                     result, NULL, &error);
  CliQuestions *self = data;

  self->n_reads--;
  if (source != (GObject *) self->input)
    return;

  self->reading = FALSE;
  if (self->current == NULL)
    return;
  if (line == NULL)
    {
      /* The end of the input, or what is no text. */
      g_printerr ("\n");
      give_up_current (self);
    }
  else if (take_line (self->current, line))
    {
      drop_current (self);
    }

  if (self->current == NULL)
    {
      ask_next (self);
    }
  else
    {
      ask_current (self->current);
      read_line (self);
    }
}

static void
read_line (CliQuestions *self)
{
  if (self->reading)
    return;

  if (self->input == NULL)
    {
      g_autoptr (GInputStream) terminal = g_unix_input_stream_new (STDIN_FILENO, FALSE);

      self->input = g_data_input_stream_new (terminal);
      self->line_cancellable = g_cancellable_new ();
    }
  self->reading = TRUE;
  self->n_reads++;
  g_data_input_stream_read_line_async (self->input, G_PRIORITY_DEFAULT, self->line_cancellable,
                                       on_line, self);
}

static void
ask_next (CliQuestions *self)
{
  while (self->current == NULL && (self->current = g_queue_pop_head (&self->waiting)) != NULL)
    if (!gmcp_input_request_is_open (self->current->request))
      drop_current (self);
  if (self->current == NULL)
    return;

  self->current->over = on_over;
  self->current->over_data = self;
  /* What was typed before it was asked is no answer to it. */
  tcflush (STDIN_FILENO, TCIFLUSH);
  cli_status_line_hold ();
  self->current->klass->begin (self->current);
  ask_current (self->current);
  read_line (self);
}

static void
add_question (CliQuestions *self, CliQuestion *question)
{
  g_queue_push_tail (&self->waiting, question);
  if (self->current == NULL)
    ask_next (self);
}

/* A command may ask on its own and use a part that asks: whoever sees a question first has it. */
static gboolean
take_question (gpointer request)
{
  GQuark taken = g_quark_from_static_string ("cli-questions-taken");

  if (g_object_get_qdata (request, taken) != NULL)
    return FALSE;
  g_object_set_qdata (request, taken, GINT_TO_POINTER (TRUE));
  return TRUE;
}

static void
on_input_requested (GmcpToolProvider *provider, GmcpInputRequest *request, gpointer data)
{
  if (!take_question (request))
    return;
  if (GMCP_IS_ELICITATION (request))
    add_question (data, cli_elicitation_new (GMCP_ELICITATION (request)));
  else
    /* This program has no model. */
    gmcp_input_request_decline (request);
}

static void
on_call_requested (GmcpToolProvider *provider, GmcpCallPermission *request, gpointer data)
{
  if (take_question (request))
    add_question (data, cli_consent_new (request));
}

static void
on_folder_requested (GmcpManager *manager, GmcpFolderRequest *request, gpointer data)
{
  if (take_question (request))
    add_question (data, cli_folder_new (request));
}

static void
on_config_input_requested (GmcpManager *manager, GmcpConfigInput *input, gpointer data)
{
  if (take_question (input))
    add_question (data, cli_config_input_new (input));
}

CliQuestions *
cli_questions_new_for_start (GPtrArray *providers)
{
  CliQuestions *self = g_new0 (CliQuestions, 1);

  g_queue_init (&self->waiting);
  if (!cli_may_ask () || providers == NULL)
    return self;

  self->providers = g_ptr_array_ref (providers);
  for (guint i = 0; i < providers->len; i++)
    {
      GmcpToolProvider *provider = g_ptr_array_index (providers, i);

      if (!GMCP_IS_MANAGER (provider))
        continue;
      g_signal_connect (provider, "config-input-requested", G_CALLBACK (on_config_input_requested),
                        self);
      g_signal_connect (provider, "folder-requested", G_CALLBACK (on_folder_requested), self);
    }
  return self;
}

CliQuestions *
cli_questions_new (GPtrArray *providers)
{
  CliQuestions *self = cli_questions_new_for_start (providers);

  for (guint i = 0; self->providers != NULL && i < providers->len; i++)
    {
      GmcpToolProvider *provider = g_ptr_array_index (providers, i);

      g_signal_connect (provider, "input-requested", G_CALLBACK (on_input_requested), self);
      g_signal_connect (provider, "call-requested", G_CALLBACK (on_call_requested), self);
      if (GMCP_IS_MANAGER (provider))
        g_signal_connect (provider, "withheld-call-requested", G_CALLBACK (on_call_requested),
                          self);
    }
  return self;
}

void
cli_questions_free (CliQuestions *self)
{
  for (guint i = 0; self->providers != NULL && i < self->providers->len; i++)
    g_signal_handlers_disconnect_by_data (g_ptr_array_index (self->providers, i), self);
  end_read (self);
  /* The reads end before what they write to is gone. */
  while (self->n_reads > 0)
    g_main_context_iteration (NULL, TRUE);

  drop_current (self);
  g_queue_clear_full (&self->waiting, (GDestroyNotify) question_free);
  g_clear_pointer (&self->providers, g_ptr_array_unref);
  g_free (self);
}
