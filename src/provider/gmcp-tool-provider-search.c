/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-near-names-private.h"
#include "gmcp-tool-names-private.h"
#include "gmcp-tool-provider-private.h"

#define LISTED_AT_MOST 10u

static gboolean
has_qualified_name (GmcpTool *tool, const char *name)
{
  const char *server = gmcp_tool_get_server_id (tool);
  gsize length;

  if (server == NULL)
    return FALSE;

  length = strlen (server);
  return strncmp (name, server, length) == 0 && name[length] == '.'
         && strcmp (name + length + 1, gmcp_tool_get_server_tool_name (tool)) == 0;
}

static void
set_ambiguous (const char *name, GPtrArray *matches, GError **error)
{
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *shown = gmcp_protocol_shorten (name);

  for (guint i = 0; i < MIN (matches->len, LISTED_AT_MOST); i++)
    {
      g_autofree char *qualified = gmcp_tool_dup_qualified_name (g_ptr_array_index (matches, i));
      g_autofree char *one = gmcp_protocol_shorten (qualified);

      g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", one);
    }
  if (matches->len > LISTED_AT_MOST)
    g_string_append (list, ", \u2026");

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_AMBIGUOUS_TOOL,
               _ ("More than one tool is called %s; name one of: %s"), shown, list->str);
}

static void
set_unknown (const char *name, GPtrArray *tools, GError **error)
{
  g_autofree GmcpNearName *candidates = g_new (GmcpNearName, tools->len * 2);
  g_autofree char *shown = gmcp_protocol_shorten (name);
  g_autofree char *suggestion = NULL;

  for (guint i = 0; i < tools->len; i++)
    {
      GmcpTool *tool = g_ptr_array_index (tools, i);
      const char *listed = gmcp_definition_get_name (GMCP_DEFINITION (tool));

      candidates[2 * i] = (GmcpNearName){ listed, listed };
      candidates[2 * i + 1] = (GmcpNearName){ gmcp_tool_get_server_tool_name (tool), listed };
    }
  suggestion = gmcp_near_names_suggest (name, candidates, tools->len * 2);

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL,
               /* TRANSLATORS: the second %s is empty or a sentence that begins with a space */
               _ ("There is no tool called %s.%s"), shown, suggestion);
}

void
gmcp_tool_provider_set_unknown (GListModel *tools, const char *name, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  guint n_tools = g_list_model_get_n_items (tools);

  for (guint i = 0; i < n_tools; i++)
    g_ptr_array_add (all, g_list_model_get_item (tools, i));
  set_unknown (name, all, error);
}

GmcpTool *
gmcp_tool_provider_search_list (GListModel *tools, const char *name, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) matches = g_ptr_array_new ();
  guint n_tools = g_list_model_get_n_items (tools);

  for (guint i = 0; i < n_tools; i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);

      if (strcmp (gmcp_definition_get_name (GMCP_DEFINITION (tool)), name) == 0)
        return g_steal_pointer (&tool);
      g_ptr_array_add (all, g_steal_pointer (&tool));
    }

  for (guint i = 0; i < all->len; i++)
    if (has_qualified_name (g_ptr_array_index (all, i), name))
      return g_object_ref (g_ptr_array_index (all, i));

  for (guint i = 0; i < all->len; i++)
    if (strcmp (gmcp_tool_get_server_tool_name (g_ptr_array_index (all, i)), name) == 0)
      g_ptr_array_add (matches, g_ptr_array_index (all, i));

  if (matches->len == 1)
    return g_object_ref (g_ptr_array_index (matches, 0));

  if (matches->len > 1)
    set_ambiguous (name, matches, error);
  else
    set_unknown (name, all, error);
  return NULL;
}
