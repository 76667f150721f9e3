/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-visible-text.h>

G_BEGIN_DECLS

/* One line in which nothing but what is hidden is changed: spaces stay as they are. */
char *gmcp_dup_visible_word (const char *text);

/* One word that a shell takes, in quotes where it needs them. */
char *gmcp_dup_shell_word (const char *text);

/* What a text ends with where so many characters of it are left out. */
char *gmcp_describe_cut (gulong n_left_out);

G_END_DECLS
