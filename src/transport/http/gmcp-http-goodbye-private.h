/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-link-private.h"

G_BEGIN_DECLS

/* The end of a connection, in order and in bounded time: first what wants no answer is sent, then the server is
 * told that the session is over, each for as long as the limit says. */
typedef struct _GmcpHttpGoodbye GmcpHttpGoodbye;

/* over is called at the end, and frees it. */
GmcpHttpGoodbye *
gmcp_http_goodbye_new (GmcpHttpVariant *variant, void (*over) (gpointer data), gpointer data);
void gmcp_http_goodbye_free (GmcpHttpGoodbye *self);

/* May be over before this returns. */
void gmcp_http_goodbye_begin (GmcpHttpGoodbye *self, GMainContext *context, guint limit_ms);
/* Everything is sent. */
void gmcp_http_goodbye_drained (GmcpHttpGoodbye *self);

G_END_DECLS
