/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-soup.h"

G_BEGIN_DECLS

/* The files of the page that a browser shows. They are the same for everybody and hold nothing secret, so that no token
 * is needed for them. */
gboolean gmcpd_api_page_has (const char *path);

/* Answers a request for one of them. */
void gmcpd_api_page_serve (const GmcpdSoup *soup, SoupServerMessage *message, const char *path);

G_END_DECLS
