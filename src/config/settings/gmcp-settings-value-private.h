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

/* Of a whole number, or a time in milliseconds, as its key has it. */
char *gmcp_settings_dup_expected_number (const char *key, guint low, guint high);

/* The full path of a key, as findings name it. */
char *gmcp_settings_dup_place (GSettings *settings, const char *key);

/* Adds what is to be said of all keys, and gives the worst of it. */
GmcpSettingsValue
gmcp_settings_check_values (GSettings *settings, gboolean default_holds, GPtrArray *findings);

G_END_DECLS
