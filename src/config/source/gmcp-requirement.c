/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-fields-private.h"
#include "gmcp-requirement-private.h"

/**
 * GmcpRequirement:
 *
 * One server that some work needs, and whether it is there. Immutable.
 *
 * Since: 0.1
 */
struct _GmcpRequirement
{
  GObject parent_instance;

  char *server;
  char *reason;
  char *hint;
  GmcpTier tier;
  gboolean met;
};

G_DEFINE_FINAL_TYPE (GmcpRequirement, gmcp_requirement, G_TYPE_OBJECT)

static const GmcpField fields[] = {
  /**
   * GmcpRequirement:server-id: (getter get_server_id)
   *
   * The id of the server.
   *
   * Since: 0.1
   */
  { "server-id", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpRequirement, server) },

  /**
   * GmcpRequirement:tier: (getter get_tier)
   *
   * How much the server is needed.
   *
   * Since: 0.1
   */
  { "tier", GMCP_FIELD_ENUM, G_STRUCT_OFFSET (GmcpRequirement, tier), gmcp_tier_get_type },

  /**
   * GmcpRequirement:met: (getter is_met)
   *
   * Whether the server is there.
   *
   * Since: 0.1
   */
  { "met", GMCP_FIELD_BOOLEAN, G_STRUCT_OFFSET (GmcpRequirement, met) },

  /**
   * GmcpRequirement:reason: (getter get_reason)
   *
   * Why the server is not there, as a sentence; %NULL where it is.
   *
   * Since: 0.1
   */
  { "reason", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpRequirement, reason) },

  /**
   * GmcpRequirement:hint: (getter get_hint)
   *
   * What to do about it, such as `install: npm install -g PACKAGE`; %NULL where nothing is known.
   *
   * Since: 0.1
   */
  { "hint", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpRequirement, hint) },
  { NULL },
};

static void
gmcp_requirement_class_init (GmcpRequirementClass *klass)
{
  gmcp_fields_install (G_OBJECT_CLASS (klass), fields, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
}

static void
gmcp_requirement_init (GmcpRequirement *self)
{
}

GmcpRequirement *
gmcp_requirement_new (const char *server, GmcpTier tier, const char *reason, const char *hint)
{
  GmcpRequirement *self = g_object_new (GMCP_TYPE_REQUIREMENT, NULL);

  self->server = g_strdup (server);
  self->tier = tier;
  self->met = reason == NULL;
  self->reason = g_strdup (reason);
  self->hint = g_strdup (hint);
  return self;
}

/**
 * gmcp_requirement_get_server_id: (get-property server-id)
 * @self: a requirement
 *
 * Gives the id of the server.
 *
 * Returns: the id
 *
 * Since: 0.1
 */
const char *
gmcp_requirement_get_server_id (GmcpRequirement *self)
{
  g_return_val_if_fail (GMCP_IS_REQUIREMENT (self), NULL);

  return self->server;
}

/**
 * gmcp_requirement_get_tier: (get-property tier)
 * @self: a requirement
 *
 * Says how much the server is needed.
 *
 * Returns: the tier
 *
 * Since: 0.1
 */
GmcpTier
gmcp_requirement_get_tier (GmcpRequirement *self)
{
  g_return_val_if_fail (GMCP_IS_REQUIREMENT (self), GMCP_TIER_REQUIRED);

  return self->tier;
}

/**
 * gmcp_requirement_is_met: (get-property met)
 * @self: a requirement
 *
 * Tells whether the server is there.
 *
 * Returns: whether it is
 *
 * Since: 0.1
 */
gboolean
gmcp_requirement_is_met (GmcpRequirement *self)
{
  g_return_val_if_fail (GMCP_IS_REQUIREMENT (self), FALSE);

  return self->met;
}

/**
 * gmcp_requirement_get_reason: (get-property reason)
 * @self: a requirement
 *
 * Says why the server is not there.
 *
 * Returns: (nullable): a sentence; %NULL where it is there
 *
 * Since: 0.1
 */
const char *
gmcp_requirement_get_reason (GmcpRequirement *self)
{
  g_return_val_if_fail (GMCP_IS_REQUIREMENT (self), NULL);

  return self->reason;
}

/**
 * gmcp_requirement_get_hint: (get-property hint)
 * @self: a requirement
 *
 * Says what to do about a server that is not there.
 *
 * Returns: (nullable): a hint, such as `install: npm install -g PACKAGE`; %NULL where nothing is known
 *
 * Since: 0.1
 */
const char *
gmcp_requirement_get_hint (GmcpRequirement *self)
{
  g_return_val_if_fail (GMCP_IS_REQUIREMENT (self), NULL);

  return self->hint;
}
