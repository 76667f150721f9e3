/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

#include <gmcp/config/import/gmcp-config-import.h>

#include "gmcp-config-contents-private.h"

G_BEGIN_DECLS

struct _GmcpConfigImportItem
{
  GObject parent_instance;

  char *name;
  char *id;
  GmcpImportChange change;
  GmcpServerConfig *present; /* NULL where there is none */
  GmcpServerConfig *config;  /* as it is to be; NULL where it is refused */
  GStrv properties;          /* of the configuration, that are to change */
  GStrv fields;              /* the properties, for people */
  char *problem;
  GStrv secrets;
  GStrv notes;
  GPtrArray *moved; /* of GmcpConfigImportSecret; NULL where secrets stay where they are */
};

/* What goes into the keyring. */
typedef struct
{
  char *name;
  char *value;
} GmcpConfigImportSecret;

/* What is imported from and to. */
struct _GmcpConfigImport
{
  GObject parent_instance;

  char *program_name; /* NULL to find out */
  const GmcpConfigForeign *program;
  GFile *file;        /* NULL for a text */
  char *text;         /* NULL for a file */
  GFile *folder;      /* of a text: what relative paths in it are relative to; NULL for none */
  GFile *target_file; /* NULL for the settings */
  GSettingsBackend *backend;
  GListStore *items;
  gboolean store_secrets;
  gboolean loaded;

  /* What the preview was made of. */
  GBytes *target_text;         /* NULL where there is no file */
  char *target_folder;         /* NULL for the settings */
  GSettings *manager_settings; /* NULL for a file */
};

/* A text that was copied from somewhere, completed to one that has servers in it. */
GBytes *gmcp_config_import_complete_text (const char *text, GError **error);
/* The server with the paths in its command made full that are there, seen from the folder. */
GmcpServerConfig *
gmcp_config_import_dup_with_full_paths (GmcpServerConfig *config, const char *folder);
/* What was loaded does not count any more. */
void gmcp_config_import_drop_preview (GmcpConfigImport *self);

/* GMCP_ERROR_NOT_SUPPORTED where there is no schema. */
gboolean gmcp_config_import_open_settings (GmcpConfigImport *self, GError **error);
GSettings *gmcp_config_import_open_server (GmcpConfigImport *self, const char *id);
/* Servers that are there, by id. */
GHashTable *gmcp_config_import_list_present (GmcpConfigImport *self, GError **error);

/* The items (of GmcpConfigImportItem) for what was read. */
GPtrArray *gmcp_config_import_plan (GmcpConfigImport *self,
                                    GmcpConfigContents *contents,
                                    GPtrArray *findings,
                                    GHashTable *present);

/* The text of the target file with the items in it. */
char *gmcp_config_import_edit (GmcpConfigImport *self,
                               GmcpConfigImportItem **items,
                               guint n_items,
                               GError **error);

/* By the name of the file that is imported to. */
GmcpConfigFormat gmcp_config_import_get_target_format (GmcpConfigImport *self);

/* A file with nothing in it is as good as none. */
gboolean gmcp_config_import_is_blank (GBytes *text);

/* The keys whose value looks like a secret that stands there as it is, such as “env.API_TOKEN”. */
GStrv gmcp_config_list_plain_secrets (GmcpServerConfig *config);

/* Writes references to the keyring in the place of variables and headers that are secrets; says so in the
 * notes. */
void gmcp_config_import_move_secrets (GmcpConfigImportItem *item);
/* Puts what the items (of GmcpConfigImportItem) have moved into the keyring, all or nothing. Gives the names
 * of those that were not there before (of char *). */
void gmcp_config_import_store_async (GPtrArray *items,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
GPtrArray *gmcp_config_import_store_finish (GAsyncResult *result, GError **error);
/* Removes the stored secrets again, and then fails with reason. Takes stored and reason. */
void gmcp_config_import_forget_async (GPtrArray *items,
                                      GPtrArray *stored,
                                      GError *reason,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
void gmcp_config_import_forget_finish (GAsyncResult *result, GError **error);

/* Puts what the command, the address, variables and headers were and will be before the notes of an item
 * that is there already, without secrets. */
void gmcp_config_import_note_changes (GmcpConfigImportItem *item);

G_END_DECLS
