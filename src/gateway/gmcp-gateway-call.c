/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-call-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-call-options-private.h"
#include "gmcp-caller-private.h"
#include "gmcp-gateway-question-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-private.h"
#include "gmcp-limits.h"
#include "gmcp-random-private.h"
#include "gmcp-tool-provider-private.h"

#define STATE_CALL "gatewayCall"
#define ID_BYTES   16u

struct _GmcpGatewayCalls
{
  grefcount ref_count;
  GmcpManager *manager; /* not owned: it is kept by the gateways */
  GHashTable
    *by_options; /* GmcpCallOptions -> GmcpGatewayCall, which it owns: all that have not ended */
  GHashTable *by_id; /* text -> GmcpGatewayCall: those whose client was asked something */
};

struct _GmcpGatewayCall
{
  grefcount ref_count;
  GmcpGatewayCalls *calls; /* NULL once nothing is expected of the call any more */
  GmcpToolCall *front;     /* the client's request; NULL while the client makes up its mind */
  GSource *cancelled;      /* of the client's request */
  GmcpCallOptions *options;
  GCancellable *cancellable;
  char *tool;
  GPtrArray *questions; /* of GmcpGatewayQuestion: those that are open */
  guint n_questions;    /* that there were */
  gboolean unasked;     /* one of them was refused, since the client cannot be asked */
  char *id;             /* nullable: by which the client's next request finds the call */
  GSource *expiry;      /* while there is no request of the client's */
  gboolean ended;       /* with one of these, while there is no request */
  GmcpToolResult *result;
  GError *error;
};

static GmcpGatewayCall *
gateway_call_ref (GmcpGatewayCall *self)
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

static void
gateway_call_unref (gpointer data)
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
  g_clear_pointer (&self->result, gmcp_tool_result_unref);
  g_clear_error (&self->error);
  g_free (self->tool);
  g_free (self->id);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpGatewayCall, gateway_call_unref)

/* Nothing is expected of the call any more. */
static void
forget_call (GmcpGatewayCall *self)
{
  GmcpGatewayCalls *calls = g_steal_pointer (&self->calls);

  detach_front (self);
  destroy_source (&self->expiry);
  g_ptr_array_set_size (self->questions, 0);
  if (calls == NULL)
    return;

  if (self->id != NULL)
    g_hash_table_remove (calls->by_id, self->id);
  g_hash_table_remove (calls->by_options, self->options);
}

static void
abandon_call (GmcpGatewayCall *self)
{
  g_autoptr (GmcpGatewayCall) alive G_GNUC_UNUSED = gateway_call_ref (self);

  forget_call (self);
  g_cancellable_cancel (self->cancellable);
}

/* The client's request */

static gboolean
on_expired (gpointer data)
{
  abandon_call (data);
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
  g_autoptr (GmcpGatewayCall) alive G_GNUC_UNUSED = gateway_call_ref (self);
  g_autoptr (GmcpToolCall) front = g_object_ref (self->front);
  g_autoptr (GError) error = NULL;

  if (gmcp_caller_is_called_again (gmcp_tool_call_get_caller (front)))
    await_client (self);
  else
    abandon_call (self);
  g_cancellable_set_error_if_cancelled (cancellable, &error);
  gmcp_tool_call_return_error (front, error);
  return G_SOURCE_REMOVE;
}

static void
attach_front (GmcpGatewayCall *self, GmcpToolCall *front)
{
  GCancellable *cancellable = gmcp_tool_call_get_cancellable (front);

  self->front = g_object_ref (front);
  gmcp_call_options_set_caller (self->options, gmcp_tool_call_get_caller (front));
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
    gmcp_tool_call_report_progress (self->front, progress, total, message);
}

static void
on_log_message (GmcpCallOptions *options, GmcpLogMessage *message, GmcpGatewayCall *self)
{
  GmcpCallOptions *front = self->front != NULL ? gmcp_tool_call_get_options (self->front) : NULL;

  if (front != NULL)
    gmcp_call_options_emit_log_message (front, message);
}

static void
answer_front (GmcpGatewayCall *self)
{
  g_autoptr (GmcpGatewayCall) alive G_GNUC_UNUSED = gateway_call_ref (self);
  g_autoptr (GmcpToolCall) front = g_object_ref (self->front);

  forget_call (self);
  if (self->result != NULL)
    gmcp_tool_call_return_result (front, self->result);
  else
    gmcp_tool_call_return_error (front, self->error);
}

/* Takes the error. */
static GError *
explain_error (GmcpGatewayCall *self, GError *error)
{
  g_autoptr (GError) owned = error;

  if (!self->unasked || !g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED))
    return g_steal_pointer (&owned);

  return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED,
                      /* Translators: why a tool was not called */
                      _ ("%s; the program that called cannot ask you, so call the tool from “gmcp "
                         "shell” and allow it for good there"),
                      error->message);
}

static void
on_called (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpGatewayCall) self = data;
  g_autoptr (GError) error = NULL;

  self->result
    = gmcp_tool_provider_call_tool_finish (GMCP_TOOL_PROVIDER (object), async_result, &error);
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
      gmcp_call_options_set_log_level (options, gmcp_call_options_get_log_level (given));
      gmcp_call_options_set_meta_json (options, gmcp_call_options_get_meta_json (given), NULL);
      gmcp_call_options_set_caller (options, gmcp_call_options_get_caller (given));
    }
  gmcp_call_options_set_role (options, role != NULL ? role : gmcp_call_options_peek_role (given));
  return options;
}

static void
begin_call (GmcpGatewayCalls *calls, const char *role, const char *name, GmcpToolCall *front)
{
  GmcpGatewayCall *self = g_new0 (GmcpGatewayCall, 1);

  g_ref_count_init (&self->ref_count);
  self->calls = calls;
  self->options = gmcp_gateway_make_options (gmcp_tool_call_get_options (front), role);
  self->cancellable = g_cancellable_new ();
  self->tool = g_strdup (gmcp_tool_call_get_name (front));
  self->questions = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_gateway_question_free);
  g_hash_table_insert (calls->by_options, self->options, self);
  attach_front (self, front);
  g_signal_connect (self->options, "progress", G_CALLBACK (on_progress), self);
  if (gmcp_call_options_get_log_level (self->options) != GMCP_LOG_LEVEL_UNSET)
    g_signal_connect (self->options, "log-message", G_CALLBACK (on_log_message), self);
  gmcp_tool_provider_repeat_call_async (GMCP_TOOL_PROVIDER (calls->manager), front, name,
                                        self->options, self->cancellable, on_called,
                                        gateway_call_ref (self));
}

/* Questions */

static GmcpGatewayCall *
find_client_call (GmcpGatewayCalls *calls)
{
  GmcpGatewayCall *found = NULL;
  gconstpointer client = NULL;
  GHashTableIter iter;
  gpointer call;

  g_hash_table_iter_init (&iter, calls->by_options);
  while (g_hash_table_iter_next (&iter, NULL, &call))
    {
      GmcpGatewayCall *self = call;
      gconstpointer own = self->front != NULL
                            ? gmcp_caller_peek_client (gmcp_tool_call_get_caller (self->front))
                            : NULL;

      if (self->ended || own == NULL || (client != NULL && client != own))
        return NULL;
      client = own;
      found = self;
    }
  return found;
}

/* Where the server does not say which call its question belongs to, and all calls are of one client, that
 * client is the one to ask. */
static GmcpGatewayCall *
find_asked (GmcpGatewayCalls *calls, GmcpInputRequest *question)
{
  GmcpCallOptions *options = gmcp_input_request_get_options (question);

  if (options != NULL)
    return g_hash_table_lookup (calls->by_options, options);
  return find_client_call (calls);
}

static char *
make_state (GmcpGatewayCall *self)
{
  if (self->id == NULL)
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
  return g_strdup_printf ("{\"" STATE_CALL "\":\"%s\"}", self->id);
}

static void
put_question (GmcpGatewayCall *self, GmcpGatewayQuestion *question)
{
  GmcpCaller *caller = gmcp_tool_call_get_caller (self->front);
  g_autofree char *state = make_state (self);

  gmcp_caller_set_state_json (caller, state, NULL);
  gmcp_gateway_question_put (question, caller);
}

static void
on_question_over (GmcpGatewayQuestion *question, GmcpGatewayQuestionEnd end, gpointer data)
{
  GmcpGatewayCall *self = data;

  if (end == GMCP_GATEWAY_QUESTION_UNASKED)
    self->unasked = TRUE;
  g_ptr_array_remove (self->questions, question);
}

/* One that is of no call of a gateway's is left to others, and counts as cancelled where there are none. */
static void
ask_client (GmcpGatewayCalls *calls, GmcpInputRequest *request)
{
  GmcpGatewayCall *self = find_asked (calls, request);
  g_autofree char *key = NULL;
  GmcpGatewayQuestion *question;

  if (self == NULL)
    return;

  key = g_strdup_printf ("gateway-%u", ++self->n_questions);
  question = gmcp_gateway_question_new (request, key, on_question_over, self);
  g_ptr_array_add (self->questions, question);
  if (self->front != NULL)
    put_question (self, question);
}

static void
on_input_requested (GmcpToolProvider *provider, GmcpInputRequest *request, gpointer data)
{
  ask_client (data, request);
}

static void
on_call_requested (GmcpToolProvider *provider, GmcpCallPermission *request, gpointer data)
{
  ask_client (data, GMCP_INPUT_REQUEST (request));
}

/* The calls of a manager's gateways */

static GQuark
get_calls_quark (void)
{
  return g_quark_from_static_string ("gmcp-gateway-calls");
}

GmcpGatewayCalls *
gmcp_gateway_calls_ref_for (GmcpManager *manager)
{
  GmcpGatewayCalls *self = g_object_get_qdata (G_OBJECT (manager), get_calls_quark ());

  if (self != NULL)
    {
      g_ref_count_inc (&self->ref_count);
      return self;
    }

  self = g_new0 (GmcpGatewayCalls, 1);
  g_ref_count_init (&self->ref_count);
  self->manager = manager;
  g_object_set_qdata (G_OBJECT (manager), get_calls_quark (), self);
  g_signal_connect (manager, "input-requested", G_CALLBACK (on_input_requested), self);
  g_signal_connect (manager, "call-requested", G_CALLBACK (on_call_requested), self);
  self->by_options = g_hash_table_new_full (NULL, NULL, NULL, gateway_call_unref);
  self->by_id = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

void
gmcp_gateway_calls_unref (GmcpGatewayCalls *self)
{
  g_autoptr (GList) left = NULL;

  if (!g_ref_count_dec (&self->ref_count))
    return;

  g_object_set_qdata (G_OBJECT (self->manager), get_calls_quark (), NULL);
  g_signal_handlers_disconnect_by_data (self->manager, self);
  left = g_hash_table_get_values (self->by_options);
  for (GList *link = left; link != NULL; link = link->next)
    abandon_call (link->data);
  g_hash_table_unref (self->by_id);
  g_hash_table_unref (self->by_options);
  g_free (self);
}

static void
refuse_late (GmcpToolCall *front)
{
  g_autoptr (GError) error = g_error_new (
    GMCP_ERROR, GMCP_ERROR_CLOSED,
    /* Translators: the name of a tool */
    _ ("The call of %s that was to go on has ended: the answer came too late, or the "
       "gateway was started anew; call it again"),
    gmcp_tool_call_get_name (front));

  gmcp_tool_call_return_error (front, error);
}

static void
resume_call (GmcpGatewayCall *self, GmcpToolCall *front)
{
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

/* FALSE: the call is a new one. */
static gboolean
resume_if_asked (GmcpGatewayCalls *calls, GmcpToolCall *front)
{
  g_autofree char *state = gmcp_caller_dup_state_json (gmcp_tool_call_get_caller (front));
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autofree char *id = NULL;
  g_autoptr (GmcpGatewayCall) self = NULL;

  if (state == NULL)
    return FALSE;

  doc = gmcp_json_doc_parse (state, strlen (state), NULL, 0, NULL);
  if (doc != NULL)
    id = gmcp_json_value_dup_string (
      gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), STATE_CALL));
  if (id != NULL)
    self = g_hash_table_lookup (calls->by_id, id);
  if (self != NULL)
    gateway_call_ref (self);

  if (self != NULL && self->front == NULL
      && g_str_equal (self->tool, gmcp_tool_call_get_name (front)))
    resume_call (self, front);
  else
    refuse_late (front);
  return TRUE;
}

void
gmcp_gateway_calls_take (GmcpGatewayCalls *self,
                         const char *role,
                         const char *name,
                         GmcpToolCall *front)
{
  if (!resume_if_asked (self, front))
    begin_call (self, role, name, front);
}
