/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* Words of a command that go by the folder that the server runs in, where that is one of its own and
 * empty at first. */

#define GMCP_NO_RELATIVE_WORD G_MAXUINT

/* The first such word from there on, or GMCP_NO_RELATIVE_WORD. */
guint gmcp_relative_words_find (GmcpServerConfig *config, guint from);
char *gmcp_relative_words_describe (GmcpServerConfig *config, guint word);

G_END_DECLS
