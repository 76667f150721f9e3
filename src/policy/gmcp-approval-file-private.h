/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The calls that somebody has allowed for good, in a file that people can read and change:
 * {"version":1,"allowed":[{"host","role","server","identity","origin","tool","digest","since"},…]}. One
 * without an identity is from a time when there was none, and is asked about again. */

#define GMCP_CALL_ANSWERS_FILE "allowed-calls.json"

typedef struct
{
  const char *host; /* NULL for none, as role */
  const char *role;
  const char *server;
  const char *identity; /* of the server's program or address; NULL for a tool of the host's own */
  const char *origin;   /* the file of a project that the server comes from; NULL for none */
  const char *tool;
  const char *digest; /* of the tool's definition: another one is asked about again */
} GmcpApprovalKey;

/* One text for one key. */
char *gmcp_approval_key_dup_text (const GmcpApprovalKey *key);

/* A set of such texts. NULL for bytes is an empty one. */
GHashTable *gmcp_approval_file_parse (GBytes *bytes, GError **error);
/* The file with one more answer; NULL without an error where it is there already. */
GBytes *gmcp_approval_file_add (GBytes *bytes, const GmcpApprovalKey *key, GError **error);

G_END_DECLS
