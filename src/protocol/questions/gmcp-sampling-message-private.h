/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/questions/gmcp-sampling-message.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* Keeps the value's document. Any value will do. */
GmcpSamplingMessage *gmcp_sampling_message_new_from_value (GmcpJsonValue value);

G_END_DECLS
