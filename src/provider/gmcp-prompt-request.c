/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-prompt-request-private.h"
#include "gmcp-provider-request-private.h"

/**
 * GmcpPromptRequest:
 *
 * A wish for a prompt's messages, as the [iface@Gmcp.PromptProvider] that has the prompt gets it.
 *
 * Since: 0.1
 */
struct _GmcpPromptRequest
{
  GmcpProviderRequest parent_instance;

  char *name;
  GHashTable *arguments; /* (element-type utf8 utf8) */
};

G_DEFINE_FINAL_TYPE (GmcpPromptRequest, gmcp_prompt_request, GMCP_TYPE_PROVIDER_REQUEST)

static void
gmcp_prompt_request_finalize (GObject *object)
{
  GmcpPromptRequest *self = GMCP_PROMPT_REQUEST (object);

  g_free (self->name);
  g_clear_pointer (&self->arguments, g_hash_table_unref);

  G_OBJECT_CLASS (gmcp_prompt_request_parent_class)->finalize (object);
}

static void
gmcp_prompt_request_class_init (GmcpPromptRequestClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_prompt_request_finalize;
}

static void
gmcp_prompt_request_init (GmcpPromptRequest *self)
{
}

GHashTable *
gmcp_prompt_request_copy_texts (GHashTable *texts)
{
  GHashTable *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer key, value;

  if (texts == NULL)
    return copy;

  g_hash_table_iter_init (&iter, texts);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (value != NULL)
      g_hash_table_insert (copy, g_strdup (key), g_strdup (value));
  return copy;
}

GmcpPromptRequest *
gmcp_prompt_request_new (const char *name, GHashTable *arguments)
{
  GmcpPromptRequest *self = g_object_new (GMCP_TYPE_PROMPT_REQUEST, NULL);

  self->name = g_strdup (name);
  self->arguments = gmcp_prompt_request_copy_texts (arguments);
  return self;
}

/**
 * gmcp_prompt_request_get_name:
 * @self: a request
 *
 * Gives the name of the prompt.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.1
 */
const char *
gmcp_prompt_request_get_name (GmcpPromptRequest *self)
{
  g_return_val_if_fail (GMCP_IS_PROMPT_REQUEST (self), NULL);

  return self->name;
}

/**
 * gmcp_prompt_request_get_argument:
 * @self: a request
 * @name: the name of an argument
 *
 * Gives the value of one of the prompt's arguments.
 *
 * Returns: (transfer none) (nullable): the value, or %NULL where none was given
 *
 * Since: 0.1
 */
const char *
gmcp_prompt_request_get_argument (GmcpPromptRequest *self, const char *name)
{
  g_return_val_if_fail (GMCP_IS_PROMPT_REQUEST (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return self->arguments != NULL ? g_hash_table_lookup (self->arguments, name) : NULL;
}

/**
 * gmcp_prompt_request_get_arguments:
 * @self: a request
 *
 * Gives all arguments.
 *
 * Returns: (transfer none) (element-type utf8 utf8): values by the names of the arguments
 *
 * Since: 0.1
 */
GHashTable *
gmcp_prompt_request_get_arguments (GmcpPromptRequest *self)
{
  g_return_val_if_fail (GMCP_IS_PROMPT_REQUEST (self), NULL);

  return self->arguments;
}

/**
 * gmcp_prompt_request_return_result:
 * @self: a request
 * @result: the messages
 *
 * Completes the request.
 *
 * Since: 0.1
 */
void
gmcp_prompt_request_return_result (GmcpPromptRequest *self, GmcpPromptResult *result)
{
  g_return_if_fail (GMCP_IS_PROMPT_REQUEST (self));
  g_return_if_fail (result != NULL);

  gmcp_provider_request_return_pointer (self, gmcp_prompt_result_ref (result),
                                        (GDestroyNotify) gmcp_prompt_result_unref);
}
