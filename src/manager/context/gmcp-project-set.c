/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-project-set-private.h"
#include "gmcp-protocol-private.h"

#include <gmcp/core/gmcp-error.h>

struct _GmcpProjectSet
{
  char *chosen;
  GPtrArray *own;        /* of GmcpProject: of the program */
  GPtrArray *configured; /* of GmcpProject */
};

GmcpProjectSet *
gmcp_project_set_new (void)
{
  GmcpProjectSet *self = g_new0 (GmcpProjectSet, 1);

  self->own = g_ptr_array_new_with_free_func (g_object_unref);
  self->configured = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

void
gmcp_project_set_free (GmcpProjectSet *self)
{
  g_free (self->chosen);
  g_ptr_array_unref (self->own);
  g_ptr_array_unref (self->configured);
  g_free (self);
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

void
gmcp_project_set_add (GmcpProjectSet *self, GmcpProject *project)
{
  guint position;

  g_object_ref (project);
  if (find_in (self->own, gmcp_project_get_id (project), &position) != NULL)
    g_ptr_array_remove_index (self->own, position);
  g_ptr_array_add (self->own, project);
}

gboolean
gmcp_project_set_remove (GmcpProjectSet *self, GmcpProject *project)
{
  return g_ptr_array_remove (self->own, project);
}

gboolean
gmcp_project_set_configure (GmcpProjectSet *self, GPtrArray *projects)
{
  if (self->configured->len == 0 && projects->len == 0)
    return FALSE;

  g_ptr_array_set_size (self->configured, 0);
  for (guint i = 0; i < projects->len; i++)
    {
      GmcpProject *project = g_ptr_array_index (projects, i);

      if (find_in (self->configured, gmcp_project_get_id (project), NULL) == NULL)
        g_ptr_array_add (self->configured, g_object_ref (project));
    }
  return TRUE;
}

GmcpProject *
gmcp_project_set_find (GmcpProjectSet *self, const char *id)
{
  GmcpProject *project = find_in (self->own, id, NULL);

  return project != NULL ? project : find_in (self->configured, id, NULL);
}

GPtrArray *
gmcp_project_set_list (GmcpProjectSet *self)
{
  GPtrArray *list = g_ptr_array_copy (self->own, (GCopyFunc) g_object_ref, NULL);

  g_ptr_array_set_free_func (list, g_object_unref);
  for (guint i = 0; i < self->configured->len; i++)
    {
      GmcpProject *project = g_ptr_array_index (self->configured, i);

      if (find_in (self->own, gmcp_project_get_id (project), NULL) == NULL)
        g_ptr_array_add (list, g_object_ref (project));
    }
  return list;
}

static char *
join_ids (GmcpProjectSet *self)
{
  g_autoptr (GPtrArray) projects = gmcp_project_set_list (self);
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  for (guint i = 0; i < projects->len; i++)
    g_ptr_array_add (ids, (gpointer) gmcp_project_get_id (g_ptr_array_index (projects, i)));
  g_ptr_array_add (ids, NULL);
  return g_strjoinv (", ", (char **) ids->pdata);
}

GError *
gmcp_project_set_missing_error (GmcpProjectSet *self, const char *id)
{
  g_autofree char *ids = join_ids (self);
  g_autofree char *shown = id != NULL ? gmcp_protocol_shorten (id) : NULL;

  if (id == NULL)
    return g_error_new_literal (GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                                _ ("No project was named, and the manager has none set"));
  if (*ids == '\0')
    return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                        _ ("Project “%s” is not configured; no project is"), shown);
  return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                      _ ("Project “%s” is not configured (configured: %s)"), shown, ids);
}

gboolean
gmcp_project_set_choose (GmcpProjectSet *self, const char *id)
{
  if (g_strcmp0 (self->chosen, id) == 0)
    return FALSE;

  g_free (self->chosen);
  self->chosen = g_strdup (id);
  return TRUE;
}

const char *
gmcp_project_set_get_chosen (GmcpProjectSet *self)
{
  return self->chosen;
}

gboolean
gmcp_project_set_includes (GmcpProjectSet *self, const char *server_id)
{
  GmcpProject *project;

  if (self->chosen == NULL)
    return TRUE;

  /* A project that is not configured names no server. */
  project = gmcp_project_set_find (self, self->chosen);
  return project != NULL && gmcp_project_has_server (project, server_id);
}
