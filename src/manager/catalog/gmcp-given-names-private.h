/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The short names that tools were listed under, in this run or an earlier one: each stays with the tool
 * of the server that it was first given to, whichever server is there first the next time, and also
 * while that server is not configured. Kept in a file of the folder of state.
 *
 * How many there may be is limited, for a server and for all; a tool beyond that has a long name, and
 * takes nobody's. */

#define GMCP_GIVEN_NAMES_FILE "tool-names.json"

typedef struct _GmcpGivenNames GmcpGivenNames;

GmcpGivenNames *gmcp_given_names_new (void);
void gmcp_given_names_free (GmcpGivenNames *self);

/* NULL for bytes is no file. */
GmcpGivenNames *gmcp_given_names_parse (GBytes *bytes, GError **error);
GBytes *gmcp_given_names_write (GmcpGivenNames *self);

/* Gives a name; TRUE where it is the tool's now, or was before. *is_new is set where it was nobody's. */
gboolean gmcp_given_names_give (GmcpGivenNames *self,
                                const char *name,
                                const char *server,
                                const char *tool,
                                gboolean *is_new);

typedef void (*GmcpGivenNamesFunc) (const char *name,
                                    const char *server,
                                    const char *tool,
                                    gpointer data);
void gmcp_given_names_foreach (GmcpGivenNames *self, GmcpGivenNamesFunc func, gpointer data);

/* Gives all that other has given, where nobody else has it. Whether that changed anything. */
gboolean gmcp_given_names_merge (GmcpGivenNames *self, GmcpGivenNames *other);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpGivenNames, gmcp_given_names_free)

G_END_DECLS
