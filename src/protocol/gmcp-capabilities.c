/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-capabilities-private.h"
#include "gmcp-protocol-private.h"

/**
 * GmcpCapabilities:
 *
 * What a client or a server declares that it can do. Immutable; may be used from any thread.
 *
 * Spec: MCP 2026-07-28, schema, "ServerCapabilities" and "ClientCapabilities".
 *
 * Since: 0.1
 */
struct _GmcpCapabilities
{
  gatomicrefcount ref_count;
  GmcpJsonDoc *doc;
};

G_DEFINE_BOXED_TYPE (GmcpCapabilities,
                     gmcp_capabilities,
                     gmcp_capabilities_ref,
                     gmcp_capabilities_unref)

static GmcpCapabilities *
new_take_doc (GmcpJsonDoc *doc)
{
  GmcpCapabilities *self = g_new0 (GmcpCapabilities, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->doc = doc;
  return self;
}

GmcpCapabilities *
gmcp_capabilities_new_from_value (GmcpJsonValue value)
{
  if (!gmcp_json_value_is_object (value))
    return new_take_doc (gmcp_json_doc_parse ("{}", 2, NULL, 0, NULL));

  return new_take_doc (gmcp_json_value_copy_to_doc (value));
}

static GmcpJsonValue
get_value (GmcpCapabilities *self)
{
  return gmcp_json_doc_get_root (self->doc);
}

/**
 * gmcp_capabilities_new_from_json:
 * @json: a JSON object as text
 * @error: return location for an error
 *
 * Makes capabilities from JSON.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @json is no JSON, and `INVALID_ARGUMENT` where
 * it is no object.
 *
 * Returns: (transfer full): new capabilities
 *
 * Since: 0.1
 */
GmcpCapabilities *
gmcp_capabilities_new_from_json (const char *json, GError **error)
{
  GmcpJsonDoc *doc;

  g_return_val_if_fail (json != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  doc = gmcp_protocol_parse_object (json, "Capabilities", error);
  return doc != NULL ? new_take_doc (doc) : NULL;
}

/**
 * gmcp_capabilities_ref:
 * @self: capabilities
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
GmcpCapabilities *
gmcp_capabilities_ref (GmcpCapabilities *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * gmcp_capabilities_unref:
 * @self: (transfer full): capabilities
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
gmcp_capabilities_unref (GmcpCapabilities *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  gmcp_json_doc_unref (self->doc);
  g_free (self);
}

/**
 * gmcp_capabilities_has:
 * @self: capabilities
 * @path: member names with a slash between them, such as `tools`, `tools/listChanged` or
 *   `extensions/io.modelcontextprotocol~1tasks`; in a name `~1` stands for a slash and `~0` for a
 *   tilde, as in a JSON Pointer
 *
 * Tells whether a capability is declared. One that is there but `false` or `null` is not.
 *
 * Returns: whether the capability is declared
 *
 * Since: 0.1
 */
gboolean
gmcp_capabilities_has (GmcpCapabilities *self, const char *path)
{
  g_autofree char *pointer = NULL;
  GmcpJsonKind kind;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  pointer = g_strconcat ("/", path, NULL);
  kind = gmcp_json_value_get_kind (gmcp_json_value_get_pointer (get_value (self), pointer));
  return kind != GMCP_JSON_ABSENT && kind != GMCP_JSON_FALSE && kind != GMCP_JSON_NULL;
}

/**
 * gmcp_capabilities_dup_json:
 * @self: capabilities
 *
 * Gives all that was declared.
 *
 * Returns: (transfer full): a JSON object as text
 *
 * Since: 0.1
 */
char *
gmcp_capabilities_dup_json (GmcpCapabilities *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (get_value (self));
}
