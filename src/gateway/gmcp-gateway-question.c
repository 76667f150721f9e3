/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-question-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/core/gmcp-visible-text.h>
#include <gmcp/protocol/questions/gmcp-elicitation.h>
#include <gmcp/provider/gmcp-call-permission.h>

#include "gmcp-caller-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-input-request-private.h"
#include "gmcp-json-private.h"

#define SHOWN_ARGUMENTS 2000u /* characters */
#define MEMBER_ANSWER   "answer"
#define ANSWER_ONCE     "once"
#define ANSWER_ALWAYS   "always"

/* One time that a client is asked. */
typedef struct
{
  GmcpGatewayQuestion *question; /* NULL once the answer is of no use */
  GCancellable *cancellable;
} Asking;

struct _GmcpGatewayQuestion
{
  GmcpInputRequest *request; /* what is to be answered */
  GmcpInputRequest
    *put; /* what the client is asked: the same, or a form made of it; NULL where none can be */
  Asking *asking;     /* nullable */
  gboolean passed_on; /* to somebody who answers in the client's place */
  GmcpGatewayQuestionPassFunc pass_on;
  GmcpGatewayQuestionFunc over;
  gpointer data;
};

static void
end_question (GmcpGatewayQuestion *self, GmcpGatewayQuestionEnd end)
{
  self->over (self, end, self->data);
}

static void
on_closed (GmcpInputRequest *request, GmcpGatewayQuestion *self)
{
  end_question (self, GMCP_GATEWAY_QUESTION_SETTLED);
}

/* A form for whether a tool may be called */

static void
write_texts (GmcpJsonWriter *writer, const char *name, const char *const *texts)
{
  gmcp_json_writer_key (writer, name);
  gmcp_json_writer_begin_array (writer);
  for (guint i = 0; texts[i] != NULL; i++)
    gmcp_json_writer_string (writer, texts[i]);
  gmcp_json_writer_end_array (writer);
}

static char *
make_permission_schema (void)
{
  const char *const answers[] = { ANSWER_ONCE, ANSWER_ALWAYS, "no", NULL };
  const char *const titles[] = { _ ("Yes, this time"), _ ("Yes, always"), _ ("No"), NULL };
  const char *const required[] = { MEMBER_ANSWER, NULL };
  GString *json = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (json);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "type", "object");
  gmcp_json_writer_key (&writer, "properties");
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, MEMBER_ANSWER);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "type", "string");
  gmcp_json_writer_member_string (&writer, "title", _ ("May the tool be called?"));
  write_texts (&writer, "enum", answers);
  write_texts (&writer, "enumNames", titles);
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_end_object (&writer);
  write_texts (&writer, "required", required);
  gmcp_json_writer_end_object (&writer);
  return g_string_free (json, FALSE);
}

static GmcpInputRequest *
make_permission_form (GmcpCallPermission *permission)
{
  GmcpTool *tool = gmcp_call_permission_get_tool (permission);
  const char *server = gmcp_input_request_get_server_name (GMCP_INPUT_REQUEST (permission));
  g_autofree char *name
    = gmcp_dup_visible_line (gmcp_definition_get_name (GMCP_DEFINITION (tool)), 0);
  g_autofree char *shown_server = gmcp_dup_visible_line (server != NULL ? server : "", 0);
  g_autofree char *arguments
    = gmcp_dup_visible_line (gmcp_call_permission_get_arguments_json (permission), SHOWN_ARGUMENTS);
  g_autofree char *message
    /* Translators: the name of a tool, of its server, and JSON */
    = g_strdup_printf (_ ("The tool %s of %s is to be called with %s"), name, shown_server,
                       arguments);
  g_autofree char *schema = make_permission_schema ();

  return GMCP_INPUT_REQUEST (gmcp_elicitation_new (message, schema, NULL));
}

static void
answer_permission (GmcpCallPermission *permission, const char *answer_json)
{
  g_autoptr (GmcpJsonDoc) doc
    = gmcp_json_doc_parse (answer_json, strlen (answer_json), NULL, 0, NULL);
  GmcpJsonValue root = doc != NULL ? gmcp_json_doc_get_root (doc) : GMCP_JSON_NONE;
  GmcpJsonValue answer
    = gmcp_json_value_get_member (gmcp_json_value_get_member (root, "content"), MEMBER_ANSWER);
  gboolean accepted
    = gmcp_json_value_equals_string (gmcp_json_value_get_member (root, "action"), "accept");

  if (accepted && gmcp_json_value_equals_string (answer, ANSWER_ONCE))
    gmcp_call_permission_allow_once (permission);
  else if (accepted && gmcp_json_value_equals_string (answer, ANSWER_ALWAYS))
    gmcp_call_permission_allow_always (permission);
  else
    gmcp_input_request_decline (GMCP_INPUT_REQUEST (permission));
}

GmcpGatewayQuestion *
gmcp_gateway_question_new (GmcpInputRequest *request,
                           const char *key,
                           GmcpGatewayQuestionPassFunc pass_on,
                           GmcpGatewayQuestionFunc over,
                           gpointer data)
{
  GmcpGatewayQuestion *self = g_new0 (GmcpGatewayQuestion, 1);

  self->request = g_object_ref (request);
  self->put = GMCP_IS_CALL_PERMISSION (request)
                ? make_permission_form (GMCP_CALL_PERMISSION (request))
                : g_object_ref (request);
  if (self->put != NULL)
    gmcp_input_request_set_key (self->put, key);
  self->pass_on = pass_on;
  self->over = over;
  self->data = data;
  g_signal_connect (request, "closed", G_CALLBACK (on_closed), self);
  return self;
}

static void
take_back (GmcpGatewayQuestion *self)
{
  Asking *asking = g_steal_pointer (&self->asking);

  if (asking == NULL)
    return;

  asking->question = NULL;
  g_cancellable_cancel (asking->cancellable);
}

void
gmcp_gateway_question_free (GmcpGatewayQuestion *self)
{
  take_back (self);
  g_signal_handlers_disconnect_by_data (self->request, self);
  if (self->passed_on)
    gmcp_input_request_cancel (self->request);
  g_clear_object (&self->put);
  g_object_unref (self->request);
  g_free (self);
}

static void
take_answer (GmcpGatewayQuestion *self, const char *answer)
{
  g_autoptr (GmcpInputRequest) request = g_object_ref (self->request);

  end_question (self, GMCP_GATEWAY_QUESTION_SETTLED);
  if (GMCP_IS_CALL_PERMISSION (request))
    answer_permission (GMCP_CALL_PERMISSION (request), answer);
  else
    gmcp_input_request_answer (request, answer);
}

static void
give_up (GmcpGatewayQuestion *self, const GError *error)
{
  g_autoptr (GmcpInputRequest) request = g_object_ref (self->request);
  gboolean closed = error != NULL && g_error_matches (error, GMCP_ERROR, GMCP_ERROR_CLOSED);

  if (!closed)
    {
      self->passed_on = TRUE;
      if (self->pass_on (request, self->data) || !gmcp_input_request_is_open (request))
        return;
      self->passed_on = FALSE;
    }
  end_question (self, closed ? GMCP_GATEWAY_QUESTION_SETTLED : GMCP_GATEWAY_QUESTION_UNASKED);
  if (closed)
    gmcp_input_request_cancel (request);
  else
    gmcp_input_request_decline (request);
}

static void
on_answered (GObject *object, GAsyncResult *result, gpointer data)
{
  GmcpCaller *caller = GMCP_CALLER (object);
  Asking *asking = data;
  GmcpGatewayQuestion *self = asking->question;
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = gmcp_caller_ask_finish (caller, result, &error);

  g_object_unref (asking->cancellable);
  g_free (asking);
  if (self == NULL)
    return;

  self->asking = NULL;
  if (answer != NULL)
    take_answer (self, answer);
  else if (!g_error_matches (error, GMCP_ERROR, GMCP_ERROR_CLOSED)
           || !gmcp_caller_is_called_again (caller))
    give_up (self, error);
}

void
gmcp_gateway_question_put (GmcpGatewayQuestion *self, GmcpCaller *caller)
{
  if (self->asking != NULL || self->passed_on)
    return;
  if (self->put == NULL)
    {
      give_up (self, NULL);
      return;
    }

  self->asking = g_new0 (Asking, 1);
  self->asking->question = self;
  self->asking->cancellable = g_cancellable_new ();
  gmcp_caller_ask_async (caller, self->put, self->asking->cancellable, on_answered, self->asking);
}

void
gmcp_gateway_question_refuse (GmcpGatewayQuestion *self)
{
  g_autoptr (GmcpInputRequest) request = g_object_ref (self->request);

  end_question (self, GMCP_GATEWAY_QUESTION_CROWDED);
  gmcp_input_request_decline (request);
}
