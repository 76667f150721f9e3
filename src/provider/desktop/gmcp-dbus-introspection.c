/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-dbus-introspection-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-variant-json-private.h"

#define MAX_ARGUMENT_NAME 64

static void
on_start_element (GMarkupParseContext *context,
                  const char *name,
                  const char **attribute_names,
                  const char **attribute_values,
                  gpointer data,
                  GError **error)
{
  guint *depth = data;

  if (++*depth > GMCP_LIMIT_INTROSPECTION_DEPTH)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                 _ ("The description of the object is nested deeper than %u, which is the limit"),
                 GMCP_LIMIT_INTROSPECTION_DEPTH);
}

static void
on_end_element (GMarkupParseContext *context, const char *name, gpointer data, GError **error)
{
  guint *depth = data;

  --*depth;
}

/* GDBus frees a tree of nodes with one call inside the other, whatever its depth. */
static gboolean
check_depth (const char *xml, gsize length, GError **error)
{
  const GMarkupParser parser = { .start_element = on_start_element, .end_element = on_end_element };
  guint depth = 0;
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &depth, NULL);

  return g_markup_parse_context_parse (context, xml, (gssize) length, error)
         && g_markup_parse_context_end_parse (context, error);
}

GDBusNodeInfo *
gmcp_dbus_introspection_parse (const char *xml, GError **error)
{
  gsize length = strlen (xml);

  if (length > GMCP_LIMIT_INTROSPECTION_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("The description of the object has more than %u bytes, which is the limit"),
                   GMCP_LIMIT_INTROSPECTION_BYTES);
      return NULL;
    }
  if (!check_depth (xml, length, error))
    return NULL;
  return g_dbus_node_info_new_for_xml (xml, error);
}

const char *
gmcp_dbus_introspection_find_annotation (GDBusAnnotationInfo **annotations, const char *name)
{
  return g_dbus_annotation_info_lookup (annotations, name);
}

static gboolean
is_good_name (const char *name)
{
  if (name == NULL || strlen (name) > MAX_ARGUMENT_NAME
      || !(g_ascii_isalpha (*name) || *name == '_'))
    return FALSE;

  for (const char *p = name; *p != '\0'; p++)
    {
      if (!g_ascii_isalnum (*p) && *p != '_' && *p != '-')
        return FALSE;
    }
  return TRUE;
}

GStrv
gmcp_dbus_introspection_name_arguments (GDBusArgInfo **arguments)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; arguments != NULL && arguments[i] != NULL; i++)
    {
      const char *own = arguments[i]->name;
      g_autofree char *name = is_good_name (own) ? g_strdup (own) : g_strdup_printf ("arg_%u", i);

      while (g_hash_table_contains (taken, name))
        {
          char *longer = g_strdup_printf ("%s_%u", name, i);

          g_free (name);
          name = longer;
        }
      g_strv_builder_add (names, name);
      g_hash_table_add (taken, g_steal_pointer (&name));
    }
  return g_strv_builder_end (names);
}

GVariantType *
gmcp_dbus_introspection_join_types (GDBusArgInfo **arguments, const char *of, GError **error)
{
  g_autoptr (GString) joined = g_string_new (NULL);
  g_autofree char *tuple = NULL;

  for (guint i = 0; arguments != NULL && arguments[i] != NULL; i++)
    {
      const char *signature = arguments[i]->signature;

      if (!gmcp_variant_is_dbus_signature (signature)
          || !g_variant_type_string_is_valid (signature))
        {
          g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                       _ ("“%s” of “%s” is no type of D-Bus"), signature, of);
          return NULL;
        }
      if (!gmcp_variant_check_type (G_VARIANT_TYPE (signature), error))
        {
          g_prefix_error (error, "%s: ", of);
          return NULL;
        }
      g_string_append (joined, signature);
    }
  if (!gmcp_variant_is_dbus_signature (joined->str))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” has more arguments than D-Bus can carry"), of);
      return NULL;
    }
  tuple = g_strdup_printf ("(%s)", joined->str);
  return g_variant_type_new (tuple);
}
