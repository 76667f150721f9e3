/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <math.h>
#include <string.h>

#include "gmcp-json-append-private.h"
#include "gmcp-json-doc-private.h"
#include "gmcp-json-scan-private.h"

static inline void
begin_value (GmcpJsonWriter *writer)
{
  if (writer->comma)
    gmcp_json_append (writer->out, ",", 1);
  writer->comma = TRUE;
}

static void
open_container (GmcpJsonWriter *writer, const char *bracket)
{
  begin_value (writer);
  gmcp_json_append (writer->out, bracket, 1);
  writer->comma = FALSE;
}

static void
close_container (GmcpJsonWriter *writer, const char *bracket)
{
  gmcp_json_append (writer->out, bracket, 1);
  writer->comma = TRUE;
}

void
gmcp_json_writer_begin_object (GmcpJsonWriter *writer)
{
  open_container (writer, "{");
}

void
gmcp_json_writer_end_object (GmcpJsonWriter *writer)
{
  close_container (writer, "}");
}

void
gmcp_json_writer_begin_array (GmcpJsonWriter *writer)
{
  open_container (writer, "[");
}

void
gmcp_json_writer_end_array (GmcpJsonWriter *writer)
{
  close_container (writer, "]");
}

static inline void
append_ascii_escape (GString *out, guint8 byte)
{
  static const char letters[128] = {
    ['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
    ['\n'] = 'n', ['\r'] = 'r',  ['\t'] = 't',
  };
  const char *digits = "0123456789abcdef";
  const char letter = letters[byte];
  const char escape[6]
    = { '\\', letter != 0 ? letter : 'u', '0', '0', digits[byte >> 4], digits[byte & 0x0f] };

  gmcp_json_append (out, escape, letter != 0 ? 2 : 6);
}

static void
append_string (GString *out, const char *string, gsize length)
{
  const guint8 *p = (const guint8 *) string;
  const guint8 *end = p + length;
  const guint8 *run = p;

  p = gmcp_json_skip_plain (p, end);
  if (G_LIKELY (p == end && out->allocated_len - out->len > length + 2))
    {
      char *to = out->str + out->len;

      to[0] = '"';
      memcpy (to + 1, string, length);
      to[length + 1] = '"';
      to[length + 2] = '\0';
      out->len += length + 2;
      return;
    }

  gmcp_json_append (out, "\"", 1);
  for (; p < end; p = gmcp_json_skip_plain (p, end))
    {
      guint bad = 1;

      if (*p >= 0x80 && gmcp_json_skip_utf8 (&p, end, &bad))
        continue;

      gmcp_json_append (out, (const char *) run, (gsize) (p - run));
      if (*p >= 0x80)
        gmcp_json_append (out, "\357\277\275", 3);
      else
        append_ascii_escape (out, *p);
      p += bad;
      run = p;
    }
  gmcp_json_append (out, (const char *) run, (gsize) (end - run));
  gmcp_json_append (out, "\"", 1);
}

/* A caller's bug is told of, and the text stays JSON: half a member would cost the whole message. */
static void
write_missing (GmcpJsonWriter *writer, const char *function)
{
  g_return_if_fail_warning (G_LOG_DOMAIN, function, "text != NULL");
  gmcp_json_writer_null (writer);
}

void
gmcp_json_writer_key (GmcpJsonWriter *writer, const char *key)
{
  if (G_UNLIKELY (key == NULL))
    {
      g_return_if_fail_warning (G_LOG_DOMAIN, G_STRFUNC, "key != NULL");
      key = "";
    }

  begin_value (writer);
  append_string (writer->out, key, strlen (key));
  gmcp_json_append (writer->out, ":", 1);
  writer->comma = FALSE;
}

void
gmcp_json_writer_raw_key (GmcpJsonWriter *writer, const char *text, gsize length)
{
  begin_value (writer);
  gmcp_json_append (writer->out, text, length);
  writer->comma = FALSE;
}

void
gmcp_json_writer_comma_key (GmcpJsonWriter *writer, const char *text, gsize length)
{
  gsize left_out = writer->comma ? 0 : 1;

  gmcp_json_append (writer->out, text + left_out, length - left_out);
  writer->comma = FALSE;
}

void
gmcp_json_writer_string_len (GmcpJsonWriter *writer, const char *string, gssize length)
{
  if (G_UNLIKELY (string == NULL && length != 0))
    {
      write_missing (writer, G_STRFUNC);
      return;
    }

  begin_value (writer);
  append_string (writer->out, length != 0 ? string : "",
                 length < 0 ? strlen (string) : (gsize) length);
}

void
gmcp_json_writer_string (GmcpJsonWriter *writer, const char *string)
{
  gmcp_json_writer_string_len (writer, string, -1);
}

static void
write_integer (GmcpJsonWriter *writer, guint64 magnitude, gboolean negative)
{
  static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                              "25262728293031323334353637383940414243444546474849"
                              "50515253545556575859606162636465666768697071727374"
                              "75767778798081828384858687888990919293949596979899";
  char text[24];
  char *p = text + sizeof text;

  for (; magnitude >= 100; magnitude /= 100)
    {
      p -= 2;
      memcpy (p, pairs + magnitude % 100 * 2, 2);
    }
  if (magnitude >= 10)
    {
      p -= 2;
      memcpy (p, pairs + magnitude * 2, 2);
    }
  else
    {
      *--p = (char) ('0' + magnitude);
    }
  if (negative)
    *--p = '-';
  if (writer->comma)
    *--p = ',';
  writer->comma = TRUE;
  gmcp_json_append (writer->out, p, (gsize) (text + sizeof text - p));
}

void
gmcp_json_writer_int64 (GmcpJsonWriter *writer, gint64 value)
{
  write_integer (writer, value < 0 ? -(guint64) value : (guint64) value, value < 0);
}

void
gmcp_json_writer_uint64 (GmcpJsonWriter *writer, guint64 value)
{
  write_integer (writer, value, FALSE);
}

void
gmcp_json_writer_double (GmcpJsonWriter *writer, double value)
{
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    {
      gmcp_json_writer_null (writer);
      return;
    }

  /* The shortest text that reads back as the same double; 17 digits always do. */
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (text, sizeof text, formats[i], value);
      if (g_ascii_strtod (text, NULL) == value)
        break;
    }
  begin_value (writer);
  gmcp_json_append (writer->out, text, strlen (text));
}

void
gmcp_json_writer_boolean (GmcpJsonWriter *writer, gboolean value)
{
  begin_value (writer);
  if (value)
    gmcp_json_append (writer->out, "true", 4);
  else
    gmcp_json_append (writer->out, "false", 5);
}

void
gmcp_json_writer_null (GmcpJsonWriter *writer)
{
  begin_value (writer);
  gmcp_json_append (writer->out, "null", 4);
}

void
gmcp_json_writer_base64 (GmcpJsonWriter *writer, const guint8 *data, gsize length)
{
  static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  GString *out = writer->out;
  gsize left = length;
  char *to;

  begin_value (writer);
  gmcp_json_append (out, "\"", 1);
  g_string_set_size (out, out->len + (length + 2) / 3 * 4);
  to = out->str + out->len - (length + 2) / 3 * 4;
  for (; left >= 3; left -= 3, data += 3, to += 4)
    {
      to[0] = alphabet[data[0] >> 2];
      to[1] = alphabet[(data[0] & 0x03) << 4 | data[1] >> 4];
      to[2] = alphabet[(data[1] & 0x0f) << 2 | data[2] >> 6];
      to[3] = alphabet[data[2] & 0x3f];
    }
  if (left > 0)
    {
      guint8 second = left == 2 ? data[1] : 0;

      to[0] = alphabet[data[0] >> 2];
      to[1] = alphabet[(data[0] & 0x03) << 4 | second >> 4];
      to[2] = left == 2 ? alphabet[(second & 0x0f) << 2] : '=';
      to[3] = '=';
    }
  gmcp_json_append (out, "\"", 1);
}

GBytes *
gmcp_json_text_to_bytes (GString *text)
{
  gsize length = text->len;
  gboolean has_much_room = length >= GMCP_JSON_PART_BYTES && length < text->allocated_len / 4 * 3;
  char *bytes = g_string_free (text, FALSE);

  return g_bytes_new_take (has_much_room ? g_realloc (bytes, length) : bytes, length);
}

static void
clear_part (gpointer data)
{
  GmcpJsonPart *part = data;

  g_bytes_unref (part->bytes);
}

GArray *
gmcp_json_parts_new (void)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (GmcpJsonPart));

  g_array_set_clear_func (parts, clear_part);
  return parts;
}

void
gmcp_json_parts_add (GArray *parts, gsize position, GBytes *bytes)
{
  GmcpJsonPart part = { position, bytes };

  g_array_append_val (parts, part);
}

static gboolean
takes_part (const GmcpJsonWriter *writer, gsize length)
{
  return writer->parts != NULL && length >= GMCP_JSON_PART_BYTES;
}

void
gmcp_json_writer_raw_bytes (GmcpJsonWriter *writer, GBytes *bytes, gsize offset, gsize length)
{
  begin_value (writer);
  if (takes_part (writer, length))
    gmcp_json_parts_add (writer->parts, writer->out->len,
                         g_bytes_new_from_bytes (bytes, offset, length));
  else
    gmcp_json_append (writer->out, (const char *) g_bytes_get_data (bytes, NULL) + offset, length);
}

void
gmcp_json_writer_raw (GmcpJsonWriter *writer, const char *text, gssize length)
{
  if (G_UNLIKELY (text == NULL))
    {
      write_missing (writer, G_STRFUNC);
      return;
    }

  begin_value (writer);
  gmcp_json_append (writer->out, text, length < 0 ? strlen (text) : (gsize) length);
}

void
gmcp_json_writer_value (GmcpJsonWriter *writer, GmcpJsonValue value)
{
  gsize length;
  const char *raw = gmcp_json_value_peek_raw (value, &length);
  const char *end;

  if (raw == NULL)
    {
      gmcp_json_writer_null (writer);
      return;
    }
  begin_value (writer);
  if (memchr (raw, '\n', length) == NULL && memchr (raw, '\r', length) == NULL)
    {
      GBytes *part = takes_part (writer, length) ? gmcp_json_value_dup_owned (value) : NULL;

      if (part != NULL)
        gmcp_json_parts_add (writer->parts, writer->out->len, part);
      else
        gmcp_json_append (writer->out, raw, length);
      return;
    }

  /* Line ends stand between tokens only: inside a string they would be escapes. */
  end = raw + length;
  while (raw < end)
    {
      const char *run = raw;

      while (raw < end && *raw != '\n' && *raw != '\r')
        raw++;
      gmcp_json_append (writer->out, run, (gsize) (raw - run));
      while (raw < end && (*raw == '\n' || *raw == '\r'))
        raw++;
    }
}

void
gmcp_json_writer_member_empty (GmcpJsonWriter *writer, const char *key)
{
  gmcp_json_writer_key (writer, key);
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_end_object (writer);
}

void
gmcp_json_writer_member_string (GmcpJsonWriter *writer, const char *key, const char *value)
{
  gmcp_json_writer_key (writer, key);
  gmcp_json_writer_string (writer, value);
}

void
gmcp_json_writer_member_int64 (GmcpJsonWriter *writer, const char *key, gint64 value)
{
  gmcp_json_writer_key (writer, key);
  gmcp_json_writer_int64 (writer, value);
}

void
gmcp_json_writer_member_boolean (GmcpJsonWriter *writer, const char *key, gboolean value)
{
  gmcp_json_writer_key (writer, key);
  gmcp_json_writer_boolean (writer, value);
}

void
gmcp_json_writer_member_value (GmcpJsonWriter *writer, const char *key, GmcpJsonValue value)
{
  gmcp_json_writer_key (writer, key);
  gmcp_json_writer_value (writer, value);
}
