/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-daemon-questions.h"

G_BEGIN_DECLS

/* A question that waits at the session daemon, put to the person at the terminal. */

/* In a line: what is asked, and whose call it is. */
char *cli_daemon_question_describe (const CliOpenQuestion *question);

/* Asks and answers it. FALSE where the person left it to others, or had enough; the question may be gone meanwhile. */
gboolean cli_daemon_question_ask (CliHost *host,
                                  CliDaemonQuestions *questions,
                                  const CliOpenQuestion *question);

G_END_DECLS
