/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What nearly every file includes, compiled once in builds with -Db_pch=true. Files include what they use all the
 * same: most builds go without this. */
#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <string.h>
