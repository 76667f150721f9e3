/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-open-questions.h"

G_BEGIN_DECLS

/* The programs on D-Bus that show a person the questions that are open. As long as there is one, they are taken. */
typedef struct _GmcpdWatchers GmcpdWatchers;

GmcpdWatchers *gmcpd_watchers_new (GmcpdOpenQuestions *questions);
void gmcpd_watchers_free (GmcpdWatchers *self);
/* What is watched. Borrowed. */
GmcpdOpenQuestions *gmcpd_watchers_get_questions (GmcpdWatchers *self);

/* From now on, until it says otherwise or leaves, the caller is one, or is none. Does not answer the invocation. */
gboolean gmcpd_watchers_set (GmcpdWatchers *self,
                             GDBusMethodInvocation *invocation,
                             gboolean watches,
                             GError **error);

G_END_DECLS
