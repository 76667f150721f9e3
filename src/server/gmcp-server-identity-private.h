/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib-object.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* What a server says of itself. */
typedef struct
{
  char *name;
  char *version;
  char *title; /* nullable, as all that follow */
  char *description;
  char *website_url;
  char *instructions;
  GString *icons;      /* elements of an array */
  GString *extensions; /* members of an object */
  GHashTable *extension_names;
  /* Made when asked for. */
  char *short_json;
  char *json;
} GmcpServerIdentity;

void gmcp_server_identity_clear (GmcpServerIdentity *self);

/* The texts as properties of the server's class, from first on. */
#define GMCP_SERVER_IDENTITY_N_TEXTS 6
void gmcp_server_identity_install (GObjectClass *klass, guint first);
void gmcp_server_identity_get (const GmcpServerIdentity *self, guint index, GValue *value);
/* Whether it is another text than before. */
gboolean gmcp_server_identity_set (GmcpServerIdentity *self, guint index, const GValue *value);

void gmcp_server_identity_add_icon (GmcpServerIdentity *self,
                                    const char *src,
                                    const char *mime_type,
                                    const char *theme);

/* FALSE for a name that is none, one that is there already, and settings that are no object. */
gboolean gmcp_server_identity_add_extension (GmcpServerIdentity *self,
                                             const char *name,
                                             const char *settings_json,
                                             GError **error);

/* Name, title and version: what stands in each result. */
const char *gmcp_server_identity_get_short_json (GmcpServerIdentity *self);
/* All but the instructions and the extensions. */
const char *gmcp_server_identity_get_json (GmcpServerIdentity *self);

/* The member “extensions” of capabilities, where there is one of them; of the protocol's own, tasks or NULL. */
void gmcp_server_identity_write_extensions (const GmcpServerIdentity *self,
                                            GmcpJsonWriter *writer,
                                            const char *own);

G_END_DECLS
