/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-config-document-private.h"

G_BEGIN_DECLS

/* Changes to a JSON text that a person wrote: all but the places that are named stays as it is, byte for
 * byte, comments among it. */

typedef struct
{
  const char *text; /* as it was written, without a byte order mark */
  gsize length;
  const char *bare; /* the text without comments and trailing commas, byte for byte */
  GmcpConfigDocument *document;
  GArray *patches;    /* in order */
  gboolean is_marked; /* by a byte order mark */
  char unit[9];       /* the blanks that a member is further in than what it is in */
} GmcpJsonPatcher;

/* Writes one member or several behind the indent of their object. */
typedef void (*GmcpJsonPatcherRender) (GString *out, const char *indent, gpointer data);

/* text stays with the caller; NULL is an empty object. What was opened is cleared, also where that failed. */
gboolean
gmcp_json_patcher_open (GmcpJsonPatcher *self, const char *text, gsize length, GError **error);
void gmcp_json_patcher_clear (GmcpJsonPatcher *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GmcpJsonPatcher, gmcp_json_patcher_clear)

/* Where a value of the document stands in the text. */
gsize gmcp_json_patcher_find_start (GmcpJsonPatcher *self, GmcpJsonValue value);
gsize gmcp_json_patcher_find_end (GmcpJsonPatcher *self, GmcpJsonValue value);
gboolean gmcp_json_patcher_has_comment (GmcpJsonPatcher *self, gsize start, gsize end);
/* The blanks that the line of a position starts with. */
char *gmcp_json_patcher_dup_indent (GmcpJsonPatcher *self, gsize position);

/* Puts text, which is taken, in the place of what stands there. */
void gmcp_json_patcher_add (GmcpJsonPatcher *self, gsize start, gsize end, char *text);
/* Adds what render writes at the end of an object. */
void gmcp_json_patcher_append_members (GmcpJsonPatcher *self,
                                       GmcpJsonValue object,
                                       GmcpJsonPatcherRender render,
                                       gpointer data);
/* Takes a member out of an object, with its comma, and with its line where it has one of its own. */
void
gmcp_json_patcher_remove_member (GmcpJsonPatcher *self, GmcpJsonValue object, GmcpJsonValue key);

/* The text with all changes, with the byte order mark that it had. */
char *gmcp_json_patcher_apply (GmcpJsonPatcher *self);

G_END_DECLS
