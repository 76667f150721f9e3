/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-manager-private.h"

G_BEGIN_DECLS

GmcpManagerFilling *gmcp_manager_filling_new (void);
void gmcp_manager_filling_free (GmcpManagerFilling *filling);

/* The places are put together anew. */
void gmcp_manager_begin_filling (GmcpManager *self);
/* The configuration that counts; what held before where a variable is not there, NULL where that was
 * nothing. source is NULL for what the host has added. */
GmcpServerConfig *
gmcp_manager_fill_config (GmcpManager *self, GmcpConfigSource *source, GmcpServerConfig *config);
/* Notices of what could not be filled in, once each. */
void gmcp_manager_tell_unfilled (GmcpManager *self);
/* The same, as findings (of GmcpConfigFinding). */
void gmcp_manager_add_unfilled (GmcpManager *self, GPtrArray *findings);

/* What `{workspace}` stands for in a place; NULL for nothing. */
char *gmcp_manager_dup_workspace_of (GmcpManager *self, GmcpConfigSource *source);

/* Roles, tiers and projects: the object that counts for one of a place, the same one as long as that
 * does not change. Give what the first function returns to the second, and unref it then. */
GHashTable *gmcp_manager_begin_filling_rules (GmcpManager *self);
GObject *gmcp_manager_fill_rule (GmcpManager *self,
                                 GHashTable *before,
                                 GObject *object,
                                 const char *workspace);
/* Another workspace gives others. */
void gmcp_manager_forget_filled_rules (GmcpManager *self);

G_END_DECLS
