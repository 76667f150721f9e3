/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "host-calls.h"

#include <string.h>

/* The longest that a call may take by what is promised: two starts, each after the one before has left
 * and a wait for its turn, a check of health, and the call's own time. */
#define LONGEST_MS  80000
#define N_WORKERS   12
#define N_OPERATORS 2

typedef struct
{
  HostCalls *calls;
  CallKind *kind;   /* NULL for what is no call */
  const char *name; /* of an operation */
  GCancellable *cancellable;
  GSource *cancel;
  gint64 begun_us;
  gboolean was_cancelled;
  gboolean repeats;
} Pending;

static void begin_call (HostCalls *self, CallKind *kind, gboolean repeats);
static void begin_operation (HostCalls *self);

void
host_calls_fail (HostCalls *self, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_printerr ("WRONG: %s\n", message);
  self->n_failures++;
}

static gboolean
do_nothing (gpointer data)
{
  return G_SOURCE_REMOVE;
}

void
host_wait_a_little (void)
{
  g_autoptr (GSource) source = g_timeout_source_new (50);

  g_source_set_callback (source, do_nothing, NULL, NULL);
  g_source_attach (source, NULL);
  g_main_context_iteration (NULL, TRUE);
  g_source_destroy (source);
}

static void
attach_timeout (guint delay_ms, GSourceFunc func, gpointer data, GSource **kept)
{
  GSource *source = g_timeout_source_new (delay_ms);

  g_source_set_callback (source, func, data, NULL);
  g_source_attach (source, NULL);
  if (kept != NULL)
    *kept = source;
  else
    g_source_unref (source);
}

static guint
random_below (HostCalls *self, guint end)
{
  return (guint) g_rand_int_range (self->rand, 0, (gint32) end);
}

static void
kind_free (gpointer data)
{
  CallKind *kind = data;

  g_free (kind->server);
  g_free (kind->tool);
  g_free (kind->arguments);
  g_free (kind);
}

void
host_calls_read (HostCalls *self, const char *path, guint32 seed)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_get_contents (path, &text, NULL, &error))
    g_error ("%s", error->message);

  self->kinds = g_ptr_array_new_with_free_func (kind_free);
  self->rand = g_rand_new_with_seed (seed);
  self->pending = g_hash_table_new (NULL, NULL);
  self->errors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  for (gsize i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], "\t", 4);
      CallKind *kind = g_new0 (CallKind, 1);

      g_assert (g_strv_length (words) == 4);
      kind->server = g_strdup (words[0]);
      kind->tool = g_strdup (words[1]);
      kind->is_in_settings = g_str_equal (words[2], "settings");
      kind->arguments = g_strdup (words[3]);
      g_ptr_array_add (self->kinds, kind);
    }
}

void
host_calls_clear (HostCalls *self)
{
  g_ptr_array_unref (self->kinds);
  g_rand_free (self->rand);
  g_hash_table_unref (self->pending);
  g_hash_table_unref (self->errors);
}

static gboolean
on_cancel (gpointer data)
{
  Pending *pending = data;

  g_clear_pointer (&pending->cancel, g_source_unref);
  pending->was_cancelled = TRUE;
  g_cancellable_cancel (pending->cancellable);
  return G_SOURCE_REMOVE;
}

static Pending *
pending_new (HostCalls *self, CallKind *kind, const char *name, gboolean repeats)
{
  Pending *pending = g_new0 (Pending, 1);

  pending->calls = self;
  pending->kind = kind;
  pending->name = name;
  pending->repeats = repeats;
  pending->begun_us = g_get_monotonic_time ();
  if (repeats && random_below (self, 10) == 0)
    {
      pending->cancellable = g_cancellable_new ();
      attach_timeout (random_below (self, 500), on_cancel, pending, &pending->cancel);
    }
  g_hash_table_add (self->pending, pending);
  return pending;
}

static const struct
{
  GQuark (*domain) (void);
  int code;
} fitting[] = {
  { gmcp_error_quark, GMCP_ERROR_TIMED_OUT },
  { gmcp_error_quark, GMCP_ERROR_CLOSED },
  { gmcp_error_quark, GMCP_ERROR_LIMIT_EXCEEDED }, /* too many wait */
  { gmcp_error_quark, GMCP_ERROR_START_FAILED },
  { gmcp_error_quark, GMCP_ERROR_SERVER_EXITED },
  { gmcp_error_quark, GMCP_ERROR_NOT_RUNNING },    /* stopped, disabled, or restarted later */
  { gmcp_error_quark, GMCP_ERROR_NOT_CONFIGURED }, /* the file does not have it any more */
  { gmcp_error_quark, GMCP_ERROR_UNKNOWN_TOOL },   /* for the same reason */
  { gmcp_error_quark, GMCP_ERROR_FAILED },         /* a health check */
  { g_io_error_quark, G_IO_ERROR_CONNECTION_REFUSED },
  { g_io_error_quark, G_IO_ERROR_CONNECTION_CLOSED },
  { g_io_error_quark, G_IO_ERROR_TIMED_OUT },
};

static gboolean
fits (const Pending *pending, const GError *error)
{
  const CallKind *kind = pending->kind;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return pending->was_cancelled;
  /* Whoever waits while the manager is closed is told of that. */
  if (!pending->calls->calling && g_error_matches (error, GMCP_ERROR, GMCP_ERROR_CLOSED))
    return TRUE;
  /* It says which server or tool it is about. */
  if (kind != NULL && strstr (error->message, kind->server) == NULL
      && strstr (error->message, kind->tool) == NULL)
    return FALSE;
  if (error->domain == GMCP_RPC_ERROR)
    return TRUE;
  /* Only what reads the file is told what is wrong in it: for calls the last good one holds. GSettings has
   * no such one, since its keys are set one by one: a command that is missing there is missing. */
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG))
    return kind == NULL || kind->is_in_settings;

  for (gsize i = 0; i < G_N_ELEMENTS (fitting); i++)
    if (g_error_matches (error, fitting[i].domain (), fitting[i].code))
      return TRUE;
  return FALSE;
}

static void
count_error (HostCalls *self, const GError *error)
{
  char *key = g_strdup_printf ("%s %d", g_quark_to_string (error->domain), error->code);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->errors, key));

  g_hash_table_replace (self->errors, key, GUINT_TO_POINTER (n + 1));
}

/* Takes the error, or NULL for a result. */
static void
end (Pending *pending, GError *given_error)
{
  HostCalls *self = pending->calls;
  g_autoptr (GError) error = given_error;
  gint64 took_us = g_get_monotonic_time () - pending->begun_us;
  const char *tool = pending->kind != NULL ? pending->kind->tool : pending->name;
  const char *server = pending->kind != NULL ? pending->kind->server : "operation";

  if (!g_hash_table_remove (self->pending, pending))
    g_error ("%s.%s ended twice", server, tool);

  self->n_ended++;
  self->n_cancelled += error != NULL && pending->was_cancelled;
  self->worst_us = MAX (self->worst_us, took_us);
  if (took_us > LONGEST_MS * (gint64) 1000)
    host_calls_fail (self, "%s.%s took %" G_GINT64_FORMAT " ms", server, tool, took_us / 1000);
  if (error != NULL)
    {
      count_error (self, error);
      if (!fits (pending, error))
        host_calls_fail (self, "%s.%s%s ended in %s %d: %s", server, tool,
                         pending->was_cancelled ? ", cancelled," : "",
                         g_quark_to_string (error->domain), error->code, error->message);
    }
  if (pending->kind != NULL && error == NULL)
    pending->kind->n_results++;
  else if (pending->kind != NULL)
    pending->kind->n_errors++;

  if (pending->cancel != NULL)
    g_source_destroy (pending->cancel);
  g_clear_pointer (&pending->cancel, g_source_unref);
  g_clear_object (&pending->cancellable);
  g_free (pending);
}

static gboolean
on_next_call (gpointer data)
{
  HostCalls *self = data;

  if (self->calling)
    begin_call (self, g_ptr_array_index (self->kinds, random_below (self, self->kinds->len)), TRUE);
  return G_SOURCE_REMOVE;
}

static void
on_called (GObject *object, GAsyncResult *result, gpointer data)
{
  Pending *pending = data;
  HostCalls *self = pending->calls;
  gboolean repeats = pending->repeats;
  GError *error = NULL;
  g_autoptr (GmcpToolResult) tool_result G_GNUC_UNUSED
    = gmcp_tool_provider_call_tool_finish (GMCP_TOOL_PROVIDER (object), result, &error);

  end (pending, error);
  if (repeats && self->calling)
    attach_timeout (5 + random_below (self, 60), on_next_call, self, NULL);
}

static void
begin_call (HostCalls *self, CallKind *kind, gboolean repeats)
{
  g_autofree char *name = g_strconcat (kind->server, ".", kind->tool, NULL);
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  Pending *pending = pending_new (self, kind, NULL, repeats);

  gmcp_call_options_set_timeout_ms (options, repeats ? 500 + random_below (self, 3000) : 10000);
  gmcp_tool_provider_call_tool_json_async (GMCP_TOOL_PROVIDER (self->manager), name,
                                           kind->arguments, options, pending->cancellable,
                                           on_called, pending);
}

/* What a host does beside calling. Each names the function that ends it. */

static void
finish_start (GObject *object, GAsyncResult *result, GError **error)
{
  gmcp_managed_server_start_finish (GMCP_MANAGED_SERVER (object), result, error);
}

static void
finish_stop (GObject *object, GAsyncResult *result, GError **error)
{
  gmcp_managed_server_stop_finish (GMCP_MANAGED_SERVER (object), result, error);
}

static void
finish_force_stop (GObject *object, GAsyncResult *result, GError **error)
{
  gmcp_managed_server_force_stop_finish (GMCP_MANAGED_SERVER (object), result, error);
}

static void
finish_restart (GObject *object, GAsyncResult *result, GError **error)
{
  gmcp_managed_server_restart_finish (GMCP_MANAGED_SERVER (object), result, error);
}

static void
finish_check (GObject *object, GAsyncResult *result, GError **error)
{
  gmcp_managed_server_health_check_finish (GMCP_MANAGED_SERVER (object), result, error);
}

static void
finish_discover (GObject *object, GAsyncResult *result, GError **error)
{
  g_autoptr (GListModel) tools G_GNUC_UNUSED
    = gmcp_managed_server_discover_tools_finish (GMCP_MANAGED_SERVER (object), result, error);
}

static void
finish_capabilities (GObject *object, GAsyncResult *result, GError **error)
{
  g_autofree char *json G_GNUC_UNUSED
    = gmcp_managed_server_read_overview_json_finish (GMCP_MANAGED_SERVER (object), result, error);
}

static void
finish_sync (GObject *object, GAsyncResult *result, GError **error)
{
  gmcp_manager_sync_finish (GMCP_MANAGER (object), result, error);
}

static void
finish_prompts (GObject *object, GAsyncResult *result, GError **error)
{
  g_autoptr (GPtrArray) prompts G_GNUC_UNUSED
    = gmcp_manager_list_prompts_finish (GMCP_MANAGER (object), result, error);
}

static void
finish_load (GObject *object, GAsyncResult *result, GError **error)
{
  gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (object), result, error);
}

typedef void (*ServerFunc) (GmcpManagedServer *, GCancellable *, GAsyncReadyCallback, gpointer);
typedef void (*ManagerFunc) (GmcpManager *, GCancellable *, GAsyncReadyCallback, gpointer);

static void
sync_all (GmcpManager *manager,
          GCancellable *cancellable,
          GAsyncReadyCallback callback,
          gpointer user_data)
{
  gmcp_manager_sync_async (manager, NULL, cancellable, callback, user_data);
}

static void
load_tools (GmcpManager *manager,
            GCancellable *cancellable,
            GAsyncReadyCallback callback,
            gpointer user_data)
{
  gmcp_tool_provider_load_async (GMCP_TOOL_PROVIDER (manager), cancellable, callback, user_data);
}

static const struct
{
  const char *name;
  guint weight;
  ServerFunc of_server; /* or */
  ManagerFunc of_manager;
  void (*finish) (GObject *, GAsyncResult *, GError **);
} operations[] = {
  { "start", 40, gmcp_managed_server_start_async, NULL, finish_start },
  { "stop", 2, gmcp_managed_server_stop_async, NULL, finish_stop },
  { "force-stop", 2, gmcp_managed_server_force_stop_async, NULL, finish_force_stop },
  { "restart", 3, gmcp_managed_server_restart_async, NULL, finish_restart },
  { "health-check", 10, gmcp_managed_server_health_check_async, NULL, finish_check },
  { "discover-tools", 10, gmcp_managed_server_discover_tools_async, NULL, finish_discover },
  { "get-capabilities", 10, gmcp_managed_server_read_overview_json_async, NULL,
    finish_capabilities },
  { "sync", 10, NULL, sync_all, finish_sync },
  { "list-prompts", 10, NULL, gmcp_manager_list_prompts_async, finish_prompts },
  { "load", 3, NULL, load_tools, finish_load },
};

static gboolean
on_next_operation (gpointer data)
{
  begin_operation (data);
  return G_SOURCE_REMOVE;
}

static void
on_operated (GObject *object, GAsyncResult *result, gpointer data)
{
  Pending *pending = data;
  HostCalls *self = pending->calls;
  GError *error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (operations); i++)
    if (pending->name == operations[i].name)
      operations[i].finish (object, result, &error);
  end (pending, error);
  if (self->calling)
    attach_timeout (20 + random_below (self, 300), on_next_operation, self, NULL);
}

static gsize
choose_operation (HostCalls *self)
{
  guint sum = 0;
  guint at;
  gsize i = 0;

  for (gsize j = 0; j < G_N_ELEMENTS (operations); j++)
    sum += operations[j].weight;
  for (at = random_below (self, sum); at >= operations[i].weight; i++)
    at -= operations[i].weight;
  return i;
}

static void
begin_operation (HostCalls *self)
{
  CallKind *kind = g_ptr_array_index (self->kinds, random_below (self, self->kinds->len));
  GmcpManagedServer *server;
  g_autofree char *status = NULL;
  Pending *pending;
  gsize i = choose_operation (self);

  if (!self->calling)
    return;

  status = gmcp_manager_dup_status_json (self->manager);
  server = gmcp_manager_get_server (self->manager, kind->server);
  if (server == NULL && operations[i].of_server != NULL)
    {
      /* It is not configured just now. */
      attach_timeout (100, on_next_operation, self, NULL);
      return;
    }

  pending = pending_new (self, NULL, operations[i].name, TRUE);
  if (operations[i].of_server != NULL)
    operations[i].of_server (server, pending->cancellable, on_operated, pending);
  else
    operations[i].of_manager (self->manager, pending->cancellable, on_operated, pending);
}

void
host_calls_begin (HostCalls *self)
{
  self->calling = TRUE;
  for (guint i = 0; i < N_WORKERS; i++)
    on_next_call (self);
  for (guint i = 0; i < N_OPERATORS; i++)
    begin_operation (self);
}

static gboolean
has_all (HostCalls *self)
{
  for (guint i = 0; i < self->kinds->len; i++)
    if (((CallKind *) g_ptr_array_index (self->kinds, i))->n_results == 0)
      return FALSE;
  return TRUE;
}

static gboolean
waits_for_its_user (GmcpManagedServer *server)
{
  GmcpServerState state = gmcp_managed_server_get_state (server);

  return state == GMCP_SERVER_STATE_FAILED || state == GMCP_SERVER_STATE_BACKING_OFF;
}

static void
start_failed_ones (HostCalls *self)
{
  for (guint i = 0; i < self->kinds->len; i++)
    {
      CallKind *kind = g_ptr_array_index (self->kinds, i);
      GmcpManagedServer *server = gmcp_manager_get_server (self->manager, kind->server);

      if (server != NULL && waits_for_its_user (server))
        gmcp_managed_server_start_async (server, NULL, on_operated,
                                         pending_new (self, NULL, operations[0].name, FALSE));
    }
}

gboolean
host_calls_try_all (HostCalls *self, guint limit_ms)
{
  gint64 until_us = g_get_monotonic_time () + limit_ms * (gint64) 1000;
  guint n_turns = 0;

  for (guint i = 0; i < self->kinds->len; i++)
    ((CallKind *) g_ptr_array_index (self->kinds, i))->n_results = 0;

  while (!has_all (self) && g_get_monotonic_time () < until_us)
    {
      /* Nobody waits for the next attempt who can start it. */
      start_failed_ones (self);
      for (guint i = 0; i < self->kinds->len; i++)
        {
          CallKind *kind = g_ptr_array_index (self->kinds, i);

          if (kind->n_results == 0)
            begin_call (self, kind, FALSE);
        }
      host_calls_drain (self);
      if (n_turns++ > 0 && !has_all (self))
        host_wait_until (FALSE, 500);
    }

  for (guint i = 0; i < self->kinds->len; i++)
    {
      CallKind *kind = g_ptr_array_index (self->kinds, i);
      GmcpManagedServer *server = gmcp_manager_get_server (self->manager, kind->server);
      const GError *error = server != NULL ? gmcp_managed_server_get_last_error (server) : NULL;

      if (kind->n_results == 0)
        host_calls_fail (self, "%s.%s gives no result any more: %s", kind->server, kind->tool,
                         error != NULL ? error->message : "nobody says why");
    }
  return has_all (self);
}

void
host_calls_drain (HostCalls *self)
{
  GHashTableIter iter;
  gpointer key;

  if (host_wait_until (g_hash_table_size (self->pending) == 0, LONGEST_MS))
    return;

  g_hash_table_iter_init (&iter, self->pending);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      Pending *pending = key;

      host_calls_fail (self, "%s.%s, begun %" G_GINT64_FORMAT " ms ago, has not ended",
                       pending->kind != NULL ? pending->kind->server : "operation",
                       pending->kind != NULL ? pending->kind->tool : pending->name,
                       (g_get_monotonic_time () - pending->begun_us) / 1000);
    }
}
