/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/source/gmcp-config-source.h>

G_BEGIN_DECLS

/* Roles, requirements and projects from GSettings: the names in the keys `roles`, `requirements` and
 * `projects` of org.gmcp.Manager, and what is at /org/gmcp/roles/NAME/ and so on. A change
 * is taken at once, since a rule may forbid something. */
typedef struct _GmcpSettingsPolicy GmcpSettingsPolicy;

/* Borrows the source, which has to outlive it; takes references on the others. Made in the context in
 * which changes are to be told of. Gives what is there to the source; changed is called when it has read
 * it again. */
GmcpSettingsPolicy *gmcp_settings_policy_new (GmcpConfigSource *source,
                                              GSettings *manager,
                                              GSettingsBackend *backend,
                                              void (*changed) (gpointer),
                                              gpointer data);
/* What is to be said about the names (of GmcpConfigFinding). */
GPtrArray *gmcp_settings_policy_peek_findings (GmcpSettingsPolicy *self);
void gmcp_settings_policy_free (GmcpSettingsPolicy *self);

G_END_DECLS
