/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-question.h"

#include <glib/gi18n.h>

#include "cli-answer.h"
#include "cli-form.h"

typedef enum
{
  STEP_FIELD,   /* a field of the form is being filled in */
  STEP_CONFIRM, /* the form is to be sent */
  STEP_URL,     /* an address is to be opened */
  STEP_VISIT,   /* the user is there */
} Step;

typedef struct
{
  CliQuestion parent;
  GmcpElicitation *elicitation; /* the request; not owned */
  gulong completed_id;
  gulong awaited_id;
  Step step;
  CliForm *form;
} CliElicitation;

/* The next field, or where there is none more, whether to send. */
static void
show_field (CliElicitation *self, GString *text)
{
  self->step = cli_form_is_complete (self->form) ? STEP_CONFIRM : STEP_FIELD;
  if (self->step == STEP_CONFIRM)
    return;

  cli_form_describe_field (self->form, text);
  cli_question_show (&self->parent, text->str);
}

static void
show_next_field (CliElicitation *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  show_field (self, text);
}

static void
ask_field (CliElicitation *self)
{
  g_autofree char *prompt = cli_form_dup_prompt (self->form);

  g_printerr ("%s ", prompt);
}

static void
cli_elicitation_ask (CliQuestion *question)
{
  CliElicitation *self = (CliElicitation *) question;

  switch (self->step)
    {
    case STEP_CONFIRM:
      g_printerr ("%s ", _ ("Send this? [y]es, [n]o, [e]dit:"));
      break;
    case STEP_URL:
      g_printerr ("%s ", _ ("Open it in the browser? [y]es, [N]o:"));
      break;
    case STEP_VISIT:
      g_printerr ("%s ", _ ("Press Enter when you are done there:"));
      break;
    case STEP_FIELD:
    default:
      ask_field (self);
    }
}

static void
show_url (CliElicitation *self, GString *text)
{
  self->step = STEP_URL;
  cli_form_describe_address (self->elicitation, text);
  cli_question_show (&self->parent, text->str);
}

/* An answer that was given before stays the one. */
static void
accept_url (GmcpElicitation *elicitation)
{
  if (gmcp_input_request_is_open (GMCP_INPUT_REQUEST (elicitation)))
    gmcp_elicitation_accept (elicitation, NULL, NULL);
}

/* The server gets the answer only now: with its result this process may end, and a browser that is still to
 * be started would never be. */
static void
on_url_opened (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  if (!gmcp_elicitation_open_url_finish (GMCP_ELICITATION (source), result, &error)
      && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_printerr ("%s\n", _ ("No browser could be started; please open the address yourself."));
  accept_url (GMCP_ELICITATION (source));
}

static void
send_form (CliElicitation *self)
{
  g_autoptr (JsonNode) node = cli_form_dup_content (self->form);
  g_autoptr (GError) error = NULL;

  if (!gmcp_elicitation_accept (self->elicitation, node, &error))
    {
      g_printerr ("%s\n", error->message);
      gmcp_input_request_cancel (self->parent.request);
    }
}

static void
start_form (CliElicitation *self, GString *text)
{
  cli_form_begin (self->form);
  show_field (self, text);
}

/* These take a line; TRUE where the question is done with. */

static gboolean
confirm_form (CliElicitation *self, const char *line)
{
  switch (cli_answer_read (line))
    {
    case CLI_ANSWER_NO:
      gmcp_input_request_decline (self->parent.request);
      return TRUE;
    case CLI_ANSWER_EDIT:
      {
        g_autoptr (GString) text = g_string_new (NULL);

        start_form (self, text);
        return FALSE;
      }
    case CLI_ANSWER_NOTHING:
    case CLI_ANSWER_YES:
      send_form (self);
      return TRUE;
    case CLI_ANSWER_OTHER:
    case CLI_ANSWER_ALWAYS:
    case CLI_ANSWER_REST:
    default:
      return FALSE;
    }
}

static gboolean
confirm_url (CliElicitation *self, const char *line)
{
  if (cli_answer_read (line) != CLI_ANSWER_YES)
    {
      gmcp_input_request_decline (self->parent.request);
      return TRUE;
    }

  gmcp_elicitation_open_url_async (self->elicitation, NULL, on_url_opened, NULL);
  if (gmcp_elicitation_get_elicitation_id (self->elicitation) == NULL)
    return TRUE;

  self->step = STEP_VISIT;
  return FALSE;
}

static gboolean
cli_elicitation_take_line (CliQuestion *question, const char *line)
{
  CliElicitation *self = (CliElicitation *) question;

  switch (self->step)
    {
    case STEP_CONFIRM:
      return confirm_form (self, line);
    case STEP_URL:
      return confirm_url (self, line);
    case STEP_VISIT:
      /* The user says that the page was visited, not the server. */
      self->step = STEP_URL;
      accept_url (self->elicitation);
      gmcp_elicitation_complete (self->elicitation);
      return TRUE;
    case STEP_FIELD:
    default:
      cli_form_take_line (self->form, line);
      show_next_field (self);
      return FALSE;
    }
}

static void
on_completed (GmcpElicitation *elicitation, gpointer data)
{
  CliElicitation *self = data;

  if (self->step == STEP_VISIT)
    self->parent.over (&self->parent, _ ("The server says that it is done."),
                       self->parent.over_data);
}

/* The call has ended. */
static void
on_awaited_changed (GmcpElicitation *elicitation, GParamSpec *pspec, gpointer data)
{
  CliElicitation *self = data;

  if (self->step == STEP_VISIT && !gmcp_elicitation_is_awaited (elicitation)
      && !gmcp_elicitation_is_completed (elicitation))
    self->parent.over (&self->parent, _ ("The answer is no longer needed."),
                       self->parent.over_data);
}

static void
cli_elicitation_begin (CliQuestion *question)
{
  CliElicitation *self = (CliElicitation *) question;
  g_autofree char *server
    = cli_question_plain (gmcp_input_request_get_server_name (self->parent.request));
  g_autofree char *message = cli_question_plain (gmcp_elicitation_get_message (self->elicitation));

  g_autoptr (GString) text = g_string_new (NULL);

  /* Translators: the name of a server, and what it asks */
  g_string_append_printf (text, _ ("%s asks: %s\n"), server, message);
  g_string_append_printf (text, "%s\n", _ ("(Ctrl+D closes the question without an answer.)"));

  if (gmcp_elicitation_get_mode (self->elicitation) == GMCP_ELICITATION_MODE_URL)
    show_url (self, text);
  else
    start_form (self, text);
  /* A form without fields is only confirmed. */
  if (self->step == STEP_CONFIRM)
    cli_question_show (question, text->str);
}

static void
cli_elicitation_clear (CliQuestion *question)
{
  CliElicitation *self = (CliElicitation *) question;

  g_signal_handler_disconnect (self->elicitation, self->completed_id);
  g_signal_handler_disconnect (self->elicitation, self->awaited_id);
  cli_form_free (self->form);
}

static const CliQuestionClass elicitation_class = {
  .begin = cli_elicitation_begin,
  .ask = cli_elicitation_ask,
  .take_line = cli_elicitation_take_line,
  .clear = cli_elicitation_clear,
};

CliQuestion *
cli_elicitation_new (GmcpElicitation *elicitation)
{
  CliElicitation *self = g_new0 (CliElicitation, 1);

  cli_question_init (&self->parent, &elicitation_class, GMCP_INPUT_REQUEST (elicitation));
  self->elicitation = elicitation;
  self->form = cli_form_new (elicitation);
  self->completed_id = g_signal_connect (elicitation, "completed", G_CALLBACK (on_completed), self);
  self->awaited_id
    = g_signal_connect (elicitation, "notify::awaited", G_CALLBACK (on_awaited_changed), self);
  return &self->parent;
}
