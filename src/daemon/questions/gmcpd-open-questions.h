/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/gateway/gmcp-gateway.h>
#include <gmcp/manager/gmcp-manager.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define GMCPD_TYPE_OPEN_QUESTIONS (gmcpd_open_questions_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdOpenQuestions, gmcpd_open_questions, GMCPD, OPEN_QUESTIONS, GObject)

/* The questions that no program is there to answer, and that wait for a person: those of a gateway's client that cannot
 * be asked, those of calls that are made here, and values that a server needs to start. They are taken while somebody
 * looks, and refused otherwise. The signals “asked”, “accepted” (of an address that is being visited, and stays open) and
 * “gone” have the id. */
GmcpdOpenQuestions *gmcpd_open_questions_new (GmcpManager *manager);

void gmcpd_open_questions_add_gateway (GmcpdOpenQuestions *self, GmcpGateway *gateway);

/* The page where they are answered, while there is one; NULL for none. Clients of gateways are sent there for what must not
 * pass through them, also while nobody looks. */
void gmcpd_open_questions_set_page (GmcpdOpenQuestions *self, const char *address);

typedef enum
{
  GMCPD_ASKED_ALL = 0,
  GMCPD_ASKED_PERMISSION = 1 << 0, /* only whether the tool may be called */
  /* Of a program that may be in a sandbox: there is room for few of these, and none is allowed for always, which would
   * hold for other programs. */
  GMCPD_ASKED_FOR_OTHERS = 1 << 1,
  GMCPD_ASKED_WITHHELD = 1 << 2, /* only of a tool that is not as it was approved */
} GmcpdAsked;

/* The options are those of the call, and forgotten with it. */
void gmcpd_open_questions_add_call (GmcpdOpenQuestions *self,
                                    GmcpCallOptions *options,
                                    GmcpdAsked asked);

/* Somebody looks, until it is said that they do so no more. What is open then stays so until its time is over. */
void gmcpd_open_questions_begin_looking (GmcpdOpenQuestions *self);
void gmcpd_open_questions_end_looking (GmcpdOpenQuestions *self);

/* Owned by the caller; NULL where there is no such question (any more). */
JsonObject *gmcpd_open_questions_describe (GmcpdOpenQuestions *self, const char *id);
/* What is asked, as gmcpd_answers_dup_params_json() has it; NULL in the same case. */
char *gmcpd_open_questions_dup_params_json (GmcpdOpenQuestions *self, const char *id);
/* The oldest first. */
JsonArray *gmcpd_open_questions_describe_all (GmcpdOpenQuestions *self);

/* An answer that does not fit leaves the question open. */
gboolean gmcpd_open_questions_answer (GmcpdOpenQuestions *self,
                                      const char *id,
                                      const char *action,
                                      const char *content_json,
                                      GError **error);

G_END_DECLS
