/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-tool-ask.h"

#include <glib/gi18n.h>

#include "cli-affirm.h"
#include "cli-text.h"

#define LABEL_COLUMNS 60u

static gboolean
is_given (GPtrArray *given, const char *name)
{
  for (guint i = 0; i < given->len; i++)
    if (g_str_equal (((CliGiven *) given->pdata[i])->name, name))
      return TRUE;
  return FALSE;
}

static void
tell_of_argument (GmcpToolArgument *argument)
{
  const char *description = gmcp_tool_argument_get_description (argument);
  const char *const *choices = gmcp_tool_argument_get_choices (argument);

  if (description != NULL && *description != '\0')
    {
      g_autofree char *line = cli_text_plain (description, cli_text_width (2) * 4);

      g_printerr ("%s\n", line);
    }
  if (choices != NULL)
    {
      g_autofree char *joined = g_strjoinv (", ", (char **) choices);
      g_autofree char *line = cli_text_plain (joined, cli_text_width (2) * 4);

      /* Translators: a list of values */
      g_printerr (_ ("One of: %s\n"), line);
    }
}

/* NULL where nobody answers. What does not fit is asked for again. */
static char *
ask_argument (CliHost *host, GmcpToolArgument *argument)
{
  g_autofree char *label = cli_text_plain (gmcp_tool_argument_get_name (argument), LABEL_COLUMNS);
  g_autofree char *type
    = cli_text_plain (gmcp_tool_argument_get_type_text (argument), LABEL_COLUMNS);
  g_autofree char *prompt = g_strdup_printf ("%s (%s):", label, type);

  tell_of_argument (argument);
  while (TRUE)
    {
      g_autofree char *line = cli_read_line (host, prompt, FALSE);
      g_autoptr (GError) error = NULL;
      char *json;

      if (line == NULL)
        return NULL;
      json = gmcp_tool_argument_parse_text (argument, line, &error);
      if (json != NULL)
        return json;
      g_printerr ("%s\n", error->message);
    }
}

gboolean
cli_tool_ask_missing (CliHost *host, GmcpTool *tool, GPtrArray *given)
{
  g_autoptr (GPtrArray) arguments = gmcp_tool_list_arguments (tool);

  for (guint i = 0; i < arguments->len; i++)
    {
      GmcpToolArgument *argument = arguments->pdata[i];
      const char *name = gmcp_tool_argument_get_name (argument);
      g_autofree char *json = NULL;

      if (!gmcp_tool_argument_is_required (argument) || is_given (given, name))
        continue;
      json = ask_argument (host, argument);
      if (json == NULL)
        return FALSE;
      g_ptr_array_add (given, cli_given_new (name, json));
    }
  return TRUE;
}
