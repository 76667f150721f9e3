/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-project-private.h"

#include <string.h>

#include "gmcp-fields-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/config/gmcp-server-config.h>

/**
 * GmcpProject:
 *
 * Something that is worked on, with the servers that belong to it and the resources that belong in
 * the prompt of whoever works on it. Immutable.
 *
 * A resource is written as `SERVER URI`, or as its URI alone: then it belongs to the server whose id
 * is the scheme of the URI, as in `notes://recent`, or else to the only server of the project. A name
 * that cannot be an id stands for the id that is made of it ([func@Gmcp.ServerConfig.make_id]).
 *
 * Since: 0.1
 */
struct _GmcpProject
{
  GObject parent_instance;

  char *id;
  char *title;
  char *instructions;
  GStrv servers;
  GStrv resources;
};

G_DEFINE_FINAL_TYPE (GmcpProject, gmcp_project, G_TYPE_OBJECT)

static const GmcpField fields[] = {
  /**
   * GmcpProject:id: (getter get_id)
   *
   * What the project is called in settings and on the command line.
   *
   * Since: 0.1
   */
  { "id", GMCP_FIELD_STRING, G_STRUCT_OFFSET (GmcpProject, id) },

  /**
   * GmcpProject:title:
   *
   * What people call the project; %NULL for its id.
   *
   * Since: 0.1
   */
  { "title", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpProject, title) },

  /**
   * GmcpProject:server-ids: (getter get_server_ids)
   *
   * The ids of the servers that belong to the project.
   *
   * Since: 0.1
   */
  { "server-ids", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpProject, servers) },

  /**
   * GmcpProject:resources: (getter get_resources)
   *
   * The resources that belong to its context, each as `SERVER URI` or as a URI.
   *
   * Since: 0.1
   */
  { "resources", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpProject, resources) },

  /**
   * GmcpProject:instructions: (getter get_instructions)
   *
   * What a model should know about the project, or %NULL.
   *
   * Since: 0.1
   */
  { "instructions", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpProject, instructions) },
  { NULL },
};

static void
gmcp_project_class_init (GmcpProjectClass *klass)
{
  gmcp_fields_install (G_OBJECT_CLASS (klass), fields, GMCP_FIELDS_CONSTRUCT_ONLY);
}

static void
gmcp_project_init (GmcpProject *self)
{
}

/**
 * gmcp_project_new:
 * @id: what the project is called in settings and on the command line
 * @server_ids: (nullable) (array zero-terminated=1): the ids of its servers
 * @resources: (nullable) (array zero-terminated=1): the resources of its context, each as
 *   `SERVER URI` or as a URI
 *
 * Makes a project.
 *
 * Returns: (transfer full): a project
 *
 * Since: 0.1
 */
GmcpProject *
gmcp_project_new (const char *id, const char *const *server_ids, const char *const *resources)
{
  g_return_val_if_fail (id != NULL, NULL);

  return g_object_new (GMCP_TYPE_PROJECT, "id", id, "server-ids", server_ids, "resources",
                       resources, NULL);
}

/**
 * gmcp_project_get_id:
 * @self: a project
 *
 * Gives what the project is called in settings and on the command line.
 *
 * Returns: the id
 *
 * Since: 0.1
 */
const char *
gmcp_project_get_id (GmcpProject *self)
{
  g_return_val_if_fail (GMCP_IS_PROJECT (self), NULL);

  return self->id;
}

/**
 * gmcp_project_get_title:
 * @self: a project
 *
 * Gives what people call the project: its title, or where it has none its id.
 *
 * Returns: the title
 *
 * Since: 0.1
 */
const char *
gmcp_project_get_title (GmcpProject *self)
{
  g_return_val_if_fail (GMCP_IS_PROJECT (self), NULL);

  return self->title != NULL ? self->title : self->id;
}

/**
 * gmcp_project_get_instructions:
 * @self: a project
 *
 * Gives what a model should know about the project.
 *
 * Returns: (nullable): a text
 *
 * Since: 0.1
 */
const char *
gmcp_project_get_instructions (GmcpProject *self)
{
  g_return_val_if_fail (GMCP_IS_PROJECT (self), NULL);

  return self->instructions;
}

/**
 * gmcp_project_get_server_ids:
 * @self: a project
 *
 * Gives the servers that belong to the project.
 *
 * Returns: (transfer none) (array zero-terminated=1): their ids
 *
 * Since: 0.1
 */
const char *const *
gmcp_project_get_server_ids (GmcpProject *self)
{
  g_return_val_if_fail (GMCP_IS_PROJECT (self), NULL);

  return (const char *const *) self->servers;
}

/**
 * gmcp_project_has_server:
 * @self: a project
 * @server_id: the id of a server
 *
 * Tells whether a server belongs to the project.
 *
 * Returns: whether it does
 *
 * Since: 0.1
 */
gboolean
gmcp_project_has_server (GmcpProject *self, const char *server_id)
{
  g_return_val_if_fail (GMCP_IS_PROJECT (self), FALSE);
  g_return_val_if_fail (server_id != NULL, FALSE);

  return g_strv_contains ((const char *const *) self->servers, server_id);
}

/**
 * gmcp_project_get_resources:
 * @self: a project
 *
 * Gives the resources that belong to the project's context, as they were written.
 *
 * Returns: (transfer none) (array zero-terminated=1): each as `SERVER URI` or as a URI
 *
 * Since: 0.1
 */
const char *const *
gmcp_project_get_resources (GmcpProject *self)
{
  g_return_val_if_fail (GMCP_IS_PROJECT (self), NULL);

  return (const char *const *) self->resources;
}

guint
gmcp_project_get_n_resources (GmcpProject *self)
{
  return g_strv_length (self->resources);
}

const char *
gmcp_project_get_resource_uri (GmcpProject *self, guint position)
{
  const char *space;

  if (position >= g_strv_length (self->resources))
    return NULL;

  /* No URI has a space. */
  space = strrchr (self->resources[position], ' ');
  return space != NULL ? space + 1 : self->resources[position];
}

char *
gmcp_project_dup_resource_server_id (GmcpProject *self, guint position)
{
  const char *resource;
  const char *space;
  g_autofree char *scheme = NULL;

  if (position >= g_strv_length (self->resources))
    return NULL;

  resource = self->resources[position];
  space = strrchr (resource, ' ');
  if (space != NULL)
    {
      g_autofree char *name = g_strndup (resource, space - resource);

      return gmcp_server_config_make_id (name);
    }

  scheme = g_uri_parse_scheme (resource);
  if (scheme != NULL && gmcp_project_has_server (self, scheme))
    return g_steal_pointer (&scheme);
  return g_strv_length (self->servers) == 1 ? g_strdup (self->servers[0]) : NULL;
}

static gboolean
is_valid_id (const char *id)
{
  return *id != '\0' && strchr (id, '/') == NULL && strlen (id) <= GMCP_LIMIT_POLICY_NAME_BYTES;
}

/**
 * gmcp_project_validate:
 * @self: a project
 * @error: return location for an error
 *
 * Checks what can be checked without a look at the servers: that ids can be such, that each resource
 * has a URI, and that it is clear which server that belongs to.
 *
 * Fails with %GMCP_ERROR_INVALID_CONFIG.
 *
 * Returns: whether all is well
 *
 * Since: 0.1
 */
gboolean
gmcp_project_validate (GmcpProject *self, GError **error)
{
  guint n;

  g_return_val_if_fail (GMCP_IS_PROJECT (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!is_valid_id (self->id))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("“%s” cannot be the id of a project: it has at most %u bytes and no slash"),
                   self->id, GMCP_LIMIT_POLICY_NAME_BYTES);
      return FALSE;
    }

  for (gsize i = 0; self->servers[i] != NULL; i++)
    if (!gmcp_server_config_is_valid_id (self->servers[i]))
      {
        g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                     _ ("Project “%s”, servers: “%s” cannot be the id of a server"), self->id,
                     self->servers[i]);
        return FALSE;
      }

  n = g_strv_length (self->resources);
  if (n > GMCP_LIMIT_PROJECT_RESOURCES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("Project “%s” has more than %u resources"), self->id,
                   GMCP_LIMIT_PROJECT_RESOURCES);
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *scheme = g_uri_parse_scheme (gmcp_project_get_resource_uri (self, i));
      g_autofree char *server = gmcp_project_dup_resource_server_id (self, i);

      if (scheme == NULL || server == NULL)
        {
          g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                       scheme == NULL
                         ? _ ("Project “%s”, resources: “%s” is not the URI of a resource")
                         : _ ("Project “%s”, resources: it is not clear which server “%s” belongs "
                              "to; write the server's id and a space before it"),
                       self->id, self->resources[i]);
          return FALSE;
        }
    }

  return TRUE;
}
