/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <libsoup/soup.h>

#include "gmcp-library-private.h"

G_BEGIN_DECLS

/* What is called of libsoup to serve, without soup_; it is loaded when the first endpoint is made. */
#define GMCP_SOUP_SERVER_FUNCTIONS(F)                                                              \
  F (get_minor_version)                                                                            \
  F (message_body_append_take)                                                                     \
  F (message_body_complete)                                                                        \
  F (message_body_flatten)                                                                         \
  F (message_body_get_accumulate)                                                                  \
  F (message_body_set_accumulate)                                                                  \
  F (message_body_truncate)                                                                        \
  F (message_headers_append)                                                                       \
  F (message_headers_foreach)                                                                      \
  F (message_headers_get_content_length)                                                           \
  F (message_headers_get_content_type)                                                             \
  F (message_headers_get_encoding)                                                                 \
  F (message_headers_get_list)                                                                     \
  F (message_headers_get_one)                                                                      \
  F (message_headers_remove)                                                                       \
  F (message_headers_replace)                                                                      \
  F (message_headers_set_encoding)                                                                 \
  F (server_accept_iostream)                                                                       \
  F (server_add_early_handler)                                                                     \
  F (server_add_handler)                                                                           \
  F (server_disconnect)                                                                            \
  F (server_get_listeners)                                                                         \
  F (server_get_type)                                                                              \
  F (server_get_uris)                                                                              \
  F (server_listen)                                                                                \
  F (server_listen_local)                                                                          \
  F (server_listen_socket)                                                                         \
  F (server_message_get_http_version)                                                              \
  F (server_message_get_method)                                                                    \
  F (server_message_get_remote_address)                                                            \
  F (server_message_get_request_body)                                                              \
  F (server_message_get_request_headers)                                                           \
  F (server_message_get_response_body)                                                             \
  F (server_message_get_response_headers)                                                          \
  F (server_message_get_socket)                                                                    \
  F (server_message_get_status)                                                                    \
  F (server_message_pause)                                                                         \
  F (server_message_set_response)                                                                  \
  F (server_message_set_status)                                                                    \
  F (server_message_steal_connection)                                                              \
  F (server_message_unpause)                                                                       \
  F (server_remove_handler)

typedef struct
{
#define GMCP_SOUP_SERVER_MEMBER(name) __typeof__ (&soup_##name) name;
  GMCP_SOUP_SERVER_FUNCTIONS (GMCP_SOUP_SERVER_MEMBER)
#undef GMCP_SOUP_SERVER_MEMBER
} GmcpSoupServer;

/* NULL with an error where libsoup cannot be loaded. */
const GmcpSoupServer *gmcp_soup_server_load (GError **error);

/* Cuts a connection off, whatever is on its way there. */
void gmcp_soup_server_reset_socket (GSocket *socket);

/* The address that the request came from; an empty text where that is gone, or has none. libsoup itself would warn. */
char *gmcp_soup_server_dup_peer (const GmcpSoupServer *soup, SoupServerMessage *message);

G_END_DECLS
