/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-era-features-private.h"

G_BEGIN_DECLS

extern const GmcpEraFuncs gmcp_era_modern;
extern const GmcpEraFuncs gmcp_era_legacy;

G_END_DECLS
