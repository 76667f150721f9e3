/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-exchange-private.h"

G_BEGIN_DECLS

/* The state that travels with a client of the modern era from one round of a request to the next: what was
 * answered so far, and what the handler keeps. It is signed with the server's key, expires, and is good for one
 * request only. */

/* NULL for a state that is none of this server's, is not of this request, or too old. */
GmcpJsonDoc *gmcp_server_round_state_open (GmcpServerExchange *exchange, const char *state);
/* answers are the members of an object; kept_json is nullable, any JSON value. */
char *gmcp_server_round_state_make (GmcpServerExchange *exchange,
                                    const char *answers,
                                    const char *kept_json);
GmcpJsonValue gmcp_server_round_state_get_answers (GmcpJsonDoc *state);
/* NULL where nothing was kept. */
char *gmcp_server_round_state_dup_kept (GmcpJsonDoc *state);

G_END_DECLS
