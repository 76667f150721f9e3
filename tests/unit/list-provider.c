/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "list-provider.h"

#include <json-glib/json-glib.h>

#include <gmcp/core/gmcp-error.h>

static void list_provider_iface_init (GmcpToolProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (ListProvider,
                               list_provider,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER,
                                                      list_provider_iface_init))

typedef enum
{
  PROP_CONFIG_FILE = 1,
  PROP_HOST,
  PROP_INSTRUCTIONS,
} ListProviderProperty;

static GListModel *
list_provider_get_tools (GmcpToolProvider *provider)
{
  return G_LIST_MODEL (LIST_PROVIDER (provider)->tools);
}

static void
list_provider_load (GmcpToolProvider *provider, GmcpToolLoad *load)
{
  ListProvider *self = LIST_PROVIDER (provider);

  self->n_loads++;
  if (self->load_error != NULL)
    {
      g_autoptr (GError) error
        = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, self->load_error);

      gmcp_tool_load_return_error (load, error);
      return;
    }
  gmcp_tool_load_return (load);
}

static void
list_provider_call_tool (GmcpToolProvider *provider, GmcpToolCall *call)
{
  g_autofree char *text = g_strdup_printf ("%s %s", gmcp_tool_call_get_name (call),
                                           gmcp_tool_call_get_arguments_json (call));
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text (text);

  LIST_PROVIDER (provider)->n_calls++;
  gmcp_tool_call_report_progress (call, 1, 2, "half");
  gmcp_tool_call_return_result (call, result);
}

static void
list_provider_iface_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = list_provider_get_tools;
  iface->load = list_provider_load;
  iface->call_tool = list_provider_call_tool;
}

static char **
find_text (ListProvider *self, guint prop_id)
{
  switch ((ListProviderProperty) prop_id)
    {
    case PROP_CONFIG_FILE:
      return &self->config_file;
    case PROP_HOST:
      return &self->host;
    case PROP_INSTRUCTIONS:
      return &self->instructions;
    default:
      g_assert_not_reached ();
    }
}

static void
list_provider_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  char **text = find_text (LIST_PROVIDER (object), prop_id);

  g_free (*text);
  *text = g_value_dup_string (value);
}

static void
list_provider_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string (value, *find_text (LIST_PROVIDER (object), prop_id));
}

static void
list_provider_finalize (GObject *object)
{
  ListProvider *self = LIST_PROVIDER (object);

  g_object_unref (self->tools);
  g_free (self->host);
  g_free (self->config_file);
  g_free (self->instructions);
  g_free (self->load_error);

  G_OBJECT_CLASS (list_provider_parent_class)->finalize (object);
}

static void
list_provider_class_init (ListProviderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = list_provider_get_property;
  object_class->set_property = list_provider_set_property;
  object_class->finalize = list_provider_finalize;
  g_object_class_override_property (object_class, PROP_CONFIG_FILE, "config-file");
  g_object_class_override_property (object_class, PROP_HOST, "host");
  g_object_class_override_property (object_class, PROP_INSTRUCTIONS, "instructions");
}

static void
list_provider_init (ListProvider *self)
{
  self->tools = g_list_store_new (GMCP_TYPE_TOOL);
}

ListProvider *
list_provider_new (void)
{
  return g_object_new (LIST_TYPE_PROVIDER, NULL);
}

static void
add_member (JsonBuilder *builder, const char *name, const char *value)
{
  if (value == NULL)
    return;

  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

GmcpTool *
list_provider_make_tool (const char *name,
                         const char *title,
                         const char *description,
                         const char *arguments)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_auto (GStrv) words = g_strsplit (arguments != NULL ? arguments : "", " ", -1);
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;
  GmcpTool *tool;

  json_builder_begin_object (builder);
  add_member (builder, "name", name);
  add_member (builder, "title", title);
  add_member (builder, "description", description);
  json_builder_set_member_name (builder, "inputSchema");
  json_builder_begin_object (builder);
  add_member (builder, "type", "object");
  json_builder_set_member_name (builder, "properties");
  json_builder_begin_object (builder);
  for (guint i = 0; words[i] != NULL && *words[i] != '\0'; i++)
    {
      json_builder_set_member_name (builder, words[i]);
      json_builder_begin_object (builder);
      add_member (builder, "type", "string");
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  json_builder_end_object (builder);

  root = json_builder_get_root (builder);
  json = json_to_string (root, FALSE);
  tool = gmcp_tool_new_from_json (json, &error);
  g_assert_no_error (error);
  return tool;
}

void
list_provider_add (ListProvider *self,
                   const char *name,
                   const char *title,
                   const char *description,
                   const char *arguments)
{
  g_autoptr (GmcpTool) tool = list_provider_make_tool (name, title, description, arguments);

  g_list_store_append (self->tools, tool);
}

void
list_provider_store_result (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

GAsyncResult *
list_provider_wait (GAsyncResult **slot)
{
  while (*slot == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *slot;
}
