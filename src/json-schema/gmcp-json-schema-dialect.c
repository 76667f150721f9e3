/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-keyword-private.h"

gboolean
gmcp_schema_dialect_read (GmcpJsonValue schema, GmcpJsonSchemaDialect *dialect, GError **error)
{
  static const struct
  {
    const char *name;
    GmcpJsonSchemaDialect dialect;
  } known[] = {
    { "json-schema.org/draft/2020-12/schema", GMCP_JSON_SCHEMA_DIALECT_2020_12 },
    { "json-schema.org/draft/2019-09/schema", GMCP_JSON_SCHEMA_DIALECT_2019_09 },
    { "json-schema.org/draft-07/schema", GMCP_JSON_SCHEMA_DIALECT_DRAFT_07 },
    { "json-schema.org/draft-06/schema", GMCP_JSON_SCHEMA_DIALECT_DRAFT_06 },
  };
  g_autofree char *uri
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (schema, "$schema"));
  g_autofree char *shown = NULL;
  const char *name = uri;
  gsize length;

  if (uri == NULL)
    return TRUE;

  /* Authors mix up the two schemes, and the empty fragment is the same URI. */
  if (g_str_has_prefix (name, "http://"))
    name += strlen ("http://");
  else if (g_str_has_prefix (name, "https://"))
    name += strlen ("https://");
  length = strcspn (name, "#");
  if (name[length] == '\0' || name[length + 1] == '\0')
    for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
      if (strlen (known[i].name) == length && memcmp (known[i].name, name, length) == 0)
        {
          *dialect = known[i].dialect;
          return TRUE;
        }

  shown = gmcp_schema_shorten (uri);
  g_set_error (
    error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
    _ ("The JSON Schema dialect “%s” is not supported; draft 2020-12, 2019-09, 07 and 06 are"),
    shown);
  return FALSE;
}
