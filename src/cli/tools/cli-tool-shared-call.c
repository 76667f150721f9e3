/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-tool-shared.h"

#include <glib/gi18n.h>

#include <gmcp/json/gmcp-json.h>

#include "cli-daemon-question.h"
#include "cli-question.h"
#include "cli-status-line.h"
#include "cli-terminal.h"

/* By which this program knows its call, the only one on its connection. */
#define PROGRESS "call"

/* A call under way. */
typedef struct
{
  CliHost *host;
  CliDaemon *daemon;
  char *server; /* as it is shown */
  GmcpCallOptions *options;
  GQueue waiting; /* of Question */
  GAsyncResult *result;

  /* What is asked right now. */
  guint32 asked_id;
  GCancellable *gone; /* NULL while nothing is */
} SharedCall;

typedef struct
{
  SharedCall *call;
  guint32 id;
  char *kind;
  JsonNode *params;
} Question;

static void
question_free (Question *self)
{
  g_free (self->kind);
  json_node_unref (self->params);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Question, question_free)

static void
shared_call_clear (SharedCall *self)
{
  g_queue_clear_full (&self->waiting, (GDestroyNotify) question_free);
  g_free (self->server);
  g_clear_object (&self->result);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SharedCall, shared_call_clear)

static void
take_progress (SharedCall *self, GVariant *parameters)
{
  const char *call;
  const char *message;
  double progress;
  double total;

  g_variant_get (parameters, "(&sdd&s)", &call, &progress, &total, &message);
  if (g_str_equal (call, PROGRESS))
    g_signal_emit_by_name (self->options, "progress", progress, total,
                           *message != '\0' ? message : NULL);
}

/* It is asked outside of the signal, since others may come meanwhile. */
static void
take_question (SharedCall *self, GVariant *parameters)
{
  const char *kind;
  const char *text;
  guint32 id;
  JsonNode *params;
  Question *question;

  g_variant_get (parameters, "(u&s&s)", &id, &kind, &text);
  params = gmcp_json_parse (text, -1, NULL);
  if (params == NULL || !JSON_NODE_HOLDS_OBJECT (params))
    {
      g_clear_pointer (&params, json_node_unref);
      params = json_node_new (JSON_NODE_OBJECT);
      json_node_take_object (params, json_object_new ());
    }
  question = g_new (Question, 1);
  *question = (Question){ self, id, g_strdup (kind), params };
  g_queue_push_tail (&self->waiting, question);
}

static void
take_back (SharedCall *self, GVariant *parameters)
{
  guint32 id;

  g_variant_get (parameters, "(u)", &id);
  if (self->gone != NULL && self->asked_id == id)
    {
      g_cancellable_cancel (self->gone);
      return;
    }
  for (GList *link = self->waiting.head; link != NULL; link = link->next)
    if (((Question *) link->data)->id == id)
      {
        question_free (link->data);
        g_queue_delete_link (&self->waiting, link);
        return;
      }
}

static void
on_signal (GDBusConnection *connection,
           const char *sender,
           const char *path,
           const char *interface,
           const char *signal,
           GVariant *parameters,
           gpointer call)
{
  if (g_str_equal (signal, "Progress")
      && g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(sdds)")))
    take_progress (call, parameters);
  else if (g_str_equal (signal, "Question")
           && g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(uss)")))
    take_question (call, parameters);
  else if (g_str_equal (signal, "QuestionGone")
           && g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(u)")))
    take_back (call, parameters);
}

static gboolean
give_answer (gpointer data, const char *answer, const char *content, GError **error)
{
  Question *question = data;
  g_autoptr (GVariant) reply = cli_daemon_call (
    question->call->daemon, CLI_DAEMON_PATH, CLI_DAEMON_MANAGER, "AnswerQuestion",
    g_variant_new ("(uss)", question->id, answer, content), NULL, error);

  return reply != NULL;
}

/* The call waits for an answer, whatever it is. */
static void
ask_question (SharedCall *self, Question *question)
{
  g_autoptr (GCancellable) gone = g_cancellable_new ();
  const CliDaemonAsked asked
    = { question->kind, self->server, json_node_get_object (question->params),
        gone,           give_answer,  question };
  gboolean is_answered;

  self->asked_id = question->id;
  self->gone = gone;
  cli_status_line_hold ();
  is_answered = cli_daemon_question_put (self->host, &asked);
  cli_status_line_release ();
  self->gone = NULL;

  if (self->result != NULL || is_answered)
    return;
  if (g_cancellable_is_cancelled (gone))
    g_printerr ("%s\n", _ ("The answer is no longer needed."));
  else
    give_answer (question, "cancel", "", NULL);
}

static void
on_called (GObject *source, GAsyncResult *result, gpointer call)
{
  SharedCall *self = call;

  self->result = g_object_ref (result);
  if (self->gone != NULL)
    g_cancellable_cancel (self->gone);
}

static void
wait_for_result (SharedCall *self)
{
  while (self->result == NULL)
    {
      g_autoptr (Question) question = g_queue_pop_head (&self->waiting);

      if (question != NULL)
        ask_question (self, question);
      else
        g_main_context_iteration (NULL, TRUE);
    }
}

static GVariant *
make_options (GmcpCallOptions *call_options)
{
  const char *role = gmcp_call_options_get_role (call_options);
  guint timeout_ms = gmcp_call_options_get_timeout_ms (call_options);
  GVariantBuilder options;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  if (role != NULL)
    g_variant_builder_add (&options, "{sv}", "role", g_variant_new_string (role));
  if (timeout_ms > 0)
    g_variant_builder_add (&options, "{sv}", "timeout-ms", g_variant_new_uint32 (timeout_ms));
  g_variant_builder_add (&options, "{sv}", "progress", g_variant_new_string (PROGRESS));
  /* Where nobody is, others may answer: the dashboard, or “gmcp questions”. */
  if (cli_may_ask ())
    g_variant_builder_add (&options, "{sv}", "asks", g_variant_new_boolean (TRUE));
  return g_variant_builder_end (&options);
}

GmcpToolResult *
cli_tool_call_shared (CliHost *host,
                      CliDaemon *daemon,
                      const char *server_id,
                      const char *name,
                      const char *arguments_json,
                      GmcpCallOptions *options,
                      GError **error)
{
  g_auto (SharedCall) call = { .host = host,
                               .daemon = daemon,
                               .server = cli_question_plain (server_id),
                               .options = options,
                               .waiting = G_QUEUE_INIT };
  g_autoptr (GVariant) reply = NULL;
  const char *text;
  guint following
    = cli_daemon_subscribe (daemon, CLI_DAEMON_PATH, CLI_DAEMON_MANAGER, on_signal, &call);

  cli_daemon_call_async (daemon, CLI_DAEMON_PATH, CLI_DAEMON_MANAGER, "CallTool",
                         g_variant_new ("(ss@a{sv})", name, arguments_json, make_options (options)),
                         "(s)", on_called, &call);
  wait_for_result (&call);
  reply = cli_daemon_call_finish (daemon, call.result, error);
  g_dbus_connection_signal_unsubscribe (cli_daemon_get_connection (daemon), following);
  if (reply == NULL)
    return NULL;

  g_variant_get (reply, "(&s)", &text);
  return gmcp_tool_result_new_from_json (text, error);
}
