/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tool-argument-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-near-names-private.h"
#include "gmcp-visible-text-private.h"

#define VALUE_CHARS 40u
#define PLACE_CHARS 80u
#define NAMES_SHOWN 12u

/* “ Near to it: X.” for a name that none of the arguments has, else "". */
static char *
suggest_argument (GPtrArray *arguments, const char *name)
{
  g_autofree GmcpNearName *candidates = g_new0 (GmcpNearName, arguments->len + 1);

  for (guint i = 0; i < arguments->len; i++)
    {
      const char *known = gmcp_tool_argument_get_name (arguments->pdata[i]);

      candidates[i] = (GmcpNearName){ known, known };
    }
  return gmcp_near_names_suggest (name, candidates, arguments->len);
}

static GmcpToolArgument *
find_argument (GPtrArray *arguments, const char *name)
{
  for (guint i = 0; i < arguments->len; i++)
    if (g_str_equal (gmcp_tool_argument_get_name (arguments->pdata[i]), name))
      return arguments->pdata[i];
  return NULL;
}

static char *
list_names (GPtrArray *arguments)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < arguments->len && i < NAMES_SHOWN; i++)
    {
      g_autofree char *name
        = gmcp_argument_quote_name (gmcp_tool_argument_get_name (arguments->pdata[i]));

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", name);
    }
  if (arguments->len > NAMES_SHOWN)
    g_string_append (names, ", …");
  return g_string_free (names, FALSE);
}

/* A name that is not the tool's, where it is near to one of them or nothing but these is taken. */
static char *
explain_unknown (GmcpTool *tool, GPtrArray *arguments, GmcpJsonValue given)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;

  gmcp_json_iter_init (&iter, given);
  while (gmcp_json_iter_next (&iter, &key, NULL))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *quoted = gmcp_argument_quote_name (name);
      g_autofree char *near = NULL;
      g_autofree char *names = NULL;

      if (find_argument (arguments, name) != NULL || gmcp_tool_takes_argument (tool, name))
        continue;
      near = suggest_argument (arguments, name);
      if (*near != '\0')
        /* Translators: a name, and the sentence “ Near to it: X.” */
        return g_strdup_printf (_ ("There is no argument “%s”.%s"), quoted, near);
      names = list_names (arguments);
      /* Translators: a name, and a list of names */
      return arguments->len > 0
               ? g_strdup_printf (_ ("There is no argument “%s”, but %s"), quoted, names)
               : g_strdup_printf (_ ("There is no argument “%s”; the tool takes none"), quoted);
    }
  return NULL;
}

static char *
explain_missing (GPtrArray *arguments, GmcpJsonValue given)
{
  g_autoptr (GString) missing = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < arguments->len; i++)
    {
      GmcpToolArgument *argument = arguments->pdata[i];
      const char *name = gmcp_tool_argument_get_name (argument);
      g_autofree char *quoted = gmcp_argument_quote_name (name);

      if (!gmcp_tool_argument_is_required (argument)
          || gmcp_json_value_is_present (gmcp_json_value_get_member (given, name)))
        continue;
      if (n++ < NAMES_SHOWN)
        g_string_append_printf (missing, "%s%s (%s)", n > 1 ? ", " : "", quoted,
                                gmcp_tool_argument_get_type_text (argument));
    }
  if (n == 0)
    return NULL;
  if (n > NAMES_SHOWN)
    g_string_append (missing, ", …");
  /* Translators: a list of arguments with their types */
  return g_strdup_printf (_ ("What is missing: %s"), missing->str);
}

/* “/a/b/0” as “a.b[0]”. */
static char *
describe_place (const char *pointer)
{
  g_auto (GStrv) parts = g_strsplit (pointer, "/", -1);
  g_autoptr (GString) place = g_string_new (NULL);

  for (guint i = 1; parts[0] != NULL && parts[i] != NULL; i++)
    {
      g_autofree char *unescaped = NULL;
      g_auto (GStrv) slashes = g_strsplit (parts[i], "~1", -1);
      g_autofree char *joined = g_strjoinv ("/", slashes);
      g_auto (GStrv) tildes = g_strsplit (joined, "~0", -1);

      unescaped = g_strjoinv ("~", tildes);
      if (i > 1 && *unescaped != '\0' && strspn (unescaped, "0123456789") == strlen (unescaped))
        g_string_append_printf (place, "[%s]", unescaped);
      else
        g_string_append_printf (place, "%s%s", i > 1 ? "." : "", unescaped);
    }
  return gmcp_dup_visible_line (place->str, PLACE_CHARS);
}

/* What does not even look like the argument's type is told of by that; NULL for other faults. */
static char *
explain_type (GPtrArray *arguments, GmcpJsonValue given, const char *place)
{
  GmcpToolArgument *argument = find_argument (arguments, place);
  GmcpJsonValue value = gmcp_json_value_get_member (given, place);
  g_autofree char *raw = NULL;
  g_autofree char *shown = NULL;

  if (argument == NULL
      || gmcp_argument_shapes_admit (gmcp_tool_argument_peek_shapes (argument), value))
    return NULL;
  raw = gmcp_json_value_dup_raw (value);
  shown = gmcp_dup_visible_line (raw, VALUE_CHARS);
  /* Translators: the name of an argument, its type, and a value in JSON */
  return g_strdup_printf (_ ("“%s” has to be %s, not %s"), place,
                          gmcp_tool_argument_get_type_text (argument), shown);
}

/* The first of the validator's places, each of which is “POINTER: what must be”. */
static char *
explain_place (GPtrArray *arguments, GmcpJsonValue given, const GError *refusal)
{
  const char *colon = strstr (refusal->message, ": ");
  const char *end = strstr (refusal->message, "; /");
  g_autofree char *pointer = NULL;
  g_autofree char *place = NULL;
  g_autofree char *why = NULL;
  char *typed;

  if (colon == NULL)
    return g_strdup (refusal->message);
  pointer = g_strndup (refusal->message, (gsize) (colon - refusal->message));
  why = end != NULL && end > colon ? g_strndup (colon + 2, (gsize) (end - colon - 2))
                                   : g_strdup (colon + 2);
  place = describe_place (pointer);
  if (*place == '\0')
    return g_steal_pointer (&why);

  typed = explain_type (arguments, given, place);
  /* Translators: an argument, and what is wrong with its value */
  return typed != NULL ? typed : g_strdup_printf (_ ("“%s” %s"), place, why);
}

char *
gmcp_argument_explain_refusal (GmcpTool *tool, GmcpJsonValue arguments, const GError *refusal)
{
  g_autoptr (GPtrArray) known = gmcp_tool_list_arguments (tool);
  char *message = explain_unknown (tool, known, arguments);

  if (message == NULL)
    message = explain_missing (known, arguments);
  return message != NULL ? message : explain_place (known, arguments, refusal);
}
