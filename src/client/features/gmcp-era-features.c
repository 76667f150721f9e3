/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-era-features-private.h"

const GmcpEraFeatures *
gmcp_session_get_era_features (GmcpSession *session)
{
  const GmcpEraFuncs *era = gmcp_session_get_era (session);

  return era != NULL ? era->features : NULL;
}
