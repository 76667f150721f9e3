/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-question-private.h"

#include <gmcp/config/filling/gmcp-config-input.h>
#include <gmcp/core/gmcp-error.h>

#include "gmcp-caller-private.h"
#include "gmcp-elicitation-private.h"
#include "gmcp-gateway-form-private.h"
#include "gmcp-input-request-private.h"

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
    *put; /* what the client is asked: the same, or what is made of it; NULL where it cannot be */
  char *key;
  Asking *asking;     /* nullable */
  gboolean passed_on; /* to somebody who answers in the client's place */
  gboolean has_page;  /* where it is answered; the client is asked to have that opened */
  gboolean is_visited;
  const GmcpGatewayQuestionFuncs *funcs;
  gpointer data;
};

static void
end_question (GmcpGatewayQuestion *self, GmcpGatewayQuestionEnd end)
{
  self->funcs->over (self, end, self->data);
}

/* It is answered, here or elsewhere, or nobody waits for the answer any more. */
static void
on_open_changed (GmcpInputRequest *request, GParamSpec *pspec, GmcpGatewayQuestion *self)
{
  /* The client may show that it waits for what is done on the page. */
  if (self->is_visited)
    gmcp_elicitation_complete (GMCP_ELICITATION (self->put));
  end_question (self, GMCP_GATEWAY_QUESTION_SETTLED);
}

/* How many clients are asked the same: a value of the configuration serves all that need the server. */

static guint
count_asked (GmcpInputRequest *request, int change)
{
  GQuark quark = g_quark_from_static_string ("gmcp-gateway-clients-asked");
  guint n = GPOINTER_TO_UINT (g_object_get_qdata (G_OBJECT (request), quark)) + (guint) change;

  g_object_set_qdata (G_OBJECT (request), quark, GUINT_TO_POINTER (n));
  return n;
}

static GmcpInputRequest *
make_put (GmcpInputRequest *request, gboolean names_server)
{
  if (gmcp_gateway_form_is_needed (request))
    return gmcp_gateway_form_new (request);
  return names_server && GMCP_IS_ELICITATION (request)
           ? gmcp_gateway_form_new_named (GMCP_ELICITATION (request))
           : g_object_ref (request);
}

GmcpGatewayQuestion *
gmcp_gateway_question_new (GmcpInputRequest *request,
                           const char *key,
                           gboolean names_server,
                           const GmcpGatewayQuestionFuncs *funcs,
                           gpointer data)
{
  GmcpGatewayQuestion *self = g_new0 (GmcpGatewayQuestion, 1);

  self->request = g_object_ref (request);
  self->put = make_put (request, names_server);
  self->key = g_strdup (key);
  if (self->put != NULL)
    gmcp_input_request_set_key (self->put, key);
  self->funcs = funcs;
  self->data = data;
  count_asked (request, 1);
  g_signal_connect (request, "notify::open", G_CALLBACK (on_open_changed), self);
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
  if (count_asked (self->request, -1) == 0 && (self->passed_on || self->has_page))
    gmcp_input_request_cancel (self->request);
  g_clear_object (&self->put);
  g_object_unref (self->request);
  g_free (self->key);
  g_free (self);
}

/* Whether others, who are asked the same or can be, may yet answer. */
static gboolean
leave_to_others (GmcpGatewayQuestion *self, GmcpGatewayQuestionEnd end)
{
  g_autoptr (GmcpInputRequest) request = g_object_ref (self->request);

  if (count_asked (request, 0) < 2 && !self->funcs->ask_others (request, self->data))
    return FALSE;

  end_question (self, end);
  return TRUE;
}

/* An answer that comes ends the question by that it is not open any more. */
static void
take_form_answer (GmcpGatewayQuestion *self, const char *answer)
{
  g_autoptr (GmcpInputRequest) request = g_object_ref (self->request);

  if (self->has_page && gmcp_gateway_form_is_visited (answer))
    {
      self->is_visited = TRUE;
      return;
    }
  if (!self->has_page && gmcp_gateway_form_take_answer (request, answer))
    return;
  if (leave_to_others (self, GMCP_GATEWAY_QUESTION_SETTLED))
    return;

  end_question (self, GMCP_GATEWAY_QUESTION_SETTLED);
  gmcp_input_request_decline (request);
}

static gboolean
is_agreed_visit (GmcpInputRequest *request, const char *answer)
{
  return GMCP_IS_ELICITATION (request)
         && gmcp_elicitation_get_mode (GMCP_ELICITATION (request)) == GMCP_ELICITATION_MODE_URL
         && gmcp_gateway_form_is_visited (answer);
}

static void
agree_to_visit (GmcpGatewayQuestion *self, GmcpElicitation *visit, const char *answer)
{
  const GmcpGatewayQuestionFuncs *funcs = self->funcs;
  gpointer data = self->data;

  gmcp_elicitation_note_asked (visit);
  end_question (self, GMCP_GATEWAY_QUESTION_SETTLED);
  gmcp_input_request_answer (GMCP_INPUT_REQUEST (visit), answer);
  if (gmcp_elicitation_is_awaited (visit))
    funcs->visited (visit, data);
}

static void
take_answer (GmcpGatewayQuestion *self, const char *answer)
{
  g_autoptr (GmcpInputRequest) request = g_object_ref (self->request);

  if (gmcp_gateway_form_is_needed (request))
    {
      take_form_answer (self, answer);
      return;
    }

  if (is_agreed_visit (request, answer))
    {
      agree_to_visit (self, GMCP_ELICITATION (request), answer);
      return;
    }

  end_question (self, GMCP_GATEWAY_QUESTION_SETTLED);
  gmcp_input_request_answer (request, answer);
}

/* A value that nobody was asked for may be asked for again at once. */
static void
refuse_request (GmcpInputRequest *request)
{
  if (GMCP_IS_CONFIG_INPUT (request))
    gmcp_input_request_cancel (request);
  else
    gmcp_input_request_decline (request);
}

static void
give_up (GmcpGatewayQuestion *self, const GError *error)
{
  g_autoptr (GmcpInputRequest) request = g_object_ref (self->request);
  GmcpGatewayQuestionEnd end = self->put == NULL && !GMCP_IS_CONFIG_INPUT (request)
                                 ? GMCP_GATEWAY_QUESTION_TOO_LARGE
                                 : GMCP_GATEWAY_QUESTION_UNASKED;

  if (error != NULL && g_error_matches (error, GMCP_ERROR, GMCP_ERROR_CLOSED))
    {
      if (leave_to_others (self, GMCP_GATEWAY_QUESTION_SETTLED))
        return;
      end_question (self, GMCP_GATEWAY_QUESTION_SETTLED);
      gmcp_input_request_cancel (request);
      return;
    }

  if (leave_to_others (self, end))
    return;
  self->passed_on = TRUE;
  if (self->funcs->pass_on (request, self->data) || !gmcp_input_request_is_open (request))
    return;
  self->passed_on = FALSE;
  end_question (self, end);
  refuse_request (request);
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
  else if (!g_error_matches (error, GMCP_ERROR, GMCP_ERROR_CALLED_ANEW))
    give_up (self, error);
}

/* What must not pass through the client. */
static void
make_page (GmcpGatewayQuestion *self, GmcpCaller *caller)
{
  GmcpCapabilities *abilities = gmcp_caller_get_client_capabilities (caller);
  g_autofree char *address
    = abilities != NULL && gmcp_capabilities_has (abilities, "elicitation/url")
        ? self->funcs->find_page (self->request, self->data)
        : NULL;

  if (address == NULL)
    return;

  self->has_page = TRUE;
  self->put = gmcp_gateway_form_new_page (self->request, address);
  if (self->put != NULL)
    gmcp_input_request_set_key (self->put, self->key);
}

void
gmcp_gateway_question_put (GmcpGatewayQuestion *self, GmcpCaller *caller)
{
  if (self->asking != NULL || self->passed_on || self->is_visited)
    return;
  if (self->put == NULL && GMCP_IS_CONFIG_INPUT (self->request))
    make_page (self, caller);
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

  if (leave_to_others (self, GMCP_GATEWAY_QUESTION_CROWDED))
    return;
  end_question (self, GMCP_GATEWAY_QUESTION_CROWDED);
  refuse_request (request);
}
