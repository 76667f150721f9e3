/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-source-policy-private.h"

/* Most sources say nothing of this. */
static G_DEFINE_QUARK (gmcp - config - source - roles,
                       roles) static G_DEFINE_QUARK (gmcp - config - source - requirements,
                                                     requirements)

  GPtrArray *gmcp_config_source_peek_roles (GmcpConfigSource *self)
{
  return g_object_get_qdata (G_OBJECT (self), roles_quark ());
}

GPtrArray *
gmcp_config_source_peek_requirements (GmcpConfigSource *self)
{
  return g_object_get_qdata (G_OBJECT (self), requirements_quark ());
}

static gboolean
replace (GmcpConfigSource *self, GQuark quark, GPtrArray *items)
{
  GPtrArray *former = g_object_get_qdata (G_OBJECT (self), quark);
  guint length = former != NULL ? former->len : 0;
  GPtrArray *copy;

  if (length == items->len
      && (length == 0 || memcmp (former->pdata, items->pdata, length * sizeof (gpointer)) == 0))
    return FALSE;

  copy = g_ptr_array_copy (items, (GCopyFunc) g_object_ref, NULL);
  g_ptr_array_set_free_func (copy, g_object_unref);
  g_object_set_qdata_full (G_OBJECT (self), quark, copy, (GDestroyNotify) g_ptr_array_unref);
  return TRUE;
}

void
gmcp_config_source_set_policy (GmcpConfigSource *self, GPtrArray *roles, GPtrArray *requirements)
{
  gboolean changed = replace (self, roles_quark (), roles);

  if (replace (self, requirements_quark (), requirements) || changed)
    gmcp_config_source_policy_changed (self);
}
