/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-call-struct-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-call-options-private.h"
#include "gmcp-caller-private.h"
#include "gmcp-gateway-form-private.h"
#include "gmcp-gateway-visit-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-input-request-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-random-private.h"

#define ID_BYTES 16u
/* Of calls that this program itself makes through a gateway: no connection has that number. */
#define OWN_ORIGIN G_MAXUINT64

GmcpGatewayCall *
gmcp_gateway_call_ref (GmcpGatewayCall *self)
{
  g_ref_count_inc (&self->ref_count);
  return self;
}

static void
destroy_source (GSource **source)
{
  if (*source == NULL)
    return;

  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
detach_front (GmcpGatewayCall *self)
{
  destroy_source (&self->cancelled);
  g_clear_object (&self->front);
}

void
gmcp_gateway_call_unref (gpointer data)
{
  GmcpGatewayCall *self = data;

  if (!g_ref_count_dec (&self->ref_count))
    return;

  detach_front (self);
  destroy_source (&self->expiry);
  g_signal_handlers_disconnect_by_data (self->options, self);
  g_object_unref (self->options);
  g_object_unref (self->cancellable);
  g_ptr_array_unref (self->questions);
  g_hash_table_unref (self->keys);
  g_clear_pointer (&self->result, self->kind->free_result);
  g_clear_error (&self->error);
  g_free (self->name);
  g_free (self->client);
  g_free (self->id);
  g_free (self->server_id);
  g_clear_weak_pointer (&self->gateway);
  g_free (self);
}

GmcpCaller *
gmcp_gateway_call_get_caller (GmcpGatewayCall *self)
{
  return self->front != NULL ? self->kind->get_caller (self->front) : NULL;
}

/* Nothing is expected of the call any more. */
static void
forget_call (GmcpGatewayCall *self)
{
  GmcpGatewayCalls *calls = g_steal_pointer (&self->calls);

  detach_front (self);
  destroy_source (&self->expiry);
  g_ptr_array_set_size (self->questions, 0);
  /* An address that was to be visited is remembered until all is done there, with the options. */
  gmcp_call_options_set_caller (self->options, NULL);
  if (calls == NULL)
    return;

  if (self->id != NULL)
    g_hash_table_remove (calls->by_id, self->id);
  g_hash_table_remove (calls->by_options, self->options);
}

void
gmcp_gateway_call_abandon (GmcpGatewayCall *self)
{
  g_autoptr (GmcpGatewayCall) alive G_GNUC_UNUSED = gmcp_gateway_call_ref (self);

  forget_call (self);
  g_cancellable_cancel (self->cancellable);
}

/* The client's request */

static gboolean
on_expired (gpointer data)
{
  gmcp_gateway_call_abandon (data);
  return G_SOURCE_REMOVE;
}

/* The client is asked, and comes back with its answer. */
static void
await_client (GmcpGatewayCall *self)
{
  detach_front (self);
  gmcp_call_options_set_caller (self->options, NULL);
  self->expiry = g_timeout_source_new_seconds (GMCP_DEFAULT_REQUEST_STATE_S);
  g_source_set_static_name (self->expiry, "[gmcp] call of a client that was asked");
  g_source_set_callback (self->expiry, on_expired, self, NULL);
  g_source_attach (self->expiry, g_main_context_get_thread_default ());
}

static gboolean
on_front_cancelled (GCancellable *cancellable, gpointer data)
{
  GmcpGatewayCall *self = data;
  g_autoptr (GmcpGatewayCall) alive G_GNUC_UNUSED = gmcp_gateway_call_ref (self);
  g_autoptr (GObject) front = g_object_ref (self->front);
  g_autoptr (GError) error = NULL;

  if (gmcp_caller_is_called_again (self->kind->get_caller (front)))
    await_client (self);
  else
    gmcp_gateway_call_abandon (self);
  g_cancellable_set_error_if_cancelled (cancellable, &error);
  self->kind->return_error (front, error);
  return G_SOURCE_REMOVE;
}

static void
attach_front (GmcpGatewayCall *self, gpointer front)
{
  GCancellable *cancellable = self->kind->get_cancellable (front);
  guint64 number = gmcp_caller_get_connection_number (self->kind->get_caller (front));

  self->front = g_object_ref (front);
  gmcp_call_options_set_caller (self->options, self->kind->get_caller (front));
  gmcp_call_options_set_origin (self->options, number != 0 ? number : OWN_ORIGIN);
  if (cancellable == NULL)
    return;

  self->cancelled = g_cancellable_source_new (cancellable);
  g_source_set_static_name (self->cancelled, "[gmcp] client's call cancelled");
  g_source_set_callback (self->cancelled, G_SOURCE_FUNC (on_front_cancelled), self, NULL);
  g_source_attach (self->cancelled, g_main_context_get_thread_default ());
}

/* What the call behind the gateway says */

static void
on_progress (GmcpCallOptions *options,
             double progress,
             double total,
             const char *message,
             GmcpGatewayCall *self)
{
  if (self->front != NULL)
    self->kind->report_progress (self->front, progress, total, message);
}

static void
on_log_message (GmcpCallOptions *options, GmcpLogMessage *message, GmcpGatewayCall *self)
{
  GmcpCallOptions *front = self->front != NULL ? self->kind->get_options (self->front) : NULL;

  if (front != NULL)
    gmcp_call_options_emit_log_message (front, message);
}

static void
answer_front (GmcpGatewayCall *self)
{
  g_autoptr (GmcpGatewayCall) alive G_GNUC_UNUSED = gmcp_gateway_call_ref (self);
  g_autoptr (GObject) front = g_object_ref (self->front);

  forget_call (self);
  if (self->result != NULL)
    self->kind->return_result (front, self->result);
  else
    self->kind->return_error (front, self->error);
}

/* Where what the client was not asked can be answered; NULL where the error itself says so. */
static char *
dup_advice (GmcpGatewayCall *self, const GError *error)
{
  gboolean is_permission = error->code == GMCP_ERROR_NOT_PERMITTED;

  if (self->gateway == NULL || !gmcp_gateway_has_pages (self->gateway))
    return is_permission ? g_strdup_printf (
             /* Translators: why a tool was not called */
             _ ("%s; the program that called cannot ask you: call the tool from “gmcp shell” "
                "and allow it for good there"),
             error->message)
                         : NULL;
  if (is_permission)
    return g_strdup_printf (
      /* Translators: why a tool was not called */
      _ ("%s; the program that called cannot ask you: have “gmcp dashboard” or “gmcp shell” open "
         "while it calls, or call the tool from “gmcp shell” and allow it for good there"),
      error->message);
  return g_strdup_printf (
    /* Translators: why a tool was not called: the value of something is missing */
    _ ("%s; the program that called cannot ask you for that: have “gmcp dashboard” or “gmcp "
       "shell” open while it calls"),
    error->message);
}

/* NULL where the client may be told why the call was refused. */
static GError *
new_hidden_error (GmcpGatewayCall *self)
{
  return self->gateway != NULL && gmcp_gateway_get_role (self->gateway) != NULL
             && self->kind->new_hidden_error != NULL
           ? self->kind->new_hidden_error (self->gateway, self->name)
           : NULL;
}

/* Takes the error. */
static GError *
explain_error (GmcpGatewayCall *self, GError *error)
{
  g_autoptr (GError) owned = error;
  g_autoptr (GError) hidden = NULL;
  g_autoptr (GError) large = NULL;
  g_autofree char *text = NULL;

  /* The call cannot go on without the client's model, which the client has not said that it lends. */
  if (self->refused == GMCP_GATEWAY_QUESTION_UNASKED
      && g_error_matches (error, GMCP_ERROR, GMCP_ERROR_INPUT_REFUSED))
    return g_error_new_literal (GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED, error->message);
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED))
    hidden = new_hidden_error (self);
  if (hidden != NULL)
    return g_steal_pointer (&hidden);
  if (!g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED)
      && !g_error_matches (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG))
    return g_steal_pointer (&owned);

  switch (self->refused)
    {
    case GMCP_GATEWAY_QUESTION_TOO_LARGE:
      g_set_error (&large, error->domain, error->code,
                   /* Translators: why a tool was not called */
                   _ ("%s, and what is to be seen before that has more than %u KiB"),
                   error->message, GMCP_GATEWAY_FORM_MAX_BYTES / 1024);
      text = dup_advice (self, large);
      return text != NULL ? g_error_new_literal (error->domain, error->code, text)
                          : g_steal_pointer (&large);
    case GMCP_GATEWAY_QUESTION_UNASKED:
      text = dup_advice (self, error);
      return text != NULL ? g_error_new_literal (error->domain, error->code, text)
                          : g_steal_pointer (&owned);
    case GMCP_GATEWAY_QUESTION_CROWDED:
      return g_error_new (GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                          /* Translators: why a tool was not called */
                          _ ("%s; the program that called has left too many questions without an "
                             "answer, so it was not asked"),
                          error->message);
    default:
      return g_steal_pointer (&owned);
    }
}

static void
on_called (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpGatewayCall) self = data;
  g_autoptr (GError) error = NULL;

  self->result = self->kind->finish (object, async_result, &error);
  if (self->result == NULL)
    self->error = explain_error (self, g_steal_pointer (&error));
  self->ended = TRUE;
  if (self->front != NULL)
    answer_front (self);
}

GmcpCallOptions *
gmcp_gateway_make_options (GmcpCallOptions *given, const char *role)
{
  GmcpCallOptions *options = gmcp_call_options_new ();

  if (given != NULL)
    {
      gmcp_call_options_set_timeout_ms (options, gmcp_call_options_get_timeout_ms (given));
      gmcp_call_options_set_max_timeout_ms (options, gmcp_call_options_get_max_timeout_ms (given));
      if (gmcp_call_options_has_default_log_level (given))
        gmcp_call_options_set_default_log_level (options, gmcp_call_options_get_log_level (given));
      else
        gmcp_call_options_set_log_level (options, gmcp_call_options_get_log_level (given));
      gmcp_call_options_copy_meta (options, given);
      gmcp_call_options_set_caller (options, gmcp_call_options_get_caller (given));
      gmcp_call_options_set_agreed (options, gmcp_call_options_is_agreed (given));
    }
  gmcp_call_options_set_role (options, role != NULL ? role : gmcp_call_options_peek_role (given));
  return options;
}

void
gmcp_gateway_call_begin (GmcpGatewayCalls *calls,
                         GmcpGateway *gateway,
                         const GmcpGatewayKind *kind,
                         gpointer front)
{
  GmcpGatewayCall *self = g_new0 (GmcpGatewayCall, 1);

  g_ref_count_init (&self->ref_count);
  self->calls = calls;
  g_set_weak_pointer (&self->gateway, gateway);
  self->server_id = g_strdup (gmcp_gateway_get_server_id (gateway));
  self->kind = kind;
  self->options
    = gmcp_gateway_make_options (kind->get_options (front), gmcp_gateway_get_role (gateway));
  self->cancellable = g_cancellable_new ();
  self->name = g_strdup (kind->get_name (front));
  self->client = gmcp_caller_dup_client_name (kind->get_caller (front));
  self->keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->questions = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_gateway_question_free);
  g_hash_table_insert (calls->by_options, self->options, self);
  attach_front (self, front);
  g_signal_connect (self->options, "progress", G_CALLBACK (on_progress), self);
  if (gmcp_call_options_get_log_level (self->options) != GMCP_LOG_LEVEL_UNSET)
    g_signal_connect (self->options, "log-message", G_CALLBACK (on_log_message), self);
  kind->send (gateway, front, self->options, self->cancellable, on_called,
              gmcp_gateway_call_ref (self));
}

/* Questions */

/* A client of these revisions ends its request to answer. */
static gboolean
comes_back (GmcpCaller *caller)
{
  const char *version = gmcp_caller_get_protocol_version (caller);

  return version != NULL && strcmp (version, GMCP_PROTOCOL_VERSION_2026_07_28) >= 0;
}

static void
make_id (GmcpGatewayCall *self)
{
  g_autoptr (GBytes) bytes = gmcp_random_new_bytes (ID_BYTES);
  gsize length;
  const guint8 *data = g_bytes_get_data (bytes, &length);
  GString *id = g_string_new (NULL);

  for (gsize i = 0; i < length; i++)
    g_string_append_printf (id, "%02x", data[i]);
  self->id = g_string_free (id, FALSE);
  g_hash_table_insert (self->calls->by_id, self->id, self);
}

/* FALSE: too many wait for the client, or for all clients. */
static gboolean
keep_for_client (GmcpGatewayCall *self, GmcpCaller *caller)
{
  g_autofree char *state = NULL;

  if (!comes_back (caller))
    return TRUE;
  if (self->id == NULL && !gmcp_gateway_calls_have_room (self->calls, self->client))
    return FALSE;

  if (self->id == NULL)
    make_id (self);
  state = gmcp_gateway_calls_make_state (self->id);
  gmcp_caller_set_state_json (caller, state, NULL);
  return TRUE;
}

static void
put_question (GmcpGatewayCall *self, GmcpGatewayQuestion *question)
{
  GmcpCaller *caller = gmcp_gateway_call_get_caller (self);

  if (keep_for_client (self, caller))
    gmcp_gateway_question_put (question, caller);
  else
    gmcp_gateway_question_refuse (question);
}

static gboolean
pass_question_on (GmcpInputRequest *request, gpointer data)
{
  GmcpGatewayCall *self = data;
  GmcpCaller *caller = gmcp_gateway_call_get_caller (self);
  GmcpImplementation *info = caller != NULL ? gmcp_caller_get_client_info (caller) : NULL;

  if (self->gateway == NULL)
    return FALSE;

  if (info != NULL)
    gmcp_input_request_set_client (request, gmcp_implementation_get_name (info));
  return gmcp_gateway_pass_on (self->gateway, request);
}

static gboolean
ask_others (GmcpInputRequest *request, gpointer data)
{
  GmcpGatewayCall *self = data;

  return self->calls != NULL && gmcp_gateway_inputs_ask (self->calls->inputs, request);
}

static char *
find_page (GmcpInputRequest *request, gpointer data)
{
  GmcpGatewayCall *self = data;

  return self->gateway != NULL ? gmcp_gateway_find_page (self->gateway, request) : NULL;
}

static gboolean
takes_forms (GmcpCaller *caller)
{
  GmcpCapabilities *abilities
    = caller != NULL ? gmcp_caller_get_client_capabilities (caller) : NULL;

  return abilities != NULL
         && (gmcp_capabilities_has (abilities, "elicitation/form")
             || (gmcp_capabilities_has (abilities, "elicitation")
                 && !gmcp_capabilities_has (abilities, "elicitation/url")));
}

static void ask_client (GmcpGatewayCall *self, GmcpInputRequest *request, gboolean names_server);

/* A client that takes no forms cannot say so: whoever looks is asked in its place, or the call waits for the server. */
static void
ask_whether_done (GmcpElicitation *visit, gpointer data)
{
  GmcpGatewayCall *self = data;
  g_autoptr (GmcpInputRequest) confirmation = NULL;

  if (self->calls == NULL || self->ended)
    return;

  confirmation = gmcp_gateway_visit_new_confirmation (visit);
  if (takes_forms (gmcp_gateway_call_get_caller (self)))
    ask_client (self, confirmation, FALSE);
  else if (!pass_question_on (confirmation, self))
    gmcp_input_request_close (confirmation);
}

static void
on_question_over (GmcpGatewayQuestion *question, GmcpGatewayQuestionEnd end, gpointer data)
{
  GmcpGatewayCall *self = data;

  if (end != GMCP_GATEWAY_QUESTION_SETTLED)
    self->refused = end;
  g_ptr_array_remove (self->questions, question);
}

/* A key says which answer is whose for as long as the call lasts, whatever the server calls its questions in one
 * round and the next. Borrowed. */
static const char *
choose_key (GmcpGatewayCall *self, GmcpInputRequest *request)
{
  const char *given = gmcp_input_request_get_key (request);
  char *key = NULL;

  if (given != NULL && !g_hash_table_contains (self->keys, given))
    key = g_strdup (given);
  for (guint i = g_hash_table_size (self->keys) + 1; key == NULL; i++)
    {
      key = g_strdup_printf ("gateway-%u", i);
      if (g_hash_table_contains (self->keys, key))
        g_clear_pointer (&key, g_free);
    }
  g_hash_table_add (self->keys, key);
  return key;
}

static void
ask_client (GmcpGatewayCall *self, GmcpInputRequest *request, gboolean names_server)
{
  static const GmcpGatewayQuestionFuncs funcs = { .over = on_question_over,
                                                  .ask_others = ask_others,
                                                  .pass_on = pass_question_on,
                                                  .visited = ask_whether_done,
                                                  .find_page = find_page };
  GmcpGatewayQuestion *question
    = gmcp_gateway_question_new (request, choose_key (self, request), names_server, &funcs, self);

  g_ptr_array_add (self->questions, question);
  if (self->front != NULL)
    put_question (self, question);
}

void
gmcp_gateway_call_ask (GmcpGatewayCall *self, GmcpInputRequest *request)
{
  /* Behind a gateway of one server nobody else can be meant. */
  ask_client (self, request, self->server_id == NULL);
}

void
gmcp_gateway_call_resume (GmcpGatewayCall *self, gpointer front)
{
  g_autoptr (GmcpGatewayCall) alive G_GNUC_UNUSED = gmcp_gateway_call_ref (self);
  g_autoptr (GPtrArray) open = NULL;

  destroy_source (&self->expiry);
  attach_front (self, front);
  if (self->ended)
    {
      answer_front (self);
      return;
    }

  /* To put one may end others. */
  open = g_ptr_array_new ();
  g_ptr_array_extend (open, self->questions, NULL, NULL);
  for (guint i = 0; i < open->len; i++)
    if (g_ptr_array_find (self->questions, g_ptr_array_index (open, i), NULL)
        && self->front == front)
      put_question (self, g_ptr_array_index (open, i));
}
