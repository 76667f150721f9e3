/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  GMCP_SETTINGS_VALUE_FINE,         /* or nothing is set */
  GMCP_SETTINGS_VALUE_OUT_OF_RANGE, /* of a number */
  GMCP_SETTINGS_VALUE_UNREADABLE,   /* of another type, or a word that is not known */
} GmcpSettingsValue;

/* What is to be said of what is set at a key. GSettings gives the default in place of what is not fine,
 * without a word. What would be right is put into expected (nullable). */
GmcpSettingsValue gmcp_settings_check_value (GSettings *settings, const char *key, char **expected);

/* Whether something is set at a key, by the user or the administrator, and is fine. */
gboolean gmcp_settings_is_set (GSettings *settings, const char *key);

/* Whether a value, of the key's type, is in its range; otherwise what would be is put into expected. */
gboolean
gmcp_settings_takes (GSettings *settings, const char *key, GVariant *value, char **expected);

/* The full path of a key, as findings name it. */
char *gmcp_settings_dup_place (GSettings *settings, const char *key);

/* Adds what is to be said of all keys, and gives the worst of it. */
GmcpSettingsValue
gmcp_settings_check_values (GSettings *settings, gboolean default_holds, GPtrArray *findings);

G_END_DECLS
