/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-registry-prompts-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-completion-request-private.h"
#include "gmcp-definition-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-joined-list-private.h"
#include "gmcp-late-names-private.h"
#include "gmcp-prompt-provider-private.h"

struct _GmcpRegistryPrompts
{
  GmcpToolRegistry *registry; /* not owned */
  GmcpJoinedList *prompts;    /* NULL until somebody wants it */
  GmcpToolNames *names;       /* of prompts; their data are the sections */
};

/* NULL for what lists no prompts. */
static GmcpPromptProvider *
get_provider (GmcpRegistrySection *section)
{
  gpointer provider = section->provider;

  return GMCP_IS_PROMPT_PROVIDER (provider) ? provider : NULL;
}

/* What is gone keeps its name for itself. */
static void
name_prompts (gpointer owner, GPtrArray *prompts, gpointer data)
{
  GmcpRegistryPrompts *self = data;
  GmcpRegistrySection *section = owner;
  g_autofree GmcpToolName *names = g_new0 (GmcpToolName, prompts->len);

  for (guint i = 0; i < prompts->len; i++)
    {
      names[i].server = section->id;
      names[i].tool = gmcp_definition_get_key (g_ptr_array_index (prompts, i));
      names[i].data = section;
    }
  gmcp_tool_names_remove_server (self->names, section->id);
  gmcp_tool_names_add (self->names, names, prompts->len);
}

static gpointer
show_prompt (gpointer owner, gpointer prompt, gpointer data)
{
  GmcpRegistryPrompts *self = data;
  GmcpRegistrySection *section = owner;
  const char *name = gmcp_definition_get_key (prompt);
  const char *listed = gmcp_tool_names_lookup_listed (self->names, section->id, name);

  return g_str_equal (name, listed) ? g_object_ref (prompt)
                                    : gmcp_definition_new_listed (prompt, listed);
}

static const GmcpJoinedListFuncs joined = { .begin = name_prompts, .show = show_prompt };

static void
join_section (GmcpRegistryPrompts *self, GmcpRegistrySection *section)
{
  GmcpPromptProvider *provider = get_provider (section);

  if (provider != NULL)
    gmcp_joined_list_add (self->prompts, section, gmcp_prompt_provider_get_prompts (provider));
}

static GmcpRegistryPrompts *
open_prompts (gpointer registry)
{
  GmcpRegistryPrompts *self = gmcp_tool_registry_get_prompts (registry);
  GPtrArray *sections = gmcp_tool_registry_get_sections (registry);

  if (self->prompts != NULL)
    return self;

  self->prompts = gmcp_joined_list_new (registry, GMCP_TYPE_PROMPT, &joined, self);
  for (guint i = 0; i < sections->len; i++)
    join_section (self, g_ptr_array_index (sections, i));
  return self;
}

GmcpRegistryPrompts *
gmcp_registry_prompts_new (GmcpToolRegistry *registry)
{
  GmcpRegistryPrompts *self = g_new0 (GmcpRegistryPrompts, 1);

  self->registry = registry;
  self->names = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_BARE);
  return self;
}

void
gmcp_registry_prompts_free (GmcpRegistryPrompts *self)
{
  g_clear_pointer (&self->prompts, gmcp_joined_list_free);
  gmcp_tool_names_free (self->names);
  g_free (self);
}

void
gmcp_registry_prompts_add (GmcpRegistryPrompts *self, GmcpRegistrySection *section)
{
  if (self->prompts != NULL)
    join_section (self, section);
}

void
gmcp_registry_prompts_remove (GmcpRegistryPrompts *self, GmcpRegistrySection *section)
{
  if (self->prompts == NULL || get_provider (section) == NULL)
    return;

  gmcp_tool_names_remove_server (self->names, section->id);
  gmcp_joined_list_remove (self->prompts, section);
}

static GListModel *
gmcp_tool_registry_list_prompts (GmcpPromptProvider *provider)
{
  return gmcp_joined_list_get_model (open_prompts (provider)->prompts);
}

static GmcpProviderOffers
gmcp_tool_registry_offer_prompts (gpointer registry)
{
  GPtrArray *sections = gmcp_tool_registry_get_sections (registry);
  GmcpProviderOffers offers = 0;

  for (guint i = 0; i < sections->len; i++)
    offers |= gmcp_prompt_provider_get_offers (get_provider (g_ptr_array_index (sections, i)));
  return offers;
}

/* Getting one */

static void
on_got (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpPromptRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpPromptResult) result
    = gmcp_prompt_provider_get_prompt_finish (GMCP_PROMPT_PROVIDER (object), async_result, &error);

  if (result != NULL)
    gmcp_prompt_request_return_result (request, result);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), error);
}

static gboolean
hand_on (GmcpRegistryPrompts *self, GmcpPromptRequest *request, GError **error)
{
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  GmcpToolName found;

  if (!gmcp_tool_names_find (self->names, gmcp_prompt_request_get_name (request), &found, error))
    return FALSE;

  gmcp_prompt_provider_get_prompt_async (
    get_provider (found.data), found.tool, gmcp_prompt_request_get_arguments (request),
    gmcp_provider_request_get_options (base), gmcp_provider_request_get_cancellable (base), on_got,
    g_object_ref (request));
  return TRUE;
}

static void
return_unknown (GmcpPromptRequest *request, const GError *error)
{
  const char *name = gmcp_prompt_request_get_name (request);
  gboolean is_ambiguous = g_error_matches (error, GMCP_ERROR, GMCP_ERROR_AMBIGUOUS_TOOL);
  g_autoptr (GError) unknown = g_error_new (
    GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
    is_ambiguous ? _ ("Several providers have a prompt called “%s”: name it as ID__PROMPT")
                 : _ ("There is no prompt called “%s”"),
    name);

  gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), unknown);
}

static void
on_looked_for (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpPromptRequest) request = data;
  GmcpRegistryPrompts *self = gmcp_tool_registry_get_prompts (GMCP_TOOL_REGISTRY (object));
  g_autoptr (GError) unreachable = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_tool_provider_look_for_finish (async_result, NULL, &unreachable);
  if (hand_on (self, request, &error))
    return;

  if (unreachable != NULL)
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), unreachable);
  else
    return_unknown (request, error);
}

static void
gmcp_tool_registry_get_prompt (GmcpPromptProvider *provider, GmcpPromptRequest *request)
{
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  g_autoptr (GError) error = NULL;

  if (!gmcp_tool_registry_take_request (GMCP_TOOL_REGISTRY (provider), base,
                                        "gmcp_prompt_provider_get_prompt_async")
      || hand_on (open_prompts (provider), request, &error))
    return;

  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL))
    gmcp_tool_provider_look_for_async (
      GMCP_TOOL_PROVIDER (provider), GMCP_LATE_PROMPT, gmcp_prompt_request_get_name (request),
      gmcp_provider_request_get_cancellable (base), on_looked_for, g_object_ref (request));
  else
    return_unknown (request, error);
}

/* Completion */

static void
on_completed (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpCompletionRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpCompletionResult) result = gmcp_prompt_provider_complete_argument_finish (
    GMCP_PROMPT_PROVIDER (object), async_result, &error);

  gmcp_completion_request_return_outcome (request, result, error);
}

static void
gmcp_tool_registry_complete_argument (GmcpPromptProvider *provider, GmcpCompletionRequest *request)
{
  GmcpToolRegistry *registry = GMCP_TOOL_REGISTRY (provider);
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  GmcpToolName found;

  if (!gmcp_tool_registry_take_request (registry, base,
                                        "gmcp_prompt_provider_complete_argument_async"))
    return;

  if (!gmcp_tool_names_find (open_prompts (registry)->names,
                             gmcp_completion_request_get_reference (request), &found, NULL))
    gmcp_completion_request_return_nothing (provider, request);
  else
    gmcp_prompt_provider_complete_argument_async (
      get_provider (found.data), found.tool, gmcp_completion_request_get_argument (request),
      gmcp_completion_request_get_value (request), gmcp_completion_request_get_context (request),
      gmcp_provider_request_get_options (base), gmcp_provider_request_get_cancellable (base),
      on_completed, g_object_ref (request));
}

void
gmcp_tool_registry_prompts_init (GmcpPromptProviderInterface *iface)
{
  iface->get_prompts = gmcp_tool_registry_list_prompts;
  iface->get_prompt = gmcp_tool_registry_get_prompt;
  iface->complete_argument = gmcp_tool_registry_complete_argument;
  gmcp_prompt_provider_set_offers (iface, gmcp_tool_registry_offer_prompts);
}
