/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-requirement-set-private.h"
#include "gmcp-requirements-private.h"

struct _GmcpRequirementSet
{
  GPtrArray *own;        /* of GmcpRequirements: of the program */
  GPtrArray *configured; /* of GmcpRequirements */
};

GmcpRequirementSet *
gmcp_requirement_set_new (void)
{
  GmcpRequirementSet *self = g_new0 (GmcpRequirementSet, 1);

  self->own = g_ptr_array_new_with_free_func (g_object_unref);
  self->configured = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

void
gmcp_requirement_set_free (GmcpRequirementSet *self)
{
  g_ptr_array_unref (self->own);
  g_ptr_array_unref (self->configured);
  g_free (self);
}

void
gmcp_requirement_set_add (GmcpRequirementSet *self, GmcpRequirements *requirements)
{
  g_ptr_array_add (self->own, g_object_ref (requirements));
}

void
gmcp_requirement_set_remove (GmcpRequirementSet *self, GmcpRequirements *requirements)
{
  g_ptr_array_remove (self->own, requirements);
}

void
gmcp_requirement_set_configure (GmcpRequirementSet *self, GPtrArray *requirements)
{
  g_ptr_array_set_size (self->configured, 0);
  for (guint i = 0; i < requirements->len; i++)
    g_ptr_array_add (self->configured, g_object_ref (g_ptr_array_index (requirements, i)));
}

GPtrArray *
gmcp_requirement_set_peek_own (GmcpRequirementSet *self)
{
  return self->own;
}

GPtrArray *
gmcp_requirement_set_peek_configured (GmcpRequirementSet *self)
{
  return self->configured;
}

static void
collect_parts (GPtrArray *parts, GPtrArray *requirements, const char *name)
{
  for (guint i = 0; i < requirements->len; i++)
    {
      GmcpRequirements *part = g_ptr_array_index (requirements, i);
      const char *part_name = gmcp_requirements_get_name (part);

      if (part_name == NULL || g_strcmp0 (part_name, name) == 0)
        g_ptr_array_add (parts, part);
    }
}

GmcpRequirements *
gmcp_requirement_set_merge (GmcpRequirementSet *self, const char *name)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();

  collect_parts (parts, self->own, name);
  collect_parts (parts, self->configured, name);
  return gmcp_requirements_merge (name, parts);
}

static void
collect_names (GPtrArray *names, GPtrArray *requirements)
{
  for (guint i = 0; i < requirements->len; i++)
    {
      const char *name = gmcp_requirements_get_name (g_ptr_array_index (requirements, i));

      if (name != NULL && !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
        g_ptr_array_add (names, (gpointer) name);
    }
}

GPtrArray *
gmcp_requirement_set_list (GmcpRequirementSet *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);

  collect_names (names, self->own);
  collect_names (names, self->configured);
  for (guint i = 0; i < names->len; i++)
    g_ptr_array_add (list, gmcp_requirement_set_merge (self, g_ptr_array_index (names, i)));
  return list;
}

gboolean
gmcp_requirement_set_has_server (GmcpRequirementSet *self, const char *name, const char *server_id)
{
  g_autoptr (GmcpRequirements) requirements = gmcp_requirement_set_merge (self, name);

  return g_strv_contains (gmcp_requirements_get_tier (requirements, GMCP_TIER_REQUIRED), server_id);
}
