/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-tool-words.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli-arguments.h"
#include "cli-suggest.h"

/* What was typed for one argument, before anything is made of it. */
typedef struct
{
  char *name;
  GPtrArray *texts; /* as often as it was given; NULL behind the last */
  gboolean is_json;
} Typed;

static void
typed_free (gpointer data)
{
  Typed *typed = data;

  g_free (typed->name);
  g_ptr_array_unref (typed->texts);
  g_free (typed);
}

CliGiven *
cli_given_new (const char *name, const char *json)
{
  CliGiven *self = g_new (CliGiven, 1);

  self->name = g_strdup (name);
  self->json = g_strdup (json);
  return self;
}

void
cli_given_free (CliGiven *self)
{
  g_free (self->name);
  g_free (self->json);
  g_free (self);
}

static void
set_problem (GError **error, char *message)
{
  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, message);
  g_free (message);
}

gboolean
cli_tool_words_are_whole (char *const *words, guint n_words)
{
  return n_words == 1
         && (g_str_equal (words[0], "-") || words[0][0] == '@'
             || words[0][strspn (words[0], " \t\r\n")] == '{');
}

GmcpToolArgument *
cli_tool_find_argument (GmcpTool *tool, const char *name)
{
  g_autoptr (GPtrArray) arguments = tool != NULL ? gmcp_tool_list_arguments (tool) : NULL;

  for (guint i = 0; arguments != NULL && i < arguments->len; i++)
    if (g_str_equal (gmcp_tool_argument_get_name (arguments->pdata[i]), name))
      return g_object_ref (arguments->pdata[i]);
  return NULL;
}

static Typed *
find_typed (GPtrArray *all, const char *name)
{
  for (guint i = 0; i < all->len; i++)
    {
      Typed *typed = all->pdata[i];

      if (g_str_equal (typed->name, name))
        return typed;
    }
  return NULL;
}

/* “@FILE” stands for what the file holds, “@@…” for “@…”. */
static char *
read_value (const char *text, GError **error)
{
  if (text[0] != '@')
    return g_strdup (text);
  if (text[1] == '@')
    return g_strdup (text + 1);
  return cli_arguments_read_file (text + 1, error);
}

/* Several texts for one argument are a list, or a mistake, which the argument knows. */
static gboolean
take_word (GPtrArray *all, const char *word, GError **error)
{
  const char *equals = strchr (word, '=');
  gboolean is_json = equals != NULL && equals > word + 1 && equals[-1] == ':';
  g_autofree char *name = NULL;
  char *text;
  Typed *typed;

  if (equals == NULL || equals == word)
    {
      set_problem (error, g_strdup_printf (_ ("“%s” is neither a JSON object nor of the form "
                                              "key=text or key:=JSON"),
                                           word));
      return FALSE;
    }
  if (!g_utf8_validate (word, -1, NULL))
    {
      set_problem (error, g_strdup_printf (_ ("“%s” is not UTF-8"), word));
      return FALSE;
    }
  name = g_strndup (word, (gsize) (equals - word) - (is_json ? 1 : 0));
  typed = find_typed (all, name);
  if (typed != NULL && (is_json || typed->is_json))
    {
      set_problem (error, g_strdup_printf (_ ("“%s” is given twice"), name));
      return FALSE;
    }
  text = is_json ? g_strdup (equals + 1) : read_value (equals + 1, error);
  if (text == NULL || (is_json && !cli_arguments_check_json (word, text, error)))
    {
      g_free (text);
      return FALSE;
    }
  if (typed == NULL)
    {
      typed = g_new (Typed, 1);
      typed->name = g_strdup (name);
      typed->texts = g_ptr_array_new_with_free_func (g_free);
      typed->is_json = is_json;
      g_ptr_array_add (all, typed);
    }
  g_ptr_array_add (typed->texts, text);
  return TRUE;
}

static void
set_unknown (GmcpTool *tool, const char *name, GError **error)
{
  g_autoptr (GPtrArray) arguments = gmcp_tool_list_arguments (tool);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *near = NULL;

  for (guint i = 0; i < arguments->len; i++)
    g_ptr_array_add (names, (gpointer) gmcp_tool_argument_get_name (arguments->pdata[i]));
  g_ptr_array_add (names, NULL);
  near = cli_suggest_near (name, (const char *const *) names->pdata);
  /* Translators: the name of an argument twice, and “. Near to it: X.” or nothing */
  set_problem (error, g_strdup_printf (_ ("there is no argument “%s” (%s:=JSON sends it all the "
                                          "same)%s"),
                                       name, name, near));
}

static char *
make_value (GmcpTool *tool, Typed *typed, GError **error)
{
  g_autoptr (GmcpToolArgument) argument = cli_tool_find_argument (tool, typed->name);
  const char *const *texts = (const char *const *) typed->texts->pdata;

  if (typed->is_json)
    return g_strdup (texts[0]);
  if (argument != NULL)
    return gmcp_tool_argument_parse_texts (argument, texts, error);
  if (tool != NULL && !gmcp_tool_takes_argument (tool, typed->name))
    {
      set_unknown (tool, typed->name, error);
      return NULL;
    }
  if (texts[1] != NULL)
    {
      set_problem (error, g_strdup_printf (_ ("“%s” is given twice"), typed->name));
      return NULL;
    }
  return cli_arguments_quote (texts[0]);
}

GPtrArray *
cli_tool_words_read (char *const *words, guint n_words, GError **error)
{
  g_autoptr (GPtrArray) typed = g_ptr_array_new_with_free_func (typed_free);

  for (guint i = 0; i < n_words; i++)
    if (!take_word (typed, words[i], error))
      return NULL;
  for (guint i = 0; i < typed->len; i++)
    g_ptr_array_add (((Typed *) typed->pdata[i])->texts, NULL);
  return g_steal_pointer (&typed);
}

GPtrArray *
cli_tool_words_make (GPtrArray *typed, GmcpTool *tool, GError **error)
{
  g_autoptr (GPtrArray) given = g_ptr_array_new_with_free_func ((GDestroyNotify) cli_given_free);

  for (guint i = 0; i < typed->len; i++)
    {
      Typed *one = typed->pdata[i];
      g_autofree char *json = make_value (tool, one, error);

      if (json == NULL)
        return NULL;
      g_ptr_array_add (given, cli_given_new (one->name, json));
    }
  return g_steal_pointer (&given);
}

GPtrArray *
cli_tool_words_make_right (GPtrArray *typed, GmcpTool *tool)
{
  GPtrArray *given = g_ptr_array_new_with_free_func ((GDestroyNotify) cli_given_free);

  for (guint i = 0; i < typed->len; i++)
    {
      Typed *one = typed->pdata[i];
      g_autofree char *json = make_value (tool, one, NULL);

      g_ptr_array_add (given, cli_given_new (one->name, json != NULL ? json : "null"));
    }
  return given;
}

char *
cli_tool_words_join (GPtrArray *given)
{
  GString *out = g_string_new ("{");

  for (guint i = 0; i < given->len; i++)
    {
      CliGiven *one = given->pdata[i];
      g_autofree char *key = cli_arguments_quote (one->name);

      g_string_append_printf (out, "%s%s:%s", i > 0 ? "," : "", key, one->json);
    }
  g_string_append_c (out, '}');
  return g_string_free (out, FALSE);
}
