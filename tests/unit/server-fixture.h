/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/gmcp-server.h>

#include "gmcp-json-private.h"
#include "gmcp-transport-private.h"

/* A server at one end of a memory pair, and at the other end a client that says what the test says.
 * JSON is written with ' for " in all of these. Tools of the server:
 *
 *   echo    {text}: the text as text
 *   add     {a, b}: structured {sum}, with an output schema; {a: 13} gives what does not match it
 *   list    structured [1, 2], with an output schema that is of an array
 *   hold    keeps the request in held
 *   drop    drops the request
 *   fail    {code}: an error, of the protocol with a code */
typedef struct
{
  GmcpServer *server;
  GmcpTransport *client;
  GmcpTransport *server_transport;
  GQueue received; /* (element-type utf8) */
  GPtrArray *held; /* (element-type GmcpServerRequest) (owned) */
  gboolean closed;
} ServerFixture;

#define MODERN_META                                                                                \
  "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                               \
  "'io.modelcontextprotocol/clientCapabilities':{}}"
#define MODERN_SERVER_INFO                                                                         \
  "'io.modelcontextprotocol/serverInfo':{'name':'test','title':'Test','version':'1.0'}"
#define MODERN_RESULT "'resultType':'complete','_meta':{" MODERN_SERVER_INFO "}"

void server_fixture_set_up (ServerFixture *fixture, gconstpointer data);
void server_fixture_tear_down (ServerFixture *fixture, gconstpointer data);

void server_fixture_send (ServerFixture *fixture, const char *format, ...) G_GNUC_PRINTF (2, 3);
void server_fixture_send_raw (ServerFixture *fixture, const char *text, gsize length);
/* Waits for a message. */
GmcpJsonDoc *server_fixture_take (ServerFixture *fixture);
void server_fixture_expect (ServerFixture *fixture, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Gives the error. id is JSON, such as null. */
GmcpJsonDoc *server_fixture_expect_error (ServerFixture *fixture, const char *id, int code);
/* Whatever was sent before this has had no answer. */
void server_fixture_expect_nothing (ServerFixture *fixture);
GmcpServerRequest *server_fixture_wait_held (ServerFixture *fixture, guint n_held);
void server_fixture_wait_closed (ServerFixture *fixture);

void server_fixture_initialize (ServerFixture *fixture, const char *version);

GmcpTool *server_fixture_tool (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* A tool as hold is; members, such as ,'title':'T', are of its definition. */
void server_fixture_add_hold (ServerFixture *fixture, const char *name, const char *members);
