/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "gmcpd-soup.h"

G_BEGIN_DECLS

/* Bodies of requests: JSON objects of a limited size and depth. */

/* Whether how long the body is said to be is one number, and said in one way.
 *
 * Spec: RFC 9112, 6.3. */
gboolean gmcpd_api_body_is_length_sound (const GmcpdSoup *soup, SoupServerMessage *message);

/* Where the request says or turns out to have a larger one, it is answered with 413, and its connection cut off where
 * much more follows. To be called once the headers are there. */
void gmcpd_api_body_limit (const GmcpdSoup *soup, SoupServerMessage *message);

/* NULL with an error where it is anything else. */
JsonObject *gmcpd_api_body_parse (const char *text, gsize length, GError **error);

G_END_DECLS
