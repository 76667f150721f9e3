/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-manager-private.h"

G_BEGIN_DECLS

/* Which tools may be listed under their own name alone, in the style BARE: those that no other configured
 * server has, or had when it was last seen; and what was listed so stays with its server, from one run to
 * the next. */

GmcpManagerNaming *gmcp_manager_naming_new (GmcpManager *manager);
void gmcp_manager_naming_free (GmcpManagerNaming *naming);

/* The file of names as it stands; before, no tool is listed under its own name alone. */
gboolean gmcp_manager_take_given_names (GmcpManager *self, GBytes *bytes, GError **error);
/* What servers had in earlier runs is known, or is other than before. */
void gmcp_manager_forget_rivals (GmcpManager *self);
/* Before the style becomes BARE. */
void gmcp_manager_reserve_names (GmcpManager *self);
/* After tools were named: writes down what was given. */
void gmcp_manager_keep_given_names (GmcpManager *self);

G_END_DECLS
