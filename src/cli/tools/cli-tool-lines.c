/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-tool-lines.h"

#include <glib/gi18n.h>
#include <gmcp/json/gmcp-json.h>
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli-style.h"
#include "cli-text.h"
#include "cli-tool-name.h"

#define INDENT 2u
#define GAP    2u
/* What the signatures of a group take together at most, where their names take less. */
#define CALL_COLUMNS(screen) ((screen) *9 / 20)
/* A summary that gets less is left out. */
#define MIN_SUMMARY_COLUMNS 10u
/* Where a sentence does not end before. */
#define SENTENCE_CHARS 200

static gboolean
has_hint (JsonNode *annotations, const char *hint, gboolean what)
{
  JsonObject *object = annotations != NULL && JSON_NODE_HOLDS_OBJECT (annotations)
                         ? json_node_get_object (annotations)
                         : NULL;
  JsonNode *value = object != NULL ? json_object_get_member (object, hint) : NULL;

  return value != NULL && JSON_NODE_HOLDS_VALUE (value)
         && json_node_get_value_type (value) == G_TYPE_BOOLEAN
         && json_node_get_boolean (value) == what;
}

char *
cli_tool_dup_hints (GmcpTool *tool, gboolean short_only)
{
  g_autofree char *json = gmcp_definition_dup_annotations_json (GMCP_DEFINITION (tool));
  g_autoptr (JsonNode) annotations = json != NULL ? gmcp_json_parse (json, -1, NULL) : NULL;
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  gboolean read_only = has_hint (annotations, "readOnlyHint", TRUE);

  if (read_only)
    g_ptr_array_add (words, _ ("read-only"));
  else if (has_hint (annotations, "destructiveHint", TRUE))
    g_ptr_array_add (words, _ ("destructive"));
  if (!short_only)
    {
      if (!read_only && has_hint (annotations, "destructiveHint", FALSE))
        /* Translators: of a tool that changes things, but destroys nothing */
        g_ptr_array_add (words, _ ("adds only"));
      if (has_hint (annotations, "idempotentHint", TRUE))
        /* Translators: of a tool that may be called twice without further effect */
        g_ptr_array_add (words, _ ("idempotent"));
      if (has_hint (annotations, "openWorldHint", TRUE))
        /* Translators: of a tool that reaches out, for instance into the web */
        g_ptr_array_add (words, _ ("open world"));
      if (has_hint (annotations, "openWorldHint", FALSE))
        g_ptr_array_add (words, _ ("closed world"));
    }
  g_ptr_array_add (words, NULL);
  return g_strjoinv (", ", (char **) words->pdata);
}

/* Up to the first full stop behind a word, or the end of the line. */
static char *
cut_sentence (const char *text)
{
  const char *start = text + strspn (text, " \t\r\n");
  const char *end = start;

  while (*end != '\0' && !(end[0] == '\n' && end[1] == '\n')
         && !(strchr (".!?", *end) != NULL && (end[1] == ' ' || end[1] == '\n' || end[1] == '\0')
              && end > start + 1 && end[-2] != '.' && end[-2] != ' ')
         && !g_str_has_prefix (end, "。"))
    end = g_utf8_next_char (end);
  return g_strndup (start, (gsize) (end - start));
}

char *
cli_tool_dup_summary (GmcpTool *tool)
{
  const char *text = gmcp_definition_get_description (GMCP_DEFINITION (tool));
  g_autofree char *sentence = NULL;

  if (text == NULL || *text == '\0')
    text = gmcp_definition_get_title (GMCP_DEFINITION (tool));
  sentence = cut_sentence (text != NULL ? text : "");
  return cli_text_plain (sentence, SENTENCE_CHARS);
}

/* The names of its arguments alone, as many as there is room for. */
static char *
list_arguments (GmcpTool *tool, guint columns)
{
  g_autoptr (GPtrArray) arguments = gmcp_tool_list_arguments (tool);
  g_autoptr (GString) out = g_string_new ("(");

  for (guint i = 0; i < arguments->len; i++)
    {
      GmcpToolArgument *argument = arguments->pdata[i];
      g_autofree char *name = cli_text_plain (gmcp_tool_argument_get_name (argument), columns);
      const char *mark = gmcp_tool_argument_is_required (argument) ? "" : "?";
      /* The rest needs “, …)”. */
      guint after = i + 1 < arguments->len ? 4 : 1;

      if (cli_text_columns (out->str) + 2 + cli_text_columns (name) + strlen (mark) + after
          > columns)
        {
          g_string_append (out, i > 0 ? ", …" : "…");
          break;
        }
      g_string_append_printf (out, "%s%s%s", i > 0 ? ", " : "", name, mark);
    }
  g_string_append_c (out, ')');
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* What follows the name, in so many columns at most. */
static char *
fit_signature (GmcpTool *tool, guint columns)
{
  g_autofree char *signature = gmcp_tool_dup_signature (tool);
  g_autofree char *plain = cli_text_plain (signature, G_MAXUINT / 2);

  if (cli_text_columns (plain) <= columns)
    return g_steal_pointer (&plain);
  return columns > 3 ? list_arguments (tool, columns) : g_strdup ("");
}

typedef struct
{
  char *name;
  char *signature;
  char *hints;
  char *summary;
} Line;

static void
line_clear (gpointer data)
{
  Line *line = data;

  g_free (line->name);
  g_free (line->signature);
  g_free (line->hints);
  g_free (line->summary);
}

static guint
measure_call (const Line *line)
{
  guint signature = cli_text_columns (line->signature);

  return cli_text_columns (line->name) + (signature > 0 ? 1 + signature : 0);
}

static GArray *
make_lines (GPtrArray *tools, guint screen, gboolean with_server)
{
  GArray *lines = g_array_new (FALSE, TRUE, sizeof (Line));

  g_array_set_clear_func (lines, line_clear);
  for (guint i = 0; i < tools->len; i++)
    {
      GmcpTool *tool = tools->pdata[i];
      const char *own = cli_tool_get_own_name (tool);
      const char *name
        = with_server && own != NULL ? own : gmcp_definition_get_name (GMCP_DEFINITION (tool));
      guint room = CALL_COLUMNS (screen);
      Line line = { 0 };

      line.name = cli_text_plain (name, screen - INDENT);
      room -= MIN (room, cli_text_columns (line.name) + 1);
      line.signature = fit_signature (tool, room);
      line.hints = cli_tool_dup_hints (tool, TRUE);
      line.summary = cli_tool_dup_summary (tool);
      g_array_append_val (lines, line);
    }
  return lines;
}

static void
print_spaces (guint columns)
{
  printf ("%*s", (int) columns, "");
}

/* So many columns at most; how much is left out does not matter. */
static char *
cut_text (const char *text, guint columns)
{
  GString *out = g_string_new (NULL);
  const char *p = text;

  if (cli_text_columns (text) <= columns)
    return g_string_free (g_string_append (out, text), FALSE);
  while (cli_text_columns (out->str) + 2 < columns)
    {
      g_string_append_unichar (out, g_utf8_get_char (p));
      p = g_utf8_next_char (p);
    }
  g_string_append (out, "…");
  return g_string_free (out, FALSE);
}

static void
print_line (const Line *line, guint calls, guint hints, guint screen)
{
  guint used = INDENT + measure_call (line);

  print_spaces (INDENT);
  cli_style_print (CLI_STYLE_BOLD, line->name);
  if (*line->signature != '\0')
    {
      g_autofree char *signature = g_strconcat (" ", line->signature, NULL);

      cli_style_print (CLI_STYLE_PLAIN, signature);
    }
  if (*line->hints != '\0' && used + GAP + cli_text_columns (line->hints) <= screen)
    {
      guint at = MAX (INDENT + calls, used) + GAP;

      print_spaces (at - used);
      cli_style_print (CLI_STYLE_DIM, line->hints);
      used = at + cli_text_columns (line->hints);
    }
  if (*line->summary != '\0')
    {
      guint at = MAX (INDENT + calls + (hints > 0 ? GAP + hints : 0), used) + GAP;

      if (at + MIN_SUMMARY_COLUMNS <= screen)
        {
          g_autofree char *summary = cut_text (line->summary, screen - at);

          print_spaces (at - used);
          cli_style_print (CLI_STYLE_PLAIN, summary);
        }
    }
  fputc ('\n', stdout);
}

void
cli_tool_lines_print_group (const char *id, GPtrArray *tools)
{
  guint screen = cli_text_width (STDOUT_FILENO);
  g_autoptr (GArray) lines = make_lines (tools, screen, id != NULL);
  g_autofree char *shown = cli_text_plain (id != NULL ? id : _ ("Other tools"), screen / 2);
  g_autofree char *header = NULL;
  guint calls = 0;
  guint hints = 0;

  /* Translators: the name of a server, and how many tools it has */
  header = g_strdup_printf (g_dngettext (NULL, "%s (%u tool)", "%s (%u tools)", tools->len), shown,
                            tools->len);
  cli_style_print (CLI_STYLE_BOLD, header);
  fputc ('\n', stdout);
  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = &g_array_index (lines, Line, i);
      guint columns = measure_call (line);

      /* A name that is longer than others stands out, and moves nothing. */
      if (columns <= CALL_COLUMNS (screen))
        calls = MAX (calls, columns);
      hints = MAX (hints, cli_text_columns (line->hints));
    }
  for (guint i = 0; i < lines->len; i++)
    print_line (&g_array_index (lines, Line, i), calls, hints, screen);
}

void
cli_tool_lines_print_plain (GPtrArray *tools)
{
  for (guint i = 0; i < tools->len; i++)
    {
      g_autofree char *name = cli_tool_dup_name (tools->pdata[i]);
      g_autofree char *plain = cli_text_plain (name, G_MAXUINT / 2);
      g_autofree char *signature = gmcp_tool_dup_signature (tools->pdata[i]);
      g_autofree char *shown = cli_text_plain (signature, G_MAXUINT / 2);
      g_autofree char *hints = cli_tool_dup_hints (tools->pdata[i], TRUE);
      g_autofree char *summary = cli_tool_dup_summary (tools->pdata[i]);

      printf ("%s\t%s\t%s\t%s\n", plain, shown, hints, summary);
    }
}
