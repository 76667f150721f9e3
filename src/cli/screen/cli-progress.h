/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/calls/gmcp-call-options.h>

G_BEGIN_DECLS

/* Shows that something is waited for, how far it is and for how long, in the status line. What is quick is over before
 * anything is shown. */
typedef struct _CliProgress CliProgress;

/* what is a name, or a few words. The options are those of the call that is waited for, whose progress is shown, or
 * NULL. Where the result is JSON for another program nothing is shown. */
CliProgress *cli_progress_new (const char *what, GmcpCallOptions *options, gboolean json);
/* Wipes what was drawn. */
void cli_progress_free (CliProgress *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliProgress, cli_progress_free)

G_END_DECLS
