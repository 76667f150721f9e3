/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-config-expand-private.h"
#include "gmcp-config-input-private.h"
#include "gmcp-input-request-private.h"
#include "gmcp-config-secret-private.h"
#include "gmcp-config-unset-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-private.h"
#include "gmcp-keyring-secret-private.h"
#include "gmcp-limits.h"
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
  char *workspace;
  GStrv overrides;
  GPtrArray *variables;  /* NAME=VALUE of the environment, which were filled in */
  GHashTable *values;    /* “secret:NAME” and “input:ID” → value */
  GPtrArray *secrets;    /* of those values, the ones that nobody may see */
  GPtrArray *wanted;     /* the same keys, that have no value yet */
  GHashTable *fields;    /* the same keys → the first field that needs it */
  GHashTable *fallbacks; /* those that can do without */
  GSource *cancel;       /* while somebody is asked */
  gboolean asks_secret;  /* of whom, for something that nobody else may see */
} Expansion;

/* The field that is being filled in. */
typedef struct
{
  Expansion *expansion;
  const char *field; /* where it stands */
  gboolean may_hold_secrets;
  gboolean json; /* a value goes between the quotes of a JSON text */
} Filling;

static void
expansion_free (Expansion *expansion)
{
  g_object_unref (expansion->config);
  g_clear_object (&expansion->target);
  g_free (expansion->workspace);
  g_strfreev (expansion->overrides);
  g_hash_table_unref (expansion->values);
  g_ptr_array_unref (expansion->variables);
  g_ptr_array_unref (expansion->secrets);
  g_ptr_array_unref (expansion->wanted);
  g_hash_table_unref (expansion->fields);
  g_hash_table_unref (expansion->fallbacks);
  g_free (expansion);
}

static GError *
make_error (Expansion *expansion, const char *field, const char *problem)
{
  return g_error_new (GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                      /* Translators: a server, a key of its configuration, and what is wrong. */
                      _ ("Server “%s” cannot be started: %s: %s"),
                      gmcp_server_config_get_title (expansion->config), field, problem);
}

/* What was asked for elsewhere; while it is still to be asked for, an empty text stands for it. */
static char *
resolve_asked (Filling *filling, const GmcpConfigVariable *variable, GError **error)
{
  Expansion *expansion = filling->expansion;
  gboolean secret = variable->kind == GMCP_CONFIG_VARIABLE_SECRET;
  g_autofree char *key = g_strconcat (secret ? "secret:" : "input:", variable->name, NULL);
  const char *value = g_hash_table_lookup (expansion->values, key);

  if (value != NULL)
    return g_strdup (value);
  if (g_hash_table_contains (expansion->values, key))
    return g_strdup (variable->fallback != NULL ? variable->fallback : "");
  if (!filling->may_hold_secrets)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("“${%s}” cannot stand here, where it would be shown"), key);
      return NULL;
    }
  if (expansion->wanted->len >= GMCP_LIMIT_INPUT_REQUESTS)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("more than %u values have to be asked for"), GMCP_LIMIT_INPUT_REQUESTS);
      return NULL;
    }

  if (!g_hash_table_contains (expansion->fields, key))
    {
      g_ptr_array_add (expansion->wanted, g_strdup (key));
      g_hash_table_insert (expansion->fields, g_strdup (key), g_strdup (filling->field));
    }
  if (variable->fallback != NULL)
    g_hash_table_add (expansion->fallbacks, g_strdup (key));
  return g_strdup ("");
}

static char *
resolve_any (const GmcpConfigVariable *variable, Filling *filling, GError **error)
{
  char *value;

  if (variable->kind == GMCP_CONFIG_VARIABLE_SECRET || variable->kind == GMCP_CONFIG_VARIABLE_INPUT)
    return resolve_asked (filling, variable, error);

  value = gmcp_config_variable_resolve (variable, filling->expansion->workspace, error);
  if (value != NULL && variable->kind == GMCP_CONFIG_VARIABLE_ENVIRONMENT)
    g_ptr_array_add (filling->expansion->variables, g_strconcat (variable->name, "=", value, NULL));
  return value;
}

static char *
resolve (const GmcpConfigVariable *variable, gpointer data, GError **error)
{
  Filling *filling = data;
  g_autofree char *value = resolve_any (variable, filling, error);
  g_autoptr (GString) quoted = NULL;
  GmcpJsonWriter writer;

  if (value != NULL && !g_utf8_validate (value, -1, NULL))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, _ ("the value of %s is no UTF-8"),
                   variable->name);
      return NULL;
    }
  if (value == NULL || !filling->json)
    return g_steal_pointer (&value);

  quoted = g_string_new (NULL);
  writer = gmcp_json_writer_init (quoted);
  gmcp_json_writer_string (&writer, value);
  return g_strndup (quoted->str + 1, quoted->len - 2);
}

static char *
fill (Expansion *expansion,
      const char *field,
      const char *text,
      gboolean may_hold_secrets,
      gboolean json,
      GError **error)
{
  Filling filling = { expansion, field, may_hold_secrets, json };
  g_autoptr (GError) problem = NULL;
  char *filled = gmcp_config_variables_fill (text, resolve, &filling, &problem);

  if (filled == NULL && error != NULL)
    *error = make_error (expansion, field, problem->message);
  return filled;
}

static char *
fill_word (Expansion *expansion, const GmcpConfigField *field, GStrv words, gsize i, GError **error)
{
  g_autofree char *name
    = gmcp_config_describe_place (expansion->config, field, (const char *const *) words, i);
  gsize skipped = field->kind == GMCP_CONFIG_FIELD_ENVIRONMENT ? strcspn (words[i], "=") + 1 : 0;
  g_autofree char *value = NULL;

  if (field->kind == GMCP_CONFIG_FIELD_HEADERS && i % 2 == 0)
    return g_strdup (words[i]);

  value = fill (expansion, name, words[i] + skipped, TRUE, FALSE, error);
  return value != NULL ? g_strdup_printf ("%.*s%s", (int) skipped, words[i], value) : NULL;
}

static gboolean
fill_words (Expansion *expansion, const GmcpConfigField *field, GValue *value, GError **error)
{
  GStrv words = g_value_get_boxed (value);
  g_autoptr (GPtrArray) filled = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; words != NULL && words[i] != NULL; i++)
    {
      char *word = fill_word (expansion, field, words, i, error);

      if (word == NULL)
        return FALSE;
      g_ptr_array_add (filled, word);
    }

  /* What the environment says comes last, and holds. */
  if (field->kind == GMCP_CONFIG_FIELD_ENVIRONMENT)
    for (gsize i = 0; expansion->overrides[i] != NULL; i++)
      g_ptr_array_add (filled, g_strdup (expansion->overrides[i]));

  g_ptr_array_add (filled, NULL);
  g_value_set_boxed (value, filled->pdata);
  return TRUE;
}

/* What is shown to people or to a model was filled in before: gmcp-display-expand.c. */
static gboolean
fill_value (Expansion *expansion, const GmcpConfigField *field, GValue *value, GError **error)
{
  g_autofree char *name = NULL;
  char *filled;

  if (field->shown || g_str_equal (field->name, "id"))
    return TRUE;
  if (field->kind == GMCP_CONFIG_FIELD_WORDS || field->kind == GMCP_CONFIG_FIELD_ENVIRONMENT
      || field->kind == GMCP_CONFIG_FIELD_HEADERS)
    return fill_words (expansion, field, value, error);
  if (field->kind != GMCP_CONFIG_FIELD_STRING || g_value_get_string (value) == NULL)
    return TRUE;

  name = gmcp_config_describe_place (expansion->config, field, NULL, 0);
  filled = fill (expansion, name, g_value_get_string (value),
                 g_str_equal (field->name, "url") || g_str_equal (field->name, "health-arguments"),
                 g_str_equal (field->name, "health-arguments"), error);
  if (filled == NULL)
    return FALSE;
  g_value_take_string (value, filled);
  return TRUE;
}

/* The configuration with what is known so far. */
static GmcpServerConfig *
fill_all (Expansion *expansion, GError **error)
{
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);
  g_autoptr (GmcpServerConfig) filled = g_object_new (GMCP_TYPE_SERVER_CONFIG, NULL);
  g_autoptr (GTypeClass) klass = g_type_class_ref (GMCP_TYPE_SERVER_CONFIG);

  filled->expanded = TRUE;
  for (gsize i = 0; i < n_fields; i++)
    {
      GParamSpec *pspec = g_object_class_find_property (G_OBJECT_CLASS (klass), fields[i].name);
      g_auto (GValue) value = G_VALUE_INIT;

      g_value_init (&value, pspec->value_type);
      gmcp_config_field_get_value (&fields[i], expansion->config, &value);
      if (!fill_value (expansion, &fields[i], &value, error))
        return NULL;
      gmcp_config_field_set_value (&fields[i], filled, &value);
    }
  return g_steal_pointer (&filled);
}

static void ask_next (GTask *task);

static void
take_value (GTask *task, const char *value, GError *problem)
{
  Expansion *expansion = g_task_get_task_data (task);
  g_autofree char *key
    = g_strdup (g_ptr_array_index (expansion->wanted, expansion->wanted->len - 1));
  const char *field = g_hash_table_lookup (expansion->fields, key);
  gboolean secret = g_str_has_prefix (key, "secret:");
  const char *name = strchr (key, ':') + 1;
  g_autofree char *hint = NULL;
  g_autofree char *what = NULL;

  g_ptr_array_set_size (expansion->wanted, expansion->wanted->len - 1);
  if (value != NULL || (problem == NULL && g_hash_table_contains (expansion->fallbacks, key)))
    {
      g_hash_table_insert (expansion->values, g_steal_pointer (&key), g_strdup (value));
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
        = gmcp_keyring_secret_new_for_input (name, origin != NULL ? origin->file : NULL);

      hint = gmcp_keyring_secret_dup_command (input, "set");
      what = g_strdup_printf (
        _ ("the value of %s was asked for, and nobody gave one; store it with: %s"), name, hint);
    }
  g_task_return_error (task, make_error (expansion, field, what));
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
    take_value (task, value, error);
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
make_key (Expansion *expansion, const char *id)
{
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (expansion->config);

  return g_strconcat (origin != NULL && origin->file != NULL ? origin->file : "", "\n", id, NULL);
}

static void
remember (Expansion *expansion, const char *id, const char *value)
{
  g_autofree char *key = make_key (expansion, id);

  if (expansion->remember != NULL)
    expansion->remember (expansion->target, key, value);
}

static void
on_input (GmcpInputRequest *input, const char *value, gpointer data)
{
  g_autoptr (GTask) task = data;
  Expansion *expansion = g_task_get_task_data (task);
  const char *key = g_ptr_array_index (expansion->wanted, expansion->wanted->len - 1);

  if (expansion->asks_secret && value != NULL)
    g_ptr_array_add (expansion->secrets, g_strdup (value));
  forget_cancel (expansion);
  if (value != NULL)
    remember (expansion, strchr (key, ':') + 1, value);
  if (!g_task_return_error_if_cancelled (task))
    take_value (task, value, NULL);
}

/* What the file says about an input. */
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
  if (expansion->ask == NULL || !expansion->ask (expansion->target, input))
    gmcp_input_request_cancel (GMCP_INPUT_REQUEST (input));
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
  take_value (task, value, NULL);
}

static void
find_answer (GTask *task, const char *id)
{
  Expansion *expansion = g_task_get_task_data (task);
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (expansion->config);
  g_autofree char *key = make_key (expansion, id);
  g_autofree char *known
    = expansion->recall != NULL ? expansion->recall (expansion->target, key) : NULL;
  g_autoptr (GmcpKeyringSecret) secret = NULL;

  if (known != NULL)
    {
      take_value (task, known, NULL);
      return;
    }

  secret = gmcp_keyring_secret_new_for_input (id, origin != NULL ? origin->file : NULL);
  gmcp_keyring_secret_lookup_async (secret, g_task_get_cancellable (task), on_stored_input,
                                    g_object_ref (task));
}

/* What makes a configuration that cannot be used is asked for again the next time. */
static void
forget_answers (Expansion *expansion)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, expansion->values);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      if (g_str_has_prefix (key, "input:"))
        remember (expansion, strchr (key, ':') + 1, NULL);
    }
}

static void
ask_next (GTask *task)
{
  Expansion *expansion = g_task_get_task_data (task);
  GmcpServerConfig *filled;
  GError *error = NULL;
  const char *key;

  if (expansion->wanted->len == 0)
    {
      filled = fill_all (expansion, &error);
      if (filled != NULL && !gmcp_server_config_validate (filled, &error))
        g_clear_object (&filled);
      if (filled == NULL)
        {
          forget_answers (expansion);
          g_task_return_error (task, error);
          return;
        }
      if (expansion->learn != NULL)
        expansion->learn (expansion->target, filled, expansion->variables, expansion->secrets);
      g_task_return_pointer (task, filled, g_object_unref);
      return;
    }

  key = g_ptr_array_index (expansion->wanted, expansion->wanted->len - 1);
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

  if (config->environment_locked)
    return g_new0 (char *, 1);
  return gmcp_config_find_overrides (gmcp_server_config_get_id (config), context->ids,
                                     (const char *const *) environment);
}

static gboolean
has_pattern (GmcpServerConfig *config)
{
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);

  for (gsize i = 0; i < n_fields; i++)
    {
      GStrv words = NULL;

      if (fields[i].shown)
        continue;
      if (fields[i].kind == GMCP_CONFIG_FIELD_STRING
          && gmcp_config_is_pattern (G_STRUCT_MEMBER (char *, config, fields[i].offset)))
        return TRUE;
      if (fields[i].kind == GMCP_CONFIG_FIELD_WORDS
          || fields[i].kind == GMCP_CONFIG_FIELD_ENVIRONMENT
          || fields[i].kind == GMCP_CONFIG_FIELD_HEADERS)
        words = G_STRUCT_MEMBER (GStrv, config, fields[i].offset);
      for (gsize k = 0; words != NULL && words[k] != NULL; k++)
        {
          if (gmcp_config_is_pattern (words[k]))
            return TRUE;
        }
    }
  return FALSE;
}

gboolean
gmcp_config_needs_expansion (GmcpServerConfig *config, const GmcpConfigExpandContext *context)
{
  g_auto (GStrv) overrides = NULL;

  if (has_pattern (config))
    return TRUE;

  overrides = find_overrides (config, context);
  return overrides[0] != NULL;
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
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (config);
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
  expansion->workspace = g_strdup (
    origin != NULL && origin->workspace != NULL ? origin->workspace : context->workspace);
  expansion->overrides = find_overrides (config, context);
  expansion->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  expansion->fields = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  expansion->fallbacks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  expansion->variables = g_ptr_array_new_with_free_func (g_free);
  expansion->secrets = g_ptr_array_new_with_free_func (g_free);
  expansion->wanted = g_ptr_array_new_with_free_func (g_free);
  if (g_task_return_error_if_cancelled (task))
    return;

  /* Nobody is asked for anything while something else is missing. */
  draft = fill_all (expansion, &error);
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
