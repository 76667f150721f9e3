/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "scripted-server.h"

G_BEGIN_DECLS

/* A client that is open to a scripted server at the other end of a memory transport. */
typedef struct
{
  GmcpTransport *client_end;
  GmcpTransport *server_end;
  GmcpClient *client;
  ScriptedServer *server;
} ClientFixture;

typedef struct
{
  GAsyncResult *result;
} Waiter;

/* The steps of setting up, where something is to be done to the client before it is opened. */
void client_fixture_make (ClientFixture *fixture, ScriptedServerFunc answer);
void client_fixture_open (ClientFixture *fixture);
/* data is the server's function; by default that of a modern server. */
void client_fixture_set_up (ClientFixture *fixture, gconstpointer data);
void client_fixture_tear_down (ClientFixture *fixture, gconstpointer data);

/* A callback of asynchronous functions, whose data is a Waiter. */
void waiter_done (GObject *source, GAsyncResult *result, gpointer user_data);
void waiter_wait (Waiter *waiter);
void settle (void);

/* Runs the loop until the server has got that many messages of that method. */
void wait_for_messages (ClientFixture *fixture, const char *method, guint count);
/* Calls the tool "echo", and waits until the server has got the call, or it failed. */
void client_fixture_call (ClientFixture *fixture,
                          GmcpCallOptions *options,
                          GCancellable *cancellable,
                          Waiter *waiter);
GmcpToolResult *client_fixture_finish (ClientFixture *fixture, Waiter *waiter, GError **error);
/* Ends the last request with a result of that one text. */
void client_fixture_answer_text (ClientFixture *fixture, const char *text);

G_END_DECLS
