/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-config-filling-private.h"
#include "gmcp-config-unset-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-private.h"
#include "gmcp-limits.h"
#include "gmcp-server-config-private.h"

#include <gmcp/core/gmcp-error.h>

struct _GmcpConfigFilling
{
  GmcpServerConfig *config;
  char *workspace;
  GStrv overrides;
  GPtrArray *variables;  /* NAME=VALUE of the environment, which were filled in */
  GHashTable *values;    /* key → value */
  GPtrArray *wanted;     /* keys that have no value yet */
  GHashTable *fields;    /* key → the first field that needs it */
  GHashTable *fallbacks; /* keys that can do without */
};

/* The field that is being filled in. */
typedef struct
{
  GmcpConfigFilling *filling;
  const char *field; /* where it stands */
  gboolean may_hold_secrets;
  gboolean json; /* a value goes between the quotes of a JSON text */
} Place;

GmcpConfigFilling *
gmcp_config_filling_new (GmcpServerConfig *config, const char *workspace, GStrv overrides)
{
  GmcpConfigFilling *self = g_new0 (GmcpConfigFilling, 1);

  self->config = g_object_ref (config);
  self->workspace = g_strdup (workspace);
  self->overrides = overrides;
  self->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->fields = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->fallbacks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->variables = g_ptr_array_new_with_free_func (g_free);
  self->wanted = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
gmcp_config_filling_free (GmcpConfigFilling *self)
{
  g_object_unref (self->config);
  g_free (self->workspace);
  g_strfreev (self->overrides);
  g_hash_table_unref (self->values);
  g_hash_table_unref (self->fields);
  g_hash_table_unref (self->fallbacks);
  g_ptr_array_unref (self->variables);
  g_ptr_array_unref (self->wanted);
  g_free (self);
}

static GError *
make_error (GmcpConfigFilling *self, const char *field, const char *problem)
{
  return g_error_new (GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                      /* Translators: a server, a key of its configuration, and what is wrong. */
                      _ ("Server “%s” cannot be started: %s: %s"),
                      gmcp_server_config_get_title (self->config), field, problem);
}

/* What was asked for elsewhere; while it is still to be asked for, an empty text stands for it. */
static char *
resolve_asked (Place *place, const GmcpConfigVariable *variable, GError **error)
{
  GmcpConfigFilling *self = place->filling;
  gboolean secret = variable->kind == GMCP_CONFIG_VARIABLE_SECRET;
  g_autofree char *key = g_strconcat (secret ? "secret:" : "input:", variable->name, NULL);
  const char *value = g_hash_table_lookup (self->values, key);

  if (value != NULL)
    return g_strdup (value);
  if (g_hash_table_contains (self->values, key))
    return g_strdup (variable->fallback != NULL ? variable->fallback : "");
  if (!place->may_hold_secrets)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("“${%s}” cannot stand here, where it would be shown"), key);
      return NULL;
    }
  if (self->wanted->len >= GMCP_LIMIT_INPUT_REQUESTS)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("more than %u values have to be asked for"), GMCP_LIMIT_INPUT_REQUESTS);
      return NULL;
    }

  if (!g_hash_table_contains (self->fields, key))
    {
      g_ptr_array_add (self->wanted, g_strdup (key));
      g_hash_table_insert (self->fields, g_strdup (key), g_strdup (place->field));
    }
  if (variable->fallback != NULL)
    g_hash_table_add (self->fallbacks, g_strdup (key));
  return g_strdup ("");
}

static char *
resolve_any (const GmcpConfigVariable *variable, Place *place, GError **error)
{
  char *value;

  if (variable->kind == GMCP_CONFIG_VARIABLE_SECRET || variable->kind == GMCP_CONFIG_VARIABLE_INPUT)
    return resolve_asked (place, variable, error);

  value = gmcp_config_variable_resolve (variable, place->filling->workspace, error);
  if (value != NULL && variable->kind == GMCP_CONFIG_VARIABLE_ENVIRONMENT)
    g_ptr_array_add (place->filling->variables, g_strconcat (variable->name, "=", value, NULL));
  return value;
}

static char *
resolve_variable (const GmcpConfigVariable *variable, gpointer data, GError **error)
{
  Place *place = data;
  g_autofree char *value = resolve_any (variable, place, error);
  g_autoptr (GString) quoted = NULL;
  GmcpJsonWriter writer;

  if (value != NULL && !g_utf8_validate (value, -1, NULL))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, _ ("the value of %s is no UTF-8"),
                   variable->name);
      return NULL;
    }
  if (value == NULL || !place->json)
    return g_steal_pointer (&value);

  quoted = g_string_new (NULL);
  writer = gmcp_json_writer_init (quoted);
  gmcp_json_writer_string (&writer, value);
  return g_strndup (quoted->str + 1, quoted->len - 2);
}

static char *
fill_text (GmcpConfigFilling *self,
           const char *field,
           const char *text,
           gboolean may_hold_secrets,
           gboolean json,
           GError **error)
{
  Place place = { self, field, may_hold_secrets, json };
  g_autoptr (GError) problem = NULL;
  char *filled = gmcp_config_variables_fill (text, resolve_variable, &place, &problem);

  if (filled == NULL && error != NULL)
    *error = make_error (self, field, problem->message);
  return filled;
}

static char *
fill_word (GmcpConfigFilling *self,
           const GmcpConfigField *field,
           GStrv words,
           gsize i,
           GError **error)
{
  g_autofree char *name
    = gmcp_config_describe_place (self->config, field, (const char *const *) words, i);
  gsize skipped = field->kind == GMCP_CONFIG_FIELD_ENVIRONMENT ? strcspn (words[i], "=") + 1 : 0;
  g_autofree char *value = NULL;

  if (field->kind == GMCP_CONFIG_FIELD_HEADERS && i % 2 == 0)
    return g_strdup (words[i]);

  value = fill_text (self, name, words[i] + skipped, TRUE, FALSE, error);
  return value != NULL ? g_strdup_printf ("%.*s%s", (int) skipped, words[i], value) : NULL;
}

static gboolean
fill_words (GmcpConfigFilling *self, const GmcpConfigField *field, GValue *value, GError **error)
{
  GStrv words = g_value_get_boxed (value);
  g_autoptr (GPtrArray) filled = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; words != NULL && words[i] != NULL; i++)
    {
      char *word = fill_word (self, field, words, i, error);

      if (word == NULL)
        return FALSE;
      g_ptr_array_add (filled, word);
    }

  /* What the environment says comes last, and holds. */
  if (field->kind == GMCP_CONFIG_FIELD_ENVIRONMENT)
    for (gsize i = 0; self->overrides[i] != NULL; i++)
      g_ptr_array_add (filled, g_strdup (self->overrides[i]));

  g_ptr_array_add (filled, NULL);
  g_value_set_boxed (value, filled->pdata);
  return TRUE;
}

/* What is shown to people or to a model was filled in before: gmcp-display-expand.c. */
static gboolean
fill_value (GmcpConfigFilling *self, const GmcpConfigField *field, GValue *value, GError **error)
{
  g_autofree char *name = NULL;
  char *filled;

  if (field->shown || g_str_equal (field->name, "id"))
    return TRUE;
  if (field->kind == GMCP_CONFIG_FIELD_WORDS || field->kind == GMCP_CONFIG_FIELD_ENVIRONMENT
      || field->kind == GMCP_CONFIG_FIELD_HEADERS)
    return fill_words (self, field, value, error);
  if (field->kind != GMCP_CONFIG_FIELD_STRING || g_value_get_string (value) == NULL)
    return TRUE;

  name = gmcp_config_describe_place (self->config, field, NULL, 0);
  filled
    = fill_text (self, name, g_value_get_string (value),
                 g_str_equal (field->name, "url") || g_str_equal (field->name, "health-arguments"),
                 g_str_equal (field->name, "health-arguments"), error);
  if (filled == NULL)
    return FALSE;
  g_value_take_string (value, filled);
  return TRUE;
}

GmcpServerConfig *
gmcp_config_filling_make (GmcpConfigFilling *self, GError **error)
{
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);
  g_autoptr (GmcpServerConfig) filled = g_object_new (GMCP_TYPE_SERVER_CONFIG, NULL);
  g_autoptr (GTypeClass) klass = g_type_class_ref (GMCP_TYPE_SERVER_CONFIG);

  gmcp_server_config_set_expanded (filled);
  for (gsize i = 0; i < n_fields; i++)
    {
      GParamSpec *pspec = g_object_class_find_property (G_OBJECT_CLASS (klass), fields[i].name);
      g_auto (GValue) value = G_VALUE_INIT;

      g_value_init (&value, pspec->value_type);
      gmcp_config_field_get_value (&fields[i], self->config, &value);
      if (!fill_value (self, &fields[i], &value, error))
        return NULL;
      gmcp_config_field_set_value (&fields[i], filled, &value);
    }
  return g_steal_pointer (&filled);
}

const char *
gmcp_config_filling_get_wanted (GmcpConfigFilling *self)
{
  return self->wanted->len > 0 ? g_ptr_array_index (self->wanted, self->wanted->len - 1) : NULL;
}

void
gmcp_config_filling_give (GmcpConfigFilling *self, const char *key, const char *value)
{
  guint position;

  g_hash_table_insert (self->values, g_strdup (key), g_strdup (value));
  if (g_ptr_array_find_with_equal_func (self->wanted, key, g_str_equal, &position))
    g_ptr_array_remove_index (self->wanted, position);
}

gboolean
gmcp_config_filling_has_fallback (GmcpConfigFilling *self, const char *key)
{
  return g_hash_table_contains (self->fallbacks, key);
}

GError *
gmcp_config_filling_make_error (GmcpConfigFilling *self, const char *key, const char *problem)
{
  return make_error (self, g_hash_table_lookup (self->fields, key), problem);
}

GPtrArray *
gmcp_config_filling_list_given (GmcpConfigFilling *self)
{
  GPtrArray *keys = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->values);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (keys, key);
  return keys;
}

GPtrArray *
gmcp_config_filling_peek_variables (GmcpConfigFilling *self)
{
  return self->variables;
}

gboolean
gmcp_config_filling_is_needed (GmcpServerConfig *config)
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
