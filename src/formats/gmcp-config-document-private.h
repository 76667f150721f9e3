/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-config-node-private.h"

G_BEGIN_DECLS

/* A configuration file of whatever format, as JSON, with the line that each value stands in. */

typedef enum
{
  GMCP_CONFIG_FORMAT_JSON, /* with comments and commas before a closing bracket */
  GMCP_CONFIG_FORMAT_YAML,
  GMCP_CONFIG_FORMAT_TOML,
} GmcpConfigFormat;

typedef struct
{
  GmcpConfigFormat format;
  GmcpJsonDoc *json;
  GBytes *text;  /* of the JSON */
  GArray *marks; /* of GmcpConfigMark */
} GmcpConfigDocument;

/* By the end of the file's name; JSON where that says nothing. */
GmcpConfigFormat gmcp_config_format_guess (const char *file_name);

/* The error does not name the line, which is then in *error_line (0 where none is known):
 * GMCP_ERROR_NOT_SUPPORTED for YAML in a build without it, else GMCP_ERROR_INVALID_CONFIG. */
GmcpConfigDocument *gmcp_config_document_parse (const char *text,
                                                gsize length,
                                                GmcpConfigFormat format,
                                                guint *error_line,
                                                GError **error);
void gmcp_config_document_free (GmcpConfigDocument *document);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpConfigDocument, gmcp_config_document_free)

/* 0 for a value that is not of this document. */
guint gmcp_config_document_get_line (GmcpConfigDocument *document, GmcpJsonValue value);

/* Blanks out comments, and commas before a closing bracket; every line stays where it is. */
void gmcp_jsonc_relax_json (char *text, gsize length);

G_END_DECLS
