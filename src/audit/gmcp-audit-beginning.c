/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-audit-beginning-private.h"

#include <string.h>

#include "gmcp-limits.h"

/* What stands where something was left out. */
#define REST             "…"

#define MAX_STRING_BYTES 1024u
#define MAX_KEY_BYTES    128u
#define MAX_NUMBER_BYTES 64u

typedef struct
{
  GmcpJsonWriter writer;
  GmcpRedactor *redactor;
} Beginning;

/* How much of what stands between the quotes is at most that long, without half a character. */
static gsize
measure_start (const char *inner, gsize length, gsize max_bytes)
{
  gsize end = 0;

  while (end < length)
    {
      gsize step = inner[end] != '\\'      ? (gsize) g_utf8_skip[(guchar) inner[end]]
                   : inner[end + 1] == 'u' ? strlen ("\\u0000")
                                           : strlen ("\\n");

      if (end + step > MIN (length, max_bytes))
        break;
      end += step;
    }

  return end;
}

/* The start of a string, NULL where that is all of it. */
static char *
dup_start (Beginning *self, GmcpJsonValue string, gsize max_bytes)
{
  gsize length;
  const char *raw = gmcp_json_value_peek_raw (string, &length);
  g_autoptr (GString) quoted = NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autofree char *text = NULL;

  if (length <= max_bytes + 2)
    return NULL;

  quoted = g_string_new_len (raw, (gssize) measure_start (raw + 1, length - 2, max_bytes) + 1);
  g_string_append_c (quoted, '"');
  doc = gmcp_json_doc_parse (quoted->str, quoted->len, NULL, 0, NULL);
  text = doc != NULL ? gmcp_json_value_dup_string (gmcp_json_doc_get_root (doc)) : g_strdup ("");
  /* A secret that goes on in the rest would not be known for one. */
  text[gmcp_redactor_measure_whole (self->redactor, text, strlen (text))] = '\0';
  return g_strconcat (text, REST, NULL);
}

static gboolean
is_full (Beginning *self)
{
  return self->writer.out->len >= GMCP_LIMIT_AUDIT_BEGINNING_BYTES;
}

static void write_part (Beginning *self, GmcpJsonValue value);

static void
write_members (Beginning *self, GmcpJsonValue object)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue member;

  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, &key, &member))
    {
      g_autofree char *start = NULL;
      g_autofree char *whole = NULL;

      if (is_full (self))
        {
          gmcp_json_writer_member_string (&self->writer, REST, REST);
          return;
        }

      start = dup_start (self, key, MAX_KEY_BYTES);
      whole = start == NULL ? gmcp_json_value_dup_string (key) : NULL;
      gmcp_json_writer_key (&self->writer, start != NULL ? start : whole);
      /* The rest of the name may say that it is a secret. */
      if (start != NULL)
        gmcp_json_writer_string (&self->writer, REST);
      else
        write_part (self, member);
    }
}

static void
write_elements (Beginning *self, GmcpJsonValue array)
{
  GmcpJsonIter iter;
  GmcpJsonValue element;

  gmcp_json_iter_init (&iter, array);
  while (gmcp_json_iter_next (&iter, NULL, &element))
    {
      if (is_full (self))
        {
          gmcp_json_writer_string (&self->writer, REST);
          return;
        }
      write_part (self, element);
    }
}

static void
write_part (Beginning *self, GmcpJsonValue value)
{
  g_autofree char *start = NULL;
  gsize length;

  switch (gmcp_json_value_get_kind (value))
    {
    case GMCP_JSON_OBJECT:
      gmcp_json_writer_begin_object (&self->writer);
      write_members (self, value);
      gmcp_json_writer_end_object (&self->writer);
      break;
    case GMCP_JSON_ARRAY:
      gmcp_json_writer_begin_array (&self->writer);
      write_elements (self, value);
      gmcp_json_writer_end_array (&self->writer);
      break;
    case GMCP_JSON_STRING:
      start = dup_start (self, value, MAX_STRING_BYTES);
      if (start != NULL)
        gmcp_json_writer_string (&self->writer, start);
      else
        gmcp_json_writer_value (&self->writer, value);
      break;
    case GMCP_JSON_NUMBER:
      gmcp_json_value_peek_raw (value, &length);
      if (length > MAX_NUMBER_BYTES)
        gmcp_json_writer_string (&self->writer, REST);
      else
        gmcp_json_writer_value (&self->writer, value);
      break;
    case GMCP_JSON_ABSENT:
    case GMCP_JSON_NULL:
    case GMCP_JSON_FALSE:
    case GMCP_JSON_TRUE:
    default:
      gmcp_json_writer_value (&self->writer, value);
      break;
    }
}

void
gmcp_audit_beginning_write (GmcpJsonWriter *writer, GmcpJsonValue arguments, GmcpRedactor *redactor)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Beginning beginning = { gmcp_json_writer_init (text), redactor };
  g_autoptr (GmcpJsonDoc) doc = NULL;

  write_part (&beginning, arguments);
  doc = gmcp_json_doc_parse (text->str, text->len, NULL, 0, NULL);
  if (doc == NULL)
    {
      gmcp_json_writer_string (writer, REST);
      return;
    }

  gmcp_redactor_add_arguments (redactor, gmcp_json_doc_get_root (doc));
  gmcp_redactor_write_value (redactor, writer, gmcp_json_doc_get_root (doc));
}
