/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The texts that hold variables: `${NAME}`, `${NAME:-text}`, `${KIND:NAME}`, `{workspace}`; `$${` is
 * `${` that stands for itself. */

typedef enum
{
  GMCP_CONFIG_VARIABLE_ENVIRONMENT,
  GMCP_CONFIG_VARIABLE_SECRET,
  GMCP_CONFIG_VARIABLE_INPUT,
  GMCP_CONFIG_VARIABLE_WORKSPACE,
  GMCP_CONFIG_VARIABLE_WORKSPACE_NAME,
  GMCP_CONFIG_VARIABLE_HOME,
  GMCP_CONFIG_VARIABLE_SEPARATOR,
  GMCP_CONFIG_VARIABLE_UNKNOWN,
} GmcpConfigVariableKind;

typedef struct
{
  GmcpConfigVariableKind kind;
  const char *name;     /* as it was written, for UNKNOWN */
  const char *fallback; /* NULL for none */
} GmcpConfigVariable;

/* Gives the value, or NULL with an error. */
typedef char *(*GmcpConfigResolve) (const GmcpConfigVariable *variable,
                                    gpointer data,
                                    GError **error);

/* The text with all values filled in, which are not looked into again; NULL with the error of the
 * first that has none. */
char *gmcp_config_variables_fill (const char *text,
                                  GmcpConfigResolve resolve,
                                  gpointer data,
                                  GError **error);

/* The value of a variable that nobody has to be asked for; workspace is nullable. */
char *gmcp_config_variable_resolve (const GmcpConfigVariable *variable,
                                    const char *workspace,
                                    GError **error);

/* The text with the values of such variables; another one is an error. */
char *gmcp_config_variables_fill_plain (const char *text, const char *workspace, GError **error);

/* Whether all variables are of a kind that is known. */
gboolean gmcp_config_variables_check (const char *text, GError **error);

G_END_DECLS
