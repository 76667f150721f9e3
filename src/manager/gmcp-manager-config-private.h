/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-config-expand-private.h"
#include "gmcp-manager-private.h"

#include <gmcp/config/file/gmcp-file-config-source.h>
#include <gmcp/config/settings/gmcp-settings-config-source.h>

G_BEGIN_DECLS

/* What variables in configurations are filled in from. Gives the ids that the context refers to. */
GStrv gmcp_manager_fill_expand_context (GmcpManager *self, GmcpConfigExpandContext *context);

/* Whether a server of that configuration needs values that somebody has to be asked for. */
gboolean gmcp_manager_lacks_input (GmcpManager *self, GmcpServerConfig *config);

/* Whether somebody listens to config-input-requested. gmcp-manager.c */
gboolean gmcp_manager_can_request_config_input (GmcpManager *self);
/* Emits config-input-requested. gmcp-manager.c */
void gmcp_manager_request_config_input (GmcpManager *self, GmcpConfigInput *input);

/* What the places say counts from now on, each tool is judged once, and all is told of once:
 * gmcp-manager-config-apply.c. */
void gmcp_manager_apply_config (GmcpManager *self);

/* The file of a project that is there, and that nobody trusts or that cannot be read; NULL for none. */
char *gmcp_manager_dup_untrusted_file (GmcpManager *self);
/* The file to write a server into where none is configured, whose name is for people; NULL where one is, where
 * something is wrong with the configuration, and where no file is read. */
char *gmcp_manager_dup_file_for_servers (GmcpManager *self);
G_END_DECLS
