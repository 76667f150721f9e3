/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A folder of records that one process keeps at a time: a file each, written as a whole, for nobody else to read.
 * What is asked for is done in that order, in a thread of GTask's; nothing waits for the disk longer than
 * GMCP_DEFAULT_STATE_READ_MS. */
typedef struct _GmcpRecordFolder GmcpRecordFolder;

typedef struct
{
  char *name;
  GBytes *bytes;
} GmcpRecord;

/* Callbacks come in that context. */
GmcpRecordFolder *gmcp_record_folder_new (const char *path, GMainContext *context);
GmcpRecordFolder *gmcp_record_folder_ref (GmcpRecordFolder *self);
void gmcp_record_folder_unref (GmcpRecordFolder *self);

typedef void (*GmcpRecordFolderOpenedFunc) (GPtrArray *records, const GError *error, gpointer data);
typedef void (*GmcpRecordFolderDoneFunc) (const GError *error, gpointer data);

/* Makes the folder where there is none, and gives the GmcpRecord of it; those of more than max_bytes, and more
 * than max_records, are left out. G_IO_ERROR_BUSY where another process has the folder. */
void gmcp_record_folder_open (GmcpRecordFolder *self,
                              guint max_records,
                              gsize max_bytes,
                              GmcpRecordFolderOpenedFunc opened,
                              gpointer data);
/* bytes is NULL to remove the record; done is nullable. A name has letters, digits and “-” only. */
void gmcp_record_folder_put (GmcpRecordFolder *self,
                             const char *name,
                             GBytes *bytes,
                             GmcpRecordFolderDoneFunc done,
                             gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpRecordFolder, gmcp_record_folder_unref)

G_END_DECLS
