/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-tool-registry-private.h"

G_BEGIN_DECLS

/* The resources and templates of a registry's providers, and who is told of their changes. Nothing is asked of a
 * provider before somebody wants one of the lists. */

GmcpRegistryResources *gmcp_registry_resources_new (GmcpToolRegistry *registry);
void gmcp_registry_resources_free (GmcpRegistryResources *self);

/* A section that was just added, or is about to be removed. */
void gmcp_registry_resources_add (GmcpRegistryResources *self, GmcpRegistrySection *section);
void gmcp_registry_resources_remove (GmcpRegistryResources *self, GmcpRegistrySection *section);

void gmcp_tool_registry_resources_init (GmcpResourceProviderInterface *iface);

G_END_DECLS
