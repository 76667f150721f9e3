/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/registry/gmcp-meta-tools.h>

#include "gmcp-i18n-private.h"
#include "gmcp-own-tools-private.h"
#include "gmcp-tool-call-private.h"
#include "gmcp-tool-provider-private.h"

/**
 * GmcpMetaTools:
 *
 * Three tools in place of a long list: `search_tools` finds tools of another provider by words,
 * `get_tool_details` tells the schema of one, and `call_tool` calls it. A host gives its model these
 * instead of the list, and hands the model's calls on as it does with those of any provider.
 *
 * Calls go through the other provider, so that its names, rules and limits apply. What a search finds is
 * what that provider lists at that time.
 *
 * Since: 0.1
 */
struct _GmcpMetaTools
{
  GObject parent_instance;

  GmcpToolProvider *provider;
  GmcpOwnTools *tools;
  gboolean forwards_input;
  gboolean forwards_calls;
};

static void gmcp_meta_tools_iface_init (GmcpToolProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpMetaTools,
                               gmcp_meta_tools,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER,
                                                      gmcp_meta_tools_iface_init))

typedef enum
{
  PROP_PROVIDER = 1,
} GmcpMetaToolsProperty;

static GParamSpec *properties[PROP_PROVIDER + 1];

/* The texts are for models, which are spoken to in English. */
static const char search_definition[]
  = "{\"name\":\"search_tools\",\"title\":\"Search tools\","
    "\"description\":\"Finds tools by words in their names, descriptions and arguments, the best "
    "first. Use it before you say that something cannot be done.\","
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"query\":{\"type\":\"string\",\"description\":\"Words that say what the tool should do; empty "
    "for the first tools there are\"},"
    "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100,\"default\":10,"
    "\"description\":\"How many tools to give at most\"},"
    "\"detail\":{\"type\":\"string\",\"enum\":[\"name\",\"brief\",\"full\"],\"default\":\"brief\","
    "\"description\":\"How much to tell of each; full has the schema of the arguments\"}},"
    "\"required\":[\"query\"],\"additionalProperties\":false},"
    "\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}";

static const char details_definition[]
  = "{\"name\":\"get_tool_details\",\"title\":\"Get a tool's details\","
    "\"description\":\"Tells all of one tool: its description and the schema of its arguments.\","
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"name\":{\"type\":\"string\",\"description\":\"The tool's name, as search_tools gave it\"}},"
    "\"required\":[\"name\"],\"additionalProperties\":false},"
    "\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}";

static const char call_definition[]
  = "{\"name\":\"call_tool\",\"title\":\"Call a tool\","
    "\"description\":\"Calls a tool that search_tools found, and gives its result.\","
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"name\":{\"type\":\"string\",\"description\":\"The tool's name, as search_tools gave it\"},"
    "\"arguments\":{\"type\":\"object\",\"description\":\"What the tool's own schema asks for\"}},"
    "\"required\":[\"name\"],\"additionalProperties\":false}}";

static GmcpJsonValue
get_argument (GmcpToolCall *call, const char *name)
{
  return gmcp_json_value_get_member (gmcp_tool_call_get_arguments_value (call), name);
}

static void
return_structured (GmcpToolCall *call, const char *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_structured (json, FALSE, &error);

  if (result != NULL)
    gmcp_tool_call_return_result (call, result);
  else
    gmcp_tool_call_return_error (call, error);
}

/* search_tools */

static void
on_found (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpToolCall) call = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) matches
    = gmcp_tool_provider_search_finish (GMCP_TOOL_PROVIDER (object), result, &error);
  g_autoptr (GString) json = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (json);

  if (matches == NULL)
    {
      gmcp_tool_call_return_error (call, error);
      return;
    }

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, "tools");
  gmcp_json_writer_begin_array (&writer);
  for (guint i = 0; i < matches->len; i++)
    {
      g_autofree char *one = gmcp_tool_match_dup_json (g_ptr_array_index (matches, i));

      gmcp_json_writer_raw (&writer, one, -1);
    }
  gmcp_json_writer_end_array (&writer);
  gmcp_json_writer_end_object (&writer);
  return_structured (call, json->str);
}

static GmcpToolDetail
read_detail (GmcpJsonValue value)
{
  if (gmcp_json_value_equals_string (value, "name"))
    return GMCP_TOOL_DETAIL_NAME;
  if (gmcp_json_value_equals_string (value, "full"))
    return GMCP_TOOL_DETAIL_FULL;
  return GMCP_TOOL_DETAIL_BRIEF;
}

static void
handle_search (GmcpToolCall *call, gpointer data)
{
  GmcpMetaTools *self = data;
  g_autofree char *query = gmcp_json_value_dup_string (get_argument (call, "query"));
  guint64 limit = 0;

  gmcp_json_value_get_uint64 (get_argument (call, "limit"), &limit);
  gmcp_tool_provider_search_async (
    self->provider, query, (guint) limit, read_detail (get_argument (call, "detail")),
    gmcp_tool_call_get_cancellable (call), on_found, g_object_ref (call));
}

/* get_tool_details */

static void
handle_details (GmcpToolCall *call, gpointer data)
{
  GmcpMetaTools *self = data;
  g_autofree char *name = gmcp_json_value_dup_string (get_argument (call, "name"));
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTool) tool = gmcp_tool_provider_find_tool (self->provider, name, &error);
  g_autoptr (GmcpToolMatch) match = NULL;
  g_autofree char *json = NULL;

  if (tool == NULL)
    {
      gmcp_tool_call_return_error (call, error);
      return;
    }

  match = gmcp_tool_match_new (tool, 0, GMCP_TOOL_DETAIL_FULL);
  json = gmcp_tool_match_dup_json (match);
  return_structured (call, json);
}

/* call_tool */

static void
handle_call (GmcpToolCall *call, gpointer data)
{
  GmcpMetaTools *self = data;
  g_autofree char *name = gmcp_json_value_dup_string (get_argument (call, "name"));
  GmcpJsonValue arguments = get_argument (call, "arguments");
  GmcpJsonDoc *doc
    = gmcp_json_value_is_present (arguments) ? gmcp_json_value_copy_to_doc (arguments) : NULL;
  g_autoptr (GmcpToolCall) redirected = gmcp_tool_call_redirect (call, name, doc, self->provider);

  gmcp_tool_provider_take_call (self->provider, redirected);
}

/* The provider */

static void
on_input_requested (GmcpToolProvider *provider, GmcpInputRequest *request, GmcpMetaTools *self)
{
  gmcp_tool_provider_emit_input_requested (GMCP_TOOL_PROVIDER (self), request);
}

static void
on_call_requested (GmcpToolProvider *provider, GmcpCallPermission *request, GmcpMetaTools *self)
{
  gmcp_tool_provider_emit_call_requested (GMCP_TOOL_PROVIDER (self), request);
}

static void
on_notice (GmcpToolProvider *provider,
           const char *server_id,
           GmcpNoticeLevel level,
           const char *message,
           GmcpMetaTools *self)
{
  gmcp_tool_provider_emit_notice (GMCP_TOOL_PROVIDER (self), server_id, level, message);
}

/* A provider acts on whether somebody listens to it. */
static void
forward_questions (GmcpMetaTools *self)
{
  if (!self->forwards_input && gmcp_tool_provider_has_input_handler (GMCP_TOOL_PROVIDER (self)))
    {
      self->forwards_input = TRUE;
      g_signal_connect_object (self->provider, "input-requested", G_CALLBACK (on_input_requested),
                               self, 0);
    }
  if (!self->forwards_calls && gmcp_tool_provider_has_call_handler (GMCP_TOOL_PROVIDER (self)))
    {
      self->forwards_calls = TRUE;
      g_signal_connect_object (self->provider, "call-requested", G_CALLBACK (on_call_requested),
                               self, 0);
    }
}

static GListModel *
gmcp_meta_tools_get_tools (GmcpToolProvider *provider)
{
  return gmcp_own_tools_get_list (GMCP_META_TOOLS (provider)->tools);
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpToolLoad) load = data;
  g_autoptr (GError) error = NULL;

  if (gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (object), result, &error))
    gmcp_tool_load_return_success (load);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (load), error);
}

static void
gmcp_meta_tools_load (GmcpToolProvider *provider, GmcpToolLoad *load)
{
  GmcpMetaTools *self = GMCP_META_TOOLS (provider);

  if (self->provider == NULL)
    {
      gmcp_tool_load_return_success (load);
      return;
    }

  forward_questions (self);
  gmcp_tool_provider_load_async (
    self->provider, gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (load)), on_loaded,
    g_object_ref (load));
}

static void
gmcp_meta_tools_call_tool (GmcpToolProvider *provider, GmcpToolCall *call)
{
  GmcpMetaTools *self = GMCP_META_TOOLS (provider);

  if (self->provider == NULL)
    {
      g_autoptr (GError) error
        = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                               _ ("There is no provider whose tools could be found or called"));

      gmcp_tool_call_return_error (call, error);
      return;
    }

  forward_questions (self);
  gmcp_own_tools_call (self->tools, call);
}

static char *
gmcp_meta_tools_dup_instructions (GmcpToolProvider *provider)
{
  GmcpMetaTools *self = GMCP_META_TOOLS (provider);

  return self->provider != NULL ? gmcp_tool_provider_dup_instructions (self->provider) : NULL;
}

static void
on_closed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpProviderClose) close = data;
  g_autoptr (GError) error = NULL;

  if (gmcp_tool_provider_close_finish (GMCP_TOOL_PROVIDER (object), result, &error))
    gmcp_provider_close_return_success (close);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (close), error);
}

static void
gmcp_meta_tools_close (GmcpToolProvider *provider, GmcpProviderClose *close)
{
  GmcpMetaTools *self = GMCP_META_TOOLS (provider);

  if (self->provider == NULL)
    {
      gmcp_provider_close_return_success (close);
      return;
    }

  gmcp_tool_provider_close_async (
    self->provider, gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (close)),
    on_closed, g_object_ref (close));
}

static void
gmcp_meta_tools_iface_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = gmcp_meta_tools_get_tools;
  iface->load = gmcp_meta_tools_load;
  iface->call_tool = gmcp_meta_tools_call_tool;
  iface->dup_instructions = gmcp_meta_tools_dup_instructions;
  iface->close = gmcp_meta_tools_close;
  iface->keeps_time = TRUE;
}

static void
gmcp_meta_tools_set_property (GObject *object,
                              guint prop_id,
                              const GValue *value,
                              GParamSpec *pspec)
{
  GmcpMetaTools *self = GMCP_META_TOOLS (object);

  switch ((GmcpMetaToolsProperty) prop_id)
    {
    case PROP_PROVIDER:
      self->provider = g_value_dup_object (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_meta_tools_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpMetaTools *self = GMCP_META_TOOLS (object);

  switch ((GmcpMetaToolsProperty) prop_id)
    {
    case PROP_PROVIDER:
      g_value_set_object (value, self->provider);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
on_instructions_changed (GmcpToolProvider *provider, GmcpMetaTools *self)
{
  gmcp_tool_provider_emit_instructions_changed (GMCP_TOOL_PROVIDER (self));
}

static void
gmcp_meta_tools_constructed (GObject *object)
{
  GmcpMetaTools *self = GMCP_META_TOOLS (object);

  G_OBJECT_CLASS (gmcp_meta_tools_parent_class)->constructed (object);

  if (self->provider == NULL)
    return;

  g_signal_connect_object (self->provider, "instructions-changed",
                           G_CALLBACK (on_instructions_changed), self, 0);
  g_signal_connect_object (self->provider, "notice", G_CALLBACK (on_notice), self, 0);
}

static void
gmcp_meta_tools_finalize (GObject *object)
{
  GmcpMetaTools *self = GMCP_META_TOOLS (object);

  g_clear_pointer (&self->tools, gmcp_own_tools_free);
  g_clear_object (&self->provider);

  G_OBJECT_CLASS (gmcp_meta_tools_parent_class)->finalize (object);
}

static void
gmcp_meta_tools_class_init (GmcpMetaToolsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_meta_tools_get_property;
  object_class->set_property = gmcp_meta_tools_set_property;
  object_class->constructed = gmcp_meta_tools_constructed;
  object_class->finalize = gmcp_meta_tools_finalize;

  /**
   * GmcpMetaTools:provider: (getter get_provider)
   *
   * The provider whose tools are found and called.
   *
   * Since: 0.1
   */
  properties[PROP_PROVIDER] = g_param_spec_object (
    "provider", NULL, NULL, GMCP_TYPE_TOOL_PROVIDER,
    G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_property (object_class, PROP_PROVIDER, properties[PROP_PROVIDER]);
}

static void
gmcp_meta_tools_init (GmcpMetaTools *self)
{
  static const struct
  {
    const char *definition;
    GmcpToolFunc func;
  } tools[] = {
    { search_definition, handle_search },
    { details_definition, handle_details },
    { call_definition, handle_call },
  };

  self->tools = gmcp_own_tools_new ();
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autoptr (GmcpTool) tool = gmcp_tool_new_from_json (tools[i].definition, NULL);

      gmcp_own_tools_add (self->tools, tool, tools[i].func, self, NULL, NULL);
    }
}

/**
 * gmcp_meta_tools_new:
 * @provider: the provider whose tools are to be found and called
 *
 * Makes the three tools.
 *
 * Returns: (transfer full): a provider of three tools
 *
 * Since: 0.1
 */
GmcpMetaTools *
gmcp_meta_tools_new (GmcpToolProvider *provider)
{
  g_return_val_if_fail (GMCP_IS_TOOL_PROVIDER (provider), NULL);

  return g_object_new (GMCP_TYPE_META_TOOLS, "provider", provider, NULL);
}

/**
 * gmcp_meta_tools_get_provider: (get-property provider)
 * @self: the three tools
 *
 * Gives the provider whose tools they find and call.
 *
 * Returns: (transfer none) (nullable): the provider; %NULL for tools that were made without one
 *
 * Since: 0.1
 */
GmcpToolProvider *
gmcp_meta_tools_get_provider (GmcpMetaTools *self)
{
  g_return_val_if_fail (GMCP_IS_META_TOOLS (self), NULL);

  return self->provider;
}
