/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How other programs write a server: the way back from gmcp-import-formats. */

typedef struct
{
  const char *program;
  const char *reference;         /* to a variable of the environment, with %s; NULL for none */
  const char *default_reference; /* with what counts where it is not set; NULL for none */
  const char *variables_key; /* the list of variables that are handed on by name; NULL for none */
  const char *header_variables_key; /* headers, each with the name of a variable; NULL for none */
  gboolean asks;                    /* for values, by ${input:ID} */
  gboolean editor_variables;        /* ${userHome}, ${workspaceFolder} */
  gboolean command_list;            /* a command with its arguments */
  gboolean enabled;                 /* a key “enabled” that has to be there */
  const char *command_key;
  const char *environment_key;
  const char *headers_key;
  const char *url_key;     /* NULL where no server has an address */
  const char *sse_url_key; /* NULL for the one above */
  const char *stdio_type;  /* NULL for no such key, here and below */
  const char *http_type;
  const char *sse_type;
  const char *source;   /* a key that each server has to have; NULL for none */
  const char *name_key; /* NULL where the name is the key alone */
} GmcpExportFormat;

/* NULL for a program that is not known. */
const GmcpExportFormat *gmcp_export_format_look_up (const char *program);

G_END_DECLS
