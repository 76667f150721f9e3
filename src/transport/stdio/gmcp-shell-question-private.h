/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-stdio-run-private.h"

G_BEGIN_DECLS

/* A shell that is asked something, once for all tasks of a main context that wait for the answer. It lives as
 * long as one of them does. What it says is read line by line, until it is ended. */
#define GMCP_TYPE_SHELL_QUESTION (gmcp_shell_question_get_type ())
G_DECLARE_FINAL_TYPE (GmcpShellQuestion, gmcp_shell_question, GMCP, SHELL_QUESTION, GObject)

typedef struct
{
  /* A line, without white space at its end. */
  void (*line) (GmcpShellQuestion *self, gpointer state, const char *line);
  /* No more lines come: the shell has ended, its time is over, or it could not be started, for that
   * reason; NULL for any other. */
  void (*silent) (GmcpShellQuestion *self, gpointer state, const GError *reason);
} GmcpShellQuestionFuncs;

typedef struct
{
  const GmcpShellQuestionFuncs *funcs;
  gsize state_bytes; /* of the state that the functions are given, which begins as zeros */
  void (*clear) (gpointer state); /* NULL for nothing to free in it */
  gsize max_bytes;                /* of what it says */
  const char *name;               /* of the source of its time limit */
} GmcpShellQuestionKind;

GmcpShellQuestion *
gmcp_shell_question_new (const GmcpShellQuestionKind *kind, GMainContext *context);
gboolean gmcp_shell_question_start (GmcpShellQuestion *self,
                                    const GmcpSpawnOptions *options,
                                    guint limit_ms,
                                    GError **error);
/* Ends the shell. No function is called any more. */
void gmcp_shell_question_end (GmcpShellQuestion *self);

/* Questions that are being asked, one a context. The list holds no reference, and belongs to a lock of
 * whoever has it; NULL for none. */

GmcpShellQuestion *gmcp_shell_questions_find (GPtrArray *questions, GMainContext *context);
/* The task waits for the question, which is in the list from then on. */
void gmcp_shell_questions_wait (GPtrArray **questions, GmcpShellQuestion *question, GTask *task);
/* Takes the question out of the list, and gives those who wait for it. */
GQueue gmcp_shell_questions_settle (GPtrArray *questions, GmcpShellQuestion *question);

G_END_DECLS
