/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-tool.h>
#include <gmcp/protocol/questions/gmcp-input-request.h>

#include "gmcp-config-expand-private.h"
#include "gmcp-daemon-activation-private.h"
#include "gmcp-server-folder-private.h"

G_BEGIN_DECLS

/* Of the folder above, which is told of by its name only. */
typedef struct _GmcpManagedServer GmcpManagedServer;

/* What a managed server needs of the object that manages it. A function that is NULL stands for a host
 * that has nothing to say there. */
typedef struct
{
  /* Whether anybody takes the questions of the server. */
  gboolean (*has_input_handler) (GObject *host);
  void (*request_input) (GObject *host, GmcpInputRequest *request);

  /* Whether the host cannot do without the server. */
  gboolean (*requires_server) (GObject *host, const char *id);
  /* A tool of the server under the name that it is called by. */
  GmcpTool *(*dup_listed_tool) (GObject *host, GmcpManagedServer *server, GmcpTool *tool);

  /* What variables in the configuration are filled in from. Gives the ids that the context refers to. */
  GStrv (*fill_expand_context) (GObject *host, GmcpConfigExpandContext *context);
  /* What the server's folder goes by. Gives the text that the context refers to. */
  char *(*fill_folder_context) (GObject *host, GmcpServerFolderContext *context);

  /* By which key other programs have the same process of the server (gmcp-share-key-private.h), and whether it may
   * be shared; NULL where the server gets one of its own. */
  char *(*dup_share_key) (GObject *host, GmcpServerConfig *config, GmcpShare *share);

  /* What has the session's daemon started; NULL where that is not to be. */
  GmcpDaemonActivation *(*get_activation) (GObject *host);

  /* Whether the host has to be asked what any of its servers wants to know. */
  gboolean (*needs_input) (GObject *host);

  /* Whether other programs may use the process of the server, whatever revision it speaks. */
  gboolean (*offers_any_era) (GObject *host, GmcpServerConfig *config);

  /* The PATH in which Node.js was not found; NULL where Node.js is there or was not looked for. */
  const char *(*get_node_searched) (GObject *host);
  void (*miss_node) (GObject *host, GmcpServerConfig *config, const char *searched);
  /* The server has all that it needs. */
  void (*find_node) (GObject *host, GmcpServerConfig *config);
  /* The next start looks for Node.js again. */
  void (*forget_node) (GObject *host);

  /* The only file that is read for the configuration; NULL where it comes from elsewhere. */
  GFile *(*get_config_file) (GObject *host);
  /* The program of the server runs, which is configured so. */
  void (*program_started) (GObject *host, GmcpServerConfig *config);
} GmcpServerHostFuncs;

typedef struct
{
  GObject *object; /* not owned; NULL for a server that nobody manages */
  const GmcpServerHostFuncs *funcs;
} GmcpServerHost;

/* The functions of the host, or what holds where there is no host. */
gboolean gmcp_server_host_has_input_handler (const GmcpServerHost *self);
void gmcp_server_host_request_input (const GmcpServerHost *self, GmcpInputRequest *request);
gboolean gmcp_server_host_requires_server (const GmcpServerHost *self, const char *id);
/* The tool itself where the host has no other name for it. */
GmcpTool *gmcp_server_host_dup_listed_tool (const GmcpServerHost *self,
                                            GmcpManagedServer *server,
                                            GmcpTool *tool);
GStrv
gmcp_server_host_fill_expand_context (const GmcpServerHost *self, GmcpConfigExpandContext *context);
/* The user's folder of state where the host has none. */
char *
gmcp_server_host_fill_folder_context (const GmcpServerHost *self, GmcpServerFolderContext *context);
/* NULL where there is nobody to share with. */
char *gmcp_server_host_dup_share_key (const GmcpServerHost *self,
                                      GmcpServerConfig *config,
                                      GmcpShare *share);
GmcpDaemonActivation *gmcp_server_host_get_activation (const GmcpServerHost *self);
gboolean gmcp_server_host_needs_input (const GmcpServerHost *self);
gboolean gmcp_server_host_offers_any_era (const GmcpServerHost *self, GmcpServerConfig *config);
const char *gmcp_server_host_get_node_searched (const GmcpServerHost *self);
/* Whether the host tells the user of it. */
gboolean gmcp_server_host_miss_node (const GmcpServerHost *self,
                                     GmcpServerConfig *config,
                                     const char *searched);
void gmcp_server_host_find_node (const GmcpServerHost *self, GmcpServerConfig *config);
void gmcp_server_host_forget_node (const GmcpServerHost *self);
/* What follows “gmcp start --foreground” to start the server of this id, for a shell. */
char *gmcp_server_host_dup_start_words (const GmcpServerHost *self, const char *id);
void gmcp_server_host_program_started (const GmcpServerHost *self, GmcpServerConfig *config);

G_END_DECLS
