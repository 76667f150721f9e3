/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-elicitation.h>
#include <gmcp/provider/gmcp-call-request.h>

G_BEGIN_DECLS

/* One question to the user, as cli-questions.c puts it: what is typed comes line by line. */
typedef struct _CliQuestion CliQuestion;

typedef struct
{
  gboolean (*is_open) (CliQuestion *self);
  /* Shows it. */
  void (*begin) (CliQuestion *self);
  /* TRUE where it is done with. */
  gboolean (*take_line) (CliQuestion *self, const char *line);
  /* The input has ended. */
  void (*close) (CliQuestion *self);
  void (*free) (CliQuestion *self);
} CliQuestionClass;

/* Why a question is over that the user has not answered, in words for the user. */
typedef void (*CliQuestionOverFunc) (CliQuestion *self, const char *why, gpointer data);

struct _CliQuestion
{
  const CliQuestionClass *klass;
  CliQuestionOverFunc over; /* NULL before it begins */
  gpointer over_data;
};

/* Text of others, as it may be shown on a terminal. */
char *cli_question_plain (const char *text);

/* What a server asks. */
CliQuestion *cli_elicitation_new (GmcpElicitation *elicitation);
/* Whether a tool may be called. */
CliQuestion *cli_consent_new (GmcpCallRequest *request);

G_END_DECLS
