/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-uri-template-parser-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

#define MAX_PREFIX_DIGITS 4

static const GmcpUriOperator operators[] = {
  { '\0', "", ",", "", FALSE, FALSE }, { '+', "", ",", "", FALSE, TRUE },
  { '#', "#", ",", "", FALSE, TRUE },  { '.', ".", ".", "", FALSE, FALSE },
  { '/', "/", "/", "", FALSE, FALSE }, { ';', ";", ";", "", TRUE, FALSE },
  { '?', "?", "&", "=", TRUE, FALSE }, { '&', "&", "&", "=", TRUE, FALSE },
};

typedef struct
{
  const char *start; /* of the template */
  const char *at;
  GError **error;
} Parser;

static gboolean
fail_at (Parser *parser, const char *at, const char *problem)
{
  g_set_error (parser->error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
               /* Translators: what is wrong, and after how many bytes */
               _ ("The URI template is not valid: %s (at byte %u)"), problem,
               (guint) (at - parser->start));
  return FALSE;
}

gboolean
gmcp_uri_is_triplet (const char *at)
{
  return at[0] == '%' && g_ascii_isxdigit (at[1]) && g_ascii_isxdigit (at[2]);
}

/* One character of a variable's name, or 0. */
static gsize
match_varchar (const char *at)
{
  if (g_ascii_isalnum (*at) || *at == '_')
    return 1;
  return gmcp_uri_is_triplet (at) ? 3 : 0;
}

/* varname = varchar *( ["."] varchar ) */
static gboolean
parse_name (Parser *parser, GmcpUriVariable *spec)
{
  gsize step;

  spec->name = parser->at;
  while ((step = match_varchar (parser->at)) > 0)
    {
      parser->at += step;
      if (*parser->at == '.' && match_varchar (parser->at + 1) > 0)
        parser->at++;
    }
  spec->length = (gsize) (parser->at - spec->name);
  return spec->length > 0 || fail_at (parser, parser->at, _ ("a variable's name is missing"));
}

static gboolean
parse_modifier (Parser *parser, GmcpUriVariable *spec)
{
  const char *start = parser->at;

  spec->prefix = 0;
  spec->explode = *parser->at == '*';
  if (spec->explode)
    {
      parser->at++;
      return TRUE;
    }
  if (*parser->at != ':')
    return TRUE;

  for (parser->at++; g_ascii_isdigit (*parser->at); parser->at++)
    {
      if (parser->at - start > MAX_PREFIX_DIGITS)
        return fail_at (parser, start, _ ("a prefix has more than 9999 characters"));
      spec->prefix = spec->prefix * 10 + (guint) (*parser->at - '0');
    }
  if (spec->prefix == 0 || start[1] == '0')
    return fail_at (parser, start, _ ("a prefix is no number from 1 to 9999"));
  return TRUE;
}

static const GmcpUriOperator *
parse_operator (Parser *parser)
{
  for (guint i = 1; i < G_N_ELEMENTS (operators); i++)
    {
      if (operators[i].mark == *parser->at)
        {
          parser->at++;
          return &operators[i];
        }
    }
  return &operators[0];
}

static gboolean
parse_expression (Parser *parser, const GmcpUriTemplateVisitor *visitor, gpointer data)
{
  const char *start = parser->at++;

  visitor->begin (data, parse_operator (parser));
  for (;;)
    {
      GmcpUriVariable spec;

      if (!parse_name (parser, &spec) || !parse_modifier (parser, &spec)
          || !visitor->variable (data, &spec, parser->error))
        return FALSE;
      if (*parser->at == '}')
        break;
      if (*parser->at == '\0')
        return fail_at (parser, start, _ ("“{” has no “}”"));
      if (*parser->at != ',')
        return fail_at (parser, parser->at, _ ("a character that cannot be there"));
      parser->at++;
    }

  parser->at++;
  return TRUE;
}

gboolean
gmcp_uri_template_parse (const char *uri_template,
                         const GmcpUriTemplateVisitor *visitor,
                         gpointer data,
                         GError **error)
{
  Parser parser = { uri_template, uri_template, error };

  if (strlen (uri_template) > GMCP_LIMIT_URI_TEMPLATE_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("The URI template is longer than %u bytes"), GMCP_LIMIT_URI_TEMPLATE_BYTES);
      return FALSE;
    }

  while (*parser.at != '\0')
    {
      gsize length = strcspn (parser.at, "{}");

      if (length > 0)
        visitor->literal (data, parser.at, length);
      parser.at += length;
      if (*parser.at == '}')
        return fail_at (&parser, parser.at, _ ("“}” has no “{”"));
      if (*parser.at == '{' && !parse_expression (&parser, visitor, data))
        return FALSE;
    }
  return TRUE;
}
