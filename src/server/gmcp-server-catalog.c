/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-prompt-private.h"
#include "gmcp-prompt-provider-private.h"
#include "gmcp-resource-private.h"
#include "gmcp-resource-provider-private.h"
#include "gmcp-resource-template-private.h"
#include "gmcp-server-catalog-private.h"
#include "gmcp-server-deferred-private.h"
#include "gmcp-server-tools-private.h"

#define CATALOG_KEY "gmcp-server-catalog"

struct _GmcpServerCatalog
{
  GmcpToolProvider *provider;
  const GmcpServerCatalogFuncs *funcs;
  gpointer data;

  GmcpServerList *tools;
  GmcpServerList *resources;
  GmcpServerList *templates;
  GmcpServerList *prompts;
  GHashTable *watched; /* uri -> how often */

  gboolean is_prepared;  /* or being prepared */
  GCancellable *loading; /* NULL while nothing is loaded */
  gboolean loaded;
  GQueue waiting; /* (element-type GmcpServerDeferred): requests that came before */
};

/* What was made of nothing has no name, and is not served. */
static gboolean
read_resource (GmcpServerItem *item)
{
  item->key = g_strdup (gmcp_resource_get_uri (item->object));
  if (*item->key == '\0')
    return FALSE;
  item->json = gmcp_definition_dup_json (GMCP_DEFINITION (item->object));
  return TRUE;
}

static gboolean
read_template (GmcpServerItem *item)
{
  item->key = g_strdup (gmcp_resource_template_get_uri_template (item->object));
  if (*item->key == '\0')
    return FALSE;
  item->json = gmcp_definition_dup_json (GMCP_DEFINITION (item->object));
  return TRUE;
}

static gboolean
read_prompt (GmcpServerItem *item)
{
  item->key = g_strdup (gmcp_definition_get_name (GMCP_DEFINITION (item->object)));
  if (*item->key == '\0')
    return FALSE;
  item->json = gmcp_definition_dup_json (GMCP_DEFINITION (item->object));
  return TRUE;
}

static const GmcpServerListKind resource_kind = { "resources", 'r', read_resource, NULL };
static const GmcpServerListKind template_kind = { "resourceTemplates", 'u', read_template, NULL };
static const GmcpServerListKind prompt_kind = { "prompts", 'p', read_prompt, NULL };

static void
on_list_changed (GmcpServerList *list, gpointer data)
{
  GmcpServerCatalog *self = data;

  if (list == self->tools)
    self->funcs->list_changed (GMCP_SERVER_SUBJECT_TOOLS, self->data);
  else if (list == self->prompts)
    self->funcs->list_changed (GMCP_SERVER_SUBJECT_PROMPTS, self->data);
  else
    self->funcs->list_changed (GMCP_SERVER_SUBJECT_RESOURCES, self->data);
}

static void
on_resource_updated (GmcpResourceProvider *provider, const char *uri, GmcpServerCatalog *self)
{
  if (uri != NULL && g_hash_table_contains (self->watched, uri))
    self->funcs->resource_updated (uri, self->data);
}

static void
on_resource_updated_for_user (GmcpResourceProvider *provider,
                              const char *uri,
                              const char *user,
                              GmcpServerCatalog *self)
{
  if (uri != NULL && g_hash_table_contains (self->watched, uri))
    self->funcs->resource_updated_for_user (uri, user, self->data);
}

GmcpServerCatalog *
gmcp_server_catalog_new (GmcpToolProvider *provider,
                         const GmcpServerCatalogFuncs *funcs,
                         gpointer data)
{
  GmcpServerCatalog *self = g_new0 (GmcpServerCatalog, 1);
  GListModel *resources = NULL;
  GListModel *templates = NULL;
  GListModel *prompts = NULL;

  self->provider = g_object_ref (provider);
  self->funcs = funcs;
  self->data = data;
  self->watched = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (GMCP_IS_RESOURCE_PROVIDER (provider))
    {
      resources = gmcp_resource_provider_get_resources (GMCP_RESOURCE_PROVIDER (provider));
      templates = gmcp_resource_provider_get_templates (GMCP_RESOURCE_PROVIDER (provider));
      g_signal_connect (provider, "resource-updated", G_CALLBACK (on_resource_updated), self);
      g_signal_connect (provider, "resource-updated-for-user",
                        G_CALLBACK (on_resource_updated_for_user), self);
    }
  if (GMCP_IS_PROMPT_PROVIDER (provider))
    prompts = gmcp_prompt_provider_get_prompts (GMCP_PROMPT_PROVIDER (provider));

  self->tools = gmcp_server_list_new (
    &gmcp_server_tool_kind, gmcp_tool_provider_get_tools (provider), on_list_changed, self);
  self->resources = gmcp_server_list_new (&resource_kind, resources, on_list_changed, self);
  self->templates = gmcp_server_list_new (&template_kind, templates, on_list_changed, self);
  self->prompts = gmcp_server_list_new (&prompt_kind, prompts, on_list_changed, self);
  return self;
}

void
gmcp_server_catalog_free (GmcpServerCatalog *self)
{
  if (self->loading != NULL)
    g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  g_queue_clear_full (&self->waiting, (GDestroyNotify) gmcp_server_deferred_free);
  g_signal_handlers_disconnect_by_data (self->provider, self);
  gmcp_server_list_free (self->tools);
  gmcp_server_list_free (self->resources);
  gmcp_server_list_free (self->templates);
  gmcp_server_list_free (self->prompts);
  g_hash_table_unref (self->watched);
  g_object_unref (self->provider);
  g_free (self);
}

GmcpToolProvider *
gmcp_server_catalog_get_provider (GmcpServerCatalog *self)
{
  return self->provider;
}

GmcpServerList *
gmcp_server_catalog_get_tools (GmcpServerCatalog *self)
{
  return self->tools;
}

GmcpServerList *
gmcp_server_catalog_get_resources (GmcpServerCatalog *self)
{
  return self->resources;
}

GmcpServerList *
gmcp_server_catalog_get_templates (GmcpServerCatalog *self)
{
  return self->templates;
}

GmcpServerList *
gmcp_server_catalog_get_prompts (GmcpServerCatalog *self)
{
  return self->prompts;
}

/* What there is */

static gboolean
may_be_task (GmcpServerItem *item)
{
  return ((GmcpServerToolSchemas *) item->detail)->task_support != GMCP_TASK_SUPPORT_FORBIDDEN;
}

gboolean
gmcp_server_catalog_offers_tasks (GmcpServerCatalog *self)
{
  return gmcp_server_list_search (self->tools, may_be_task) != NULL;
}

gboolean
gmcp_server_catalog_has (GmcpServerCatalog *self, GmcpServerSubject subject)
{
  GmcpToolProvider *provider = self->provider;

  switch (subject)
    {
    case GMCP_SERVER_SUBJECT_RESOURCES:
      return (gmcp_resource_provider_get_offers (provider) & GMCP_OFFERS_ITEMS) != 0;
    case GMCP_SERVER_SUBJECT_UPDATES:
      return (gmcp_resource_provider_get_offers (provider) & GMCP_OFFERS_UPDATES) != 0;
    case GMCP_SERVER_SUBJECT_PROMPTS:
      return (gmcp_prompt_provider_get_offers (provider) & GMCP_OFFERS_ITEMS) != 0;
    case GMCP_SERVER_SUBJECT_COMPLETIONS:
      return ((gmcp_resource_provider_get_offers (provider)
               | gmcp_prompt_provider_get_offers (provider))
              & GMCP_OFFERS_COMPLETION)
             != 0;
    case GMCP_SERVER_SUBJECT_TASKS:
      /* Until the provider has loaded nobody knows. */
      return !self->loaded || gmcp_server_catalog_offers_tasks (self);
    case GMCP_SERVER_SUBJECT_NONE:
    case GMCP_SERVER_SUBJECT_TOOLS:
    default:
      return TRUE;
    }
}

static void
write_list_capability (GmcpJsonWriter *writer,
                       const char *name,
                       gboolean subscribe,
                       gboolean list_changed)
{
  gmcp_json_writer_key (writer, name);
  gmcp_json_writer_begin_object (writer);
  if (subscribe)
    gmcp_json_writer_member_boolean (writer, "subscribe", TRUE);
  if (list_changed)
    gmcp_json_writer_member_boolean (writer, "listChanged", TRUE);
  gmcp_json_writer_end_object (writer);
}

void
gmcp_server_catalog_write_capabilities (GmcpServerCatalog *self,
                                        GmcpJsonWriter *writer,
                                        gboolean tells)
{
  write_list_capability (writer, "tools", FALSE, tells);
  if (tells)
    gmcp_json_writer_member_empty (writer, "logging");
  if (gmcp_server_catalog_has (self, GMCP_SERVER_SUBJECT_RESOURCES))
    write_list_capability (writer, "resources",
                           tells && gmcp_server_catalog_has (self, GMCP_SERVER_SUBJECT_UPDATES),
                           tells);
  if (gmcp_server_catalog_has (self, GMCP_SERVER_SUBJECT_PROMPTS))
    write_list_capability (writer, "prompts", FALSE, tells);
  if (gmcp_server_catalog_has (self, GMCP_SERVER_SUBJECT_COMPLETIONS))
    gmcp_json_writer_member_empty (writer, "completions");
}

/* Loading */

static void
on_request_ended (GmcpServerDeferred *request, gpointer data)
{
  GmcpServerCatalog *self = data;

  g_queue_remove (&self->waiting, request);
}

/* The catalog may be gone; then its cancellable has been cancelled, which outlives it here. */
static void
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GCancellable) loading = data;
  g_autoptr (GError) error = NULL;
  GmcpServerCatalog *self;
  GmcpServerDeferred *request;

  if (!gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (source), result, &error))
    g_debug ("The provider of a server did not load its tools: %s", error->message);
  if (g_cancellable_is_cancelled (loading))
    return;

  self = g_object_get_data (G_OBJECT (loading), CATALOG_KEY);
  self->loaded = TRUE;
  /* A request may end the server, and this with it. */
  while (!g_cancellable_is_cancelled (loading)
         && (request = g_queue_pop_head (&self->waiting)) != NULL)
    gmcp_server_deferred_resume (request, NULL);
}

void
gmcp_server_catalog_load (GmcpServerCatalog *self)
{
  if (self->is_prepared)
    return;

  self->is_prepared = TRUE;
  self->funcs->prepare (self->data);
}

void
gmcp_server_catalog_load_provider (GmcpServerCatalog *self)
{
  g_assert (self->loading == NULL);

  self->loading = g_cancellable_new ();
  g_object_set_data (G_OBJECT (self->loading), CATALOG_KEY, self);
  gmcp_tool_provider_load_async (self->provider, self->loading, on_loaded,
                                 g_object_ref (self->loading));
}

gboolean
gmcp_server_catalog_is_loaded (GmcpServerCatalog *self)
{
  return self->loaded;
}

void
gmcp_server_catalog_wait (GmcpServerCatalog *self, GmcpServerExchange *exchange)
{
  GmcpServerDeferred *request = gmcp_server_deferred_new (exchange, on_request_ended, self);

  if (request != NULL)
    g_queue_push_tail (&self->waiting, request);
}

/* Changes of single resources */

void
gmcp_server_catalog_watch (GmcpServerCatalog *self, const char *uri)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->watched, uri));

  g_hash_table_insert (self->watched, g_strdup (uri), GUINT_TO_POINTER (n + 1));
  if (n == 0)
    gmcp_resource_provider_subscribe (GMCP_RESOURCE_PROVIDER (self->provider), uri);
}

void
gmcp_server_catalog_unwatch (GmcpServerCatalog *self, const char *uri)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->watched, uri));

  if (n > 1)
    {
      g_hash_table_insert (self->watched, g_strdup (uri), GUINT_TO_POINTER (n - 1));
      return;
    }

  g_hash_table_remove (self->watched, uri);
  gmcp_resource_provider_unsubscribe (GMCP_RESOURCE_PROVIDER (self->provider), uri);
}
