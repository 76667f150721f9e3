/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gmcp-json-schema-private.h"
#include "gmcp-variant-json-private.h"

/* A type of GVariant, a line end, JSON. Whatever both say, a value that is read has the type, fits its schema but for
 * forms that only the reader knows, and is read again from what is written of it. */

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

static GmcpJsonSchema *
make_schema (const GVariantType *type)
{
  g_autoptr (GString) json = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (json);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GError) error = NULL;
  GmcpJsonSchema *schema;

  gmcp_variant_write_schema (&writer, type, NULL);
  doc = gmcp_json_doc_parse (json->str, json->len, NULL, 0, NULL);
  check (doc != NULL);
  schema = gmcp_json_schema_compile (gmcp_json_doc_get_root (doc), NULL, &error);
  check (schema != NULL || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED));
  return schema;
}

static void
check_value (GVariant *value, const GVariantType *type)
{
  g_autoptr (GString) json = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (json);
  g_autoptr (GmcpJsonSchema) schema = make_schema (type);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GVariant) again = NULL;
  g_autoptr (GError) error = NULL;

  check (g_variant_is_of_type (value, type) && g_variant_is_normal_form (value));
  check (gmcp_variant_write_json (&writer, value, NULL));
  doc = gmcp_json_doc_parse (json->str, json->len, NULL, 0, NULL);
  check (doc != NULL);
  if (schema != NULL)
    check (gmcp_json_schema_validate (schema, gmcp_json_doc_get_root (doc), &error)
           || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED));
  /* A variant is written without its type. */
  if (strchr (g_variant_get_type_string (value), 'v') != NULL)
    return;
  again = gmcp_variant_read_json (gmcp_json_doc_get_root (doc), type, "it", NULL);
  check (again != NULL && g_variant_equal (again, value));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *end = size > 0 ? memchr (data, '\n', size) : NULL;
  g_autofree char *type = NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GVariant) value = NULL;
  g_autoptr (GError) error = NULL;

  if (end == NULL)
    return 0;
  type = g_strndup ((const char *) data, (gsize) (end - (const char *) data));
  if (!g_variant_type_string_is_valid (type)
      || !gmcp_variant_check_type (G_VARIANT_TYPE (type), NULL))
    return 0;
  doc
    = gmcp_json_doc_parse (end + 1, size - (gsize) (end + 1 - (const char *) data), NULL, 0, NULL);
  if (doc == NULL || gmcp_json_doc_has_doubled_members (doc))
    return 0;

  value
    = gmcp_variant_read_json (gmcp_json_doc_get_root (doc), G_VARIANT_TYPE (type), "it", &error);
  if (value != NULL)
    check_value (value, G_VARIANT_TYPE (type));
  else
    check (error != NULL && error->domain == GMCP_ERROR && strlen (error->message) < 100000);
  return 0;
}
