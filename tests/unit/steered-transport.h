/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-transport-private.h"

G_BEGIN_DECLS

/* A transport without another end: a test sees what is sent, says what comes in and when an
 * opening or a closing ends. It can be opened again and again. */

#define STEERED_TYPE_TRANSPORT (steered_transport_get_type ())

G_DECLARE_FINAL_TYPE (SteeredTransport, steered_transport, STEERED, TRANSPORT, GmcpTransport)

struct _SteeredTransport
{
  GmcpTransport parent_instance;

  GPtrArray *sent;    /* of char * */
  GPtrArray *headers; /* of char *: those of each message sent, a line each */
  GPtrArray *notes;   /* of char *: what else the client asked for, in order */
  GTask *opening;
  GTask *closing;
  gboolean hold_opening; /* until steered_transport_let_open() */
  gboolean hold_closing;
  gboolean refuse;          /* what is sent */
  gboolean request_streams; /* as over HTTP, with headers */
  gboolean can_fall_back;
  const char *diagnostics;
  guint n_opened;
  guint n_closed;
  /* May be NULL; called with each message that was sent. */
  void (*answer) (SteeredTransport *self, const char *text);
};

SteeredTransport *steered_transport_new (void);
void steered_transport_let_open (SteeredTransport *self);
void steered_transport_let_close (SteeredTransport *self);
/* Hands in a message, in which `$ID` stands for the id of the last request sent. */
void steered_transport_say (SteeredTransport *self, const char *text);
/* Says that the last request of a method gets no answer. */
void steered_transport_fail (SteeredTransport *self,
                             const char *method,
                             const GmcpTransportFailure *failure);
/* The headers of the last message of a method. */
const char *steered_transport_get_headers (SteeredTransport *self, const char *method);
/* How often a method was sent. */
guint steered_transport_count (SteeredTransport *self, const char *method);
/* The id of the last request of a method. */
gint64 steered_transport_get_id (SteeredTransport *self, const char *method);

G_END_DECLS
