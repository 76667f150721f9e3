/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once
#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/arguments/gmcp-tool-argument.h>

G_BEGIN_DECLS

/* The arguments of a call as the words of a command line: key=text, which the schema of the tool turns into what it
 * wants, key=@FILE for what a file holds, and key:=JSON. */

/* One argument, and its value in JSON. */
typedef struct
{
  char *name;
  char *json;
} CliGiven;

CliGiven *cli_given_new (const char *name, const char *json);
void cli_given_free (CliGiven *self);

/* Whether the words are one JSON object, or say where that is. */
gboolean cli_tool_words_are_whole (char *const *words, guint n_words);
/* What was typed, and what files hold that it names; for the two functions below. */
GPtrArray *cli_tool_words_read (char *const *words, guint n_words, GError **error);
/* What that gives for a tool: CliGiven by CliGiven, each argument once. Without a tool what is typed is text. */
GPtrArray *cli_tool_words_make (GPtrArray *typed, GmcpTool *tool, GError **error);
/* The same, with null for what does not fit. */
GPtrArray *cli_tool_words_make_right (GPtrArray *typed, GmcpTool *tool);
/* A JSON object of them. */
char *cli_tool_words_join (GPtrArray *given);
/* The argument of a tool by its name, or NULL; tool may be NULL. */
GmcpToolArgument *cli_tool_find_argument (GmcpTool *tool, const char *name);

G_END_DECLS
