/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-input-private.h"

#include "gmcp-input-request-private.h"
#include "gmcp-keyring-secret-private.h"

/**
 * GmcpConfigInput:
 *
 * A value that a configuration leaves to the user: `${input:ID}`. It is asked for when the server that
 * needs it is started, by [signal@Gmcp.Manager::config-input-requested], and answered as all questions
 * are: by [method@Gmcp.ConfigInput.accept], [method@Gmcp.InputRequest.decline] or
 * [method@Gmcp.InputRequest.cancel]. Without a value the start of the server fails. It is closed when the
 * start is given up.
 *
 * Since: 0.1
 */
struct _GmcpConfigInput
{
  GmcpInputRequest parent_instance;

  char *id;
  char *file; /* NULL for the settings */
  char *description;
  gboolean secret;
  gboolean declined;
};

G_DEFINE_FINAL_TYPE (GmcpConfigInput, gmcp_config_input, GMCP_TYPE_INPUT_REQUEST)

static void
gmcp_config_input_finalize (GObject *object)
{
  GmcpConfigInput *self = GMCP_CONFIG_INPUT (object);

  g_free (self->id);
  g_free (self->file);
  g_free (self->description);

  G_OBJECT_CLASS (gmcp_config_input_parent_class)->finalize (object);
}

static void
gmcp_config_input_decline (GmcpInputRequest *request)
{
  GMCP_CONFIG_INPUT (request)->declined = TRUE;
  gmcp_input_request_answer (request, NULL);
}

static void
gmcp_config_input_class_init (GmcpConfigInputClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_config_input_finalize;
  GMCP_INPUT_REQUEST_CLASS (klass)->decline = gmcp_config_input_decline;
  GMCP_INPUT_REQUEST_CLASS (klass)->give_up = gmcp_input_request_give_up_later;
}

static void
gmcp_config_input_init (GmcpConfigInput *self)
{
}

GmcpConfigInput *
gmcp_config_input_new (GmcpServerConfig *config,
                       const char *id,
                       const char *file,
                       const char *description,
                       gboolean secret)
{
  GmcpConfigInput *self = g_object_new (GMCP_TYPE_CONFIG_INPUT, NULL);

  gmcp_input_request_set_server_id (GMCP_INPUT_REQUEST (self), gmcp_server_config_get_id (config));
  self->id = g_strdup (id);
  self->file = g_strdup (file);
  self->description = g_strdup (description);
  self->secret = secret;
  gmcp_input_request_set_asker (GMCP_INPUT_REQUEST (self), gmcp_server_config_get_title (config),
                                NULL);
  return self;
}

gboolean
gmcp_config_input_was_declined (GmcpConfigInput *self)
{
  return self->declined;
}

/**
 * gmcp_config_input_get_id:
 * @self: a request
 *
 * Gives the name that the value has in the configuration.
 *
 * Returns: the name
 *
 * Since: 0.1
 */
const char *
gmcp_config_input_get_id (GmcpConfigInput *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_INPUT (self), NULL);

  return self->id;
}

/**
 * gmcp_config_input_get_description:
 * @self: a request
 *
 * Gives what the file says about the value, for people, as it is written there:
 * [func@Gmcp.dup_visible_text] is for showing it.
 *
 * Returns: (nullable): a text; %NULL where the file says nothing
 *
 * Since: 0.1
 */
const char *
gmcp_config_input_get_description (GmcpConfigInput *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_INPUT (self), NULL);

  return self->description;
}

/**
 * gmcp_config_input_is_secret:
 * @self: a request
 *
 * Says whether the value is a password or the like, not to be shown while it is typed.
 *
 * Returns: whether it is
 *
 * Since: 0.1
 */
gboolean
gmcp_config_input_is_secret (GmcpConfigInput *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_INPUT (self), FALSE);

  return self->secret;
}

/**
 * gmcp_config_input_dup_secret:
 * @self: a request
 *
 * Gives the place in the keyring where the value is looked for before anybody is asked, to store it there
 * ([method@Gmcp.KeyringSecret.store_async]) where the user wishes that.
 *
 * Returns: (transfer full): the place
 *
 * Since: 0.1
 */
GmcpKeyringSecret *
gmcp_config_input_dup_secret (GmcpConfigInput *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_INPUT (self), NULL);

  return gmcp_keyring_secret_new_for_input_of_path (self->id != NULL ? self->id : "", self->file);
}

/**
 * gmcp_config_input_accept:
 * @self: a request
 * @value: the value
 *
 * Gives the value; the start of the server goes on. Does nothing where the request was answered, or where
 * nobody waits for the value any more.
 *
 * Since: 0.1
 */
void
gmcp_config_input_accept (GmcpConfigInput *self, const char *value)
{
  g_return_if_fail (GMCP_IS_CONFIG_INPUT (self));
  g_return_if_fail (value != NULL);

  gmcp_input_request_answer (GMCP_INPUT_REQUEST (self), value);
}
