/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-tool-call-private.h"
#include "gmcp-tool-gate-private.h"
#include "gmcp-tool-provider-private.h"
#include "gmcp-tool-registry-private.h"

/* Loading all side by side. */
typedef struct
{
  GmcpToolLoad *load;
  guint n_left;
  guint n_loaded;
  GError *error; /* the first one */
} Loading;

static void
loading_step (Loading *loading)
{
  if (--loading->n_left > 0)
    return;

  /* One of several that fails is left out. */
  if (loading->n_loaded == 0 && loading->error != NULL)
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (loading->load), loading->error);
  else
    gmcp_tool_load_return_success (loading->load);
  g_object_unref (loading->load);
  g_clear_error (&loading->error);
  g_free (loading);
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  Loading *loading = data;
  g_autoptr (GError) error = NULL;

  if (gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (object), result, &error))
    loading->n_loaded++;
  else if (loading->error == NULL)
    loading->error = g_steal_pointer (&error);
  loading_step (loading);
}

static gboolean
check_thread (GmcpToolRegistry *self, const char *function, GError **error)
{
  if (gmcp_tool_registry_check_thread (self, function))
    return TRUE;

  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_FAILED,
                       _ ("The registry belongs to the main context of another thread"));
  return FALSE;
}

gboolean
gmcp_tool_registry_take_request (GmcpToolRegistry *self,
                                 GmcpProviderRequest *request,
                                 const char *function)
{
  g_autoptr (GError) error = NULL;

  if (!check_thread (self, function, &error))
    {
      gmcp_provider_request_return_error (request, error);
      return FALSE;
    }

  gmcp_tool_registry_forward_questions (self);
  return TRUE;
}

/* A copy: providers may be added or removed meanwhile. */
static GPtrArray *
list_providers (GmcpToolRegistry *self)
{
  GPtrArray *sections = gmcp_tool_registry_get_sections (self);
  GPtrArray *providers = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < sections->len; i++)
    {
      GmcpRegistrySection *section = g_ptr_array_index (sections, i);

      if (section->provider != NULL)
        g_ptr_array_add (providers, g_object_ref (section->provider));
    }
  return providers;
}

void
gmcp_tool_registry_load (GmcpToolProvider *provider, GmcpToolLoad *load)
{
  GmcpToolRegistry *self = GMCP_TOOL_REGISTRY (provider);
  g_autoptr (GPtrArray) providers = NULL;
  Loading *loading;

  if (!gmcp_tool_registry_take_request (self, GMCP_PROVIDER_REQUEST (load),
                                        "gmcp_tool_provider_load_async"))
    return;

  providers = list_providers (self);
  loading = g_new0 (Loading, 1);
  loading->load = g_object_ref (load);
  loading->n_left = providers->len + 1;
  for (guint i = 0; i < providers->len; i++)
    gmcp_tool_provider_load_async (
      g_ptr_array_index (providers, i),
      gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (load)), on_loaded, loading);
  loading_step (loading);
}

/* Closing all side by side. */
typedef struct
{
  GmcpProviderClose *close;
  guint n_left;
  GError *error; /* the first one */
} Closing;

static void
closing_step (Closing *closing)
{
  if (--closing->n_left > 0)
    return;

  if (closing->error != NULL)
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (closing->close), closing->error);
  else
    gmcp_provider_close_return_success (closing->close);
  g_object_unref (closing->close);
  g_clear_error (&closing->error);
  g_free (closing);
}

static void
on_closed (GObject *object, GAsyncResult *result, gpointer data)
{
  Closing *closing = data;
  GError **error = closing->error == NULL ? &closing->error : NULL;

  gmcp_tool_provider_close_finish (GMCP_TOOL_PROVIDER (object), result, error);
  closing_step (closing);
}

void
gmcp_tool_registry_close (GmcpToolProvider *provider, GmcpProviderClose *close)
{
  GmcpToolRegistry *self = GMCP_TOOL_REGISTRY (provider);
  g_autoptr (GPtrArray) providers = NULL;
  g_autoptr (GError) error = NULL;
  Closing *closing;

  if (!check_thread (self, "gmcp_tool_provider_close_async", &error))
    {
      gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (close), error);
      return;
    }

  providers = list_providers (self);
  closing = g_new0 (Closing, 1);
  closing->close = g_object_ref (close);
  closing->n_left = providers->len + 1;
  for (guint i = 0; i < providers->len; i++)
    gmcp_tool_provider_close_async (
      g_ptr_array_index (providers, i),
      gmcp_provider_request_get_cancellable (GMCP_PROVIDER_REQUEST (close)), on_closed, closing);
  closing_step (closing);
}

static GmcpRegistryEntry *
find_source (GmcpRegistrySection *section, GmcpTool *source)
{
  for (guint i = 0; i < section->entries->len; i++)
    {
      GmcpRegistryEntry *entry = g_ptr_array_index (section->entries, i);

      if (entry->source == source)
        return entry;
    }
  return NULL;
}

/* By a name that only a provider understands, such as SERVER.TOOL. The error is the one that there is
 * already, unless several understand it. */
static GmcpRegistryEntry *
find_by_providers (GmcpToolRegistry *self, const char *name, GError **error)
{
  GPtrArray *sections = gmcp_tool_registry_get_sections (self);
  GmcpRegistryEntry *found = NULL;

  for (guint i = 0; i < sections->len; i++)
    {
      GmcpRegistrySection *section = g_ptr_array_index (sections, i);
      g_autoptr (GmcpTool) tool = NULL;
      g_autoptr (GError) reason = NULL;
      GmcpRegistryEntry *entry;

      if (section->provider == NULL)
        continue;
      tool = gmcp_tool_provider_find_tool (section->provider, name, &reason);
      /* What the provider lists under this name is known here, or the name was another tool's. */
      if (tool != NULL && !g_str_equal (gmcp_definition_get_name (GMCP_DEFINITION (tool)), name))
        entry = find_source (section, tool);
      else
        entry = NULL;
      if ((entry != NULL && found != NULL)
          || (reason != NULL && !g_error_matches (reason, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL)))
        {
          g_clear_error (error);
          if (reason != NULL)
            g_propagate_error (error, g_steal_pointer (&reason));
          else
            g_set_error (error, GMCP_ERROR, GMCP_ERROR_AMBIGUOUS_TOOL,
                         _ ("More than one tool is called %s; name one of: %s, %s"), name,
                         gmcp_definition_get_name (GMCP_DEFINITION (found->listed)),
                         gmcp_definition_get_name (GMCP_DEFINITION (entry->listed)));
          return NULL;
        }
      if (entry != NULL)
        found = entry;
    }

  if (found != NULL)
    g_clear_error (error);
  return found;
}

static gboolean
is_entry_offered (gpointer entry, gpointer data)
{
  return !((GmcpRegistryEntry *) entry)->withheld;
}

/* NULL, with an error, where there is none or more than one. */
static GmcpRegistryEntry *
find_entry (GmcpToolRegistry *self, const char *name, GError **error)
{
  GmcpToolName found;
  g_autoptr (GError) reason = NULL;
  GmcpRegistryEntry *entry;

  if (gmcp_tool_names_find_shown (gmcp_tool_registry_get_names (self), name, is_entry_offered, NULL,
                                  &found, &reason))
    return found.data;

  if (g_error_matches (reason, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL))
    {
      entry = find_by_providers (self, name, &reason);
      if (entry != NULL)
        return entry;
    }

  g_propagate_error (error, g_steal_pointer (&reason));
  return NULL;
}

GmcpTool *
gmcp_tool_registry_find_tool (GmcpToolProvider *provider, const char *name, GError **error)
{
  GmcpToolRegistry *self = GMCP_TOOL_REGISTRY (provider);
  GmcpRegistryEntry *entry;

  if (!check_thread (self, "gmcp_tool_provider_find_tool", error))
    return NULL;

  entry = find_entry (self, name, error);
  if (entry == NULL
      || (entry->withheld && !gmcp_tool_registry_permits (self, entry->source, error)))
    return NULL;
  return g_object_ref (entry->listed);
}

/* A call of a tool of the program itself, while the providers look at it one after the other. */
typedef struct
{
  GmcpToolRegistry *registry;
  GmcpToolCall *call;
  GmcpTool *tool;
  GPtrArray *gates; /* (element-type GmcpToolProvider) */
  guint n_passed;
} Admission;

static void
on_admitted (gboolean admitted, gpointer data)
{
  Admission *admission = data;

  if (admitted && admission->n_passed < admission->gates->len)
    {
      GmcpToolProvider *provider = g_ptr_array_index (admission->gates, admission->n_passed++);

      gmcp_tool_provider_get_gate (provider)->admit (provider, admission->call, admission->tool,
                                                     on_admitted, admission);
      return;
    }

  if (admitted)
    gmcp_own_tools_call (gmcp_tool_registry_get_own (admission->registry), admission->call);
  g_object_unref (admission->registry);
  g_object_unref (admission->call);
  g_object_unref (admission->tool);
  g_ptr_array_unref (admission->gates);
  g_free (admission);
}

static gboolean
has_gate (GmcpToolRegistry *self)
{
  GPtrArray *sections = gmcp_tool_registry_get_sections (self);

  for (guint i = 0; i < sections->len; i++)
    {
      GmcpToolProvider *provider
        = ((GmcpRegistrySection *) g_ptr_array_index (sections, i))->provider;

      if (provider != NULL && gmcp_tool_provider_get_gate (provider) != NULL)
        return TRUE;
    }
  return FALSE;
}

static void
call_own (GmcpToolRegistry *self, GmcpToolCall *call, GmcpTool *tool)
{
  GPtrArray *sections = gmcp_tool_registry_get_sections (self);
  Admission *admission;

  if (!has_gate (self))
    {
      g_autoptr (GmcpToolRegistry) alive = g_object_ref (self);

      gmcp_own_tools_call (gmcp_tool_registry_get_own (alive), call);
      return;
    }

  admission = g_new0 (Admission, 1);

  admission->registry = g_object_ref (self);
  admission->call = g_object_ref (call);
  admission->tool = g_object_ref (tool);
  admission->gates = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < sections->len; i++)
    {
      GmcpToolProvider *provider
        = ((GmcpRegistrySection *) g_ptr_array_index (sections, i))->provider;

      if (provider != NULL && gmcp_tool_provider_get_gate (provider) != NULL)
        g_ptr_array_add (admission->gates, g_object_ref (provider));
    }
  on_admitted (TRUE, admission);
}

static void
hand_on (GmcpRegistryEntry *entry, GmcpToolCall *call)
{
  GmcpRegistrySection *section = entry->section;
  const char *name = gmcp_definition_get_name (GMCP_DEFINITION (entry->source));
  g_autoptr (GmcpToolCall) redirected = NULL;
  GmcpJsonDoc *arguments;

  if (section->provider == NULL && g_str_equal (gmcp_tool_call_get_name (call), name))
    {
      call_own (section->registry, call, entry->source);
      return;
    }

  arguments = gmcp_tool_call_peek_arguments (call);
  redirected = gmcp_tool_call_redirect (
    call, name, arguments != NULL ? gmcp_json_doc_ref (arguments) : NULL, section->provider);

  if (section->provider != NULL)
    gmcp_tool_provider_take_call (section->provider, redirected);
  else
    call_own (section->registry, redirected, entry->source);
}

static void
on_loaded_for_call (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpToolCall) call = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) load_error = NULL;
  GmcpRegistryEntry *entry;
  gboolean loaded;

  loaded = gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (object), result, &load_error);
  entry = find_entry (GMCP_TOOL_REGISTRY (object), gmcp_tool_call_get_name (call), &error);
  if (entry != NULL)
    hand_on (entry, call);
  else
    gmcp_tool_call_return_error (call, loaded ? error : load_error);
}

void
gmcp_tool_registry_call_tool (GmcpToolProvider *provider, GmcpToolCall *call)
{
  GmcpToolRegistry *self = GMCP_TOOL_REGISTRY (provider);
  g_autoptr (GError) error = NULL;
  GmcpRegistryEntry *entry;

  if (!check_thread (self, "gmcp_tool_provider_call_tool_async", &error))
    {
      gmcp_tool_call_return_error (call, error);
      return;
    }

  gmcp_tool_registry_forward_questions (self);
  entry = find_entry (self, gmcp_tool_call_get_name (call), &error);
  if (entry != NULL)
    hand_on (entry, call);
  else if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL))
    /* Perhaps only because its server has not been started yet. */
    gmcp_tool_provider_load_async (provider, gmcp_tool_call_get_cancellable (call),
                                   on_loaded_for_call, g_object_ref (call));
  else
    gmcp_tool_call_return_error (call, error);
}
