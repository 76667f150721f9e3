/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib-object.h>
#include <gio/gio.h>
#include <gmcp/core/gmcp-version.h>

#ifndef _GMCP_EXTERN
#define _GMCP_EXTERN extern
#endif

#define GMCP_AVAILABLE_IN_0_1 _GMCP_EXTERN
