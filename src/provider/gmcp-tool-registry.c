/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-object-list-private.h"
#include "gmcp-tool-gate-private.h"
#include "gmcp-tool-private.h"
#include "gmcp-tool-provider-private.h"
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
 * A call is handed on to the provider, whose rules and limits apply. For the host's own tools the rules
 * and records of all its providers apply that have some, as a [class@Gmcp.Manager] has; the program
 * need not ask [method@Gmcp.Manager.permits_tool]. Their arguments are checked against their schemas;
 * what does not fit is answered with a result that says so.
 *
 * Since: 0.1
 */
struct _GmcpToolRegistry
{
  GObject parent_instance;

  GmcpOwnTools *own;
  GPtrArray *sections; /* (element-type GmcpRegistrySection) (owned) */
  GmcpToolNames *names;
  GmcpObjectList *list;
  char *host;
  char *config_file;
  char *instructions;
};

static void gmcp_tool_registry_iface_init (GmcpToolProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpToolRegistry,
                               gmcp_tool_registry,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER,
                                                      gmcp_tool_registry_iface_init))

typedef enum
{
  PROP_CONFIG_FILE = 1,
  PROP_HOST,
  PROP_INSTRUCTIONS,
} GmcpToolRegistryProperty;

static void
entry_free (GmcpRegistryEntry *entry)
{
  g_clear_object (&entry->source);
  g_clear_object (&entry->listed);
  g_free (entry);
}

static void
section_free (GmcpRegistrySection *section)
{
  g_signal_handlers_disconnect_by_data (section->tools, section);
  if (section->provider != NULL)
    g_signal_handlers_disconnect_by_data (section->provider, section);
  g_clear_object (&section->provider);
  g_object_unref (section->tools);
  g_ptr_array_unref (section->entries);
  g_free (section->id);
  g_free (section);
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

/* The list */

static void
refresh_list (GmcpToolRegistry *self)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();

  for (guint i = 0; i < self->sections->len; i++)
    {
      GmcpRegistrySection *section = g_ptr_array_index (self->sections, i);

      for (guint j = 0; j < section->entries->len; j++)
        {
          GmcpRegistryEntry *entry = g_ptr_array_index (section->entries, j);

          if (!entry->withheld)
            g_ptr_array_add (items, entry->listed);
        }
    }
  gmcp_object_list_set_items (self->list, (gpointer const *) items->pdata, items->len);
}

/* The tools of the section's list, each name once. */
static GPtrArray *
read_entries (GmcpRegistrySection *section, GHashTable *by_name)
{
  guint n = g_list_model_get_n_items (section->tools);
  GPtrArray *entries = g_ptr_array_new_full (n, (GDestroyNotify) entry_free);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (section->tools, i);
      GmcpRegistryEntry *entry;

      if (g_hash_table_contains (by_name, gmcp_tool_get_name (tool)))
        continue;
      entry = g_new0 (GmcpRegistryEntry, 1);
      entry->section = section;
      entry->source = g_steal_pointer (&tool);
      g_hash_table_insert (by_name, (gpointer) gmcp_tool_get_name (entry->source), entry);
      g_ptr_array_add (entries, entry);
    }
  return entries;
}

/* The object of before where the tool is the same, so that who holds it sees no change. */
static GmcpTool *
make_listed (GHashTable *former, GmcpRegistryEntry *entry, const char *listed)
{
  const char *name = gmcp_tool_get_name (entry->source);
  GmcpRegistryEntry *before = g_hash_table_lookup (former, name);

  if (before != NULL && before->source == entry->source
      && g_str_equal (gmcp_tool_get_name (before->listed), listed))
    return g_object_ref (before->listed);
  if (g_str_equal (name, listed))
    return g_object_ref (entry->source);
  return gmcp_tool_new_listed (entry->source, gmcp_tool_get_server (entry->source), listed);
}

gboolean
gmcp_tool_registry_permits (GmcpToolRegistry *self, GmcpTool *tool, GError **error)
{
  for (guint i = 0; i < self->sections->len; i++)
    {
      GmcpToolProvider *provider
        = ((GmcpRegistrySection *) g_ptr_array_index (self->sections, i))->provider;
      const GmcpToolGate *gate = provider != NULL ? gmcp_tool_provider_get_gate (provider) : NULL;

      if (gate != NULL && !gate->permits (provider, tool, error))
        return FALSE;
    }
  return TRUE;
}

static void
judge_own (GmcpToolRegistry *self)
{
  GmcpRegistrySection *own = g_ptr_array_index (self->sections, 0);

  for (guint i = 0; i < own->entries->len; i++)
    {
      GmcpRegistryEntry *entry = g_ptr_array_index (own->entries, i);

      entry->withheld = !gmcp_tool_registry_permits (self, entry->source, NULL);
    }
}

static void
refresh_section (GmcpRegistrySection *section)
{
  GmcpToolRegistry *self = section->registry;
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) former_by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) former = g_steal_pointer (&section->entries);
  g_autofree GmcpToolName *names = NULL;

  section->entries = read_entries (section, by_name);
  for (guint i = 0; i < former->len; i++)
    {
      GmcpRegistryEntry *entry = g_ptr_array_index (former, i);
      const char *name = gmcp_tool_get_name (entry->source);

      g_hash_table_insert (former_by_name, (gpointer) name, entry);
      if (!g_hash_table_contains (by_name, name))
        gmcp_tool_names_remove (self->names, section->id, name);
    }

  names = g_new0 (GmcpToolName, section->entries->len);
  for (guint i = 0; i < section->entries->len; i++)
    {
      GmcpRegistryEntry *entry = g_ptr_array_index (section->entries, i);

      names[i].server = section->id;
      names[i].tool = gmcp_tool_get_name (entry->source);
      names[i].data = entry;
    }
  gmcp_tool_names_add (self->names, names, section->entries->len);
  for (guint i = 0; i < section->entries->len; i++)
    {
      GmcpRegistryEntry *entry = g_ptr_array_index (section->entries, i);

      entry->listed = make_listed (former_by_name, entry, names[i].listed);
    }

  if (section->provider == NULL)
    judge_own (self);
  refresh_list (self);
}

static void
on_items_changed (GListModel *tools,
                  guint position,
                  guint n_removed,
                  guint n_added,
                  GmcpRegistrySection *section)
{
  g_autoptr (GmcpToolRegistry) alive G_GNUC_UNUSED = g_object_ref (section->registry);

  refresh_section (section);
}

static GmcpRegistrySection *
add_section (GmcpToolRegistry *self, const char *id, GmcpToolProvider *provider, GListModel *tools)
{
  GmcpRegistrySection *section = g_new0 (GmcpRegistrySection, 1);

  section->registry = self;
  section->id = g_strdup (id);
  section->provider = provider != NULL ? g_object_ref (provider) : NULL;
  section->tools = g_object_ref (tools);
  section->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) entry_free);
  g_ptr_array_add (self->sections, section);
  g_signal_connect (tools, "items-changed", G_CALLBACK (on_items_changed), section);
  return section;
}

/* What goes with the list */

static void
refresh_instructions (GmcpToolRegistry *self)
{
  g_autoptr (GString) all = g_string_new (NULL);
  g_autofree char *former = NULL;

  for (guint i = 0; i < self->sections->len; i++)
    {
      GmcpRegistrySection *section = g_ptr_array_index (self->sections, i);
      g_autofree char *text = NULL;

      if (section->provider == NULL)
        continue;
      g_object_get (section->provider, "instructions", &text, NULL);
      if (text != NULL && *text != '\0')
        g_string_append_printf (all, "%s%s", all->len > 0 ? "\n" : "", text);
    }

  if (g_strcmp0 (self->instructions, all->len > 0 ? all->str : NULL) == 0)
    return;

  former = g_steal_pointer (&self->instructions);
  self->instructions = all->len > 0 ? g_strdup (all->str) : NULL;
  g_object_notify (G_OBJECT (self), "instructions");
}

static void
on_instructions (GmcpToolProvider *provider, GParamSpec *pspec, GmcpRegistrySection *section)
{
  refresh_instructions (section->registry);
}

static void
on_input_requested (GmcpToolProvider *provider,
                    GmcpInputRequest *request,
                    GmcpRegistrySection *section)
{
  g_autoptr (GmcpToolRegistry) alive = g_object_ref (section->registry);

  gmcp_tool_provider_emit_input_requested (GMCP_TOOL_PROVIDER (alive), request);
}

static void
on_call_requested (GmcpToolProvider *provider,
                   GmcpCallRequest *request,
                   GmcpRegistrySection *section)
{
  g_autoptr (GmcpToolRegistry) alive = g_object_ref (section->registry);

  gmcp_tool_provider_emit_call_requested (GMCP_TOOL_PROVIDER (alive), request);
}

static void
on_rules_changed (GmcpToolProvider *provider, GmcpRegistrySection *section)
{
  g_autoptr (GmcpToolRegistry) alive = g_object_ref (section->registry);

  judge_own (alive);
  refresh_list (alive);
}

static void
on_notice (GmcpToolProvider *provider,
           const char *server_id,
           GmcpNoticeLevel level,
           const char *message,
           GmcpRegistrySection *section)
{
  g_autoptr (GmcpToolRegistry) alive = g_object_ref (section->registry);

  gmcp_tool_provider_emit_notice (GMCP_TOOL_PROVIDER (alive), server_id, level, message);
}

/* A provider acts on whether somebody listens to it. */
void
gmcp_tool_registry_forward_questions (GmcpToolRegistry *self)
{
  gboolean input = gmcp_tool_provider_has_input_handler (GMCP_TOOL_PROVIDER (self));
  gboolean calls = gmcp_tool_provider_has_call_handler (GMCP_TOOL_PROVIDER (self));

  for (guint i = 0; i < self->sections->len; i++)
    {
      GmcpRegistrySection *section = g_ptr_array_index (self->sections, i);

      if (section->provider == NULL)
        continue;
      if (input && !section->forwards_input)
        g_signal_connect (section->provider, "input-requested", G_CALLBACK (on_input_requested),
                          section);
      if (calls && !section->forwards_calls)
        g_signal_connect (section->provider, "call-requested", G_CALLBACK (on_call_requested),
                          section);
      section->forwards_input |= input;
      section->forwards_calls |= calls;
    }
}

static GListModel *
gmcp_tool_registry_get_tools (GmcpToolProvider *provider)
{
  return G_LIST_MODEL (GMCP_TOOL_REGISTRY (provider)->list);
}

static void
gmcp_tool_registry_iface_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = gmcp_tool_registry_get_tools;
  iface->load = gmcp_tool_registry_load;
  iface->call_tool = gmcp_tool_registry_call_tool;
  iface->find_tool = gmcp_tool_registry_find_tool;
}

static void
set_text (GmcpToolRegistry *self, char **text, const GValue *value, GParamSpec *pspec)
{
  if (g_strcmp0 (*text, g_value_get_string (value)) == 0)
    return;

  g_free (*text);
  *text = g_value_dup_string (value);
  for (guint i = 0; i < self->sections->len; i++)
    {
      GmcpRegistrySection *section = g_ptr_array_index (self->sections, i);

      if (section->provider != NULL)
        g_object_set_property (G_OBJECT (section->provider), pspec->name, value);
    }
  g_object_notify_by_pspec (G_OBJECT (self), pspec);
}

static void
gmcp_tool_registry_set_property (GObject *object,
                                 guint prop_id,
                                 const GValue *value,
                                 GParamSpec *pspec)
{
  GmcpToolRegistry *self = GMCP_TOOL_REGISTRY (object);

  switch ((GmcpToolRegistryProperty) prop_id)
    {
    case PROP_CONFIG_FILE:
      set_text (self, &self->config_file, value, pspec);
      break;
    case PROP_HOST:
      set_text (self, &self->host, value, pspec);
      break;
    case PROP_INSTRUCTIONS:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_tool_registry_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpToolRegistry *self = GMCP_TOOL_REGISTRY (object);

  switch ((GmcpToolRegistryProperty) prop_id)
    {
    case PROP_CONFIG_FILE:
      g_value_set_string (value, self->config_file);
      break;
    case PROP_HOST:
      g_value_set_string (value, self->host);
      break;
    case PROP_INSTRUCTIONS:
      g_value_set_string (value, self->instructions);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_tool_registry_finalize (GObject *object)
{
  GmcpToolRegistry *self = GMCP_TOOL_REGISTRY (object);

  g_ptr_array_unref (self->sections);
  gmcp_own_tools_free (self->own);
  gmcp_tool_names_free (self->names);
  g_object_unref (self->list);
  g_free (self->host);
  g_free (self->config_file);
  g_free (self->instructions);

  G_OBJECT_CLASS (gmcp_tool_registry_parent_class)->finalize (object);
}

static void
gmcp_tool_registry_class_init (GmcpToolRegistryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_tool_registry_get_property;
  object_class->set_property = gmcp_tool_registry_set_property;
  object_class->finalize = gmcp_tool_registry_finalize;
  g_object_class_override_property (object_class, PROP_CONFIG_FILE, "config-file");
  g_object_class_override_property (object_class, PROP_HOST, "host");
  g_object_class_override_property (object_class, PROP_INSTRUCTIONS, "instructions");
}

static void
gmcp_tool_registry_init (GmcpToolRegistry *self)
{
  self->list = gmcp_object_list_new (GMCP_TYPE_TOOL);
  self->names = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_BARE);
  self->sections = g_ptr_array_new_with_free_func ((GDestroyNotify) section_free);
  self->own = gmcp_own_tools_new ();
  add_section (self, GMCP_REGISTRY_OWN_ID, NULL, gmcp_own_tools_get_list (self->own));
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

/**
 * gmcp_tool_registry_add_provider:
 * @self: a registry
 * @id: a short name for the provider, for tools whose own name is taken
 * @provider: the provider
 * @error: return location for an error
 *
 * Adds a provider with all the tools it has, now and later. It gets the registry's
 * [property@Gmcp.ToolProvider:host] and [property@Gmcp.ToolProvider:config-file] where they are set.
 *
 * Questions of its servers, and its own about calls, come by the registry's
 * [signal@Gmcp.ToolProvider::input-requested] and [signal@Gmcp.ToolProvider::call-requested]; connect
 * to those before the tools are first loaded. Its notices come by
 * [signal@Gmcp.ToolProvider::notice].
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where @id is empty, `host`, or taken.
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
  g_return_val_if_fail ((gpointer) provider != (gpointer) self, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (*id == '\0' || find_section (self, id, &position) != NULL)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” cannot be a provider's id, or is one already"), id);
      return FALSE;
    }

  if (self->host != NULL)
    g_object_set (provider, "host", self->host, NULL);
  if (self->config_file != NULL)
    g_object_set (provider, "config-file", self->config_file, NULL);
  section = add_section (self, id, provider, gmcp_tool_provider_get_tools (provider));
  g_signal_connect (provider, "notify::instructions", G_CALLBACK (on_instructions), section);
  g_signal_connect (provider, "rules-changed", G_CALLBACK (on_rules_changed), section);
  g_signal_connect (provider, "notice", G_CALLBACK (on_notice), section);
  judge_own (self);
  refresh_section (section);
  refresh_instructions (self);
  return TRUE;
}

/**
 * gmcp_tool_registry_remove_provider:
 * @self: a registry
 * @id: the id that the provider was added with
 *
 * Takes a provider and its tools out. Calls that are under way end as they would have.
 *
 * Returns: whether there was one of that id
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_registry_remove_provider (GmcpToolRegistry *self, const char *id)
{
  GmcpRegistrySection *section;
  guint position;

  g_return_val_if_fail (GMCP_IS_TOOL_REGISTRY (self), FALSE);
  g_return_val_if_fail (id != NULL, FALSE);

  section = find_section (self, id, &position);
  if (section == NULL || section->provider == NULL)
    return FALSE;

  gmcp_tool_names_remove_server (self->names, id);
  g_ptr_array_remove_index (self->sections, position);
  judge_own (self);
  refresh_list (self);
  refresh_instructions (self);
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

  tool = gmcp_own_tool_new (name, description, input_schema_json, error);
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

  return gmcp_own_tools_remove (self->own, name);
}
