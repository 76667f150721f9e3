/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Calls func once, in a later turn of context. For what comes of an object that was dropped: where a
 * language's garbage collector does that, no callback may be run in the middle of it. */
void gmcp_call_later (GMainContext *context, const char *name, GSourceOnceFunc func, gpointer data);

G_END_DECLS
