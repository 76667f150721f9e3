/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Which folders of the host a sandbox shows, and which never. Paths are real ones: no part of them is a
 * link. */

/* Of char *: folders in whose place a sandbox has empty ones of its own, since sockets of the session, its
 * buses and of other programs are there. */
GPtrArray *gmcp_sandbox_paths_list_hidden (void);

/* The folder in which programs with this library keep tokens, what was trusted and what was written: of it a sandbox shows
 * at the most where the server starts. NULL where there can be none. */
char *gmcp_sandbox_paths_dup_private (void);

gboolean gmcp_sandbox_paths_is_below (const char *path, const char *dir);

/* The hidden folder that path is or lies below of; NULL where there is none. */
const char *gmcp_sandbox_paths_find_hidden (GPtrArray *hidden, const char *path);
/* Whether path is a hidden folder, or has one below it: then it must never be bound, since all that it has
 * below it would come with it. */
gboolean gmcp_sandbox_paths_covers_hidden (GPtrArray *hidden, const char *path);

/* The real path of the home folder stands for the home folder; every other part of path that is a link is
 * refused, as what it leads to is decided by whoever may write where the link is. Returns path without
 * links, or NULL with errno set: ELOOP where it leads to *target. */
char *gmcp_sandbox_paths_resolve_writable (const char *path, char **target);

/* A descriptor of what path is now, which no later link in its place can change. -1 with errno set, to
 * ELOOP where path has become a link. */
int gmcp_sandbox_paths_open (const char *path);

G_END_DECLS
