/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-host.h"

G_BEGIN_DECLS

/* The URI of the resource that somebody means by this word: a URI, or the name of a listed resource. One that is
 * neither is told of. */
CliExit cli_resource_find_uri (CliHost *host, GmcpClient *client, const char *word, char **uri);
/* Reports the error, and which listed resources are near to one that the server does not have. */
CliExit
cli_resource_report (CliHost *host, GmcpClient *client, const char *uri, const GError *error);

G_END_DECLS
