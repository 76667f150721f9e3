/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "gmcp-config-document-private.h"

G_BEGIN_DECLS

/* An object written as a configuration file. */

/* With an end of line. */
char *gmcp_config_write_object (JsonObject *root, GmcpConfigFormat format);

/* Appends the members of an object in YAML, each line behind so many spaces. */
void gmcp_config_append_yaml (GString *out, JsonObject *object, guint indent);
/* A key as it is written in YAML. */
char *gmcp_config_dup_yaml_key (const char *key);

G_END_DECLS
