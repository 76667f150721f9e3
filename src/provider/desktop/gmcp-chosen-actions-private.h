/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-provider.h>

#include "gmcp-action-use-private.h"

G_BEGIN_DECLS

/* The uses of actions that a program has chosen, and the tools of those that are there now. */

typedef struct _GmcpChosenActions GmcpChosenActions;

/* group may be NULL; then nothing can be added. Problems of actions that come later are notices of the provider, which
 * owns what is returned. */
GmcpChosenActions *gmcp_chosen_actions_new (GActionGroup *group, GmcpToolProvider *provider);
void gmcp_chosen_actions_free (GmcpChosenActions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpChosenActions, gmcp_chosen_actions_free)

/* Live; borrowed. */
GListModel *gmcp_chosen_actions_get_list (GmcpChosenActions *self);

gboolean gmcp_chosen_actions_add (GmcpChosenActions *self,
                                  GmcpActionUse use,
                                  const char *action,
                                  GmcpTool *tool,
                                  GError **error);
gboolean gmcp_chosen_actions_remove (GmcpChosenActions *self, const char *tool_name);

gboolean gmcp_chosen_actions_hides_disabled (GmcpChosenActions *self);
void gmcp_chosen_actions_set_hides_disabled (GmcpChosenActions *self, gboolean hides_disabled);

void gmcp_chosen_actions_call (GmcpChosenActions *self, GmcpToolCall *call);

G_END_DECLS
