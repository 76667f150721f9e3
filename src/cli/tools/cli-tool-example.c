/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-tool-example.h"

#include "cli-tool-name.h"

#include <gmcp/json/gmcp-json.h>
#include <json-glib/json-glib.h>
#include <string.h>

char *
cli_tool_dup_shell_word (const char *text)
{
  gboolean plain = *text != '\0';

  for (const char *c = text; *c != '\0' && plain; c++)
    plain = g_ascii_isalnum (*c) || strchr ("_-.,:/@%+=", *c) != NULL;
  return plain ? g_strdup (text) : g_shell_quote (text);
}

/* Whether two texts are the same value. */
static gboolean
is_same_json (const char *a, const char *b)
{
  g_autoptr (JsonNode) first = gmcp_json_parse (a, -1, NULL);
  g_autoptr (JsonNode) second = gmcp_json_parse (b, -1, NULL);

  return g_str_equal (a, b) || (first != NULL && second != NULL && json_node_equal (first, second));
}

/* What may be typed for a value: a string without its quotes, alone or as the only item of a list. */
static char *
dup_plain_text (const char *json)
{
  g_autoptr (JsonNode) node = gmcp_json_parse (json, -1, NULL);
  JsonNode *value = node;

  if (node != NULL && JSON_NODE_HOLDS_ARRAY (node)
      && json_array_get_length (json_node_get_array (node)) == 1)
    value = json_array_get_element (json_node_get_array (node), 0);
  if (value == NULL || !JSON_NODE_HOLDS_VALUE (value)
      || json_node_get_value_type (value) != G_TYPE_STRING)
    return NULL;
  return g_strdup (json_node_get_string (value));
}

static gboolean
reads_as (GmcpToolArgument *argument, const char *text, const char *json)
{
  g_autofree char *read
    = argument != NULL ? gmcp_tool_argument_parse_text (argument, text, NULL) : NULL;

  return read != NULL && is_same_json (read, json);
}

/* key=text where that says it, else key:=JSON. */
static char *
dup_word (GmcpTool *tool, const CliGiven *one)
{
  g_autoptr (GmcpToolArgument) argument = cli_tool_find_argument (tool, one->name);
  g_autofree char *plain = dup_plain_text (one->json);

  if (plain != NULL && reads_as (argument, plain, one->json))
    return g_strdup_printf ("%s=%s%s", one->name, plain[0] == '@' ? "@" : "", plain);
  if (reads_as (argument, one->json, one->json))
    return g_strdup_printf ("%s=%s", one->name, one->json);
  return g_strdup_printf ("%s:=%s", one->name, one->json);
}

/* Some names cannot be written before an equals sign. */
static gboolean
are_names_plain (GPtrArray *given)
{
  for (guint i = 0; i < given->len; i++)
    {
      const char *name = ((CliGiven *) given->pdata[i])->name;

      if (*name == '\0' || strchr ("-@{ \t\r\n", *name) != NULL || strchr (name, '=') != NULL
          || g_str_has_suffix (name, ":"))
        return FALSE;
    }
  return TRUE;
}

char *
cli_tool_dup_command (GmcpTool *tool, GPtrArray *given)
{
  g_autofree char *name = cli_tool_dup_name (tool);
  g_autofree char *quoted = cli_tool_dup_shell_word (name);
  g_autoptr (GString) line = g_string_new ("gmcp call ");

  g_string_append (line, quoted);
  if (!are_names_plain (given))
    {
      g_autofree char *json = cli_tool_words_join (given);
      g_autofree char *word = cli_tool_dup_shell_word (json);

      g_string_append_printf (line, " %s", word);
      return g_string_free (g_steal_pointer (&line), FALSE);
    }
  for (guint i = 0; i < given->len; i++)
    {
      g_autofree char *word = dup_word (tool, given->pdata[i]);
      g_autofree char *shell = cli_tool_dup_shell_word (word);

      g_string_append_printf (line, " %s", shell);
    }
  return g_string_free (g_steal_pointer (&line), FALSE);
}

static GPtrArray *
read_object (const char *json)
{
  GPtrArray *given = g_ptr_array_new_with_free_func ((GDestroyNotify) cli_given_free);
  g_autoptr (JsonNode) node = gmcp_json_parse (json, -1, NULL);
  g_autoptr (GList) names = NULL;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return given;
  names = json_object_get_members (json_node_get_object (node));
  for (GList *l = names; l != NULL; l = l->next)
    {
      g_autofree char *value
        = gmcp_json_print (json_object_get_member (json_node_get_object (node), l->data), NULL);

      g_ptr_array_add (given, cli_given_new (l->data, value));
    }
  return given;
}

char *
cli_tool_dup_example (GmcpTool *tool)
{
  g_autofree char *json = gmcp_tool_dup_example_json (tool);
  g_autoptr (GPtrArray) given = read_object (json);

  return cli_tool_dup_command (tool, given);
}

static CliGiven *
find_given (GPtrArray *given, const char *name)
{
  for (guint i = 0; given != NULL && i < given->len; i++)
    {
      CliGiven *one = given->pdata[i];

      if (g_str_equal (one->name, name))
        return one;
    }
  return NULL;
}

static gboolean
is_taken (GmcpTool *tool, GPtrArray *wanted)
{
  g_autofree char *joined = cli_tool_words_join (wanted);

  return gmcp_tool_check_arguments_json (tool, joined, NULL);
}

/* An argument that may be left out, with the value that was given, or else with one that is right. */
static void
add_optional (GmcpTool *tool, GPtrArray *wanted, CliGiven *one)
{
  g_autoptr (GPtrArray) arguments = gmcp_tool_list_arguments (tool);
  g_autofree char *example = NULL;

  for (guint i = 0; example == NULL && i < arguments->len; i++)
    {
      if (g_str_equal (gmcp_tool_argument_get_name (arguments->pdata[i]), one->name))
        example = gmcp_tool_argument_dup_example_json (arguments->pdata[i]);
    }
  g_ptr_array_add (wanted, cli_given_new (one->name, one->json));
  if (is_taken (tool, wanted))
    return;
  g_ptr_array_remove_index (wanted, wanted->len - 1);
  if (example == NULL)
    return;
  g_ptr_array_add (wanted, cli_given_new (one->name, example));
  if (!is_taken (tool, wanted))
    g_ptr_array_remove_index (wanted, wanted->len - 1);
}

/* What was given, unless the tool does not take it. */
static void
replace_by_given (GmcpTool *tool, GPtrArray *wanted, GPtrArray *given)
{
  for (guint i = 0; given != NULL && i < given->len; i++)
    {
      CliGiven *one = given->pdata[i];
      CliGiven *example = find_given (wanted, one->name);
      char *before;

      if (example == NULL)
        {
          if (gmcp_tool_takes_argument (tool, one->name))
            add_optional (tool, wanted, one);
          continue;
        }
      before = g_steal_pointer (&example->json);
      example->json = g_strdup (one->json);
      if (!is_taken (tool, wanted))
        {
          g_free (example->json);
          example->json = g_steal_pointer (&before);
        }
      g_free (before);
    }
}

char *
cli_tool_dup_corrected (GmcpTool *tool, GPtrArray *given)
{
  g_autofree char *json = gmcp_tool_dup_example_json (tool);
  g_autoptr (GPtrArray) wanted = read_object (json);

  replace_by_given (tool, wanted, given);
  return cli_tool_dup_command (tool, wanted);
}
