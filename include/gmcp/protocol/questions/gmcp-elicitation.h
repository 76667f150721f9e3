/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include <gmcp/protocol/questions/gmcp-elicitation-field.h>
#include <gmcp/protocol/questions/gmcp-input-request.h>

G_BEGIN_DECLS

#define GMCP_TYPE_ELICITATION (gmcp_elicitation_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpElicitation, gmcp_elicitation, GMCP, ELICITATION, GmcpInputRequest)

GMCP_AVAILABLE_IN_0_1
GmcpElicitation *
gmcp_elicitation_new (const char *message, const char *schema_json, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpElicitation *
gmcp_elicitation_new_for_url (const char *message, const char *url, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_elicitation_ends_call (GmcpElicitation *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_elicitation_set_ends_call (GmcpElicitation *self, gboolean ends_call);

GMCP_AVAILABLE_IN_0_1
GmcpElicitationMode gmcp_elicitation_get_mode (GmcpElicitation *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_elicitation_get_message (GmcpElicitation *self);

GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_elicitation_get_fields (GmcpElicitation *self);

GMCP_AVAILABLE_IN_0_1
GmcpElicitationField *gmcp_elicitation_get_field (GmcpElicitation *self, const char *name);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_elicitation_get_url (GmcpElicitation *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_elicitation_get_url_host (GmcpElicitation *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_elicitation_get_url_warning (GmcpElicitation *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_elicitation_get_elicitation_id (GmcpElicitation *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_elicitation_accept (GmcpElicitation *self, JsonNode *content, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_elicitation_accept_json (GmcpElicitation *self, const char *content_json, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_elicitation_open_url_async (GmcpElicitation *self,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_elicitation_open_url_finish (GmcpElicitation *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_elicitation_is_awaited (GmcpElicitation *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_elicitation_abandon (GmcpElicitation *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_elicitation_is_completed (GmcpElicitation *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_elicitation_complete (GmcpElicitation *self);

G_END_DECLS
