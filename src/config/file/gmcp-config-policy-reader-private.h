/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-config-policy-data-private.h"
#include "gmcp-config-report-private.h"

G_BEGIN_DECLS

/* Adds what stands below the keys tools, roles and projects of a file. With strict, a key that is not
 * known there is a warning; otherwise it is another program's, and left alone. In a role it is an error. */
void gmcp_config_policy_read (GmcpConfigPolicy *policy,
                              GmcpJsonValue root,
                              gboolean strict,
                              GmcpConfigReport *report);

G_END_DECLS
