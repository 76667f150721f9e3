/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include <gmcp/core/gmcp-macros.h>
#include <gmcp/protocol/calls/gmcp-call-options.h>

G_BEGIN_DECLS

#define GMCP_TYPE_INPUT_REQUEST (gmcp_input_request_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_DERIVABLE_TYPE (GmcpInputRequest, gmcp_input_request, GMCP, INPUT_REQUEST, GObject)

/**
 * GmcpInputRequestClass:
 * @parent_class: the parent class
 *
 * The class of questions. Not for other programs to derive from.
 *
 * Since: 0.1
 */
struct _GmcpInputRequestClass
{
  GObjectClass parent_class;

  /*< private >*/
  void (*decline) (GmcpInputRequest *self);
  void (*cancel) (GmcpInputRequest *self);
  /* The answer of one who lets go of the question. */
  void (*give_up) (GmcpInputRequest *self);

  gpointer _reserved[8];
};

GMCP_AVAILABLE_IN_0_1
const char *gmcp_input_request_get_server_name (GmcpInputRequest *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_input_request_get_server_id (GmcpInputRequest *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_input_request_get_client (GmcpInputRequest *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_input_request_get_subject (GmcpInputRequest *self);

GMCP_AVAILABLE_IN_0_1
GmcpCallOptions *gmcp_input_request_get_options (GmcpInputRequest *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_input_request_is_open (GmcpInputRequest *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_input_request_get_key (GmcpInputRequest *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_input_request_set_key (GmcpInputRequest *self, const char *key);

GMCP_AVAILABLE_IN_0_1
void gmcp_input_request_decline (GmcpInputRequest *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_input_request_cancel (GmcpInputRequest *self);

GMCP_AVAILABLE_IN_0_1
JsonNode *gmcp_input_request_dup_params (GmcpInputRequest *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_input_request_dup_params_json (GmcpInputRequest *self);

G_END_DECLS
