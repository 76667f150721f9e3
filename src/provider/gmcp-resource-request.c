/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-provider-request-private.h"
#include "gmcp-resource-request-private.h"

/**
 * GmcpResourceRequest:
 *
 * A wish to read a resource, as the [iface@Gmcp.ResourceProvider] that has it gets it.
 *
 * Since: 0.1
 */
struct _GmcpResourceRequest
{
  GmcpProviderRequest parent_instance;

  char *uri;
};

G_DEFINE_FINAL_TYPE (GmcpResourceRequest, gmcp_resource_request, GMCP_TYPE_PROVIDER_REQUEST)

static void
gmcp_resource_request_finalize (GObject *object)
{
  g_free (GMCP_RESOURCE_REQUEST (object)->uri);

  G_OBJECT_CLASS (gmcp_resource_request_parent_class)->finalize (object);
}

static void
gmcp_resource_request_class_init (GmcpResourceRequestClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_resource_request_finalize;
}

static void
gmcp_resource_request_init (GmcpResourceRequest *self)
{
}

GmcpResourceRequest *
gmcp_resource_request_new (const char *uri)
{
  GmcpResourceRequest *self = g_object_new (GMCP_TYPE_RESOURCE_REQUEST, NULL);

  self->uri = g_strdup (uri);
  return self;
}

/**
 * gmcp_resource_request_get_uri:
 * @self: a request
 *
 * Gives the address that is to be read. It comes from the one who asks and need not be any that the
 * provider lists: what it may lead to is for the provider to check.
 *
 * Returns: (transfer none): the address
 *
 * Since: 0.1
 */
const char *
gmcp_resource_request_get_uri (GmcpResourceRequest *self)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE_REQUEST (self), NULL);

  return self->uri;
}

/**
 * gmcp_resource_request_return_result:
 * @self: a request
 * @result: what is there
 *
 * Completes the request.
 *
 * Since: 0.1
 */
void
gmcp_resource_request_return_result (GmcpResourceRequest *self, GmcpResourceResult *result)
{
  g_return_if_fail (GMCP_IS_RESOURCE_REQUEST (self));
  g_return_if_fail (result != NULL);

  gmcp_provider_request_return_pointer (self, gmcp_resource_result_ref (result),
                                        (GDestroyNotify) gmcp_resource_result_unref);
}
