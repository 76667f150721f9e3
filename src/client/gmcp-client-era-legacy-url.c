/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-era-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

/* A server may refuse a call until the user has been at an address. The user is asked, and when what
 * was to be done there is done, the call is sent again: the peer did nothing of it so far.
 * Spec: MCP 2025-11-25, client/elicitation, "URL Elicitation Required Error". */

#define CODE_URL_ELICITATION_REQUIRED (-32042)

typedef struct
{
  grefcount ref_count;
  GmcpClient *client;     /* not owned */
  GmcpExchange *exchange; /* NULL once it is not held for this any more */
  GPtrArray *visits;
  GError *error; /* the peer's, for a user who declines */
  guint n_left;
  gboolean asking;
  gboolean refused;
} Visits;

typedef struct
{
  Visits *visits;
  GmcpElicitation *fresh;    /* owned until it is put */
  GmcpInputRequest *open;    /* not owned, while it is not answered */
  GmcpElicitation *accepted; /* owned */
} Visit;

static void on_completed (GmcpElicitation *elicitation, gpointer data);

static void
visit_free (gpointer data)
{
  Visit *visit = data;

  if (visit->accepted != NULL)
    g_signal_handlers_disconnect_by_func (visit->accepted, on_completed, visit);
  g_clear_object (&visit->accepted);
  g_clear_object (&visit->fresh);
  g_free (visit);
}

static void
visits_unref (Visits *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;

  g_ptr_array_unref (self->visits);
  g_error_free (self->error);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Visits, visits_unref)

static void
visits_end (GmcpClient *client, gpointer data)
{
  g_autoptr (Visits) self = data;

  self->exchange = NULL;
  for (guint i = 0; i < self->visits->len; i++)
    {
      Visit *visit = g_ptr_array_index (self->visits, i);

      if (visit->open != NULL)
        gmcp_input_request_close (g_steal_pointer (&visit->open));
    }
}

static GError *
visits_timed_out (GmcpClient *client, GmcpExchange *exchange, gpointer data)
{
  return gmcp_client_new_input_timeout_error (client, exchange->subject);
}

static const GmcpExchangeWait visits_wait = {
  .end = visits_end,
  .timed_out = visits_timed_out,
  .stops_clock = TRUE,
};

static void
settle (Visits *self)
{
  g_autoptr (GmcpClient) client = NULL;

  if (self->asking || self->exchange == NULL || (self->n_left > 0 && !self->refused))
    return;

  client = g_object_ref (self->client);
  if (self->refused)
    gmcp_exchange_fail (client, self->exchange, g_error_copy (self->error));
  else
    gmcp_exchange_resend (client, self->exchange, self->exchange->more);
}

static void
on_completed (GmcpElicitation *elicitation, gpointer data)
{
  Visit *visit = data;
  g_autoptr (Visits) self = visit->visits;

  g_ref_count_inc (&self->ref_count);
  self->n_left--;
  settle (self);
}

static void
on_answer (GmcpInputRequest *request, const char *answer, gpointer data)
{
  Visit *visit = data;
  Visits *self = visit->visits;

  visit->open = NULL;
  if (gmcp_elicitation_was_accepted (GMCP_ELICITATION (request)))
    {
      visit->accepted = g_object_ref (GMCP_ELICITATION (request));
      g_signal_connect (request, "completed", G_CALLBACK (on_completed), visit);
      gmcp_client_note_visit (self->client, visit->accepted);
      return;
    }
  self->refused = TRUE;
  settle (self);
}

static gboolean
read_visits (Visits *self, GmcpJsonValue elicitations)
{
  GmcpJsonIter iter;
  GmcpJsonValue params;

  if (!gmcp_json_value_is_array (elicitations) || gmcp_json_value_get_length (elicitations) == 0
      || gmcp_json_value_get_length (elicitations) > GMCP_LIMIT_INPUT_REQUESTS)
    return FALSE;

  gmcp_json_iter_init (&iter, elicitations);
  while (gmcp_json_iter_next (&iter, NULL, &params))
    {
      g_autoptr (GmcpElicitation) elicitation
        = gmcp_elicitation_new_from_value (params, NULL, NULL);
      Visit *visit;

      if (elicitation == NULL
          || gmcp_elicitation_get_mode (elicitation) != GMCP_ELICITATION_MODE_URL)
        return FALSE;
      gmcp_input_request_set_asker (GMCP_INPUT_REQUEST (elicitation),
                                    gmcp_client_describe (self->client), self->exchange->subject);
      visit = g_new0 (Visit, 1);
      visit->visits = self;
      visit->fresh = g_steal_pointer (&elicitation);
      g_ptr_array_add (self->visits, visit);
    }
  self->n_left = self->visits->len;
  return TRUE;
}

static void
ask (Visits *visits)
{
  g_autoptr (Visits) self = visits;

  g_ref_count_inc (&self->ref_count);
  self->asking = TRUE;
  for (guint i = 0; i < self->visits->len && self->exchange != NULL && !self->refused; i++)
    {
      Visit *visit = g_ptr_array_index (self->visits, i);
      g_autoptr (GmcpElicitation) elicitation = g_steal_pointer (&visit->fresh);

      visit->open = GMCP_INPUT_REQUEST (elicitation);
      gmcp_input_request_listen (visit->open, on_answer, visit);
      gmcp_client_emit_input_requested (self->client, visit->open);
    }
  self->asking = FALSE;
  settle (self);
}

gboolean
gmcp_client_legacy_take_visits (GmcpClient *client, GmcpExchange *exchange, const GError *error)
{
  g_autoptr (Visits) self = NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autofree char *data = NULL;

  if (!g_error_matches (error, GMCP_RPC_ERROR, CODE_URL_ELICITATION_REQUIRED)
      || exchange->params == NULL || exchange->n_rounds >= GMCP_LIMIT_INPUT_ROUNDS
      || client->state != GMCP_CLIENT_OPEN || !gmcp_client_listens (client))
    return FALSE;

  data = gmcp_rpc_error_dup_data_json (error);
  if (data != NULL)
    doc = gmcp_json_doc_parse (data, strlen (data), NULL, 0, NULL);
  self = g_new0 (Visits, 1);
  g_ref_count_init (&self->ref_count);
  self->client = client;
  self->exchange = exchange;
  self->visits = g_ptr_array_new_with_free_func (visit_free);
  self->error = g_error_copy (error);
  if (doc == NULL
      || !read_visits (self,
                       gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "elicitations")))
    return FALSE;

  exchange->n_rounds++;
  g_ref_count_inc (&self->ref_count);
  gmcp_exchange_hold (client, exchange, &visits_wait, self,
                      g_get_monotonic_time () + client->input.timeout_ms * (gint64) 1000);
  ask (self);
  return TRUE;
}
