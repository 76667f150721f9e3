/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli-json.h"
#include "cli-server.h"
#include "cli-table.h"

G_BEGIN_DECLS

/* A list that servers have: how one is asked for it, and how an item of it is shown. */
typedef struct
{
  void (*list_async) (GmcpClient *client,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data);
  GListModel *(*list_finish) (GmcpClient *client, GAsyncResult *result, GError **error);
  void (*add) (CliTable *table, JsonArray *array, const char *server, gpointer item);
  const char *none; /* what to say where there are none; marked with N_() */
} CliListing;

/* Prints the list of the one server, or where id is NULL those of all. */
CliExit cli_listing_print (const CliListing *self, CliHost *host, const char *id, gboolean json);

G_END_DECLS
