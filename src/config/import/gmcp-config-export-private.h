/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/import/gmcp-config-export.h>

#include "gmcp-config-writer-private.h"
#include "gmcp-export-formats-private.h"
#include "gmcp-import-formats-private.h"

G_BEGIN_DECLS

/* Servers as another program has them. */

/* A secret that a server takes from the keyring. */
typedef struct
{
  char *name;
  char *value; /* NULL before it is looked up */
  GmcpServerConfig *config;
} GmcpExportSecret;

typedef struct
{
  const GmcpExportFormat *format;
  const GmcpConfigForeign *foreign;
  gboolean with_secrets;
  GPtrArray *secrets; /* of GmcpExportSecret */
  GPtrArray *notes;   /* of char *; what is to be told is added */
} GmcpExportContext;

/* Each once for each server, of GmcpExportSecret. */
GPtrArray *gmcp_export_list_secrets (GPtrArray *configs);

/* The file of the program, with these servers and nothing else. */
JsonObject *gmcp_export_make_root (GmcpExportContext *context, GPtrArray *configs);

G_END_DECLS
