/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

/* What the peers of an endpoint may do, and who is taken for one of its users. All else that has a limit is in
 * core/gmcp-limits.h. */

#define GMCP_LIMIT_TOKEN_BYTES      (16u * 1024)
#define GMCP_LIMIT_TOKEN_USER_BYTES 256u
#define GMCP_LIMIT_TOKEN_LINE_BYTES 4096u
#define GMCP_LIMIT_TOKEN_FILE_LINES 20000u
#define GMCP_LIMIT_TOKEN_FILE_WAITING                                                              \
  1000u /* requests, while the file is read for the first time */
#define GMCP_LIMIT_VERIFIED_TOKENS       1000u  /* that are remembered for a while */
#define GMCP_LIMIT_HTTP_RATES            10000u /* peers and users that are counted */
#define GMCP_DEFAULT_TOKEN_FILE_DELAY_MS 200u
#define GMCP_DEFAULT_TOKEN_TIMEOUT_MS    10000u
#define GMCP_DEFAULT_TOKEN_CACHE_MS      10000u
#define GMCP_DEFAULT_HTTP_FAILED_TOKENS  60u    /* a minute, of one peer */
#define GMCP_DEFAULT_HTTP_REQUESTS       10000u /* a second, of one user or peer */

#define GMCP_DEFAULT_HTTP_STREAMS        1000u /* of one session */
#define GMCP_LIMIT_HTTP_DRAINED_BYTES                                                              \
  (1024u * 1024) /* of a message that is known to be too large */
