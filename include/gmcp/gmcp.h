/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-enums.h>
#include <gmcp/core/gmcp-error.h>
#include <gmcp/transport/gmcp-fd-transport.h>
#include <gmcp/transport/gmcp-memory-transport.h>
#include <gmcp/transport/gmcp-transport.h>
