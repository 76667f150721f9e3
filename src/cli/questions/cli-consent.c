/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-question.h"

#include <glib/gi18n.h>

#include "cli-answer.h"

#include <gmcp/core/gmcp-visible-text.h>

char *
cli_consent_dup_text (const CliConsent *consent)
{
  g_autofree char *tool = cli_question_plain (consent->tool);
  g_autofree char *server = cli_question_plain (consent->server);
  g_autofree char *arguments
    = gmcp_dup_visible_text (consent->arguments != NULL ? consent->arguments : "");
  g_autofree char *rule = cli_question_plain (consent->rule);
  g_autofree char *change
    = consent->change != NULL ? gmcp_dup_visible_text (consent->change) : NULL;
  GString *text = g_string_new (NULL);

  if (change != NULL)
    /* Translators: the names of a tool and of its server; lines of what was (-) and what is (+) follow */
    g_string_append_printf (text, _ ("%s of %s is not as it was approved:\n"), tool, server);
  else
    /* Translators: the names of a tool and of its server, and the rule of the user's that says so */
    g_string_append_printf (text, _ ("%s of %s is to be called only after you were asked (%s):\n"),
                            tool, server, rule);
  if (change != NULL)
    g_string_append_printf (text, "%s%s\n", change, _ ("It is to be called with:"));
  g_string_append_printf (text, "  %s\n", arguments);
  return g_string_free (text, FALSE);
}

static void
cli_consent_ask (CliQuestion *question)
{
  GmcpCallPermission *request = GMCP_CALL_PERMISSION (question->request);

  g_printerr ("%s ", gmcp_call_permission_get_change (request) != NULL
                       ? _ ("Call it? [y]es, [a]pprove it as it is now, [N]o:")
                       : _ ("Call it? [y]es, [a]lways, [N]o:"));
}

static void
cli_consent_begin (CliQuestion *question)
{
  GmcpCallPermission *request = GMCP_CALL_PERMISSION (question->request);
  GmcpTool *tool = gmcp_call_permission_get_tool (request);
  g_autofree char *text = cli_consent_dup_text (&(CliConsent){
    .tool = gmcp_definition_get_name (GMCP_DEFINITION (tool)),
    .server = gmcp_input_request_get_server_name (question->request),
    .arguments = gmcp_call_permission_get_arguments_json (request),
    .rule = gmcp_call_permission_get_rule (request),
    .change = gmcp_call_permission_get_change (request),
  });

  cli_question_show (question, text);
}

static gboolean
cli_consent_take_line (CliQuestion *question, const char *line)
{
  GmcpCallPermission *request = GMCP_CALL_PERMISSION (question->request);

  switch (cli_answer_read (line))
    {
    case CLI_ANSWER_YES:
      gmcp_call_permission_allow_once (request);
      return TRUE;
    case CLI_ANSWER_ALWAYS:
      gmcp_call_permission_allow_always (request);
      return TRUE;
    case CLI_ANSWER_NOTHING:
    case CLI_ANSWER_NO:
      gmcp_input_request_decline (question->request);
      return TRUE;
    case CLI_ANSWER_OTHER:
    case CLI_ANSWER_EDIT:
    case CLI_ANSWER_REST:
    default:
      return FALSE;
    }
}

static const CliQuestionClass consent_class = {
  .begin = cli_consent_begin,
  .ask = cli_consent_ask,
  .take_line = cli_consent_take_line,
};

CliQuestion *
cli_consent_new (GmcpCallPermission *request)
{
  CliQuestion *self = g_new0 (CliQuestion, 1);

  cli_question_init (self, &consent_class, GMCP_INPUT_REQUEST (request));
  return self;
}
