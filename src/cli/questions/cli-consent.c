/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-question.h"

#include <glib/gi18n.h>

#include "cli-answer.h"

#include <gmcp/core/gmcp-visible-text.h>

static void
cli_consent_ask (CliQuestion *question)
{
  g_printerr ("%s ", _ ("Call it? [y]es, [a]lways, [N]o:"));
}

static void
cli_consent_begin (CliQuestion *question)
{
  GmcpCallPermission *request = GMCP_CALL_PERMISSION (question->request);
  g_autofree char *tool = cli_question_plain (
    gmcp_definition_get_name (GMCP_DEFINITION (gmcp_call_permission_get_tool (request))));
  g_autofree char *server
    = cli_question_plain (gmcp_input_request_get_server_name (question->request));
  const char *json = gmcp_call_permission_get_arguments_json (request);
  g_autofree char *arguments = gmcp_dup_visible_text (json != NULL ? json : "");
  g_autofree char *rule = cli_question_plain (gmcp_call_permission_get_rule (request));

  g_autoptr (GString) text = g_string_new (NULL);

  /* Translators: the names of a tool and of its server, and the rule of the user's that says so */
  g_string_append_printf (text, _ ("%s of %s is to be called only after you were asked (%s):\n"),
                          tool, server, rule);
  g_string_append_printf (text, "  %s\n", arguments);
  cli_question_show (question, text->str);
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
