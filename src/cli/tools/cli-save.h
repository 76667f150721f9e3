/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* Writes bytes to a file; what fails is reported. A pipe and a device stay what they are. A file that is there
 * is replaced only where that is said. */
CliExit cli_save_bytes (CliHost *host, const char *path, GBytes *bytes, gboolean may_replace);

G_END_DECLS
