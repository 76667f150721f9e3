/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/filling/gmcp-config-input.h>
#include <gmcp/config/gmcp-server-config.h>

#include "gmcp-config-origin-private.h"

G_BEGIN_DECLS

/* Variables in a configuration: they are filled in when the server is started, so that the values,
 * which may be secrets, are in no configuration that is kept, listed or hashed. */

/* Asks for the value of ${input:ID}: input is refused where nobody keeps it. */
typedef void (*GmcpConfigAsk) (GObject *target, GmcpConfigInput *input);

/* Told of the configuration that is to be run, of the variables of the environment in it (NAME=VALUE), and
 * of the values in it that are secrets by themselves. */
typedef void (*GmcpConfigLearn) (GObject *target,
                                 GmcpServerConfig *filled,
                                 GPtrArray *variables,
                                 GPtrArray *secrets);

/* What was answered before; NULL for nothing. key tells an input of one file from that of another. */
typedef char *(*GmcpConfigRecall) (GObject *target, const char *key);
/* With NULL for value it is forgotten. */
typedef void (*GmcpConfigRemember) (GObject *target, const char *key, const char *value);

typedef struct
{
  const char *const *ids;      /* of all servers, for MCP_<SERVER>_<NAME>; NULL for this one only */
  const char *workspace;       /* where the configuration has none of its own; NULL for none */
  GmcpConfigAsk ask;           /* NULL where nobody can be asked */
  GmcpConfigLearn learn;       /* NULL where nobody has to know */
  GmcpConfigRecall recall;     /* NULL where answers are not kept */
  GmcpConfigRemember remember; /* NULL where answers are not kept */
  GObject *target;             /* of these; referenced while that is needed */
} GmcpConfigExpandContext;

/* FALSE where the configuration can be run as it is. */
gboolean
gmcp_config_needs_expansion (GmcpServerConfig *config, const GmcpConfigExpandContext *context);

/* Gives the configuration that is to be run, and then dropped: name and hash are to be taken from the
 * one that was given. Fails with GMCP_ERROR_INVALID_CONFIG, naming the field, where a variable is not
 * there. */
void gmcp_config_expand_async (GmcpServerConfig *config,
                               const GmcpConfigExpandContext *context,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
GmcpServerConfig *
gmcp_config_expand_finish (GmcpServerConfig *config, GAsyncResult *result, GError **error);

/* After a failure: whether it is for nothing but that nobody was there to ask for a value. */
gboolean gmcp_config_expand_was_unasked (GAsyncResult *result);

/* Whether the configuration has values that somebody has to be asked for, unless the keyring has them. */
gboolean gmcp_config_lacks_input (GmcpServerConfig *config, const GmcpConfigExpandContext *context);

/* NAME=VALUE of each MCP_<SERVER>_<NAME> that is about this server. environment is that of the
 * process, as NAME=VALUE. */
GStrv
gmcp_config_find_overrides (const char *id, const char *const *ids, const char *const *environment);

G_END_DECLS
