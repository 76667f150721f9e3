/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/protocol/questions/gmcp-elicitation.h>
#include <gmcp/provider/gmcp-call-permission.h>

#include "gmcpd-answers.h"
#include "gmcpd-questions.h"

struct _GmcpdQuestions
{
  GmcpManager *manager;
  gboolean with_permissions;
  GHashTable *calls; /* GmcpCallOptions: GmcpdCall */
  GHashTable *open;  /* number: Question */
  guint last_id;
};

typedef struct
{
  GmcpdQuestions *questions;
  guint id;
  GmcpdCall *call;
  GmcpInputRequest *request;
  gulong closed_id;
  gulong awaited_id;
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  g_clear_signal_handler (&question->closed_id, question->request);
  g_clear_signal_handler (&question->awaited_id, question->request);
  g_object_unref (question->request);
  g_free (question);
}

static void
end_question (Question *question)
{
  gmcpd_call_emit (question->call, "QuestionGone", g_variant_new ("(u)", question->id));
  g_hash_table_remove (question->questions->open, GUINT_TO_POINTER (question->id));
}

/* The time for it is over, or somebody else has answered. */
static void
on_closed (GmcpInputRequest *request, Question *question)
{
  end_question (question);
}

/* All is done at the address, or nobody waits for that any more. */
static void
on_awaited_changed (GmcpInputRequest *request, GParamSpec *pspec, Question *question)
{
  if (!gmcpd_answers_is_visit_under_way (request))
    end_question (question);
}

static void
put_question (GmcpdQuestions *self, GmcpInputRequest *request)
{
  g_autofree char *params = gmcpd_answers_dup_params_json (request);
  GmcpdCall *call = g_hash_table_lookup (self->calls, gmcp_input_request_get_options (request));
  Question *question = g_new0 (Question, 1);

  question->questions = self;
  question->id = ++self->last_id;
  question->call = call;
  question->request = g_object_ref (request);
  question->closed_id = g_signal_connect (request, "closed", G_CALLBACK (on_closed), question);
  question->awaited_id
    = g_signal_connect (request, "notify::awaited", G_CALLBACK (on_awaited_changed), question);
  g_hash_table_insert (self->open, GUINT_TO_POINTER (question->id), question);
  gmcpd_call_emit (call, "Question",
                   g_variant_new ("(uss)", question->id, gmcpd_answers_get_kind (request), params));
}

/* A question that belongs to no call of these is left to others. A model is nobody's to lend here. */
static void
on_input_requested (GmcpManager *manager, GmcpInputRequest *request, GmcpdQuestions *self)
{
  GmcpCallOptions *options = gmcp_input_request_get_options (request);

  if (options != NULL && GMCP_IS_ELICITATION (request)
      && g_hash_table_contains (self->calls, options))
    put_question (self, request);
}

static void
on_call_requested (GmcpManager *manager, GmcpCallPermission *permission, GmcpdQuestions *self)
{
  GmcpCallOptions *options = gmcp_input_request_get_options (GMCP_INPUT_REQUEST (permission));

  if (options != NULL && g_hash_table_contains (self->calls, options))
    put_question (self, GMCP_INPUT_REQUEST (permission));
}

GmcpdQuestions *
gmcpd_questions_new (GmcpManager *manager, gboolean with_permissions)
{
  GmcpdQuestions *self = g_new0 (GmcpdQuestions, 1);

  self->manager = manager;
  self->with_permissions = with_permissions;
  self->calls = g_hash_table_new (NULL, NULL);
  self->open = g_hash_table_new_full (NULL, NULL, NULL, question_free);
  g_signal_connect (manager, "input-requested", G_CALLBACK (on_input_requested), self);
  if (with_permissions)
    g_signal_connect (manager, "call-requested", G_CALLBACK (on_call_requested), self);
  return self;
}

void
gmcpd_questions_free (GmcpdQuestions *self)
{
  g_signal_handlers_disconnect_by_data (self->manager, self);
  g_hash_table_unref (self->open);
  g_hash_table_unref (self->calls);
  g_free (self);
}

gboolean
gmcpd_questions_has_permissions (GmcpdQuestions *self)
{
  return self->with_permissions;
}

void
gmcpd_questions_add_call (GmcpdQuestions *self, GmcpCallOptions *options, GmcpdCall *call)
{
  g_hash_table_insert (self->calls, options, call);
}

static gboolean
is_of_call (gpointer id, gpointer question, gpointer call)
{
  return ((Question *) question)->call == call;
}

static gboolean
is_call (gpointer options, gpointer own, gpointer call)
{
  return own == call;
}

void
gmcpd_questions_remove_call (GmcpdQuestions *self, GmcpdCall *call)
{
  g_hash_table_foreach_remove (self->open, is_of_call, call);
  g_hash_table_foreach_remove (self->calls, is_call, call);
}

/* Answers */

/* Whoever agrees to visit an address is told where nothing waits for what is done there. */
static void
forget_answered (GmcpdQuestions *self, guint id, const char *action, GmcpInputRequest *request)
{
  Question *question = g_hash_table_lookup (self->open, GUINT_TO_POINTER (id));

  if (question == NULL || gmcpd_answers_is_visit_under_way (request))
    return;
  if (gmcpd_answers_is_address (request) && g_str_equal (action, "accept"))
    end_question (question);
  else
    g_hash_table_remove (self->open, GUINT_TO_POINTER (id));
}

void
gmcpd_questions_answer (GmcpdQuestions *self,
                        GDBusMethodInvocation *invocation,
                        guint id,
                        const char *action,
                        const char *content_json)
{
  Question *question = g_hash_table_lookup (self->open, GUINT_TO_POINTER (id));
  g_autoptr (GmcpInputRequest) request = NULL;
  GError *error = NULL;

  /* That there is a question of somebody else's is not told either. */
  if (question == NULL || !gmcpd_call_is_of_caller (question->call, invocation))
    {
      g_dbus_method_invocation_return_error (invocation, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                                             _ ("You are asked no question %u (any more)"), id);
      return;
    }

  request = g_object_ref (question->request);
  if (!gmcpd_answers_apply (request, action, content_json, &error))
    {
      g_dbus_method_invocation_take_error (invocation, error);
      return;
    }
  forget_answered (self, id, action, request);
  g_dbus_method_invocation_return_value (invocation, NULL);
}
