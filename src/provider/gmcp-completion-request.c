/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-completion-request-private.h"
#include "gmcp-prompt-request-private.h"
#include "gmcp-provider-request-private.h"

/**
 * GmcpCompletionRequest:
 *
 * What somebody has begun to type for an argument of a prompt or a variable of a template, as the
 * provider gets it that may know how it goes on.
 *
 * Spec: MCP 2026-07-28, server/utilities/completion.
 *
 * Since: 0.1
 */
struct _GmcpCompletionRequest
{
  GmcpProviderRequest parent_instance;

  char *reference;
  char *argument;
  char *value;
  GHashTable *context; /* (element-type utf8 utf8) */
};

G_DEFINE_FINAL_TYPE (GmcpCompletionRequest, gmcp_completion_request, GMCP_TYPE_PROVIDER_REQUEST)

static void
gmcp_completion_request_finalize (GObject *object)
{
  GmcpCompletionRequest *self = GMCP_COMPLETION_REQUEST (object);

  g_free (self->reference);
  g_free (self->argument);
  g_free (self->value);
  g_clear_pointer (&self->context, g_hash_table_unref);

  G_OBJECT_CLASS (gmcp_completion_request_parent_class)->finalize (object);
}

static void
gmcp_completion_request_class_init (GmcpCompletionRequestClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_completion_request_finalize;
}

static void
gmcp_completion_request_init (GmcpCompletionRequest *self)
{
}

GmcpCompletionRequest *
gmcp_completion_request_new (const char *reference,
                             const char *argument,
                             const char *value,
                             GHashTable *context)
{
  GmcpCompletionRequest *self = g_object_new (GMCP_TYPE_COMPLETION_REQUEST, NULL);

  self->reference = g_strdup (reference);
  self->argument = g_strdup (argument);
  self->value = g_strdup (value);
  self->context = gmcp_prompt_request_copy_texts (context);
  return self;
}

void
gmcp_completion_request_return_outcome (GmcpCompletionRequest *self,
                                        GmcpCompletionResult *result,
                                        const GError *error)
{
  if (result != NULL)
    gmcp_completion_request_return_result (self, result);
  else
    gmcp_provider_request_return_error (GMCP_PROVIDER_REQUEST (self), error);
}

void
gmcp_completion_request_return_nothing (gpointer provider, gpointer request)
{
  gmcp_completion_request_return_values (request, (const char *const[]){ NULL });
}

/**
 * gmcp_completion_request_get_reference:
 * @self: a request
 *
 * Gives what has the argument: the name of a prompt, or the URI template of resources.
 *
 * Returns: (transfer none): the name or the template
 *
 * Since: 0.1
 */
const char *
gmcp_completion_request_get_reference (GmcpCompletionRequest *self)
{
  g_return_val_if_fail (GMCP_IS_COMPLETION_REQUEST (self), NULL);

  return self->reference;
}

/**
 * gmcp_completion_request_get_argument:
 * @self: a request
 *
 * Gives the name of the argument, or of the variable of the template.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.1
 */
const char *
gmcp_completion_request_get_argument (GmcpCompletionRequest *self)
{
  g_return_val_if_fail (GMCP_IS_COMPLETION_REQUEST (self), NULL);

  return self->argument;
}

/**
 * gmcp_completion_request_get_value:
 * @self: a request
 *
 * Gives what was typed so far.
 *
 * Returns: (transfer none): the text, which may be empty
 *
 * Since: 0.1
 */
const char *
gmcp_completion_request_get_value (GmcpCompletionRequest *self)
{
  g_return_val_if_fail (GMCP_IS_COMPLETION_REQUEST (self), NULL);

  return self->value;
}

/**
 * gmcp_completion_request_get_context:
 * @self: a request
 *
 * Gives the other arguments that have a value already.
 *
 * Returns: (transfer none) (element-type utf8 utf8): values by the names of the arguments
 *
 * Since: 0.1
 */
GHashTable *
gmcp_completion_request_get_context (GmcpCompletionRequest *self)
{
  g_return_val_if_fail (GMCP_IS_COMPLETION_REQUEST (self), NULL);

  return self->context;
}

/**
 * gmcp_completion_request_return_values:
 * @self: a request
 * @values: (array zero-terminated=1): all values that it may go on to, the best first
 *
 * Completes the request with all that there is. Of more than 100 values the client gets the first 100
 * and hears that there are more.
 *
 * Since: 0.1
 */
void
gmcp_completion_request_return_values (GmcpCompletionRequest *self, const char *const *values)
{
  g_autoptr (GmcpCompletionResult) result = NULL;

  g_return_if_fail (GMCP_IS_COMPLETION_REQUEST (self));
  g_return_if_fail (values != NULL);

  result = gmcp_completion_result_new (values, g_strv_length ((char **) values), FALSE);
  gmcp_completion_request_return_result (self, result);
}

/**
 * gmcp_completion_request_return_result:
 * @self: a request
 * @result: the values
 *
 * Completes the request.
 *
 * Since: 0.1
 */
void
gmcp_completion_request_return_result (GmcpCompletionRequest *self, GmcpCompletionResult *result)
{
  g_return_if_fail (GMCP_IS_COMPLETION_REQUEST (self));
  g_return_if_fail (result != NULL);

  gmcp_provider_request_return_pointer (self, gmcp_completion_result_ref (result),
                                        (GDestroyNotify) gmcp_completion_result_unref);
}
