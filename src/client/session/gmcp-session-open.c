/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-session-opening-private.h"

#include "gmcp-era-cache-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-stdio-error-private.h"
#include "gmcp-stdio-transport-private.h"

/* Who kills a server that often means it, or the server kills itself. */
#define MAX_KILLED 3u

/* A step of an opening under way. */
typedef struct
{
  GmcpSession *session;
  guint serial;
} Step;

static void open_transport (GmcpSession *self);

static Step *
step_new (GmcpSession *self)
{
  Step *step = g_new (Step, 1);

  step->session = gmcp_session_ref (self);
  step->serial = gmcp_session_get_opening (self)->serial;
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
  const GmcpSessionOpening *opening = gmcp_session_get_opening (step->session);

  return opening != NULL && opening->serial == step->serial;
}

static void
opening_free (GmcpSessionOpening *opening)
{
  gmcp_session_clear_source (&opening->startup_timer);
  gmcp_session_clear_source (&opening->probe_timer);
  gmcp_session_clear_source (&opening->cancel_source);
  g_clear_error (&opening->end);
  g_clear_error (&opening->legacy_error);
  g_clear_object (&opening->task);
  g_free (opening);
}

/* Ends the opening; gives its task. */
static GTask *
end_opening (GmcpSession *self, GmcpSessionState state)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);
  GTask *task = g_steal_pointer (&opening->task);

  gmcp_session_drop_openers (self);
  gmcp_session_set_opening (self, NULL);
  opening_free (opening);
  gmcp_session_set_state (self, state);
  return task;
}

/* What the next opening is to know of the server. */
static GmcpEra
get_verdict (GmcpSession *self)
{
  const GmcpSessionOpening *opening = gmcp_session_get_opening (self);
  GmcpEra era = gmcp_session_get_era (self)->id;

  if (opening->seen_modern || era == GMCP_ERA_MODERN)
    return GMCP_ERA_MODERN;
  /* One that was modern when it was last seen had bad luck, perhaps: it is asked anew. */
  return opening->cached == GMCP_ERA_MODERN ? GMCP_ERA_AUTO : era;
}

void
gmcp_session_finish_opening (GmcpSession *self)
{
  GObject *owner = gmcp_session_get_owner (self);
  GmcpEra verdict = get_verdict (self);
  gboolean is_new = gmcp_session_get_wanted_era (self) == GMCP_ERA_AUTO
                    && gmcp_session_get_opening (self)->cached != verdict;
  g_autoptr (GTask) task = end_opening (self, GMCP_SESSION_OPEN);

  gmcp_session_note_open (self);
  if (is_new && gmcp_session_get_cache_key (self) != NULL)
    gmcp_era_cache_save (gmcp_session_get_cache_key (self), verdict);

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

/* Whether its end says nothing of its era, since somebody killed it. Counts. */
static gboolean
forgive_kill (GmcpSession *self)
{
  GmcpTransport *transport = gmcp_session_get_transport (self);
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);

  return GMCP_IS_STDIO_TRANSPORT (transport)
         && gmcp_stdio_transport_was_killed (GMCP_STDIO_TRANSPORT (transport))
         && opening->n_killed++ < MAX_KILLED;
}

gboolean
gmcp_session_open_transport_closed (GmcpSession *self, const GError *error)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);
  gboolean is_chance;
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

  gmcp_session_drop_openers (self);
  gmcp_session_clear_source (&opening->probe_timer);
  g_clear_error (&opening->legacy_error);
  g_clear_error (&opening->end);
  opening->end = error != NULL
                   ? g_error_copy (error)
                   : g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED,
                                          _ ("the connection was closed before it was open"));
  opening->transport_ready = FALSE;
  /* Then it was killed, perhaps, as the probe does not end a server that has answered one before. Where
   * it ends once more, an older one has come in its place. */
  is_chance = (opening->known == GMCP_ERA_MODERN && opening->probed) || forgive_kill (self);
  if ((is_chance || !opening->reopened) && gmcp_session_get_wanted_era (self) == GMCP_ERA_AUTO)
    {
      g_debug ("%s ended while the era was being found, and is started again",
               gmcp_session_describe (self));
      if (!is_chance)
        opening->reopened = TRUE;
      if (!is_chance && opening->probed && !opening->seen_modern)
        opening->known = GMCP_ERA_LEGACY;
      else if (!is_chance || opening->known != GMCP_ERA_LEGACY)
        opening->known = GMCP_ERA_AUTO;
      opening->restarted |= opening->seen_modern;
      opening->probed = opening->discovered = opening->asked_again = FALSE;
      open_transport (self);
      return TRUE;
    }

  told = g_steal_pointer (&opening->end);
  g_prefix_error (&told, "%s: ", gmcp_session_describe (self));
  gmcp_session_open_failed (self, told);
  return TRUE;
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
      if (gmcp_session_get_opening (self)->end != NULL)
        {
          g_error_free (error);
          error = g_steal_pointer (&gmcp_session_get_opening (self)->end);
        }
      g_prefix_error (&error, "%s: ", gmcp_session_describe (self));
      gmcp_session_open_failed (self, error);
      return;
    }

  gmcp_session_get_opening (self)->transport_ready = TRUE;
  if (gmcp_session_get_opening (self)->ended)
    {
      gmcp_session_get_opening (self)->ended = FALSE;
      end = g_steal_pointer (&gmcp_session_get_opening (self)->end);
      gmcp_session_open_transport_closed (self, end);
      return;
    }
  gmcp_session_begin_talk (self);
}

static void
open_closed_transport (GmcpSession *self)
{
  gmcp_session_get_opening (self)->ended = FALSE;
  gmcp_session_listen (self);
  gmcp_transport_open_async (gmcp_session_get_transport (self),
                             g_task_get_cancellable (gmcp_session_get_opening (self)->task),
                             on_transport_opened, step_new (self));
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

void
gmcp_session_restart_modern (GmcpSession *self)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);

  g_debug ("%s is started again, as it took the call to the legacy era for the last word",
           gmcp_session_describe (self));
  gmcp_session_drop_openers (self);
  gmcp_session_clear_source (&opening->probe_timer);
  opening->transport_ready = FALSE;
  opening->probed = opening->discovered = opening->asked_again = FALSE;
  opening->restarted = TRUE;
  opening->known = GMCP_ERA_AUTO;
  gmcp_session_note_restart (self);
  /* It has answered, and starting takes as long once more. */
  gmcp_session_extend_opening (self, 0);
  gmcp_session_hang_up (self);
  gmcp_transport_close_async (gmcp_session_get_transport (self), NULL, NULL, NULL);
  open_transport (self);
}

static void
on_era_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Step) step = user_data;
  GmcpSession *self = step->session;
  GmcpEra era = gmcp_era_cache_load_finish (result);

  if (!step_counts (step))
    return;
  gmcp_session_get_opening (self)->cached = era;
  gmcp_session_get_opening (self)->known = era;
  gmcp_session_get_opening (self)->known_ready = TRUE;
  gmcp_session_begin_talk (self);
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
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);

  gmcp_session_clear_source (&opening->startup_timer);
  opening->startup_timer = g_timeout_source_new (timeout_ms);
  g_source_set_static_name (opening->startup_timer, "[gmcp] start-up limit");
  g_source_set_callback (opening->startup_timer, on_startup_timeout, self, NULL);
  g_source_attach (opening->startup_timer, gmcp_session_get_context (self));
}

void
gmcp_session_extend_opening (GmcpSession *self, guint more_ms)
{
  if (gmcp_session_get_opening (self) != NULL)
    arm_startup_timer (
      self, gmcp_session_get_timeout_ms (self, GMCP_SESSION_STARTUP_TIMEOUT) > G_MAXUINT - more_ms
              ? G_MAXUINT
              : gmcp_session_get_timeout_ms (self, GMCP_SESSION_STARTUP_TIMEOUT) + more_ms);
}

static void
watch_opening (GmcpSession *self)
{
  GmcpSessionOpening *opening = gmcp_session_get_opening (self);
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

  if (gmcp_session_get_transport (self) == NULL)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, "%s",
                               _ ("The client has no transport"));
      return;
    }

  opening = g_new0 (GmcpSessionOpening, 1);
  opening->serial = gmcp_session_begin_opening (self);
  g_task_set_task_data (task, self, NULL);
  opening->task = g_steal_pointer (&task);
  /* An opening that succeeds is told as a success, even if it was cancelled meanwhile. */
  g_task_set_check_cancellable (opening->task, FALSE);
  opening->known_ready = gmcp_session_get_cache_key (self) == NULL
                         || gmcp_session_get_wanted_era (self) != GMCP_ERA_AUTO;
  gmcp_session_set_opening (self, opening);
  watch_opening (self);

  if (!opening->known_ready)
    gmcp_era_cache_load_async (gmcp_session_get_cache_key (self), NULL, on_era_loaded,
                               step_new (self));
  open_transport (self);
}
