/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-input-private.h"
#include "gmcp-later-private.h"

/**
 * GmcpConfigInput:
 *
 * A value that a configuration leaves to the user: `${input:ID}`. It is asked for when the server that
 * needs it is started, by [signal@Gmcp.Manager::config-input-requested], and answered once, at any
 * time later; one that is dropped counts as cancelled.
 *
 * Since: 0.1
 */
struct _GmcpConfigInput
{
  GObject parent_instance;

  char *server_id;
  char *id;
  char *file; /* NULL for the settings */
  char *description;
  gboolean secret;
  GMainContext *context;
  GmcpConfigInputDone done; /* NULL once it was answered */
  gpointer data;
};

G_DEFINE_FINAL_TYPE (GmcpConfigInput, gmcp_config_input, G_TYPE_OBJECT)

static void
settle (GmcpConfigInput *self, const char *value)
{
  GmcpConfigInputDone done = g_steal_pointer (&self->done);

  if (done != NULL)
    done (value, self->data);
}

typedef struct
{
  GmcpConfigInputDone done;
  gpointer data;
} Dropped;

static void
on_dropped (gpointer data)
{
  g_autofree Dropped *dropped = data;

  dropped->done (NULL, dropped->data);
}

static void
gmcp_config_input_dispose (GObject *object)
{
  GmcpConfigInput *self = GMCP_CONFIG_INPUT (object);

  if (self->done != NULL)
    {
      Dropped *dropped = g_new (Dropped, 1);

      dropped->done = g_steal_pointer (&self->done);
      dropped->data = self->data;
      gmcp_call_later (self->context, "[gmcp] dropped question for a value", on_dropped, dropped);
    }

  G_OBJECT_CLASS (gmcp_config_input_parent_class)->dispose (object);
}

static void
gmcp_config_input_finalize (GObject *object)
{
  GmcpConfigInput *self = GMCP_CONFIG_INPUT (object);

  g_free (self->server_id);
  g_free (self->id);
  g_free (self->file);
  g_free (self->description);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (gmcp_config_input_parent_class)->finalize (object);
}

static void
gmcp_config_input_class_init (GmcpConfigInputClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gmcp_config_input_dispose;
  G_OBJECT_CLASS (klass)->finalize = gmcp_config_input_finalize;
}

static void
gmcp_config_input_init (GmcpConfigInput *self)
{
  self->context = g_main_context_ref_thread_default ();
}

GmcpConfigInput *
gmcp_config_input_new (const char *server_id,
                       const char *id,
                       const char *file,
                       const char *description,
                       gboolean secret,
                       GmcpConfigInputDone done,
                       gpointer data)
{
  GmcpConfigInput *self = g_object_new (GMCP_TYPE_CONFIG_INPUT, NULL);

  self->server_id = g_strdup (server_id);
  self->id = g_strdup (id);
  self->file = g_strdup (file);
  self->description = g_strdup (description);
  self->secret = secret;
  self->done = done;
  self->data = data;
  return self;
}

/**
 * gmcp_config_input_get_server_id:
 * @self: a request
 *
 * Gives the id of the server that needs the value.
 *
 * Returns: the id
 *
 * Since: 0.1
 */
const char *
gmcp_config_input_get_server_id (GmcpConfigInput *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_INPUT (self), NULL);

  return self->server_id;
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

  return gmcp_keyring_secret_new_for_input (self->id != NULL ? self->id : "", self->file);
}

/**
 * gmcp_config_input_answer:
 * @self: a request
 * @value: the value
 *
 * Gives the value; the start of the server goes on. A request that has been answered, or whose server
 * is not started any more, takes no notice.
 *
 * Since: 0.1
 */
void
gmcp_config_input_answer (GmcpConfigInput *self, const char *value)
{
  g_return_if_fail (GMCP_IS_CONFIG_INPUT (self));
  g_return_if_fail (value != NULL);

  settle (self, value);
}

/**
 * gmcp_config_input_cancel:
 * @self: a request
 *
 * Says that there will be no value; the start of the server fails.
 *
 * Since: 0.1
 */
void
gmcp_config_input_cancel (GmcpConfigInput *self)
{
  g_return_if_fail (GMCP_IS_CONFIG_INPUT (self));

  settle (self, NULL);
}
