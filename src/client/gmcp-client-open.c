/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-client-era-private.h"
#include "gmcp-capabilities-private.h"
#include "gmcp-era-cache-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-implementation-private.h"

/* Finding the era. The probe comes first, unless it is known that the server is a legacy one. After
 * an answer that is not a modern one, or silence, the same connection is opened the legacy way; a
 * server that ended at the probe is started once more for it. */

struct _GmcpClientOpening
{
  GTask *task;
  GSource *startup_timer;
  GSource *probe_timer;
  GSource *cancel_source;
  GmcpEra known; /* from the cache */
  gboolean transport_ready;
  gboolean known_ready;
  gboolean reopened;
  gboolean probed;
  GError *legacy_error; /* why opening by what the cache said has failed */
};

static void begin_talk (GmcpClient *self);
static void open_transport (GmcpClient *self);

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

static void
opened (GmcpClient *self)
{
  static const char *const names[]
    = { "open", "era", "protocol-version", "server-info", "server-capabilities", "instructions" };
  gboolean new_verdict = self->wanted_era == GMCP_ERA_AUTO && self->opening->known != self->era->id;
  g_autoptr (GTask) task = settle (self, GMCP_CLIENT_OPEN);

  if (new_verdict && self->cache_key != NULL)
    gmcp_era_cache_save (self->cache_key, self->era->id);

  g_debug ("%s speaks MCP %s", gmcp_client_describe (self), self->protocol_version);
  g_object_freeze_notify (G_OBJECT (self));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_object_notify (G_OBJECT (self), names[i]);
  g_object_thaw_notify (G_OBJECT (self));

  g_task_return_boolean (task, TRUE);
}

void
gmcp_client_open_failed (GmcpClient *self, GError *error)
{
  g_autoptr (GTask) task = settle (self, GMCP_CLIENT_CLOSED);

  gmcp_transport_set_taker (self->transport, NULL, NULL);
  gmcp_client_fail_all (self, error);
  gmcp_transport_close_async (self->transport, NULL, NULL, NULL);
  g_task_return_error (task, error);
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
start_probe (GmcpClient *self, gboolean may_be_legacy)
{
  GmcpClientOpening *opening = self->opening;

  opening->probed = TRUE;
  if (may_be_legacy)
    {
      opening->probe_timer = g_timeout_source_new (self->probe_timeout_ms);
      g_source_set_static_name (opening->probe_timer, "[gmcp] era probe");
      g_source_set_callback (opening->probe_timer, on_probe_silent, self, NULL);
      g_source_attach (opening->probe_timer, self->context);
    }
  gmcp_client_modern_discover (self);
}

void
gmcp_client_open_modern (GmcpClient *self)
{
  opened (self);
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
      gmcp_client_open_failed (self, g_steal_pointer (&opening->legacy_error));
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

void
gmcp_client_open_not_initialized (GmcpClient *self, GError *why)
{
  GmcpClientOpening *opening = self->opening;

  if (self->wanted_era == GMCP_ERA_AUTO && !opening->probed)
    {
      opening->known = GMCP_ERA_AUTO;
      opening->legacy_error = why;
      start_probe (self, TRUE);
      return;
    }

  g_prefix_error (&why, _ ("%s refused to start a session: "), gmcp_client_describe (self));
  gmcp_client_open_failed (self, why);
}

gboolean
gmcp_client_open_transport_closed (GmcpClient *self, const GError *error)
{
  GmcpClientOpening *opening = self->opening;
  gboolean probing = self->probe != NULL;
  gboolean by_cache;

  if (self->state != GMCP_CLIENT_OPENING)
    return FALSE;
  if (!opening->transport_ready)
    return TRUE; /* open_finish() tells. */

  by_cache = self->initialize != NULL && !opening->probed;
  drop_openers (self);
  clear_source (&opening->probe_timer);
  opening->transport_ready = FALSE;
  if (!opening->reopened && self->wanted_era == GMCP_ERA_AUTO && (probing || by_cache))
    {
      g_debug ("%s ended while the era was being found, and is started again",
               gmcp_client_describe (self));
      opening->reopened = TRUE;
      opening->known = probing ? GMCP_ERA_LEGACY : GMCP_ERA_AUTO;
      open_transport (self);
      return TRUE;
    }

  if (error != NULL)
    {
      GError *told = g_error_copy (error);

      g_prefix_error (&told, "%s: ", gmcp_client_describe (self));
      gmcp_client_open_failed (self, told);
    }
  else
    gmcp_client_open_failed (self, g_error_new (GMCP_ERROR, GMCP_ERROR_CLOSED,
                                                _ ("%s closed the connection before it was open"),
                                                gmcp_client_describe (self)));
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
    start_probe (self, era == GMCP_ERA_AUTO);
}

static void
on_transport_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GmcpClient) self = user_data;
  GError *error = NULL;

  if (!gmcp_transport_open_finish (GMCP_TRANSPORT (source), result, &error))
    {
      if (self->opening == NULL || self->opening->transport_ready)
        {
          g_error_free (error);
          return;
        }
      g_prefix_error (&error, "%s: ", gmcp_client_describe (self));
      gmcp_client_open_failed (self, error);
      return;
    }
  if (self->opening == NULL)
    return;

  self->opening->transport_ready = TRUE;
  begin_talk (self);
}

static void
open_transport (GmcpClient *self)
{
  gmcp_transport_open_async (self->transport, g_task_get_cancellable (self->opening->task),
                             on_transport_opened, g_object_ref (self));
}

static void
on_era_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GmcpClient) self = user_data;
  GmcpEra era = gmcp_era_cache_load_finish (result);

  if (self->opening == NULL || self->opening->known_ready)
    return;
  self->opening->known = era;
  self->opening->known_ready = TRUE;
  begin_talk (self);
}

static gboolean
on_startup_timeout (gpointer user_data)
{
  GmcpClient *self = user_data;
  GError *error
    = g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                   _ ("%s was not ready within %u ms; the start-up limit can be raised in "
                      "the server's settings"),
                   gmcp_client_describe (self), self->startup_timeout_ms);

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
watch_opening (GmcpClient *self)
{
  GmcpClientOpening *opening = self->opening;
  GCancellable *cancellable = g_task_get_cancellable (opening->task);

  opening->startup_timer = g_timeout_source_new (self->startup_timeout_ms);
  g_source_set_static_name (opening->startup_timer, "[gmcp] start-up limit");
  g_source_set_callback (opening->startup_timer, on_startup_timeout, self, NULL);
  g_source_attach (opening->startup_timer, self->context);

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
 * It fails with [error@Gmcp.Error] `TIMED_OUT` after [property@Gmcp.Client:startup-timeout-ms], with
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
  g_clear_pointer (&self->meta_members, g_free);
  g_string_truncate (self->last_problem, 0);
  self->opening = g_new0 (GmcpClientOpening, 1);
  self->opening->task = g_steal_pointer (&task);
  self->opening->known_ready = self->cache_key == NULL || self->wanted_era != GMCP_ERA_AUTO;
  watch_opening (self);
  gmcp_transport_set_taker (self->transport, &gmcp_client_taker, self);

  if (!self->opening->known_ready)
    gmcp_era_cache_load_async (self->cache_key, NULL, on_era_loaded, g_object_ref (self));
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
