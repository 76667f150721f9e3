/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gmcp-json-schema-private.h"

/* A schema, a line end, an instance. A schema compiles or says why not; the instance fits or the
 * message says where it does not; the same comes out a second time, and the opposite for the
 * schema's negation. Limits are small, so that each input is quick. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_at (gboolean holds, const char *condition, int line)
{
  if (G_LIKELY (holds))
    return;
  g_printerr ("%s:%d: not so: %s\n", __FILE__, line, condition);
  abort ();
}

#define check(condition) check_at (condition, #condition, __LINE__)

static const GmcpJsonSchemaOptions options = {
  .limits = { .depth = 200, .subschemas = 500, .steps = 20000 },
};

typedef enum
{
  VALID,
  INVALID,
  NO_VERDICT,
} Verdict;

static Verdict
validate (GmcpJsonSchema *schema, GmcpJsonValue instance)
{
  g_autoptr (GError) error = NULL;

  if (gmcp_json_schema_validate (schema, instance, &error))
    {
      check (error == NULL);
      return VALID;
    }

  check (error != NULL && error->domain == GMCP_ERROR);
  check (g_utf8_validate (error->message, -1, NULL));
  check (strlen (error->message) < 100000);
  if (error->code == GMCP_ERROR_LIMIT_EXCEEDED)
    return NO_VERDICT;

  check (error->code == GMCP_ERROR_INVALID_ARGUMENT);
  check (error->message[0] == '/');
  return INVALID;
}

/* References by pointer would mean something else in the negation. */
static void
check_negation (GmcpJsonValue schema_value, GmcpJsonValue instance, Verdict verdict)
{
  g_autoptr (GString) text = g_string_new ("{\"not\":");
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GmcpJsonSchema) schema = NULL;
  gsize length;
  const char *raw = gmcp_json_value_peek_raw (schema_value, &length);
  Verdict opposite;

  if (memchr (raw, '$', length) != NULL || memchr (raw, '\\', length) != NULL)
    return;

  g_string_append_len (text, raw, (gssize) length);
  g_string_append_c (text, '}');
  doc = gmcp_json_doc_parse (text->str, text->len, NULL, 0, NULL);
  if (doc == NULL)
    return;
  schema = gmcp_json_schema_compile (gmcp_json_doc_get_root (doc), &options, NULL);
  if (schema == NULL)
    return;

  opposite = validate (schema, instance);
  check (verdict == NO_VERDICT || opposite == NO_VERDICT || verdict != opposite);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *text = (const char *) data;
  const char *end = size > 0 ? memchr (text, '\n', size) : NULL;
  g_autoptr (GmcpJsonDoc) schema_doc = NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GmcpJsonSchema) schema = NULL;
  g_autoptr (GError) error = NULL;
  GmcpJsonValue instance;
  Verdict verdict;

  if (end == NULL)
    return 0;
  schema_doc = gmcp_json_doc_parse (text, (gsize) (end - text), NULL, 0, NULL);
  if (schema_doc == NULL)
    return 0;

  schema = gmcp_json_schema_compile (gmcp_json_doc_get_root (schema_doc), &options, &error);
  check ((schema != NULL) == (error == NULL));
  if (error != NULL)
    {
      check (error->domain == GMCP_ERROR);
      check (g_utf8_validate (error->message, -1, NULL));
      return 0;
    }

  end++;
  doc = gmcp_json_doc_parse (end, size - (gsize) (end - text), NULL, 0, NULL);
  if (doc == NULL)
    return 0;
  instance = gmcp_json_doc_get_root (doc);
  verdict = validate (schema, instance);
  check (validate (schema, instance) == verdict);
  check_negation (gmcp_json_doc_get_root (schema_doc), instance, verdict);
  return 0;
}
