/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-variables-private.h"
#include "gmcp-local-file-private.h"
#include "gmcp-display-expand-private.h"
#include "gmcp-effective-settings-private.h"
#include "gmcp-settings-value-private.h"

#include <gmcp/config/gmcp-manager-enums.h>
#include <gmcp/core/gmcp-enums.h>

struct _GmcpEffectiveSettings
{
  GmcpSettingsChangedFunc changed; /* NULL once it is closed */
  gpointer data;

  GVariant *values[GMCP_N_SETTINGS][GMCP_N_SETTING_LAYERS]; /* NULL where a layer says nothing */
  GmcpManagerLimits limits;                                 /* the values that hold */

  GSettings *settings; /* that is followed; NULL for none */
  gboolean only_locked;
  char *workspace;
};

typedef enum
{
  KIND_NUMBER,
  KIND_BOOLEAN,
  KIND_ENUM,
  KIND_FOLDER, /* an empty one is none */
  KIND_TEXTS,
} Kind;

static const struct
{
  const char *name;
  Kind kind;
  int value; /* that is built in, of a boolean or an enum */
} infos[GMCP_N_SETTINGS] = {
  [GMCP_SETTING_ASK_DESTRUCTIVE] = { "ask-destructive", KIND_BOOLEAN, FALSE },
  [GMCP_SETTING_ASK_FIRST] = { "ask-first", KIND_TEXTS, 0 },
  [GMCP_SETTING_AUDIT] = { "audit", KIND_BOOLEAN, TRUE },
  [GMCP_SETTING_AUDIT_HASH_ARGUMENTS] = { "audit-hash-arguments", KIND_BOOLEAN, FALSE },
  [GMCP_SETTING_AUTO_START_DEFAULT] = { "auto-start-default", KIND_BOOLEAN, FALSE },
  [GMCP_SETTING_LOG_DIRECTORY] = { "log-directory", KIND_FOLDER, 0 },
  [GMCP_SETTING_PIN_POLICY] = { "pin-policy", KIND_ENUM, GMCP_PIN_POLICY_NOTICE },
  [GMCP_SETTING_SHARE] = { "share", KIND_ENUM, GMCP_SHARE_AUTO },
  [GMCP_SETTING_TOOL_NAME_STYLE]
  = { "tool-name-style", KIND_ENUM, GMCP_TOOL_NAME_STYLE_SERVER_TOOL },
};

/* What one change changes, to be told of when all of it holds. */
typedef struct
{
  GmcpSetting settings[GMCP_N_SETTINGS];
  guint n_settings;
} Change;

/* Whether the setting is one of GmcpManagerLimit. */
static gboolean
is_number (guint setting)
{
  return setting < GMCP_N_MANAGER_LIMITS;
}

const char *
gmcp_setting_get_name (GmcpSetting setting)
{
  return is_number (setting) ? gmcp_manager_limit_get_info ((GmcpManagerLimit) setting)->name
                             : infos[setting].name;
}

static Kind
get_kind (GmcpSetting setting)
{
  return is_number (setting) ? KIND_NUMBER : infos[setting].kind;
}

static GVariant *
make_built_in (GmcpSetting setting)
{
  switch (get_kind (setting))
    {
    case KIND_NUMBER:
      return g_variant_new_uint32 (gmcp_manager_limit_get_info ((GmcpManagerLimit) setting)->value);
    case KIND_BOOLEAN:
      return g_variant_new_boolean (infos[setting].value);
    case KIND_ENUM:
      return g_variant_new_int32 (infos[setting].value);
    case KIND_TEXTS:
      return g_variant_new_strv (NULL, 0);
    case KIND_FOLDER:
    default:
      return g_variant_new_string ("");
    }
}

GmcpSettingLayer
gmcp_effective_settings_get_layer (GmcpEffectiveSettings *self, GmcpSetting setting)
{
  guint layer = GMCP_SETTING_LAYER_LOCK;

  while (self->values[setting][layer] == NULL)
    layer--;
  return layer;
}

static GVariant *
peek_value (GmcpEffectiveSettings *self, GmcpSetting setting)
{
  return self->values[setting][gmcp_effective_settings_get_layer (self, setting)];
}

/* Keeps the value, which may be floating; NULL where the layer says nothing. */
static void
set_layer (GmcpEffectiveSettings *self,
           GmcpSetting setting,
           GmcpSettingLayer layer,
           GVariant *value)
{
  g_clear_pointer (&self->values[setting][layer], g_variant_unref);
  if (value != NULL)
    self->values[setting][layer] = g_variant_ref_sink (value);
}

/* Takes what held before the layers were set. */
static void
note_change (GmcpEffectiveSettings *self, GmcpSetting setting, GVariant *before, Change *change)
{
  GVariant *now = peek_value (self, setting);

  if (!g_variant_equal (before, now))
    {
      if (is_number (setting))
        *gmcp_manager_limits_at (&self->limits, (GmcpManagerLimit) setting)
          = g_variant_get_uint32 (now);
      change->settings[change->n_settings++] = setting;
    }
  g_variant_unref (before);
}

/* The last thing that a function does: a listener may drop the settings. */
static void
tell_of (GmcpEffectiveSettings *self, const Change *change)
{
  if (change->n_settings > 0 && self->changed != NULL)
    self->changed (change->settings, change->n_settings, self->data);
}

GmcpEffectiveSettings *
gmcp_effective_settings_new (GmcpSettingsChangedFunc func, gpointer data)
{
  GmcpEffectiveSettings *self = g_new0 (GmcpEffectiveSettings, 1);

  self->changed = func;
  self->data = data;
  gmcp_manager_limits_init (&self->limits);
  for (guint i = 0; i < GMCP_N_SETTINGS; i++)
    self->values[i][GMCP_SETTING_LAYER_BUILT_IN] = g_variant_ref_sink (make_built_in (i));
  return self;
}

static void
stop_following (GmcpEffectiveSettings *self)
{
  if (self->settings != NULL)
    g_signal_handlers_disconnect_by_data (self->settings, self);
  g_clear_object (&self->settings);
}

void
gmcp_effective_settings_close (GmcpEffectiveSettings *self)
{
  self->changed = NULL;
  stop_following (self);
}

void
gmcp_effective_settings_free (GmcpEffectiveSettings *self)
{
  stop_following (self);
  for (guint i = 0; i < GMCP_N_SETTINGS; i++)
    for (guint layer = 0; layer < GMCP_N_SETTING_LAYERS; layer++)
      g_clear_pointer (&self->values[i][layer], g_variant_unref);
  g_free (self->workspace);
  g_free (self);
}

const GmcpManagerLimits *
gmcp_effective_settings_peek_limits (GmcpEffectiveSettings *self)
{
  return &self->limits;
}

gboolean
gmcp_effective_settings_get_boolean (GmcpEffectiveSettings *self, GmcpSetting setting)
{
  return g_variant_get_boolean (peek_value (self, setting));
}

int
gmcp_effective_settings_get_enum (GmcpEffectiveSettings *self, GmcpSetting setting)
{
  return g_variant_get_int32 (peek_value (self, setting));
}

const char *
gmcp_effective_settings_get_text (GmcpEffectiveSettings *self, GmcpSetting setting)
{
  const char *text = g_variant_get_string (peek_value (self, setting), NULL);

  return *text != '\0' ? text : NULL;
}

GStrv
gmcp_effective_settings_dup_texts (GmcpEffectiveSettings *self, GmcpSetting setting)
{
  return g_variant_dup_strv (peek_value (self, setting), NULL);
}

/* The property of a number has checked its range. */
static guint
get_number (const GValue *value)
{
  return G_VALUE_HOLDS_UINT64 (value) ? (guint) g_value_get_uint64 (value)
                                      : g_value_get_uint (value);
}

static void
set_number (GValue *value, guint number)
{
  if (G_VALUE_HOLDS_UINT64 (value))
    g_value_set_uint64 (value, number);
  else
    g_value_set_uint (value, number);
}

void
gmcp_effective_settings_get_value (GmcpEffectiveSettings *self, GmcpSetting setting, GValue *value)
{
  switch (get_kind (setting))
    {
    case KIND_NUMBER:
      set_number (value, *gmcp_manager_limits_at (&self->limits, (GmcpManagerLimit) setting));
      break;
    case KIND_BOOLEAN:
      g_value_set_boolean (value, gmcp_effective_settings_get_boolean (self, setting));
      break;
    case KIND_ENUM:
      g_value_set_enum (value, gmcp_effective_settings_get_enum (self, setting));
      break;
    case KIND_TEXTS:
      g_value_take_boxed (value, gmcp_effective_settings_dup_texts (self, setting));
      break;
    case KIND_FOLDER:
    default:
      g_value_take_object (
        value, gmcp_file_new_for_path_or_null (gmcp_effective_settings_get_text (self, setting)));
      break;
    }
}

/* Takes the value; NULL where the program says nothing. */
static void
set_program (GmcpEffectiveSettings *self, GmcpSetting setting, GVariant *value)
{
  GVariant *before = g_variant_ref (peek_value (self, setting));
  Change change = { .n_settings = 0 };

  set_layer (self, setting, GMCP_SETTING_LAYER_PROGRAM, value);
  note_change (self, setting, before, &change);
  tell_of (self, &change);
}

void
gmcp_effective_settings_set_boolean (GmcpEffectiveSettings *self,
                                     GmcpSetting setting,
                                     gboolean value)
{
  set_program (self, setting, g_variant_new_boolean (value));
}

void
gmcp_effective_settings_set_enum (GmcpEffectiveSettings *self, GmcpSetting setting, int value)
{
  set_program (self, setting, g_variant_new_int32 (value));
}

void
gmcp_effective_settings_set_text (GmcpEffectiveSettings *self,
                                  GmcpSetting setting,
                                  const char *text)
{
  set_program (self, setting, text != NULL && *text != '\0' ? g_variant_new_string (text) : NULL);
}

void
gmcp_effective_settings_set_texts (GmcpEffectiveSettings *self,
                                   GmcpSetting setting,
                                   const char *const *texts)
{
  set_program (self, setting, texts != NULL ? g_variant_new_strv (texts, -1) : NULL);
}

void
gmcp_effective_settings_set_value (GmcpEffectiveSettings *self,
                                   GmcpSetting setting,
                                   const GValue *value)
{
  switch (get_kind (setting))
    {
    case KIND_NUMBER:
      set_program (self, setting, g_variant_new_uint32 (get_number (value)));
      break;
    case KIND_BOOLEAN:
      gmcp_effective_settings_set_boolean (self, setting, g_value_get_boolean (value));
      break;
    case KIND_ENUM:
      gmcp_effective_settings_set_enum (self, setting, g_value_get_enum (value));
      break;
    case KIND_TEXTS:
      gmcp_effective_settings_set_texts (self, setting, g_value_get_boxed (value));
      break;
    case KIND_FOLDER:
    default:
      g_return_if_fail (gmcp_file_is_local_or_null (g_value_get_object (value)));
      gmcp_effective_settings_set_text (self, setting,
                                        gmcp_file_peek_path_or_null (g_value_get_object (value)));
      break;
    }
}

/* Of the settings that are followed, floating or the caller's; a text that cannot be filled in is none. */
static GVariant *
read_value (GmcpEffectiveSettings *self, GmcpSetting setting)
{
  const char *key = gmcp_setting_get_name (setting);
  g_autoptr (GVariant) value = g_settings_get_value (self->settings, key);

  switch (get_kind (setting))
    {
    case KIND_ENUM:
      return g_variant_new_int32 (g_settings_get_enum (self->settings, key));
    case KIND_TEXTS:
      {
        g_auto (GStrv) texts = g_variant_dup_strv (value, NULL);
        g_auto (GStrv) filled
          = gmcp_display_expand_texts ((const char *const *) texts, self->workspace);

        return g_variant_new_strv ((const char *const *) filled, -1);
      }
    case KIND_FOLDER:
      {
        g_autofree char *filled = gmcp_config_variables_fill_plain (
          g_variant_get_string (value, NULL), self->workspace, NULL);

        return g_variant_new_string (filled != NULL ? filled : "");
      }
    case KIND_NUMBER:
    case KIND_BOOLEAN:
    default:
      return g_steal_pointer (&value);
    }
}

static gboolean
is_empty_text (GVariant *value)
{
  return g_variant_is_of_type (value, G_VARIANT_TYPE_STRING)
         && *g_variant_get_string (value, NULL) == '\0';
}

static GmcpSettingLayer
find_layer (GmcpEffectiveSettings *self, const char *key)
{
  g_autoptr (GVariant) user = NULL;

  if (!g_settings_is_writable (self->settings, key))
    return GMCP_SETTING_LAYER_LOCK;

  user = g_settings_get_user_value (self->settings, key);
  return user != NULL ? GMCP_SETTING_LAYER_USER_SETTINGS : GMCP_SETTING_LAYER_SYSTEM;
}

static gboolean
has_key (GSettings *settings, const char *key)
{
  g_autoptr (GSettingsSchema) schema = NULL;

  g_object_get (settings, "settings-schema", &schema, NULL);
  return g_settings_schema_has_key (schema, key);
}

/* What the settings that are followed say; NULL for nothing. Gives the layer that says it. */
static GVariant *
find_value (GmcpEffectiveSettings *self, GmcpSetting setting, GmcpSettingLayer *layer)
{
  const char *key = gmcp_setting_get_name (setting);
  g_autoptr (GVariant) value = NULL;

  if (self->settings == NULL || !has_key (self->settings, key))
    return NULL;

  *layer = find_layer (self, key);
  if (*layer != GMCP_SETTING_LAYER_LOCK && self->only_locked)
    return NULL;

  value = g_variant_take_ref (read_value (self, setting));
  /* Only a lock says that there is to be none. */
  return *layer == GMCP_SETTING_LAYER_LOCK || !is_empty_text (value) ? g_steal_pointer (&value)
                                                                     : NULL;
}

static gboolean
is_readable (GmcpEffectiveSettings *self, GmcpSetting setting)
{
  const char *key = gmcp_setting_get_name (setting);

  return self->settings == NULL || !has_key (self->settings, key)
         || gmcp_settings_check_value (self->settings, key, NULL) == GMCP_SETTINGS_VALUE_FINE;
}

static void
read_setting (GmcpEffectiveSettings *self, GmcpSetting setting, Change *change)
{
  static const GmcpSettingLayer layers[]
    = { GMCP_SETTING_LAYER_SYSTEM, GMCP_SETTING_LAYER_USER_SETTINGS, GMCP_SETTING_LAYER_LOCK };
  GVariant *before = g_variant_ref (peek_value (self, setting));
  GmcpSettingLayer from = GMCP_SETTING_LAYER_BUILT_IN;
  g_autoptr (GVariant) value = find_value (self, setting, &from);

  for (gsize i = 0; i < G_N_ELEMENTS (layers); i++)
    set_layer (self, setting, layers[i], layers[i] == from ? value : NULL);
  note_change (self, setting, before, change);
}

/* What was there before holds while a value cannot be read. */
static void
on_key_changed (GSettings *settings, const char *key, gpointer data)
{
  GmcpEffectiveSettings *self = data;
  Change change = { .n_settings = 0 };

  for (guint i = 0; i < GMCP_N_SETTINGS; i++)
    {
      if (g_str_equal (gmcp_setting_get_name (i), key) && is_readable (self, i))
        read_setting (self, i, &change);
    }
  tell_of (self, &change);
}

void
gmcp_effective_settings_follow (GmcpEffectiveSettings *self,
                                GSettings *settings,
                                gboolean only_locked)
{
  Change change = { .n_settings = 0 };

  if (self->settings == settings && self->only_locked == only_locked)
    return;

  if (self->settings != settings)
    {
      stop_following (self);
      self->settings = settings != NULL ? g_object_ref (settings) : NULL;
      if (settings != NULL)
        {
          g_signal_connect (settings, "changed", G_CALLBACK (on_key_changed), self);
          g_signal_connect (settings, "writable-changed", G_CALLBACK (on_key_changed), self);
        }
    }
  self->only_locked = only_locked;
  for (guint i = 0; i < GMCP_N_SETTINGS; i++)
    read_setting (self, i, &change);
  tell_of (self, &change);
}

/* A project, whoever trusts it, has no say in whether other servers are watched less. */
static gboolean
may_say_policy (GmcpSettingLayer layer, int policy)
{
  return layer != GMCP_SETTING_LAYER_PROJECT || policy == GMCP_PIN_POLICY_WITHHOLD;
}

/* What the first of the layer's files says that says something; NULL where none does. */
static GVariant *
find_in_files (GPtrArray *files, GmcpSetting setting, GmcpSettingLayer layer)
{
  for (guint i = 0; i < files->len; i++)
    {
      const GmcpConfigSettings *settings = g_ptr_array_index (files, i);

      if (is_number (setting) && settings->has_limit[setting])
        return g_variant_new_uint32 (settings->limits[setting]);
      if (setting == GMCP_SETTING_ASK_DESTRUCTIVE && settings->has_ask_destructive)
        return g_variant_new_boolean (settings->ask_destructive);
      if (setting == GMCP_SETTING_PIN_POLICY && settings->has_pin_policy
          && may_say_policy (layer, settings->pin_policy))
        return g_variant_new_int32 (settings->pin_policy);
      if (setting == GMCP_SETTING_SHARE && settings->has_share)
        return g_variant_new_int32 (settings->share);
      if (setting == GMCP_SETTING_LOG_DIRECTORY && settings->log_directory != NULL)
        return g_variant_new_string (settings->log_directory);
    }
  return NULL;
}

static GVariant *
find_usual_log_directory (GPtrArray *files)
{
  for (guint i = 0; i < files->len; i++)
    {
      const GmcpConfigSettings *settings = g_ptr_array_index (files, i);

      if (settings->default_log_directory != NULL)
        return g_variant_new_string (settings->default_log_directory);
    }
  return NULL;
}

void
gmcp_effective_settings_take_files (GmcpEffectiveSettings *self,
                                    GPtrArray *files,
                                    GPtrArray *projects)
{
  Change change = { .n_settings = 0 };

  for (guint i = 0; i < GMCP_N_SETTINGS; i++)
    {
      GVariant *before = g_variant_ref (peek_value (self, i));

      set_layer (self, i, GMCP_SETTING_LAYER_FILE,
                 find_in_files (files, i, GMCP_SETTING_LAYER_FILE));
      set_layer (self, i, GMCP_SETTING_LAYER_PROJECT,
                 find_in_files (projects, i, GMCP_SETTING_LAYER_PROJECT));
      if (i == GMCP_SETTING_LOG_DIRECTORY)
        {
          GVariant *usual = find_usual_log_directory (files);

          set_layer (self, i, GMCP_SETTING_LAYER_FILE_LAYOUT,
                     usual != NULL ? usual : find_usual_log_directory (projects));
        }
      note_change (self, i, before, &change);
    }
  tell_of (self, &change);
}

void
gmcp_effective_settings_set_workspace (GmcpEffectiveSettings *self, const char *workspace)
{
  Change change = { .n_settings = 0 };

  g_free (self->workspace);
  self->workspace = g_strdup (workspace);
  for (guint i = GMCP_N_MANAGER_LIMITS; i < GMCP_N_SETTINGS; i++)
    {
      if (is_readable (self, i))
        read_setting (self, i, &change);
    }
  tell_of (self, &change);
}
