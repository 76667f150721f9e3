/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tools-provider.h"

/* The manager with the user's files and settings as its sources. A host that sets config-file has that
 * file alone; the settings are not even opened then. */
struct _GmcpToolsProvider
{
  GmcpManager parent_instance;
};

G_DEFINE_DYNAMIC_TYPE_EXTENDED (GmcpToolsProvider, gmcp_tools_provider, GMCP_TYPE_MANAGER, 0, {})

static void
gmcp_tools_provider_constructed (GObject *object)
{
  G_OBJECT_CLASS (gmcp_tools_provider_parent_class)->constructed (object);

  gmcp_manager_add_default_sources (GMCP_MANAGER (object));
}

static void
gmcp_tools_provider_class_init (GmcpToolsProviderClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = gmcp_tools_provider_constructed;
}

static void
gmcp_tools_provider_class_finalize (GmcpToolsProviderClass *klass)
{
}

static void
gmcp_tools_provider_init (GmcpToolsProvider *self)
{
}

void
gmcp_tools_provider_register (GTypeModule *module)
{
  gmcp_tools_provider_register_type (module);
}
