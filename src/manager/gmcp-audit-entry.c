/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-audit-log-private.h"

#include <string.h>

#include "gmcp-json-append-private.h"
#include "gmcp-limits.h"

#include <gmcp/core/gmcp-error.h>

/* What a line begins with. The log keeps it, as little of it changes from one line to the next. */
#define SECOND_AT   strlen ("{\"time\":\"")
#define SECOND_SIZE strlen ("2026-07-28T12:00:00")
#define MICRO_AT    (SECOND_AT + SECOND_SIZE + strlen ("."))
#define MICRO_SIZE  6u

/* One reading of a clock a call adds up, so the wall's is read once a second. */
static gint64
get_start_time (GmcpAuditLog *self, const GmcpAuditEntry *entry)
{
  if (entry->start_us + entry->duration_us >= self->offset_until_us)
    {
      gint64 now_us = g_get_monotonic_time ();

      self->clock_offset_us = g_get_real_time () - now_us;
      self->offset_until_us = now_us + G_USEC_PER_SEC;
    }

  return entry->start_us + self->clock_offset_us;
}

/* RFC 3339, in UTC and with microseconds. */
static void
put_time (GmcpAuditLog *self, gint64 time_us)
{
  gint64 second = time_us / G_USEC_PER_SEC;
  guint micro = (guint) (time_us % G_USEC_PER_SEC);

  if (second != self->second)
    {
      g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (second);
      g_autofree char *text = g_date_time_format (time, "%Y-%m-%dT%H:%M:%S");

      memcpy (self->start + SECOND_AT, text, MIN (strlen (text), SECOND_SIZE));
      self->second = second;
    }

  for (gsize i = MICRO_SIZE; i > 0; i--, micro /= 10)
    self->start[MICRO_AT + i - 1] = (char) ('0' + micro % 10);
}

/* Counts one further, to the base of 36; what stands before the digits is none. */
static void
put_next_id (GmcpAuditLog *self)
{
  char *last = self->start + self->start_length - 2;
  char *digit = last;

  while (*digit == 'z')
    *digit-- = '0';

  if (g_ascii_isalnum (*digit))
    {
      *digit = *digit == '9' ? 'a' : (char) (*digit + 1);
      return;
    }

  digit[1] = '1';
  last[1] = '0';
  last[2] = '"';
  self->start_length++;
}

void
gmcp_audit_log_init_start (GmcpAuditLog *self)
{
  int length
    = g_snprintf (self->start, sizeof self->start,
                  "{\"time\":\"0000-00-00T00:00:00.000000Z\",\"id\":\"%08x-0\"", g_random_int ());

  self->start_length = (gsize) length;
  self->second = G_MININT64;
}

/* The id of the trace is between the first two hyphens, as its form was checked before. */
static void
write_trace (GmcpJsonWriter *writer, const char *traceparent)
{
  const char *from = strchr (traceparent, '-');
  const char *to = from != NULL ? strchr (from + 1, '-') : NULL;

  if (to == NULL)
    return;

  gmcp_json_writer_plain_key (writer, "trace");
  gmcp_json_writer_string_len (writer, from + 1, to - from - 1);
}

static void
write_hash (GmcpJsonWriter *writer, const char *raw, gsize length)
{
  g_autofree char *hash
    = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) raw, length);

  gmcp_json_writer_plain_key (writer, "arguments_sha256");
  gmcp_json_writer_string (writer, hash);
}

/* Whether a secret is in the arguments. */
static gboolean
finds_secret (const GmcpAuditEntry *entry, const char *raw, gsize length, GmcpRedactor *redactor)
{
  /* Without an escape, what stands in the strings stands in the text as it is. */
  if (G_LIKELY (entry->names_are_plain)
      && (gmcp_redactor_is_empty (redactor)
          || (memchr (raw, '\\', length) == NULL
              && !gmcp_redactor_finds_text (redactor, raw, length))))
    return FALSE;

  return gmcp_redactor_finds_value (redactor, entry->arguments);
}

static void
write_arguments (GmcpAuditLog *self,
                 GmcpJsonWriter *writer,
                 const GmcpAuditEntry *entry,
                 GmcpRedactor *redactor)
{
  static const char none[] = "{}";
  const char *raw = none;
  gsize length = strlen (none);

  if (gmcp_json_value_is_present (entry->arguments))
    raw = gmcp_json_value_peek_raw (entry->arguments, &length);

  if (self->hash_arguments || length > GMCP_LIMIT_AUDIT_ARGUMENTS_BYTES)
    {
      if (length <= GMCP_LIMIT_AUDIT_HASHED_BYTES)
        write_hash (writer, raw, length);
      gmcp_json_writer_plain_key (writer, "arguments_bytes");
      gmcp_json_writer_uint64 (writer, length);
      return;
    }

  gmcp_json_append_literal (writer->out, ",\"arguments\":");
  writer->comma = FALSE;
  if (raw == none)
    {
      gmcp_json_writer_raw (writer, raw, (gssize) length);
    }
  else if (G_LIKELY (!finds_secret (entry, raw, length, redactor)))
    {
      gmcp_json_writer_value (writer, entry->arguments);
    }
  else
    {
      gmcp_redactor_write_value (redactor, writer, entry->arguments);
      gmcp_json_writer_plain_key (writer, "redacted");
      gmcp_json_writer_boolean (writer, TRUE);
    }
}

static void
write_redacted (GmcpJsonWriter *writer, const char *text, GmcpRedactor *redactor)
{
  gsize length = strlen (text);
  g_autoptr (GString) redacted = NULL;

  if (length <= GMCP_LIMIT_AUDIT_MESSAGE_BYTES
      && !gmcp_redactor_finds_text (redactor, text, length))
    {
      gmcp_json_writer_string_len (writer, text, (gssize) length);
      return;
    }

  redacted = g_string_new (NULL);
  gmcp_redactor_append_text (redactor, redacted, text, length);
  gmcp_json_writer_string_len (writer, redacted->str,
                               (gssize) MIN (redacted->len, GMCP_LIMIT_AUDIT_MESSAGE_BYTES));
}

static void
write_error (GmcpJsonWriter *writer, const GError *error, GmcpRedactor *redactor)
{
  gmcp_json_writer_plain_key (writer, "error");
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_plain_key (writer, "domain");
  gmcp_json_writer_string (writer, g_quark_to_string (error->domain));
  gmcp_json_writer_plain_key (writer, "code");
  gmcp_json_writer_int64 (writer, error->code);
  gmcp_json_writer_plain_key (writer, "message");
  write_redacted (writer, error->message, redactor);
  gmcp_json_writer_end_object (writer);
}

static const char *
name_outcome (const GmcpAuditEntry *entry)
{
  if (entry->error == NULL)
    return entry->tool_failed ? "tool-error" : "ok";
  if (g_error_matches (entry->error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED))
    return "refused";
  if (g_error_matches (entry->error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT))
    return "timed-out";
  if (g_error_matches (entry->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return "cancelled";
  return "error";
}

static void
write_outcome (GmcpJsonWriter *writer, const GmcpAuditEntry *entry)
{
  /* The most frequent one in one piece. */
  if (G_LIKELY (entry->error == NULL && !entry->tool_failed))
    {
      gmcp_json_append_literal (writer->out, ",\"outcome\":\"ok\"");
      return;
    }

  gmcp_json_writer_plain_key (writer, "outcome");
  gmcp_json_writer_string (writer, name_outcome (entry));
}

static void
write_text (GmcpJsonWriter *writer, const char *key, gsize length, const char *text)
{
  if (text == NULL)
    return;

  gmcp_json_writer_raw_key (writer, key, length);
  gmcp_json_writer_string (writer, text);
}

#define TEXT(writer, key, text)                                                                    \
  write_text ((writer), "\"" key "\":", sizeof ("\"" key "\":") - 1, (text))

static void
write_names (GmcpJsonWriter *writer, const GmcpAuditEntry *entry)
{
  TEXT (writer, "host", entry->host);
  TEXT (writer, "role", entry->role);
  TEXT (writer, "project", entry->project);
  if (G_LIKELY (entry->names != NULL))
    {
      gmcp_json_append (writer->out, entry->names, entry->names_length);
    }
  else
    {
      TEXT (writer, "server", entry->server);
      TEXT (writer, "tool", entry->tool);
    }
  TEXT (writer, "replay_of", entry->replay_of);
}

void
gmcp_audit_log_write_entry (GmcpAuditLog *self,
                            GString *out,
                            const GmcpAuditEntry *entry,
                            GmcpRedactor *redactor)
{
  GmcpJsonWriter writer = { out, TRUE };

  put_time (self, get_start_time (self, entry));
  put_next_id (self);
  gmcp_json_append (out, self->start, self->start_length);
  write_names (&writer, entry);
  write_arguments (self, &writer, entry, redactor);
  write_outcome (&writer, entry);
  if (entry->rule != NULL)
    {
      gmcp_json_writer_plain_key (&writer, "rule");
      write_redacted (&writer, entry->rule, redactor);
    }
  if (entry->error != NULL)
    write_error (&writer, entry->error, redactor);
  gmcp_json_append_literal (out, ",\"duration_us\":");
  writer.comma = FALSE;
  gmcp_json_writer_int64 (&writer, entry->duration_us);
  if (entry->traceparent != NULL)
    write_trace (&writer, entry->traceparent);
  gmcp_json_append_literal (out, "}\n");
}
