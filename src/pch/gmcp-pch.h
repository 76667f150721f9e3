/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What nearly every file includes, compiled once in builds with -Db_pch=true. Files include what they use all the
 * same: packages are built without this. This folder must be in no include path: GCC
 * would include this file instead of its compiled form. */
#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <string.h>
