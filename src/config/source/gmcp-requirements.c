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
 * stands what else the configuration says of the host or tool: its program, how that is called and
 * what models it works with, which gmcp keeps for whoever asks and does not use itself.
 *
 * [method@Gmcp.Requirements.check_async] finds out which of them are there.
 *
 * Since: 0.1
 */
struct _GmcpRequirements
{
  GObject parent_instance;

  char *name;
  char *binary;
  char *command_template;
  GStrv models;
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
   * GmcpRequirements:binary: (getter get_binary)
   *
   * The program that the host or tool is; %NULL where the configuration does not say.
   *
   * Since: 0.1
   */
  { "binary", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpRequirements, binary) },

  /**
   * GmcpRequirements:command-template: (getter get_command_template)
   *
   * How the program is called; %NULL where the configuration does not say.
   *
   * Since: 0.1
   */
  { "command-template", GMCP_FIELD_TEXT, G_STRUCT_OFFSET (GmcpRequirements, command_template) },

  /**
   * GmcpRequirements:models: (getter get_models)
   *
   * The models that the host or tool works with.
   *
   * Since: 0.1
   */
  { "models", GMCP_FIELD_STRV, G_STRUCT_OFFSET (GmcpRequirements, models) },
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
 * gmcp_requirements_get_binary: (get-property binary)
 * @self: requirements
 *
 * Says what program the host or tool is.
 *
 * Returns: (nullable): a name or path; %NULL where the configuration does not say
 *
 * Since: 0.1
 */
const char *
gmcp_requirements_get_binary (GmcpRequirements *self)
{
  g_return_val_if_fail (GMCP_IS_REQUIREMENTS (self), NULL);

  return self->binary;
}

/**
 * gmcp_requirements_get_command_template: (get-property command-template)
 * @self: requirements
 *
 * Says how the program of the host or tool is called.
 *
 * Returns: (nullable): a command line with places to fill in; %NULL where the configuration does not say
 *
 * Since: 0.1
 */
const char *
gmcp_requirements_get_command_template (GmcpRequirements *self)
{
  g_return_val_if_fail (GMCP_IS_REQUIREMENTS (self), NULL);

  return self->command_template;
}

/**
 * gmcp_requirements_get_models: (get-property models)
 * @self: requirements
 *
 * Says what models the host or tool works with.
 *
 * Returns: (transfer none) (array zero-terminated=1): their names
 *
 * Since: 0.1
 */
const char *const *
gmcp_requirements_get_models (GmcpRequirements *self)
{
  g_return_val_if_fail (GMCP_IS_REQUIREMENTS (self), NULL);

  return (const char *const *) self->models;
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
  const char *binary = NULL;
  const char *command_template = NULL;
  GStrv models = NULL;

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

      binary = binary != NULL ? binary : part->binary;
      command_template = command_template != NULL ? command_template : part->command_template;
      models = models != NULL && *models != NULL ? models : part->models;
    }

#define TIER(tier) ((GPtrArray *) g_ptr_array_index (tiers, tier))->pdata
  return g_object_new (GMCP_TYPE_REQUIREMENTS, "name", name, "required", TIER (GMCP_TIER_REQUIRED),
                       "recommended", TIER (GMCP_TIER_RECOMMENDED), "optional",
                       TIER (GMCP_TIER_OPTIONAL), "binary", binary, "command-template",
                       command_template, "models", models, NULL);
#undef TIER
}
