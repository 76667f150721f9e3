/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The task of an endpoint that is being closed in order; all nought while it is not. */
typedef struct
{
  GTask *task;
  void (*close_now) (gpointer endpoint);
} GmcpServerClosing;

/* close_now is called when the cancellable says that the rest is not to be waited for. FALSE: it is being closed
 * already, and the callback is told so. */
gboolean gmcp_server_closing_begin (GmcpServerClosing *self,
                                    gpointer endpoint,
                                    void (*close_now) (gpointer endpoint),
                                    gpointer source_tag,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
/* All is closed. Does nothing where nobody waits for it. */
void gmcp_server_closing_end (GmcpServerClosing *self);

G_END_DECLS
