/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The host of an address that a user may be asked to open; GMCP_ERROR_PROTOCOL for any other. */
char *gmcp_elicitation_url_check (const char *url, GError **error);
/* What is suspicious about one that passed; a translated static string, or NULL. */
const char *gmcp_elicitation_url_get_warning (const char *url, const char *host);

G_END_DECLS
