/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gathered-lists-private.h"
#include "gmcp-manager-config-private.h"
#include "gmcp-manager-late-names-private.h"
#include "gmcp-manager-lists-private.h"
#include "gmcp-manager-servers-private.h"
#include "gmcp-tool-access-private.h"
#include "gmcp-waiting-call-private.h"

#include <gmcp/core/gmcp-error.h>

/* Names that no server lists, of which some have not answered yet. */

typedef struct
{
  GmcpLateKind kind;
  char *name;
  char *role;               /* nullable */
  guint n_asked;            /* servers that are waited for */
  GmcpManagedServer *named; /* nullable: the one that must have it */
  GError *error;            /* why that one did not answer */
} Looking;

static void
looking_free (gpointer data)
{
  Looking *looking = data;

  g_free (looking->name);
  g_free (looking->role);
  g_clear_object (&looking->named);
  g_clear_error (&looking->error);
  g_free (looking);
}

GmcpManagedServer *
gmcp_manager_find_named_server (GmcpManager *self, const char *name)
{
  gboolean is_sure;
  const char *rest;
  GmcpManagedServer *server = gmcp_name_scope_find_server (
    &gmcp_manager_get_call_router (self)->scope, name, &is_sure, &rest);

  return is_sure ? server : NULL;
}

/* That nothing is called so is for the caller to see. */
static gboolean
is_about_name (const GError *error)
{
  return g_error_matches (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL)
         || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_AMBIGUOUS_TOOL)
         || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED)
         || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_TOOL_CHANGED);
}

/* A tool that is not as it was approved. */
static GmcpTool *
dup_held (GmcpManager *self, const char *name, const char *role)
{
  GmcpToolCatalog *catalog = gmcp_manager_get_catalog (self);
  g_auto (GmcpPolicyDecision) decision = { 0 };
  GmcpToolName found;

  if (!gmcp_tool_access_can_ask_held (gmcp_manager_get_tool_access (self))
      || !gmcp_tool_catalog_find (catalog, name, role, &found, NULL))
    return NULL;

  gmcp_tool_catalog_judge (catalog, found.data, role, &decision);
  return decision.held ? g_object_ref (gmcp_catalog_entry_get_tool (found.data)) : NULL;
}

/* Whatever a server has that needs to be told something before it can start. Nothing is known of the tool but its
 * name. */
static GmcpTool *
dup_unknown (GmcpManager *self, const char *name, const char *role)
{
  const GmcpNameScope *scope = &gmcp_manager_get_call_router (self)->scope;
  gboolean is_sure;
  const char *tool;
  GmcpManagedServer *server = gmcp_name_scope_find_server (scope, name, &is_sure, &tool);

  if (!gmcp_manager_can_request_config_input (self) || server == NULL || !is_sure || *tool == '\0'
      || gmcp_managed_server_is_ready (server)
      || gmcp_tool_catalog_find (gmcp_manager_get_catalog (self), name, role,
                                 &(GmcpToolName){ NULL }, NULL)
      || !gmcp_tool_access_may_reach (gmcp_manager_get_tool_access (self),
                                      gmcp_managed_server_get_id (server), role)
      || !gmcp_manager_lacks_input (self, gmcp_managed_server_get_config (server)))
    return NULL;
  return gmcp_tool_new (name, NULL, NULL, NULL);
}

static gboolean
return_askable (GTask *task)
{
  GmcpManager *self = g_task_get_source_object (task);
  Looking *looking = g_task_get_task_data (task);
  GmcpTool *tool = dup_held (self, looking->name, looking->role);

  if (tool == NULL)
    tool = dup_unknown (self, looking->name, looking->role);
  if (tool != NULL)
    g_task_return_pointer (task, tool, g_object_unref);
  return tool != NULL;
}

static void
return_unlisted (GTask *task)
{
  if (!return_askable (task))
    g_task_return_pointer (task, NULL, NULL);
}

static void
on_tool_found (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  g_autoptr (GmcpTool) tool G_GNUC_UNUSED
    = gmcp_manager_find_tool_finish (GMCP_MANAGER (object), result, &error);

  if (error == NULL || is_about_name (error))
    {
      g_clear_error (&error);
      return_unlisted (task);
    }
  else
    {
      g_task_return_error (task, error);
    }
}

/* Takes the task that a server was asked for. */
static void
one_answered (GTask *task)
{
  g_autoptr (GTask) owned G_GNUC_UNUSED = task;
  Looking *looking = g_task_get_task_data (task);

  if (--looking->n_asked > 0)
    return;

  if (looking->error == NULL && gmcp_manager_is_closed (g_task_get_source_object (task)))
    looking->error = gmcp_manager_closed_error ();
  if (looking->error != NULL)
    g_task_return_error (task, g_steal_pointer (&looking->error));
  else
    g_task_return_pointer (task, NULL, NULL);
}

static void
on_lists (GObject *object, GAsyncResult *result, gpointer data)
{
  GTask *task = data;
  Looking *looking = g_task_get_task_data (task);
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);

  gmcp_gathered_lists_ask_server_finish (server, result,
                                         server == looking->named ? &looking->error : NULL);
  one_answered (task);
}

static gboolean
is_asked (GmcpManager *self, GmcpManagedServer *server, const char *role)
{
  return gmcp_manager_shows_server (self, server)
         && gmcp_tool_access_check_reach (gmcp_manager_get_tool_access (self),
                                          gmcp_managed_server_get_id (server), role, NULL);
}

static void
ask_for_lists (GTask *task)
{
  GmcpManager *self = g_task_get_source_object (task);
  Looking *looking = g_task_get_task_data (task);
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (gmcp_manager_get_server_table (self));

  if (looking->kind == GMCP_LATE_PROMPT)
    g_set_object (&looking->named, gmcp_manager_find_named_server (self, looking->name));
  looking->n_asked = 1;
  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if ((looking->named != NULL && looking->named != server)
          || !is_asked (self, server, looking->role))
        continue;
      looking->n_asked++;
      gmcp_gathered_lists_ask_server_async (gmcp_manager_get_gathered_lists (self), server,
                                            g_task_get_cancellable (task), on_lists,
                                            g_object_ref (task));
    }
  one_answered (g_object_ref (task));
}

/* Where a person is asked first, the call waits for that. */
static void
find_tool (GTask *task)
{
  Looking *looking = g_task_get_task_data (task);

  if (!return_askable (task))
    gmcp_manager_find_tool_for_async (g_task_get_source_object (task), looking->name, looking->role,
                                      g_task_get_cancellable (task), on_tool_found,
                                      g_object_ref (task));
}

void
gmcp_manager_look_for_async (GmcpManager *self,
                             GmcpLateKind kind,
                             const char *name,
                             const char *role,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  Looking *looking;

  g_task_set_source_tag (task, gmcp_manager_look_for_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  looking = g_new0 (Looking, 1);
  looking->kind = kind;
  looking->name = g_strdup (name);
  looking->role = g_strdup (role);
  g_task_set_task_data (task, looking, looking_free);
  gmcp_manager_when_configured (g_steal_pointer (&task),
                                kind == GMCP_LATE_TOOL ? find_tool : ask_for_lists);
}
