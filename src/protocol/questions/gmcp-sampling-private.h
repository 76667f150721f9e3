/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/questions/gmcp-sampling.h>

#include "gmcp-input-request-private.h"

G_BEGIN_DECLS

/* The question of a sampling/createMessage; GMCP_ERROR_PROTOCOL where it has no messages. */
GmcpSampling *gmcp_sampling_new_from_value (GmcpJsonValue params, GError **error);

G_END_DECLS
