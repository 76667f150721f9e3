/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-pages.h"

#include <gmcp/config/filling/gmcp-config-input.h>
#include <gmcp/policy/gmcp-folder-request.h>
#include <gmcp/protocol/questions/gmcp-elicitation.h>
#include <gmcp/provider/gmcp-call-permission.h>

G_BEGIN_DECLS

/* One question to the user, as cli-questions.c puts it: what is typed comes line by line. */
typedef struct _CliQuestion CliQuestion;

typedef struct
{
  /* Says what it is about, by cli_question_show(). */
  void (*begin) (CliQuestion *self);
  /* Asks, once all was shown. */
  void (*ask) (CliQuestion *self);
  /* What is typed then. TRUE where it is done with; otherwise more may have been given to show, and it is asked
   * again. */
  gboolean (*take_line) (CliQuestion *self, const char *line);
  /* Lets go of what the question has besides; NULL for nothing. */
  void (*clear) (CliQuestion *self);
} CliQuestionClass;

/* Why a question is over that the user has not answered, in words for the user. */
typedef void (*CliQuestionOverFunc) (CliQuestion *self, const char *why, gpointer data);

struct _CliQuestion
{
  const CliQuestionClass *klass;
  GmcpInputRequest *request;
  gulong closed_id;
  CliQuestionOverFunc over; /* NULL before it begins */
  gpointer over_data;
  CliPages *pages; /* what has not been shown yet; NULL for nothing */
};

/* For the classes of questions: makes the question one about the request, and keeps that. */
void
cli_question_init (CliQuestion *self, const CliQuestionClass *klass, GmcpInputRequest *request);
/* Text of others in one visible line, whole; "" for NULL. */
char *cli_question_plain (const char *text);
/* Shows several lines, which are visible, before it is asked: page by page, where there are many. */
void cli_question_show (CliQuestion *self, const char *text);

/* What a server asks. */
CliQuestion *cli_elicitation_new (GmcpElicitation *elicitation);
/* What a configuration leaves to the user. */
CliQuestion *cli_config_input_new (GmcpConfigInput *input);
/* A call that somebody has to allow. The texts are as others have them; all but the names may be NULL. */
typedef struct
{
  const char *tool;
  const char *server;
  const char *arguments; /* JSON */
  const char *rule;      /* that wants the question */
  const char *change;    /* of a tool that is not as it was approved */
} CliConsent;

/* What there is to see of it, in several lines. */
char *cli_consent_dup_text (const CliConsent *consent);
/* Whether a tool may be called. */
CliQuestion *cli_consent_new (GmcpCallPermission *request);
/* Whether what is in the workspace may run. */
CliQuestion *cli_folder_new (GmcpFolderRequest *request);

G_END_DECLS
