/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-exchange-private.h"

G_BEGIN_DECLS

/* What is served of a provider that has resources or prompts too. */

void gmcp_server_resources_handle_list (GmcpServerExchange *exchange);
void gmcp_server_resources_handle_list_templates (GmcpServerExchange *exchange);
void gmcp_server_resources_handle_read (GmcpServerExchange *exchange);

/* The text of a member uri; NULL, with an error sent, where there is none. */
char *gmcp_server_resources_dup_uri (GmcpServerExchange *exchange);

/* gmcp-server-prompts.c */
void gmcp_server_prompts_handle_list (GmcpServerExchange *exchange);
void gmcp_server_prompts_handle_get (GmcpServerExchange *exchange);

/* gmcp-server-completion.c */
void gmcp_server_completion_handle (GmcpServerExchange *exchange);

/* Reads an object of texts; NULL, with an error sent, where it is none. An empty one for what is not
 * there. */
GHashTable *gmcp_server_read_texts (GmcpServerExchange *exchange, GmcpJsonValue object);
/* Answers with the members of a result that the provider gave. */
void gmcp_server_reply_members (GmcpServerExchange *exchange, GmcpJsonValue result);

G_END_DECLS
