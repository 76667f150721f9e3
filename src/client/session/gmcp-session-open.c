/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-session-engine-private.h"

#include "gmcp-capabilities-private.h"
#include "gmcp-era-cache-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-implementation-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-stdio-error-private.h"
#include "gmcp-stdio-transport-private.h"

/* Finding the era. The probe comes first, unless it is known that the server is a legacy one. After
 * an answer that is not a modern one, or silence, the same connection is opened the legacy way; a
 * server that ended at the probe is started once more for it. */

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
  gboolean probed;        /* since the server was started */
  gboolean ended;         /* before the transport said that it is open */
  GError *end;            /* why; or why the server ended when it was first started */
  GError *legacy_error;   /* why initialize was refused, while the probe may still be answered */
  gboolean may_fall_back; /* that was the answer of a peer that is reached in an older way */
  gboolean fallen_back;   /* and legacy_error is why */
};

/* A step of an opening under way. */
typedef struct
{
  GmcpSession *session;
  guint serial;
} Step;

/* NULL where none is under way. */
static GmcpSessionOpening *
opening_of (GmcpSession *self)
{
  return *gmcp_session_get_opening (self);
}

static void begin_talk (GmcpSession *self);
static void open_transport (GmcpSession *self);

static Step *
step_new (GmcpSession *self)
{
  Step *step = g_new (Step, 1);

  step->session = gmcp_session_ref (self);
  step->serial = opening_of (self)->serial;
  return step;
}

static void
step_free (Step *step)
{
  gmcp_session_unref (step->session);
  g_free (step);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Step, step_free)

/* Whether the opening that the step belongs to goes on. */
static gboolean
step_counts (const Step *step)
{
  const GmcpSessionOpening *opening = opening_of (step->session);

  return opening != NULL && opening->serial == step->serial;
}

static void
clear_source (GSource **source)
{
  if (*source != NULL)
    {
      g_source_destroy (*source);
      g_clear_pointer (source, g_source_unref);
    }
}

static void
opening_free (GmcpSessionOpening *opening)
{
  clear_source (&opening->startup_timer);
  clear_source (&opening->probe_timer);
  clear_source (&opening->cancel_source);
  g_clear_error (&opening->end);
  g_clear_error (&opening->legacy_error);
  g_clear_object (&opening->task);
  g_free (opening);
}

static void
drop_openers (GmcpSession *self)
{
  GmcpSessionOpening *opening = opening_of (self);

  if (opening->probe != NULL)
    gmcp_session_drop_exchange (self, g_steal_pointer (&opening->probe));
  if (opening->initialize != NULL)
    gmcp_session_drop_exchange (self, g_steal_pointer (&opening->initialize));
}

/* Ends the opening; gives its task. */
static GTask *
end_opening (GmcpSession *self, GmcpSessionState state)
{
  GTask *task = g_steal_pointer (&opening_of (self)->task);

  drop_openers (self);
  g_clear_pointer (gmcp_session_get_opening (self), opening_free);
  gmcp_session_set_state (self, state);
  return task;
}

static void
finish_opening (GmcpSession *self)
{
  GObject *owner = gmcp_session_get_owner (self);
  gboolean new_verdict = gmcp_session_get_wanted_era (self) == GMCP_ERA_AUTO
                         && opening_of (self)->cached != gmcp_session_get_era (self)->id;
  g_autoptr (GTask) task = end_opening (self, GMCP_SESSION_OPEN);

  if (new_verdict && gmcp_session_get_cache_key (self) != NULL)
    gmcp_era_cache_save (gmcp_session_get_cache_key (self), gmcp_session_get_era (self)->id);

  g_debug ("%s speaks MCP %s", gmcp_session_describe (self),
           gmcp_session_get_protocol_version (self));
  g_object_freeze_notify (owner);
  gmcp_session_get_events (self)->server_changed (owner);
  gmcp_session_get_events (self)->open_changed (owner);
  g_object_thaw_notify (owner);

  gmcp_session_get_hooks (self)->opened (self);
  g_task_return_boolean (task, TRUE);
}

void
gmcp_session_open_failed (GmcpSession *self, GError *error)
{
  g_autoptr (GTask) task = end_opening (self, GMCP_SESSION_CLOSED);

  gmcp_session_hang_up (self);
  gmcp_transport_close_async (gmcp_session_get_transport (self), NULL, NULL, NULL);
  g_task_return_error (task, gmcp_session_filter_error (self, error));
}

static void
start_initialize (GmcpSession *self, const char *version)
{
  clear_source (&opening_of (self)->probe_timer);
  gmcp_session_get_legacy_era (self)->start (self, version);
}

static gboolean
on_probe_silent (gpointer user_data)
{
  GmcpSession *self = user_data;

  g_debug ("%s does not answer the probe", gmcp_session_describe (self));
  /* The probe stays: where its answer comes late, it still decides. */
  clear_source (&opening_of (self)->probe_timer);
  start_initialize (self, NULL);
  return G_SOURCE_REMOVE;
}

static void
set_probe_timer (GmcpSession *self, guint timeout_ms, GSourceFunc func)
{
  GmcpSessionOpening *opening = opening_of (self);

  clear_source (&opening->probe_timer);
  opening->probe_timer = g_timeout_source_new (timeout_ms);
  g_source_set_static_name (opening->probe_timer, "[gmcp] era probe");
  g_source_set_callback (opening->probe_timer, func, self, NULL);
  g_source_attach (opening->probe_timer, gmcp_session_get_context (self));
}

static void
start_probe (GmcpSession *self)
{
  opening_of (self)->probed = TRUE;
  opening_of (self)->probed_again = FALSE;
  /* A server that was modern when it was last seen gets longer, but not for ever. */
  if (gmcp_session_get_wanted_era (self) == GMCP_ERA_AUTO)
    set_probe_timer (self,
                     opening_of (self)->known == GMCP_ERA_MODERN
                       ? MAX (gmcp_session_get_timeout_ms (self, GMCP_SESSION_PROBE_TIMEOUT),
                              gmcp_session_get_timeout_ms (self, GMCP_SESSION_STARTUP_TIMEOUT) / 2)
                       : gmcp_session_get_timeout_ms (self, GMCP_SESSION_PROBE_TIMEOUT),
                     on_probe_silent);
  gmcp_session_get_modern_era (self)->start (self, NULL);
}

void
gmcp_session_set_probe (GmcpSession *self, GmcpExchange *exchange)
{
  opening_of (self)->probe = exchange;
}

void
gmcp_session_set_initialize (GmcpSession *self, GmcpExchange *exchange)
{
  opening_of (self)->initialize = exchange;
}

gboolean
gmcp_session_end_probe (GmcpSession *self, const GmcpExchange *exchange)
{
  GmcpSessionOpening *opening = opening_of (self);

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

  opening_of (self)->initialize = NULL;
  return TRUE;
}

gboolean
gmcp_session_is_initialize (GmcpSession *self, const GmcpExchange *exchange)
{
  GmcpSessionOpening *opening = opening_of (self);

  return opening != NULL && opening->initialize == exchange;
}

GmcpExchange *
gmcp_session_get_opener (GmcpSession *self)
{
  GmcpSessionOpening *opening = opening_of (self);

  if (opening == NULL)
    return NULL;
  return opening->probe != NULL ? opening->probe : opening->initialize;
}

gboolean
gmcp_session_may_probe_again (GmcpSession *self)
{
  GmcpSessionOpening *opening = opening_of (self);

  if (opening->probed_again)
    return FALSE;

  opening->probed_again = TRUE;
  return TRUE;
}

/* Neither era was taken. */
static void
try_older_way (GmcpSession *self)
{
  GmcpSessionOpening *opening = opening_of (self);

  if (opening->may_fall_back && !opening->fallen_back)
    {
      drop_openers (self);
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

void
gmcp_session_open_modern (GmcpSession *self)
{
  finish_opening (self);
}

void
gmcp_session_open_is_modern (GmcpSession *self)
{
  clear_source (&opening_of (self)->probe_timer);
  g_clear_error (&opening_of (self)->legacy_error);
  if (opening_of (self)->initialize != NULL)
    gmcp_session_drop_exchange (self, g_steal_pointer (&opening_of (self)->initialize));
}

void
gmcp_session_open_not_modern (GmcpSession *self, const char *newest_shared, GError *why)
{
  GmcpSessionOpening *opening = opening_of (self);

  if (opening_of (self)->initialize != NULL)
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
  finish_opening (self);
}

static gboolean
on_refused_and_silent (gpointer user_data)
{
  GmcpSession *self = user_data;

  clear_source (&opening_of (self)->probe_timer);
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

/* The answers of a server of 2024-11-05, which is not sent messages where it is asked for them. */
static gboolean
is_of_older_way (const GError *error, guint http_status)
{
  if (error->domain == GMCP_RPC_ERROR
      && (error->code == GMCP_RPC_ERROR_HEADER_MISMATCH
          || error->code == GMCP_RPC_ERROR_MISSING_CLIENT_CAPABILITY
          || error->code == GMCP_RPC_ERROR_UNSUPPORTED_PROTOCOL_VERSION))
    return FALSE;
  return http_status == 400 || http_status == 404 || http_status == 405 || http_status == 406
         || http_status == 411;
}

void
gmcp_session_open_not_initialized (GmcpSession *self, GError *why, guint http_status)
{
  GmcpSessionOpening *opening = opening_of (self);

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
  if (opening_of (self)->probe != NULL)
    {
      /* A modern server that was slow to start may refuse this before it answers the probe. */
      opening->legacy_error = why;
      set_probe_timer (self, gmcp_session_get_timeout_ms (self, GMCP_SESSION_PROBE_TIMEOUT),
                       on_refused_and_silent);
      return;
    }
  opening->legacy_error = why;
  try_older_way (self);
}

gboolean
gmcp_session_open_transport_closed (GmcpSession *self, const GError *error)
{
  GmcpSessionOpening *opening = opening_of (self);
  GError *told;

  if (gmcp_session_get_state (self) != GMCP_SESSION_OPENING)
    return FALSE;
  if (!opening->transport_ready)
    {
      /* The end of the opening tells whether the session was open before. */
      opening->ended = TRUE;
      g_clear_error (&opening->end);
      opening->end = error != NULL ? g_error_copy (error) : NULL;
      return TRUE;
    }

  if (opening->fallen_back)
    {
      gmcp_session_open_failed (self, g_steal_pointer (&opening->legacy_error));
      return TRUE;
    }

  drop_openers (self);
  clear_source (&opening->probe_timer);
  g_clear_error (&opening->legacy_error);
  g_clear_error (&opening->end);
  opening->end = error != NULL
                   ? g_error_copy (error)
                   : g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED,
                                          _ ("the connection was closed before it was open"));
  opening->transport_ready = FALSE;
  if (!opening->reopened && gmcp_session_get_wanted_era (self) == GMCP_ERA_AUTO)
    {
      g_debug ("%s ended while the era was being found, and is started again",
               gmcp_session_describe (self));
      opening->reopened = TRUE;
      opening->known = opening->probed ? GMCP_ERA_LEGACY : GMCP_ERA_AUTO;
      opening->probed = FALSE;
      open_transport (self);
      return TRUE;
    }

  told = g_steal_pointer (&opening->end);
  g_prefix_error (&told, "%s: ", gmcp_session_describe (self));
  gmcp_session_open_failed (self, told);
  return TRUE;
}

static void
begin_talk (GmcpSession *self)
{
  GmcpEra era = gmcp_session_get_wanted_era (self) != GMCP_ERA_AUTO
                  ? gmcp_session_get_wanted_era (self)
                  : opening_of (self)->known;

  if (!opening_of (self)->transport_ready || !opening_of (self)->known_ready)
    return;

  if (era == GMCP_ERA_LEGACY)
    start_initialize (self, NULL);
  else
    start_probe (self);
}

static void
on_transport_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Step) step = user_data;
  GmcpSession *self = step->session;
  g_autoptr (GError) end = NULL;
  GError *error = NULL;
  gboolean open = gmcp_transport_open_finish (GMCP_TRANSPORT (source), result, &error);

  if (!step_counts (step))
    {
      g_clear_error (&error);
      return;
    }
  if (!open)
    {
      /* A connection that can be opened only once keeps its first error. */
      if (opening_of (self)->end != NULL)
        {
          g_error_free (error);
          error = g_steal_pointer (&opening_of (self)->end);
        }
      g_prefix_error (&error, "%s: ", gmcp_session_describe (self));
      gmcp_session_open_failed (self, error);
      return;
    }

  opening_of (self)->transport_ready = TRUE;
  if (opening_of (self)->ended)
    {
      opening_of (self)->ended = FALSE;
      end = g_steal_pointer (&opening_of (self)->end);
      gmcp_session_open_transport_closed (self, end);
      return;
    }
  begin_talk (self);
}

static void
open_closed_transport (GmcpSession *self)
{
  opening_of (self)->ended = FALSE;
  gmcp_session_listen (self);
  gmcp_transport_open_async (gmcp_session_get_transport (self),
                             g_task_get_cancellable (opening_of (self)->task), on_transport_opened,
                             step_new (self));
}

static void
on_last_connection_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Step) step = user_data;

  if (step_counts (step))
    open_transport (step->session);
}

static void
open_transport (GmcpSession *self)
{
  /* The connection before may still be on its way down. */
  if (gmcp_transport_is_closing (gmcp_session_get_transport (self)))
    gmcp_transport_close_async (gmcp_session_get_transport (self), NULL, on_last_connection_closed,
                                step_new (self));
  else
    open_closed_transport (self);
}

static void
on_era_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Step) step = user_data;
  GmcpSession *self = step->session;
  GmcpEra era = gmcp_era_cache_load_finish (result);

  if (!step_counts (step))
    return;
  opening_of (self)->cached = era;
  opening_of (self)->known = era;
  opening_of (self)->known_ready = TRUE;
  begin_talk (self);
}

/* The last line of what the other end said outside the protocol; NULL where it said nothing. */
static char *
dup_last_words (GmcpSession *self)
{
  g_autofree char *text = gmcp_transport_dup_diagnostics (gmcp_session_get_transport (self));
  const char *line;

  if (text == NULL || *g_strstrip (text) == '\0')
    return NULL;

  line = strrchr (text, '\n');
  return gmcp_protocol_shorten (line != NULL ? line + 1 : text);
}

static gboolean
on_startup_timeout (gpointer user_data)
{
  GmcpSession *self = user_data;
  g_autofree char *last_words = dup_last_words (self);
  GError *error = g_error_new (
    GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
    _ ("%s was not ready within %u ms. Is it an MCP server? Where it needs longer, raise its "
       "“startup-timeout-ms”"),
    gmcp_session_describe (self), gmcp_session_get_timeout_ms (self, GMCP_SESSION_STARTUP_TIMEOUT));

  if (last_words != NULL)
    {
      g_autofree char *plain = g_steal_pointer (&error->message);

      /* Translators: an error message, and the last line that the server printed */
      error->message = g_strdup_printf (_ ("%s (the last it printed was: %s)"), plain, last_words);
    }
  if (GMCP_IS_STDIO_TRANSPORT (gmcp_session_get_transport (self)))
    {
      g_autofree char *text
        = gmcp_stdio_transport_dup_text (GMCP_STDIO_TRANSPORT (gmcp_session_get_transport (self)));

      gmcp_stdio_error_add_text (error, text);
    }
  gmcp_session_open_failed (self, error);
  return G_SOURCE_REMOVE;
}

static gboolean
on_open_cancelled (GCancellable *cancellable, gpointer user_data)
{
  GmcpSession *self = g_task_get_task_data (user_data);

  gmcp_session_open_failed (
    self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("Operation was cancelled")));
  return G_SOURCE_REMOVE;
}

static void
arm_startup_timer (GmcpSession *self, guint timeout_ms)
{
  GmcpSessionOpening *opening = opening_of (self);

  clear_source (&opening->startup_timer);
  opening->startup_timer = g_timeout_source_new (timeout_ms);
  g_source_set_static_name (opening->startup_timer, "[gmcp] start-up limit");
  g_source_set_callback (opening->startup_timer, on_startup_timeout, self, NULL);
  g_source_attach (opening->startup_timer, gmcp_session_get_context (self));
}

void
gmcp_session_extend_opening (GmcpSession *self, guint more_ms)
{
  if (opening_of (self) != NULL)
    arm_startup_timer (
      self, gmcp_session_get_timeout_ms (self, GMCP_SESSION_STARTUP_TIMEOUT) > G_MAXUINT - more_ms
              ? G_MAXUINT
              : gmcp_session_get_timeout_ms (self, GMCP_SESSION_STARTUP_TIMEOUT) + more_ms);
}

static void
watch_opening (GmcpSession *self)
{
  GmcpSessionOpening *opening = opening_of (self);
  GCancellable *cancellable = g_task_get_cancellable (opening->task);

  arm_startup_timer (self, gmcp_session_get_timeout_ms (self, GMCP_SESSION_STARTUP_TIMEOUT));

  if (cancellable != NULL)
    {
      opening->cancel_source = g_cancellable_source_new (cancellable);
      g_source_set_static_name (opening->cancel_source, "[gmcp] opening cancelled");
      g_task_attach_source (opening->task, opening->cancel_source,
                            (GSourceFunc) G_CALLBACK (on_open_cancelled));
    }
}

void
gmcp_session_open_async (GmcpSession *self,
                         gpointer tag,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task
    = g_task_new (gmcp_session_get_owner (self), cancellable, callback, user_data);
  GmcpSessionOpening *opening;

  g_task_set_source_tag (task, tag);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (gmcp_session_is_open (self))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  if (gmcp_session_get_state (self) == GMCP_SESSION_OPENING)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PENDING,
                               _ ("%s is being opened already"), gmcp_session_describe (self));
      return;
    }

  opening = g_new0 (GmcpSessionOpening, 1);
  opening->serial = gmcp_session_set_opening (self);
  g_task_set_task_data (task, self, NULL);
  opening->task = g_steal_pointer (&task);
  /* An opening that succeeds is told as a success, even if it was cancelled meanwhile. */
  g_task_set_check_cancellable (opening->task, FALSE);
  opening->known_ready = gmcp_session_get_cache_key (self) == NULL
                         || gmcp_session_get_wanted_era (self) != GMCP_ERA_AUTO;
  *gmcp_session_get_opening (self) = opening;
  watch_opening (self);

  if (!opening->known_ready)
    gmcp_era_cache_load_async (gmcp_session_get_cache_key (self), NULL, on_era_loaded,
                               step_new (self));
  open_transport (self);
}
