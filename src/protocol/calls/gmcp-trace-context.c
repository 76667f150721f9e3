/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-trace-context-private.h"

#include <string.h>

#include "gmcp-limits.h"

/* Positions in “00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01”. */
#define PARENT_TRACE_AT   3
#define PARENT_SPAN_AT    36
#define PARENT_FLAGS_AT   53
#define PARENT_LENGTH     55

#define STATE_KEY_BYTES   256
#define STATE_VALUE_BYTES 256

/* Blanks that may stand around a member of a header's list. */
#define BLANKS " \t"

static gboolean
is_hex (const char *text, gsize length, gboolean may_be_zero)
{
  gboolean zero = TRUE;

  for (gsize i = 0; i < length; i++)
    {
      if (!g_ascii_isdigit (text[i]) && !(text[i] >= 'a' && text[i] <= 'f'))
        return FALSE;
      zero = zero && text[i] == '0';
    }
  return may_be_zero || !zero;
}

gboolean
gmcp_trace_is_parent (const char *text)
{
  gsize length = strlen (text);

  if (length < PARENT_LENGTH || length > GMCP_LIMIT_TRACE_BYTES || !is_hex (text, 2, TRUE)
      || strncmp (text, "ff", 2) == 0)
    return FALSE;
  /* Later versions may have more behind. */
  if (length > PARENT_LENGTH && (strncmp (text, "00", 2) == 0 || text[PARENT_LENGTH] != '-'))
    return FALSE;

  for (gsize i = PARENT_LENGTH; i < length; i++)
    if (!g_ascii_isgraph (text[i]))
      return FALSE;
  return text[PARENT_TRACE_AT - 1] == '-' && text[PARENT_SPAN_AT - 1] == '-'
         && text[PARENT_FLAGS_AT - 1] == '-' && is_hex (text + PARENT_TRACE_AT, 32, FALSE)
         && is_hex (text + PARENT_SPAN_AT, 16, FALSE) && is_hex (text + PARENT_FLAGS_AT, 2, TRUE);
}

/* Whether each member of a list that commas part is of a kind, and one is there. */
static gboolean
check_members (const char *text, gboolean (*is_member) (const char *member))
{
  g_auto (GStrv) members = NULL;
  gboolean any = FALSE;

  if (strlen (text) > GMCP_LIMIT_TRACE_BYTES)
    return FALSE;

  members = g_strsplit (text, ",", -1);
  for (guint i = 0; members[i] != NULL; i++)
    {
      char *member = members[i] + strspn (members[i], BLANKS);
      gsize length = strlen (member);

      while (length > 0 && strchr (BLANKS, member[length - 1]) != NULL)
        member[--length] = '\0';
      if (length == 0)
        continue;
      if (!is_member (member))
        return FALSE;
      any = TRUE;
    }
  return any;
}

static gboolean
is_state_member (const char *member)
{
  const char *equals = strchr (member, '=');
  gsize key_length;

  if (equals == NULL)
    return FALSE;
  key_length = (gsize) (equals - member);
  if (key_length == 0 || key_length > STATE_KEY_BYTES || equals[1] == '\0'
      || strlen (equals + 1) > STATE_VALUE_BYTES)
    return FALSE;

  for (const char *at = member; at < equals; at++)
    if (!g_ascii_islower (*at) && !g_ascii_isdigit (*at)
        && (at == member || strchr ("_-*/@", *at) == NULL))
      return FALSE;
  for (const char *at = equals + 1; *at != '\0'; at++)
    if (!g_ascii_isprint (*at) || *at == '=')
      return FALSE;
  return TRUE;
}

gboolean
gmcp_trace_is_state (const char *text)
{
  return check_members (text, is_state_member);
}

/* A token of RFC 7230, from the start of a text. */
static gsize
token_length (const char *text)
{
  gsize length = 0;

  while (g_ascii_isalnum (text[length])
         || (text[length] != '\0' && strchr ("!#$%&'*+-.^_`|~", text[length]) != NULL))
    length++;
  return length;
}

/* KEY=VALUE, then any number of ;KEY or ;KEY=VALUE. */
static gboolean
is_baggage_member (const char *member)
{
  const char *at = member;
  gboolean first = TRUE;

  for (;;)
    {
      gsize key_length;

      at += strspn (at, BLANKS);
      key_length = token_length (at);
      if (key_length == 0)
        return FALSE;
      at += key_length;
      at += strspn (at, BLANKS);
      if (*at == '=')
        {
          at++;
          at += strspn (at, BLANKS);
          while (g_ascii_isgraph (*at) && strchr ("\";\\", *at) == NULL)
            at++;
          at += strspn (at, BLANKS);
        }
      else if (first)
        return FALSE;

      first = FALSE;
      if (*at == '\0')
        return TRUE;
      if (*at++ != ';')
        return FALSE;
    }
}

gboolean
gmcp_trace_is_baggage (const char *text)
{
  return check_members (text, is_baggage_member);
}
