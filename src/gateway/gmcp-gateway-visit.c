/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-visit-private.h"

#include "gmcp-elicitation-private.h"
#include "gmcp-gateway-form-private.h"
#include "gmcp-i18n-private.h"

static void
on_answered (GmcpInputRequest *request, const char *answer, gpointer data)
{
  g_autoptr (GmcpElicitation) visit = g_object_ref (data);

  if (answer != NULL && gmcp_gateway_form_is_visited (answer))
    gmcp_elicitation_complete (visit);
  else
    gmcp_elicitation_abandon (visit);
}

/* The server says so, or the call has ended. */
static void
on_awaited_changed (GmcpElicitation *visit, GParamSpec *pspec, GmcpInputRequest *confirmation)
{
  if (!gmcp_elicitation_is_awaited (visit))
    gmcp_input_request_close (confirmation);
}

GmcpInputRequest *
gmcp_gateway_visit_new_confirmation (GmcpElicitation *visit)
{
  GmcpInputRequest *asked = GMCP_INPUT_REQUEST (visit);
  g_autofree char *message = g_strdup_printf (
    /* Translators: the name of a server's machine */
    _ ("Go on once all is done at %s"), gmcp_elicitation_get_url_host (visit));
  GmcpInputRequest *request = GMCP_INPUT_REQUEST (
    gmcp_elicitation_new (message, "{\"type\":\"object\",\"properties\":{}}", NULL));

  g_object_set_data_full (G_OBJECT (request), "gmcp-gateway-visit", g_object_ref (visit),
                          g_object_unref);
  gmcp_input_request_set_asker (request, gmcp_input_request_get_server_name (asked),
                                gmcp_input_request_get_subject (asked));
  gmcp_input_request_set_server_id (request, gmcp_input_request_get_server_id (asked));
  gmcp_input_request_set_options (request, gmcp_input_request_get_options (asked));
  gmcp_input_request_listen (request, on_answered, visit);
  g_signal_connect_object (visit, "notify::awaited", G_CALLBACK (on_awaited_changed), request, 0);
  return request;
}
