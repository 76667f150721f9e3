/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-annotations-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-value-private.h"

/**
 * GmcpAnnotations:
 *
 * Hints of a server about whom a content block or a resource is for, and how much it matters.
 * Immutable; may be used from any thread.
 *
 * Spec: MCP 2026-07-28, server/resources, "Annotations".
 *
 * Since: 0.1
 */
struct _GmcpAnnotations
{
  GmcpValue base;
  /* Decoded when asked for. */
  char *last_modified;
  char **audience;
};

G_DEFINE_BOXED_TYPE (GmcpAnnotations,
                     gmcp_annotations,
                     gmcp_annotations_ref,
                     gmcp_annotations_unref)

GmcpAnnotations *
gmcp_annotations_new_from_owner (GmcpJsonValue owner)
{
  GmcpJsonValue value = gmcp_json_value_get_member (owner, "annotations");

  return gmcp_json_value_is_object (value) ? gmcp_value_new (sizeof (GmcpAnnotations), value)
                                           : NULL;
}

/**
 * gmcp_annotations_ref:
 * @self: annotations
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
GmcpAnnotations *
gmcp_annotations_ref (GmcpAnnotations *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_value_ref (&self->base);
}

/**
 * gmcp_annotations_unref:
 * @self: (transfer full): annotations
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
gmcp_annotations_unref (GmcpAnnotations *self)
{
  g_return_if_fail (self != NULL);

  if (gmcp_value_unref (&self->base))
    {
      g_free (self->last_modified);
      g_strfreev (self->audience);
      g_free (self);
    }
}

/**
 * gmcp_annotations_get_audience:
 * @self: annotations
 *
 * Gives whom it is for: `user`, `assistant`, or both.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names; empty where the server did not say
 *
 * Since: 0.1
 */
const char *const *
gmcp_annotations_get_audience (GmcpAnnotations *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_value_cache_strings (&self->audience,
                                   gmcp_value_get_member (&self->base, "audience"));
}

/**
 * gmcp_annotations_is_for:
 * @self: annotations
 * @role: the user or the assistant
 *
 * Tells whether it is for that one. Where the server did not say, it is for everybody.
 *
 * Returns: whether it is for @role
 *
 * Since: 0.1
 */
gboolean
gmcp_annotations_is_for (GmcpAnnotations *self, GmcpMessageRole role)
{
  const char *const *audience;

  g_return_val_if_fail (self != NULL, FALSE);

  audience = gmcp_annotations_get_audience (self);
  return audience[0] == NULL
         || (role == GMCP_MESSAGE_ROLE_USER && g_strv_contains (audience, "user"))
         || (role == GMCP_MESSAGE_ROLE_ASSISTANT && g_strv_contains (audience, "assistant"));
}

/**
 * gmcp_annotations_get_priority:
 * @self: annotations
 *
 * Gives how much it matters, from 0 (not needed) to 1 (as good as required).
 *
 * Returns: the priority, or -1 where the server did not say
 *
 * Since: 0.1
 */
double
gmcp_annotations_get_priority (GmcpAnnotations *self)
{
  double priority = -1;

  g_return_val_if_fail (self != NULL, -1);

  if (!gmcp_json_value_get_double (gmcp_value_get_member (&self->base, "priority"), &priority))
    return -1;
  return CLAMP (priority, 0.0, 1.0);
}

/**
 * gmcp_annotations_get_last_modified:
 * @self: annotations
 *
 * Gives when it was last changed, as the server wrote it: an ISO 8601 time.
 *
 * Returns: (transfer none) (nullable): the text, or %NULL where the server did not say
 *
 * Since: 0.1
 */
const char *
gmcp_annotations_get_last_modified (GmcpAnnotations *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_protocol_cache_string (&self->last_modified,
                                     gmcp_value_get_member (&self->base, "lastModified"));
}

/**
 * gmcp_annotations_dup_last_modified:
 * @self: annotations
 *
 * Gives when it was last changed. A time without a zone is one of UTC.
 *
 * Returns: (transfer full) (nullable): the time, or %NULL where the server did not say, or gave no
 *   ISO 8601 time
 *
 * Since: 0.1
 */
GDateTime *
gmcp_annotations_dup_last_modified (GmcpAnnotations *self)
{
  g_autoptr (GTimeZone) utc = NULL;
  const char *text;

  g_return_val_if_fail (self != NULL, NULL);

  text = gmcp_annotations_get_last_modified (self);
  if (text == NULL)
    return NULL;
  utc = g_time_zone_new_utc ();
  return g_date_time_new_from_iso8601 (text, utc);
}

/**
 * gmcp_annotations_dup_json:
 * @self: annotations
 *
 * Gives the annotations as the server wrote it, with what this library does not know.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_annotations_dup_json (GmcpAnnotations *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (self->base.value);
}
