/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* Says what happens to servers, and which of their tools are others now, while no command runs that would. */
typedef struct _CliAnnouncer CliAnnouncer;

CliAnnouncer *cli_announcer_new (CliHost *session);
void cli_announcer_free (CliAnnouncer *self);

/* From here on nothing is new that was there before. */
void cli_announcer_begin (CliAnnouncer *self);
/* From here on a command says what happens. */
void cli_announcer_end (CliAnnouncer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliAnnouncer, cli_announcer_free)

G_END_DECLS
