/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-annotations.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* What the things that servers list have in common: the object as the server sent it, and the texts
 * in it, which are decoded when asked for. */
typedef struct
{
  GmcpJsonValue value;
  char *key; /* what it is known by, which is always there */
  char *name;
  char *title;
  char *description;
  char *mime_type;
} GmcpDefinition;

/* Keeps the value's document. FALSE where it is no object, or its member key_member no string with
 * something in it; what is wrong with it is for a person who knows what the value was to be. */
gboolean gmcp_definition_init (GmcpDefinition *self,
                               GmcpJsonValue value,
                               const char *key_member,
                               GError **error,
                               int code,
                               const char *problem);
void gmcp_definition_clear (GmcpDefinition *self);
/* The object of what has a key, a name and perhaps a media type. */
GmcpJsonDoc *gmcp_definition_write (const char *key_member,
                                    const char *key,
                                    const char *name,
                                    const char *mime_type);

GmcpJsonValue gmcp_definition_get_member (GmcpDefinition *self, const char *name);
/* The key where there is no other. */
const char *gmcp_definition_get_name (GmcpDefinition *self);
const char *gmcp_definition_get_title (GmcpDefinition *self);
const char *gmcp_definition_get_description (GmcpDefinition *self);
const char *gmcp_definition_get_mime_type (GmcpDefinition *self);
char *gmcp_definition_dup_meta_json (GmcpDefinition *self);

G_END_DECLS
