/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/questions/gmcp-elicitation-field.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* Whether a text matches a regular expression; one that makes no sense, or takes too long, refuses
 * nothing. */
typedef gboolean (*GmcpElicitationMatchFunc) (const char *pattern, const char *text);

struct _GmcpElicitationField
{
  GObject parent_instance;

  GmcpElicitationFieldKind kind;
  char *name;
  char *title;
  char *description;
  char *format;
  char *pattern; /* of a text; nullable */
  GmcpElicitationMatchFunc matches;
  gboolean required;
  gint64 min_length; /* of a text, or how many are chosen; -1 for none */
  gint64 max_length;
  gboolean has_minimum;
  gboolean has_maximum;
  double minimum;
  double maximum;
  GStrv values;
  GStrv titles;
  GmcpJsonDoc *default_doc; /* nullable */
};

/* Anything makes a field; what the protocol does not have makes one of an unknown kind. Without a
 * function, which may be NULL, patterns are not looked at. */
GmcpElicitationField *gmcp_elicitation_field_new (const char *name,
                                                  GmcpJsonValue schema,
                                                  gboolean required,
                                                  GmcpElicitationMatchFunc matches);

/* How the field is called in an error. */
char *gmcp_elicitation_field_dup_label (GmcpElicitationField *self);
/* GMCP_ERROR_INVALID_ARGUMENT that names the field; gmcp-elicitation-check.c. */
gboolean gmcp_elicitation_field_check_value (GmcpElicitationField *self,
                                             GmcpJsonValue value,
                                             GError **error);

G_END_DECLS
