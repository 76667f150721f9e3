/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include <gmcp/core/gmcp-enums.h>

G_BEGIN_DECLS

#define GMCP_TYPE_ELICITATION_FIELD (gmcp_elicitation_field_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpElicitationField,
                      gmcp_elicitation_field,
                      GMCP,
                      ELICITATION_FIELD,
                      GObject)

GMCP_AVAILABLE_IN_0_1
GmcpElicitationFieldKind gmcp_elicitation_field_get_kind (GmcpElicitationField *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_elicitation_field_get_name (GmcpElicitationField *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_elicitation_field_get_title (GmcpElicitationField *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_elicitation_field_get_description (GmcpElicitationField *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_elicitation_field_get_format (GmcpElicitationField *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_elicitation_field_get_pattern (GmcpElicitationField *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_elicitation_field_is_required (GmcpElicitationField *self);

GMCP_AVAILABLE_IN_0_1
gint64 gmcp_elicitation_field_get_min_length (GmcpElicitationField *self);

GMCP_AVAILABLE_IN_0_1
gint64 gmcp_elicitation_field_get_max_length (GmcpElicitationField *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_elicitation_field_get_minimum (GmcpElicitationField *self, double *minimum);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_elicitation_field_get_maximum (GmcpElicitationField *self, double *maximum);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_elicitation_field_get_option_values (GmcpElicitationField *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_elicitation_field_get_option_titles (GmcpElicitationField *self);

GMCP_AVAILABLE_IN_0_1
JsonNode *gmcp_elicitation_field_dup_default (GmcpElicitationField *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_elicitation_field_dup_default_json (GmcpElicitationField *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_elicitation_field_check (GmcpElicitationField *self, JsonNode *value, GError **error);

GMCP_AVAILABLE_IN_0_1
char *
gmcp_elicitation_field_read_text (GmcpElicitationField *self, const char *text, GError **error);

G_END_DECLS
