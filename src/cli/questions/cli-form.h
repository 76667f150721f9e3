/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/questions/gmcp-elicitation.h>

G_BEGIN_DECLS

/* A form that is filled in on the terminal, field by field. */
typedef struct _CliForm CliForm;

/* Keeps the elicitation, which has to be one with fields. */
CliForm *cli_form_new (GmcpElicitation *elicitation);
void cli_form_free (CliForm *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliForm, cli_form_free)

/* Begins anew, with nothing filled in. */
void cli_form_begin (CliForm *self);
/* Whether all fields were filled in. */
gboolean cli_form_is_complete (CliForm *self);
/* Appends what is to be seen before the field is asked for that comes next. */
void cli_form_describe_field (CliForm *self, GString *text);
/* The text to ask for it with. */
char *cli_form_dup_prompt (CliForm *self);
/* What was typed for it; says what does not fit. */
void cli_form_take_line (CliForm *self, const char *line);
/* What was filled in; NULL before anything was. */
JsonNode *cli_form_dup_content (CliForm *self);

/* Appends an address with the host that it is on, and what looks wrong about it; the text is visible. */
void cli_form_describe_address (GmcpElicitation *elicitation, GString *text);

G_END_DECLS
