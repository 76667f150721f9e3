/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-record-private.h"

#include "gmcp-call-options-private.h"
#include "gmcp-caller-private.h"
#include "gmcp-limits.h"
#include "gmcp-result-cap-private.h"
#include "gmcp-tool-result-private.h"

typedef struct
{
  GmcpToolCallWatch watch;
  GmcpCallBook *book;
  GmcpCallStatistics *statistics; /* NULL until it is known which server is meant */
  GmcpToolStatistics *tool;
  GmcpCallLimiter *limiter;
  gboolean has_place;
  gboolean names_are_plain;
  gint64 start_us;
  char *meant_server; /* that the name speaks of, where it was not resolved */
  char *meant_tool;
  char *rule;
  char *replay_of;
  char *client;
} GmcpCallRecord;

GmcpCallBook *
gmcp_call_book_new (void)
{
  GmcpCallBook *self = g_new0 (GmcpCallBook, 1);

  g_ref_count_init (&self->ref_count);
  self->redactor = gmcp_redactor_new ();
  self->max_result_bytes = GMCP_DEFAULT_RESULT_BYTES;
  self->max_log_bytes = GMCP_DEFAULT_LOG_BYTES;
  self->max_log_files = GMCP_DEFAULT_LOG_FILES;
  return self;
}

GmcpCallBook *
gmcp_call_book_ref (GmcpCallBook *self)
{
  g_ref_count_inc (&self->ref_count);
  return self;
}

void
gmcp_call_book_unref (GmcpCallBook *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;

  g_clear_object (&self->audit_log);
  gmcp_redactor_free (self->redactor);
  g_free (self->host);
  g_free (self->log_dir);
  g_free (self->role);
  g_free (self->project);
  g_free (self->spare);
  g_free (self);
}

static GmcpCallRecord *
record_new (GmcpCallBook *book)
{
  GmcpCallRecord *record
    = book->spare != NULL ? g_steal_pointer (&book->spare) : g_new (GmcpCallRecord, 1);

  *record = (GmcpCallRecord){ .book = gmcp_call_book_ref (book) };
  return record;
}

static void
record_free (GmcpCallRecord *record)
{
  GmcpCallBook *book = record->book;

  g_clear_pointer (&record->statistics, gmcp_call_statistics_unref);
  g_clear_pointer (&record->limiter, gmcp_call_limiter_unref);
  g_free (record->meant_server);
  g_free (record->meant_tool);
  g_free (record->rule);
  g_free (record->replay_of);
  g_free (record->client);
  if (book->spare == NULL)
    book->spare = record;
  else
    g_free (record);
  gmcp_call_book_unref (book);
}

static void
give_place_back (GmcpCallRecord *record)
{
  if (!record->has_place)
    return;

  record->has_place = FALSE;
  gmcp_call_limiter_give_place (record->limiter);
}

static void
count_call (GmcpCallRecord *record,
            GmcpJsonValue arguments,
            GmcpToolResult *result,
            gboolean tool_failed,
            gint64 duration_us)
{
  GmcpCallOutcome outcome = {
    .duration_us = duration_us,
    .failed = result == NULL,
    .tool_failed = tool_failed,
  };
  gsize length;

  if (gmcp_json_value_is_present (arguments))
    {
      gmcp_json_value_peek_raw (arguments, &length);
      outcome.n_bytes_sent = length;
    }
  if (result != NULL)
    {
      gmcp_json_value_peek_raw (gmcp_tool_result_get_value (result), &length);
      outcome.n_bytes_received = length;
    }
  gmcp_call_statistics_count (record->statistics, record->tool, &outcome);
}

static void
write_down (GmcpCallRecord *record,
            GmcpToolCall *call,
            GmcpJsonValue arguments,
            gboolean tool_failed,
            const GError *error,
            gint64 duration_us)
{
  GmcpCallOptions *options = gmcp_tool_call_get_options (call);
  GmcpAuditEntry entry = {
    .host = record->book->host,
    .client = record->client,
    .role = record->book->role,
    .project = record->book->project,
    .tool = gmcp_tool_call_get_name (call),
    .rule = record->rule,
    .replay_of = record->replay_of,
    .arguments = arguments,
    .names_are_plain = record->names_are_plain,
    .tool_failed = tool_failed,
    .error = error,
    .start_us = record->start_us,
    .duration_us = duration_us,
  };

  if (record->statistics != NULL)
    {
      entry.server = gmcp_call_statistics_get_id (record->statistics);
      entry.tool = record->tool->name;
      entry.names = record->tool->names_json;
      entry.names_length = record->tool->names_length;
    }
  else if (record->meant_server != NULL)
    {
      entry.server = record->meant_server;
      entry.tool = record->meant_tool;
    }
  if (options != NULL)
    {
      if (options->role != NULL && g_strcmp0 (options->role, entry.role) != 0)
        {
          entry.standing_role = entry.role;
          entry.role = options->role;
        }
      entry.traceparent = options->traceparent;
    }

  gmcp_audit_log_write (record->book->audit_log, &entry, record->book->redactor);
}

static gboolean
call_ended (GmcpToolCallWatch *watch,
            GmcpToolCall *call,
            GmcpToolResult *result,
            const GError *error)
{
  GmcpCallRecord *record = (GmcpCallRecord *) watch;
  GmcpJsonValue arguments = gmcp_tool_call_get_arguments_value (call);
  gint64 answered_us = gmcp_tool_call_get_carriage (call)->answered_us;
  gint64 end_us = answered_us != 0 ? answered_us : g_get_monotonic_time ();
  gint64 duration_us = end_us - record->start_us;
  gsize max_bytes = record->book->max_result_bytes;
  gboolean tool_failed = result != NULL && gmcp_tool_result_is_error (result);

  if (record->statistics != NULL)
    count_call (record, arguments, result, tool_failed, duration_us);
  if (record->book->audit_log != NULL)
    write_down (record, call, arguments, tool_failed, error, duration_us);
  give_place_back (record);
  if (G_UNLIKELY (error != NULL) && record->statistics != NULL)
    gmcp_call_statistics_call_failed (record->statistics, error);

  record_free (record);

  if (result == NULL || G_LIKELY (!gmcp_result_cap_concerns (result, max_bytes)))
    return FALSE;
  gmcp_result_cap_answer (call, result, max_bytes);
  return TRUE;
}

void
gmcp_call_record_begin (GmcpCallBook *book, GmcpToolCall *call, gboolean names_are_plain)
{
  GmcpCallRecord *record = record_new (book);
  GmcpCallOptions *options = gmcp_tool_call_get_options (call);
  GmcpCaller *caller = options != NULL ? gmcp_call_options_get_caller (options) : NULL;

  record->watch.ended = call_ended;
  record->names_are_plain = names_are_plain;
  record->start_us = g_get_monotonic_time ();
  if (caller != NULL)
    record->client = g_strdup (gmcp_caller_peek_program (caller));
  else if (options != NULL)
    record->client = g_strdup (gmcp_call_options_get_client (options));
  gmcp_tool_call_take_watch (call, &record->watch);
}

static GmcpCallRecord *
get_record (GmcpToolCall *call)
{
  return (GmcpCallRecord *) gmcp_tool_call_get_watch (call);
}

void
gmcp_call_record_resolve (GmcpToolCall *call,
                          GmcpCallStatistics *statistics,
                          GmcpToolStatistics *tool,
                          GmcpCallLimiter *limiter)
{
  GmcpCallRecord *record = get_record (call);

  if (record == NULL || record->tool == tool)
    return;

  give_place_back (record);
  g_clear_pointer (&record->statistics, gmcp_call_statistics_unref);
  g_clear_pointer (&record->limiter, gmcp_call_limiter_unref);
  record->statistics = gmcp_call_statistics_ref (statistics);
  record->limiter = gmcp_call_limiter_ref (limiter);
  record->tool = tool;
}

void
gmcp_call_record_set_meant (GmcpToolCall *call, const char *server, const char *tool)
{
  GmcpCallRecord *record = get_record (call);

  if (record == NULL || record->statistics != NULL)
    return;

  g_free (record->meant_server);
  record->meant_server = g_strdup (server);
  g_free (record->meant_tool);
  record->meant_tool = g_strdup (tool);
}

void
gmcp_call_record_set_rule (GmcpToolCall *call, const char *rule)
{
  GmcpCallRecord *record = get_record (call);

  if (record == NULL)
    return;

  g_free (record->rule);
  record->rule = g_strdup (rule);
}

void
gmcp_call_record_set_replay_of (GmcpToolCall *call, const char *id)
{
  GmcpCallRecord *record = get_record (call);

  if (record == NULL)
    return;

  g_free (record->replay_of);
  record->replay_of = g_strdup (id);
}

gboolean
gmcp_call_record_take_place (GmcpToolCall *call)
{
  GmcpCallRecord *record = get_record (call);

  if (record == NULL || record->has_place
      || gmcp_call_options_is_agreed (gmcp_tool_call_get_options (call)))
    return TRUE;

  record->has_place = gmcp_call_limiter_take_place (record->limiter);
  return record->has_place;
}

void
gmcp_call_record_got_place (GmcpToolCall *call)
{
  GmcpCallRecord *record = get_record (call);

  if (record != NULL)
    record->has_place = TRUE;
}
