/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* What must not be written down: values that the configuration gives to servers (environment, headers,
 * tokens in URLs and arguments), wherever they turn up, and whatever stands under a name such as
 * “password”. What was once a secret stays one. */
typedef struct _GmcpRedactor GmcpRedactor;

#define GMCP_REDACTED "[redacted]"

GmcpRedactor *gmcp_redactor_new (void);
void gmcp_redactor_free (GmcpRedactor *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpRedactor, gmcp_redactor_free)

/* Texts of less than GMCP_LIMIT_SECRET_MIN_BYTES are in too many words to be looked for. It is known
 * then as it is, as JSON has it and as URLs have it. */
void gmcp_redactor_add_secret (GmcpRedactor *self, const char *secret);
/* A value that may be a secret, or as well a common word. */
void gmcp_redactor_add_doubtful (GmcpRedactor *self, const char *value);
/* The value of a variable, whose name or form says which of the two it is, if any. */
void
gmcp_redactor_add_named (GmcpRedactor *self, const char *name, gsize length, const char *value);
/* What is a secret within a text by what is around it. */
void gmcp_redactor_add_parts (GmcpRedactor *self, const char *text);
/* A redactor of certain secrets only: for texts in which one word too many that is replaced does
 * more harm. */
GmcpRedactor *gmcp_redactor_get_certain (GmcpRedactor *self);

/* What stands under a name such as “password” in the arguments of a call, or is a credential within one
 * of their strings, is looked for from now on too, until there were GMCP_LIMIT_RECENT_SECRETS others. Says whether there is such a
 * name. */
gboolean gmcp_redactor_add_arguments (GmcpRedactor *self, GmcpJsonValue arguments);

/* Whether nothing is looked for but names. */
gboolean gmcp_redactor_is_empty (GmcpRedactor *self);
/* Whether a secret would be written. */
gboolean gmcp_redactor_finds_text (GmcpRedactor *self, const char *text, gsize length);
gboolean gmcp_redactor_finds_value (GmcpRedactor *self, GmcpJsonValue value);

/* How much of a text that goes on later can be written by itself: what no secret begins in that may end
 * in the rest. */
gsize gmcp_redactor_measure_whole (GmcpRedactor *self, const char *text, gsize length);

/* Appends the text with every secret replaced. */
void gmcp_redactor_append_text (GmcpRedactor *self, GString *out, const char *text, gsize length);
/* The text with every secret replaced; NULL where there is none. */
char *gmcp_redactor_redact (GmcpRedactor *self, const char *text);
/* Writes the value likewise. */
void gmcp_redactor_write_value (GmcpRedactor *self, GmcpJsonWriter *writer, GmcpJsonValue value);

/* Whether the value is made like a key or a password of a machine. */
gboolean gmcp_redactor_looks_random (const char *value);
/* Whether what has this name is to be kept to oneself: “api_key”, “X-Auth-Token”. */
gboolean gmcp_redactor_is_secret_name (const char *name, gsize length);

G_END_DECLS
