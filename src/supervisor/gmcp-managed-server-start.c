/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-health-check-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-preflight-private.h"
#include "gmcp-relative-words-private.h"
#include "gmcp-stdio-transport-private.h"
#include "gmcp-pending-tasks-private.h"

#include <gmcp/core/gmcp-error.h>

/* A start: the client is opened; then its tools are listed, and it is checked at the same time. All
 * that within the start-up limit. */
typedef struct
{
  grefcount ref_count;
  GmcpManagedServer *server;
  GmcpServerInstance *run;
  GCancellable *cancellable; /* tells a start that was given up from the present one */
  gboolean is_listed;
  gboolean is_checked;
} Start;

static void
start_unref (Start *start)
{
  if (!g_ref_count_dec (&start->ref_count))
    return;

  g_object_unref (start->server);
  gmcp_server_instance_unref (start->run);
  g_object_unref (start->cancellable);
  g_free (start);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Start, start_unref)

static Start *
start_ref (Start *start)
{
  g_ref_count_inc (&start->ref_count);
  return start;
}

void
gmcp_managed_server_forget_start (GmcpManagedServer *self)
{
  if (self->start_limit != NULL)
    g_source_destroy (self->start_limit);
  g_clear_pointer (&self->start_limit, g_source_unref);
}

GError *
gmcp_managed_server_lacking_error (GmcpManagedServer *self)
{
  const char *searched = gmcp_server_host_get_node_searched (&self->host);

  if (searched == NULL || gmcp_preflight_has_own_path (self->config)
      || !gmcp_preflight_needs_node (self->config, searched))
    return NULL;

  return gmcp_preflight_node_error (self->config, searched);
}

gboolean
gmcp_managed_server_lacks_node (GmcpManagedServer *self)
{
  return self->state == GMCP_SERVER_STATE_FAILED && self->lacks_node
         && gmcp_server_config_get_start (self->config) != GMCP_SERVER_START_MANUAL;
}

gboolean
gmcp_managed_server_forget_lack (GmcpManagedServer *self)
{
  if (!gmcp_managed_server_lacks_node (self))
    return FALSE;

  self->lacks_node = FALSE;
  self->was_tried = FALSE;
  self->failed_us = 0;
  return TRUE;
}

void
gmcp_managed_server_look_again (GmcpManagedServer *self)
{
  gmcp_server_host_forget_node (&self->host);
}

/* The host has told of what is missing, for all servers that need it. */
static gboolean
is_lack_told (GmcpManagedServer *self, const GError *error)
{
  return g_error_matches (error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING)
         && (self->run == NULL || gmcp_server_instance_get_lack_told (self->run));
}

static gboolean
lacks_command (GmcpManagedServer *self)
{
  GmcpTransport *transport
    = self->run != NULL ? gmcp_client_get_transport (gmcp_server_instance_get_client (self->run))
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
    return gmcp_preflight_dup_hint (self->config);

  word = gmcp_relative_words_find (self->config, 0);
  return word != GMCP_NO_RELATIVE_WORD ? gmcp_relative_words_describe (self->config, word) : NULL;
}

/* Whoever started it learns that the start failed, and why; what needs the user's hand stays apart. */
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
                           gmcp_managed_server_get_title (self), error->message);

  if (hint != NULL && g_error_matches (dressed, GMCP_ERROR, GMCP_ERROR_START_FAILED))
    {
      g_autofree char *message = dressed->message;

      dressed->message = g_strdup_printf ("%s (%s)", message, hint);
    }
  dressed->message = gmcp_managed_server_redact (self, dressed->message);
  return dressed;
}

/* Whoever waited is told when nothing is left of the process. */
static void
tell_starters (GmcpManagedServer *self, GQueue *starters, const GError *error)
{
  if (self->leaving == NULL)
    {
      gmcp_pending_tasks_settle (starters, error);
      return;
    }

  gmcp_pending_tasks_move (starters, &self->failed);
  g_clear_error (&self->failed_error);
  self->failed_error = g_error_copy (error);
}

static void
start_failed (GmcpManagedServer *self, const GError *error)
{
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  g_autoptr (GError) told = dress_error (self, error);
  GQueue starters = { NULL, NULL, 0 };
  guint delay_ms = 0;
  gboolean is_told = is_lack_told (self, told);
  GmcpServerEvent event = gmcp_managed_server_judge_failure (self, told, &delay_ms);

  self->lacks_node = is_told;
  /* Whoever asks from now on asks for another start. */
  gmcp_pending_tasks_move (&self->starters, &starters);
  self->start_wanted = FALSE;
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_last_error (self, told);
  gmcp_managed_server_note_failure (self, told);
  if (self->run != NULL)
    {
      self->is_forced = self->start_timed_out;
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
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  g_autoptr (GmcpServerInstance) run = gmcp_server_instance_ref (self->run);
  g_autoptr (GError) stopped = NULL;
  GmcpClient *client = gmcp_server_instance_get_client (run);
  gboolean changed = gmcp_tool_snapshot_take (self->snapshot, self->config, client);
  guint n_tools = gmcp_managed_server_get_tools_count (self);
  /* It failed before, and was started again without its user's help. */
  gboolean recovered = self->is_kept_up && self->last_error != NULL;
  GQueue starters = { NULL, NULL, 0 };

  /* Whoever comes while this is told of is not part of it: the server may be stopped then. */
  gmcp_pending_tasks_move (&self->starters, &starters);
  gmcp_tool_snapshot_complete (self->snapshot, client);
  self->is_kept_up = TRUE;
  g_clear_object (&self->starting);
  gmcp_managed_server_forget_start (self);
  gmcp_managed_server_keep_tools (self);
  gmcp_managed_server_watch_health (self);
  gmcp_managed_server_watch_idle (self);
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_last_error (self, NULL);
  gmcp_managed_server_note_failure (self, NULL);
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
  if (recovered && self->run == run)
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO, _ ("Server “%s” recovered"),
                                gmcp_managed_server_get_title (self));
  if (self->run != run)
    stopped = g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_RUNNING,
                           _ ("Server “%s” was stopped as soon as it was ready"),
                           gmcp_managed_server_get_title (self));
  gmcp_pending_tasks_settle (&starters, stopped);
}

/* Takes the error of one step, or NULL where it was done. */
static void
step_done (Start *start, GError *step_error)
{
  GmcpManagedServer *self = start->server;
  g_autoptr (GError) error = step_error;
  GmcpClient *client = gmcp_server_instance_get_client (start->run);

  if (self->starting != start->cancellable)
    return;

  if (error == NULL)
    {
      if (start->is_listed && start->is_checked)
        became_ready (self);
      return;
    }

  if (self->start_timed_out)
    {
      g_clear_error (&error);
      error = g_error_new (
        GMCP_ERROR, GMCP_ERROR_START_FAILED,
        start->is_listed
          ? _ ("Server “%s” did not pass a health check within %u ms of its start: raise its "
               "start-up time limit, or look at what it waits for")
          : _ ("Server “%s” did not list its tools within %u ms of its start: raise its start-up "
               "time limit, or look at what it waits for"),
        gmcp_managed_server_get_title (self), gmcp_client_get_startup_timeout_ms (client));
    }
  start_failed (self, error);
}

static void
on_listed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Start) start = data;
  g_autoptr (GListModel) tools = NULL;
  GError *error = NULL;

  tools = gmcp_client_list_tools_finish (GMCP_CLIENT (object), result, &error);
  start->is_listed = tools != NULL;
  step_done (start, error);
}

/* What came of the check says why, but not of what. */
static GError *
dress_check_error (Start *start, GError *error)
{
  GError *dressed;

  /* A server that is gone, or wants a sign-in, failed no check. */
  if (error == NULL || error->domain == GMCP_AUTH_ERROR || start->server->start_timed_out
      || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG)
      || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED)
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      || !gmcp_client_is_open (gmcp_server_instance_get_client (start->run)))
    return error;

  dressed = g_error_new (GMCP_ERROR, GMCP_ERROR_START_FAILED,
                         _ ("Server “%s” failed the health check of its start: %s"),
                         gmcp_managed_server_get_title (start->server), error->message);
  g_error_free (error);
  return dressed;
}

static void
on_checked (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Start) start = data;
  GError *error = NULL;

  start->is_checked = gmcp_health_check_finish (result, &error);
  step_done (start, dress_check_error (start, error));
}

static gboolean
on_start_limit (gpointer data)
{
  GmcpManagedServer *self = data;

  g_clear_pointer (&self->start_limit, g_source_unref);
  self->start_timed_out = TRUE;
  g_cancellable_cancel (self->starting);
  return G_SOURCE_REMOVE;
}

static void
limit_rest (GmcpManagedServer *self, GmcpClient *client)
{
  gint64 due_us = self->start_us + gmcp_client_get_startup_timeout_ms (client) * (gint64) 1000;

  self->start_limit = g_timeout_source_new (0);
  g_source_set_ready_time (self->start_limit, due_us);
  g_source_set_static_name (self->start_limit, "[gmcp] server's start");
  g_source_set_callback (self->start_limit, on_start_limit, self, NULL);
  g_source_attach (self->start_limit, self->context);
}

static void
on_opened (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Start) start = data;
  GmcpManagedServer *self = start->server;
  GmcpClient *client = GMCP_CLIENT (object);
  g_autoptr (GError) error = NULL;
  gboolean opened = gmcp_server_instance_open_finish (client, result, &error);
  int pid;

  if (self->starting != start->cancellable)
    return;

  if (!opened)
    {
      self->start_timed_out = g_error_matches (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
      start_failed (self, error);
      return;
    }

  pid = gmcp_managed_server_get_pid (self);
  if (pid > 0)
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO, _ ("Server “%s” started (PID %d)"),
                                gmcp_managed_server_get_title (self), pid);
  if (self->starting != start->cancellable)
    return;

  gmcp_answer_cache_begin (self->answers, self->config, client);
  limit_rest (self, client);
  g_main_context_push_thread_default (self->context);
  gmcp_client_list_tools_async (client, start->cancellable, on_listed, start_ref (start));
  gmcp_health_check_async (self->config, start->run, gmcp_client_get_startup_timeout_ms (client),
                           start->cancellable, on_checked, start_ref (start));
  g_main_context_pop_thread_default (self->context);
}

static void
on_client_closed (GmcpClient *client, const GError *error, gpointer data)
{
  g_autoptr (GmcpManagedServer) self = g_object_ref (GMCP_MANAGED_SERVER (data));
  g_autoptr (GError) reason = NULL;

  /* While it starts, the step that is under way fails, and says so. */
  if (!gmcp_server_state_is_up (self->state))
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

static GmcpServerInstance *
make_run (GmcpManagedServer *self, GError **error)
{
  GmcpServerInstance *run = gmcp_server_instance_new (self->config, self->context, error);
  GmcpClient *client;

  if (run == NULL)
    return NULL;

  client = gmcp_server_instance_get_client (run);
  gmcp_server_instance_set_limits (run, self->config, &self->limits);
  if (self->client_name != NULL)
    {
      g_autoptr (GmcpImplementation) info
        = gmcp_implementation_new (self->client_name, GMCP_VERSION);

      gmcp_client_set_client_info (client, info);
    }

  gmcp_managed_server_log_output (self, client);
  gmcp_answer_cache_attach (self->answers, client);
  gmcp_managed_server_watch_input (self, client);
  g_signal_connect (client, "closed", G_CALLBACK (on_client_closed), self);
  gmcp_managed_server_watch_tools (self, client);
  gmcp_server_install_watch (gmcp_server_instance_get_install (run), gmcp_managed_server_on_install,
                             self);
  return run;
}

void
gmcp_managed_server_begin_start (GmcpManagedServer *self)
{
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  g_autoptr (GError) error = NULL;
  Start *start;

  gmcp_managed_server_forget_retry (self);
  self->start_wanted = FALSE;
  self->start_timed_out = FALSE;
  self->ready_us = 0;
  self->was_tried = TRUE;
  error = gmcp_managed_server_lacking_error (self);
  self->run = error == NULL ? make_run (self, &error) : NULL;
  if (self->run == NULL)
    {
      gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_START);
      start_failed (self, error);
      return;
    }

  self->starting = g_cancellable_new ();
  self->start_us = g_get_monotonic_time ();
  start = g_new0 (Start, 1);
  g_ref_count_init (&start->ref_count);
  start->server = g_object_ref (self);
  start->run = gmcp_server_instance_ref (self->run);
  start->cancellable = g_object_ref (self->starting);

  g_main_context_push_thread_default (self->context);
  gmcp_server_instance_open_async (start->run, self->config, &self->host, start->cancellable,
                                   on_opened, start);
  g_main_context_pop_thread_default (self->context);
  gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_START);
  gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                              gmcp_server_config_get_url (self->config) == NULL
                                ? _ ("Starting server “%s”")
                                : _ ("Connecting to server “%s”"),
                              gmcp_managed_server_get_title (self));
}
