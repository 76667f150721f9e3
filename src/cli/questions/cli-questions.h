/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-provider.h>

G_BEGIN_DECLS

/* Puts the questions of servers, and of rules about calls, to the user, one after the other, where there is a terminal to do so
 * on; elsewhere nobody listens, and they are declined. */
typedef struct _CliQuestions CliQuestions;

CliQuestions *cli_questions_new (GPtrArray *providers);
/* Only what is needed to start a server. Where both are there, the first is the one that asks. */
CliQuestions *cli_questions_new_for_start (GPtrArray *providers);
void cli_questions_free (CliQuestions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliQuestions, cli_questions_free)

G_END_DECLS
