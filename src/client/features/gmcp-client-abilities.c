/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-abilities-private.h"

const char *
gmcp_client_abilities_to_string (GmcpClientAbilities abilities)
{
  static const char *const names[GMCP_CLIENT_N_ABILITIES] = {
    "",      "elicitation",       "sampling",       "elicitation,sampling",
    "roots", "elicitation,roots", "sampling,roots", "elicitation,sampling,roots",
  };

  return names[abilities % GMCP_CLIENT_N_ABILITIES];
}
