/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "gmcpd-names.h"
#include "gmcpd-server-tools.h"
#include "gmcpd-tools.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/json/gmcp-json.h>

/* What fits into a message of D-Bus, with room for the rest of it. */
#define MAX_RESULT_BYTES (100u * 1024 * 1024)
#define MAX_NAME_BYTES   1024

/* Between two signals of progress: a caller that does not read would have them pile up. */
#define PROGRESS_EVERY_US (G_USEC_PER_SEC / 20)

typedef struct
{
  GmcpdCall *call;
  char *server_id; /* NULL for all servers */
  char *role;      /* NULL for all tools */
} Listing;

static void
listing_free (Listing *self)
{
  g_free (self->server_id);
  g_free (self->role);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Listing, listing_free)

static void
return_text (GmcpdCall *call, const char *text)
{
  if (strlen (text) <= MAX_RESULT_BYTES)
    gmcpd_call_return (call, g_variant_new ("(s)", text));
  else
    gmcpd_call_fail (call, g_error_new_literal (GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                                                _ ("The result does not fit into a message of "
                                                   "D-Bus")));
}

static gboolean
is_listed (GmcpManager *manager, Listing *listing, GmcpTool *tool)
{
  const char *server_id = gmcp_tool_get_server_id (tool);

  if (listing->server_id != NULL)
    return g_str_equal (server_id, listing->server_id);
  return listing->role == NULL
         || gmcp_manager_permits_tool (manager, server_id, gmcp_tool_get_server_tool_name (tool),
                                       listing->role, NULL);
}

/* Whose the tool is and how its server calls it, which the name that it is called by here need not tell. */
static void
add_origin (JsonObject *described, GmcpTool *tool)
{
  JsonObject *meta = json_object_has_member (described, "_meta")
                         && JSON_NODE_HOLDS_OBJECT (json_object_get_member (described, "_meta"))
                       ? json_object_ref (json_object_get_object_member (described, "_meta"))
                       : json_object_new ();

  json_object_set_string_member (meta, "org.gmcp/server", gmcp_tool_get_server_id (tool));
  json_object_set_string_member (meta, "org.gmcp/tool", gmcp_tool_get_server_tool_name (tool));
  json_object_set_object_member (described, "_meta", meta);
}

/* Some of the tools, in the form of the list of all. */
static char *
dup_tools_of (GmcpManager *manager, Listing *listing)
{
  GListModel *tools = gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (manager));
  g_autofree char *json
    = gmcp_tool_provider_dup_tools_json (GMCP_TOOL_PROVIDER (manager), GMCP_TOOLS_FORMAT_MCP);
  g_autoptr (JsonNode) all = NULL;
  JsonArray *array;

  all = gmcp_json_parse (json, -1, NULL);
  array = json_node_get_array (all);
  for (guint i = json_array_get_length (array); i-- > 0;)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);

      if (is_listed (manager, listing, tool))
        add_origin (json_array_get_object_element (array, i), tool);
      else
        json_array_remove_element (array, i);
    }
  return gmcp_json_print (all, NULL);
}

static void
return_tools (GmcpManager *manager, Listing *listing)
{
  g_autofree char *tools = dup_tools_of (manager, listing);

  return_text (listing->call, tools);
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Listing) listing = user_data;
  GError *error = NULL;

  if (!gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (object), result, &error))
    {
      gmcpd_call_fail (listing->call, error);
      return;
    }

  return_tools (GMCP_MANAGER (object), listing);
}

static void
on_refreshed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Listing) listing = user_data;
  GError *error = NULL;

  if (gmcpd_server_tools_refresh_finish (GMCP_MANAGER (object), result, &error))
    return_tools (GMCP_MANAGER (object), listing);
  else
    gmcpd_call_fail (listing->call, error);
}

static void
begin_listing (GmcpManager *manager, GmcpdCall *call, const char *server_id, const char *role)
{
  g_autoptr (Listing) listing = g_new (Listing, 1);
  GmcpManagedServer *server
    = server_id != NULL ? gmcp_manager_get_server (manager, server_id) : NULL;

  *listing = (Listing){ call, g_strdup (server_id), g_strdup (role) };
  if (server != NULL)
    gmcpd_server_tools_refresh_async (manager, server, gmcpd_call_get_cancellable (call),
                                      on_refreshed, g_steal_pointer (&listing));
  else
    gmcp_tool_provider_load_async (GMCP_TOOL_PROVIDER (manager), gmcpd_call_get_cancellable (call),
                                   on_loaded, g_steal_pointer (&listing));
}

void
gmcpd_tools_list (GmcpManager *manager, GmcpdCall *call, const char *server_id)
{
  begin_listing (manager, call, *server_id != '\0' ? server_id : NULL, NULL);
}

void
gmcpd_tools_list_permitted (GmcpManager *manager, GmcpdCall *call, const char *role)
{
  begin_listing (manager, call, NULL, role);
}

/* A call under way; the options are what its questions are known by. */
typedef struct
{
  const GmcpdToolsDoor *door;
  GmcpdCall *call;
  GmcpCallOptions *options;
  gboolean asks;
  char *progress; /* by which the caller knows the call; NULL where it is told nothing */
  gint64 told_us; /* when it was told last */
} Calling;

static void
calling_free (Calling *self)
{
  gmcpd_questions_remove_call (self->door->questions, self->call);
  g_signal_handlers_disconnect_by_data (self->options, self);
  g_object_unref (self->options);
  g_free (self->progress);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Calling, calling_free)

static void
on_called (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Calling) calling = user_data;
  GmcpdCall *call = calling->call;
  GError *error = NULL;
  g_autofree char *json = NULL;
  g_autoptr (GmcpToolResult) answer
    = gmcp_tool_provider_call_tool_json_finish (GMCP_TOOL_PROVIDER (object), result, &error);

  g_clear_pointer (&calling, calling_free);
  if (answer == NULL)
    {
      gmcpd_call_fail (call, error);
      return;
    }
  json = gmcp_tool_result_dup_json (answer);
  return_text (call, json);
}

static void
on_progress (GmcpCallOptions *options,
             double progress,
             double total,
             const char *message,
             gpointer data)
{
  Calling *self = data;
  gint64 now_us = g_get_monotonic_time ();
  g_autofree char *text = NULL;

  if (self->told_us != 0 && now_us - self->told_us < PROGRESS_EVERY_US)
    return;
  self->told_us = now_us;
  text = gmcpd_names_dup_text (message != NULL ? message : "");
  gmcpd_call_emit (self->call, "Progress",
                   g_variant_new ("(sdds)", self->progress, progress, total, text));
}

/* A second text takes the place of the first. */
static void
follow_progress (Calling *self, const char *progress)
{
  if (self->progress == NULL)
    g_signal_connect (self->options, "progress", G_CALLBACK (on_progress), self);
  g_free (self->progress);
  self->progress = g_strdup (progress);
}

static gboolean
read_option (Calling *self, const char *key, GVariant *value)
{
  if (self->door->takes_role && g_str_equal (key, "role")
      && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    {
      gmcp_call_options_set_role (self->options, g_variant_get_string (value, NULL));
    }
  else if (g_str_equal (key, "timeout-ms") && g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32))
    {
      gmcp_call_options_set_timeout_ms (self->options, g_variant_get_uint32 (value));
      gmcp_call_options_set_max_timeout_ms (self->options, g_variant_get_uint32 (value));
    }
  else if (g_str_equal (key, "asks") && g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    self->asks = g_variant_get_boolean (value);
  else if (g_str_equal (key, "progress") && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING)
           && g_variant_get_size (value) <= MAX_NAME_BYTES)
    follow_progress (self, g_variant_get_string (value, NULL));
  else
    return FALSE;
  return TRUE;
}

/* A role is no option where the door has one. */
static gboolean
read_options (Calling *self, GVariant *options, GError **error)
{
  GVariantIter iter;
  const char *key;
  GVariant *value;

  g_variant_iter_init (&iter, options);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
    if (!read_option (self, key, value))
      {
        g_set_error_literal (
          error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
          self->door->takes_role
            ? _ (
              "The options of a call are “role” (s), “timeout-ms” (u), “asks” (b) and “progress” (s)")
            : _ ("The options of a call are “timeout-ms” (u), “asks” (b) and “progress” (s)"));
        g_variant_unref (value);
        return FALSE;
      }
  return TRUE;
}

/* What the caller is not asked is asked whoever looks. */
static void
choose_who_is_asked (Calling *self)
{
  const GmcpdToolsDoor *door = self->door;
  gboolean may_permit = gmcpd_questions_has_permissions (door->questions);
  GmcpdAsked asked = may_permit ? GMCPD_ASKED_ALL : GMCPD_ASKED_FOR_OTHERS;

  if (self->asks)
    {
      gmcpd_questions_add_call (door->questions, self->options, self->call);
      asked |= may_permit ? GMCPD_ASKED_WITHHELD : GMCPD_ASKED_PERMISSION;
    }
  gmcpd_open_questions_add_call (door->open_questions, self->options, asked);
}

void
gmcpd_tools_call (const GmcpdToolsDoor *door,
                  GmcpdCall *call,
                  const char *program,
                  const char *role,
                  const char *name,
                  const char *arguments_json,
                  GVariant *options)
{
  g_autoptr (Calling) calling = g_new0 (Calling, 1);
  GmcpCallOptions *call_options = gmcp_call_options_new ();
  GError *error = NULL;

  *calling = (Calling){ .door = door, .call = call, .options = call_options };
  gmcp_call_options_set_client (call_options, program);
  if (strlen (name) > MAX_NAME_BYTES)
    g_set_error_literal (&error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL,
                         _ ("No tool has a name of that length"));
  if (error != NULL || !read_options (calling, options, &error))
    {
      g_clear_pointer (&calling, calling_free);
      gmcpd_call_fail (call, error);
      return;
    }
  choose_who_is_asked (calling);
  if (role != NULL)
    gmcp_call_options_set_role (call_options, role);
  gmcp_tool_provider_call_tool_json_async (GMCP_TOOL_PROVIDER (door->manager), name, arguments_json,
                                           call_options, gmcpd_call_get_cancellable (call),
                                           on_called, g_steal_pointer (&calling));
}
