/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>
#include <gmcp/protocol/gmcp-icon.h>

G_BEGIN_DECLS

#define GMCP_TYPE_DEFINITION (gmcp_definition_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_DERIVABLE_TYPE (GmcpDefinition, gmcp_definition, GMCP, DEFINITION, GObject)

struct _GmcpDefinitionClass
{
  /*< private >*/
  GObjectClass parent_class;

  gboolean has_name_as_key;
  gboolean has_title_in_annotations;

  gpointer _reserved[8];
};

GMCP_AVAILABLE_IN_0_1
const char *gmcp_definition_get_name (GmcpDefinition *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_definition_get_title (GmcpDefinition *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_definition_get_description (GmcpDefinition *self);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_definition_list_icons (GmcpDefinition *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_definition_dup_annotations_json (GmcpDefinition *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_definition_dup_meta_json (GmcpDefinition *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_definition_dup_json (GmcpDefinition *self);

G_END_DECLS
