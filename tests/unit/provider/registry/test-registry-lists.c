/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/registry/gmcp-tool-registry.h>

#include "gmcp-late-names-private.h"
#include "gmcp-prompt-provider-private.h"
#include "gmcp-resource-provider-private.h"
#include "list-provider.h"
#include "notes-provider.h"
#include "server-fixture.h"
#include "unit-test.h"

/* The resources and prompts of a registry: those of the providers that it has. */

typedef struct
{
  GmcpToolRegistry *registry;
  NotesProvider *first;
  NotesProvider *second;
} Fixture;

static void
add_provider (Fixture *fixture, const char *id, gpointer provider)
{
  g_autoptr (GError) error = NULL;

  gmcp_tool_registry_add_provider (fixture->registry, id, provider, &error);
  g_assert_no_error (error);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->registry = gmcp_tool_registry_new ();
  fixture->first = notes_provider_new ();
  fixture->second = notes_provider_new ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (fixture->registry);
  g_assert_finalize_object (fixture->first);
  g_assert_finalize_object (fixture->second);
}

/* The names of what is listed. */
static void
assert_lists (GListModel *list, const char *expected)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (GmcpDefinition) item = g_list_model_get_item (list, i);

      g_string_append_printf (names, "%s%s", i > 0 ? " " : "", gmcp_definition_get_name (item));
    }
  g_assert_cmpstr (names->str, ==, expected);
}

static GListModel *
get_resources (Fixture *fixture)
{
  return gmcp_resource_provider_get_resources (GMCP_RESOURCE_PROVIDER (fixture->registry));
}

static GListModel *
get_prompts (Fixture *fixture)
{
  return gmcp_prompt_provider_get_prompts (GMCP_PROMPT_PROVIDER (fixture->registry));
}

static void
add_resource (NotesProvider *provider, const char *uri, const char *name)
{
  g_autoptr (GmcpResource) resource = gmcp_resource_new (uri, name, NULL);

  g_list_store_append (notes_provider_get_resource_store (provider), resource);
}

static char *
read_text (Fixture *fixture, const char *uri, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GmcpResourceResult) read = NULL;

  gmcp_resource_provider_read_async (GMCP_RESOURCE_PROVIDER (fixture->registry), uri, NULL, NULL,
                                     list_provider_store_result, &result);
  read = gmcp_resource_provider_read_finish (GMCP_RESOURCE_PROVIDER (fixture->registry),
                                             list_provider_wait (&result), error);
  return read != NULL ? gmcp_resource_result_dup_text (read) : NULL;
}

static char *
get_prompt_text (Fixture *fixture, const char *name, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GmcpPromptResult) prompt = NULL;
  g_autoptr (GHashTable) arguments = g_hash_table_new (g_str_hash, g_str_equal);

  g_hash_table_insert (arguments, (gpointer) "name", (gpointer) "Ann");
  gmcp_prompt_provider_get_prompt_async (GMCP_PROMPT_PROVIDER (fixture->registry), name, arguments,
                                         NULL, NULL, list_provider_store_result, &result);
  prompt = gmcp_prompt_provider_get_prompt_finish (GMCP_PROMPT_PROVIDER (fixture->registry),
                                                   list_provider_wait (&result), error);
  return prompt != NULL ? gmcp_prompt_result_dup_json (prompt) : NULL;
}

static guint
count_requests (NotesProvider *provider)
{
  return notes_provider_get_users (provider)->len;
}

static void
test_offers (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ListProvider) tools = list_provider_new ();

  g_test_summary ("a registry has what its providers have, and no more");
  add_provider (fixture, "tools", tools);
  g_assert_cmpint (gmcp_resource_provider_get_offers (fixture->registry), ==, 0);
  g_assert_cmpint (gmcp_prompt_provider_get_offers (fixture->registry), ==, 0);
  g_assert_false (
    gmcp_resource_provider_can_subscribe (GMCP_RESOURCE_PROVIDER (fixture->registry)));

  add_provider (fixture, "notes", fixture->first);
  g_assert_cmpint (gmcp_resource_provider_get_offers (fixture->registry), ==,
                   GMCP_OFFERS_ITEMS | GMCP_OFFERS_UPDATES | GMCP_OFFERS_COMPLETION);
  g_assert_cmpint (gmcp_prompt_provider_get_offers (fixture->registry), ==,
                   GMCP_OFFERS_ITEMS | GMCP_OFFERS_COMPLETION);
  g_assert_true (gmcp_resource_provider_can_subscribe (GMCP_RESOURCE_PROVIDER (fixture->registry)));

  g_assert_true (gmcp_tool_registry_remove_provider (fixture->registry, "notes"));
  g_assert_cmpint (gmcp_resource_provider_get_offers (fixture->registry), ==, 0);
  g_assert_true (gmcp_tool_registry_remove_provider (fixture->registry, "tools"));
}

static void
count_change (GListModel *list, guint position, guint n_removed, guint n_added, gpointer n_changes)
{
  ++*(guint *) n_changes;
}

static void
test_resources (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *unlisted = NULL;
  guint n_changes = 0;

  g_test_summary ("each address once; what nobody lists is asked of one after the other");
  add_provider (fixture, "first", fixture->first);
  assert_lists (get_resources (fixture), "One Two");
  g_signal_connect (get_resources (fixture), "items-changed", G_CALLBACK (count_change),
                    &n_changes);
  add_provider (fixture, "second", fixture->second);
  assert_lists (get_resources (fixture), "One Two");
  assert_lists (gmcp_resource_provider_get_templates (GMCP_RESOURCE_PROVIDER (fixture->registry)),
                "Notes");
  g_assert_cmpuint (n_changes, ==, 0);
  add_resource (fixture->second, "other:1", "Other");
  add_resource (fixture->first, "note:3", "Three");
  assert_lists (get_resources (fixture), "One Two Three Other");
  g_assert_cmpuint (n_changes, ==, 2);

  text = read_text (fixture, "note:1", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "one");
  g_assert_cmpuint (count_requests (fixture->first), ==, 1);
  g_assert_cmpuint (count_requests (fixture->second), ==, 0);

  g_assert_null (read_text (fixture, "other:1", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_cmpuint (count_requests (fixture->first), ==, 1);
  g_assert_cmpuint (count_requests (fixture->second), ==, 1);

  g_assert_null (read_text (fixture, "nobody:1", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_cmpuint (count_requests (fixture->first), ==, 2);
  g_assert_cmpuint (count_requests (fixture->second), ==, 2);

  g_test_message ("the second one has the address once the first has gone");
  g_assert_true (gmcp_tool_registry_remove_provider (fixture->registry, "first"));
  assert_lists (get_resources (fixture), "One Two Other");
  unlisted = read_text (fixture, "note:1", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (unlisted, ==, "one");
  g_assert_cmpuint (count_requests (fixture->first), ==, 2);

  g_assert_true (gmcp_tool_registry_remove_provider (fixture->registry, "second"));
  assert_lists (get_resources (fixture), "");
  g_assert_null (read_text (fixture, "note:1", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

static void
assert_subscribed (NotesProvider *provider, const char *expected)
{
  GPtrArray *subscribed = notes_provider_get_subscribed (provider);
  g_autoptr (GString) uris = g_string_new (NULL);

  for (guint i = 0; i < subscribed->len; i++)
    g_string_append_printf (uris, "%s%s", i > 0 ? " " : "",
                            (const char *) g_ptr_array_index (subscribed, i));
  g_assert_cmpstr (uris->str, ==, expected);
}

static void
note_update (GmcpResourceProvider *provider, const char *uri, gpointer data)
{
  g_string_append_printf (data, "%s ", uri);
}

static void
note_user_update (GmcpResourceProvider *provider, const char *uri, const char *user, gpointer data)
{
  g_string_append_printf (data, "%s of %s ", uri, user);
}

static void
test_subscriptions (Fixture *fixture, gconstpointer data)
{
  GmcpResourceProvider *registry = GMCP_RESOURCE_PROVIDER (fixture->registry);
  GmcpResourceProvider *first = GMCP_RESOURCE_PROVIDER (fixture->first);
  GmcpResourceProvider *second = GMCP_RESOURCE_PROVIDER (fixture->second);
  g_autoptr (GString) updates = g_string_new (NULL);

  g_test_summary ("a subscription goes to who has the resource, and moves with it");
  g_signal_connect (registry, "resource-updated", G_CALLBACK (note_update), updates);
  g_signal_connect (registry, "resource-updated-for-user", G_CALLBACK (note_user_update), updates);
  add_provider (fixture, "first", fixture->first);
  add_provider (fixture, "second", fixture->second);
  gmcp_resource_provider_subscribe (registry, "note:1");
  gmcp_resource_provider_subscribe (registry, "later:1");
  assert_subscribed (fixture->first, "note:1 later:1");
  assert_subscribed (fixture->second, "later:1");

  gmcp_resource_provider_emit_resource_updated (first, "note:1");
  gmcp_resource_provider_emit_resource_updated (second, "note:1");
  gmcp_resource_provider_emit_resource_updated_for_user (first, "note:1", "ann");
  g_assert_cmpstr (updates->str, ==, "note:1 note:1 of ann ");
  g_string_truncate (updates, 0);

  add_resource (fixture->second, "later:1", "Later");
  assert_subscribed (fixture->first, "note:1");
  assert_subscribed (fixture->second, "later:1");
  gmcp_resource_provider_emit_resource_updated (second, "later:1");
  gmcp_resource_provider_emit_resource_updated (first, "later:1");
  g_assert_cmpstr (updates->str, ==, "later:1 ");

  g_assert_true (gmcp_tool_registry_remove_provider (fixture->registry, "first"));
  assert_subscribed (fixture->first, "");
  assert_subscribed (fixture->second, "later:1 note:1");
  gmcp_resource_provider_unsubscribe (registry, "note:1");
  gmcp_resource_provider_unsubscribe (registry, "note:1");
  assert_subscribed (fixture->second, "later:1");
  gmcp_resource_provider_unsubscribe (registry, "later:1");
  assert_subscribed (fixture->second, "");
  gmcp_resource_provider_emit_resource_updated (first, "note:1");
  g_assert_cmpstr (updates->str, ==, "later:1 ");
  g_assert_true (gmcp_tool_registry_remove_provider (fixture->registry, "second"));
}

static void
test_prompts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpPrompt) renamed = NULL;
  g_autoptr (GmcpPrompt) same = NULL;
  g_autoptr (GmcpPrompt) added = gmcp_prompt_new ("bye", NULL, NULL);
  g_autofree char *text = NULL;

  g_test_summary ("prompts are named as tools are, and keep their names");
  add_provider (fixture, "first", fixture->first);
  assert_lists (get_prompts (fixture), "greet");
  add_provider (fixture, "second", fixture->second);
  assert_lists (get_prompts (fixture), "greet second__greet");
  renamed = g_list_model_get_item (get_prompts (fixture), 1);
  g_assert_cmpuint (gmcp_prompt_get_n_arguments (renamed), ==, 1);

  text = get_prompt_text (fixture, "second__greet", &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (text, "Greet Ann"));
  g_assert_cmpuint (count_requests (fixture->first), ==, 0);
  g_assert_cmpuint (count_requests (fixture->second), ==, 1);
  g_assert_null (get_prompt_text (fixture, "nobody", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);

  g_list_store_insert (notes_provider_get_prompt_store (fixture->second), 0, added);
  assert_lists (get_prompts (fixture), "greet bye second__greet");
  same = g_list_model_get_item (get_prompts (fixture), 2);
  g_assert_true (same == renamed);
  g_assert_true (gmcp_tool_registry_remove_provider (fixture->registry, "first"));
  assert_lists (get_prompts (fixture), "bye second__greet");
  g_assert_true (gmcp_tool_registry_remove_provider (fixture->registry, "second"));
  assert_lists (get_prompts (fixture), "");
}

static void
assert_completes (GmcpCompletionResult *result, const char *expected)
{
  g_autofree char *values = g_strjoinv (" ", (char **) gmcp_completion_result_get_values (result));

  g_assert_cmpstr (values, ==, expected);
}

static void
test_completion (Fixture *fixture, gconstpointer data)
{
  GmcpPromptProvider *prompts = GMCP_PROMPT_PROVIDER (fixture->registry);
  GmcpResourceProvider *resources = GMCP_RESOURCE_PROVIDER (fixture->registry);
  static const struct
  {
    const char *prompt;
    const char *uri_template;
    const char *expected;
  } cases[] = {
    { "second__greet", NULL, "ann anton" },
    { "nobody", NULL, "" },
    { NULL, "note:{n}", "1 2" },
    { NULL, "nobody:{n}", "" },
  };

  add_provider (fixture, "first", fixture->first);
  add_provider (fixture, "second", fixture->second);
  assert_lists (get_prompts (fixture), "greet second__greet");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GmcpCompletionResult) completion = NULL;
      g_autoptr (GError) error = NULL;

      if (cases[i].prompt != NULL)
        {
          gmcp_prompt_provider_complete_argument_async (prompts, cases[i].prompt, "name", "", NULL,
                                                        NULL, NULL, list_provider_store_result,
                                                        &result);
          completion = gmcp_prompt_provider_complete_argument_finish (
            prompts, list_provider_wait (&result), &error);
        }
      else
        {
          gmcp_resource_provider_complete_variable_async (resources, cases[i].uri_template, "n", "",
                                                          NULL, NULL, NULL,
                                                          list_provider_store_result, &result);
          completion = gmcp_resource_provider_complete_variable_finish (
            resources, list_provider_wait (&result), &error);
        }
      g_assert_no_error (error);
      assert_completes (completion, cases[i].expected);
    }
  g_assert_cmpuint (count_requests (fixture->first), ==, 1);
  g_assert_cmpuint (count_requests (fixture->second), ==, 1);
  gmcp_tool_registry_remove_provider (fixture->registry, "first");
  gmcp_tool_registry_remove_provider (fixture->registry, "second");
}

/* A provider whose only prompt is not there before somebody looks for it. */

#define LATE_TYPE_PROVIDER (late_provider_get_type ())
G_DECLARE_FINAL_TYPE (LateProvider, late_provider, LATE, PROVIDER, GObject)

struct _LateProvider
{
  GObject parent_instance;

  GListStore *tools;
  GListStore *prompts;
  GString *looked_for;
};

static GListModel *
late_provider_get_tools (GmcpToolProvider *provider)
{
  return G_LIST_MODEL (LATE_PROVIDER (provider)->tools);
}

static void
late_provider_look_for (GmcpToolProvider *provider,
                        GmcpLateKind kind,
                        const char *name,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  LateProvider *self = LATE_PROVIDER (provider);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_string_append_printf (self->looked_for, "%s ", name);
  if (g_str_equal (name, "broken"))
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "cannot be reached");
  else
    {
      g_autoptr (GmcpPrompt) prompt = gmcp_prompt_new ("greet", NULL, NULL);

      if (g_str_equal (name, "greet"))
        g_list_store_append (self->prompts, prompt);
      g_task_return_pointer (task, NULL, NULL);
    }
}

static void
late_tools_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = late_provider_get_tools;
  gmcp_tool_provider_set_look_for (iface, late_provider_look_for);
}

static GListModel *
late_provider_get_prompts (GmcpPromptProvider *provider)
{
  return G_LIST_MODEL (LATE_PROVIDER (provider)->prompts);
}

static void
late_provider_get_prompt (GmcpPromptProvider *provider, GmcpPromptRequest *request)
{
  g_autoptr (GmcpPromptResult) result
    = gmcp_prompt_result_new_text (NULL, gmcp_prompt_request_get_name (request));

  gmcp_prompt_request_return_result (request, result);
}

static void
late_prompts_init (GmcpPromptProviderInterface *iface)
{
  iface->get_prompts = late_provider_get_prompts;
  iface->get_prompt = late_provider_get_prompt;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (LateProvider,
                               late_provider,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER, late_tools_init)
                                 G_IMPLEMENT_INTERFACE (GMCP_TYPE_PROMPT_PROVIDER,
                                                        late_prompts_init))

static void
late_provider_finalize (GObject *object)
{
  LateProvider *self = LATE_PROVIDER (object);

  g_object_unref (self->tools);
  g_object_unref (self->prompts);
  g_string_free (self->looked_for, TRUE);

  G_OBJECT_CLASS (late_provider_parent_class)->finalize (object);
}

static void
late_provider_class_init (LateProviderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = late_provider_finalize;
}

static void
late_provider_init (LateProvider *self)
{
  self->tools = g_list_store_new (GMCP_TYPE_TOOL);
  self->prompts = g_list_store_new (GMCP_TYPE_PROMPT);
  self->looked_for = g_string_new (NULL);
}

static void
test_late (Fixture *fixture, gconstpointer data)
{
  LateProvider *late = g_object_new (LATE_TYPE_PROVIDER, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("a name that is not there is looked for, also as its provider has it");
  add_provider (fixture, "first", fixture->first);
  add_provider (fixture, "late", late);
  assert_lists (get_prompts (fixture), "greet");
  text = get_prompt_text (fixture, "late__greet", &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (text, "\"greet\""));
  g_assert_cmpstr (late->looked_for->str, ==, "late__greet greet ");
  assert_lists (get_prompts (fixture), "greet late__greet");

  g_assert_null (get_prompt_text (fixture, "broken", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);

  g_assert_true (gmcp_tool_registry_remove_provider (fixture->registry, "late"));
  g_assert_true (gmcp_tool_registry_remove_provider (fixture->registry, "first"));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (late);
}

/* A provider whose list makes each object when it is asked for, and has the same address three times. */

#define FRESH_TYPE_PROVIDER (fresh_provider_get_type ())
G_DECLARE_FINAL_TYPE (FreshProvider, fresh_provider, FRESH, PROVIDER, GObject)

struct _FreshProvider
{
  GObject parent_instance;

  GListStore *tools;
};

static GType
fresh_provider_get_item_type (GListModel *list)
{
  return GMCP_TYPE_RESOURCE;
}

static guint
fresh_provider_get_n_items (GListModel *list)
{
  return 4;
}

static gpointer
fresh_provider_get_item (GListModel *list, guint position)
{
  if (position >= fresh_provider_get_n_items (list))
    return NULL;
  return position < 3 ? gmcp_resource_new ("note:same", "Same", NULL)
                      : gmcp_resource_new ("note:other", "Other", NULL);
}

static void
fresh_list_init (GListModelInterface *iface)
{
  iface->get_item_type = fresh_provider_get_item_type;
  iface->get_n_items = fresh_provider_get_n_items;
  iface->get_item = fresh_provider_get_item;
}

static GListModel *
fresh_provider_get_tools (GmcpToolProvider *provider)
{
  return G_LIST_MODEL (FRESH_PROVIDER (provider)->tools);
}

static void
fresh_tools_init (GmcpToolProviderInterface *iface)
{
  iface->get_tools = fresh_provider_get_tools;
}

static GListModel *
fresh_provider_get_resources (GmcpResourceProvider *provider)
{
  return G_LIST_MODEL (provider);
}

static void
fresh_resources_init (GmcpResourceProviderInterface *iface)
{
  iface->get_resources = fresh_provider_get_resources;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (FreshProvider,
                               fresh_provider,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, fresh_list_init)
                                 G_IMPLEMENT_INTERFACE (GMCP_TYPE_TOOL_PROVIDER, fresh_tools_init)
                                   G_IMPLEMENT_INTERFACE (GMCP_TYPE_RESOURCE_PROVIDER,
                                                          fresh_resources_init))

static void
fresh_provider_finalize (GObject *object)
{
  g_object_unref (FRESH_PROVIDER (object)->tools);

  G_OBJECT_CLASS (fresh_provider_parent_class)->finalize (object);
}

static void
fresh_provider_class_init (FreshProviderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fresh_provider_finalize;
}

static void
fresh_provider_init (FreshProvider *self)
{
  self->tools = g_list_store_new (GMCP_TYPE_TOOL);
}

static void
test_fresh_objects (Fixture *fixture, gconstpointer data)
{
  FreshProvider *fresh = g_object_new (FRESH_TYPE_PROVIDER, NULL);

  g_test_summary ("a list that holds no objects may have an address twice");
  add_provider (fixture, "fresh", fresh);
  assert_lists (get_resources (fixture), "Same Other");
  g_list_model_items_changed (G_LIST_MODEL (fresh), 0, 4, 4);
  assert_lists (get_resources (fixture), "Same Other");
  g_assert_true (gmcp_tool_registry_remove_provider (fixture->registry, "fresh"));
  g_assert_finalize_object (fresh);
}

static void
remove_second (GListModel *list, guint position, guint n_removed, guint n_added, Fixture *fixture)
{
  g_signal_handlers_disconnect_by_func (list, remove_second, fixture);
  gmcp_tool_registry_remove_provider (fixture->registry, "second");
}

static void
test_reentrant (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a provider goes while its list changes");
  add_provider (fixture, "first", fixture->first);
  add_provider (fixture, "second", fixture->second);
  gmcp_resource_provider_subscribe (GMCP_RESOURCE_PROVIDER (fixture->registry), "other:1");
  g_signal_connect (get_resources (fixture), "items-changed", G_CALLBACK (remove_second), fixture);
  add_resource (fixture->second, "other:1", "Other");
  assert_lists (get_resources (fixture), "One Two");
  assert_subscribed (fixture->first, "other:1");
  assert_subscribed (fixture->second, "");
}

static void
test_served (Fixture *fixture, gconstpointer data)
{
  ServerFixture server = { NULL };

  g_test_summary ("a server offers resources and prompts where a provider of its registry does");
  gmcp_tool_registry_remove_provider (fixture->registry, "nobody");
  server_fixture_set_up_with (&server, GMCP_TOOL_PROVIDER (fixture->registry));
  server_fixture_send (
    &server, "{'jsonrpc':'2.0','id':1,'method':'resources/list','params':{" MODERN_META "}}");
  gmcp_json_doc_unref (server_fixture_expect_error (&server, "1", GMCP_RPC_ERROR_METHOD_NOT_FOUND));

  add_provider (fixture, "first", fixture->first);
  server_fixture_send (&server, "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{"
                                "'protocolVersion':'2025-11-25','capabilities':{},"
                                "'clientInfo':{'name':'hand','version':'2'}}}");
  server_fixture_expect (&server,
                         "{'jsonrpc':'2.0','id':1,'result':{'protocolVersion':'2025-11-25',"
                         "'capabilities':{'tools':{'listChanged':true},'logging':{},"
                         "'resources':{'subscribe':true,'listChanged':true},"
                         "'prompts':{'listChanged':true},'completions':{}},"
                         "'serverInfo':{'name':'test','title':'Test','version':'1.0'}}}");
  server_fixture_send (&server, "{'jsonrpc':'2.0','id':2,'method':'resources/read','params':{"
                                "'uri':'note:1'}}");
  server_fixture_expect (&server, "{'jsonrpc':'2.0','id':2,'result':{'contents':[{'uri':'note:1',"
                                  "'mimeType':'text/plain','text':'one'}]}}");
  server_fixture_send (&server, "{'jsonrpc':'2.0','id':3,'method':'resources/read','params':{"
                                "'uri':'nobody:1'}}");
  gmcp_json_doc_unref (server_fixture_expect_error (&server, "3", -32002));
  server_fixture_tear_down (&server, NULL);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define add(path, func) g_test_add ("/registry-lists/" path, Fixture, NULL, set_up, func, tear_down)
  add ("offers", test_offers);
  add ("resources", test_resources);
  add ("subscriptions", test_subscriptions);
  add ("prompts", test_prompts);
  add ("completion", test_completion);
  add ("late", test_late);
  add ("fresh-objects", test_fresh_objects);
  add ("reentrant", test_reentrant);
  add ("served", test_served);
#undef add

  return g_test_run ();
}
