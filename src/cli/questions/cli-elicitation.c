/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-question.h"

#include <glib/gi18n.h>

#include "cli-answer.h"

#include <gmcp/core/gmcp-visible-text.h>
#include <gmcp/json/gmcp-json.h>

/* Characters of a label, and of a value that holds when nothing is typed. */
#define PROMPT_CHARS 60

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
  Step step;
  guint position;
  JsonObject *content;
} CliElicitation;

static GmcpElicitationField *
dup_field (CliElicitation *self)
{
  return g_list_model_get_item (gmcp_elicitation_get_fields (self->elicitation), self->position);
}

static const char *
get_label (GmcpElicitationField *field)
{
  const char *title = gmcp_elicitation_field_get_title (field);

  return title != NULL ? title : gmcp_elicitation_field_get_name (field);
}

static void
append_options (GString *text, GmcpElicitationField *field)
{
  const char *const *titles = gmcp_elicitation_field_get_option_titles (field);

  for (guint i = 0; titles != NULL && titles[i] != NULL; i++)
    {
      g_autofree char *title = cli_question_plain (titles[i]);

      g_string_append_printf (text, "  %u) %s\n", i + 1, title);
    }
  if (gmcp_elicitation_field_get_kind (field) == GMCP_ELICITATION_FIELD_KIND_MULTI_CHOICE)
    g_string_append_printf (text, "  %s\n", _ ("(several with commas between)"));
}

/* What is too long for the line that is typed in is shown before it. */
static void
append_long (GString *text, const char *whole)
{
  if (g_utf8_strlen (whole, -1) > PROMPT_CHARS)
    g_string_append_printf (text, "%s\n", whole);
}

/* The field at the position, or where there is none more, whether to send. */
static void
show_field (CliElicitation *self, GString *text)
{
  g_autoptr (GmcpElicitationField) field = dup_field (self);
  g_autofree char *label = NULL, *description = NULL, *value = NULL, *shown = NULL;

  if (field == NULL)
    {
      self->step = STEP_CONFIRM;
      return;
    }

  self->step = STEP_FIELD;
  label = cli_question_plain (get_label (field));
  description = cli_question_plain (gmcp_elicitation_field_get_description (field));
  value = gmcp_elicitation_field_dup_default_json (field);
  shown = cli_question_plain (value);
  append_long (text, label);
  if (*description != '\0')
    g_string_append_printf (text, "%s\n", description);
  append_options (text, field);
  if (gmcp_elicitation_field_get_kind (field) == GMCP_ELICITATION_FIELD_KIND_BOOLEAN)
    g_string_append_printf (text, "  %s\n", _ ("(yes or no)"));
  append_long (text, shown);
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
  g_autoptr (GmcpElicitationField) field = dup_field (self);
  g_autofree char *label = gmcp_dup_visible_line (get_label (field), PROMPT_CHARS);
  g_autofree char *value = gmcp_elicitation_field_dup_default_json (field);
  g_autofree char *shown = gmcp_dup_visible_line (value != NULL ? value : "", PROMPT_CHARS);

  if (value != NULL)
    g_printerr ("%s [%s]: ", label, shown);
  else if (gmcp_elicitation_field_is_required (field))
    g_printerr ("%s: ", label);
  else
    /* Translators: the label of a field that need not be filled in */
    g_printerr (_ ("%s (optional): "), label);
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

/* A name with letters outside ASCII in the form that the network uses, and the other way round: of two
 * that look alike one differs. */
static void
append_other_form (GString *text, const char *host)
{
  g_autofree char *other
    = g_hostname_is_non_ascii (host) ? g_hostname_to_ascii (host) : g_hostname_to_unicode (host);
  g_autofree char *shown = cli_question_plain (other);

  if (other != NULL && g_ascii_strcasecmp (other, host) != 0)
    /* Translators: the same host, as the network writes it (xn--…), or with its letters */
    g_string_append_printf (text, _ ("Written otherwise, this host is “%s”.\n"), shown);
}

static void
show_url (CliElicitation *self, GString *text)
{
  const char *warning = gmcp_elicitation_get_url_warning (self->elicitation);
  g_autofree char *url = cli_question_plain (gmcp_elicitation_get_url (self->elicitation));
  g_autofree char *host = cli_question_plain (gmcp_elicitation_get_url_host (self->elicitation));

  self->step = STEP_URL;
  g_string_append_printf (text, "  %s\n", url);
  /* Translators: the host of an address */
  g_string_append_printf (text, _ ("The address is on the host “%s”.\n"), host);
  append_other_form (text, gmcp_elicitation_get_url_host (self->elicitation));
  if (warning != NULL)
    g_string_append_printf (text, "%s\n", warning);
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

/* The field reads yes and no in English. */
static const char *
translate_answer (GmcpElicitationField *field, const char *line)
{
  CliAnswer answer = gmcp_elicitation_field_get_kind (field) == GMCP_ELICITATION_FIELD_KIND_BOOLEAN
                       ? cli_answer_read (line)
                       : CLI_ANSWER_OTHER;

  if (answer == CLI_ANSWER_YES)
    return "yes";
  return answer == CLI_ANSWER_NO ? "no" : line;
}

/* What is filled in for an empty line: nothing, where there is a default or none is needed. */
static gboolean
take_field (CliElicitation *self, const char *line)
{
  g_autoptr (GmcpElicitationField) field = dup_field (self);
  g_autofree char *value = gmcp_elicitation_field_dup_default_json (field);
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;

  if (*line == '\0' && (value != NULL || !gmcp_elicitation_field_is_required (field)))
    return TRUE;

  json = gmcp_elicitation_field_read_text (field, translate_answer (field, line), &error);
  if (json == NULL)
    {
      g_printerr ("%s\n", error->message);
      return FALSE;
    }
  json_object_set_member (self->content, gmcp_elicitation_field_get_name (field),
                          gmcp_json_parse (json, -1, NULL));
  return TRUE;
}

static void
send_form (CliElicitation *self)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), self->content);
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
  g_clear_pointer (&self->content, json_object_unref);
  self->content = json_object_new ();
  self->position = 0;
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
      if (take_field (self, line))
        self->position++;
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
  g_clear_pointer (&self->content, json_object_unref);
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
  self->completed_id = g_signal_connect (elicitation, "completed", G_CALLBACK (on_completed), self);
  return &self->parent;
}
