/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-config-expand-private.h"
#include "gmcp-manager-private.h"

#include <gmcp/config/file/gmcp-file-config-source.h>
#include <gmcp/config/settings/gmcp-settings-config-source.h>

G_BEGIN_DECLS

/* What variables in configurations are filled in from. Gives the ids that the context refers to. */
GStrv gmcp_manager_fill_expand_context (GmcpManager *self, GmcpConfigExpandContext *context);

/* Emits config-input-requested; FALSE where nobody takes it. gmcp-manager.c */
gboolean gmcp_manager_request_config_input (GmcpManager *self, GmcpConfigInput *input);

/* What the places say counts from now on, each tool is judged once, and all is told of once:
 * gmcp-manager-config-apply.c. */
void gmcp_manager_apply_config (GmcpManager *self);

/* What `{workspace}` stands for in a place; NULL for nothing. */
char *gmcp_manager_dup_workspace_of (GmcpManager *self, GmcpConfigSource *source);

/* NULL where that is no file. */
GmcpFileConfigSource *gmcp_manager_get_file_source (GmcpConfigSource *source);

/* The file of a project that is there, and that nobody trusts or that cannot be read; NULL for none. */
char *gmcp_manager_dup_untrusted_file (GmcpManager *self);
/* Adds what is to be said of servers that do not count (of GmcpConfigFinding). */
void gmcp_manager_add_shadowed (GmcpManager *self, GPtrArray *findings);
/* All that is to be said (of GmcpConfigFinding); kept has what is known of servers that do not run, as
 * GPtrArray of GmcpTool by id (nullable): gmcp-config-lint.c. */
GPtrArray *gmcp_manager_find_problems (GmcpManager *self, GHashTable *kept);
/* A warning about a server, with the place that it comes from; property (nullable) is the one that it is
 * about. */
void gmcp_manager_add_about (GPtrArray *findings,
                             GmcpServerConfig *config,
                             const char *property,
                             const char *message);
/* The same about one word of a list. */
void gmcp_manager_add_about_word (GPtrArray *findings,
                                  GmcpServerConfig *config,
                                  const char *property,
                                  guint i,
                                  const char *message);
/* Servers whose sandbox or limits take what is not there. */
void gmcp_manager_add_unconfinable (GmcpManager *self, GPtrArray *findings);

G_END_DECLS
