/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* A configuration whose variables are filled in with what is known; what is not known yet is wanted. A wanted
 * value has a key, “secret:NAME” or “input:ID”. */
typedef struct _GmcpConfigFilling GmcpConfigFilling;

/* workspace is NULL for none; overrides are NAME=VALUE of the environment, and are taken. */
GmcpConfigFilling *
gmcp_config_filling_new (GmcpServerConfig *config, const char *workspace, GStrv overrides);
void gmcp_config_filling_free (GmcpConfigFilling *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpConfigFilling, gmcp_config_filling_free)

/* The configuration with what is known so far; empty texts stand for what is wanted. Fails with
 * GMCP_ERROR_INVALID_CONFIG, naming the field, where a variable is not there. */
GmcpServerConfig *gmcp_config_filling_make (GmcpConfigFilling *self, GError **error);

/* The key of a value that is wanted; NULL where all is known. */
const char *gmcp_config_filling_get_wanted (GmcpConfigFilling *self);
/* Gives the wanted value; NULL where there is none, which is fine for a key with a fallback. */
void gmcp_config_filling_give (GmcpConfigFilling *self, const char *key, const char *value);
gboolean gmcp_config_filling_has_fallback (GmcpConfigFilling *self, const char *key);
/* That the server cannot be started for what is wrong with that value. */
GError *
gmcp_config_filling_make_error (GmcpConfigFilling *self, const char *key, const char *problem);

/* The keys of all values that were given (borrowed), in a new array. */
GPtrArray *gmcp_config_filling_list_given (GmcpConfigFilling *self);
/* NAME=VALUE of the variables of the environment that were filled in. */
GPtrArray *gmcp_config_filling_peek_variables (GmcpConfigFilling *self);

/* Whether there is anything to fill in. */
gboolean gmcp_config_filling_is_needed (GmcpServerConfig *config);

G_END_DECLS
