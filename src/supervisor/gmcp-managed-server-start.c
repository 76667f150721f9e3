/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-client-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-health-private.h"
#include "gmcp-managed-server-idle-private.h"
#include "gmcp-managed-server-input-private.h"
#include "gmcp-managed-server-install-private.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-managed-server-news-private.h"
#include "gmcp-managed-server-parts-private.h"
#include "gmcp-managed-server-restart-private.h"
#include "gmcp-managed-server-sharing-private.h"
#include "gmcp-managed-server-start-private.h"
#include "gmcp-managed-server-statistics-private.h"
#include "gmcp-managed-server-tools-private.h"
#include "gmcp-preflight-private.h"
#include "gmcp-relative-words-private.h"
#include "gmcp-stdio-transport-private.h"
#include "gmcp-pending-tasks-private.h"
#include "gmcp-transport-private.h"

#include <gmcp/core/gmcp-error.h>

/* Starting a server, and what becomes of that. */

GError *
gmcp_managed_server_lacking_error (GmcpManagedServer *self)
{
  const GmcpServerHost *host = gmcp_managed_server_get_host (self);
  const char *searched = gmcp_server_host_get_node_searched (host);
  g_autofree char *words = NULL;

  if (searched == NULL || gmcp_preflight_has_own_path (gmcp_managed_server_get_config (self))
      || !gmcp_preflight_needs_node (gmcp_managed_server_get_config (self), searched))
    return NULL;

  words = gmcp_server_host_dup_start_words (host, gmcp_managed_server_get_id (self));
  return gmcp_preflight_node_error (gmcp_managed_server_get_config (self), words, searched);
}

gboolean
gmcp_managed_server_lacks_node (GmcpManagedServer *self)
{
  return gmcp_server_life_get_state (gmcp_managed_server_get_life (self))
           == GMCP_SERVER_STATE_FAILED
         && gmcp_restart_policy_lacks_node (gmcp_managed_server_get_restart_policy (self))
         && gmcp_server_config_get_start (gmcp_managed_server_get_config (self))
              != GMCP_SERVER_START_MANUAL;
}

gboolean
gmcp_managed_server_forget_lack (GmcpManagedServer *self)
{
  if (!gmcp_managed_server_lacks_node (self))
    return FALSE;

  gmcp_restart_policy_forget_lack (gmcp_managed_server_get_restart_policy (self));
  return TRUE;
}

void
gmcp_managed_server_look_again (GmcpManagedServer *self)
{
  gmcp_server_host_forget_node (gmcp_managed_server_get_host (self));
}

/* The host has told of what is missing, for all servers that need it. */
static gboolean
is_lack_told (GmcpManagedServer *self, const GError *error)
{
  GmcpServerInstance *instance = gmcp_managed_server_get_instance (self);

  return g_error_matches (error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING)
         && (instance == NULL || gmcp_server_instance_get_lack_told (instance));
}

static gboolean
lacks_command (GmcpManagedServer *self)
{
  GmcpServerInstance *instance = gmcp_managed_server_get_instance (self);
  GmcpTransport *transport
    = instance != NULL ? gmcp_client_get_transport (gmcp_server_instance_get_client (instance))
                       : NULL;

  return transport != NULL && GMCP_IS_STDIO_TRANSPORT (transport)
         && gmcp_stdio_transport_lacks_command (GMCP_STDIO_TRANSPORT (transport));
}

/* What may have kept the program from starting, as far as the configuration shows it; or NULL. */
static char *
dup_hint (GmcpManagedServer *self)
{
  guint word;

  if (lacks_command (self))
    return gmcp_preflight_dup_hint (gmcp_managed_server_get_config (self));

  word = gmcp_relative_words_find (gmcp_managed_server_get_config (self), 0);
  return word != GMCP_NO_RELATIVE_WORD
           ? gmcp_relative_words_describe (gmcp_managed_server_get_config (self), word)
           : NULL;
}

/* The message without the name of the server, with which its connection begins it. */
static const char *
skip_name (GmcpManagedServer *self, const char *message)
{
  const char *const names[]
    = { gmcp_managed_server_get_title (self), gmcp_managed_server_get_id (self) };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gsize length = strlen (names[i]);

      if (g_str_has_prefix (message, names[i]) && g_str_has_prefix (message + length, ": "))
        return message + length + strlen (": ");
    }
  return message;
}

/* The hint belongs to the first paragraph. */
static char *
add_hint (const char *message, const char *hint)
{
  const char *rest = strstr (message, "\n\n");
  gsize length = rest != NULL ? (gsize) (rest - message) : strlen (message);

  return g_strdup_printf ("%.*s (%s)%s", (int) length, message, hint, rest != NULL ? rest : "");
}

/* The starter's error says that the start failed, and why; errors that need the user keep their
 * code. */
static GError *
dress_error (GmcpManagedServer *self, const GError *error)
{
  g_autofree char *hint = dup_hint (self);
  GError *dressed;

  if (error->domain == GMCP_AUTH_ERROR
      || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG)
      || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED)
      || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING)
      || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_START_FAILED))
    dressed = g_error_copy (error);
  else
    dressed = g_error_new (GMCP_ERROR, GMCP_ERROR_START_FAILED, _ ("Server “%s” did not start: %s"),
                           gmcp_managed_server_get_title (self), skip_name (self, error->message));

  if (hint != NULL && g_error_matches (dressed, GMCP_ERROR, GMCP_ERROR_START_FAILED))
    {
      g_autofree char *message = dressed->message;

      dressed->message = add_hint (message, hint);
    }
  dressed->message = gmcp_managed_server_redact (self, dressed->message);
  return dressed;
}

/* Starters are told when nothing is left of the process. */
static void
tell_starters (GmcpManagedServer *self, GQueue *starters, const GError *error)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);

  if (gmcp_server_life_get_leaving (life) == NULL)
    {
      gmcp_pending_tasks_settle (starters, error);
      return;
    }

  gmcp_server_life_hold_failed (life, starters, error);
}

/* Whether the server could not be reached, or ended, before it said anything. */
static gboolean
is_of_connection (GmcpClient *client, const GError *error)
{
  return gmcp_client_get_n_heard (client) == 0 && error->domain != GMCP_AUTH_ERROR
         && error->domain != GMCP_RPC_ERROR
         && !g_error_matches (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT)
         && !g_error_matches (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL)
         && !g_error_matches (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED)
         && gmcp_client_get_opening_times (client)->talk_us != 0;
}

static gboolean
was_unasked (GmcpManagedServer *self)
{
  GmcpServerInstance *instance = gmcp_managed_server_get_instance (self);

  return instance != NULL && gmcp_server_instance_was_unasked (instance);
}

static void
trace_failure (GmcpManagedServer *self, const GError *error)
{
  GmcpStartTrace *trace = gmcp_server_life_get_trace (gmcp_managed_server_get_life (self));
  GmcpServerInstance *instance = gmcp_managed_server_get_instance (self);
  GmcpClient *client = instance != NULL ? gmcp_server_instance_get_client (instance) : NULL;
  char *output
    = client != NULL ? gmcp_transport_dup_diagnostics (gmcp_client_get_transport (client)) : NULL;

  if (lacks_command (self))
    gmcp_start_trace_fail_at (trace, GMCP_SERVER_STEP_PROGRAM);
  else if (client != NULL && is_of_connection (client, error))
    gmcp_start_trace_fail_at (trace, GMCP_SERVER_STEP_CONNECTION);
  gmcp_start_trace_fail (trace, error,
                         output != NULL ? gmcp_managed_server_redact (self, output) : NULL);
}

/* What is wrong with the process that is shared says nothing of one of the host's own: who waits goes on waiting. */
static void
leave_bad_process (GmcpManagedServer *self, const GError *error)
{
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  g_autoptr (GError) told = dress_error (self, error);

  trace_failure (self, error);
  gmcp_server_life_set_shared_failure (gmcp_managed_server_get_life (self), told->message);
  gmcp_managed_server_let_go (self, 0, GMCP_SERVER_EVENT_RETRY);
  /* A listener may have stopped the server. */
  if (gmcp_managed_server_get_state (self) == GMCP_SERVER_STATE_BACKING_OFF)
    gmcp_managed_server_want_start (self);
}

static void
start_failed (GmcpManagedServer *self, const GError *error)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  g_autoptr (GError) told = dress_error (self, error);
  GQueue starters = { NULL, NULL, 0 };
  guint delay_ms = 0;
  gboolean is_told = is_lack_told (self, told);
  GmcpRestartPolicy *restarts = gmcp_managed_server_get_restart_policy (self);
  GmcpServerEvent event
    = gmcp_restart_policy_judge_start (restarts, gmcp_managed_server_get_config (self),
                                       gmcp_managed_server_get_limits (self), told, &delay_ms);

  /* The next one who needs the server may be asked. */
  if (was_unasked (self))
    gmcp_restart_policy_forget_failure (restarts);
  trace_failure (self, error);
  gmcp_server_life_set_shared_failure (life, NULL);
  gmcp_restart_policy_set_lacks_node (restarts, is_told);
  /* Later requests are for another start. */
  gmcp_managed_server_take_starters (self, &starters);
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_last_error (self, told);
  gmcp_managed_server_note_failure (self, told);
  if (gmcp_server_life_get_instance (life) != NULL)
    {
      if (gmcp_server_life_get_attempt (life) != NULL
          && gmcp_start_attempt_has_timed_out (gmcp_server_life_get_attempt (life)))
        gmcp_server_instance_force (gmcp_server_life_get_instance (life));
      gmcp_managed_server_let_go (self, 0, event);
    }
  else
    {
      gmcp_managed_server_take_event (self, event);
    }
  g_object_thaw_notify (G_OBJECT (self));

  if (event == GMCP_SERVER_EVENT_RETRY)
    gmcp_managed_server_arm_retry (self, delay_ms);
  if (event == GMCP_SERVER_EVENT_FAIL)
    gmcp_managed_server_tell_of_failure (
      self, is_told ? GMCP_NOTICE_LEVEL_INFO : GMCP_NOTICE_LEVEL_WARNING, told);
  else
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_WARNING, "%s", told->message);
  if (event == GMCP_SERVER_EVENT_RETRY)
    gmcp_managed_server_tell_of_retry (self, delay_ms);
  tell_starters (self, &starters, told);
}

static void
became_ready (GmcpManagedServer *self)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  g_autoptr (GmcpServerInstance) instance
    = gmcp_server_instance_ref (gmcp_server_life_get_instance (life));
  g_autoptr (GError) stopped = NULL;
  GmcpClient *client = gmcp_server_instance_get_client (instance);
  gboolean changed = gmcp_tool_snapshot_take (gmcp_managed_server_get_snapshot (self),
                                              gmcp_managed_server_get_config (self), client);
  guint n_tools = gmcp_managed_server_get_tools_count (self);
  /* The server failed before, and was started again without its user's help. */
  gboolean recovered = gmcp_restart_policy_succeed (gmcp_managed_server_get_restart_policy (self))
                       && gmcp_server_life_get_last_error (life) != NULL;
  GQueue starters = { NULL, NULL, 0 };

  /* Starters that come while listeners run wait for themselves: the server may be stopped then. */
  gmcp_pending_tasks_move (gmcp_server_life_get_starters (life), &starters);
  gmcp_tool_snapshot_complete (gmcp_managed_server_get_snapshot (self), client);
  gmcp_server_life_end_attempt (life);
  gmcp_server_life_set_shared_failure (life, NULL);
  gmcp_managed_server_keep_tools (self);
  /* Nobody is told of anything, who might stop the server, before all of it is so. */
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_watch_health (self);
  gmcp_managed_server_watch_idle (self);
  gmcp_managed_server_set_last_error (self, NULL);
  gmcp_managed_server_note_ready (self);
  gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_READY);
  g_object_thaw_notify (G_OBJECT (self));

  if (changed)
    gmcp_managed_server_tools_changed (self);
  gmcp_managed_server_refresh_awaited (self);
  gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                              /* TRANSLATORS: a server’s name, a date, a number */
                              g_dngettext (GETTEXT_PACKAGE, "Server “%s” is ready: MCP %s, %u tool",
                                           "Server “%s” is ready: MCP %s, %u tools", n_tools),
                              gmcp_managed_server_get_title (self),
                              gmcp_client_get_protocol_version (client), n_tools);
  if (recovered && gmcp_server_life_get_instance (life) == instance)
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO, _ ("Server “%s” recovered"),
                                gmcp_managed_server_get_title (self));
  if (gmcp_server_life_get_instance (life) != instance)
    stopped = g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_RUNNING,
                           _ ("Server “%s” was stopped as soon as it was ready"),
                           gmcp_managed_server_get_title (self));
  gmcp_pending_tasks_settle (&starters, stopped);
}

static void
tell_of_process (GmcpManagedServer *self)
{
  GmcpServerSharing *sharing
    = gmcp_server_instance_get_sharing (gmcp_managed_server_get_instance (self));
  g_autofree char *reason = g_strdup (gmcp_server_sharing_get_reason (sharing));
  int pid = gmcp_managed_server_get_pid (self);

  if (gmcp_server_sharing_is_shared (sharing))
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                                _ ("Server “%s” is shared with other programs: gmcpd runs it"),
                                gmcp_managed_server_get_title (self));
  else if (reason != NULL)
    gmcp_managed_server_notice (
      self, GMCP_NOTICE_LEVEL_INFO,
      /* Translators: a server, and why another process cannot be used */
      _ ("Server “%s” has a process of its own, as that of gmcpd cannot be used: %s"),
      gmcp_managed_server_get_title (self), reason);
  if (pid > 0)
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO, _ ("Server “%s” started (PID %d)"),
                                gmcp_managed_server_get_title (self), pid);
}

static void
on_start_opened (GObject *owner, GmcpClient *client)
{
  GmcpManagedServer *self = GMCP_MANAGED_SERVER (owner);
  GmcpServerLife *life = gmcp_managed_server_get_life (self);
  GmcpStartAttempt *attempt = gmcp_server_life_get_attempt (life);

  tell_of_process (self);
  if (gmcp_server_life_get_attempt (life) == attempt)
    gmcp_answer_cache_begin (gmcp_managed_server_get_answers (self),
                             gmcp_managed_server_get_config (self), client);
}

static void
on_start_ended (GObject *owner, const GError *error)
{
  GmcpManagedServer *self = GMCP_MANAGED_SERVER (owner);

  if (error != NULL && gmcp_managed_server_is_shared (self))
    leave_bad_process (self, error);
  else if (error != NULL)
    start_failed (self, error);
  else
    became_ready (self);
}

static const GmcpStartFuncs start_funcs = {
  .opened = on_start_opened,
  .ended = on_start_ended,
};

static void
on_client_closed (GmcpClient *client, const GError *error, gpointer data)
{
  g_autoptr (GmcpManagedServer) self = g_object_ref (GMCP_MANAGED_SERVER (data));
  g_autoptr (GError) reason = NULL;

  /* While the server starts, the step that is under way fails with its own error. */
  if (!gmcp_server_state_is_up (gmcp_server_life_get_state (gmcp_managed_server_get_life (self))))
    return;

  reason = error != NULL
             ? g_error_copy (error)
             : g_error_new (GMCP_ERROR, GMCP_ERROR_CLOSED, _ ("The connection to %s was closed"),
                            gmcp_managed_server_get_title (self));
  gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_ERROR,
                              _ ("Server “%s” ended unexpectedly: %s"),
                              gmcp_managed_server_get_title (self), reason->message);
  gmcp_managed_server_recover (self, reason);
}

static void
on_process (GmcpServerInstance *instance, gpointer data)
{
  gmcp_managed_server_process_changed (data);
}

static GmcpServerInstance *
make_instance (GmcpManagedServer *self, GError **error)
{
  GmcpServerInstance *instance = gmcp_server_instance_new (
    gmcp_managed_server_get_config (self), gmcp_managed_server_get_context (self), error);
  GmcpClient *client;

  if (instance == NULL)
    return NULL;

  client = gmcp_server_instance_get_client (instance);
  gmcp_managed_server_prepare_sharing (self, instance);
  gmcp_client_set_asks_by_call (
    client, gmcp_server_host_offers_any_era (gmcp_managed_server_get_host (self),
                                             gmcp_managed_server_get_config (self)));
  gmcp_server_instance_set_limits (instance, gmcp_managed_server_get_config (self),
                                   gmcp_managed_server_get_limits (self));
  if (gmcp_managed_server_get_client_name (self) != NULL)
    {
      g_autoptr (GmcpImplementation) info
        = gmcp_implementation_new (gmcp_managed_server_get_client_name (self), GMCP_VERSION);

      gmcp_client_set_client_info (client, info);
    }

  gmcp_managed_server_log_output (self, client);
  gmcp_answer_cache_attach (gmcp_managed_server_get_answers (self), client);
  gmcp_managed_server_watch_input (self, client);
  g_signal_connect (client, "closed", G_CALLBACK (on_client_closed), self);
  g_signal_connect_swapped (client, "notify::server-info",
                            G_CALLBACK (gmcp_managed_server_peer_changed), self);
  gmcp_managed_server_watch_tools (self, client);
  gmcp_server_install_watch (gmcp_server_instance_get_install (instance),
                             gmcp_managed_server_on_install, self);
  gmcp_server_instance_watch_process (instance, on_process, self);
  return instance;
}

void
gmcp_managed_server_begin_start (GmcpManagedServer *self)
{
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  GmcpServerLife *life = gmcp_managed_server_get_life (self);
  GmcpStartTrace *trace = gmcp_start_trace_new ();
  GmcpServerInstance *instance;
  g_autoptr (GError) error = NULL;

  gmcp_restart_policy_begin (gmcp_managed_server_get_restart_policy (self));
  gmcp_server_life_set_wants_start (life, FALSE);
  gmcp_server_life_take_trace (life, trace);
  gmcp_start_trace_enter (trace, GMCP_SERVER_STEP_CONFIGURATION);
  error = gmcp_managed_server_lacking_error (self);
  if (error != NULL)
    gmcp_start_trace_enter (trace, GMCP_SERVER_STEP_PROGRAM);
  instance = error == NULL ? make_instance (self, &error) : NULL;
  if (instance == NULL)
    {
      gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_START);
      start_failed (self, error);
      return;
    }

  gmcp_server_instance_set_trace (instance, trace);
  gmcp_server_life_take_instance (life, instance);
  gmcp_server_life_take_attempt (
    life, gmcp_start_attempt_begin (G_OBJECT (self), gmcp_managed_server_get_context (self),
                                    instance, gmcp_managed_server_get_config (self),
                                    gmcp_managed_server_get_host (self), &start_funcs));
  gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_START);
  gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                              gmcp_server_config_get_url (gmcp_managed_server_get_config (self))
                                  == NULL
                                ? _ ("Starting server “%s”")
                                : _ ("Connecting to server “%s”"),
                              gmcp_managed_server_get_title (self));
}
