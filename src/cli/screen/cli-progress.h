/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/calls/gmcp-call-options.h>

G_BEGIN_DECLS

/* Shows a call's progress on the terminal that standard error is; elsewhere it does nothing. */
typedef struct _CliProgress CliProgress;

CliProgress *cli_progress_new (GmcpCallOptions *options);
/* Wipes what was drawn. */
void cli_progress_free (CliProgress *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliProgress, cli_progress_free)

G_END_DECLS
