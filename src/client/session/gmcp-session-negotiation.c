/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-session-opening-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-stdio-transport-private.h"

/* Finding the era. The probe comes first, unless it is known that the server is a legacy one. After
 * an answer that is not a modern one, or silence, the same connection is opened the legacy way; a
 * server that ended at the probe is started once more for it; one that was modern when it was last
 * seen may have been killed, and is probed once more before.
 *
 * A modern server that is slow to start finds both the probe and initialize when it begins to read. Some then hold the
 * connection to the era of the last one (SDK 2.x of TypeScript over stdio), and would take no modern request any more.
 * So the probe is sent again after a late answer. A server that does not know it any more is started once more, and gets
 * no initialize while it starts; a connection that cannot be opened twice is one of the legacy era then. */

void
gmcp_session_drop_openers (GmcpSession *self)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);

  if (opening->probe != NULL)
    gmcp_session_drop_exchange (self, g_steal_pointer (&opening->probe));
  if (opening->initialize != NULL)
    gmcp_session_drop_exchange (self, g_steal_pointer (&opening->initialize));
}

static void
start_initialize (GmcpSession *self, const char *version)
{
  gmcp_session_clear_source (&gmcp_session_get_opening (self)->probe_timer);
  gmcp_session_note_initialize (self);
  gmcp_session_get_legacy_era (self)->start (self, version);
}

static gboolean
on_probe_silent (gpointer user_data)
{
  GmcpSession *self = user_data;

  g_debug ("%s does not answer the probe", gmcp_session_describe (self));
  /* The probe stays: where its answer comes late, it still decides. */
  gmcp_session_clear_source (&gmcp_session_get_opening (self)->probe_timer);
  if (gmcp_session_get_opening (self)->cached == GMCP_ERA_MODERN)
    gmcp_session_extend_opening (self, 0);
  start_initialize (self, NULL);
  return G_SOURCE_REMOVE;
}

static void
set_probe_timer (GmcpSession *self, guint timeout_ms, GSourceFunc func)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);

  gmcp_session_clear_source (&opening->probe_timer);
  opening->probe_timer = g_timeout_source_new (timeout_ms);
  g_source_set_static_name (opening->probe_timer, "[gmcp] era probe");
  g_source_set_callback (opening->probe_timer, func, self, NULL);
  g_source_attach (opening->probe_timer, gmcp_session_get_context (self));
}

/* A server that was modern when it was last seen gets longer, but not for ever: an older one may have come in its place. */
static guint
get_probe_timeout_ms (GmcpSession *self)
{
  guint probe_ms = gmcp_session_get_timeout_ms (self, GMCP_SESSION_PROBE_TIMEOUT);
  guint startup_ms = gmcp_session_get_timeout_ms (self, GMCP_SESSION_STARTUP_TIMEOUT);

  return gmcp_session_get_opening (self)->cached == GMCP_ERA_MODERN
           ? MAX (probe_ms, startup_ms / 4 * 3)
           : probe_ms;
}

static void
start_probe (GmcpSession *self)
{
  gmcp_session_get_opening (self)->probed = TRUE;
  gmcp_session_get_opening (self)->probed_again = FALSE;
  if (gmcp_session_get_wanted_era (self) == GMCP_ERA_AUTO
      && !gmcp_session_get_opening (self)->restarted)
    set_probe_timer (self, get_probe_timeout_ms (self), on_probe_silent);
  gmcp_session_get_modern_era (self)->start (self, NULL);
}

void
gmcp_session_begin_talk (GmcpSession *self)
{
  GmcpEra era = gmcp_session_get_wanted_era (self) != GMCP_ERA_AUTO
                  ? gmcp_session_get_wanted_era (self)
                  : gmcp_session_get_opening (self)->known;

  if (!gmcp_session_get_opening (self)->transport_ready
      || !gmcp_session_get_opening (self)->known_ready)
    return;

  gmcp_session_note_talk (self);
  if (era == GMCP_ERA_LEGACY)
    start_initialize (self, NULL);
  else
    start_probe (self);
}

void
gmcp_session_set_probe (GmcpSession *self, GmcpExchange *exchange)
{
  gmcp_session_get_opening (self)->probe = exchange;
}

void
gmcp_session_set_initialize (GmcpSession *self, GmcpExchange *exchange)
{
  gmcp_session_get_opening (self)->initialize = exchange;
}

gboolean
gmcp_session_end_probe (GmcpSession *self, const GmcpExchange *exchange)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);

  if (opening == NULL || opening->probe != exchange)
    return FALSE;

  opening->probe = NULL;
  return TRUE;
}

gboolean
gmcp_session_end_initialize (GmcpSession *self, const GmcpExchange *exchange)
{
  if (!gmcp_session_is_initialize (self, exchange))
    return FALSE;

  gmcp_session_get_opening (self)->initialize = NULL;
  return TRUE;
}

gboolean
gmcp_session_is_initialize (GmcpSession *self, const GmcpExchange *exchange)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);

  return opening != NULL && opening->initialize == exchange;
}

GmcpExchange *
gmcp_session_get_opener (GmcpSession *self)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);

  if (opening == NULL)
    return NULL;
  return opening->probe != NULL ? opening->probe : opening->initialize;
}

gboolean
gmcp_session_may_probe_again (GmcpSession *self)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);

  if (opening->probed_again)
    return FALSE;

  opening->probed_again = TRUE;
  return TRUE;
}

/* Neither era was taken. */
static void
try_older_way (GmcpSession *self)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);

  if (opening->may_fall_back && !opening->fallen_back)
    {
      gmcp_session_drop_openers (self);
      if (gmcp_transport_fall_back (gmcp_session_get_transport (self)))
        {
          g_debug ("%s is tried in an older way", gmcp_session_describe (self));
          opening->fallen_back = TRUE;
          start_initialize (self, NULL);
          return;
        }
    }
  gmcp_session_open_failed (self, g_steal_pointer (&opening->legacy_error));
}

/* The answer has to come after that to initialize, or instead of it. */
static void
ask_again (GmcpSession *self)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);

  opening->discovered = opening->seen_modern = opening->asked_again = TRUE;
  gmcp_session_get_modern_era (self)->start (self, NULL);
}

void
gmcp_session_open_modern (GmcpSession *self)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);

  if (opening->initialize == NULL || opening->asked_again
      || gmcp_transport_has_request_streams (gmcp_session_get_transport (self)))
    gmcp_session_finish_opening (self);
  else
    ask_again (self);
}

/* A modern server that takes nothing of its era any more on this connection. */
static void
settle_held_to_legacy (GmcpSession *self)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);

  gmcp_session_clear_source (&opening->probe_timer);
  if (GMCP_IS_STDIO_TRANSPORT (gmcp_session_get_transport (self)) && !opening->restarted)
    gmcp_session_restart_modern (self);
  else if (opening->initialize == NULL)
    gmcp_session_finish_opening (self);
}

static gboolean
on_silent_when_asked_again (gpointer user_data)
{
  settle_held_to_legacy (user_data);
  return G_SOURCE_REMOVE;
}

void
gmcp_session_open_is_modern (GmcpSession *self)
{
  gmcp_session_clear_source (&gmcp_session_get_opening (self)->probe_timer);
  g_clear_error (&gmcp_session_get_opening (self)->legacy_error);
  if (gmcp_session_get_opening (self)->initialize != NULL)
    gmcp_session_drop_exchange (self,
                                g_steal_pointer (&gmcp_session_get_opening (self)->initialize));
}

void
gmcp_session_open_not_modern (GmcpSession *self, const char *newest_shared, GError *why)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);

  if (opening->asked_again)
    {
      g_error_free (why);
      settle_held_to_legacy (self);
      return;
    }
  if (opening->initialize != NULL)
    {
      g_error_free (why);
      return;
    }
  if (gmcp_session_get_wanted_era (self) == GMCP_ERA_MODERN)
    {
      g_prefix_error (&why, _ ("%s does not speak MCP 2026-07-28 or later: "),
                      gmcp_session_describe (self));
      gmcp_session_open_failed (self, why);
      return;
    }
  if (opening->legacy_error != NULL)
    {
      g_error_free (why);
      try_older_way (self);
      return;
    }

  g_debug ("%s is not a modern server: %s", gmcp_session_describe (self), why->message);
  g_error_free (why);
  start_initialize (self, newest_shared);
}

void
gmcp_session_open_initialized (GmcpSession *self)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);

  if (opening->asked_again && opening->probe != NULL)
    set_probe_timer (self, gmcp_session_get_timeout_ms (self, GMCP_SESSION_PROBE_TIMEOUT),
                     on_silent_when_asked_again);
  else
    gmcp_session_finish_opening (self);
}

static gboolean
on_refused_and_silent (gpointer user_data)
{
  GmcpSession *self = user_data;

  gmcp_session_clear_source (&gmcp_session_get_opening (self)->probe_timer);
  try_older_way (self);
  return G_SOURCE_REMOVE;
}

gboolean
gmcp_session_is_no_verdict (const GError *error, guint http_status)
{
  switch (http_status)
    {
    case 0:
      return error->domain != GMCP_RPC_ERROR
             && !g_error_matches (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL)
             && !g_error_matches (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
    case 401: /* not before somebody has signed in */
    case 403:
    case 408:
    case 429:
      return TRUE;
    default:
      return http_status >= 500;
    }
}

/* What only a modern server answers. */
static gboolean
is_of_modern (const GError *error)
{
  return error->domain == GMCP_RPC_ERROR
         && (error->code == GMCP_RPC_ERROR_HEADER_MISMATCH
             || error->code == GMCP_RPC_ERROR_MISSING_CLIENT_CAPABILITY
             || error->code == GMCP_RPC_ERROR_UNSUPPORTED_PROTOCOL_VERSION);
}

/* The answers of a server of 2024-11-05, which is not sent messages where it is asked for them. */
static gboolean
is_of_older_way (const GError *error, guint http_status)
{
  if (is_of_modern (error))
    return FALSE;
  return http_status == 400 || http_status == 404 || http_status == 405 || http_status == 406
         || http_status == 411;
}

void
gmcp_session_open_not_initialized (GmcpSession *self, GError *why, guint http_status)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);

  if (opening->discovered && opening->probe != NULL)
    {
      g_error_free (why);
      gmcp_session_finish_opening (self);
      return;
    }
  if (opening->fallen_back)
    {
      /* Of two ways that failed, the one that was tried first is the one to tell of. */
      g_debug ("%s: %s", gmcp_session_describe (self), why->message);
      g_error_free (why);
      gmcp_session_open_failed (self, g_steal_pointer (&opening->legacy_error));
      return;
    }
  if (http_status != 0 && gmcp_session_is_no_verdict (why, http_status))
    {
      gmcp_session_open_failed (self, why);
      return;
    }

  opening->may_fall_back = is_of_older_way (why, http_status);
  g_prefix_error (&why, _ ("%s refused to start a session: "), gmcp_session_describe (self));
  if (gmcp_session_get_wanted_era (self) == GMCP_ERA_AUTO && !opening->probed)
    {
      opening->known = GMCP_ERA_AUTO;
      opening->legacy_error = why;
      start_probe (self);
      return;
    }
  if (gmcp_session_get_opening (self)->probe != NULL)
    {
      /* A modern server that was slow to start may refuse this before it answers the probe. */
      opening->legacy_error = why;
      if (!is_of_modern (why))
        set_probe_timer (self, gmcp_session_get_timeout_ms (self, GMCP_SESSION_PROBE_TIMEOUT),
                         on_refused_and_silent);
      return;
    }
  opening->legacy_error = why;
  try_older_way (self);
}
