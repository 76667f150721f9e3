/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/registry/gmcp-meta-tools.h>

#include "gmcp-i18n-private.h"
#include "gmcp-registry-prompts-private.h"
#include "gmcp-registry-resources-private.h"
#include "gmcp-thread-check-private.h"
#include "gmcp-tool-registry-private.h"

/**
 * GmcpToolRegistry:
 *
 * One list of tools for a host: those of several providers, and functions of the host's own. It is a
 * provider itself, so that loading, calling and searching go over all.
 *
 * A tool is listed under the name that its provider lists it under, where that is free, else under
 * `ID__NAME` with the id that the provider was added with (`host` for the host's own), made fit and
 * kept unique as [enum@Gmcp.ToolNameStyle] says. A name once given stays with its tool. Tools are also
 * found by any name that their provider understands.
 *
 * Of providers that are a [iface@Gmcp.ResourceProvider] or a [iface@Gmcp.PromptProvider] too the registry has the
 * resources and prompts; a prompt is named as a tool is, and where two list a resource of the same address, that of
 * the first is read. A [class@Gmcp.Server] that serves the registry offers these where one of the providers that it
 * has then does: add them before clients come.
 *
 * A call is handed on to the provider, whose rules and limits apply. For the host's own tools the rules
 * and records of all its providers apply that have some, as a [class@Gmcp.Manager] has; the program
 * need not ask [method@Gmcp.Manager.permits_tool]. Their arguments are checked against their schemas;
 * what does not fit is answered with a result that says so.
 *
 * Since: 0.1
 */

static void gmcp_tool_registry_iface_init (GmcpToolProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (
  GmcpToolRegistry,
  gmcp_tool_registry,
  G_TYPE_OBJECT,
  G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER, gmcp_tool_registry_iface_init)
    G_IMPLEMENT_INTERFACE (GMCP_TYPE_RESOURCE_PROVIDER, gmcp_tool_registry_resources_init)
      G_IMPLEMENT_INTERFACE (GMCP_TYPE_PROMPT_PROVIDER, gmcp_tool_registry_prompts_init))

gboolean
gmcp_tool_registry_check_thread (GmcpToolRegistry *self, const char *function)
{
  return gmcp_check_thread (self, self->context, function);
}

GPtrArray *
gmcp_tool_registry_get_sections (GmcpToolRegistry *self)
{
  return self->sections;
}

GmcpToolNames *
gmcp_tool_registry_get_names (GmcpToolRegistry *self)
{
  return self->names;
}

GmcpOwnTools *
gmcp_tool_registry_get_own (GmcpToolRegistry *self)
{
  return self->own;
}

GmcpRegistryResources *
gmcp_tool_registry_get_resources (GmcpToolRegistry *self)
{
  return self->resources;
}

GmcpRegistryPrompts *
gmcp_tool_registry_get_prompts (GmcpToolRegistry *self)
{
  return self->prompts;
}

static GListModel *
gmcp_tool_registry_get_tools (GmcpToolProvider *provider)
{
  return G_LIST_MODEL (GMCP_TOOL_REGISTRY (provider)->list);
}

static char *
gmcp_tool_registry_dup_instructions (GmcpToolProvider *provider)
{
  return g_strdup (GMCP_TOOL_REGISTRY (provider)->instructions);
}

static void
gmcp_tool_registry_iface_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = gmcp_tool_registry_get_tools;
  iface->load = gmcp_tool_registry_load;
  iface->call_tool = gmcp_tool_registry_call_tool;
  iface->find_tool = gmcp_tool_registry_find_tool;
  iface->dup_instructions = gmcp_tool_registry_dup_instructions;
  iface->close = gmcp_tool_registry_close;
  iface->keeps_time = TRUE;
  gmcp_tool_provider_set_look_for (iface, gmcp_tool_registry_look_for);
}

static void
gmcp_tool_registry_finalize (GObject *object)
{
  GmcpToolRegistry *self = GMCP_TOOL_REGISTRY (object);

  gmcp_registry_resources_free (self->resources);
  gmcp_registry_prompts_free (self->prompts);
  g_ptr_array_unref (self->sections);
  gmcp_own_tools_free (self->own);
  gmcp_tool_names_free (self->names);
  g_object_unref (self->list);
  g_free (self->instructions);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (gmcp_tool_registry_parent_class)->finalize (object);
}

static void
gmcp_tool_registry_class_init (GmcpToolRegistryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = gmcp_tool_registry_finalize;
}

static void
gmcp_tool_registry_init (GmcpToolRegistry *self)
{
  self->context = g_main_context_ref_thread_default ();
  self->list = gmcp_object_list_new (GMCP_TYPE_TOOL);
  self->names = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_BARE);
  self->sections
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_tool_registry_section_free);
  self->own = gmcp_own_tools_new ();
  self->resources = gmcp_registry_resources_new (self);
  self->prompts = gmcp_registry_prompts_new (self);
  gmcp_tool_registry_add_section (self, GMCP_REGISTRY_OWN_ID, NULL,
                                  gmcp_own_tools_get_list (self->own));
}

/**
 * gmcp_tool_registry_new:
 *
 * Makes a registry without any tools.
 *
 * Returns: (transfer full): a new registry
 *
 * Since: 0.1
 */
GmcpToolRegistry *
gmcp_tool_registry_new (void)
{
  return g_object_new (GMCP_TYPE_TOOL_REGISTRY, NULL);
}

static GmcpRegistrySection *
find_section (GmcpToolRegistry *self, const char *id, guint *position)
{
  for (guint i = 0; i < self->sections->len; i++)
    {
      GmcpRegistrySection *section = g_ptr_array_index (self->sections, i);

      if (g_str_equal (section->id, id))
        {
          *position = i;
          return section;
        }
    }
  return NULL;
}

/* Whether what is asked of the provider would come to the registry. */
static gboolean
leads_to (GmcpToolProvider *provider, GmcpToolRegistry *registry)
{
  if ((gpointer) provider == (gpointer) registry)
    return TRUE;
  if (GMCP_IS_META_TOOLS (provider))
    {
      GmcpToolProvider *next = gmcp_meta_tools_get_provider (GMCP_META_TOOLS (provider));

      return next != NULL && leads_to (next, registry);
    }
  if (GMCP_IS_TOOL_REGISTRY (provider))
    {
      GPtrArray *sections = GMCP_TOOL_REGISTRY (provider)->sections;

      for (guint i = 0; i < sections->len; i++)
        {
          GmcpRegistrySection *section = g_ptr_array_index (sections, i);

          if (section->provider != NULL && leads_to (section->provider, registry))
            return TRUE;
        }
    }
  return FALSE;
}

/**
 * gmcp_tool_registry_add_provider:
 * @self: a registry
 * @id: a short name for the provider, for tools whose own name is taken
 * @provider: the provider
 * @error: return location for an error
 *
 * Adds a provider with all the tools, resources and prompts it has, now and later.
 *
 * Questions of its servers, and its own about calls, come by the registry's
 * [signal@Gmcp.ToolProvider::input-requested] and [signal@Gmcp.ToolProvider::call-requested]; connect
 * to those before the tools are first loaded. Its notices come by
 * [signal@Gmcp.ToolProvider::notice].
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where @id is empty, `host`, or taken, and where
 * @provider is the registry or leads back to it, as another registry does that has this one.
 *
 * Returns: whether it was added
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_registry_add_provider (GmcpToolRegistry *self,
                                 const char *id,
                                 GmcpToolProvider *provider,
                                 GError **error)
{
  GmcpRegistrySection *section;
  guint position;

  g_return_val_if_fail (GMCP_IS_TOOL_REGISTRY (self), FALSE);
  g_return_val_if_fail (id != NULL, FALSE);
  g_return_val_if_fail (GMCP_IS_TOOL_PROVIDER (provider), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);
  if (!gmcp_tool_registry_check_thread (self, G_STRFUNC))
    return FALSE;

  if (*id == '\0' || find_section (self, id, &position) != NULL)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” cannot be a provider's id, or is one already"), id);
      return FALSE;
    }
  if (leads_to (provider, self))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("The provider “%s” would lead back to the registry that it is added to"), id);
      return FALSE;
    }

  section
    = gmcp_tool_registry_add_section (self, id, provider, gmcp_tool_provider_get_tools (provider));
  gmcp_tool_registry_watch_provider (section);
  gmcp_tool_registry_judge_own (self);
  gmcp_tool_registry_refresh_section (section);
  gmcp_registry_resources_add (self->resources, section);
  gmcp_registry_prompts_add (self->prompts, section);
  gmcp_tool_registry_refresh_instructions (self);
  return TRUE;
}

/**
 * gmcp_tool_registry_remove_provider:
 * @self: a registry
 * @id: the id that the provider was added with
 *
 * Takes a provider and all that it has out. Calls that are under way end as they would have.
 *
 * Returns: whether there was one of that id
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_registry_remove_provider (GmcpToolRegistry *self, const char *id)
{
  g_autoptr (GmcpRegistrySection) section = NULL;
  guint position;

  g_return_val_if_fail (GMCP_IS_TOOL_REGISTRY (self), FALSE);
  g_return_val_if_fail (id != NULL, FALSE);
  if (!gmcp_tool_registry_check_thread (self, G_STRFUNC))
    return FALSE;

  /* The program itself has the first one. */
  if (find_section (self, id, &position) == NULL || position == 0)
    return FALSE;

  section = g_ptr_array_steal_index (self->sections, position);
  gmcp_tool_names_remove_server (self->names, section->id);
  gmcp_registry_resources_remove (self->resources, section);
  gmcp_registry_prompts_remove (self->prompts, section);
  gmcp_tool_registry_judge_own (self);
  gmcp_tool_registry_refresh_list (self);
  gmcp_tool_registry_refresh_instructions (self);
  return TRUE;
}

/**
 * gmcp_tool_registry_add_tool:
 * @self: a registry
 * @tool: what the tool is, made with [ctor@Gmcp.Tool.new_from_json]
 * @func: (scope notified) (closure user_data) (destroy destroy): handles its calls
 * @user_data: data for @func
 * @destroy: (nullable): frees @user_data when the tool is gone, and where it is not added
 * @error: return location for an error
 *
 * Adds a tool of the host's own.
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where the host has a tool of that name already, or
 * the input schema is no schema.
 *
 * Returns: whether it was added
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_registry_add_tool (GmcpToolRegistry *self,
                             GmcpTool *tool,
                             GmcpToolFunc func,
                             gpointer user_data,
                             GDestroyNotify destroy,
                             GError **error)
{
  g_return_val_if_fail (GMCP_IS_TOOL_REGISTRY (self), FALSE);
  g_return_val_if_fail (GMCP_IS_TOOL (tool), FALSE);
  g_return_val_if_fail (func != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);
  if (!gmcp_tool_registry_check_thread (self, G_STRFUNC))
    return FALSE;

  if (gmcp_own_tools_add (self->own, tool, func, user_data, destroy, error))
    return TRUE;

  if (destroy != NULL)
    destroy (user_data);
  return FALSE;
}

/**
 * gmcp_tool_registry_add_function:
 * @self: a registry
 * @name: the tool's name
 * @description: (nullable): what it does, for the model
 * @input_schema_json: (nullable): the JSON Schema of its arguments as text, or %NULL for any
 * @func: (scope notified) (closure user_data) (destroy destroy): handles its calls
 * @user_data: data for @func
 * @destroy: (nullable): frees @user_data when the tool is gone, and where it is not added
 * @error: return location for an error
 *
 * Adds a tool of the host's own, given by its parts. Otherwise the same as
 * [method@Gmcp.ToolRegistry.add_tool].
 *
 * Returns: whether it was added
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_registry_add_function (GmcpToolRegistry *self,
                                 const char *name,
                                 const char *description,
                                 const char *input_schema_json,
                                 GmcpToolFunc func,
                                 gpointer user_data,
                                 GDestroyNotify destroy,
                                 GError **error)
{
  g_autoptr (GmcpTool) tool = NULL;

  g_return_val_if_fail (GMCP_IS_TOOL_REGISTRY (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (func != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);
  if (!gmcp_tool_registry_check_thread (self, G_STRFUNC))
    return FALSE;

  tool = gmcp_tool_new (name, description, input_schema_json, error);
  if (tool != NULL)
    return gmcp_tool_registry_add_tool (self, tool, func, user_data, destroy, error);

  if (destroy != NULL)
    destroy (user_data);
  return FALSE;
}

/**
 * gmcp_tool_registry_remove_tool:
 * @self: a registry
 * @name: the name that the tool was added with
 *
 * Removes a tool of the host's own. Calls that are under way end as they would have.
 *
 * Returns: whether there was one of that name
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_registry_remove_tool (GmcpToolRegistry *self, const char *name)
{
  g_return_val_if_fail (GMCP_IS_TOOL_REGISTRY (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  if (!gmcp_tool_registry_check_thread (self, G_STRFUNC))
    return FALSE;

  return gmcp_own_tools_remove (self->own, name);
}
