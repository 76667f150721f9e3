/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-questions.h"

#include <gio/gunixinputstream.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

#include "cli-text.h"

#define SHOWN_COLUMNS 2000

typedef enum
{
  STEP_FIELD,   /* a field of the form is being filled in */
  STEP_CONFIRM, /* the form is to be sent */
  STEP_URL,     /* an address is to be opened */
  STEP_VISIT,   /* the user is there */
} Step;

struct _CliQuestions
{
  GPtrArray *providers;
  GQueue waiting; /* of GmcpElicitation */
  GCancellable *cancellable;

  /* The line that is waited for. */
  GDataInputStream *input; /* a new one after each question that was withdrawn */
  GCancellable *line_cancellable;
  gboolean reading;
  guint n_reads; /* with those that were given up, and have not ended yet */

  /* The one that is being asked. */
  GmcpElicitation *current;
  gulong closed_id;
  gulong completed_id;
  Step step;
  guint position;
  JsonObject *content;
};

static void ask_next (CliQuestions *self);
static void ask_field (CliQuestions *self);

static char *
plain (const char *text)
{
  return cli_text_plain (text != NULL ? text : "", SHOWN_COLUMNS);
}

static void
drop_current (CliQuestions *self)
{
  g_signal_handler_disconnect (self->current, self->closed_id);
  g_signal_handler_disconnect (self->current, self->completed_id);
  g_clear_object (&self->current);
  g_clear_pointer (&self->content, json_object_unref);
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
on_closed (GmcpInputRequest *request, gpointer data)
{
  CliQuestions *self = data;

  g_printerr ("\n%s\n", _ ("The answer is no longer needed."));
  forget_line (self);
  drop_current (self);
  ask_next (self);
}

static void
on_completed (GmcpElicitation *elicitation, gpointer data)
{
  CliQuestions *self = data;

  if (self->step != STEP_VISIT)
    return;
  g_printerr ("\n%s\n", _ ("The server says that it is done."));
  forget_line (self);
  drop_current (self);
  ask_next (self);
}

static GmcpElicitationField *
dup_field (CliQuestions *self)
{
  return g_list_model_get_item (gmcp_elicitation_get_fields (self->current), self->position);
}

static const char *
get_label (GmcpElicitationField *field)
{
  const char *title = gmcp_elicitation_field_get_title (field);

  return title != NULL ? title : gmcp_elicitation_field_get_name (field);
}

static void
show_options (GmcpElicitationField *field)
{
  const char *const *titles = gmcp_elicitation_field_get_option_titles (field);

  for (guint i = 0; titles != NULL && titles[i] != NULL; i++)
    {
      g_autofree char *title = plain (titles[i]);

      g_printerr ("  %u) %s\n", i + 1, title);
    }
  if (gmcp_elicitation_field_get_kind (field) == GMCP_ELICITATION_FIELD_KIND_MULTI_CHOICE)
    g_printerr ("  %s\n", _ ("(several with commas between)"));
}

/* Asks for the field at the position, or where there is none more, whether to send. */
static void
ask_field (CliQuestions *self)
{
  g_autoptr (GmcpElicitationField) field = dup_field (self);
  g_autofree char *label = NULL, *description = NULL, *value = NULL, *shown = NULL;

  if (field == NULL)
    {
      self->step = STEP_CONFIRM;
      g_printerr ("%s ", _ ("Send this? [y]es, [n]o, [e]dit:"));
      return;
    }

  self->step = STEP_FIELD;
  label = plain (get_label (field));
  description = plain (gmcp_elicitation_field_get_description (field));
  if (*description != '\0')
    g_printerr ("%s\n", description);
  show_options (field);
  if (gmcp_elicitation_field_get_kind (field) == GMCP_ELICITATION_FIELD_KIND_BOOLEAN)
    g_printerr ("  %s\n", _ ("(yes or no)"));

  value = gmcp_elicitation_field_dup_default_json (field);
  shown = plain (value);
  if (value != NULL)
    g_printerr ("%s [%s]: ", label, shown);
  else if (gmcp_elicitation_field_is_required (field))
    g_printerr ("%s: ", label);
  else
    /* Translators: the label of a field that need not be filled in */
    g_printerr (_ ("%s (optional): "), label);
}

static void
ask_url (CliQuestions *self)
{
  const char *warning = gmcp_elicitation_get_url_warning (self->current);
  g_autofree char *url = plain (gmcp_elicitation_get_url (self->current));
  g_autofree char *host = plain (gmcp_elicitation_get_url_host (self->current));

  self->step = STEP_URL;
  g_printerr ("  %s\n", url);
  /* Translators: the host of an address */
  g_printerr (_ ("The address is on the host “%s”.\n"), host);
  if (warning != NULL)
    g_printerr ("%s\n", warning);
  g_printerr ("%s ", _ ("Open it in the browser? [y]es, [N]o:"));
}

static void
on_url_opened (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  if (!gmcp_elicitation_open_url_finish (GMCP_ELICITATION (source), result, &error)
      && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_printerr ("%s\n", _ ("No browser could be started; please open the address yourself."));
}

/* What is filled in for an empty line: nothing, where there is a default or none is needed. */
static gboolean
take_field (CliQuestions *self, const char *line)
{
  g_autoptr (GmcpElicitationField) field = dup_field (self);
  g_autofree char *value = gmcp_elicitation_field_dup_default_json (field);
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;

  if (*line == '\0' && (value != NULL || !gmcp_elicitation_field_is_required (field)))
    return TRUE;

  json = gmcp_elicitation_field_read_text (field, line, &error);
  if (json == NULL)
    {
      g_printerr ("%s\n", error->message);
      return FALSE;
    }
  json_object_set_member (self->content, gmcp_elicitation_field_get_name (field),
                          json_from_string (json, NULL));
  return TRUE;
}

static void
send_form (CliQuestions *self)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), self->content);
  g_autoptr (GError) error = NULL;

  if (!gmcp_elicitation_accept (self->current, node, &error))
    {
      g_printerr ("%s\n", error->message);
      gmcp_elicitation_cancel (self->current);
    }
}

static void
start_form (CliQuestions *self)
{
  g_clear_pointer (&self->content, json_object_unref);
  self->content = json_object_new ();
  self->position = 0;
  ask_field (self);
}

/* These take a line; TRUE where the question is done with. */

static gboolean
confirm (CliQuestions *self, const char *line)
{
  switch (g_ascii_tolower (*line))
    {
    case 'n':
      gmcp_elicitation_decline (self->current);
      return TRUE;
    case 'e':
      start_form (self);
      return FALSE;
    case '\0':
    case 'y':
      send_form (self);
      return TRUE;
    default:
      ask_field (self);
      return FALSE;
    }
}

static gboolean
confirm_url (CliQuestions *self, const char *line)
{
  if (g_ascii_tolower (*line) != 'y')
    {
      gmcp_elicitation_decline (self->current);
      return TRUE;
    }

  gmcp_elicitation_open_url_async (self->current, self->cancellable, on_url_opened, NULL);
  gmcp_elicitation_accept (self->current, NULL, NULL);
  if (gmcp_elicitation_get_elicitation_id (self->current) == NULL)
    return TRUE;

  self->step = STEP_VISIT;
  g_printerr ("%s ", _ ("Press Enter when you are done there:"));
  return FALSE;
}

static gboolean
take_line (CliQuestions *self, const char *line)
{
  switch (self->step)
    {
    case STEP_CONFIRM:
      return confirm (self, line);
    case STEP_URL:
      return confirm_url (self, line);
    case STEP_VISIT:
      /* It is not the server that says so. */
      self->step = STEP_URL;
      gmcp_elicitation_complete (self->current);
      return TRUE;
    case STEP_FIELD:
    default:
      if (take_field (self, line))
        self->position++;
      ask_field (self);
      return FALSE;
    }
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
      gmcp_elicitation_cancel (self->current);
      drop_current (self);
    }
  else if (take_line (self, line))
    drop_current (self);

  if (self->current == NULL)
    ask_next (self);
  else
    read_line (self);
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
  g_autofree char *server = NULL, *message = NULL;

  while (self->current == NULL && (self->current = g_queue_pop_head (&self->waiting)) != NULL)
    if (!gmcp_input_request_is_open (GMCP_INPUT_REQUEST (self->current)))
      g_clear_object (&self->current);
  if (self->current == NULL)
    return;

  self->closed_id = g_signal_connect (self->current, "closed", G_CALLBACK (on_closed), self);
  self->completed_id
    = g_signal_connect (self->current, "completed", G_CALLBACK (on_completed), self);
  server = plain (gmcp_input_request_get_server_name (GMCP_INPUT_REQUEST (self->current)));
  message = plain (gmcp_elicitation_get_message (self->current));
  fputs ("\r\033[K", stderr);
  /* Translators: the name of a server, and what it asks */
  g_printerr (_ ("%s asks: %s\n"), server, message);
  g_printerr ("%s\n", _ ("(Ctrl+D closes the question without an answer.)"));

  if (gmcp_elicitation_get_mode (self->current) == GMCP_ELICITATION_MODE_URL)
    ask_url (self);
  else
    start_form (self);
  read_line (self);
}

static void
on_input_requested (GmcpToolProvider *provider, GmcpInputRequest *request, gpointer data)
{
  CliQuestions *self = data;

  if (!GMCP_IS_ELICITATION (request))
    {
      /* This program has no model. */
      gmcp_sampling_reject (GMCP_SAMPLING (request));
      return;
    }

  g_queue_push_tail (&self->waiting, g_object_ref (request));
  if (self->current == NULL)
    ask_next (self);
}

CliQuestions *
cli_questions_new (GPtrArray *providers)
{
  CliQuestions *self = g_new0 (CliQuestions, 1);

  g_queue_init (&self->waiting);
  self->cancellable = g_cancellable_new ();
  if (!isatty (STDIN_FILENO) || !isatty (STDERR_FILENO))
    return self;

  self->providers = g_ptr_array_ref (providers);
  for (guint i = 0; i < providers->len; i++)
    g_signal_connect (g_ptr_array_index (providers, i), "input-requested",
                      G_CALLBACK (on_input_requested), self);
  return self;
}

void
cli_questions_free (CliQuestions *self)
{
  for (guint i = 0; self->providers != NULL && i < self->providers->len; i++)
    g_signal_handlers_disconnect_by_data (g_ptr_array_index (self->providers, i), self);
  g_cancellable_cancel (self->cancellable);
  end_read (self);
  /* The reads end before what they write to is gone. */
  while (self->n_reads > 0)
    g_main_context_iteration (NULL, TRUE);

  if (self->current != NULL)
    drop_current (self);
  g_queue_clear_full (&self->waiting, g_object_unref);
  g_clear_pointer (&self->providers, g_ptr_array_unref);
  g_object_unref (self->cancellable);
  g_free (self);
}
