/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "cli-daemon.h"

G_BEGIN_DECLS

/* The questions that wait for a person at the session daemon. As long as these are watched it asks them, and refuses none
 * for want of somebody to answer. */
typedef struct _CliDaemonQuestions CliDaemonQuestions;

typedef struct
{
  char *path;
  char *kind; /* elicitation, permission, withheld or config-input */
  char *server;
  char *client; /* whose call it is; "" where that is not known */
  char *asked_at;
  gboolean is_accepted; /* an address that a call waits for, when it was first seen */
} CliOpenQuestion;

/* Whether there are others than before. */
typedef void (*CliDaemonQuestionsFunc) (gpointer data);

/* Takes the daemon. With watch somebody is there to answer, until it is freed. */
CliDaemonQuestions *cli_daemon_questions_new (CliDaemon *daemon, gboolean watch, GError **error);
void cli_daemon_questions_free (CliDaemonQuestions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliDaemonQuestions, cli_daemon_questions_free)

void cli_daemon_questions_set_changed (CliDaemonQuestions *self,
                                       CliDaemonQuestionsFunc changed,
                                       gpointer data);
/* Those that are open, the oldest first: CliOpenQuestion. Borrowed until there are others. */
GPtrArray *cli_daemon_questions_get (CliDaemonQuestions *self);
gboolean cli_daemon_questions_has (CliDaemonQuestions *self, const char *path);
/* Whether the daemon has ended. */
gboolean cli_daemon_questions_are_over (CliDaemonQuestions *self);

/* Whether the address of that question has been accepted, as the daemon knows at the moment of asking. */
gboolean cli_daemon_questions_is_accepted (CliDaemonQuestions *self, const char *path);

/* What is asked. */
JsonObject *
cli_daemon_questions_ref_parameters (CliDaemonQuestions *self, const char *path, GError **error);
/* content is JSON, or "". */
gboolean cli_daemon_questions_answer (CliDaemonQuestions *self,
                                      const char *path,
                                      const char *answer,
                                      const char *content,
                                      GError **error);

G_END_DECLS
