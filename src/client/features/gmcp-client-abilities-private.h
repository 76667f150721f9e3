/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* What the host's side of a client can do for its server, and tells it of as capabilities. Servers offer
 * other tools to who can do other things. Unlike the capabilities themselves it does not depend on the
 * revision that the server chose, so that no server can pass for one that was never seen. */
typedef enum
{
  GMCP_CLIENT_ABILITY_NONE = 0,
  GMCP_CLIENT_ABILITY_ELICITATION = 1 << 0,
  GMCP_CLIENT_ABILITY_SAMPLING = 1 << 1,
  GMCP_CLIENT_ABILITY_ROOTS = 1 << 2,
} GmcpClientAbilities;

#define GMCP_CLIENT_N_ABILITIES 8u /* ways in which they come together */

/* For files. Static. */
const char *gmcp_client_abilities_to_string (GmcpClientAbilities abilities);

G_END_DECLS
