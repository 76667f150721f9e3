/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-config-private.h"

G_BEGIN_DECLS

/* Seen by the files of the class: gmcp-server-config.c, gmcp-server-config-fields.c, -notes.c, and the getters of
 * its properties. */
struct _GmcpServerConfig
{
  GObject parent_instance;

  char *id;
  char *title;
  char *cwd;
  char *url;
  char *ca_file;
  GStrv redirect_origins;
  GStrv headers;         /* names and values in turn, a name once; secrets */
  char *unpaired_header; /* nullable: where the list that was set has a name without a value */
  GStrv argv;
  GStrv environment; /* NAME=VALUE, sorted, a name once */
  GmcpServerTransport transport;
  GmcpEra era;
  guint call_timeout_ms;
  guint startup_timeout_ms;
  guint install_timeout_ms;
  gboolean enabled;
  gboolean inherit_environment;
  gboolean allow_sampling;

  /* How the server is looked after. */
  GmcpServerStart start;
  char *package;
  char *instructions;
  gboolean trusted;
  GmcpHealthMethod health_method;
  char *health_tool;
  char *health_arguments;
  guint health_interval_ms;
  guint health_timeout_ms;
  gboolean restart_on_failure;
  guint max_restart_attempts;
  guint idle_timeout_ms;
  guint shutdown_timeout_ms;
  guint max_calls;
  guint max_queued_calls;
  GStrv allowed_tools;
  GStrv denied_tools;

  /* What the server's program may do. */
  GmcpSandbox sandbox;
  GStrv writable_paths;
  gboolean no_network;
  gboolean unix_sockets;
  guint max_cpu_ms;
  guint max_memory_mib;
  guint max_processes;
  GmcpShare share;

  GmcpConfigOrigin *origin;  /* NULL where it comes from nowhere in particular */
  GmcpConfigPlaces *places;  /* NULL where it comes from nowhere in particular */
  gboolean expanded;         /* what looks like a variable is none */
  gboolean shown_filled;     /* what looks like a variable is none, in what is shown */
  gboolean start_is_default; /* nothing says how it starts but the manager's auto-start-default */
  gboolean title_is_name;    /* the title is what the entry is called, and no text */
  gboolean stands_in; /* of a project, and approved in place of one of the same id elsewhere */
  gboolean environment_locked; /* MCP_<SERVER>_<NAME> does not count */
};

G_END_DECLS
