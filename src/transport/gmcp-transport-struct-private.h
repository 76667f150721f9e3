/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-transport-private.h"

G_BEGIN_DECLS

typedef enum
{
  GMCP_TRANSPORT_STATE_CLOSED,
  GMCP_TRANSPORT_STATE_OPENING,
  GMCP_TRANSPORT_STATE_OPEN,
  GMCP_TRANSPORT_STATE_CLOSING,
} GmcpTransportState;

/* Known to gmcp-transport.c and gmcp-transport-life.c. */
typedef struct
{
  GMainContext *context;
  const GmcpTransportTaker *taker;
  gpointer taker_data;
  void (*opened) (gpointer);
  gpointer opened_data;
  guint64 max_message_bytes;
  GPtrArray *closers; /* (element-type GTask): who waits for the end of closing */
  gpointer opening;   /* the GTask of the opening that counts */
  GError *early_error;
  GmcpTransportState state;
  guint taker_needs_closed : 1;
  guint closed_early : 1;
} GmcpTransportPrivate;

GmcpTransportPrivate *gmcp_transport_get_private (GmcpTransport *self);

G_END_DECLS
