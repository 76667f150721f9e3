/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-daemon-questions.h"

G_BEGIN_DECLS

/* A question of the session daemon's, put to the person at the terminal. */

/* Takes an answer to the daemon. content is JSON, or "". */
typedef gboolean (*CliDaemonAnswerFunc) (gpointer data,
                                         const char *answer,
                                         const char *content,
                                         GError **error);

/* What is asked, in whichever way the daemon says it. */
typedef struct
{
  const char *kind; /* as CliOpenQuestion has it */
  const char *server;
  JsonObject *params;
  GCancellable *gone; /* when it is, nobody waits for the answer */
  CliDaemonAnswerFunc answer;
  gpointer data;
  /* Nullable: whether somebody has agreed to visit the address. */
  gboolean (*is_accepted) (gpointer data);
} CliDaemonAsked;

/* FALSE where no answer was given. */
gboolean cli_daemon_question_put (CliHost *host, const CliDaemonAsked *asked);

/* In a line: what is asked, and whose call it is. */
char *cli_daemon_question_describe (const CliOpenQuestion *question);

/* Asks and answers one that waits. FALSE where the person left it to others, or had enough; the question may be gone meanwhile. */
gboolean cli_daemon_question_ask (CliHost *host,
                                  CliDaemonQuestions *questions,
                                  const CliOpenQuestion *question);

G_END_DECLS
