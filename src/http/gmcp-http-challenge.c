/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-challenge-private.h"

#include <string.h>

#include "gmcp-limits.h"

void
gmcp_http_challenge_free (GmcpHttpChallenge *challenge)
{
  g_free (challenge->scheme);
  g_free (challenge->token);
  g_hash_table_unref (challenge->params);
  g_free (challenge);
}

static gboolean
is_token_char (char c)
{
  return g_ascii_isalnum (c) || (c != '\0' && strchr ("!#$%&'*+-.^_`|~", c) != NULL);
}

static gboolean
is_token68_char (char c)
{
  return g_ascii_isalnum (c) || (c != '\0' && strchr ("-._~+/", c) != NULL);
}

static const char *
skip_token (const char *at)
{
  while (is_token_char (*at))
    at++;
  return at;
}

static const char *
skip_space (const char *at)
{
  while (*at == ' ' || *at == '\t')
    at++;
  return at;
}

/* To where the next element of the list starts. A comma inside quotes is no end. */
static const char *
skip_element (const char *at)
{
  gboolean quoted = FALSE;

  for (; *at != '\0' && (quoted || *at != ','); at++)
    {
      if (*at == '"')
        quoted = !quoted;
      else if (*at == '\\' && quoted && at[1] != '\0')
        at++;
    }
  return at;
}

/* The end of a token68 that is followed by a comma or the end; else NULL. */
static const char *
find_token68_end (const char *at)
{
  const char *start = at;

  while (is_token68_char (*at))
    at++;
  if (at == start)
    return NULL;
  while (*at == '=')
    at++;

  at = skip_space (at);
  return *at == ',' || *at == '\0' ? at : NULL;
}

static const char *
read_quoted (const char *at, GString *out)
{
  for (at++; *at != '\0' && *at != '"'; at++)
    {
      if (*at == '\\' && at[1] != '\0')
        at++;
      g_string_append_c (out, *at);
    }
  return *at == '"' ? at + 1 : at;
}

/* NULL where there is no parameter. */
static const char *
read_param (const char *at, GHashTable *params)
{
  const char *name_end = skip_token (at);
  g_autofree char *name = NULL;
  g_autoptr (GString) value = NULL;
  const char *start = at;

  at = skip_space (name_end);
  if (name_end == start || *at != '=')
    return NULL;

  at = skip_space (at + 1);
  value = g_string_new (NULL);
  if (*at == '"')
    at = read_quoted (at, value);
  else
    {
      /* Some send unquoted what must be quoted: a URL. */
      const char *value_start = at;

      while (*at != '\0' && *at != ',' && *at != ' ' && *at != '\t')
        at++;
      g_string_append_len (value, value_start, at - value_start);
    }

  name = g_ascii_strdown (start, name_end - start);
  if (!g_hash_table_contains (params, name)
      && g_hash_table_size (params) < GMCP_LIMIT_CHALLENGE_PARAMS)
    g_hash_table_insert (params, g_steal_pointer (&name),
                         g_utf8_make_valid (value->str, value->len));
  return at;
}

/* Past the parameters of one challenge, and the commas between them. */
static const char *
read_params (const char *at, GHashTable *params)
{
  while (TRUE)
    {
      const char *next = read_param (at, params);

      if (next == NULL)
        return at;

      at = skip_element (next);
      while (*at == ',')
        at = skip_space (at + 1);
    }
}

static const char *
read_challenge (const char *at, GPtrArray *challenges)
{
  const char *scheme_end = skip_token (at);
  GmcpHttpChallenge *challenge;
  const char *token_end;

  if (scheme_end == at)
    return skip_element (at);

  challenge = g_new0 (GmcpHttpChallenge, 1);
  challenge->scheme = g_strndup (at, scheme_end - at);
  challenge->params = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_ptr_array_add (challenges, challenge);

  at = skip_space (scheme_end);
  token_end = find_token68_end (at);
  if (token_end == NULL)
    return read_params (at, challenge->params);

  challenge->token = g_strchomp (g_strndup (at, token_end - at));
  return token_end;
}

GPtrArray *
gmcp_http_challenges_parse (const char *field)
{
  GPtrArray *challenges
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_http_challenge_free);
  const char *at = field;

  while (challenges->len < GMCP_LIMIT_CHALLENGES)
    {
      while (*at == ',' || *at == ' ' || *at == '\t')
        at++;
      if (*at == '\0')
        break;
      at = read_challenge (at, challenges);
    }

  return challenges;
}

const GmcpHttpChallenge *
gmcp_http_challenges_find (GPtrArray *challenges, const char *scheme)
{
  for (guint i = 0; i < challenges->len; i++)
    {
      const GmcpHttpChallenge *challenge = g_ptr_array_index (challenges, i);

      if (g_ascii_strcasecmp (challenge->scheme, scheme) == 0)
        return challenge;
    }
  return NULL;
}
