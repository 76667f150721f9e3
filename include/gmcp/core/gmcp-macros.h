/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib-object.h>
#include <gio/gio.h>
#include <gmcp/core/gmcp-version.h>
