/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/protocol/gmcp-prompt-builder.h>

#include "gmcp-prompt-private.h"

/**
 * GmcpPromptBuilder:
 *
 * Makes a [class@Gmcp.Prompt] out of its parts, in every language: set what the prompt has, then
 * [method@Gmcp.PromptBuilder.build] it. [ctor@Gmcp.Prompt.new] is shorter for a prompt without
 * arguments, [ctor@Gmcp.Prompt.new_from_json] makes one that has more members.
 *
 * Spec: MCP 2026-07-28, server/prompts, "Prompt".
 *
 * Since: 0.1
 */
struct _GmcpPromptBuilder
{
  GObject parent_instance;

  char *name;
  char *title;
  char *description;
  GPtrArray *arguments; /* of GmcpPromptArgument */
};

G_DEFINE_FINAL_TYPE (GmcpPromptBuilder, gmcp_prompt_builder, G_TYPE_OBJECT)

typedef enum
{
  PROP_NAME = 1,
} GmcpPromptBuilderProperty;

static GParamSpec *properties[PROP_NAME + 1];

static void
gmcp_prompt_builder_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch ((GmcpPromptBuilderProperty) prop_id)
    {
    case PROP_NAME:
      g_value_set_string (value, GMCP_PROMPT_BUILDER (object)->name);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_prompt_builder_set_property (GObject *object,
                                  guint prop_id,
                                  const GValue *value,
                                  GParamSpec *pspec)
{
  switch ((GmcpPromptBuilderProperty) prop_id)
    {
    case PROP_NAME:
      GMCP_PROMPT_BUILDER (object)->name = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_prompt_builder_finalize (GObject *object)
{
  GmcpPromptBuilder *self = GMCP_PROMPT_BUILDER (object);

  g_free (self->name);
  g_free (self->title);
  g_free (self->description);
  g_ptr_array_unref (self->arguments);

  G_OBJECT_CLASS (gmcp_prompt_builder_parent_class)->finalize (object);
}

static void
gmcp_prompt_builder_class_init (GmcpPromptBuilderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_prompt_builder_get_property;
  object_class->set_property = gmcp_prompt_builder_set_property;
  object_class->finalize = gmcp_prompt_builder_finalize;

  /**
   * GmcpPromptBuilder:name:
   *
   * The name that the prompt is asked for by.
   *
   * Since: 0.1
   */
  properties[PROP_NAME] = g_param_spec_string (
    "name", NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_prompt_builder_init (GmcpPromptBuilder *self)
{
  self->arguments = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_prompt_argument_unref);
}

/**
 * gmcp_prompt_builder_new:
 * @name: the name that the prompt is asked for by
 *
 * Makes a builder for a prompt that has a name only.
 *
 * Returns: (transfer full): a new builder
 *
 * Since: 0.1
 */
GmcpPromptBuilder *
gmcp_prompt_builder_new (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  return g_object_new (GMCP_TYPE_PROMPT_BUILDER, "name", name, NULL);
}

/**
 * gmcp_prompt_builder_set_title:
 * @self: a builder
 * @title: (nullable): a name to show to people
 *
 * Sets the prompt's title.
 *
 * Since: 0.1
 */
void
gmcp_prompt_builder_set_title (GmcpPromptBuilder *self, const char *title)
{
  char *copy = g_strdup (title);

  g_return_if_fail (GMCP_IS_PROMPT_BUILDER (self));

  g_free (self->title);
  self->title = copy;
}

/**
 * gmcp_prompt_builder_set_description:
 * @self: a builder
 * @description: (nullable): what the prompt does
 *
 * Sets the prompt's description.
 *
 * Since: 0.1
 */
void
gmcp_prompt_builder_set_description (GmcpPromptBuilder *self, const char *description)
{
  char *copy = g_strdup (description);

  g_return_if_fail (GMCP_IS_PROMPT_BUILDER (self));

  g_free (self->description);
  self->description = copy;
}

/**
 * gmcp_prompt_builder_add_argument:
 * @self: a builder
 * @argument: an argument
 *
 * Adds an argument that the prompt takes, after those that are there.
 *
 * Since: 0.1
 */
void
gmcp_prompt_builder_add_argument (GmcpPromptBuilder *self, GmcpPromptArgument *argument)
{
  g_return_if_fail (GMCP_IS_PROMPT_BUILDER (self));
  g_return_if_fail (argument != NULL);

  g_ptr_array_add (self->arguments, gmcp_prompt_argument_ref (argument));
}

/**
 * gmcp_prompt_builder_build:
 * @self: a builder
 * @error: return location for an error
 *
 * Makes the prompt. The builder may be changed and used again.
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where the name is empty.
 *
 * Returns: (transfer full): a new prompt
 *
 * Since: 0.1
 */
GmcpPrompt *
gmcp_prompt_builder_build (GmcpPromptBuilder *self, GError **error)
{
  g_return_val_if_fail (GMCP_IS_PROMPT_BUILDER (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return gmcp_prompt_new_of_parts (self->name != NULL ? self->name : "", self->title,
                                   self->description, self->arguments, error);
}
