/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-config-contents-private.h"

G_BEGIN_DECLS

/* Below mcp_settings. */
void gmcp_config_settings_read (GmcpConfigSettings *settings,
                                GmcpJsonValue value,
                                const char *base_dir,
                                GmcpConfigReport *report);

/* A key below mcp_settings that is no number. */
typedef struct
{
  const char *name;
  const char *sample;  /* JSON: the default */
  const char *summary; /* not translated */
} GmcpConfigSettingsKey;

/* One after the other; NULL after the last. */
const GmcpConfigSettingsKey *gmcp_config_settings_get_key (gsize i);

/* (transfer container): the names of all keys below mcp_settings; NULL after the last */
const char **gmcp_config_settings_list_keys (void);

/* Where the logs are of a file that does not say it; base_dir is nullable. */
void gmcp_config_settings_default (GmcpConfigSettings *settings, const char *base_dir);

gboolean gmcp_config_settings_equal (const GmcpConfigSettings *a, const GmcpConfigSettings *b);

G_END_DECLS
