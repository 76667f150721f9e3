// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gmcp/gmcp.h>
// A second time, as two others may include it.
#include <gmcp/gmcp.h>
