/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-managed-server-private.h"
#include "gmcp-manager-config-private.h"
#include "gmcp-manager-late-names-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-manager-servers-private.h"
#include "gmcp-waiting-call-private.h"

#include <gmcp/core/gmcp-error.h>

/* A tool is looked for with as little as possible: in the lists that earlier runs kept, then at the server
 * that its name speaks of, then at all others that may have it. */

typedef enum
{
  STEP_BEGIN,
  STEP_RECALL_KEPT,
  STEP_ASK_NAMED,
  STEP_ASK_ALL,
} Step;

typedef struct
{
  char *name;
  char *role;    /* nullable */
  Step step;     /* the last one */
  guint n_asked; /* servers that are waited for */
  GError *error; /* why the server that the name speaks of did not start */
} Finding;

static void find_further (GTask *task);

static void
finding_free (gpointer data)
{
  Finding *finding = data;

  g_free (finding->name);
  g_free (finding->role);
  g_clear_error (&finding->error);
  g_free (finding);
}

static const GmcpNameScope *
get_scope (GTask *task)
{
  return &gmcp_manager_get_call_router (g_task_get_source_object (task))->scope;
}

/* Takes the task that it was asked for. */
static void
one_asked (GTask *task)
{
  g_autoptr (GTask) owned G_GNUC_UNUSED = task;
  Finding *finding = g_task_get_task_data (task);

  if (--finding->n_asked == 0)
    find_further (task);
}

static void
on_recalled (GObject *object, GAsyncResult *result, gpointer data)
{
  one_asked (data);
}

static void
on_named_started (GObject *object, GAsyncResult *result, gpointer data)
{
  Finding *finding = g_task_get_task_data (data);

  gmcp_managed_server_demand_finish (GMCP_MANAGED_SERVER (object), result, &finding->error);
  one_asked (data);
}

static void
on_one_started (GObject *object, GAsyncResult *result, gpointer data)
{
  gmcp_managed_server_demand_finish (GMCP_MANAGED_SERVER (object), result, NULL);
  one_asked (data);
}

static gboolean
may_have (const GmcpNameScope *scope,
          GmcpManagedServer *server,
          const char *name,
          const char *found)
{
  return found != NULL ? gmcp_name_scope_may_have_too (scope, server, found)
                       : gmcp_name_scope_may_have_unknown (scope, server, name);
}

/* found: the tool's own name, where a server has it already. */
static void
ask_servers (GTask *task, Step step, const char *found)
{
  Finding *finding = g_task_get_task_data (task);
  const GmcpNameScope *scope = get_scope (task);
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (scope->servers);

  finding->step = step;
  finding->n_asked = 1;
  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (!gmcp_managed_server_is_untried (server)
          || !gmcp_name_scope_has_server (scope, finding->role, server)
          || (step == STEP_ASK_ALL && !may_have (scope, server, finding->name, found)))
        continue;
      finding->n_asked++;
      if (step == STEP_RECALL_KEPT)
        gmcp_managed_server_recall_tools_async (server, NULL, on_recalled, g_object_ref (task));
      else
        gmcp_managed_server_demand_async (server, g_task_get_cancellable (task), on_one_started,
                                          g_object_ref (task));
    }
  one_asked (g_object_ref (task));
}

static void
ask_named (GTask *task, GmcpManagedServer *server)
{
  Finding *finding = g_task_get_task_data (task);

  finding->step = STEP_ASK_NAMED;
  finding->n_asked = 1;
  gmcp_managed_server_demand_async (server, g_task_get_cancellable (task), on_named_started,
                                    g_object_ref (task));
}

/* A name that says for sure whose tool it is starts no other. */
static void
look_further (GTask *task, GError *unknown)
{
  GmcpManager *self = g_task_get_source_object (task);
  Finding *finding = g_task_get_task_data (task);
  const GmcpNameScope *scope = get_scope (task);
  const char *tool;
  gboolean is_sure;
  GmcpManagedServer *server = gmcp_name_scope_find_server (scope, finding->name, &is_sure, &tool);
  gboolean is_reached
    = server != NULL
      && gmcp_tool_access_may_reach (gmcp_manager_get_tool_access (self),
                                     gmcp_managed_server_get_id (server), finding->role);

  if (finding->step < STEP_RECALL_KEPT)
    {
      ask_servers (task, STEP_RECALL_KEPT, NULL);
      g_error_free (unknown);
    }
  else if (finding->step < STEP_ASK_NAMED && is_reached && !gmcp_managed_server_is_ready (server))
    {
      ask_named (task, server);
      g_error_free (unknown);
    }
  else if (finding->step < STEP_ASK_ALL && (server == NULL || !is_sure))
    {
      ask_servers (task, STEP_ASK_ALL, NULL);
      g_error_free (unknown);
    }
  else if (finding->error != NULL)
    {
      g_task_return_error (task, g_steal_pointer (&finding->error));
      g_error_free (unknown);
    }
  else
    {
      g_task_return_error (task, unknown);
    }
}

/* Where a name without its server is found, others may have the same. */
static gboolean
is_unclear (GTask *task, GmcpToolName *found)
{
  GmcpManager *self = g_task_get_source_object (task);
  Finding *finding = g_task_get_task_data (task);

  return finding->step < STEP_ASK_ALL
         && gmcp_tool_catalog_find (gmcp_manager_get_catalog (self), finding->name, NULL, found,
                                    NULL)
         && gmcp_name_scope_is_unclear (get_scope (task), finding->name, finding->role, found);
}

static void
find_further (GTask *task)
{
  Finding *finding = g_task_get_task_data (task);
  g_autoptr (GmcpTool) tool = NULL;
  GmcpToolName found;
  GError *error = NULL;

  if (g_task_return_error_if_cancelled (task))
    return;

  tool = gmcp_tool_provider_find_tool (g_task_get_source_object (task), finding->name, &error);
  if (tool == NULL && g_error_matches (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL))
    look_further (task, error);
  else if (tool == NULL)
    g_task_return_error (task, error);
  else if (is_unclear (task, &found))
    ask_servers (task, finding->step < STEP_RECALL_KEPT ? STEP_RECALL_KEPT : STEP_ASK_ALL,
                 found.tool);
  else
    g_task_return_pointer (task, g_steal_pointer (&tool), g_object_unref);
}

void
gmcp_manager_find_tool_for_async (GmcpManager *self,
                                  const char *name,
                                  const char *role,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  Finding *finding;

  g_task_set_source_tag (task, gmcp_manager_find_tool_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  finding = g_new0 (Finding, 1);
  finding->name = g_strdup (name);
  finding->role = g_strdup (role);
  g_task_set_task_data (task, finding, finding_free);
  gmcp_manager_when_configured (g_steal_pointer (&task), find_further);
}

/**
 * gmcp_manager_find_tool_async:
 * @self: a manager
 * @name: the name of a tool, in any style: as it is listed, `SERVER.TOOL`, or the server's own name
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Finds a tool, and starts no more for that than it needs: lists that earlier runs kept come first, then
 * the server that the name speaks of, then, for a name without a server, all servers whose tools nobody
 * knows. What is found in a kept list may have changed since;
 * [method@Gmcp.ManagedServer.start_async] brings the list up to date.
 *
 * Fails as [method@Gmcp.ToolProvider.find_tool] does, with the error of a server that did not start, and
 * where the configuration cannot be read.
 *
 * Since: 0.1
 */
void
gmcp_manager_find_tool_async (GmcpManager *self,
                              const char *name,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_manager_find_tool_for_async (self, name, NULL, cancellable, callback, user_data);
}

/**
 * gmcp_manager_find_tool_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.find_tool_async].
 *
 * Returns: (transfer full): the tool, as it is listed now
 *
 * Since: 0.1
 */
GmcpTool *
gmcp_manager_find_tool_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_find_tool_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
