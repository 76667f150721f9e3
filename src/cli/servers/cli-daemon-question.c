/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-daemon-question.h"

#include <glib/gi18n.h>

#include "cli-affirm.h"
#include "cli-answer.h"
#include "cli-form.h"
#include "cli-question.h"

#include <gmcp/json/gmcp-json.h>

typedef struct
{
  CliHost *host;
  const CliDaemonAsked *asked;
} Asking;

/* The second is about a tool that is not as it was approved. */
static gboolean
is_permission (const char *kind)
{
  return g_str_equal (kind, "permission") || g_str_equal (kind, "withheld");
}

char *
cli_daemon_question_describe (const CliOpenQuestion *question)
{
  g_autofree char *server = cli_question_plain (question->server);
  g_autofree char *client = cli_question_plain (question->client);
  g_autofree char *what = NULL;

  if (is_permission (question->kind))
    /* Translators: the id of a server */
    what = g_strdup_printf (_ ("a call of server %s waits for your yes"), server);
  else if (g_str_equal (question->kind, "config-input"))
    /* Translators: the id of a server */
    what = g_strdup_printf (_ ("server %s needs a value to start"), server);
  else
    /* Translators: the id of a server */
    what = g_strdup_printf (_ ("server %s asks something"), server);
  /* Translators: what is asked, and the name of a program */
  return *client != '\0' ? g_strdup_printf (_ ("%s (for the program %s)"), what, client)
                         : g_steal_pointer (&what);
}

/* NULL where the question is gone, or nothing more is typed. */
static char *
read_line (Asking *asking, const char *prompt, gboolean hidden)
{
  return cli_read_line_until (asking->host, prompt, hidden, asking->asked->gone);
}

static gboolean
give_answer (Asking *asking, const char *answer, JsonNode *content)
{
  g_autofree char *json = content != NULL ? gmcp_json_print (content, NULL) : g_strdup ("");
  g_autoptr (GError) error = NULL;

  if (asking->asked->answer (asking->asked->data, answer, json, &error))
    return TRUE;
  g_printerr ("gmcp: %s\n", error->message);
  return FALSE;
}

static gboolean
show_pages (Asking *asking, const char *text)
{
  return cli_show_pages_until (asking->host, text, asking->asked->gone);
}

/* Nobody waits for an answer to what is gone. */
static gboolean
decline_unless_gone (Asking *asking)
{
  return !g_cancellable_is_cancelled (asking->asked->gone) && give_answer (asking, "decline", NULL);
}

static const char *
get_text (Asking *asking, const char *name)
{
  return json_object_get_string_member_with_default (asking->asked->params, name, NULL);
}

/* May a tool be called */

static char *
dup_arguments (Asking *asking)
{
  JsonNode *arguments = json_object_get_member (asking->asked->params, "arguments");

  return arguments != NULL ? gmcp_json_print (arguments, NULL) : g_strdup ("{}");
}

static gboolean
ask_permission (Asking *asking)
{
  const char *change = get_text (asking, "change");
  gboolean only_once
    = json_object_get_boolean_member_with_default (asking->asked->params, "once_only", FALSE);
  g_autofree char *arguments = dup_arguments (asking);
  g_autofree char *text = cli_consent_dup_text (&(CliConsent){
    .tool = get_text (asking, "tool"),
    .server = asking->asked->server,
    .arguments = arguments,
    .rule = get_text (asking, "rule"),
    .change = change,
  });
  const char *prompt = only_once        ? _ ("Call it? [y]es, [N]o:")
                       : change != NULL ? _ ("Call it? [y]es, [a]pprove it as it is now, [N]o:")
                                        : _ ("Call it? [y]es, [a]lways, [N]o:");

  if (!show_pages (asking, text))
    return decline_unless_gone (asking);

  for (;;)
    {
      g_autofree char *line = read_line (asking, prompt, FALSE);
      CliAnswer answer = line != NULL ? cli_answer_read (line) : CLI_ANSWER_OTHER;

      if (line == NULL)
        return FALSE;
      if (answer == CLI_ANSWER_YES)
        return give_answer (asking, "allow-once", NULL);
      if (answer == CLI_ANSWER_ALWAYS && !only_once)
        return give_answer (asking, "allow-always", NULL);
      if (answer == CLI_ANSWER_NO || answer == CLI_ANSWER_NOTHING)
        return give_answer (asking, "decline", NULL);
    }
}

/* A value of the configuration */

static JsonObject *
get_value_field (Asking *asking)
{
  JsonNode *schema = json_object_get_member (asking->asked->params, "requestedSchema");
  JsonObject *fields
    = schema != NULL && JSON_NODE_HOLDS_OBJECT (schema)
        ? json_object_get_object_member (json_node_get_object (schema), "properties")
        : NULL;

  return fields != NULL ? json_object_get_object_member (fields, "value") : NULL;
}

static gboolean
ask_value (Asking *asking)
{
  JsonObject *field = get_value_field (asking);
  const char *title
    = field != NULL ? json_object_get_string_member_with_default (field, "title", "") : "";
  const char *format
    = field != NULL ? json_object_get_string_member_with_default (field, "format", "") : "";
  gboolean hidden = g_str_equal (format, "password");
  g_autofree char *id = cli_question_plain (title);
  g_autofree char *message = cli_question_plain (get_text (asking, "message"));
  g_autofree char *line = NULL;
  g_autoptr (JsonObject) content = json_object_new ();
  g_autoptr (JsonNode) node = NULL;

  /* Translators: a server, and the name of a value */
  g_printerr (_ ("Server %s needs the value “%s”.\n"), asking->asked->server, id);
  if (!g_str_equal (message, id))
    g_printerr ("  %s\n", message);
  line = read_line (asking, hidden ? _ ("Value (it is not shown):") : _ ("Value:"), hidden);
  if (line == NULL || *line == '\0')
    return FALSE;

  json_object_set_string_member (content, "value", line);
  node = json_node_init_object (json_node_alloc (), content);
  return give_answer (asking, "accept", node);
}

/* What a server asks */

static gboolean
confirm_form (Asking *asking, CliForm *form, gboolean *is_answered)
{
  for (;;)
    {
      g_autofree char *line = read_line (asking, _ ("Send this? [y]es, [n]o, [e]dit:"), FALSE);
      g_autoptr (JsonNode) content = NULL;
      CliAnswer answer = line != NULL ? cli_answer_read (line) : CLI_ANSWER_OTHER;

      *is_answered = FALSE;
      if (line == NULL)
        return TRUE;
      if (answer == CLI_ANSWER_EDIT)
        return FALSE;
      if (answer == CLI_ANSWER_NO)
        {
          *is_answered = give_answer (asking, "decline", NULL);
          return TRUE;
        }
      if (answer != CLI_ANSWER_YES && answer != CLI_ANSWER_NOTHING)
        continue;
      content = cli_form_dup_content (form);
      *is_answered = give_answer (asking, "accept", content);
      return TRUE;
    }
}

static gboolean
fill_form (Asking *asking, GmcpElicitation *elicitation)
{
  g_autoptr (CliForm) form = cli_form_new (elicitation);
  gboolean is_answered = FALSE;

  do
    {
      cli_form_begin (form);
      while (!cli_form_is_complete (form))
        {
          g_autoptr (GString) text = g_string_new (NULL);
          g_autofree char *prompt = cli_form_dup_prompt (form);
          g_autofree char *line = NULL;

          cli_form_describe_field (form, text);
          if (!show_pages (asking, text->str))
            return decline_unless_gone (asking);
          line = read_line (asking, prompt, FALSE);
          if (line == NULL)
            return FALSE;
          cli_form_take_line (form, line);
        }
    }
  while (!confirm_form (asking, form, &is_answered));
  return is_answered;
}

/* The server may say first that all is done; `gone` ends the prompt then, and is there already where nothing waits. */
static gboolean
finish_visit (Asking *asking)
{
  GCancellable *gone = asking->asked->gone;
  g_autofree char *line = NULL;
  g_autoptr (GError) error = NULL;

  if (g_cancellable_is_cancelled (gone))
    return TRUE;

  line = read_line (asking, _ ("Press Enter when you are done there:"), FALSE);
  if (line == NULL)
    return g_cancellable_is_cancelled (gone);
  if (!asking->asked->answer (asking->asked->data, "done", "", &error)
      && !g_cancellable_is_cancelled (gone))
    g_printerr ("gmcp: %s\n", error->message);
  return TRUE;
}

static gboolean
is_accepted (Asking *asking)
{
  return asking->asked->is_accepted != NULL && asking->asked->is_accepted (asking->asked->data);
}

static void
tell_accepted (void)
{
  g_printerr ("%s\n", _ ("Somebody has agreed to go there already."));
}

/* A no must not end the visit of somebody else. The daemon refuses it then; an older one does not. */
static gboolean
decline_visit (Asking *asking)
{
  g_autoptr (GError) error = NULL;

  if (g_cancellable_is_cancelled (asking->asked->gone))
    return FALSE;
  if (!is_accepted (asking) && asking->asked->answer (asking->asked->data, "decline", "", &error))
    return TRUE;
  if (error == NULL || is_accepted (asking))
    tell_accepted ();
  else
    g_printerr ("gmcp: %s\n", error->message);
  return FALSE;
}

static gboolean
visit_address (Asking *asking, GmcpElicitation *elicitation)
{
  gboolean was_accepted = is_accepted (asking);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *line = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  cli_form_describe_address (elicitation, text);
  if (!show_pages (asking, text->str))
    return decline_visit (asking);
  if (was_accepted)
    {
      tell_accepted ();
      return finish_visit (asking);
    }

  line = read_line (asking, _ ("Open it in the browser? [y]es, [N]o:"), FALSE);
  if (line == NULL)
    return FALSE;
  if (cli_answer_read (line) != CLI_ANSWER_YES)
    return decline_visit (asking);

  gmcp_elicitation_open_url_async (elicitation, asking->asked->gone, cli_store_result, &result);
  if (!gmcp_elicitation_open_url_finish (elicitation, cli_wait (&result), NULL))
    g_printerr ("%s\n", _ ("No browser could be started; please open the address yourself."));
  return give_answer (asking, "accept", NULL) && finish_visit (asking);
}

static GmcpElicitation *
make_elicitation (Asking *asking, GError **error)
{
  const char *message = get_text (asking, "message");
  const char *mode = get_text (asking, "mode");
  JsonNode *schema = json_object_get_member (asking->asked->params, "requestedSchema");
  g_autofree char *json = schema != NULL ? gmcp_json_print (schema, NULL) : NULL;

  return g_strcmp0 (mode, "url") == 0
           ? gmcp_elicitation_new_for_url (message, get_text (asking, "url"), error)
           : gmcp_elicitation_new (message, json, error);
}

static gboolean
ask_elicitation (Asking *asking)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpElicitation) elicitation = make_elicitation (asking, &error);
  g_autofree char *message = cli_question_plain (get_text (asking, "message"));

  /* Translators: the name of a server, and what it asks */
  g_printerr (_ ("%s asks: %s\n"), asking->asked->server, message);
  if (elicitation == NULL)
    {
      g_printerr ("gmcp: %s\n", error->message);
      return FALSE;
    }
  return gmcp_elicitation_get_mode (elicitation) == GMCP_ELICITATION_MODE_URL
           ? visit_address (asking, elicitation)
           : fill_form (asking, elicitation);
}

/* What is asked may go while it is shown. */
gboolean
cli_daemon_question_put (CliHost *host, const CliDaemonAsked *asked)
{
  Asking asking = { host, asked };

  if (is_permission (asked->kind))
    return ask_permission (&asking);
  if (g_str_equal (asked->kind, "config-input"))
    return ask_value (&asking);
  return ask_elicitation (&asking);
}

/* One of those that wait for anybody. */
typedef struct
{
  CliDaemonQuestions *questions;
  char *path;
  GCancellable *gone; /* also when the command ends */
} Waiting;

static gboolean
answer_waiting (gpointer data, const char *answer, const char *content, GError **error)
{
  Waiting *waiting = data;

  return cli_daemon_questions_answer (waiting->questions, waiting->path, answer, content, error);
}

static gboolean
is_waiting_accepted (gpointer data)
{
  Waiting *waiting = data;

  return cli_daemon_questions_is_accepted (waiting->questions, waiting->path);
}

static void
on_changed (gpointer data)
{
  Waiting *waiting = data;

  if (!cli_daemon_questions_has (waiting->questions, waiting->path))
    g_cancellable_cancel (waiting->gone);
}

static void
on_cancelled (GCancellable *cancellable, gpointer gone)
{
  g_cancellable_cancel (gone);
}

/* It may be gone, and the line about it with it, while it is asked. */
gboolean
cli_daemon_question_ask (CliHost *host,
                         CliDaemonQuestions *questions,
                         const CliOpenQuestion *question)
{
  g_autofree char *path = g_strdup (question->path);
  g_autofree char *kind = g_strdup (question->kind);
  g_autofree char *server = cli_question_plain (question->server);
  g_autofree char *described = cli_daemon_question_describe (question);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) params = cli_daemon_questions_ref_parameters (questions, path, &error);
  g_autoptr (GCancellable) gone = g_cancellable_new ();
  Waiting waiting = { questions, path, gone };
  const CliDaemonAsked asked
    = { kind, server, params, gone, answer_waiting, &waiting, is_waiting_accepted };
  gulong cancelled_id;
  gboolean is_answered;

  if (params == NULL)
    return FALSE;

  g_printerr ("%s\n", described);
  cancelled_id = g_cancellable_connect (host->cancellable, G_CALLBACK (on_cancelled), gone, NULL);
  cli_daemon_questions_set_changed (questions, on_changed, &waiting);
  /* While its parameters were asked for it may have gone. */
  on_changed (&waiting);
  is_answered = cli_daemon_question_put (host, &asked);
  if (!is_answered && !cli_daemon_questions_has (questions, path))
    g_printerr ("%s\n", _ ("The answer is no longer needed."));
  cli_daemon_questions_set_changed (questions, NULL, NULL);
  g_cancellable_disconnect (host->cancellable, cancelled_id);
  return is_answered;
}
