/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-byte-budget-private.h"
#include "gmcp-server-exchange-private.h"

G_BEGIN_DECLS

/* Seen by gmcp-server-exchange.c, gmcp-server-dispatch.c, which has those on the stack, and
 * gmcp-server-connection.c, which has the table of those that run. */
struct _GmcpServerExchange
{
  GmcpServerConnection *connection;
  const GmcpServerEra *era;
  GmcpServerBatch *batch; /* nullable: the answer goes into it */
  GmcpJsonDoc *doc;       /* the message, which all values are views of */
  GmcpJsonValue id;
  GmcpJsonValue method;
  GmcpJsonValue params;
  const GmcpServerNameSearch *search; /* while it is handled after such a search; nullable */

  /* Said by the era. */
  gboolean accepted; /* it can be run */
  const char *protocol_version;
  GmcpJsonValue client_info;  /* of this request, or none */
  GmcpImplementation *client; /* nullable: of the connection */

  /* Of kept ones only. */
  gboolean closed; /* answered, cancelled, or nobody there any more; nothing is sent now */
  gsize message_bytes;
  GmcpByteBudget *held; /* of which the message is a part as long as somebody has it */
  /* The client cancelled it or is gone. The keeper may free the exchange in here. */
  GmcpServerExchangeFunc ended;
  gpointer ended_data;
};

G_END_DECLS
