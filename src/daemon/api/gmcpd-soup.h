/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <libsoup/soup.h>

G_BEGIN_DECLS

/* What is called of libsoup, without soup_. It is loaded when the API is opened, so that a daemon without one neither
 * waits for its libraries nor keeps them in memory. */
#define GMCPD_SOUP_FUNCTIONS(F)                                                                    \
  F (message_body_append_take)                                                                     \
  F (message_body_complete)                                                                        \
  F (message_body_flatten)                                                                         \
  F (message_body_set_accumulate)                                                                  \
  F (message_headers_append)                                                                       \
  F (message_headers_get_content_length)                                                           \
  F (message_headers_get_content_type)                                                             \
  F (message_headers_get_list)                                                                     \
  F (message_headers_remove)                                                                       \
  F (message_headers_replace)                                                                      \
  F (message_headers_set_encoding)                                                                 \
  F (server_accept_iostream)                                                                       \
  F (server_add_early_handler)                                                                     \
  F (server_add_handler)                                                                           \
  F (server_disconnect)                                                                            \
  F (server_get_type)                                                                              \
  F (server_message_get_local_address)                                                             \
  F (server_message_get_method)                                                                    \
  F (server_message_get_remote_address)                                                            \
  F (server_message_get_request_body)                                                              \
  F (server_message_get_request_headers)                                                           \
  F (server_message_get_response_body)                                                             \
  F (server_message_get_response_headers)                                                          \
  F (server_message_get_status)                                                                    \
  F (server_message_get_uri)                                                                       \
  F (server_message_pause)                                                                         \
  F (server_message_set_response)                                                                  \
  F (server_message_set_status)                                                                    \
  F (server_message_steal_connection)                                                              \
  F (server_message_unpause)                                                                       \
  F (status_get_phrase)

typedef struct
{
#define GMCPD_SOUP_MEMBER(name) __typeof__ (&soup_##name) name;
  GMCPD_SOUP_FUNCTIONS (GMCPD_SOUP_MEMBER)
#undef GMCPD_SOUP_MEMBER
} GmcpdSoup;

/* NULL with an error where libsoup cannot be loaded. */
const GmcpdSoup *gmcpd_soup_load (GError **error);

/* A header of a request; several of one name are joined. NULL where there is none. */
const char *
gmcpd_soup_get_header (const GmcpdSoup *soup, SoupServerMessage *message, const char *name);

G_END_DECLS
