/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-era-legacy-private.h"

#include <string.h>

#include "gmcp-elicitation-private.h"
#include "gmcp-input-private.h"
#include "gmcp-kept-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-visits-private.h"

/* A server may refuse a call until the user has been at an address. The user is asked, and when what
 * was to be done there is done, the call is sent again: the peer did nothing of it so far.
 * Spec: MCP 2025-11-25, client/elicitation, "URL Elicitation Required Error". */

typedef struct
{
  GmcpSession *session; /* not owned */
  GmcpExchange *exchange;
  GmcpInputRound *round; /* NULL once the call goes on or has ended */
  GPtrArray *accepted;   /* of GmcpElicitation */
  GError *error;         /* the peer's, for a user who declines */
} Visits;

/* What was to be done at one address is done. */
static void
on_completed (Visits *visits)
{
  gmcp_input_round_settle_one (visits->round);
}

static void
visits_end (GmcpSession *self, gpointer data)
{
  Visits *visits = data;

  for (guint i = 0; i < visits->accepted->len; i++)
    {
      g_signal_handlers_disconnect_by_func (visits->accepted->pdata[i], on_completed, visits);
      gmcp_visits_remove (self, visits->accepted->pdata[i]);
    }
  g_clear_pointer (&visits->round, gmcp_input_round_free);
  /* Whoever hears of one may give up another. */
  for (guint i = 0; i < visits->accepted->len; i++)
    gmcp_elicitation_set_awaited (visits->accepted->pdata[i], NULL, NULL);
  g_ptr_array_unref (visits->accepted);
  g_error_free (visits->error);
  g_free (visits);
}

static GError *
visits_timed_out (GmcpSession *self, GmcpExchange *exchange, gpointer data)
{
  return gmcp_input_new_timeout_error (self, gmcp_exchange_get_subject (exchange));
}

static const GmcpExchangeWait visits_wait = {
  .end = visits_end,
  .timed_out = visits_timed_out,
  .stops_clock = TRUE,
};

static void
on_abandoned (gpointer data)
{
  Visits *visits = data;

  if (visits->round != NULL)
    gmcp_input_round_refuse (visits->round, g_error_copy (visits->error));
}

static void
on_answered (GmcpInputRound *round, GmcpInputRequest *request, gpointer data)
{
  Visits *visits = data;

  if (!gmcp_elicitation_was_accepted (GMCP_ELICITATION (request)))
    {
      gmcp_input_round_refuse (round, g_error_copy (visits->error));
      return;
    }

  g_ptr_array_add (visits->accepted, g_object_ref (request));
  g_signal_connect_swapped (request, "completed", G_CALLBACK (on_completed), visits);
  gmcp_visits_note (visits->session, GMCP_ELICITATION (request));
  /* Last, since whoever hears of it may end the visit at once. */
  gmcp_elicitation_set_awaited (GMCP_ELICITATION (request), on_abandoned, visits);
}

static void
on_all_completed (GmcpInputRound *round, GError *error, gpointer data)
{
  Visits *visits = data;
  g_autoptr (GmcpSession) self = gmcp_session_ref (visits->session);

  if (error != NULL)
    gmcp_exchange_fail (self, visits->exchange, error);
  else
    gmcp_exchange_resend (self, visits->exchange, gmcp_exchange_get_more (visits->exchange));
}

/* The questions; NULL where one is no address, or there is none. */
static GPtrArray *
read_visits (GmcpSession *self, GmcpExchange *exchange, GmcpJsonValue elicitations)
{
  g_autoptr (GPtrArray) requests = NULL;
  GmcpJsonIter iter;
  GmcpJsonValue params;

  if (!gmcp_json_value_is_array (elicitations) || gmcp_json_value_get_length (elicitations) == 0
      || gmcp_json_value_get_length (elicitations) > GMCP_LIMIT_INPUT_REQUESTS)
    return NULL;

  requests = g_ptr_array_new_with_free_func (g_object_unref);
  gmcp_json_iter_init (&iter, elicitations);
  while (gmcp_json_iter_next (&iter, NULL, &params))
    {
      GmcpElicitation *elicitation;
      gsize n_bytes;

      if (!gmcp_kept_charge_question (self, params, GMCP_LIMIT_ELICITATION_BYTES, &n_bytes, NULL))
        return NULL;
      elicitation = gmcp_elicitation_new_from_value (params, NULL, NULL);
      gmcp_kept_give (self, elicitation, n_bytes);
      if (elicitation == NULL)
        return NULL;
      g_ptr_array_add (requests, elicitation);
      if (gmcp_elicitation_get_mode (elicitation) != GMCP_ELICITATION_MODE_URL)
        return NULL;
      gmcp_input_request_set_asker (GMCP_INPUT_REQUEST (elicitation), gmcp_session_describe (self),
                                    gmcp_exchange_get_subject (exchange));
      gmcp_input_request_set_options (GMCP_INPUT_REQUEST (elicitation),
                                      gmcp_exchange_get_options (exchange));
    }
  return g_steal_pointer (&requests);
}

gboolean
gmcp_era_legacy_take_visits (GmcpSession *self, GmcpExchange *exchange, const GError *error)
{
  g_autoptr (GPtrArray) requests = NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autofree char *data = NULL;
  Visits *visits;

  if (!g_error_matches (error, GMCP_RPC_ERROR, GMCP_CODE_URL_ELICITATION_REQUIRED)
      || !gmcp_exchange_can_resend (exchange)
      || gmcp_exchange_get_n_rounds (exchange) >= GMCP_LIMIT_INPUT_ROUNDS
      || !gmcp_session_is_open (self) || !gmcp_input_listens (self))
    return FALSE;

  data = gmcp_rpc_error_dup_data_json (error);
  /* The error is kept, too, for a user who declines. */
  if (data != NULL && strlen (data) <= GMCP_LIMIT_REQUEST_STATE_BYTES)
    doc = gmcp_json_doc_parse (data, strlen (data), NULL, 0, NULL);
  if (doc != NULL)
    requests = read_visits (
      self, exchange, gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "elicitations"));
  if (requests == NULL)
    return FALSE;

  visits = g_new0 (Visits, 1);
  visits->session = self;
  visits->exchange = exchange;
  visits->round = gmcp_input_round_new_from_requests (self, requests, on_answered);
  visits->accepted = g_ptr_array_new_with_free_func (g_object_unref);
  visits->error = g_error_copy (error);
  gmcp_exchange_count_round (exchange);
  gmcp_exchange_hold (self, exchange, &visits_wait, visits,
                      g_get_monotonic_time () + gmcp_input_get_timeout_ms (self) * (gint64) 1000);
  g_clear_pointer (&requests, g_ptr_array_unref);
  gmcp_input_round_ask (visits->round, on_all_completed, visits);
  return TRUE;
}
