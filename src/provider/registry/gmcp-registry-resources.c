/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-registry-resources-private.h"

#include "gmcp-completion-request-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-joined-list-private.h"
#include "gmcp-resource-provider-private.h"
#include "gmcp-uri-template-private.h"

struct _GmcpRegistryResources
{
  GmcpToolRegistry *registry; /* not owned */
  GmcpJoinedList *resources;  /* NULL until somebody wants it, as templates */
  GmcpJoinedList *templates;
  GHashTable *subscribed; /* uri -> GPtrArray of the GmcpResourceProvider that were told */
};

/* NULL for what lists no resources. */
static GmcpResourceProvider *
get_provider (GmcpRegistrySection *section)
{
  gpointer provider = section != NULL ? section->provider : NULL;

  return GMCP_IS_RESOURCE_PROVIDER (provider) ? provider : NULL;
}

/* The first of the registry's providers has the reads of what its templates may make. */
static GmcpRegistrySection *
find_by_template (GmcpRegistryResources *self, const char *uri)
{
  GListModel *templates = gmcp_joined_list_get_model (self->templates);

  for (guint i = 0; i < g_list_model_get_n_items (templates); i++)
    {
      g_autoptr (GmcpResourceTemplate) template = g_list_model_get_item (templates, i);
      const char *uri_template = gmcp_resource_template_get_uri_template (template);

      if (gmcp_uri_template_may_make (uri_template, uri))
        return gmcp_joined_list_find_owner (self->templates, uri_template);
    }
  return NULL;
}

/* NULL where no provider lists the resource. */
static GmcpResourceProvider *
find_provider (GmcpRegistryResources *self, const char *uri)
{
  GmcpRegistrySection *section = gmcp_joined_list_find_owner (self->resources, uri);

  return get_provider (section != NULL ? section : find_by_template (self, uri));
}

/* Those that may have the resource: the one that lists it, else all. */
static GPtrArray *
list_candidates (GmcpRegistryResources *self, const char *uri)
{
  GPtrArray *sections = gmcp_tool_registry_get_sections (self->registry);
  GPtrArray *candidates = g_ptr_array_new_with_free_func (g_object_unref);
  GmcpResourceProvider *provider = find_provider (self, uri);

  if (provider != NULL)
    {
      g_ptr_array_add (candidates, g_object_ref (provider));
      return candidates;
    }

  for (guint i = 0; i < sections->len; i++)
    {
      provider = get_provider (g_ptr_array_index (sections, i));
      if (provider != NULL)
        g_ptr_array_add (candidates, g_object_ref (provider));
    }
  return candidates;
}

/* Changes of single resources */

static gboolean
is_of_provider (GmcpRegistryResources *self, const char *uri, GmcpResourceProvider *provider)
{
  GmcpResourceProvider *owner = find_provider (self, uri);

  return owner == NULL || owner == provider;
}

static void
on_resource_updated (GmcpResourceProvider *provider, const char *uri, GmcpRegistrySection *section)
{
  g_autoptr (GmcpToolRegistry) alive = g_object_ref (section->registry);

  if (uri != NULL && is_of_provider (gmcp_tool_registry_get_resources (alive), uri, provider))
    gmcp_resource_provider_emit_resource_updated (GMCP_RESOURCE_PROVIDER (alive), uri);
}

static void
on_resource_updated_for_user (GmcpResourceProvider *provider,
                              const char *uri,
                              const char *user,
                              GmcpRegistrySection *section)
{
  g_autoptr (GmcpToolRegistry) alive = g_object_ref (section->registry);

  if (uri != NULL && is_of_provider (gmcp_tool_registry_get_resources (alive), uri, provider))
    gmcp_resource_provider_emit_resource_updated_for_user (GMCP_RESOURCE_PROVIDER (alive), uri,
                                                           user);
}

static void
tell_providers (GPtrArray *providers,
                GPtrArray *others,
                void (*tell) (GmcpResourceProvider *provider, const char *uri),
                const char *uri)
{
  for (guint i = 0; i < providers->len; i++)
    {
      GmcpResourceProvider *provider = g_ptr_array_index (providers, i);

      if (!g_ptr_array_find (others, provider, NULL))
        tell (provider, uri);
    }
}

/* Tells the providers that may have the resource now, and those that had it. */
static void
move_subscription (GmcpRegistryResources *self, const char *uri)
{
  g_autoptr (GPtrArray) former = g_ptr_array_ref (g_hash_table_lookup (self->subscribed, uri));
  g_autoptr (GPtrArray) wanted = list_candidates (self, uri);

  g_hash_table_insert (self->subscribed, g_strdup (uri), g_ptr_array_ref (wanted));
  tell_providers (wanted, former, gmcp_resource_provider_subscribe, uri);
  tell_providers (former, wanted, gmcp_resource_provider_unsubscribe, uri);
}

static void
move_subscriptions (gpointer data)
{
  GmcpRegistryResources *self = data;
  g_auto (GStrv) uris = NULL;

  if (g_hash_table_size (self->subscribed) == 0)
    return;

  /* A provider that is told may change what there is. */
  uris = (GStrv) g_hash_table_get_keys_as_array (self->subscribed, NULL);
  for (guint i = 0; uris[i] != NULL; i++)
    uris[i] = g_strdup (uris[i]);
  for (guint i = 0; uris[i] != NULL; i++)
    if (g_hash_table_contains (self->subscribed, uris[i]))
      move_subscription (self, uris[i]);
}

/* The lists */

static const GmcpJoinedListFuncs joined = { .changed = move_subscriptions };

static void
join_section (GmcpRegistryResources *self, GmcpRegistrySection *section)
{
  GmcpResourceProvider *provider = get_provider (section);

  if (provider == NULL)
    return;

  gmcp_joined_list_add (self->templates, section, gmcp_resource_provider_get_templates (provider));
  gmcp_joined_list_add (self->resources, section, gmcp_resource_provider_get_resources (provider));
  g_signal_connect (provider, "resource-updated", G_CALLBACK (on_resource_updated), section);
  g_signal_connect (provider, "resource-updated-for-user",
                    G_CALLBACK (on_resource_updated_for_user), section);
}

static GmcpRegistryResources *
open_resources (gpointer registry)
{
  GmcpRegistryResources *self = gmcp_tool_registry_get_resources (registry);
  GPtrArray *sections = gmcp_tool_registry_get_sections (registry);

  if (self->resources != NULL)
    return self;

  self->resources = gmcp_joined_list_new (registry, GMCP_TYPE_RESOURCE, &joined, self);
  self->templates = gmcp_joined_list_new (registry, GMCP_TYPE_RESOURCE_TEMPLATE, &joined, self);
  for (guint i = 0; i < sections->len; i++)
    join_section (self, g_ptr_array_index (sections, i));
  return self;
}

GmcpRegistryResources *
gmcp_registry_resources_new (GmcpToolRegistry *registry)
{
  GmcpRegistryResources *self = g_new0 (GmcpRegistryResources, 1);

  self->registry = registry;
  self->subscribed
    = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  return self;
}

void
gmcp_registry_resources_free (GmcpRegistryResources *self)
{
  g_clear_pointer (&self->resources, gmcp_joined_list_free);
  g_clear_pointer (&self->templates, gmcp_joined_list_free);
  g_hash_table_unref (self->subscribed);
  g_free (self);
}

void
gmcp_registry_resources_add (GmcpRegistryResources *self, GmcpRegistrySection *section)
{
  if (self->resources != NULL)
    join_section (self, section);
}

void
gmcp_registry_resources_remove (GmcpRegistryResources *self, GmcpRegistrySection *section)
{
  if (self->resources == NULL || get_provider (section) == NULL)
    return;

  gmcp_joined_list_remove (self->resources, section);
  gmcp_joined_list_remove (self->templates, section);
}

static GListModel *
gmcp_tool_registry_list_resources (GmcpResourceProvider *provider)
{
  return gmcp_joined_list_get_model (open_resources (provider)->resources);
}

static GListModel *
gmcp_tool_registry_list_templates (GmcpResourceProvider *provider)
{
  return gmcp_joined_list_get_model (open_resources (provider)->templates);
}

static GmcpProviderOffers
gmcp_tool_registry_offer_resources (gpointer registry)
{
  GPtrArray *sections = gmcp_tool_registry_get_sections (registry);
  GmcpProviderOffers offers = 0;

  for (guint i = 0; i < sections->len; i++)
    offers |= gmcp_resource_provider_get_offers (get_provider (g_ptr_array_index (sections, i)));
  return offers;
}

/* Reading */

typedef struct
{
  GmcpResourceRequest *request;
  GPtrArray *providers; /* (element-type GmcpResourceProvider): those that may have it */
  guint n_asked;
} Reading;

static void
reading_free (Reading *reading)
{
  g_object_unref (reading->request);
  g_ptr_array_unref (reading->providers);
  g_free (reading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reading, reading_free)

static void on_read (GObject *object, GAsyncResult *async_result, gpointer data);

/* Takes the reading. */
static void
read_of_next (Reading *reading)
{
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (reading->request);
  GmcpResourceProvider *provider = g_ptr_array_index (reading->providers, reading->n_asked++);

  gmcp_resource_provider_read_async (provider, gmcp_resource_request_get_uri (reading->request),
                                     gmcp_provider_request_get_options (base),
                                     gmcp_provider_request_get_cancellable (base), on_read,
                                     reading);
}

static void
on_read (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (Reading) reading = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpResourceResult) result
    = gmcp_resource_provider_read_finish (GMCP_RESOURCE_PROVIDER (object), async_result, &error);

  if (result != NULL)
    gmcp_resource_request_return_result (reading->request, result);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)
           && reading->n_asked < reading->providers->len)
    read_of_next (g_steal_pointer (&reading));
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (reading->request), error);
}

static void
gmcp_tool_registry_read (GmcpResourceProvider *provider, GmcpResourceRequest *request)
{
  GmcpToolRegistry *registry = GMCP_TOOL_REGISTRY (provider);
  g_autoptr (GPtrArray) providers = NULL;
  Reading *reading;

  if (!gmcp_tool_registry_take_request (registry, GMCP_PROVIDER_REQUEST (request),
                                        "gmcp_resource_provider_read_async"))
    return;

  providers = list_candidates (open_resources (registry), gmcp_resource_request_get_uri (request));
  if (providers->len == 0)
    {
      g_autoptr (GError) error
        = g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("There is no resource %s"),
                       gmcp_resource_request_get_uri (request));

      gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (request), error);
      return;
    }

  reading = g_new0 (Reading, 1);
  reading->request = g_object_ref (request);
  reading->providers = g_steal_pointer (&providers);
  read_of_next (reading);
}

static void
gmcp_tool_registry_subscribe (GmcpResourceProvider *provider, const char *uri)
{
  GmcpRegistryResources *self = open_resources (provider);

  if (g_hash_table_contains (self->subscribed, uri))
    return;

  g_hash_table_insert (self->subscribed, g_strdup (uri), g_ptr_array_new ());
  move_subscription (self, uri);
}

static void
gmcp_tool_registry_unsubscribe (GmcpResourceProvider *provider, const char *uri)
{
  GmcpRegistryResources *self = open_resources (provider);
  g_autoptr (GPtrArray) nobody = g_ptr_array_new ();
  g_autoptr (GPtrArray) told = NULL;
  g_autofree char *key = NULL;

  if (g_hash_table_steal_extended (self->subscribed, uri, (gpointer *) &key, (gpointer *) &told))
    tell_providers (told, nobody, gmcp_resource_provider_unsubscribe, key);
}

/* Completion */

static void
on_completed (GObject *object, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GmcpCompletionRequest) request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpCompletionResult) result = gmcp_resource_provider_complete_variable_finish (
    GMCP_RESOURCE_PROVIDER (object), async_result, &error);

  gmcp_completion_request_return_outcome (request, result, error);
}

static void
gmcp_tool_registry_complete_variable (GmcpResourceProvider *provider,
                                      GmcpCompletionRequest *request)
{
  GmcpToolRegistry *registry = GMCP_TOOL_REGISTRY (provider);
  GmcpProviderRequest *base = GMCP_PROVIDER_REQUEST (request);
  const char *uri_template = gmcp_completion_request_get_reference (request);
  GmcpResourceProvider *owner;

  if (!gmcp_tool_registry_take_request (registry, base,
                                        "gmcp_resource_provider_complete_variable_async"))
    return;

  owner = get_provider (
    gmcp_joined_list_find_owner (open_resources (registry)->templates, uri_template));
  if (owner == NULL)
    gmcp_completion_request_return_nothing (provider, request);
  else
    gmcp_resource_provider_complete_variable_async (
      owner, uri_template, gmcp_completion_request_get_argument (request),
      gmcp_completion_request_get_value (request), gmcp_completion_request_get_context (request),
      gmcp_provider_request_get_options (base), gmcp_provider_request_get_cancellable (base),
      on_completed, g_object_ref (request));
}

void
gmcp_tool_registry_resources_init (GmcpResourceProviderInterface *iface)
{
  iface->get_resources = gmcp_tool_registry_list_resources;
  iface->get_templates = gmcp_tool_registry_list_templates;
  iface->read = gmcp_tool_registry_read;
  iface->subscribe = gmcp_tool_registry_subscribe;
  iface->unsubscribe = gmcp_tool_registry_unsubscribe;
  iface->complete_variable = gmcp_tool_registry_complete_variable;
  gmcp_resource_provider_set_offers (iface, gmcp_tool_registry_offer_resources);
}
