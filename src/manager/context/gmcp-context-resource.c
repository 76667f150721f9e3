/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-project-context-private.h"

/**
 * GmcpContextResource:
 *
 * One resource of a [class@Gmcp.ProjectContext]. Immutable.
 *
 * Since: 0.1
 */
struct _GmcpContextResource
{
  GObject parent_instance;

  char *server;
  char *uri;
  char *text;
  GmcpResourceResult *result;
};

G_DEFINE_FINAL_TYPE (GmcpContextResource, gmcp_context_resource, G_TYPE_OBJECT)

static void
gmcp_context_resource_finalize (GObject *object)
{
  GmcpContextResource *self = GMCP_CONTEXT_RESOURCE (object);

  g_free (self->server);
  g_free (self->uri);
  g_free (self->text);
  g_clear_pointer (&self->result, gmcp_resource_result_unref);

  G_OBJECT_CLASS (gmcp_context_resource_parent_class)->finalize (object);
}

static void
gmcp_context_resource_class_init (GmcpContextResourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_context_resource_finalize;
}

static void
gmcp_context_resource_init (GmcpContextResource *self)
{
}

GmcpContextResource *
gmcp_context_resource_new (const char *server, const char *uri, GmcpResourceResult *result)
{
  GmcpContextResource *self = g_object_new (GMCP_TYPE_CONTEXT_RESOURCE, NULL);

  self->server = g_strdup (server);
  self->uri = g_strdup (uri);
  if (result != NULL)
    {
      self->result = gmcp_resource_result_ref (result);
      self->text = gmcp_resource_result_dup_text (result);
    }
  else
    {
      self->text = g_strdup ("");
    }
  return self;
}

/**
 * gmcp_context_resource_get_server_id:
 * @self: a resource
 *
 * Gives the server that it belongs to.
 *
 * Returns: the id of the server
 *
 * Since: 0.1
 */
const char *
gmcp_context_resource_get_server_id (GmcpContextResource *self)
{
  g_return_val_if_fail (GMCP_IS_CONTEXT_RESOURCE (self), NULL);

  return self->server;
}

/**
 * gmcp_context_resource_get_uri:
 * @self: a resource
 *
 * Gives its URI.
 *
 * Returns: the URI
 *
 * Since: 0.1
 */
const char *
gmcp_context_resource_get_uri (GmcpContextResource *self)
{
  g_return_val_if_fail (GMCP_IS_CONTEXT_RESOURCE (self), NULL);

  return self->uri;
}

/**
 * gmcp_context_resource_get_text:
 * @self: a resource
 *
 * Gives its contents as text for a model; in place of bytes a mark. Empty where it is missing.
 *
 * Returns: the text
 *
 * Since: 0.1
 */
const char *
gmcp_context_resource_get_text (GmcpContextResource *self)
{
  g_return_val_if_fail (GMCP_IS_CONTEXT_RESOURCE (self), NULL);

  return self->text;
}

/**
 * gmcp_context_resource_get_result:
 * @self: a resource
 *
 * Gives all that the server answered.
 *
 * Returns: (transfer none) (nullable): the result; %NULL where it is missing
 *
 * Since: 0.1
 */
GmcpResourceResult *
gmcp_context_resource_get_result (GmcpContextResource *self)
{
  g_return_val_if_fail (GMCP_IS_CONTEXT_RESOURCE (self), NULL);

  return self->result;
}

/**
 * gmcp_context_resource_is_missing:
 * @self: a resource
 *
 * Tells whether the server had not answered in time. It is read on, so that it may be there the next
 * time.
 *
 * Returns: whether there is nothing
 *
 * Since: 0.1
 */
gboolean
gmcp_context_resource_is_missing (GmcpContextResource *self)
{
  g_return_val_if_fail (GMCP_IS_CONTEXT_RESOURCE (self), FALSE);

  return self->result == NULL;
}

/**
 * gmcp_context_resource_is_stale:
 * @self: a resource
 *
 * Tells whether it may be out of date: its server is away, and this is what it answered before.
 *
 * Returns: whether it is stale
 *
 * Since: 0.1
 */
gboolean
gmcp_context_resource_is_stale (GmcpContextResource *self)
{
  g_return_val_if_fail (GMCP_IS_CONTEXT_RESOURCE (self), FALSE);

  return self->result != NULL && gmcp_resource_result_is_stale (self->result);
}
