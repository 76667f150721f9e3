/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What was answered to questions for values of configurations, so that a server is asked about once. It is in
 * memory, and nowhere else: it may be a password. */
typedef struct _GmcpConfigAnswers GmcpConfigAnswers;

GmcpConfigAnswers *gmcp_config_answers_new (void);
void gmcp_config_answers_free (GmcpConfigAnswers *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpConfigAnswers, gmcp_config_answers_free)

/* The key tells a question of one file from that of another. NULL for an answer that does not hold any more. */
void gmcp_config_answers_remember (GmcpConfigAnswers *self, const char *key, const char *value);
/* NULL for none. */
char *gmcp_config_answers_recall (GmcpConfigAnswers *self, const char *key);
void gmcp_config_answers_forget (GmcpConfigAnswers *self);

G_END_DECLS
