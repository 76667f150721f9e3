/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-argument-shapes-private.h"

#include <math.h>
#include <string.h>

#include "gmcp-json-schema-private.h"

/* Of a text that has to be long. */
#define TEXT_CHARS_MAX 200

static const struct
{
  const char *format;
  const char *example;
} formats[] = {
  { "date-time", "2026-01-31T12:00:00Z" },
  { "date", "2026-01-31" },
  { "time", "12:00:00Z" },
  { "duration", "PT1H" },
  { "email", "name@example.org" },
  { "idn-email", "name@example.org" },
  { "hostname", "example.org" },
  { "idn-hostname", "example.org" },
  { "ipv4", "192.0.2.1" },
  { "ipv6", "2001:db8::1" },
  { "uri", "https://example.org/" },
  { "url", "https://example.org/" },
  { "iri", "https://example.org/" },
  { "uri-reference", "https://example.org/" },
  { "uuid", "123e4567-e89b-12d3-a456-426614174000" },
  { "json-pointer", "/name" },
  { "regex", "[a-z]+" },
};

/* Tried one after the other where a text has to match an expression. */
static const char *const guesses[] = {
  "text",
  "a",
  "A",
  "abc",
  "ABC",
  "1",
  "12",
  "123",
  "1234",
  "12345678",
  "1.0",
  "1.0.0",
  "a1",
  "2026-01-31",
  "2026-01",
  "12:00",
  "12:00:00",
  "#3584e4",
  "en",
  "en-GB",
  "EUR",
  "name@example.org",
  "https://example.org/",
  "/path",
  "./path",
  "~/path",
  "owner/name",
  "name.txt",
  "0123456789abcdef",
  "123e4567-e89b-12d3-a456-426614174000",
  "0123456789abcdef0123456789abcdef01234567",
};

static gint64
get_length (GmcpJsonValue schema, const char *keyword, gint64 fallback)
{
  gint64 length = fallback;

  gmcp_json_value_get_int64 (gmcp_json_value_get_member (schema, keyword), &length);
  return length >= 0 ? length : fallback;
}

/* A text as long as it has to be. */
static char *
fit_length (const char *text, GmcpJsonValue schema)
{
  gint64 least = MIN (get_length (schema, "minLength", 0), TEXT_CHARS_MAX);
  gint64 most = get_length (schema, "maxLength", G_MAXINT);
  gint64 length = g_utf8_strlen (text, -1);

  if (length > most)
    return g_utf8_substring (text, 0, most);
  if (length < least)
    {
      g_autofree char *rest = g_strnfill ((gsize) (least - length), 'x');

      return g_strconcat (text, rest, NULL);
    }
  return g_strdup (text);
}

static gboolean
is_valid (GmcpJsonSchema *compiled, const char *text)
{
  g_autoptr (GString) json = g_string_new (NULL);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpJsonWriter writer = gmcp_json_writer_init (json);

  gmcp_json_writer_string (&writer, text);
  doc = gmcp_json_doc_parse (json->str, json->len, NULL, 0, NULL);
  return doc != NULL && gmcp_json_schema_validate (compiled, gmcp_json_doc_get_root (doc), NULL);
}

static const char *
guess_text (GmcpJsonValue schema)
{
  g_autoptr (GmcpJsonSchema) compiled = gmcp_json_schema_compile (schema, NULL, NULL);

  for (gsize i = 0; compiled != NULL && i < G_N_ELEMENTS (guesses); i++)
    if (is_valid (compiled, guesses[i]))
      return guesses[i];
  return "text";
}

static void
write_text (GmcpJsonWriter *writer, GmcpJsonValue schema)
{
  GmcpJsonValue format = gmcp_json_value_get_member (schema, "format");
  g_autofree char *text = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (gmcp_json_value_equals_string (format, formats[i].format))
      {
        gmcp_json_writer_string (writer, formats[i].example);
        return;
      }
  if (gmcp_json_value_is_present (gmcp_json_value_get_member (schema, "pattern")))
    text = g_strdup (guess_text (schema));
  else
    text = fit_length ("text", schema);
  gmcp_json_writer_string (writer, text);
}

static gboolean
read_limit (GmcpJsonValue schema, const char *keyword, double *limit)
{
  return gmcp_json_value_get_double (gmcp_json_value_get_member (schema, keyword), limit)
         && isfinite (*limit);
}

static double
round_up (double number)
{
  return -gmcp_argument_round_down (-number);
}

/* 1, or the number nearest to it that the limits allow. */
static double
find_number (GmcpJsonValue schema, gboolean whole)
{
  double number = 1, limit, other;

  if (read_limit (schema, "minimum", &limit))
    number = MAX (number, whole ? round_up (limit) : limit);
  if (read_limit (schema, "exclusiveMinimum", &limit) && number <= limit)
    number = gmcp_argument_round_down (limit) + 1;
  if (read_limit (schema, "maximum", &limit))
    number = MIN (number, whole ? gmcp_argument_round_down (limit) : limit);
  if (read_limit (schema, "exclusiveMaximum", &limit) && number >= limit)
    {
      number = round_up (limit) - 1;
      if (!whole
          && (read_limit (schema, "minimum", &other)
              || read_limit (schema, "exclusiveMinimum", &other))
          && number <= other)
        number = other + (limit - other) / 2;
    }
  if (read_limit (schema, "multipleOf", &limit) && limit > 0)
    number = round_up (number / limit) * limit;
  return number;
}

static void
write_number (GmcpJsonWriter *writer, GmcpJsonValue schema, gboolean whole)
{
  double number = find_number (schema, whole);

  /* Beyond this, a double has no fraction, and int64 may not hold it. */
  if (gmcp_argument_round_down (number) == number && number > -9e15 && number < 9e15)
    gmcp_json_writer_int64 (writer, (gint64) number);
  else
    gmcp_json_writer_double (writer, number);
}

/* The first that is not null. */
static void
choose_value (GmcpJsonValue value, gpointer data)
{
  GmcpJsonValue *chosen = data;

  if (!gmcp_json_value_is_present (*chosen) || gmcp_json_value_get_kind (*chosen) == GMCP_JSON_NULL)
    *chosen = value;
}

void
gmcp_argument_write_scalar_example (GmcpJsonWriter *writer, const GmcpArgumentShape *shape)
{
  GmcpArgumentShapes one = { .shapes = { *shape }, .n_shapes = 1 };
  GmcpJsonValue chosen = GMCP_JSON_NONE;

  switch (shape->kind)
    {
    case GMCP_ARGUMENT_KIND_BOOLEAN:
      gmcp_json_writer_boolean (writer, TRUE);
      break;
    case GMCP_ARGUMENT_KIND_INTEGER:
    case GMCP_ARGUMENT_KIND_NUMBER:
      write_number (writer, shape->schema, shape->kind == GMCP_ARGUMENT_KIND_INTEGER);
      break;
    case GMCP_ARGUMENT_KIND_NULL:
      gmcp_json_writer_null (writer);
      break;
    case GMCP_ARGUMENT_KIND_ENUM:
    case GMCP_ARGUMENT_KIND_CONST:
      gmcp_argument_shapes_foreach_choice (&one, choose_value, &chosen);
      if (gmcp_json_value_is_present (chosen))
        gmcp_json_writer_value (writer, chosen);
      else
        gmcp_json_writer_null (writer);
      break;
    case GMCP_ARGUMENT_KIND_STRING:
    case GMCP_ARGUMENT_KIND_ANY:
    case GMCP_ARGUMENT_KIND_ARRAY:
    case GMCP_ARGUMENT_KIND_OBJECT:
    default:
      write_text (writer, shape->schema);
    }
}
