/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What things are called on D-Bus, and what may be said there. */

#define GMCPD_MANAGER_NAME "org.gmcp.Manager1"
#define GMCPD_MANAGER_PATH "/org/gmcp/Manager1"
#define GMCPD_TOOLS_NAME   "org.gmcp.Tools1"
#define GMCPD_TOOLS_PATH   "/org/gmcp/Tools1"

/* The path of a server's object: characters of its id that no path may have are written as _XX. */
char *gmcpd_names_dup_server_path (const char *server_id);

/* The path of an open question's object; the id is a number. */
char *gmcpd_names_dup_question_path (const char *id);
/* A text as D-Bus takes it: valid, and cut where it is longer than anybody reads. */
char *gmcpd_names_dup_text (const char *text);

/* What the error is called that a server has answered with; GLib has no name for codes below zero. */
char *gmcpd_names_dup_rpc_error (int code);

G_END_DECLS
