/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-era-modern-private.h"

#include "gmcp-input-private.h"

#include "gmcp-kept-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"

/* Results that ask for input: the answers are gathered, and the request is sent again with them.
 * Spec: MCP 2026-07-28, basic/patterns/mrtr. */

#define WAIT_MS     100u
#define MAX_WAIT_MS 10000u

static const char *const methods[]
  = { GMCP_METHOD_TOOLS_CALL, GMCP_METHOD_PROMPTS_GET, GMCP_METHOD_RESOURCES_READ, NULL };

typedef struct
{
  GmcpSession *session;
  GmcpExchange *exchange;
  GmcpInputRound *round;
  char *state; /* JSON text as it came, or NULL */
} Asking;

static void
asking_end (GmcpSession *self, gpointer data)
{
  Asking *asking = data;

  gmcp_input_round_free (asking->round);
  g_free (asking->state);
  g_free (asking);
}

static GError *
asking_timed_out (GmcpSession *self, GmcpExchange *exchange, gpointer data)
{
  return gmcp_input_new_timeout_error (self, gmcp_exchange_get_subject (exchange));
}

static const GmcpExchangeWait asking_wait = {
  .end = asking_end,
  .timed_out = asking_timed_out,
  .stops_clock = TRUE,
};

/* The state goes back as it came. */
static void
append_state (GString *more, const char *state)
{
  if (state == NULL)
    return;
  if (more->len > 0)
    g_string_append_c (more, ',');
  g_string_append_printf (more, "\"requestState\":%s", state);
}

static void
on_answered (GmcpInputRound *round, GError *error, gpointer data)
{
  Asking *asking = data;
  g_autoptr (GmcpSession) self = gmcp_session_ref (asking->session);
  g_autoptr (GString) more = NULL;
  GmcpJsonWriter writer;

  if (error != NULL)
    {
      gmcp_exchange_fail (self, asking->exchange, error);
      return;
    }

  more = g_string_new (NULL);
  writer = gmcp_json_writer_init (more);
  gmcp_json_writer_key (&writer, "inputResponses");
  gmcp_input_round_write_answers (round, &writer);
  append_state (more, asking->state);
  gmcp_exchange_resend (self, asking->exchange, more->str);
}

static void
wait_a_little (GmcpSession *self, GmcpExchange *exchange, const char *state)
{
  g_autoptr (GString) more = g_string_new (NULL);

  append_state (more, state);
  gmcp_exchange_resend_after (
    self, exchange, more->str,
    MIN (WAIT_MS << (gmcp_exchange_get_n_rounds (exchange) - 1), MAX_WAIT_MS));
}

static gboolean
may_ask (GmcpSession *self, GmcpExchange *exchange, GError **error)
{
  if (!gmcp_exchange_can_resend (exchange)
      || !g_strv_contains (methods, gmcp_exchange_get_method (exchange)))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                   _ ("%s asked for input in answer to %s, which needs none"),
                   gmcp_session_describe (self), gmcp_exchange_get_method (exchange));
      return FALSE;
    }
  if (gmcp_exchange_get_n_rounds (exchange) >= GMCP_LIMIT_INPUT_ROUNDS)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("%s asked for input more than %u times in one call"),
                   gmcp_session_describe (self), GMCP_LIMIT_INPUT_ROUNDS);
      return FALSE;
    }
  return TRUE;
}

/* The state of one round takes the place of the one before. It is kept twice: for the answer, and for
 * what is sent again after a broken connection. */
static gboolean
keep_state (GmcpSession *self, GmcpExchange *exchange, GmcpJsonValue state, GError **error)
{
  gsize length;

  gmcp_json_value_peek_raw (state, &length);
  if (length > GMCP_LIMIT_REQUEST_STATE_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("%s wants a state of more than %u bytes kept for it, in answer to %s"),
                   gmcp_session_describe (self), GMCP_LIMIT_REQUEST_STATE_BYTES,
                   gmcp_exchange_get_method (exchange));
      return FALSE;
    }

  gmcp_kept_release (self, gmcp_exchange_get_n_kept (exchange));
  gmcp_exchange_set_n_kept (exchange, gmcp_kept_get_budget (self), 0);
  if (!gmcp_kept_charge (self, 2 * length, error))
    return FALSE;

  gmcp_exchange_set_n_kept (exchange, gmcp_kept_get_budget (self), 2 * length);
  return TRUE;
}

gboolean
gmcp_era_modern_take_input (GmcpSession *self,
                            GmcpExchange *exchange,
                            GmcpJsonValue result,
                            GError **error)
{
  GmcpJsonValue requests = gmcp_json_value_get_member (result, "inputRequests");
  GmcpJsonValue state = gmcp_json_value_get_member (result, "requestState");
  gboolean asks
    = gmcp_json_value_is_present (requests)
      && !(gmcp_json_value_is_object (requests) && gmcp_json_value_get_length (requests) == 0);
  g_autofree char *raw_state = NULL;
  GmcpInputRound *round;
  Asking *asking;

  if (!may_ask (self, exchange, error) || !keep_state (self, exchange, state, error))
    return FALSE;
  if (gmcp_json_value_is_string (state))
    raw_state = gmcp_json_value_dup_raw (state);
  if (gmcp_json_value_is_present (state) ? raw_state == NULL : !asks)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                   _ ("%s asked for input in a form that cannot be read"),
                   gmcp_session_describe (self));
      return FALSE;
    }

  gmcp_exchange_count_round (exchange);
  if (!asks)
    {
      wait_a_little (self, exchange, raw_state);
      return TRUE;
    }

  round = gmcp_input_round_new (self, gmcp_exchange_get_subject (exchange),
                                gmcp_exchange_get_options (exchange), requests, error);
  if (round == NULL)
    return FALSE;

  asking = g_new0 (Asking, 1);
  asking->session = self;
  asking->exchange = exchange;
  asking->round = round;
  asking->state = g_steal_pointer (&raw_state);
  gmcp_exchange_hold (self, exchange, &asking_wait, asking,
                      g_get_monotonic_time () + gmcp_input_get_timeout_ms (self) * (gint64) 1000);
  gmcp_input_round_ask (round, on_answered, asking);
  return TRUE;
}
