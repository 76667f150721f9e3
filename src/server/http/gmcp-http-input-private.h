/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a client sends, as libsoup reads it. A libsoup before 3.3 that reads the end of a connection while it waits for
 * a request forgets the connection, which then stays open for good, and crashes where that is taken from it later. So
 * the end is kept from it there: there is just nothing to be read, and the connection is told. When there is more to
 * be read the watch of all connections says, and no main context polls the descriptor. */
#define GMCP_TYPE_HTTP_INPUT (gmcp_http_input_get_type ())
G_DECLARE_FINAL_TYPE (GmcpHttpInput, gmcp_http_input, GMCP, HTTP_INPUT, GFilterInputStream)

typedef struct
{
  /* Whether the next that is read begins a request which has another before it. */
  gboolean (*is_between) (gpointer connection);
  /* All that was read is used up, and libsoup waits for more. */
  void (*waits) (gpointer connection);
  /* The end came between two requests. Nothing is closed in here: libsoup is reading. */
  void (*ended) (gpointer connection);
} GmcpHttpInputFuncs;

/* The base is that of a socket. */
GmcpHttpInput *
gmcp_http_input_new (GInputStream *base, const GmcpHttpInputFuncs *funcs, gpointer connection);
/* The watch of the descriptor has said so. hung_up: and nothing comes after what can be read. */
void gmcp_http_input_tell_readable (GmcpHttpInput *self, gboolean hung_up);
/* The connection is going; what libsoup still reads is as it comes. */
void gmcp_http_input_forget_connection (GmcpHttpInput *self);

G_END_DECLS
