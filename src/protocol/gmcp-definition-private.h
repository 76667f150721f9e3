/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-definition.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* A new definition of that type, which keeps the value's document. NULL where the value is no object, or its
 * member key_member no string with something in it; problem says so to a person who knows what the
 * value was to be. */
gpointer gmcp_definition_new (GType type,
                              GmcpJsonValue value,
                              const char *key_member,
                              GError **error,
                              int code,
                              const char *problem);
/* The definition under another key; shares what the original has decoded. */
gpointer gmcp_definition_new_listed (gpointer original, const char *key);

/* The object of what has a key, a name and perhaps a media type. */
GmcpJsonDoc *gmcp_definition_write (const char *key_member,
                                    const char *key,
                                    const char *name,
                                    const char *mime_type);

/* The one that holds what was said: the definition itself, or the one that it lists under another key. */
gpointer gmcp_definition_get_original (gpointer definition);
/* The key of the definition; never NULL. */
const char *gmcp_definition_get_key (gpointer definition);
/* The object as the server sent it, and a member of it. */
GmcpJsonValue gmcp_definition_get_value (gpointer definition);
GmcpJsonValue gmcp_definition_get_member (gpointer definition, const char *name);

G_END_DECLS
