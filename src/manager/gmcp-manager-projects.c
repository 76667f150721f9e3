/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-context-gathering-private.h"
#include "gmcp-manager-lists-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-manager-roles-private.h"
#include "gmcp-manager-servers-private.h"
#include "gmcp-manager-settings-private.h"
#include "gmcp-project-set-private.h"

/* Projects of the manager, and what belongs to them. */

gboolean
gmcp_manager_includes_server (GmcpManager *self, GmcpManagedServer *server)
{
  return gmcp_project_set_includes (gmcp_manager_get_project_set (self),
                                    gmcp_managed_server_get_id (server));
}

/* What is listed depends on the project. */
static void
refresh_listed (GmcpManager *self)
{
  g_autoptr (GmcpManager) alive G_GNUC_UNUSED = g_object_ref (self);

  gmcp_tool_catalog_refresh_list (gmcp_manager_get_catalog (self));
  gmcp_tool_catalog_refresh_instructions (gmcp_manager_get_catalog (self));
  gmcp_manager_refresh_gathered_lists (self);
  gmcp_manager_start_wanted (self);
}

void
gmcp_manager_set_config_projects (GmcpManager *self, GPtrArray *projects)
{
  if (!gmcp_project_set_configure (gmcp_manager_get_project_set (self), projects))
    return;

  for (guint i = 0; i < projects->len; i++)
    {
      g_autoptr (GError) error = NULL;

      if (!gmcp_project_validate (g_ptr_array_index (projects, i), &error))
        gmcp_manager_notice (self, NULL, GMCP_NOTICE_LEVEL_WARNING, error->message);
    }
  refresh_listed (self);
}

/**
 * gmcp_manager_add_project:
 * @self: a manager
 * @project: a project
 *
 * Adds a project to those of the configuration. It takes the place of one that was added before with
 * the same id, and comes before one of the configuration.
 *
 * Since: 0.1
 */
void
gmcp_manager_add_project (GmcpManager *self, GmcpProject *project)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_PROJECT (project));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_project_set_add (gmcp_manager_get_project_set (self), project);
  refresh_listed (self);
}

/**
 * gmcp_manager_remove_project:
 * @self: a manager
 * @project: a project
 *
 * Takes back a project that was added with [method@Gmcp.Manager.add_project].
 *
 * Since: 0.1
 */
void
gmcp_manager_remove_project (GmcpManager *self, GmcpProject *project)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_PROJECT (project));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_project_set_remove (gmcp_manager_get_project_set (self), project))
    refresh_listed (self);
}

/**
 * gmcp_manager_list_projects:
 * @self: a manager
 *
 * Gives the projects that there are: those that the program added, and those of the configuration as
 * far as that has been read. Each id is there once.
 *
 * Returns: (transfer container) (element-type GmcpProject): the projects
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_manager_list_projects (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return NULL;

  return gmcp_project_set_list (gmcp_manager_get_project_set (self));
}

/**
 * gmcp_manager_get_project:
 * @self: a manager
 *
 * Says which project's servers are listed.
 *
 * Returns: (nullable): the id of the project; %NULL for all servers
 *
 * Since: 0.1
 */
const char *
gmcp_manager_get_project (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  return gmcp_project_set_get_chosen (gmcp_manager_get_project_set (self));
}

/**
 * gmcp_manager_set_project:
 * @self: a manager
 * @project: (nullable): the id of a project; %NULL or an empty text for none
 *
 * Sets which project's servers are listed. A project that names no server, or is not configured, has
 * none. A project is no permission: a tool or prompt that is not listed can still be called and got by
 * its name, and a resource be read by its URI once its server has been asked for its list.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_project (GmcpManager *self, const char *project)
{
  g_autoptr (GmcpManager) alive G_GNUC_UNUSED = NULL;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  if (project != NULL && *project == '\0')
    project = NULL;
  if (!gmcp_project_set_choose (gmcp_manager_get_project_set (self), project))
    return;

  alive = g_object_ref (self);
  gmcp_auditor_set_project (gmcp_manager_get_auditor (self), project);
  refresh_listed (self);
  g_object_notify (G_OBJECT (self), "project");
}

static GmcpManagedServer *
get_server (gpointer owner, const char *id)
{
  return gmcp_manager_get_server (owner, id);
}

static void
tell_of_server (gpointer owner, const char *server_id, GmcpNoticeLevel level, const char *message)
{
  gmcp_manager_notice (owner, server_id, level, message);
}

static gboolean
may_reach (gpointer owner, const char *id, GError **error)
{
  return gmcp_tool_access_check_reach (gmcp_manager_get_tool_access (owner), id, NULL, error);
}

static void
gather_context (GTask *task)
{
  static const GmcpContextHostFuncs funcs = { get_server, may_reach, tell_of_server };
  GmcpManager *self = g_task_get_source_object (task);
  GmcpProjectSet *projects = gmcp_manager_get_project_set (self);
  const char *id = g_task_get_task_data (task);
  GmcpProject *project = id != NULL ? gmcp_project_set_find (projects, id) : NULL;

  if (project != NULL)
    gmcp_context_gather (task, project, gmcp_manager_get_main_context (self),
                         gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_RESOURCE_TIMEOUT_MS),
                         &funcs);
  else
    g_task_return_error (task, gmcp_project_set_missing_error (projects, id));
}

/**
 * gmcp_manager_get_context_async:
 * @self: a manager
 * @project: (nullable): the id of a project; %NULL for [property@Gmcp.Manager:project]
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Gathers what belongs in the prompt of whoever works on a project: its resources, and what its
 * servers want a model to know. All are asked side by side, and started where they do not run; what
 * was answered before and is still fresh comes from the cache. It takes
 * [property@Gmcp.Manager:resource-timeout-ms] at most once the configuration is read.
 *
 * A resource that is not there by then is empty, and is read on into the cache. One that is refused is
 * left out. Where a server is away, what it answered before has to do. The context has a note for
 * each of these.
 *
 * Fails with %GMCP_ERROR_NOT_CONFIGURED where there is no such project, and where the configuration
 * cannot be read.
 *
 * Since: 0.1
 */
void
gmcp_manager_get_context_async (GmcpManager *self,
                                const char *project,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_get_context_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (project == NULL)
    project = gmcp_project_set_get_chosen (gmcp_manager_get_project_set (self));
  g_task_set_task_data (task, g_strdup (project), g_free);
  gmcp_manager_when_configured (g_steal_pointer (&task), gather_context);
}

/**
 * gmcp_manager_get_context_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.get_context_async].
 *
 * Returns: (transfer full): the context
 *
 * Since: 0.1
 */
GmcpProjectContext *
gmcp_manager_get_context_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_get_context_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
