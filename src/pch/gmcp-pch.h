/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What nearly every file includes, compiled once in builds with -Db_pch=true. Files include what they use all the
 * same: packages are built without this. No file is to find this header, or GCC takes it for the compiled one. */
#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <string.h>
