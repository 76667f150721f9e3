/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-identity-private.h"
#include "gmcp-server-private.h"

/* What programs have a server say of itself. */

/**
 * gmcp_server_set_title:
 * @self: a server
 * @title: (nullable): the server's name for people
 *
 * Sets [property@Gmcp.Server:title].
 *
 * Since: 0.1
 */
void
gmcp_server_set_title (GmcpServer *self, const char *title)
{
  g_return_if_fail (GMCP_IS_SERVER (self));

  g_object_set (self, "title", title, NULL);
}

/**
 * gmcp_server_set_instructions:
 * @self: a server
 * @instructions: (nullable): what a model should know to use the server well
 *
 * Sets [property@Gmcp.Server:instructions]. Clients read them when they connect.
 *
 * Since: 0.1
 */
void
gmcp_server_set_instructions (GmcpServer *self, const char *instructions)
{
  g_return_if_fail (GMCP_IS_SERVER (self));

  g_object_set (self, "instructions", instructions, NULL);
}

/**
 * gmcp_server_add_icon:
 * @self: a server
 * @src: where the image is: an `https:` or `http:` address, or a `data:image/…` one that holds it
 * @mime_type: (nullable): what kind of image it is, such as `image/svg+xml`
 * @theme: (nullable): `light` or `dark`, for the background that the image is made for
 *
 * Adds a picture for those who show the server. Clients read it when they connect.
 *
 * Spec: MCP 2026-07-28, basic, "Icons".
 *
 * Since: 0.1
 */
void
gmcp_server_add_icon (GmcpServer *self, const char *src, const char *mime_type, const char *theme)
{
  g_return_if_fail (GMCP_IS_SERVER (self));
  g_return_if_fail (src != NULL);

  gmcp_server_identity_add_icon (gmcp_server_get_identity (self), src, mime_type, theme);
}

/**
 * gmcp_server_add_extension:
 * @self: a server
 * @name: what the extension is called, such as `com.example/notes`: labels with dots between them, a slash
 *   and a name
 * @settings_json: (nullable): what the extension lets servers say of it, a JSON object as text; %NULL for
 *   an empty one
 * @error: return location for an error
 *
 * Declares that the server speaks an extension of the protocol. What the extension asks for is up to the
 * functions of the server, which see in [method@Gmcp.Caller.get_client_capabilities] whether the client
 * speaks it too. Tasks are declared without this, where a tool lets its calls become tasks.
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where @name is no such name, or has been added already,
 * or @settings_json is no object, and with `INVALID_JSON` where that is no JSON.
 *
 * Spec: MCP 2026-07-28, basic/versioning, "Extension Negotiation".
 *
 * Returns: whether it has been added
 *
 * Since: 0.1
 */
gboolean
gmcp_server_add_extension (GmcpServer *self,
                           const char *name,
                           const char *settings_json,
                           GError **error)
{
  g_return_val_if_fail (GMCP_IS_SERVER (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return gmcp_server_identity_add_extension (gmcp_server_get_identity (self), name, settings_json,
                                             error);
}
