/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-ledger-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

#include <gio/gio.h>
#include <string.h>
#include <gmcp/core/gmcp-error.h>

struct _GmcpServerLedger
{
  grefcount ref_count;
  GMainContext *context;
  char *id;
  GmcpCallCounters counters;
  GmcpCallFailedFunc failed;
  gpointer failed_data;
  GHashTable *tools; /* of GmcpToolLedger, by name; NULL until the first call */

  GmcpServerConfig *config; /* that the limits are of */
  guint default_max_calls;  /* where it has none */
  guint default_max_waiting;
  guint max_calls;
  guint max_waiting;
  guint n_calls;
  GQueue waiting; /* of Waiter */
  gboolean giving;
};

typedef struct
{
  GmcpServerLedger *ledger;
  GSource *limit;
  GSource *cancel; /* NULL where it cannot be cancelled */
  guint timeout_ms;
  GmcpPlaceFunc func;
  gpointer data;
} Waiter;

GmcpServerLedger *
gmcp_server_ledger_new (const char *id, GMainContext *context)
{
  GmcpServerLedger *self = g_new0 (GmcpServerLedger, 1);

  g_ref_count_init (&self->ref_count);
  self->context = g_main_context_ref (context);
  self->id = g_strdup (id);
  self->default_max_calls = self->max_calls = GMCP_DEFAULT_SERVER_CALLS;
  self->default_max_waiting = self->max_waiting = GMCP_DEFAULT_SERVER_QUEUED_CALLS;
  g_queue_init (&self->waiting);
  return self;
}

GmcpServerLedger *
gmcp_server_ledger_ref (GmcpServerLedger *self)
{
  g_ref_count_inc (&self->ref_count);
  return self;
}

void
gmcp_server_ledger_unref (GmcpServerLedger *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->tools, g_hash_table_unref);
  g_clear_object (&self->config);
  g_main_context_unref (self->context);
  g_free (self->id);
  g_free (self);
}

const char *
gmcp_server_ledger_get_id (GmcpServerLedger *self)
{
  return self->id;
}

void
gmcp_server_ledger_set_failed_func (GmcpServerLedger *self, GmcpCallFailedFunc func, gpointer data)
{
  self->failed = func;
  self->failed_data = data;
}

void
gmcp_server_ledger_call_failed (GmcpServerLedger *self, const GError *error)
{
  if (self->failed != NULL)
    self->failed (error, self->failed_data);
}

static void
tool_ledger_free (gpointer data)
{
  GmcpToolLedger *tool = data;

  g_free (tool->name);
  g_free (tool->names_json);
  g_free (tool);
}

static void
write_names (GmcpToolLedger *tool, const char *server)
{
  GmcpJsonWriter writer = { NULL, TRUE };
  GString *out;

  if (strlen (tool->name) > GMCP_LIMIT_AUDIT_NAME_BYTES
      || strlen (server) > GMCP_LIMIT_AUDIT_NAME_BYTES)
    return;

  writer.out = out = g_string_new (NULL);
  gmcp_json_writer_member_string (&writer, "server", server);
  gmcp_json_writer_member_string (&writer, "tool", tool->name);
  tool->names_length = out->len;
  tool->names_json = g_string_free (out, FALSE);
}

GmcpToolLedger *
gmcp_server_ledger_get_tool (GmcpServerLedger *self, const char *name)
{
  GmcpToolLedger *tool;

  if (self->tools == NULL)
    self->tools = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, tool_ledger_free);

  tool = g_hash_table_lookup (self->tools, name);
  if (tool == NULL)
    {
      tool = g_new0 (GmcpToolLedger, 1);
      tool->name = g_strdup (name);
      write_names (tool, self->id);
      g_hash_table_insert (self->tools, tool->name, tool);
    }

  return tool;
}

void
gmcp_server_ledger_count (GmcpServerLedger *self,
                          GmcpToolLedger *tool,
                          const GmcpCallOutcome *outcome)
{
  gmcp_call_counters_add (&self->counters, outcome);
  gmcp_call_counters_add (&tool->counters, outcome);
}

void
gmcp_server_ledger_write (GmcpServerLedger *self, GmcpJsonWriter *writer)
{
  g_autoptr (GList) names = NULL;

  gmcp_call_counters_write (&self->counters, writer);
  gmcp_json_writer_member_int64 (writer, "running", self->n_calls);
  gmcp_json_writer_member_int64 (writer, "queued", self->waiting.length);
  gmcp_json_writer_key (writer, "tools");
  gmcp_json_writer_begin_object (writer);
  if (self->tools != NULL)
    names = g_list_sort (g_hash_table_get_keys (self->tools), (GCompareFunc) g_strcmp0);
  for (GList *l = names; l != NULL; l = l->next)
    {
      GmcpToolLedger *tool = g_hash_table_lookup (self->tools, l->data);

      gmcp_json_writer_key (writer, tool->name);
      gmcp_json_writer_begin_object (writer);
      gmcp_call_counters_write (&tool->counters, writer);
      gmcp_json_writer_end_object (writer);
    }
  gmcp_json_writer_end_object (writer);
}

static void
forget_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

/* Takes it out of the queue. */
static void
settle (Waiter *waiter, GError *error)
{
  g_autoptr (GmcpServerLedger) ledger = waiter->ledger;
  GmcpPlaceFunc func = waiter->func;
  gpointer data = waiter->data;

  g_queue_remove (&ledger->waiting, waiter);
  forget_source (&waiter->limit);
  forget_source (&waiter->cancel);
  g_free (waiter);
  func (error, data);
}

/* One after the other: whoever gets a place may give it back at once. */
static void
give_places (GmcpServerLedger *ledger)
{
  g_autoptr (GmcpServerLedger) self = NULL;
  Waiter *waiter;

  if (ledger->giving)
    return;

  self = gmcp_server_ledger_ref (ledger);
  self->giving = TRUE;
  while (self->n_calls < self->max_calls && (waiter = g_queue_peek_head (&self->waiting)) != NULL)
    {
      self->n_calls++;
      settle (waiter, NULL);
    }
  self->giving = FALSE;
}

static void
use_limits (GmcpServerLedger *self)
{
  guint max_calls = self->config != NULL ? gmcp_server_config_get_max_calls (self->config) : 0;
  guint max_waiting
    = self->config != NULL ? gmcp_server_config_get_max_queued_calls (self->config) : 0;

  self->max_calls = max_calls > 0 ? max_calls : self->default_max_calls;
  self->max_waiting = max_waiting > 0 ? max_waiting : self->default_max_waiting;
  give_places (self);
}

void
gmcp_server_ledger_use_config (GmcpServerLedger *self, GmcpServerConfig *config)
{
  if (G_LIKELY (self->config == config))
    return;

  g_set_object (&self->config, config);
  use_limits (self);
}

void
gmcp_server_ledger_set_defaults (GmcpServerLedger *self, guint max_calls, guint max_waiting)
{
  if (self->default_max_calls == max_calls && self->default_max_waiting == max_waiting)
    return;

  self->default_max_calls = max_calls;
  self->default_max_waiting = max_waiting;
  use_limits (self);
}

gboolean
gmcp_server_ledger_take_place (GmcpServerLedger *self)
{
  if (self->n_calls >= self->max_calls || self->waiting.length > 0)
    return FALSE;

  self->n_calls++;
  return TRUE;
}

void
gmcp_server_ledger_give_place (GmcpServerLedger *self)
{
  self->n_calls--;
  if (G_UNLIKELY (self->waiting.length > 0))
    give_places (self);
}

static gboolean
on_limit (gpointer data)
{
  Waiter *waiter = data;

  settle (waiter, g_error_new (
                    GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                    _ ("Server “%s” was busy with %u other calls for %u ms; nothing was sent. Try "
                       "again later, or raise its limit “max-calls”"),
                    waiter->ledger->id, waiter->ledger->n_calls, waiter->timeout_ms));
  return G_SOURCE_REMOVE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  settle (data,
          g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("Operation was cancelled")));
  return G_SOURCE_REMOVE;
}

static GSource *
attach (GmcpServerLedger *self, GSource *source, GSourceFunc func, Waiter *waiter)
{
  g_source_set_static_name (source, "[gmcp] call that waits for its turn");
  g_source_set_callback (source, func, waiter, NULL);
  g_source_attach (source, self->context);
  return source;
}

gboolean
gmcp_server_ledger_await_place (GmcpServerLedger *self,
                                guint timeout_ms,
                                GCancellable *cancellable,
                                GmcpPlaceFunc func,
                                gpointer data,
                                GError **error)
{
  Waiter *waiter;

  if (self->waiting.length >= self->max_waiting)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   /* TRANSLATORS: a server’s name, two numbers */
                   g_dngettext (GETTEXT_PACKAGE,
                                "Server “%s” is busy with %u call, and %u more wait already; "
                                "nothing was sent. Try again later, or raise its limits "
                                "“max-calls” and “max-queued-calls”",
                                "Server “%s” is busy with %u calls, and %u more wait already; "
                                "nothing was sent. Try again later, or raise its limits "
                                "“max-calls” and “max-queued-calls”",
                                self->n_calls),
                   self->id, self->n_calls, self->waiting.length);
      return FALSE;
    }

  waiter = g_new0 (Waiter, 1);
  waiter->ledger = gmcp_server_ledger_ref (self);
  waiter->timeout_ms = timeout_ms;
  waiter->func = func;
  waiter->data = data;
  waiter->limit = attach (self, g_timeout_source_new (timeout_ms), on_limit, waiter);
  if (cancellable != NULL)
    waiter->cancel
      = attach (self, g_cancellable_source_new (cancellable), G_SOURCE_FUNC (on_cancelled), waiter);
  g_queue_push_tail (&self->waiting, waiter);
  return TRUE;
}
