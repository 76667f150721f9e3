/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-config-contents-private.h"
#include "gmcp-manager-limits-private.h"

G_BEGIN_DECLS

/* The settings that hold for all servers: those of GmcpManagerLimit, which are numbers, and the rest, in
 * alphabetical order. Each is a property of the manager and may be a key of org.gmcp.Manager, both of the
 * same name. */
typedef enum
{
  GMCP_SETTING_ASK_DESTRUCTIVE = GMCP_N_MANAGER_LIMITS,
  GMCP_SETTING_ASK_FIRST,
  GMCP_SETTING_AUDIT,
  GMCP_SETTING_AUDIT_HASH_ARGUMENTS,
  GMCP_SETTING_AUTO_START_DEFAULT,
  GMCP_SETTING_LOG_DIRECTORY,
  GMCP_SETTING_PIN_POLICY,
  GMCP_SETTING_SHARE,
  GMCP_SETTING_TOOL_NAME_STYLE,
  GMCP_N_SETTINGS
} GmcpSetting;

/* Where a value comes from; of several the last one of these holds. */
typedef enum
{
  GMCP_SETTING_LAYER_BUILT_IN,
  GMCP_SETTING_LAYER_FILE_LAYOUT,   /* what a file's form stands for, without a word in it */
  GMCP_SETTING_LAYER_SYSTEM,        /* the default that GSettings has on this computer */
  GMCP_SETTING_LAYER_PROJECT,       /* the file of a project, which is trusted */
  GMCP_SETTING_LAYER_USER_SETTINGS, /* what the user has set in GSettings */
  GMCP_SETTING_LAYER_FILE,          /* a file of the user's or of the host's */
  GMCP_SETTING_LAYER_PROGRAM,       /* a property of the manager that the host has set */
  GMCP_SETTING_LAYER_LOCK,          /* what the administrator has locked in GSettings */
  GMCP_N_SETTING_LAYERS
} GmcpSettingLayer;

/* Each setting with the value of each layer; the only one that reads keys of org.gmcp.Manager which are
 * settings. */
typedef struct _GmcpEffectiveSettings GmcpEffectiveSettings;

/* Called after settings have changed, when the new values hold. */
typedef void (*GmcpSettingsChangedFunc) (const GmcpSetting *changed,
                                         guint n_changed,
                                         gpointer data);

GmcpEffectiveSettings *gmcp_effective_settings_new (GmcpSettingsChangedFunc func, gpointer data);
/* Tells of nothing any more, and follows nothing. */
void gmcp_effective_settings_close (GmcpEffectiveSettings *self);
void gmcp_effective_settings_free (GmcpEffectiveSettings *self);

const char *gmcp_setting_get_name (GmcpSetting setting);
GmcpSettingLayer
gmcp_effective_settings_get_layer (GmcpEffectiveSettings *self, GmcpSetting setting);

/* The values of GmcpManagerLimit. */
const GmcpManagerLimits *gmcp_effective_settings_peek_limits (GmcpEffectiveSettings *self);
gboolean gmcp_effective_settings_get_boolean (GmcpEffectiveSettings *self, GmcpSetting setting);
int gmcp_effective_settings_get_enum (GmcpEffectiveSettings *self, GmcpSetting setting);
/* NULL for none. */
const char *gmcp_effective_settings_get_text (GmcpEffectiveSettings *self, GmcpSetting setting);
GStrv gmcp_effective_settings_dup_texts (GmcpEffectiveSettings *self, GmcpSetting setting);
/* The value of any setting as a property has it; value is initialized to its type. */
void
gmcp_effective_settings_get_value (GmcpEffectiveSettings *self, GmcpSetting setting, GValue *value);

/* What the program says. A text or a list of texts that is NULL, and an empty text, say nothing. */
void gmcp_effective_settings_set_boolean (GmcpEffectiveSettings *self,
                                          GmcpSetting setting,
                                          gboolean value);
void gmcp_effective_settings_set_enum (GmcpEffectiveSettings *self, GmcpSetting setting, int value);
void gmcp_effective_settings_set_text (GmcpEffectiveSettings *self,
                                       GmcpSetting setting,
                                       const char *text);
void gmcp_effective_settings_set_texts (GmcpEffectiveSettings *self,
                                        GmcpSetting setting,
                                        const char *const *texts);
void gmcp_effective_settings_set_value (GmcpEffectiveSettings *self,
                                        GmcpSetting setting,
                                        const GValue *value);

/* From now on the values of settings count (NULL for none); only_locked: only locked ones. */
void gmcp_effective_settings_follow (GmcpEffectiveSettings *self,
                                     GSettings *settings,
                                     gboolean only_locked);

/* What files say, each an array of GmcpConfigSettings in order of precedence, of which nothing is kept. */
void gmcp_effective_settings_take_files (GmcpEffectiveSettings *self,
                                         GPtrArray *files,
                                         GPtrArray *projects);

/* What `{workspace}` stands for in GSettings; NULL for nothing. */
void gmcp_effective_settings_set_workspace (GmcpEffectiveSettings *self, const char *workspace);

G_END_DECLS
