/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

/* What clients of sockets may do; the others are in gmcp-limits.h. Each limit has its unit in its name. */

#define GMCP_DEFAULT_SOCKET_CLIENTS     100u
#define GMCP_DEFAULT_SOCKET_QUEUE_BYTES (32u * 1024 * 1024) /* that one client has not read yet */
#define GMCP_DEFAULT_SOCKET_SILENCE_MS  10000u              /* of one that has just connected */
#define GMCP_DEFAULT_ACCEPT_PAUSE_MS    100u /* where no connection could be accepted */
#define GMCP_LIMIT_ACCEPTED_CONNECTIONS 64u  /* in one turn of the main loop */
#define GMCP_LIMIT_ACTIVATED_SOCKETS    1000u
