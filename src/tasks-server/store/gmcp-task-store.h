/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-task-record.h"

G_BEGIN_DECLS

#define GMCP_TYPE_TASK_STORE (gmcp_task_store_get_type ())

G_DECLARE_FINAL_TYPE (GmcpTaskStore, gmcp_task_store, GMCP, TASK_STORE, GObject)

GmcpTaskStore *gmcp_task_store_new (const char *location, guint timeout_ms);

void gmcp_task_store_list_async (GmcpTaskStore *self,
                                 const char *user,
                                 GmcpTaskSelection status,
                                 guint limit,
                                 guint offset,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

GmcpTaskPage *
gmcp_task_store_list_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error);

void gmcp_task_store_create_async (GmcpTaskStore *self,
                                   const char *user,
                                   const char *title,
                                   const char *description,
                                   const char *due_date,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

GmcpTaskRecord *
gmcp_task_store_create_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error);

void gmcp_task_store_update_async (GmcpTaskStore *self,
                                   const char *user,
                                   const char *id,
                                   const char *title,
                                   const char *description,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

GmcpTaskRecord *
gmcp_task_store_update_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error);

void gmcp_task_store_complete_async (GmcpTaskStore *self,
                                     const char *user,
                                     const char *id,
                                     gboolean completed,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);

GmcpTaskRecord *
gmcp_task_store_complete_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error);

void gmcp_task_store_delete_async (GmcpTaskStore *self,
                                   const char *user,
                                   const char *id,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

char *gmcp_task_store_delete_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error);

void gmcp_task_store_get_async (GmcpTaskStore *self,
                                const char *user,
                                const char *id,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);

GmcpTaskRecord *
gmcp_task_store_get_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error);

void gmcp_task_store_find_ids_async (GmcpTaskStore *self,
                                     const char *user,
                                     const char *prefix,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);

char **gmcp_task_store_find_ids_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error);

void gmcp_task_store_agenda_async (GmcpTaskStore *self,
                                   const char *user,
                                   const char *day,
                                   const char *start,
                                   const char *end,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

GmcpTaskPage *
gmcp_task_store_agenda_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error);

void gmcp_task_store_get_version_async (GmcpTaskStore *self,
                                        GCancellable *cancellable,
                                        GAsyncReadyCallback callback,
                                        gpointer user_data);

gint64
gmcp_task_store_get_version_finish (GmcpTaskStore *self, GAsyncResult *result, GError **error);

const char *gmcp_task_store_get_location (GmcpTaskStore *self);

const char *gmcp_task_store_get_origin (GmcpTaskStore *self);

G_END_DECLS
