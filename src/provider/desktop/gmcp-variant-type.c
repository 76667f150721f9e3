/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-variant-json-private.h"

/* Which types of GVariant values become JSON. */

#define MAX_SIGNATURE_LENGTH 255

static guint
measure_depth (const GVariantType *type)
{
  guint deepest = 0;

  if (g_variant_type_is_basic (type) || g_variant_type_is_variant (type))
    return 0;
  if (g_variant_type_is_array (type) || g_variant_type_is_maybe (type))
    return 1 + measure_depth (g_variant_type_element (type));

  for (const GVariantType *item = g_variant_type_first (type); item != NULL;
       item = g_variant_type_next (item))
    deepest = MAX (deepest, measure_depth (item));
  return 1 + deepest;
}

gboolean
gmcp_variant_check_type (const GVariantType *type, GError **error)
{
  g_autofree char *shown = g_variant_type_dup_string (type);

  if (!g_variant_type_is_definite (type))
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                 _ ("The type “%s” stands for several, and a schema is made for one"), shown);
  else if (strchr (shown, 'h') != NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                 _ ("The type “%s” has file descriptors, which JSON cannot carry"), shown);
  else if (measure_depth (type) > GMCP_LIMIT_VARIANT_TYPE_DEPTH)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                 _ ("The type “%s” is nested too deeply"), shown);
  else
    return TRUE;

  return FALSE;
}

/* As the specification of D-Bus has it; GVariant allows more. */
static gboolean
is_dbus_type (const GVariantType *type, gboolean in_array)
{
  if (g_variant_type_is_basic (type) || g_variant_type_is_variant (type))
    return TRUE;
  if (g_variant_type_is_maybe (type))
    return FALSE;
  if (g_variant_type_is_array (type))
    return is_dbus_type (g_variant_type_element (type), TRUE);
  if (g_variant_type_is_dict_entry (type))
    return in_array && is_dbus_type (g_variant_type_value (type), FALSE);

  for (const GVariantType *item = g_variant_type_first (type); item != NULL;
       item = g_variant_type_next (item))
    {
      if (!is_dbus_type (item, FALSE))
        return FALSE;
    }
  return g_variant_type_n_items (type) > 0;
}

gboolean
gmcp_variant_is_dbus_signature (const char *signature)
{
  g_autofree char *tuple = g_strdup_printf ("(%s)", signature);
  const GVariantType *type;

  if (strlen (signature) > MAX_SIGNATURE_LENGTH || !g_variant_is_signature (signature))
    return FALSE;

  type = G_VARIANT_TYPE (tuple);
  return *signature == '\0'
         || (is_dbus_type (type, FALSE) && measure_depth (type) <= GMCP_LIMIT_VARIANT_TYPE_DEPTH);
}
