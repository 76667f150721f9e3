/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "gmcp-task-fields.h"
#include "gmcp-task-prompt.h"
#include "gmcp-task-provider.h"
#include "gmcp-task-resources.h"
#include "gmcp-task-tools.h"
#include "gmcp-task-uri.h"
#include "gmcp-task-watch.h"

/* What gmcp-tasks serves: the tools that change tasks, tasks as resources, and a prompt. */

struct _GmcpTaskProvider
{
  GObject parent_instance;

  GmcpTaskStore *store;
  char *user; /* of callers that nobody verified */
  GListStore *tools;
  GListStore *resources;
  GListStore *templates;
  GListStore *prompts;
  GHashTable *subscribed; /* set of addresses */
  GmcpTaskWatch *watch;   /* NULL: nobody has subscribed */
};

static void gmcp_task_provider_tools_init (GmcpToolProviderInterface *iface);
static void gmcp_task_provider_resources_init (GmcpResourceProviderInterface *iface);
static void gmcp_task_provider_prompts_init (GmcpPromptProviderInterface *iface);

/* clang-format off */
G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpTaskProvider, gmcp_task_provider, G_TYPE_OBJECT,
  G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER, gmcp_task_provider_tools_init)
  G_IMPLEMENT_INTERFACE (GMCP_TYPE_RESOURCE_PROVIDER, gmcp_task_provider_resources_init)
  G_IMPLEMENT_INTERFACE (GMCP_TYPE_PROMPT_PROVIDER, gmcp_task_provider_prompts_init))
/* clang-format on */

static void
gmcp_task_provider_dispose (GObject *object)
{
  GmcpTaskProvider *self = GMCP_TASK_PROVIDER (object);

  g_clear_pointer (&self->watch, gmcp_task_watch_free);
  G_OBJECT_CLASS (gmcp_task_provider_parent_class)->dispose (object);
}

static void
gmcp_task_provider_finalize (GObject *object)
{
  GmcpTaskProvider *self = GMCP_TASK_PROVIDER (object);

  g_clear_object (&self->store);
  g_clear_object (&self->tools);
  g_clear_object (&self->resources);
  g_clear_object (&self->templates);
  g_clear_object (&self->prompts);
  g_hash_table_unref (self->subscribed);
  g_free (self->user);
  G_OBJECT_CLASS (gmcp_task_provider_parent_class)->finalize (object);
}

static void
gmcp_task_provider_class_init (GmcpTaskProviderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gmcp_task_provider_dispose;
  object_class->finalize = gmcp_task_provider_finalize;
}

static void
gmcp_task_provider_init (GmcpTaskProvider *self)
{
  self->tools = g_list_store_new (GMCP_TYPE_TOOL);
  self->resources = g_list_store_new (GMCP_TYPE_RESOURCE);
  self->templates = g_list_store_new (GMCP_TYPE_RESOURCE_TEMPLATE);
  self->prompts = g_list_store_new (GMCP_TYPE_PROMPT);
  self->subscribed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/* A verifier of tokens may give names that no list of tasks can have, or none. */
static gboolean
check_caller (GmcpTaskProvider *self, GmcpCaller *caller, GError **error)
{
  const char *user = gmcp_task_provider_get_user (self, caller);

  if (user != NULL)
    return gmcp_task_fields_check_user (user, error);

  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                       _ ("Nobody said whose program this is, so it has no tasks"));
  return FALSE;
}

static gboolean
check_request (GmcpTaskProvider *self, gpointer request)
{
  GmcpProviderRequest *asked = GMCP_PROVIDER_REQUEST (request);
  g_autoptr (GError) error = NULL;

  if (check_caller (self, gmcp_provider_request_get_caller (asked), &error))
    return TRUE;

  gmcp_provider_request_return_error (asked, error);
  return FALSE;
}

/* --- Tools --- */

static GListModel *
get_tools (GmcpToolProvider *provider)
{
  return G_LIST_MODEL (GMCP_TASK_PROVIDER (provider)->tools);
}

static void
call_tool (GmcpToolProvider *provider, GmcpToolCall *call)
{
  g_autoptr (GError) error = NULL;

  if (check_caller (GMCP_TASK_PROVIDER (provider), gmcp_tool_call_get_caller (call), &error))
    gmcp_task_tools_call (GMCP_TASK_PROVIDER (provider), call);
  else
    gmcp_tool_call_return_error (call, error);
}

static void
gmcp_task_provider_tools_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = get_tools;
  iface->call_tool = call_tool;
}

/* --- Resources --- */

static GListModel *
get_resources (GmcpResourceProvider *provider)
{
  return G_LIST_MODEL (GMCP_TASK_PROVIDER (provider)->resources);
}

static GListModel *
get_templates (GmcpResourceProvider *provider)
{
  return G_LIST_MODEL (GMCP_TASK_PROVIDER (provider)->templates);
}

static void
read_resource (GmcpResourceProvider *provider, GmcpResourceRequest *request)
{
  if (check_request (GMCP_TASK_PROVIDER (provider), request))
    gmcp_task_resources_read (GMCP_TASK_PROVIDER (provider), request);
}

static void
complete_variable (GmcpResourceProvider *provider, GmcpCompletionRequest *request)
{
  if (check_request (GMCP_TASK_PROVIDER (provider), request))
    gmcp_task_resources_complete (GMCP_TASK_PROVIDER (provider), request);
}

/* Clients of others are not told, though their address of the list is the same. */
static void
tell_user (GmcpTaskProvider *self, const char *uri, const char *user)
{
  GmcpResourceProvider *provider = GMCP_RESOURCE_PROVIDER (self);

  if (user == NULL)
    {
      gmcp_resource_provider_emit_resource_updated (provider, uri);
      return;
    }

  gmcp_resource_provider_emit_resource_updated_for_user (provider, uri, user);
  if (g_strcmp0 (user, self->user) == 0)
    gmcp_resource_provider_emit_resource_updated_for_user (provider, uri, NULL);
}

/* Without a user and an id every address of tasks may lead to something else now. */
static void
on_changed (const char *user, const char *id, gpointer user_data)
{
  GmcpTaskProvider *self = user_data;
  g_autoptr (GPtrArray) updated = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer text;

  g_hash_table_iter_init (&iter, self->subscribed);
  while (g_hash_table_iter_next (&iter, &text, NULL))
    {
      GmcpTaskUri uri = gmcp_task_uri_parse (text);

      if (uri.id == NULL || id == NULL || g_str_equal (uri.id, id))
        g_ptr_array_add (updated, g_strdup (text));
    }

  for (guint i = 0; i < updated->len; i++)
    tell_user (self, g_ptr_array_index (updated, i), user);
}

static void
subscribe_to (GmcpResourceProvider *provider, const char *uri)
{
  GmcpTaskProvider *self = GMCP_TASK_PROVIDER (provider);

  if (gmcp_task_uri_parse (uri).kind == GMCP_TASK_URI_KIND_NONE)
    return;

  g_hash_table_add (self->subscribed, g_strdup (uri));
  if (self->watch == NULL)
    self->watch = gmcp_task_watch_new (self->store, on_changed, self);
}

static void
unsubscribe_from (GmcpResourceProvider *provider, const char *uri)
{
  GmcpTaskProvider *self = GMCP_TASK_PROVIDER (provider);

  g_hash_table_remove (self->subscribed, uri);
  if (g_hash_table_size (self->subscribed) == 0)
    g_clear_pointer (&self->watch, gmcp_task_watch_free);
}

static void
gmcp_task_provider_resources_init (GmcpResourceProviderInterface *iface)
{
  iface->get_resources = get_resources;
  iface->get_templates = get_templates;
  iface->read = read_resource;
  iface->subscribe = subscribe_to;
  iface->unsubscribe = unsubscribe_from;
  iface->complete_variable = complete_variable;
}

/* --- Prompts --- */

static GListModel *
get_prompts (GmcpPromptProvider *provider)
{
  return G_LIST_MODEL (GMCP_TASK_PROVIDER (provider)->prompts);
}

static void
get_prompt (GmcpPromptProvider *provider, GmcpPromptRequest *request)
{
  if (check_request (GMCP_TASK_PROVIDER (provider), request))
    gmcp_task_prompt_get (GMCP_TASK_PROVIDER (provider), request);
}

static void
complete_argument (GmcpPromptProvider *provider, GmcpCompletionRequest *request)
{
  gmcp_task_prompt_complete (request);
}

static void
gmcp_task_provider_prompts_init (GmcpPromptProviderInterface *iface)
{
  iface->get_prompts = get_prompts;
  iface->get_prompt = get_prompt;
  iface->complete_argument = complete_argument;
}

/* @user is whose tasks are served to callers that nobody verified; NULL where these are not served. */
GmcpTaskProvider *
gmcp_task_provider_new (GmcpTaskStore *store, const char *user, GError **error)
{
  g_autoptr (GmcpTaskProvider) self = g_object_new (GMCP_TYPE_TASK_PROVIDER, NULL);

  self->store = g_object_ref (store);
  self->user = g_strdup (user);
  gmcp_task_resources_list (self->resources, self->templates);
  gmcp_task_prompt_list (self->prompts);
  return gmcp_task_tools_load (self->tools, error) ? g_steal_pointer (&self) : NULL;
}

GmcpTaskStore *
gmcp_task_provider_get_store (GmcpTaskProvider *self)
{
  return self->store;
}

/* Whose tasks a caller sees: never what an argument says. */
const char *
gmcp_task_provider_get_user (GmcpTaskProvider *self, GmcpCaller *caller)
{
  const char *verified = caller != NULL ? gmcp_caller_get_user (caller) : NULL;

  return verified != NULL ? verified : self->user;
}
