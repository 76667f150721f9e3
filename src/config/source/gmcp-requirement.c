/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

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
};

G_DEFINE_FINAL_TYPE (GmcpRequirement, gmcp_requirement, G_TYPE_OBJECT)

typedef enum
{
  PROP_SERVER_ID = 1,
  PROP_TIER,
  PROP_MET,
  PROP_REASON,
  PROP_HINT,
} GmcpRequirementProperty;

static GParamSpec *properties[PROP_HINT + 1];

static void
gmcp_requirement_finalize (GObject *object)
{
  GmcpRequirement *self = GMCP_REQUIREMENT (object);

  g_free (self->server);
  g_free (self->reason);
  g_free (self->hint);

  G_OBJECT_CLASS (gmcp_requirement_parent_class)->finalize (object);
}

static void
gmcp_requirement_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpRequirement *self = GMCP_REQUIREMENT (object);

  switch ((GmcpRequirementProperty) prop_id)
    {
    case PROP_SERVER_ID:
      g_value_set_string (value, self->server);
      break;
    case PROP_TIER:
      g_value_set_enum (value, self->tier);
      break;
    case PROP_MET:
      g_value_set_boolean (value, self->reason == NULL);
      break;
    case PROP_REASON:
      g_value_set_string (value, self->reason);
      break;
    case PROP_HINT:
      g_value_set_string (value, self->hint);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_requirement_class_init (GmcpRequirementClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = gmcp_requirement_finalize;
  object_class->get_property = gmcp_requirement_get_property;

  /**
   * GmcpRequirement:server-id: (getter get_server_id)
   *
   * The id of the server.
   *
   * Since: 0.1
   */
  properties[PROP_SERVER_ID] = g_param_spec_string ("server-id", NULL, NULL, NULL, flags);

  /**
   * GmcpRequirement:tier: (getter get_tier)
   *
   * How much the server is needed.
   *
   * Since: 0.1
   */
  properties[PROP_TIER]
    = g_param_spec_enum ("tier", NULL, NULL, GMCP_TYPE_TIER, GMCP_TIER_REQUIRED, flags);

  /**
   * GmcpRequirement:met: (getter is_met)
   *
   * Whether the server is there.
   *
   * Since: 0.1
   */
  properties[PROP_MET] = g_param_spec_boolean ("met", NULL, NULL, FALSE, flags);

  /**
   * GmcpRequirement:reason: (getter get_reason)
   *
   * Why the server is not there, as a sentence; %NULL where it is.
   *
   * Since: 0.1
   */
  properties[PROP_REASON] = g_param_spec_string ("reason", NULL, NULL, NULL, flags);

  /**
   * GmcpRequirement:hint: (getter get_hint)
   *
   * What to do about it, such as `install: npm install -g PACKAGE`; %NULL where nothing is known.
   *
   * Since: 0.1
   */
  properties[PROP_HINT] = g_param_spec_string ("hint", NULL, NULL, NULL, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
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

  return self->reason == NULL;
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
