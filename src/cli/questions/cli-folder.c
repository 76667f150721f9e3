/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-answer.h"
#include "cli-question.h"

#include <glib/gi18n.h>

/* Whether what is in the workspace may run. */

static void
cli_folder_begin (CliQuestion *question)
{
  GmcpFolderRequest *request = GMCP_FOLDER_REQUEST (question->request);
  g_autofree char *folder
    = cli_question_plain (g_file_peek_path (gmcp_folder_request_get_folder (request)));
  g_autofree char *server
    = cli_question_plain (gmcp_input_request_get_server_id (GMCP_INPUT_REQUEST (request)));
  g_autofree char *text = g_strdup_printf (
    /* Translators: the id of a server, and a folder */
    _ ("By its configuration the server %s runs what is in the folder\n  %s\nas you, whatever is "
       "put there by others, now and later. “gmcp config distrust” takes it back.\n"),
    server, folder);

  cli_question_show (question, text);
}

static void
cli_folder_ask (CliQuestion *question)
{
  g_printerr ("%s ", _ ("Trust this folder? [y/N]"));
}

static gboolean
cli_folder_take_line (CliQuestion *question, const char *line)
{
  switch (cli_answer_read (line))
    {
    case CLI_ANSWER_YES:
      gmcp_folder_request_trust (GMCP_FOLDER_REQUEST (question->request));
      return TRUE;
    case CLI_ANSWER_NOTHING:
    case CLI_ANSWER_NO:
      gmcp_input_request_decline (question->request);
      return TRUE;
    case CLI_ANSWER_OTHER:
    case CLI_ANSWER_ALWAYS:
    case CLI_ANSWER_EDIT:
    case CLI_ANSWER_REST:
    default:
      return FALSE;
    }
}

static const CliQuestionClass folder_class = {
  .begin = cli_folder_begin,
  .ask = cli_folder_ask,
  .take_line = cli_folder_take_line,
};

CliQuestion *
cli_folder_new (GmcpFolderRequest *request)
{
  CliQuestion *self = g_new0 (CliQuestion, 1);

  cli_question_init (self, &folder_class, GMCP_INPUT_REQUEST (request));
  return self;
}
