/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-client-private.h"

G_BEGIN_DECLS

/* What requests with an answer of their own have in common. Ends the exchange's task with the
 * result, or where that is NULL with the error, which says which server it comes from. */
void gmcp_client_return_result (GmcpClient *self,
                                GmcpExchange *exchange,
                                gpointer result,
                                GDestroyNotify free_result,
                                const char *capability,
                                GError *error);

/* A table of strings by strings as an object, in the order of the keys: the same table gives the
 * same text. */
void gmcp_client_write_strings (GmcpJsonWriter *writer, GHashTable *strings);

G_END_DECLS
