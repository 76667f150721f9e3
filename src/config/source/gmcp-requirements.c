/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-fields-private.h"
#include "gmcp-config-entry-keys-private.h"
#include "gmcp-requirements-private.h"

#include <gmcp/config/gmcp-server-config.h>

/**
 * GmcpRequirements:
 *
 * The servers that a host, or one of its tools, needs: required ones, without which no work can
 * begin; recommended ones, whose lack is worth a warning; and optional ones. Immutable. Beside them
 * stands what else the configuration says of the host or tool, which gmcp keeps for whoever asks and does
 * not use itself ([property@Gmcp.Requirements:metadata]).
 *
 * [method@Gmcp.Manager.check_requirements_async] finds out which of them are there.
 *
 * Since: 0.1
 */
struct _GmcpRequirements
{
  GObject parent_instance;

  char *name;
  GStrv metadata; /* names and values in turn */
  GStrv servers[GMCP_TIER_OPTIONAL + 1];
};

G_DEFINE_FINAL_TYPE (GmcpRequirements, gmcp_requirements, G_TYPE_OBJECT)

static const GmcpField fields[] = {
  /**
   * GmcpRequirements:name: (getter get_name)
   *
   * The host or tool that needs the servers; %NULL for any.
   *
   * Since: 0.1
   */
  { "name", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpRequirements, name) },

  /**
   * GmcpRequirements:required: (getter get_required)
   *
   * Ids of servers without which no work can begin.
   *
   * Since: 0.1
   */
  { "required", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpRequirements, servers[GMCP_TIER_REQUIRED]) },

  /**
   * GmcpRequirements:recommended: (getter get_recommended)
   *
   * Ids of servers whose lack is worth a warning.
   *
   * Since: 0.1
   */
  { "recommended", GMCP_FIELD_STRV,
    G_STRUCT_OFFSET (GmcpRequirements, servers[GMCP_TIER_RECOMMENDED]) },

  /**
   * GmcpRequirements:optional: (getter get_optional)
   *
   * Ids of servers that are of use where they are there.
   *
   * Since: 0.1
   */
  { "optional", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpRequirements, servers[GMCP_TIER_OPTIONAL]) },

  /**
   * GmcpRequirements:metadata: (getter get_metadata)
   *
   * What the configuration says of the host or tool besides, names and values in turn: `binary`, its program;
   * `command-template`, how that is called; `models`, those that it works with, with commas between them.
   *
   * Since: 0.1
   */
  { "metadata", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpRequirements, metadata) },
  { NULL },
};

/* Servers may be given by the names that ids were made of. */
static GStrv
dup_ids (const char *const *names)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (gsize i = 0; names[i] != NULL; i++)
    {
      g_autofree char *id = gmcp_config_make_id (names[i]);

      if (g_hash_table_add (seen, id))
        g_ptr_array_add (ids, g_steal_pointer (&id));
    }

  g_ptr_array_add (ids, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&ids), FALSE);
}

static void
gmcp_requirements_constructed (GObject *object)
{
  GmcpRequirements *self = GMCP_REQUIREMENTS (object);

  G_OBJECT_CLASS (gmcp_requirements_parent_class)->constructed (object);

  for (gsize i = 0; i < G_N_ELEMENTS (self->servers); i++)
    {
      g_auto (GStrv) names = self->servers[i];

      self->servers[i] = dup_ids ((const char *const *) names);
    }
}

static void
gmcp_requirements_class_init (GmcpRequirementsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  gmcp_fields_install (G_OBJECT_CLASS (klass), fields, GMCP_FIELDS_CONSTRUCT_ONLY);
  object_class->constructed = gmcp_requirements_constructed;
}

static void
gmcp_requirements_init (GmcpRequirements *self)
{
}

/**
 * gmcp_requirements_new:
 * @name: (nullable): the host or tool that needs the servers; %NULL for any
 * @required: (nullable) (array zero-terminated=1): servers without which no work can begin
 * @recommended: (nullable) (array zero-terminated=1): servers whose lack is worth a warning
 * @optional: (nullable) (array zero-terminated=1): servers that are of use where they are there
 *
 * Makes requirements. Servers are named by id, or by the name that an id is made of.
 *
 * Returns: (transfer full): requirements
 *
 * Since: 0.1
 */
GmcpRequirements *
gmcp_requirements_new (const char *name,
                       const char *const *required,
                       const char *const *recommended,
                       const char *const *optional)
{
  return g_object_new (GMCP_TYPE_REQUIREMENTS, "name", name, "required", required, "recommended",
                       recommended, "optional", optional, NULL);
}

/**
 * gmcp_requirements_get_name: (get-property name)
 * @self: requirements
 *
 * Says which host or tool needs the servers.
 *
 * Returns: (nullable): its name; %NULL for any
 *
 * Since: 0.1
 */
const char *
gmcp_requirements_get_name (GmcpRequirements *self)
{
  g_return_val_if_fail (GMCP_IS_REQUIREMENTS (self), NULL);

  return self->name;
}

/**
 * gmcp_requirements_get_required: (get-property required)
 * @self: requirements
 *
 * Gives the servers without which no work can begin.
 *
 * Returns: (transfer none) (array zero-terminated=1): ids
 *
 * Since: 0.1
 */
const char *const *
gmcp_requirements_get_required (GmcpRequirements *self)
{
  g_return_val_if_fail (GMCP_IS_REQUIREMENTS (self), NULL);

  return gmcp_requirements_get_tier (self, GMCP_TIER_REQUIRED);
}

/**
 * gmcp_requirements_get_recommended: (get-property recommended)
 * @self: requirements
 *
 * Gives the servers whose lack is worth a warning.
 *
 * Returns: (transfer none) (array zero-terminated=1): ids
 *
 * Since: 0.1
 */
const char *const *
gmcp_requirements_get_recommended (GmcpRequirements *self)
{
  g_return_val_if_fail (GMCP_IS_REQUIREMENTS (self), NULL);

  return gmcp_requirements_get_tier (self, GMCP_TIER_RECOMMENDED);
}

/**
 * gmcp_requirements_get_optional: (get-property optional)
 * @self: requirements
 *
 * Gives the servers that are of use where they are there.
 *
 * Returns: (transfer none) (array zero-terminated=1): ids
 *
 * Since: 0.1
 */
const char *const *
gmcp_requirements_get_optional (GmcpRequirements *self)
{
  g_return_val_if_fail (GMCP_IS_REQUIREMENTS (self), NULL);

  return gmcp_requirements_get_tier (self, GMCP_TIER_OPTIONAL);
}

/**
 * gmcp_requirements_get_metadata: (get-property metadata)
 * @self: requirements
 *
 * Gives what the configuration says of the host or tool besides.
 *
 * Returns: (transfer none) (array zero-terminated=1): names and values in turn
 *
 * Since: 0.1
 */
const char *const *
gmcp_requirements_get_metadata (GmcpRequirements *self)
{
  g_return_val_if_fail (GMCP_IS_REQUIREMENTS (self), NULL);

  return (const char *const *) self->metadata;
}

static const char *
find_metadata (const char *const *metadata, const char *name)
{
  for (gsize i = 0; metadata[i] != NULL && metadata[i + 1] != NULL; i += 2)
    if (g_str_equal (metadata[i], name))
      return metadata[i + 1];
  return NULL;
}

/**
 * gmcp_requirements_lookup_metadata:
 * @self: requirements
 * @name: such as `binary`, `command-template` or `models`
 *
 * Gives one thing that the configuration says of the host or tool besides.
 *
 * Returns: (transfer none) (nullable): the value; %NULL where the configuration does not say
 *
 * Since: 0.1
 */
const char *
gmcp_requirements_lookup_metadata (GmcpRequirements *self, const char *name)
{
  g_return_val_if_fail (GMCP_IS_REQUIREMENTS (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return find_metadata ((const char *const *) self->metadata, name);
}

static void
add_metadata (GPtrArray *metadata, const char *name, const char *value)
{
  if (value == NULL || *value == '\0')
    return;

  g_ptr_array_add (metadata, g_strdup (name));
  g_ptr_array_add (metadata, g_strdup (value));
}

GStrv
gmcp_requirements_make_metadata (const char *binary,
                                 const char *command_template,
                                 const char *const *models)
{
  g_autoptr (GPtrArray) metadata = g_ptr_array_new ();
  g_autofree char *joined = models != NULL ? g_strjoinv (",", (GStrv) models) : NULL;

  add_metadata (metadata, "binary", binary);
  add_metadata (metadata, "command-template", command_template);
  add_metadata (metadata, "models", joined);
  g_ptr_array_add (metadata, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&metadata), FALSE);
}

const char *const *
gmcp_requirements_get_tier (GmcpRequirements *self, GmcpTier tier)
{
  return (const char *const *) self->servers[tier];
}

GmcpRequirements *
gmcp_requirements_merge (const char *name, GPtrArray *parts)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) tiers = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GHashTable) said = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) metadata = g_ptr_array_new ();

  for (int tier = GMCP_TIER_REQUIRED; tier <= GMCP_TIER_OPTIONAL; tier++)
    {
      GPtrArray *servers = g_ptr_array_new ();

      g_ptr_array_add (tiers, servers);
      for (guint i = 0; i < parts->len; i++)
        {
          const char *const *ids = gmcp_requirements_get_tier (g_ptr_array_index (parts, i), tier);

          for (gsize j = 0; ids[j] != NULL; j++)
            if (g_hash_table_add (seen, (gpointer) ids[j]))
              g_ptr_array_add (servers, (gpointer) ids[j]);
        }
      g_ptr_array_add (servers, NULL);
    }

  for (guint i = 0; i < parts->len; i++)
    {
      GmcpRequirements *part = g_ptr_array_index (parts, i);

      for (gsize j = 0; part->metadata[j] != NULL && part->metadata[j + 1] != NULL; j += 2)
        if (g_hash_table_add (said, part->metadata[j]))
          {
            g_ptr_array_add (metadata, part->metadata[j]);
            g_ptr_array_add (metadata, part->metadata[j + 1]);
          }
    }
  g_ptr_array_add (metadata, NULL);

#define TIER(tier) ((GPtrArray *) g_ptr_array_index (tiers, tier))->pdata
  return g_object_new (GMCP_TYPE_REQUIREMENTS, "name", name, "required", TIER (GMCP_TIER_REQUIRED),
                       "recommended", TIER (GMCP_TIER_RECOMMENDED), "optional",
                       TIER (GMCP_TIER_OPTIONAL), "metadata", metadata->pdata, NULL);
#undef TIER
}
