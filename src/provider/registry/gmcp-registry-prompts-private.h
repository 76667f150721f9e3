/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-tool-registry-private.h"

G_BEGIN_DECLS

/* The prompts of a registry's providers, under names that are named as those of its tools are. Nothing is asked of a
 * provider before somebody wants the list. */

GmcpRegistryPrompts *gmcp_registry_prompts_new (GmcpToolRegistry *registry);
void gmcp_registry_prompts_free (GmcpRegistryPrompts *self);

/* A section that was just added, or is about to be removed. */
void gmcp_registry_prompts_add (GmcpRegistryPrompts *self, GmcpRegistrySection *section);
void gmcp_registry_prompts_remove (GmcpRegistryPrompts *self, GmcpRegistrySection *section);

void gmcp_tool_registry_prompts_init (GmcpPromptProviderInterface *iface);

G_END_DECLS
