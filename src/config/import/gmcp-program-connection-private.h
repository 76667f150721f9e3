/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/import/gmcp-program-connection.h>
#include <json-glib/json-glib.h>

#include "gmcp-import-formats-private.h"
#include "gmcp-redactor-private.h"

G_BEGIN_DECLS

#define GMCP_PROGRAM_CONNECTION_NAME "gmcp"

/* A server of the program's. */
typedef struct
{
  char *name;
  GStrv argv; /* NULL for one that has no command, or cannot be read */
  gboolean is_gateway;
} GmcpProgramServer;

/* What the file held when it was read. */
typedef struct
{
  GBytes *text;                 /* NULL for no file */
  GPtrArray *servers;           /* of GmcpProgramServer */
  GPtrArray *backups;           /* of GBytes, what is beside the file, the newest last */
  GmcpConfigDocument *document; /* NULL for no file, and one with nothing in it */
  GmcpRedactor *redactor;       /* of what the program gives to its servers */
} GmcpProgramFile;

void gmcp_program_file_free (GmcpProgramFile *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpProgramFile, gmcp_program_file_free)

/* Reads what the program has in its file. text is taken; NULL for no file. */
GmcpProgramFile *gmcp_program_file_read (const GmcpConfigForeign *program,
                                         GFile *file,
                                         GBytes *text,
                                         GError **error);

struct _GmcpProgramConnection
{
  GObject parent_instance;

  char *program_name; /* NULL to find out by the file */
  const GmcpConfigForeign *program;
  GFile *file;
  char *project; /* the folder whose file it is; NULL for one of the user's */
  char *name;    /* NULL for the gateway whatever its name */
  char *executable;
  GStrv arguments;
  GFile *backup;

  GmcpProgramFile *contents; /* NULL before they are read */

  /* What is judged of the contents. */
  GmcpProgramConnectionState state;
  const GmcpProgramServer *present; /* what the state is about; NULL for none */
  GStrv other_names;
};

/* What was read counts from here on; takes contents. */
void gmcp_program_connection_take_contents (GmcpProgramConnection *self, GmcpProgramFile *contents);

/* The name that the entry has, or would have. */
const char *gmcp_program_connection_peek_name (GmcpProgramConnection *self);
/* The entry as it is to be: as it is there, with what it needs. */
JsonObject *gmcp_program_connection_make_entry (GmcpProgramConnection *self);
/* Whether the entry is there just so. */
gboolean gmcp_program_connection_is_as_wanted (GmcpProgramConnection *self);
/* The text of the file as it is to be, or NULL with an error. */
char *gmcp_program_connection_make_connected (GmcpProgramConnection *self, GError **error);
char *gmcp_program_connection_make_disconnected (GmcpProgramConnection *self, GError **error);
/* Whether there is anything to take out. */
gboolean gmcp_program_connection_is_there (GmcpProgramConnection *self);
gboolean gmcp_program_connection_check_loaded (GmcpProgramConnection *self, GError **error);

G_END_DECLS
