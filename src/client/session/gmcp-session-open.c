/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-session-open-private.h"
#include "gmcp-client-private.h"

#include "gmcp-era-private.h"
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

struct _GmcpClientOpening
{
  GTask *task;
  GSource *startup_timer;
  GSource *probe_timer;
  GSource *cancel_source;
  guint serial;
  GmcpEra cached;
  GmcpEra known; /* from the cache, or from how the server ended */
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
  GmcpClient *client;
  guint serial;
} Step;

static void begin_talk (GmcpClient *self);
static void open_transport (GmcpClient *self);

static Step *
step_new (GmcpClient *self)
{
  Step *step = g_new (Step, 1);

  step->client = g_object_ref (self);
  step->serial = self->opening->serial;
  return step;
}

static void
step_free (Step *step)
{
  g_object_unref (step->client);
  g_free (step);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Step, step_free)

/* Whether the opening that the step belongs to goes on. */
static gboolean
step_counts (const Step *step)
{
  return step->client->opening != NULL && step->client->opening->serial == step->serial;
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
opening_free (GmcpClientOpening *opening)
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
drop_openers (GmcpClient *self)
{
  if (self->probe != NULL)
    gmcp_client_drop_exchange (self, g_steal_pointer (&self->probe));
  if (self->initialize != NULL)
    gmcp_client_drop_exchange (self, g_steal_pointer (&self->initialize));
}

/* Ends the opening; gives its task. */
static GTask *
settle (GmcpClient *self, GmcpClientState state)
{
  GTask *task = g_steal_pointer (&self->opening->task);

  drop_openers (self);
  g_clear_pointer (&self->opening, opening_free);
  self->state = state;
  return task;
}

void
gmcp_client_notify_server (GmcpClient *self)
{
  static const char *const names[]
    = { "protocol-version", "server-info", "server-capabilities", "instructions" };

  g_object_freeze_notify (G_OBJECT (self));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_object_notify (G_OBJECT (self), names[i]);
  g_object_thaw_notify (G_OBJECT (self));
}

static void
opened (GmcpClient *self)
{
  gboolean new_verdict
    = self->wanted_era == GMCP_ERA_AUTO && self->opening->cached != self->era->id;
  g_autoptr (GTask) task = settle (self, GMCP_CLIENT_OPEN);

  if (new_verdict && self->cache_key != NULL)
    gmcp_era_cache_save (self->cache_key, self->era->id);

  g_debug ("%s speaks MCP %s", gmcp_client_describe (self), self->protocol_version);
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_client_notify_server (self);
  gmcp_client_notify_open (self);
  g_object_thaw_notify (G_OBJECT (self));

  gmcp_change_streams_resume (self);
  g_task_return_boolean (task, TRUE);
}

void
gmcp_client_open_failed (GmcpClient *self, GError *error)
{
  g_autoptr (GTask) task = settle (self, GMCP_CLIENT_CLOSED);

  gmcp_transport_set_taker (self->transport, NULL, NULL);
  gmcp_transport_close_async (self->transport, NULL, NULL, NULL);
  g_task_return_error (task, gmcp_client_filter_error (self, error));
}

void
gmcp_client_set_server (GmcpClient *self,
                        const GmcpClientEra *era,
                        const char *version,
                        GmcpJsonValue info,
                        GmcpJsonValue capabilities,
                        GmcpJsonValue instructions)
{
  self->era = era;
  g_free (self->protocol_version);
  self->protocol_version = g_strdup (version);
  g_clear_pointer (&self->server_info, gmcp_implementation_unref);
  if (gmcp_json_value_is_object (info))
    self->server_info = gmcp_implementation_new_from_value (info);
  g_clear_pointer (&self->server_capabilities, gmcp_capabilities_unref);
  self->server_capabilities = gmcp_capabilities_new_from_value (capabilities);
  g_free (self->instructions);
  self->instructions = gmcp_json_value_dup_string (instructions);
  self->keeps_requests
    = era->keeps_requests (self) || gmcp_transport_has_request_streams (self->transport);
  self->offers_tasks = era->offers_tasks (self);
}

static void
start_initialize (GmcpClient *self, const char *version)
{
  clear_source (&self->opening->probe_timer);
  gmcp_client_legacy_initialize (self, version);
}

static gboolean
on_probe_silent (gpointer user_data)
{
  GmcpClient *self = user_data;

  g_debug ("%s does not answer the probe", gmcp_client_describe (self));
  /* The probe stays: where its answer comes late, it still decides. */
  clear_source (&self->opening->probe_timer);
  start_initialize (self, NULL);
  return G_SOURCE_REMOVE;
}

static void
set_probe_timer (GmcpClient *self, guint timeout_ms, GSourceFunc func)
{
  GmcpClientOpening *opening = self->opening;

  clear_source (&opening->probe_timer);
  opening->probe_timer = g_timeout_source_new (timeout_ms);
  g_source_set_static_name (opening->probe_timer, "[gmcp] era probe");
  g_source_set_callback (opening->probe_timer, func, self, NULL);
  g_source_attach (opening->probe_timer, self->context);
}

static void
start_probe (GmcpClient *self)
{
  self->opening->probed = TRUE;
  /* One that was modern when it was last seen gets longer, but not for ever. */
  if (self->wanted_era == GMCP_ERA_AUTO)
    set_probe_timer (self,
                     self->opening->known == GMCP_ERA_MODERN
                       ? MAX (self->probe_timeout_ms, self->startup_timeout_ms / 2)
                       : self->probe_timeout_ms,
                     on_probe_silent);
  gmcp_client_modern_discover (self);
}

/* Neither era was taken. */
static void
refused (GmcpClient *self)
{
  GmcpClientOpening *opening = self->opening;

  if (opening->may_fall_back && !opening->fallen_back)
    {
      drop_openers (self);
      if (gmcp_transport_fall_back (self->transport))
        {
          g_debug ("%s is tried in an older way", gmcp_client_describe (self));
          opening->fallen_back = TRUE;
          start_initialize (self, NULL);
          return;
        }
    }
  gmcp_client_open_failed (self, g_steal_pointer (&opening->legacy_error));
}

void
gmcp_client_open_modern (GmcpClient *self)
{
  opened (self);
}

void
gmcp_client_open_is_modern (GmcpClient *self)
{
  clear_source (&self->opening->probe_timer);
  g_clear_error (&self->opening->legacy_error);
  if (self->initialize != NULL)
    gmcp_client_drop_exchange (self, g_steal_pointer (&self->initialize));
}

void
gmcp_client_open_not_modern (GmcpClient *self, const char *newest_shared, GError *why)
{
  GmcpClientOpening *opening = self->opening;

  if (self->initialize != NULL)
    {
      g_error_free (why);
      return;
    }
  if (self->wanted_era == GMCP_ERA_MODERN)
    {
      g_prefix_error (&why, _ ("%s does not speak MCP 2026-07-28 or later: "),
                      gmcp_client_describe (self));
      gmcp_client_open_failed (self, why);
      return;
    }
  if (opening->legacy_error != NULL)
    {
      g_error_free (why);
      refused (self);
      return;
    }

  g_debug ("%s is not a modern server: %s", gmcp_client_describe (self), why->message);
  g_error_free (why);
  start_initialize (self, newest_shared);
}

void
gmcp_client_open_initialized (GmcpClient *self)
{
  opened (self);
}

static gboolean
on_refused_and_silent (gpointer user_data)
{
  GmcpClient *self = user_data;

  clear_source (&self->opening->probe_timer);
  refused (self);
  return G_SOURCE_REMOVE;
}

gboolean
gmcp_client_is_no_verdict (const GError *error, guint http_status)
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
gmcp_client_open_not_initialized (GmcpClient *self, GError *why, guint http_status)
{
  GmcpClientOpening *opening = self->opening;

  if (opening->fallen_back)
    {
      /* Of two ways that failed, the one that was tried first is the one to tell of. */
      g_debug ("%s: %s", gmcp_client_describe (self), why->message);
      g_error_free (why);
      gmcp_client_open_failed (self, g_steal_pointer (&opening->legacy_error));
      return;
    }
  if (http_status != 0 && gmcp_client_is_no_verdict (why, http_status))
    {
      gmcp_client_open_failed (self, why);
      return;
    }

  opening->may_fall_back = is_of_older_way (why, http_status);
  g_prefix_error (&why, _ ("%s refused to start a session: "), gmcp_client_describe (self));
  if (self->wanted_era == GMCP_ERA_AUTO && !opening->probed)
    {
      opening->known = GMCP_ERA_AUTO;
      opening->legacy_error = why;
      start_probe (self);
      return;
    }
  if (self->probe != NULL)
    {
      /* A modern server that was slow to start may refuse this before it answers the probe. */
      opening->legacy_error = why;
      set_probe_timer (self, self->probe_timeout_ms, on_refused_and_silent);
      return;
    }
  opening->legacy_error = why;
  refused (self);
}

gboolean
gmcp_client_open_transport_closed (GmcpClient *self, const GError *error)
{
  GmcpClientOpening *opening = self->opening;
  GError *told;

  if (self->state != GMCP_CLIENT_OPENING)
    return FALSE;
  if (!opening->transport_ready)
    {
      /* Whether it was open before, the end of its opening tells. */
      opening->ended = TRUE;
      g_clear_error (&opening->end);
      opening->end = error != NULL ? g_error_copy (error) : NULL;
      return TRUE;
    }

  if (opening->fallen_back)
    {
      gmcp_client_open_failed (self, g_steal_pointer (&opening->legacy_error));
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
  if (!opening->reopened && self->wanted_era == GMCP_ERA_AUTO)
    {
      g_debug ("%s ended while the era was being found, and is started again",
               gmcp_client_describe (self));
      opening->reopened = TRUE;
      opening->known = opening->probed ? GMCP_ERA_LEGACY : GMCP_ERA_AUTO;
      opening->probed = FALSE;
      open_transport (self);
      return TRUE;
    }

  told = g_steal_pointer (&opening->end);
  g_prefix_error (&told, "%s: ", gmcp_client_describe (self));
  gmcp_client_open_failed (self, told);
  return TRUE;
}

static void
begin_talk (GmcpClient *self)
{
  GmcpEra era = self->wanted_era != GMCP_ERA_AUTO ? self->wanted_era : self->opening->known;

  if (!self->opening->transport_ready || !self->opening->known_ready)
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
  GmcpClient *self = step->client;
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
      /* Of a connection that can be opened once only, the first end is what is of use. */
      if (self->opening->end != NULL)
        {
          g_error_free (error);
          error = g_steal_pointer (&self->opening->end);
        }
      g_prefix_error (&error, "%s: ", gmcp_client_describe (self));
      gmcp_client_open_failed (self, error);
      return;
    }

  self->opening->transport_ready = TRUE;
  if (self->opening->ended)
    {
      self->opening->ended = FALSE;
      end = g_steal_pointer (&self->opening->end);
      gmcp_client_open_transport_closed (self, end);
      return;
    }
  begin_talk (self);
}

static void
open_closed_transport (GmcpClient *self)
{
  self->opening->ended = FALSE;
  gmcp_transport_set_taker (self->transport, &gmcp_client_taker, self);
  gmcp_transport_open_async (self->transport, g_task_get_cancellable (self->opening->task),
                             on_transport_opened, step_new (self));
}

static void
on_last_connection_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Step) step = user_data;

  if (step_counts (step))
    open_transport (step->client);
}

static void
open_transport (GmcpClient *self)
{
  /* The connection before may still be on its way down. */
  if (gmcp_transport_is_closing (self->transport))
    gmcp_transport_close_async (self->transport, NULL, on_last_connection_closed, step_new (self));
  else
    open_closed_transport (self);
}

static void
on_era_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Step) step = user_data;
  GmcpClient *self = step->client;
  GmcpEra era = gmcp_era_cache_load_finish (result);

  if (!step_counts (step))
    return;
  self->opening->cached = era;
  self->opening->known = era;
  self->opening->known_ready = TRUE;
  begin_talk (self);
}

/* The last line of what the other end said outside the protocol; NULL where it said nothing. */
static char *
dup_last_words (GmcpClient *self)
{
  g_autofree char *text = gmcp_transport_dup_diagnostics (self->transport);
  const char *line;

  if (text == NULL || *g_strstrip (text) == '\0')
    return NULL;

  line = strrchr (text, '\n');
  return gmcp_protocol_shorten (line != NULL ? line + 1 : text);
}

static gboolean
on_startup_timeout (gpointer user_data)
{
  GmcpClient *self = user_data;
  g_autofree char *last_words = dup_last_words (self);
  GError *error = g_error_new (
    GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
    _ ("%s was not ready within %u ms. Is it an MCP server? Where it needs longer, raise its "
       "“startup-timeout-ms”"),
    gmcp_client_describe (self), self->startup_timeout_ms);

  if (last_words != NULL)
    {
      g_autofree char *plain = g_steal_pointer (&error->message);

      /* Translators: an error message, and the last line that the server printed */
      error->message = g_strdup_printf (_ ("%s (the last it printed was: %s)"), plain, last_words);
    }
  if (GMCP_IS_STDIO_TRANSPORT (self->transport))
    {
      g_autofree char *text
        = gmcp_stdio_transport_dup_text (GMCP_STDIO_TRANSPORT (self->transport));

      gmcp_stdio_error_add_text (error, text);
    }
  gmcp_client_open_failed (self, error);
  return G_SOURCE_REMOVE;
}

static gboolean
on_open_cancelled (GCancellable *cancellable, gpointer user_data)
{
  GmcpClient *self = g_task_get_source_object (user_data);

  gmcp_client_open_failed (
    self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("Operation was cancelled")));
  return G_SOURCE_REMOVE;
}

static void
arm_startup_timer (GmcpClient *self, guint timeout_ms)
{
  GmcpClientOpening *opening = self->opening;

  clear_source (&opening->startup_timer);
  opening->startup_timer = g_timeout_source_new (timeout_ms);
  g_source_set_static_name (opening->startup_timer, "[gmcp] start-up limit");
  g_source_set_callback (opening->startup_timer, on_startup_timeout, self, NULL);
  g_source_attach (opening->startup_timer, self->context);
}

void
gmcp_client_extend_opening (GmcpClient *self, guint more_ms)
{
  if (self->opening != NULL)
    arm_startup_timer (self, self->startup_timeout_ms > G_MAXUINT - more_ms
                               ? G_MAXUINT
                               : self->startup_timeout_ms + more_ms);
}

static void
watch_opening (GmcpClient *self)
{
  GmcpClientOpening *opening = self->opening;
  GCancellable *cancellable = g_task_get_cancellable (opening->task);

  arm_startup_timer (self, self->startup_timeout_ms);

  if (cancellable != NULL)
    {
      opening->cancel_source = g_cancellable_source_new (cancellable);
      g_source_set_static_name (opening->cancel_source, "[gmcp] opening cancelled");
      g_task_attach_source (opening->task, opening->cancel_source,
                            (GSourceFunc) G_CALLBACK (on_open_cancelled));
    }
}

/**
 * gmcp_client_open_async:
 * @self: a client that is not open
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Opens the connection: opens the transport (which starts the server where it is a process), finds
 * out which era the server speaks, and agrees on a revision.
 *
 * A connection that is being closed is waited for. It fails with [error@Gmcp.Error] `TIMED_OUT` after
 * [property@Gmcp.Client:startup-timeout-ms], with
 * `START_FAILED` or `SERVER_EXITED` where the server did not come up, and with a
 * [error@Gmcp.RpcError] where it refused. The server is stopped then.
 *
 * Spec: MCP 2026-07-28, basic/versioning; MCP 2025-11-25, basic/lifecycle.
 *
 * Since: 0.1
 */
void
gmcp_client_open_async (GmcpClient *self,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_client_open_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->state == GMCP_CLIENT_OPEN)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  if (self->state == GMCP_CLIENT_OPENING)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PENDING,
                               _ ("%s is being opened already"), gmcp_client_describe (self));
      return;
    }

  self->state = GMCP_CLIENT_OPENING;
  self->era = NULL;
  self->keeps_requests = FALSE;
  self->has_headers = gmcp_transport_has_request_streams (self->transport);
  self->offers_tasks = FALSE;
  g_clear_pointer (&self->meta_members, g_free);
  g_string_truncate (self->last_problem, 0);
  self->opening = g_new0 (GmcpClientOpening, 1);
  self->opening->serial = ++self->open_serial;
  self->opening->task = g_steal_pointer (&task);
  /* Once it is open it is open, and the one who opens has to know. */
  g_task_set_check_cancellable (self->opening->task, FALSE);
  self->opening->known_ready = self->cache_key == NULL || self->wanted_era != GMCP_ERA_AUTO;
  watch_opening (self);

  if (!self->opening->known_ready)
    gmcp_era_cache_load_async (self->cache_key, NULL, on_era_loaded, step_new (self));
  open_transport (self);
}

/**
 * gmcp_client_open_finish:
 * @self: a client
 * @result: what the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Client.open_async].
 *
 * Returns: whether the connection is open
 *
 * Since: 0.1
 */
gboolean
gmcp_client_open_finish (GmcpClient *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_client_open_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
