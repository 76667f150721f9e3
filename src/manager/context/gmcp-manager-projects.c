/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-manager-projects-private.h"
#include "gmcp-protocol-private.h"

#include <gmcp/core/gmcp-error.h>

GmcpManagerProjects *
gmcp_manager_projects_new (void)
{
  GmcpManagerProjects *projects = g_new0 (GmcpManagerProjects, 1);

  projects->own = g_ptr_array_new_with_free_func (g_object_unref);
  projects->configured = g_ptr_array_new_with_free_func (g_object_unref);
  projects->prompt_names = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  return projects;
}

void
gmcp_manager_projects_free (GmcpManagerProjects *projects)
{
  g_free (projects->chosen);
  g_ptr_array_unref (projects->own);
  g_ptr_array_unref (projects->configured);
  gmcp_tool_names_free (projects->prompt_names);
  g_free (projects);
}

/* Those of the application's own go before those of the same id that are configured. */
static char *
list_projects (GmcpManager *self)
{
  GmcpManagerProjects *projects = gmcp_manager_get_private (self)->projects;
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  for (guint i = 0; i < projects->own->len; i++)
    g_ptr_array_add (ids, (gpointer) gmcp_project_get_id (projects->own->pdata[i]));
  for (guint i = 0; i < projects->configured->len; i++)
    {
      const char *id = gmcp_project_get_id (projects->configured->pdata[i]);

      if (!g_ptr_array_find_with_equal_func (ids, id, g_str_equal, NULL))
        g_ptr_array_add (ids, (gpointer) id);
    }
  g_ptr_array_add (ids, NULL);
  return g_strjoinv (", ", (char **) ids->pdata);
}

GError *
gmcp_manager_no_project_error (GmcpManager *self, const char *id)
{
  g_autofree char *names = list_projects (self);
  g_autofree char *shown = id != NULL ? gmcp_protocol_shorten (id) : NULL;

  if (id == NULL)
    return g_error_new_literal (GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                                _ ("No project was named, and the manager has none set"));
  if (*names == '\0')
    return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                        _ ("Project “%s” is not configured; no project is"), shown);
  return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                      _ ("Project “%s” is not configured (configured: %s)"), shown, names);
}

static GmcpProject *
find_in (GPtrArray *projects, const char *id, guint *position)
{
  for (guint i = 0; i < projects->len; i++)
    {
      GmcpProject *project = g_ptr_array_index (projects, i);

      if (g_str_equal (gmcp_project_get_id (project), id))
        {
          if (position != NULL)
            *position = i;
          return project;
        }
    }
  return NULL;
}

GmcpProject *
gmcp_manager_find_project (GmcpManager *self, const char *id)
{
  GmcpManagerProjects *projects = gmcp_manager_get_private (self)->projects;
  GmcpProject *project = find_in (projects->own, id, NULL);

  return project != NULL ? project : find_in (projects->configured, id, NULL);
}

gboolean
gmcp_manager_includes_server (GmcpManager *self, GmcpManagedServer *server)
{
  GmcpManagerProjects *projects = gmcp_manager_get_private (self)->projects;
  GmcpProject *project;

  if (projects->chosen == NULL)
    return TRUE;

  /* A project that is not configured names no server. */
  project = gmcp_manager_find_project (self, projects->chosen);
  return project != NULL && gmcp_project_has_server (project, gmcp_managed_server_get_id (server));
}

/* What is listed depends on the project. */
static void
refresh (GmcpManager *self)
{
  gmcp_manager_refresh_list (self);
  gmcp_manager_refresh_instructions (self);
  gmcp_manager_start_wanted (self);
}

void
gmcp_manager_set_config_projects (GmcpManager *self, GPtrArray *projects)
{
  GPtrArray *configured = gmcp_manager_get_private (self)->projects->configured;

  if (configured->len == 0 && projects->len == 0)
    return;

  g_ptr_array_set_size (configured, 0);
  for (guint i = 0; i < projects->len; i++)
    {
      GmcpProject *project = g_ptr_array_index (projects, i);
      g_autoptr (GError) error = NULL;

      if (!gmcp_project_validate (project, &error))
        gmcp_manager_notice (self, NULL, GMCP_NOTICE_LEVEL_WARNING, error->message);
      /* The first one holds, as of servers. */
      if (find_in (configured, gmcp_project_get_id (project), NULL) == NULL)
        g_ptr_array_add (configured, g_object_ref (project));
    }
  refresh (self);
}

void
gmcp_manager_append_instructions (GString *text, GmcpManagedServer *server)
{
  const char *parts[] = {
    gmcp_server_config_get_instructions (gmcp_managed_server_get_config (server)),
    gmcp_managed_server_get_instructions (server),
  };
  gboolean headed = FALSE;

  if (!gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server)))
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      if (parts[i] == NULL || *parts[i] == '\0')
        continue;
      if (!headed)
        g_string_append_printf (text, "%s# %s\n", text->len > 0 ? "\n" : "",
                                gmcp_managed_server_get_title (server));
      headed = TRUE;
      g_string_append_printf (text, "\n%s\n", parts[i]);
    }
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
  GPtrArray *own;
  guint position;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_PROJECT (project));

  own = gmcp_manager_get_private (self)->projects->own;
  g_object_ref (project);
  if (find_in (own, gmcp_project_get_id (project), &position) != NULL)
    g_ptr_array_remove_index (own, position);
  g_ptr_array_add (own, project);
  refresh (self);
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

  if (g_ptr_array_remove (gmcp_manager_get_private (self)->projects->own, project))
    refresh (self);
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
  GmcpManagerProjects *projects;
  GPtrArray *list;

  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  projects = gmcp_manager_get_private (self)->projects;
  list = g_ptr_array_copy (projects->own, (GCopyFunc) g_object_ref, NULL);
  g_ptr_array_set_free_func (list, g_object_unref);
  for (guint i = 0; i < projects->configured->len; i++)
    {
      GmcpProject *project = g_ptr_array_index (projects->configured, i);

      if (find_in (projects->own, gmcp_project_get_id (project), NULL) == NULL)
        g_ptr_array_add (list, g_object_ref (project));
    }
  return list;
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

  return gmcp_manager_get_private (self)->projects->chosen;
}

/**
 * gmcp_manager_set_project:
 * @self: a manager
 * @project: (nullable): the id of a project; %NULL or an empty text for none
 *
 * Sets which project's servers are listed. A project that names no server, or is not configured, has
 * none. A tool that is not listed can still be called by its name.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_project (GmcpManager *self, const char *project)
{
  GmcpManagerProjects *projects;

  g_return_if_fail (GMCP_IS_MANAGER (self));

  projects = gmcp_manager_get_private (self)->projects;
  if (project != NULL && *project == '\0')
    project = NULL;
  if (g_strcmp0 (projects->chosen, project) == 0)
    return;

  g_free (projects->chosen);
  projects->chosen = g_strdup (project);
  gmcp_auditor_set_project (gmcp_manager_get_auditor (self), project);
  refresh (self);
  g_object_notify (G_OBJECT (self), "project");
}
