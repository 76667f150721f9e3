/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcpd-calls.h"

G_BEGIN_DECLS

/* What is asked in the course of calls over D-Bus: whoever made the call is asked, and nobody else. */
typedef struct _GmcpdQuestions GmcpdQuestions;

/* Callers are asked whether a tool may be called only where that is theirs to say. The manager lives longer. */
GmcpdQuestions *gmcpd_questions_new (GmcpManager *manager, gboolean with_permissions);
void gmcpd_questions_free (GmcpdQuestions *self);
gboolean gmcpd_questions_has_permissions (GmcpdQuestions *self);

/* The caller of this call can be asked, until the call is removed. The options are those of the call. */
void gmcpd_questions_add_call (GmcpdQuestions *self, GmcpCallOptions *options, GmcpdCall *call);
void gmcpd_questions_remove_call (GmcpdQuestions *self, GmcpdCall *call);

/* Takes the invocation of AnswerQuestion. */
void gmcpd_questions_answer (GmcpdQuestions *self,
                             GDBusMethodInvocation *invocation,
                             guint id,
                             const char *action,
                             const char *content_json);

G_END_DECLS
