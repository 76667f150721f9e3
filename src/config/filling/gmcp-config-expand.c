/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-expand-private.h"
#include "gmcp-config-filling-private.h"
#include "gmcp-config-input-private.h"
#include "gmcp-input-request-private.h"
#include "gmcp-config-secret-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-private.h"
#include "gmcp-keyring-secret-private.h"
#include "gmcp-server-config-private.h"

#include <gmcp/core/gmcp-error.h>

/* First all variables are looked for, which finds out what has to be asked elsewhere; then that is
 * asked, one after the other; then the values are filled in. */
typedef struct
{
  GmcpServerConfig *config;
  GmcpConfigAsk ask;
  GmcpConfigLearn learn;
  GmcpConfigRecall recall;
  GmcpConfigRemember remember;
  GObject *target;
  GmcpConfigFilling *filling;
  GPtrArray *secrets;   /* values that nobody may see */
  GSource *cancel;      /* while somebody is asked */
  gboolean was_unasked; /* for the value that is missing */
  gboolean asks_secret; /* of whom, for something that nobody else may see */
} Expansion;

static void
expansion_free (Expansion *expansion)
{
  g_object_unref (expansion->config);
  g_clear_object (&expansion->target);
  g_clear_pointer (&expansion->filling, gmcp_config_filling_free);
  g_ptr_array_unref (expansion->secrets);
  g_free (expansion);
}

static void ask_next (GTask *task);

static void
take_variable (GTask *task, const char *value, GError *problem)
{
  Expansion *expansion = g_task_get_task_data (task);
  const char *key = gmcp_config_filling_get_wanted (expansion->filling);
  gboolean secret = g_str_has_prefix (key, "secret:");
  const char *name = strchr (key, ':') + 1;
  g_autofree char *hint = NULL;
  g_autofree char *what = NULL;

  if (value != NULL
      || (problem == NULL && gmcp_config_filling_has_fallback (expansion->filling, key)))
    {
      gmcp_config_filling_give (expansion->filling, key, value);
      ask_next (task);
      return;
    }

  if (problem != NULL)
    what = g_strdup_printf (_ ("the secret %s could not be looked up: %s"), name, problem->message);
  else if (secret)
    {
      hint = gmcp_config_secret_describe (name, gmcp_server_config_get_id (expansion->config),
                                          gmcp_server_config_get_origin (expansion->config));
      what = g_strdup_printf (_ ("the secret %s is not stored; store it with: %s"), name, hint);
    }
  else
    {
      GmcpConfigOrigin *origin = gmcp_server_config_get_origin (expansion->config);
      g_autoptr (GmcpKeyringSecret) input
        = gmcp_keyring_secret_new_for_input_of_path (name, origin != NULL ? origin->file : NULL);

      hint = gmcp_keyring_secret_dup_command (input, "set");
      what = g_strdup_printf (
        _ ("the value of %s was asked for, and nobody gave one; store it with: %s"), name, hint);
    }
  g_task_return_error (task, gmcp_config_filling_make_error (expansion->filling, key, what));
}

static void
on_secret (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *value = gmcp_config_secret_lookup_finish (result, &error);
  Expansion *expansion = g_task_get_task_data (task);

  if (value != NULL)
    g_ptr_array_add (expansion->secrets, g_strdup (value));
  if (!g_task_return_error_if_cancelled (task))
    take_variable (task, value, error);
}

static void
forget_cancel (Expansion *expansion)
{
  if (expansion->cancel != NULL)
    g_source_destroy (expansion->cancel);
  g_clear_pointer (&expansion->cancel, g_source_unref);
}

/* What a file asks for is no answer to another. */
static char *
make_key (GmcpServerConfig *config, const char *id)
{
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (config);

  return g_strconcat (origin != NULL && origin->file != NULL ? origin->file : "", "\n", id, NULL);
}

static void
remember_value (Expansion *expansion, const char *id, const char *value)
{
  g_autofree char *key = make_key (expansion->config, id);

  if (expansion->remember != NULL)
    expansion->remember (expansion->target, key, value);
}

static void
on_input (GmcpInputRequest *input, const char *value, gpointer data)
{
  g_autoptr (GTask) task = data;
  Expansion *expansion = g_task_get_task_data (task);
  const char *key = gmcp_config_filling_get_wanted (expansion->filling);

  expansion->was_unasked
    = value == NULL
      && (input == NULL || !gmcp_config_input_was_declined (GMCP_CONFIG_INPUT (input)));
  if (expansion->asks_secret && value != NULL)
    g_ptr_array_add (expansion->secrets, g_strdup (value));
  forget_cancel (expansion);
  if (value != NULL)
    remember_value (expansion, strchr (key, ':') + 1, value);
  if (!g_task_return_error_if_cancelled (task))
    take_variable (task, value, NULL);
}

/* What the file says about an input. One that nobody describes may be a secret. */
static void
find_input (GmcpConfigOrigin *origin, const char *id, char **description, gboolean *secret)
{
  for (guint i = 0; origin != NULL && origin->inputs != NULL && i < origin->inputs->len; i++)
    {
      const char *text = g_ptr_array_index (origin->inputs, i);
      g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, strlen (text), NULL, 0, NULL);
      GmcpJsonValue root = doc != NULL ? gmcp_json_doc_get_root (doc) : GMCP_JSON_NONE;

      if (!gmcp_json_value_equals_string (gmcp_json_value_get_member (root, "id"), id))
        continue;
      *description = gmcp_json_value_dup_string (gmcp_json_value_get_member (root, "description"));
      gmcp_json_value_get_boolean (gmcp_json_value_get_member (root, "password"), secret);
      return;
    }
  *secret = TRUE;
}

/* A question whose start may be given up. */
typedef struct
{
  GWeakRef input;
  GTask *task; /* not owned: the question has it */
} Asking;

static void
asking_free (gpointer data)
{
  Asking *asking = data;

  g_weak_ref_clear (&asking->input);
  g_free (asking);
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  Asking *asking = data;
  g_autoptr (GmcpInputRequest) input = g_weak_ref_get (&asking->input);
  GTask *task = asking->task;

  if (input != NULL && gmcp_input_request_is_open (input))
    {
      gmcp_input_request_close (input);
      on_input (input, NULL, task);
    }
  return G_SOURCE_REMOVE;
}

/* A start that is given up waits for nobody. The request is not kept: one that is dropped is answered
 * by that. */
static void
watch_cancellable (GTask *task, GmcpConfigInput *input)
{
  Expansion *expansion = g_task_get_task_data (task);
  Asking *asking;

  if (g_task_get_cancellable (task) == NULL)
    return;

  asking = g_new (Asking, 1);
  asking->task = task;
  g_weak_ref_init (&asking->input, input);
  expansion->cancel = g_cancellable_source_new (g_task_get_cancellable (task));
  g_source_set_static_name (expansion->cancel, "[gmcp] value of a configuration");
  g_source_set_callback (expansion->cancel, G_SOURCE_FUNC (on_cancelled), asking, asking_free);
  g_source_attach (expansion->cancel, g_task_get_context (task));
}

static void
ask_user (GTask *task, const char *id)
{
  Expansion *expansion = g_task_get_task_data (task);
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (expansion->config);
  g_autofree char *description = NULL;
  gboolean secret = FALSE;
  g_autoptr (GmcpConfigInput) input = NULL;

  find_input (origin, id, &description, &secret);
  expansion->asks_secret = secret;
  input = gmcp_config_input_new (expansion->config, id, origin != NULL ? origin->file : NULL,
                                 description, secret);
  gmcp_input_request_listen (GMCP_INPUT_REQUEST (input), on_input, g_object_ref (task));
  watch_cancellable (task, input);
  /* A request that nobody keeps is dropped here, and counts as cancelled. */
  if (expansion->ask != NULL)
    expansion->ask (expansion->target, input);
}

/* Where the keyring cannot be used, somebody may still be asked. */
static void
on_stored_input (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Expansion *expansion = g_task_get_task_data (task);
  GmcpKeyringSecret *secret = GMCP_KEYRING_SECRET (object);
  g_autoptr (GError) error = NULL;
  g_autofree char *value = gmcp_keyring_secret_lookup_finish (secret, result, &error);

  if (g_task_return_error_if_cancelled (task))
    return;
  if (error != NULL)
    g_debug ("What was answered before is not known: %s", error->message);
  if (value == NULL)
    {
      ask_user (task, gmcp_keyring_secret_get_name (secret));
      return;
    }

  g_ptr_array_add (expansion->secrets, g_strdup (value));
  take_variable (task, value, NULL);
}

static void
find_answer (GTask *task, const char *id)
{
  Expansion *expansion = g_task_get_task_data (task);
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (expansion->config);
  g_autofree char *key = make_key (expansion->config, id);
  g_autofree char *known
    = expansion->recall != NULL ? expansion->recall (expansion->target, key) : NULL;
  g_autoptr (GmcpKeyringSecret) secret = NULL;

  if (known != NULL)
    {
      take_variable (task, known, NULL);
      return;
    }

  secret = gmcp_keyring_secret_new_for_input_of_path (id, origin != NULL ? origin->file : NULL);
  gmcp_keyring_secret_lookup_async (secret, g_task_get_cancellable (task), on_stored_input,
                                    g_object_ref (task));
}

/* What makes a configuration that cannot be used is asked for again the next time. */
static void
forget_answers (Expansion *expansion)
{
  g_autoptr (GPtrArray) given = gmcp_config_filling_list_given (expansion->filling);

  for (guint i = 0; i < given->len; i++)
    {
      const char *key = g_ptr_array_index (given, i);

      if (g_str_has_prefix (key, "input:"))
        remember_value (expansion, strchr (key, ':') + 1, NULL);
    }
}

static void
ask_next (GTask *task)
{
  Expansion *expansion = g_task_get_task_data (task);
  GmcpServerConfig *filled;
  GError *error = NULL;
  const char *key = gmcp_config_filling_get_wanted (expansion->filling);

  if (key == NULL)
    {
      filled = gmcp_config_filling_make (expansion->filling, &error);
      if (filled != NULL && !gmcp_server_config_validate (filled, &error))
        g_clear_object (&filled);
      if (filled == NULL)
        {
          forget_answers (expansion);
          g_task_return_error (task, error);
          return;
        }
      if (expansion->learn != NULL)
        expansion->learn (expansion->target, filled,
                          gmcp_config_filling_peek_variables (expansion->filling),
                          expansion->secrets);
      g_task_return_pointer (task, filled, g_object_unref);
      return;
    }

  if (g_str_has_prefix (key, "secret:"))
    gmcp_config_secret_lookup_async (strchr (key, ':') + 1,
                                     gmcp_server_config_get_id (expansion->config),
                                     gmcp_server_config_get_origin (expansion->config),
                                     g_task_get_cancellable (task), on_secret, g_object_ref (task));
  else
    find_answer (task, strchr (key, ':') + 1);
}

static GStrv
find_overrides (GmcpServerConfig *config, const GmcpConfigExpandContext *context)
{
  g_auto (GStrv) environment = g_get_environ ();

  if (gmcp_server_config_is_environment_locked (config))
    return g_new0 (char *, 1);
  return gmcp_config_find_overrides (gmcp_server_config_get_id (config), context->ids,
                                     (const char *const *) environment);
}

gboolean
gmcp_config_needs_expansion (GmcpServerConfig *config, const GmcpConfigExpandContext *context)
{
  g_auto (GStrv) overrides = NULL;

  if (gmcp_config_filling_is_needed (config))
    return TRUE;

  overrides = find_overrides (config, context);
  return overrides[0] != NULL;
}

static const char *
find_workspace (GmcpServerConfig *config, const GmcpConfigExpandContext *context)
{
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (config);

  return origin != NULL && origin->workspace != NULL ? origin->workspace : context->workspace;
}

static gboolean
is_known (GmcpServerConfig *config, const GmcpConfigExpandContext *context, const char *id)
{
  g_autofree char *key = make_key (config, id);
  g_autofree char *value = context->recall != NULL ? context->recall (context->target, key) : NULL;

  return value != NULL;
}

gboolean
gmcp_config_lacks_input (GmcpServerConfig *config, const GmcpConfigExpandContext *context)
{
  g_autoptr (GmcpConfigFilling) filling = gmcp_config_filling_new (
    config, find_workspace (config, context), find_overrides (config, context));
  g_autoptr (GmcpServerConfig) draft = gmcp_config_filling_make (filling, NULL);
  const char *key;

  /* Nobody is asked for anything while something else is missing. */
  if (draft == NULL)
    return FALSE;

  while ((key = gmcp_config_filling_get_wanted (filling)) != NULL)
    {
      if (g_str_has_prefix (key, "input:") && !gmcp_config_filling_has_fallback (filling, key)
          && !is_known (config, context, strchr (key, ':') + 1))
        return TRUE;
      gmcp_config_filling_give (filling, key, NULL);
    }
  return FALSE;
}

gboolean
gmcp_config_expand_was_unasked (GAsyncResult *result)
{
  return ((Expansion *) g_task_get_task_data (G_TASK (result)))->was_unasked;
}

void
gmcp_config_expand_async (GmcpServerConfig *config,
                          const GmcpConfigExpandContext *context,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (config, cancellable, callback, user_data);
  Expansion *expansion = g_new0 (Expansion, 1);
  g_autoptr (GmcpServerConfig) draft = NULL;
  GError *error = NULL;

  g_task_set_source_tag (task, gmcp_config_expand_async);
  g_task_set_task_data (task, expansion, (GDestroyNotify) expansion_free);
  expansion->config = g_object_ref (config);
  expansion->ask = context->ask;
  expansion->learn = context->learn;
  expansion->recall = context->recall;
  expansion->remember = context->remember;
  expansion->target = context->target != NULL ? g_object_ref (context->target) : NULL;
  expansion->filling = gmcp_config_filling_new (config, find_workspace (config, context),
                                                find_overrides (config, context));
  expansion->secrets = g_ptr_array_new_with_free_func (g_free);
  if (g_task_return_error_if_cancelled (task))
    return;

  /* Nobody is asked for anything while something else is missing. */
  draft = gmcp_config_filling_make (expansion->filling, &error);
  if (draft == NULL)
    g_task_return_error (task, error);
  else
    ask_next (task);
}

GmcpServerConfig *
gmcp_config_expand_finish (GmcpServerConfig *config, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, config), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_expand_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
