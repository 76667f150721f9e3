/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/policy/gmcp-tool-pin.h>

#include "gmcp-tool-pins-private.h"

G_BEGIN_DECLS

GmcpToolPin *gmcp_tool_pin_new (const GmcpToolPinView *view);

G_END_DECLS
