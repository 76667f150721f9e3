/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-credentials-private.h"

#include <string.h>

#include "gmcp-redactor-private.h"

/* Longer names are none that anybody would give to a credential. */
#define MAX_NAME_BYTES 64

typedef struct
{
  const char *text; /* of the whole */
  const char *end;
  gsize min_length;
  GmcpCredentialFunc func;
  gpointer user_data;
} Scan;

static gboolean
is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_' || c == '.';
}

/* Where a value ends that is not quoted. */
static gboolean
ends_value (char c)
{
  return (guint8) c <= ' ' || strchr ("\"'`\\,;&|<>(){}[]", c) != NULL;
}

static const char *
skip_value (Scan *scan, const char *at)
{
  while (at < scan->end && !ends_value (*at))
    at++;
  return at;
}

static const char *
skip_chars (Scan *scan, const char *at, const char *chars)
{
  while (at < scan->end && *at != '\0' && strchr (chars, *at) != NULL)
    at++;
  return at;
}

/* A word by which people say that there is a value, or what it is used for, is no value. */
static gboolean
is_value (Scan *scan, const char *value, gsize length)
{
  gsize n_plain = 0;

  if (length < MAX (scan->min_length, 1) || *value == '$' || *value == '%')
    return FALSE;

  while (n_plain < length && (g_ascii_isdigit (value[n_plain]) || strchr (".:*", value[n_plain])))
    n_plain++;
  return n_plain < length;
}

/* “Bearer” of “Bearer XYZ”. */
static gboolean
is_scheme (const char *word, gsize length)
{
  static const char *const schemes[] = { "bearer", "basic", "token", "apikey", "digest" };

  for (gsize i = 0; i < G_N_ELEMENTS (schemes); i++)
    if (length == strlen (schemes[i]) && g_ascii_strncasecmp (word, schemes[i], length) == 0)
      return TRUE;
  return FALSE;
}

static const char *
take_credential (Scan *scan, const char *value)
{
  const char *end = skip_value (scan, value);
  const char *equals = memchr (value, '=', (gsize) (end - value));

  /* A cookie's name; at the end it is a part of Base64. */
  if (equals != NULL && equals + 1 < end && equals[1] != '=')
    value = equals + 1;
  if (is_value (scan, value, (gsize) (end - value)))
    scan->func (value, (gsize) (end - value), scan->user_data);
  return end;
}

/* What follows a name and “:” or “=”, with or without quotes, also where these are escaped since the
 * whole is a JSON text in a string. */
static const char *
take_named (Scan *scan, const char *at)
{
  const char *value = skip_chars (scan, skip_chars (scan, at, " "), "\\\"'");
  const char *end = skip_value (scan, value);

  if (is_scheme (value, (gsize) (end - value)))
    return take_credential (scan, skip_chars (scan, end, " "));

  end = take_credential (scan, value);
  /* The next cookie. */
  while (scan->end - end > 2 && end[0] == ';' && end[1] == ' ')
    end = take_credential (scan, end + 2);
  return end;
}

/* The name before “:” or “=”; what is quoted may have spaces before these. */
static const char *
find_name (Scan *scan, const char *at, const char **end)
{
  const char *start;

  while (at > scan->text && strchr (" \\\"'", at[-1]) != NULL)
    at--;
  *end = at;
  for (start = at; start > scan->text && at - start < MAX_NAME_BYTES && is_name_char (start[-1]);
       start--)
    ;
  return start;
}

static const char *
look_at_name (Scan *scan, const char *at)
{
  const char *end;
  const char *name = find_name (scan, at, &end);

  if (gmcp_redactor_is_secret_name (name, (gsize) (end - name))
      || (end - name == 3 && memcmp (name, "key", 3) == 0 && name > scan->text
          && strchr ("?&", name[-1]) != NULL))
    return take_named (scan, at + 1);
  return at + 1;
}

/* “//name:password@host”; a colon or an at sign after the first slash belongs to a path. */
static const char *
look_at_url (Scan *scan, const char *name)
{
  const char *colon = NULL;
  const char *sign = NULL;

  for (const char *at = name;
       at < scan->end && (guint8) *at > ' ' && strchr ("/\\\"'`<>", *at) == NULL; at++)
    {
      if (*at == ':' && colon == NULL)
        colon = at;
      else if (*at == '@')
        sign = at;
    }

  if (sign == NULL)
    return name;
  if (colon != NULL && colon < sign)
    {
      gsize length = (gsize) (sign - colon - 1);

      if (colon[1] == '$')
        return sign;
      if (length >= scan->min_length)
        scan->func (colon + 1, length, scan->user_data);
      else if (length > 0)
        scan->func (name, (gsize) (sign + 1 - name), scan->user_data);
    }
  else
    {
      g_autofree char *word = g_strndup (name, (gsize) (sign - name));

      if (gmcp_redactor_looks_random (word))
        scan->func (name, (gsize) (sign - name), scan->user_data);
    }
  return sign;
}

/* “ghp_XYZ”: at is where the prefix ends. */
static const char *
look_at_prefix (Scan *scan, const char *at)
{
  static const char *const prefixes[]
    = { "ghp_", "gho_",     "ghu_",     "ghs_",  "ghr_",    "github_pat_", "glpat-", "sk-",
        "pk-",  "sk_live_", "rk_live_", "xoxb-", "xoxp-",   "xoxa-",       "xapp-",  "npm_",
        "hf_",  "pypi-",    "lin_api_", "ntn_",  "secret_", "dop_v1_",     "shpat_", "figd_" };
  const char *end;

  for (gsize i = 0; i < G_N_ELEMENTS (prefixes); i++)
    {
      gsize length = strlen (prefixes[i]);
      const char *start = at - length;

      if ((gsize) (at - scan->text) < length || memcmp (start, prefixes[i], length) != 0
          || (start > scan->text && g_ascii_isalnum (start[-1])))
        continue;
      for (end = at; end < scan->end && is_name_char (*end); end++)
        ;
      if (end - start < 20)
        continue;
      scan->func (start, (gsize) (end - start), scan->user_data);
      return end;
    }
  return at;
}

/* “Bearer XYZ” without a name before it: in a sentence a word follows that is not made by a machine. */
static const char *
look_at_scheme (Scan *scan, const char *at)
{
  const char *start = at;
  const char *value, *end;
  g_autofree char *word = NULL;

  while (start > scan->text && g_ascii_isalpha (start[-1]))
    start--;
  value = skip_chars (scan, at, " ");
  if (!is_scheme (start, (gsize) (at - start)))
    return value;

  end = skip_value (scan, value);
  word = g_strndup (value, (gsize) (end - value));
  if (gmcp_redactor_looks_random (word))
    scan->func (value, (gsize) (end - value), scan->user_data);
  return value;
}

void
gmcp_credentials_find (const char *text,
                       gsize length,
                       gsize min_length,
                       GmcpCredentialFunc func,
                       gpointer user_data)
{
  /* Nearly every byte of a text is none of these. */
  static const guint8 triggers[256] = { [':'] = 1, ['='] = 1, ['_'] = 1, ['-'] = 1, [' '] = 1 };
  Scan scan = { text, text + length, min_length, func, user_data };
  const char *at = text;

  while (at < scan.end)
    {
      char c;

      while (scan.end - at >= 8
             && !(triggers[(guint8) at[0]] | triggers[(guint8) at[1]] | triggers[(guint8) at[2]]
                  | triggers[(guint8) at[3]] | triggers[(guint8) at[4]] | triggers[(guint8) at[5]]
                  | triggers[(guint8) at[6]] | triggers[(guint8) at[7]]))
        at += 8;
      if (at == scan.end)
        break;

      c = *at;

      if (G_LIKELY (!triggers[(guint8) c]))
        at++;
      else if (c == ':' && scan.end - at > 3 && at[1] == '/' && at[2] == '/')
        at = look_at_url (&scan, at + 3);
      else if (c == ':' || c == '=')
        at = look_at_name (&scan, at);
      else if (c == ' ')
        at = at > text && strchr ("rRcCnNyYtT", at[-1]) != NULL ? look_at_scheme (&scan, at)
                                                                : at + 1;
      else
        at = look_at_prefix (&scan, at + 1);
    }
}
