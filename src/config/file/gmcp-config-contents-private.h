/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

#include "gmcp-config-document-private.h"
#include "gmcp-import-formats-private.h"
#include "gmcp-config-policy-data-private.h"
#include "gmcp-config-report-private.h"
#include "gmcp-manager-limits-private.h"

G_BEGIN_DECLS

/* What a file says about all servers; NULL where it says nothing. */
typedef struct
{
  gboolean has_limit[GMCP_N_MANAGER_LIMITS];
  guint limits[GMCP_N_MANAGER_LIMITS];
  gboolean has_auto_start; /* of servers that do not say it */
  gboolean auto_start;
  gboolean has_ask_destructive;
  gboolean ask_destructive;
  gboolean has_pin_policy;
  int pin_policy; /* a GmcpPinPolicy */
  gboolean has_share;
  int share;                   /* a GmcpShare */
  char *log_directory;         /* a full path, where the file's folder is known */
  char *default_log_directory; /* a full path, where only the layout of the file asks for it */
} GmcpConfigSettings;

/* What became of one entry of a file. */
typedef struct
{
  char *name;
  char *id;
  char *path;               /* of the entry's key */
  GmcpServerConfig *config; /* NULL where it is none */
  guint first_finding;      /* of those that are about it, among all that were added for the file */
  guint n_findings;
} GmcpConfigOutcome;

/* All that stands in a configuration file. */
typedef struct
{
  GPtrArray *outcomes; /* of GmcpConfigOutcome */
  GPtrArray *servers;  /* of GmcpServerConfig */
  GHashTable *lines;   /* id → the line that the server stands in */
  GPtrArray *inputs;   /* of JSON objects as text, each with an id */
  guint n_errors;
  gboolean
    any; /* whether it says something; one that is there for nothing is empty, or a comment */
  gboolean usable; /* each error is about one server, or one setting, that the rest can do without;
                    * without one of the rules more might be allowed than was meant */
  GmcpConfigPolicy *policy;
  GmcpConfigSettings settings;
} GmcpConfigContents;

/* Reads a text in any of the forms that are known. What is to be said about it is added to findings
 * (of GmcpConfigFinding); where an error is among that, the first is given and there are no contents.
 * file is how the file is called in findings (nullable), base_dir what relative paths in it are
 * relative to (nullable). The error's code is always GMCP_ERROR_INVALID_CONFIG, but for
 * GMCP_ERROR_NOT_SUPPORTED. */
GmcpConfigContents *gmcp_config_contents_read (const char *text,
                                               gsize length,
                                               GmcpConfigFormat format,
                                               const char *file,
                                               const char *base_dir,
                                               GPtrArray *findings,
                                               GError **error);
/* Reads any text that can be parsed, and leaves out what errors are about. */
GmcpConfigContents *gmcp_config_contents_read_all (const char *text,
                                                   gsize length,
                                                   GmcpConfigFormat format,
                                                   const char *file,
                                                   const char *base_dir,
                                                   GPtrArray *findings,
                                                   GError **error);
/* Reads what another program has in a file. An entry that is wrong is no error, but has no configuration
 * in its outcome; nor is a file without servers. Without a program that is found out, and a file of none
 * is read as one of ours. */
GmcpConfigContents *gmcp_config_contents_read_foreign (const char *text,
                                                       gsize length,
                                                       const GmcpConfigForeign **program,
                                                       const char *file,
                                                       const char *base_dir,
                                                       GPtrArray *findings,
                                                       GError **error);
/* Borrowed; NULL where there is none of that id. */
GmcpServerConfig *gmcp_config_contents_find_server (GmcpConfigContents *contents, const char *id);
void gmcp_config_contents_free (GmcpConfigContents *contents);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpConfigContents, gmcp_config_contents_free)

G_END_DECLS
