/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Whether an address is that of this machine, of a network behind a router, of the link, of nobody or of
 * everybody: anything but one host of the internet. An IPv4 address that is written inside of an IPv6
 * address counts as itself. */
gboolean gmcp_http_address_is_internal (GInetAddress *address);

/* The address that the host of a URL is written as; NULL where it is a name. */
GInetAddress *gmcp_http_address_from_host (const char *host);

G_END_DECLS
