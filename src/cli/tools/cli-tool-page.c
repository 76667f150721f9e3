/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-tool-page.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli-json.h"
#include "cli-style.h"
#include "cli-text.h"
#include "cli-questions.h"
#include "cli-tool-example.h"
#include "cli-tool-find.h"
#include "cli-tool-lines.h"
#include "cli-tool-name.h"
#include "cli-tool-shared.h"

#define INDENT        2u
#define TEXT_INDENT   6u
#define DEFAULT_WIDTH 60u

static void
print_title (const char *title)
{
  fputc ('\n', stdout);
  cli_style_print (CLI_STYLE_BOLD, title);
  fputc ('\n', stdout);
}

/* How many bytes of a text stand in one line of so many columns; at least one word. */
static gsize
find_line_end (const char *text, guint columns)
{
  const char *fits = text;
  guint taken = 0;

  while (TRUE)
    {
      const char *end = fits + strspn (fits, " ");
      g_autofree char *word = NULL;

      end += strcspn (end, " ");
      word = g_strndup (fits, (gsize) (end - fits));
      taken += cli_text_columns (word);
      if (taken > columns && fits != text)
        return (gsize) (fits - text);
      fits = end;
      if (*end == '\0')
        return (gsize) (end - text);
    }
}

/* Each line of a text, broken where a terminal would break it. */
static void
print_indented (const char *text, guint indent)
{
  guint columns = isatty (STDOUT_FILENO) ? cli_text_width (STDOUT_FILENO) - indent : G_MAXUINT / 2;
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_auto (GStrv) lines = g_strsplit (g_strstrip (valid), "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *line = cli_text_plain (lines[i], G_MAXUINT / 2);
      const char *rest = line;

      do
        {
          gsize length = find_line_end (rest, columns);
          g_autofree char *part = g_strndup (rest, length);

          printf ("%*s", *part != '\0' ? (int) indent : 0, "");
          cli_style_print (CLI_STYLE_PLAIN, part);
          fputc ('\n', stdout);
          rest += length + strspn (rest + length, " ");
        }
      while (*rest != '\0');
    }
}

/* is_given: whether somebody has to think of it. */
static void
print_argument (GmcpToolArgument *argument, gboolean is_given)
{
  const char *description = gmcp_tool_argument_get_description (argument);
  const char *title = gmcp_tool_argument_get_title (argument);
  const char *const *choices = gmcp_tool_argument_get_choices (argument);
  const char *type = gmcp_tool_argument_get_type_text (argument);
  g_autofree char *fallback = gmcp_tool_argument_dup_default_json (argument);
  g_autofree char *name
    = cli_text_plain (gmcp_tool_argument_get_name (argument), cli_text_width (STDOUT_FILENO) / 2);
  g_autofree char *shown = cli_text_plain (type, G_MAXUINT / 2);

  printf ("%*s", (int) INDENT, "");
  cli_style_print (CLI_STYLE_BOLD, name);
  fputs ("  ", stdout);
  cli_style_print (CLI_STYLE_PLAIN, shown);
  if (is_given && gmcp_tool_argument_is_required (argument))
    printf (", %s", _ ("required"));
  if (fallback != NULL)
    {
      g_autofree char *plain = cli_text_plain (fallback, DEFAULT_WIDTH);

      /* Translators: the value of an argument that is not given */
      printf (_ (", by default %s"), plain);
    }
  fputc ('\n', stdout);
  if (description != NULL && *description != '\0')
    print_indented (description, TEXT_INDENT);
  else if (title != NULL && *title != '\0')
    print_indented (title, TEXT_INDENT);
  /* The type has them, where they are few. */
  if (choices != NULL && strstr (type, "…") != NULL)
    {
      g_autofree char *joined = g_strjoinv (", ", (char **) choices);
      g_autofree char *line = g_strdup_printf (_ ("One of: %s"), joined);

      print_indented (line, TEXT_INDENT);
    }
}

static void
print_arguments (GmcpTool *tool)
{
  g_autoptr (GPtrArray) arguments = gmcp_tool_list_arguments (tool);

  if (arguments->len == 0)
    {
      fputc ('\n', stdout);
      cli_text_print (gmcp_tool_takes_argument (tool, "x")
                        ? _ ("It says nothing of its arguments; it may take any.")
                        : _ ("It takes no arguments."));
      return;
    }
  print_title (_ ("Arguments"));
  for (guint i = 0; i < arguments->len; i++)
    print_argument (arguments->pdata[i], TRUE);
}

/* What is in its structured result, said as arguments are. */
static void
print_output (GmcpTool *tool)
{
  g_autofree char *schema = gmcp_tool_dup_output_schema_json (tool);
  g_autoptr (GmcpTool) as_input = NULL;
  g_autoptr (GPtrArray) members = NULL;

  if (schema == NULL)
    return;
  print_title (_ ("Output"));
  as_input = gmcp_tool_new ("output", NULL, schema, NULL);
  members = as_input != NULL ? gmcp_tool_list_arguments (as_input) : g_ptr_array_new ();
  for (guint i = 0; i < members->len; i++)
    print_argument (members->pdata[i], FALSE);
  if (members->len == 0)
    {
      g_autofree char *formatted = cli_json_format (schema, TRUE);

      print_indented (formatted != NULL ? formatted : schema, INDENT);
    }
}

static void
print_page (GmcpTool *tool)
{
  GmcpDefinition *definition = GMCP_DEFINITION (tool);
  const char *title = gmcp_definition_get_title (definition);
  const char *description = gmcp_definition_get_description (definition);
  g_autofree char *name = cli_tool_dup_name (tool);
  g_autofree char *shown = cli_text_plain (name, G_MAXUINT / 2);
  g_autofree char *hints = cli_tool_dup_hints (tool, FALSE);
  g_autofree char *example = cli_tool_dup_example (tool);

  cli_style_print (CLI_STYLE_BOLD, shown);
  fputc ('\n', stdout);
  if (title != NULL && *title != '\0')
    print_indented (title, 0);
  if (description != NULL && *description != '\0')
    {
      fputc ('\n', stdout);
      print_indented (description, 0);
    }
  if (*hints != '\0')
    {
      fputc ('\n', stdout);
      /* Translators: words such as “read-only” */
      printf (_ ("Its server says: %s"), hints);
      fputc ('\n', stdout);
    }
  print_arguments (tool);
  print_output (tool);
  print_title (_ ("Example"));
  printf ("%*s", (int) INDENT, "");
  /* In one piece, to be copied. */
  cli_style_print (CLI_STYLE_PLAIN, example);
  fputc ('\n', stdout);
}

JsonNode *
cli_tool_describe (GmcpTool *tool)
{
  g_autofree char *text = gmcp_definition_dup_json (GMCP_DEFINITION (tool));

  return cli_json_describe (text, "name", gmcp_definition_get_name (GMCP_DEFINITION (tool)),
                            "server", cli_tool_get_server (tool), "tool",
                            cli_tool_get_own_name (tool), NULL);
}

CliExit
cli_tool_show (CliHost *host, const char *name)
{
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = cli_questions_new (host->providers);
  g_autoptr (GError) error = NULL;
  GmcpToolProvider *provider = NULL;
  g_autoptr (GmcpTool) tool = cli_tool_find (host, name, &provider, &error);
  g_autoptr (CliDaemon) daemon = tool == NULL ? cli_tool_find_daemon (host, NULL, name) : NULL;

  if (daemon != NULL)
    {
      g_clear_error (&error);
      tool = cli_tool_find_shared (daemon, name, &error);
    }
  if (tool == NULL)
    return cli_tool_report (host, name, error);
  if (host->json)
    {
      g_autoptr (JsonNode) node = cli_tool_describe (tool);

      cli_json_print_node (node);
    }
  else
    print_page (tool);
  return CLI_EXIT_OK;
}
