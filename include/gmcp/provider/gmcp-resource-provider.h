/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include <gmcp/protocol/gmcp-resource-template.h>
#include <gmcp/protocol/gmcp-resource.h>
#include <gmcp/provider/gmcp-completion-request.h>
#include <gmcp/provider/gmcp-resource-request.h>

G_BEGIN_DECLS

#define GMCP_TYPE_RESOURCE_PROVIDER (gmcp_resource_provider_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (GmcpResourceProvider, gmcp_resource_provider, GMCP, RESOURCE_PROVIDER, GObject)

/**
 * GmcpResourceProviderInterface:
 * @parent_iface: the parent
 * @get_resources: gives the list of [class@Gmcp.Resource], always the same object
 * @get_templates: (nullable): gives the list of [class@Gmcp.ResourceTemplate], always the same
 *   object; without it there are none
 * @read: reads a resource: completes the request, now or later
 * @subscribe: (nullable): somebody wants to hear of changes of that address; the provider emits
 *   [signal@Gmcp.ResourceProvider::resource-updated] for them from now on. Without it nobody can
 *   subscribe.
 * @unsubscribe: (nullable): nobody wants to hear of changes of that address any more
 * @complete_variable: (nullable): completes a variable of a template: completes the request, now or
 *   later. Without it nothing is completed.
 *
 * What a provider of resources implements; the first and @read at the least.
 *
 * Since: 0.1
 */
struct _GmcpResourceProviderInterface
{
  GTypeInterface parent_iface;

  GListModel *(*get_resources) (GmcpResourceProvider *self);
  GListModel *(*get_templates) (GmcpResourceProvider *self);
  void (*read) (GmcpResourceProvider *self, GmcpResourceRequest *request);
  void (*subscribe) (GmcpResourceProvider *self, const char *uri);
  void (*unsubscribe) (GmcpResourceProvider *self, const char *uri);
  void (*complete_variable) (GmcpResourceProvider *self, GmcpCompletionRequest *request);

  /*< private >*/
  GCallback offers;
  gpointer _reserved[9];
};

GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_resource_provider_get_resources (GmcpResourceProvider *self);

GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_resource_provider_get_templates (GmcpResourceProvider *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_resource_provider_read_async (GmcpResourceProvider *self,
                                        const char *uri,
                                        GmcpCallOptions *options,
                                        GCancellable *cancellable,
                                        GAsyncReadyCallback callback,
                                        gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpResourceResult *gmcp_resource_provider_read_finish (GmcpResourceProvider *self,
                                                        GAsyncResult *result,
                                                        GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_resource_provider_can_subscribe (GmcpResourceProvider *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_resource_provider_subscribe (GmcpResourceProvider *self, const char *uri);

GMCP_AVAILABLE_IN_0_1
void gmcp_resource_provider_unsubscribe (GmcpResourceProvider *self, const char *uri);

GMCP_AVAILABLE_IN_0_1
void gmcp_resource_provider_complete_variable_async (GmcpResourceProvider *self,
                                                     const char *uri_template,
                                                     const char *argument,
                                                     const char *value,
                                                     GHashTable *context,
                                                     GmcpCallOptions *options,
                                                     GCancellable *cancellable,
                                                     GAsyncReadyCallback callback,
                                                     gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpCompletionResult *gmcp_resource_provider_complete_variable_finish (GmcpResourceProvider *self,
                                                                       GAsyncResult *result,
                                                                       GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_resource_provider_emit_resource_updated (GmcpResourceProvider *self, const char *uri);

GMCP_AVAILABLE_IN_0_1
void gmcp_resource_provider_emit_resource_updated_for_user (GmcpResourceProvider *self,
                                                            const char *uri,
                                                            const char *user);

G_END_DECLS
