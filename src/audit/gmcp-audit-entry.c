/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-audit-log-private.h"

#include <string.h>

#include "gmcp-audit-beginning-private.h"
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

/* The hash is computed elsewhere. */
static void
leave_room_for_hash (GmcpAuditLog *self, GmcpJsonWriter *writer)
{
  static const char zeros[] = "0000000000000000000000000000000000000000000000000000000000000000";

  G_STATIC_ASSERT (sizeof zeros == GMCP_AUDIT_HASH_LENGTH + 1);
  self->member_at = writer->out->len;
  gmcp_json_writer_plain_key (writer, "arguments_sha256");
  self->hash_at = writer->out->len + strlen ("\"");
  gmcp_json_writer_string (writer, zeros);
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

  self->hash_at = self->member_at = 0;
  if (self->hash_arguments || length > GMCP_LIMIT_AUDIT_ARGUMENTS_BYTES)
    {
      if (length <= GMCP_LIMIT_AUDIT_ARGUMENTS_BYTES)
        write_hash (writer, raw, length);
      else
        leave_room_for_hash (self, writer);
      gmcp_json_writer_plain_key (writer, "arguments_bytes");
      gmcp_json_writer_uint64 (writer, length);
      if (self->hash_arguments)
        return;
      gmcp_json_writer_plain_key (writer, "arguments_beginning");
      gmcp_audit_beginning_write (writer, entry->arguments, redactor);
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

/* What a text that was cut ends in. */
#define REST "…"

/* Looks only at the beginning of a text, which may be very long. FALSE where the text was
 * changed. */
static gboolean
write_redacted (GmcpJsonWriter *writer, const char *text, gsize max_bytes, GmcpRedactor *redactor)
{
  gsize length = strnlen (text, 2 * max_bytes + 1);
  g_autoptr (GString) redacted = NULL;
  const char *end;

  if (length <= max_bytes && !gmcp_redactor_finds_text (redactor, text, length))
    {
      gmcp_json_writer_string_len (writer, text, (gssize) length);
      return TRUE;
    }

  redacted = g_string_new (NULL);
  if (length > 2 * max_bytes)
    length = gmcp_redactor_measure_whole (redactor, text, length);
  gmcp_redactor_append_text (redactor, redacted, text, length);
  if (redacted->len > max_bytes || text[length] != '\0')
    {
      /* No half of a character: neither of what was cut before nor of what is cut now. */
      g_utf8_validate (redacted->str, (gssize) MIN (redacted->len, max_bytes), &end);
      g_string_truncate (redacted, end - redacted->str);
      g_string_append (redacted, REST);
    }
  gmcp_json_writer_string_len (writer, redacted->str, (gssize) redacted->len);
  return FALSE;
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
  write_redacted (writer, error->message, GMCP_LIMIT_AUDIT_MESSAGE_BYTES, redactor);
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

/* TRUE where it is not as it was. */
static gboolean
write_name (GmcpJsonWriter *writer,
            const char *key,
            gsize length,
            const char *name,
            GmcpRedactor *redactor)
{
  if (name == NULL)
    return FALSE;

  gmcp_json_writer_raw_key (writer, key, length);
  return !write_redacted (writer, name, GMCP_LIMIT_AUDIT_NAME_BYTES, redactor);
}

#define NAME(writer, key, name, redactor)                                                          \
  write_name ((writer), "\"" key "\":", sizeof ("\"" key "\":") - 1, (name), (redactor))

static void
write_names (GmcpJsonWriter *writer, const GmcpAuditEntry *entry, GmcpRedactor *redactor)
{
  gboolean cut = FALSE;

  cut |= NAME (writer, "host", entry->host, redactor);
  cut |= NAME (writer, "client", entry->client, redactor);
  cut |= NAME (writer, "role", entry->role, redactor);
  cut |= NAME (writer, "standing_role", entry->standing_role, redactor);
  cut |= NAME (writer, "project", entry->project, redactor);
  if (G_LIKELY (entry->names != NULL
                && !gmcp_redactor_finds_text (redactor, entry->names, entry->names_length)))
    {
      gmcp_json_append (writer->out, entry->names, entry->names_length);
    }
  else
    {
      cut |= NAME (writer, "server", entry->server, redactor);
      cut |= NAME (writer, "tool", entry->tool, redactor);
    }
  cut |= NAME (writer, "replay_of", entry->replay_of, redactor);
  if (G_UNLIKELY (cut))
    {
      gmcp_json_writer_plain_key (writer, "cut");
      gmcp_json_writer_boolean (writer, TRUE);
    }
}

void
gmcp_audit_log_write_entry (GmcpAuditLog *self,
                            GString *out,
                            const GmcpAuditEntry *entry,
                            GmcpRedactor *redactor)
{
  GmcpJsonWriter writer = { .out = out, .comma = TRUE };

  put_time (self, get_start_time (self, entry));
  put_next_id (self);
  gmcp_json_append (out, self->start, self->start_length);
  write_names (&writer, entry, redactor);
  write_arguments (self, &writer, entry, redactor);
  write_outcome (&writer, entry);
  if (entry->rule != NULL)
    {
      gmcp_json_writer_plain_key (&writer, "rule");
      write_redacted (&writer, entry->rule, GMCP_LIMIT_AUDIT_MESSAGE_BYTES, redactor);
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
