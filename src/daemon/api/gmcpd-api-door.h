/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcpd-door.h"
#include "gmcpd-open-questions.h"

G_BEGIN_DECLS

#define GMCPD_TYPE_API_DOOR (gmcpd_api_door_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdApiDoor, gmcpd_api_door, GMCPD, API_DOOR, GObject)

/* The control API over HTTP, for programs of this machine that have its token, and the dashboard. 0 for any port, -1 for
 * one that is open once the dashboard is asked for. */
GmcpdDoor *gmcpd_api_door_new (GmcpManager *manager,
                               GmcpdOpenQuestions *questions,
                               int port,
                               gboolean has_keyring);

/* A link that signs in whoever opens it first, within the seconds. */
void gmcpd_api_door_make_link_async (GmcpdApiDoor *self,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
char *gmcpd_api_door_make_link_finish (GmcpdApiDoor *self,
                                       GAsyncResult *result,
                                       guint *seconds,
                                       GError **error);

G_END_DECLS
