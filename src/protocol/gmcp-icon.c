/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-icon-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-value-private.h"

/**
 * GmcpIcon:
 *
 * A picture that a server offers for itself or for something it lists. Immutable; may be used from
 * any thread.
 *
 * What [method@Gmcp.Icon.get_src] gives comes from the server: look at the scheme, and at whose
 * machine it names, before anything is fetched, and keep in mind that an SVG image can hold
 * programs.
 *
 * Spec: MCP 2026-07-28, schema, `Icon`.
 *
 * Since: 0.1
 */
struct _GmcpIcon
{
  GmcpValue base;
  /* Decoded when asked for. */
  char *src;
  char *mime_type;
  char *theme;
  char **sizes;
};

G_DEFINE_BOXED_TYPE (GmcpIcon, gmcp_icon, gmcp_icon_ref, gmcp_icon_unref)

/* NULL for what is no icon. Keeps the value's document. */
static GmcpIcon *
icon_new_from_value (GmcpJsonValue value)
{
  if (!gmcp_json_value_is_string (gmcp_json_value_get_member (value, "src")))
    return NULL;

  return gmcp_value_new (sizeof (GmcpIcon), value);
}

GPtrArray *
gmcp_icons_list (GmcpJsonValue owner)
{
  GPtrArray *icons = NULL;

  gmcp_value_cache_array (&icons, gmcp_json_value_get_member (owner, "icons"),
                          (GmcpValueMakeFunc) icon_new_from_value,
                          (GDestroyNotify) gmcp_icon_unref);
  return icons;
}

/* A client takes no other address, which might name a file of its own. */
static gboolean
is_icon_address (const char *src)
{
  g_autofree char *scheme = g_uri_parse_scheme (src);

  if (g_strcmp0 (scheme, "data") == 0)
    return g_ascii_strncasecmp (src, "data:image/", strlen ("data:image/")) == 0;
  return g_strcmp0 (scheme, "https") == 0 || g_strcmp0 (scheme, "http") == 0;
}

gboolean
gmcp_icons_append (GString **icons, const char *src, const char *mime_type, const char *theme)
{
  GmcpJsonWriter writer;

  if (!is_icon_address (src))
    return FALSE;

  if (*icons == NULL)
    *icons = g_string_new (NULL);
  else
    g_string_append_c (*icons, ',');
  writer = gmcp_json_writer_init (*icons);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "src", src);
  if (mime_type != NULL)
    gmcp_json_writer_member_string (&writer, "mimeType", mime_type);
  if (theme != NULL)
    gmcp_json_writer_member_string (&writer, "theme", theme);
  gmcp_json_writer_end_object (&writer);
  return TRUE;
}

/**
 * gmcp_icon_ref:
 * @self: an icon
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
GmcpIcon *
gmcp_icon_ref (GmcpIcon *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_value_ref (&self->base);
}

/**
 * gmcp_icon_unref:
 * @self: (transfer full): an icon
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
gmcp_icon_unref (GmcpIcon *self)
{
  g_return_if_fail (self != NULL);

  if (gmcp_value_unref (&self->base))
    {
      g_free (self->src);
      g_free (self->mime_type);
      g_free (self->theme);
      g_strfreev (self->sizes);
      g_free (self);
    }
}

/**
 * gmcp_icon_get_src:
 * @self: an icon
 *
 * Gives where the image is: an `http:`, `https:` or `data:` URI.
 *
 * Returns: (transfer none): the URI
 *
 * Since: 0.1
 */
const char *
gmcp_icon_get_src (GmcpIcon *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_protocol_cache_string (&self->src, gmcp_value_get_member (&self->base, "src"));
}

/**
 * gmcp_icon_get_mime_type:
 * @self: an icon
 *
 * Gives the media type of the image.
 *
 * Returns: (transfer none) (nullable): the media type, or %NULL where the server gave none
 *
 * Since: 0.1
 */
const char *
gmcp_icon_get_mime_type (GmcpIcon *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_protocol_cache_string (&self->mime_type,
                                     gmcp_value_get_member (&self->base, "mimeType"));
}

/**
 * gmcp_icon_get_theme:
 * @self: an icon
 *
 * Gives the theme that the icon is drawn for: `light` or `dark`.
 *
 * Returns: (transfer none) (nullable): the theme, or %NULL for any
 *
 * Since: 0.1
 */
const char *
gmcp_icon_get_theme (GmcpIcon *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_protocol_cache_string (&self->theme, gmcp_value_get_member (&self->base, "theme"));
}

/**
 * gmcp_icon_get_sizes:
 * @self: an icon
 *
 * Gives the sizes at which the icon can be used, such as `48x48`, or `any`.
 *
 * Returns: (transfer none) (array zero-terminated=1): the sizes; empty where it can be used at any
 *
 * Since: 0.1
 */
const char *const *
gmcp_icon_get_sizes (GmcpIcon *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_value_cache_strings (&self->sizes, gmcp_value_get_member (&self->base, "sizes"));
}

/**
 * gmcp_icon_dup_json:
 * @self: an icon
 *
 * Gives the whole icon as the server wrote it, with what this library does not know.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_icon_dup_json (GmcpIcon *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (self->base.value);
}
