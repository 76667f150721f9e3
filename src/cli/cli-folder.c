/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-affirm.h"
#include "cli-question.h"

#include <glib/gi18n.h>

/* Whether what is in the workspace may run. */
typedef struct
{
  CliQuestion parent;
  GmcpFolderRequest *request;
} CliFolder;

static gboolean
cli_folder_is_open (CliQuestion *question)
{
  return TRUE;
}

static void
cli_folder_begin (CliQuestion *question)
{
  GmcpFolderRequest *request = ((CliFolder *) question)->request;
  g_autofree char *folder = cli_question_plain (gmcp_folder_request_get_folder (request));
  g_autofree char *server = cli_question_plain (gmcp_folder_request_get_server_id (request));
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

static void
cli_folder_close (CliQuestion *question)
{
  gmcp_folder_request_refuse (((CliFolder *) question)->request);
}

static gboolean
cli_folder_take_line (CliQuestion *question, const char *line)
{
  if (cli_is_yes (line))
    {
      gmcp_folder_request_trust (((CliFolder *) question)->request);
      return TRUE;
    }

  switch (g_ascii_tolower (*line))
    {
    case '\0':
    case 'n':
      cli_folder_close (question);
      return TRUE;
    default:
      return FALSE;
    }
}

static void
cli_folder_free (CliQuestion *question)
{
  CliFolder *self = (CliFolder *) question;

  g_object_unref (self->request);
  g_free (self);
}

static const CliQuestionClass folder_class = {
  .is_open = cli_folder_is_open,
  .begin = cli_folder_begin,
  .ask = cli_folder_ask,
  .take_line = cli_folder_take_line,
  .refuse = cli_folder_close,
  .close = cli_folder_close,
  .free = cli_folder_free,
};

CliQuestion *
cli_folder_new (GmcpFolderRequest *request)
{
  CliFolder *self = g_new0 (CliFolder, 1);

  self->parent.klass = &folder_class;
  self->request = g_object_ref (request);
  return &self->parent;
}
