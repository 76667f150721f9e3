/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-callers.h"
#include "gmcpd-open-questions.h"

G_BEGIN_DECLS

/* An open question as org.gmcp.Manager1.Question. What is asked may be private: it is given to those who may use the
 * object, and is no property, since properties of a new object are told to the whole bus. */
GDBusInterfaceSkeleton *
gmcpd_question_object_new (GmcpdOpenQuestions *questions, const char *id, GmcpdCallers *callers);

G_END_DECLS
