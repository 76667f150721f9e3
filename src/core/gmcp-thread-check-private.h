/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* An object is used in the thread that runs its main context. Where another thread runs that, a critical
 * warning names the function and the object's class, and FALSE is returned. While nobody runs the context,
 * any thread may use the object. */
gboolean gmcp_check_thread (gpointer object, GMainContext *context, const char *function);

G_END_DECLS
