/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <libsecret/secret.h>

G_BEGIN_DECLS

/* What is called of libsecret, without secret_; it is loaded when the keyring is first asked. */
#define GMCP_LIBSECRET_FUNCTIONS(F)                                                                \
  F (password_clear_finish)                                                                        \
  F (password_clearv)                                                                              \
  F (password_free)                                                                                \
  F (password_lookup_finish)                                                                       \
  F (password_lookupv)                                                                             \
  F (password_search_finish)                                                                       \
  F (password_searchv)                                                                             \
  F (password_store_finish)                                                                        \
  F (password_storev)                                                                              \
  F (retrievable_get_attributes)

typedef struct
{
#define GMCP_LIBSECRET_MEMBER(name) __typeof__ (&secret_##name) name;
  GMCP_LIBSECRET_FUNCTIONS (GMCP_LIBSECRET_MEMBER)
#undef GMCP_LIBSECRET_MEMBER
} GmcpLibsecret;

/* NULL with an error where libsecret cannot be loaded. */
const GmcpLibsecret *gmcp_libsecret_load (GError **error);

G_END_DECLS
