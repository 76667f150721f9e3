/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a client is sent, as libsoup writes it: the head of an answer, then its body. Each would leave by itself, as two
 * packets that wake the client twice, were the kernel not told that the body follows. */
#define GMCP_TYPE_HTTP_OUTPUT (gmcp_http_output_get_type ())
G_DECLARE_FINAL_TYPE (GmcpHttpOutput, gmcp_http_output, GMCP, HTTP_OUTPUT, GFilterOutputStream)

GmcpHttpOutput *gmcp_http_output_new (GOutputStream *base, GSocket *socket);
/* What is written next is a head that a body follows at once. */
void gmcp_http_output_expect_body (GmcpHttpOutput *self);

G_END_DECLS
