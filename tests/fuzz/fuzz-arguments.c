/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/arguments/gmcp-tool-argument.h>

#include "gmcp-json-private.h"

/* The input schema of a tool, a line end, what is typed. Whatever the schema says, each argument has a name, a
 * type and an example; what is read from a text is JSON, and so is the example of the whole call. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_at (gboolean holds, const char *condition, int line)
{
  if (G_LIKELY (holds))
    return;
  g_printerr ("%s:%d: not so: %s\n", __FILE__, line, condition);
  abort ();
}

#define check(condition) check_at (condition, #condition, __LINE__)

static void
check_json (const char *text)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, strlen (text), NULL, 0, NULL);

  check (doc != NULL);
}

static void
check_argument (GmcpToolArgument *argument, const char *text)
{
  const char *texts[] = { text, text, NULL };
  const char *const *choices = gmcp_tool_argument_get_choices (argument);
  g_autofree char *example = gmcp_tool_argument_dup_example_json (argument);
  g_autofree char *value = gmcp_tool_argument_parse_text (argument, text, NULL);
  g_autofree char *values = gmcp_tool_argument_parse_texts (argument, texts, NULL);

  check (gmcp_tool_argument_get_name (argument) != NULL);
  check (strlen (gmcp_tool_argument_get_type_text (argument)) < 1000);
  check_json (example);
  if (value != NULL)
    check_json (value);
  if (values != NULL)
    check_json (values);
  for (guint i = 0; choices != NULL && choices[i] != NULL; i++)
    {
      g_autofree char *chosen = gmcp_tool_argument_parse_text (argument, choices[i], NULL);

      check (chosen != NULL);
      check_json (chosen);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *end = size > 0 ? memchr (data, '\n', size) : NULL;
  g_autofree char *schema = NULL;
  g_autofree char *rest = NULL;
  g_autofree char *text = NULL;
  g_autofree char *signature = NULL;
  g_autofree char *example = NULL;
  g_autoptr (GmcpTool) tool = NULL;
  g_autoptr (GPtrArray) arguments = NULL;
  g_autoptr (GError) error = NULL;

  if (end == NULL)
    return 0;
  schema = g_strndup ((const char *) data, (gsize) (end - (const char *) data));
  rest = g_strndup (end + 1, size - (gsize) (end + 1 - (const char *) data));
  text = g_utf8_make_valid (rest, -1);
  if (!g_utf8_validate (schema, -1, NULL))
    return 0;
  tool = gmcp_tool_new ("tool", NULL, schema, NULL);
  if (tool == NULL)
    return 0;

  arguments = gmcp_tool_list_arguments (tool);
  for (guint i = 0; i < arguments->len; i++)
    check_argument (arguments->pdata[i], text);
  signature = gmcp_tool_dup_signature (tool);
  check (signature[0] == '(');
  example = gmcp_tool_dup_example_json (tool);
  check_json (example);
  if (!gmcp_tool_check_arguments_json (tool, text, &error))
    check (error != NULL && error->domain == GMCP_ERROR
           && g_utf8_validate (error->message, -1, NULL) && strlen (error->message) < 100000);
  return 0;
}
