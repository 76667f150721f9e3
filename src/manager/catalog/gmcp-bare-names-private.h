/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-pin-store-private.h"
#include "gmcp-server-table-private.h"
#include "gmcp-state-store-private.h"
#include "gmcp-tool-names-private.h"

G_BEGIN_DECLS

/* Which tools may be listed under their own name alone, in the style BARE: those that no other configured
 * server has, or had when it was last seen; and what was listed so stays with its server, from one run to
 * the next. */
typedef struct _GmcpBareNames GmcpBareNames;

/* Says to the names which ones may be bare. All that is given has to outlive the object. */
GmcpBareNames *gmcp_bare_names_new (GmcpToolNames *names,
                                    GmcpServerTable *servers,
                                    GmcpPinStore *pins,
                                    GmcpStateStore *state);
void gmcp_bare_names_free (GmcpBareNames *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpBareNames, gmcp_bare_names_free)

/* The file of names as it stands; before, no tool is listed under its own name alone. */
gboolean gmcp_bare_names_take (GmcpBareNames *self, GBytes *bytes, GError **error);
/* What servers had in earlier runs is known, or is other than before. */
void gmcp_bare_names_forget_rivals (GmcpBareNames *self);
/* Names that were given stay with their tools: to be called when the file was taken and before the style
 * becomes BARE. Whether a tool that is there has another name now. */
gboolean gmcp_bare_names_reserve (GmcpBareNames *self);
/* After tools were named: writes down what was given. */
void gmcp_bare_names_keep (GmcpBareNames *self);

G_END_DECLS
