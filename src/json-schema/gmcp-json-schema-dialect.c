/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-keyword-private.h"

/* A meta-schema may have one that has one, and so on. */
#define MAX_METASCHEMAS 8

/* Authors mix up the two schemes, and the empty fragment is the same URI. */
static const char *
skip_scheme (const char *uri, gsize *length)
{
  if (g_str_has_prefix (uri, "http://"))
    uri += strlen ("http://");
  else if (g_str_has_prefix (uri, "https://"))
    uri += strlen ("https://");
  *length = strcspn (uri, "#");
  if (uri[*length] == '#' && uri[*length + 1] != '\0')
    *length = strlen (uri);
  return uri;
}

static gboolean
is_same_uri (const char *a, const char *b)
{
  gsize a_length, b_length;

  a = skip_scheme (a, &a_length);
  b = skip_scheme (b, &b_length);
  return a_length == b_length && memcmp (a, b, a_length) == 0;
}

static gboolean
find_draft (const char *uri, GmcpJsonSchemaDialect *draft)
{
  static const struct
  {
    const char *name;
    GmcpJsonSchemaDialect draft;
  } known[] = {
    { "json-schema.org/draft/2020-12/schema", GMCP_JSON_SCHEMA_DIALECT_2020_12 },
    { "json-schema.org/draft/2019-09/schema", GMCP_JSON_SCHEMA_DIALECT_2019_09 },
    { "json-schema.org/draft-07/schema", GMCP_JSON_SCHEMA_DIALECT_DRAFT_07 },
    { "json-schema.org/draft-06/schema", GMCP_JSON_SCHEMA_DIALECT_DRAFT_06 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    if (is_same_uri (uri, known[i].name))
      {
        *draft = known[i].draft;
        return TRUE;
      }

  return FALSE;
}

static GmcpJsonValue
find_document (const GmcpJsonSchemaOptions *options, const char *uri)
{
  for (guint i = 0; i < options->n_documents; i++)
    if (is_same_uri (options->documents[i].uri, uri))
      return options->documents[i].schema;

  return GMCP_JSON_NONE;
}

static gboolean
read_vocabulary (const char *name, GmcpSchemaVocabularies *mask)
{
  static const char *const homes[] = { "https://json-schema.org/draft/2020-12/vocab/",
                                       "https://json-schema.org/draft/2019-09/vocab/" };
  static const struct
  {
    const char *name;
    GmcpSchemaVocabularies mask; /* none for what only annotates */
  } known[] = {
    { "core", GMCP_SCHEMA_VOCABULARY_CORE },
    { "applicator", GMCP_SCHEMA_VOCABULARY_APPLICATOR },
    { "unevaluated", GMCP_SCHEMA_VOCABULARY_UNEVALUATED },
    { "validation", GMCP_SCHEMA_VOCABULARY_VALIDATION },
    { "meta-data", 0 },
    { "format-annotation", 0 },
    { "content", 0 },
  };

  for (gsize home = 0; home < G_N_ELEMENTS (homes); home++)
    for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
      if (g_str_has_prefix (name, homes[home])
          && strcmp (name + strlen (homes[home]), known[i].name) == 0)
        {
          *mask |= known[i].mask;
          /* In the older draft they were one. */
          if (home == 1 && known[i].mask == GMCP_SCHEMA_VOCABULARY_APPLICATOR)
            *mask |= GMCP_SCHEMA_VOCABULARY_UNEVALUATED;
          return TRUE;
        }

  return FALSE;
}

/* The vocabularies of the outermost meta-schema; without "$vocabulary" they are all. */
static gboolean
read_vocabularies (GmcpJsonValue metaschema,
                   const char *uri,
                   GmcpSchemaVocabularies *vocabularies,
                   GError **error)
{
  GmcpJsonValue listed = gmcp_json_value_get_member (metaschema, "$vocabulary");
  GmcpSchemaVocabularies mask = GMCP_SCHEMA_VOCABULARY_CORE;
  GmcpJsonValue key, value;
  GmcpJsonIter iter;

  *vocabularies = GMCP_SCHEMA_VOCABULARY_ALL;
  if (!gmcp_json_value_is_object (listed))
    return TRUE;

  gmcp_json_iter_init (&iter, listed);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *shown = NULL;
      g_autofree char *shown_uri = NULL;

      if (read_vocabulary (name, &mask) || gmcp_json_value_get_kind (value) != GMCP_JSON_TRUE)
        continue;

      shown = gmcp_schema_shorten (name);
      shown_uri = gmcp_schema_shorten (uri);
      g_set_error (
        error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
        _ ("The JSON Schema dialect “%s” needs the vocabulary “%s”, which is not supported"),
        shown_uri, shown);
      return FALSE;
    }

  *vocabularies = mask;
  return TRUE;
}

gboolean
gmcp_schema_dialect_read (const GmcpJsonSchemaOptions *options,
                          GmcpJsonValue schema,
                          GmcpSchemaDialect *dialect,
                          GError **error)
{
  g_autofree char *named
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (schema, "$schema"));
  g_autofree char *uri = g_strdup (named);
  g_autofree char *shown = NULL;
  GmcpSchemaDialect found = { .vocabularies = GMCP_SCHEMA_VOCABULARY_ALL };

  if (named == NULL)
    return TRUE;

  for (guint i = 0; uri != NULL && i < MAX_METASCHEMAS; i++)
    {
      GmcpJsonValue metaschema;

      if (find_draft (uri, &found.draft))
        {
          *dialect = found;
          return TRUE;
        }
      metaschema = find_document (options, uri);
      if (i == 0 && !read_vocabularies (metaschema, uri, &found.vocabularies, error))
        return FALSE;
      g_free (uri);
      uri = gmcp_json_value_dup_string (gmcp_json_value_get_member (metaschema, "$schema"));
    }

  shown = gmcp_schema_shorten (named);
  g_set_error (
    error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
    _ ("The JSON Schema dialect “%s” is not supported; draft 2020-12, 2019-09, 07 and 06 are"),
    shown);
  return FALSE;
}
