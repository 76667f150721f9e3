/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>

#include "gmcp-rpc-message-private.h"

G_BEGIN_DECLS

/* The other end of a client under test: writes down what comes in, and answers by a function of the
 * test's. Answers are whole messages; in them `$ID` stands for the id of the last request. */

typedef struct _ScriptedServer ScriptedServer;

typedef void (*ScriptedServerFunc) (ScriptedServer *server,
                                    const char *method,
                                    const GmcpRpcMessage *message);

struct _ScriptedServer
{
  GmcpTransport *transport;
  GPtrArray *received; /* of char * */
  ScriptedServerFunc answer;
  char *last_id;
  gpointer data;
};

ScriptedServer *scripted_server_new (GmcpTransport *transport, ScriptedServerFunc answer);
void scripted_server_free (ScriptedServer *self);
void scripted_server_send (ScriptedServer *self, const char *text);
/* The last message received of that method, or NULL. */
const char *scripted_server_find (ScriptedServer *self, const char *method);
guint scripted_server_count (ScriptedServer *self, const char *method);

/* Answers as an ordinary server of one era would: opening, ping, and a list of two tools. */
void
scripted_server_modern (ScriptedServer *self, const char *method, const GmcpRpcMessage *message);
void
scripted_server_legacy (ScriptedServer *self, const char *method, const GmcpRpcMessage *message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScriptedServer, scripted_server_free)

G_END_DECLS
