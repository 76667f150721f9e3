/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What nearly every file includes, parsed once: with -Db_pch=true, clang takes a third less time. Files include all that
 * they need themselves, as other builds are made without. */

#include <gio/gio.h>
#include <json-glib/json-glib.h>
