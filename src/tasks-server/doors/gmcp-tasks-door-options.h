/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Where the program serves, beside standard input and output, and to whom. */
typedef struct
{
  char *socket;                 /* nullable: a file */
  char **users;                 /* nullable: who may connect to sockets, beside the own user */
  char *http;                   /* as it was given */
  GSocketAddress *http_address; /* nullable */
  gboolean takes_handed_over;
  char *http_user;            /* nullable: whom HTTP without tokens is served as */
  char *public_url;           /* nullable */
  char *state_key_file;       /* nullable */
  char *token_file;           /* nullable */
  char *add_token;            /* nullable: a user */
  char *introspection_url;    /* nullable: where an authorization server is asked about tokens */
  char *introspection_client; /* nullable */
  char *introspection_secret_file; /* nullable */
  char **scopes;                   /* nullable: what tokens have to allow */
  char *issuer;                    /* nullable: that authorization server */
  gboolean stateless;
} GmcpTasksDoorOptions;

void gmcp_tasks_door_options_clear (GmcpTasksDoorOptions *self);

void gmcp_tasks_door_options_add_entries (GmcpTasksDoorOptions *self, GOptionContext *context);
/* has_user: whose tasks to serve was said. */
gboolean
gmcp_tasks_door_options_check (GmcpTasksDoorOptions *self, gboolean has_user, GError **error);

/* FALSE: the program serves standard input and output. */
gboolean gmcp_tasks_door_options_has_any (const GmcpTasksDoorOptions *self);

G_END_DECLS
