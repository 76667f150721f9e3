/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* RFC 6570, all four levels. Variables are the members of an object: strings, numbers and booleans,
 * arrays of these, objects of these; null, and what is not there, is undefined.
 * GMCP_ERROR_INVALID_ARGUMENT, with the byte offset in the message, for what is no template;
 * GMCP_ERROR_LIMIT_EXCEEDED for a template or a result that is too long. */
char *gmcp_uri_template_expand (const char *uri_template, GmcpJsonValue variables, GError **error);

/* The names of the template's variables, each once. */
char **gmcp_uri_template_list_variables (const char *uri_template, GError **error);

/* Whether the URI begins and ends as all do that the template makes; never where the template says nothing of how
 * they begin. */
gboolean gmcp_uri_template_may_make (const char *uri_template, const char *uri);

/* The values that make the template this URI, by their names; NULL where none do, where values of more than one kind might,
 * as with lists and prefixes, or where the template is none. */
GHashTable *gmcp_uri_template_match (const char *uri_template, const char *uri);

G_END_DECLS
