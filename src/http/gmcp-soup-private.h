/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <libsoup/soup.h>

#include "gmcp-library-private.h"

G_BEGIN_DECLS

/* What is called of libsoup, without soup_; it is loaded when the first session is made. */
#define GMCP_SOUP_FUNCTIONS(F)                                                                     \
  F (auth_manager_get_type)                                                                        \
  F (date_time_new_from_http_string)                                                               \
  F (message_add_flags)                                                                            \
  F (message_get_remote_address)                                                                   \
  F (message_get_request_headers)                                                                  \
  F (message_get_response_headers)                                                                 \
  F (message_get_status)                                                                           \
  F (message_headers_get_content_length)                                                           \
  F (message_headers_get_content_type)                                                             \
  F (message_headers_get_encoding)                                                                 \
  F (message_headers_get_list)                                                                     \
  F (message_headers_get_one)                                                                      \
  F (message_headers_replace)                                                                      \
  F (message_new_from_uri)                                                                         \
  F (message_set_request_body_from_bytes)                                                          \
  F (session_abort)                                                                                \
  F (session_error_quark)                                                                          \
  F (session_get_type)                                                                             \
  F (session_remove_feature_by_type)                                                               \
  F (session_send_async)                                                                           \
  F (session_send_finish)                                                                          \
  F (session_set_proxy_resolver)                                                                   \
  F (session_set_tls_database)

typedef struct
{
#define GMCP_SOUP_MEMBER(name) __typeof__ (&soup_##name) name;
  GMCP_SOUP_FUNCTIONS (GMCP_SOUP_MEMBER)
#undef GMCP_SOUP_MEMBER
} GmcpSoup;

/* NULL with an error where libsoup cannot be loaded. */
const GmcpSoup *gmcp_soup_load (GError **error);

G_END_DECLS
