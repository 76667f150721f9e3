/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-session-engine-private.h"

G_BEGIN_DECLS

/* An opening under way: gmcp-session-open.c begins and ends it, and opens the transport;
 * gmcp-session-negotiation.c finds the era. */
struct _GmcpSessionOpening
{
  GTask *task;
  GSource *startup_timer;
  GSource *probe_timer;
  GSource *cancel_source;
  guint serial;
  GmcpEra cached;
  GmcpEra known;       /* from the cache, or from how the server ended */
  GmcpExchange *probe; /* under way, as the next */
  GmcpExchange *initialize;
  gboolean probed_again; /* in a revision that the peer named */
  gboolean transport_ready;
  gboolean known_ready;
  gboolean reopened;
  guint n_killed;  /* servers that were ended by somebody before the era was found */
  gboolean probed; /* since the server was started */
  gboolean
    discovered; /* the probe was answered by a modern server, but after initialize was sent */
  gboolean seen_modern;   /* a server that was started before did so, perhaps */
  gboolean asked_again;   /* the probe, of such a server */
  gboolean restarted;     /* such a server, since it was held to the legacy era by then */
  gboolean ended;         /* before the transport said that it is open */
  GError *end;            /* why; or why the server ended when it was first started */
  GError *legacy_error;   /* why initialize was refused, while the probe may still be answered */
  gboolean may_fall_back; /* that was the answer of a peer that is reached in an older way */
  gboolean fallen_back;   /* and legacy_error is why */
};

static inline void
gmcp_session_clear_source (GSource **source)
{
  if (*source != NULL)
    {
      g_source_destroy (*source);
      g_clear_pointer (source, g_source_unref);
    }
}

/* The session is open. */
void gmcp_session_finish_opening (GmcpSession *self);

/* Asks the peer for the era, once the transport is open and it is known what the era was before. */
void gmcp_session_begin_talk (GmcpSession *self);
/* Ends the server and starts it anew, as one that is known to be modern. */
void gmcp_session_restart_modern (GmcpSession *self);
/* What was asked so far is not waited for any more. */
void gmcp_session_drop_openers (GmcpSession *self);

G_END_DECLS
