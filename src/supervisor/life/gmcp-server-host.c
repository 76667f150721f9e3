/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-host-private.h"
#include "gmcp-visible-text-private.h"

/* Calls of the object that manages a server. The object stays while it is called, whatever it does. */

#define HAS(self, func) ((self)->object != NULL && (self)->funcs->func != NULL)

gboolean
gmcp_server_host_has_input_handler (const GmcpServerHost *self)
{
  return HAS (self, has_input_handler) && self->funcs->has_input_handler (self->object);
}

void
gmcp_server_host_request_input (const GmcpServerHost *self, GmcpInputRequest *request)
{
  if (HAS (self, request_input))
    {
      g_autoptr (GObject) object = g_object_ref (self->object);

      self->funcs->request_input (object, request);
    }
}

gboolean
gmcp_server_host_requires_server (const GmcpServerHost *self, const char *id)
{
  return HAS (self, requires_server) && self->funcs->requires_server (self->object, id);
}

GmcpTool *
gmcp_server_host_dup_listed_tool (const GmcpServerHost *self,
                                  GmcpManagedServer *server,
                                  GmcpTool *tool)
{
  return HAS (self, dup_listed_tool) ? self->funcs->dup_listed_tool (self->object, server, tool)
                                     : g_object_ref (tool);
}

GStrv
gmcp_server_host_fill_expand_context (const GmcpServerHost *self, GmcpConfigExpandContext *context)
{
  return HAS (self, fill_expand_context) ? self->funcs->fill_expand_context (self->object, context)
                                         : NULL;
}

char *
gmcp_server_host_fill_folder_context (const GmcpServerHost *self, GmcpServerFolderContext *context)
{
  char *state_dir;

  if (HAS (self, fill_folder_context))
    return self->funcs->fill_folder_context (self->object, context);

  state_dir = g_build_filename (g_get_user_state_dir (), "gmcp", NULL);
  context->state_dir = state_dir;
  return state_dir;
}

char *
gmcp_server_host_dup_share_key (const GmcpServerHost *self,
                                GmcpServerConfig *config,
                                GmcpShare *share)
{
  return HAS (self, dup_share_key) ? self->funcs->dup_share_key (self->object, config, share)
                                   : NULL;
}

GmcpDaemonActivation *
gmcp_server_host_get_activation (const GmcpServerHost *self)
{
  return HAS (self, get_activation) ? self->funcs->get_activation (self->object) : NULL;
}

gboolean
gmcp_server_host_needs_input (const GmcpServerHost *self)
{
  return HAS (self, needs_input) && self->funcs->needs_input (self->object);
}

gboolean
gmcp_server_host_offers_any_era (const GmcpServerHost *self, GmcpServerConfig *config)
{
  return HAS (self, offers_any_era) && self->funcs->offers_any_era (self->object, config);
}

const char *
gmcp_server_host_get_node_searched (const GmcpServerHost *self)
{
  return HAS (self, get_node_searched) ? self->funcs->get_node_searched (self->object) : NULL;
}

gboolean
gmcp_server_host_miss_node (const GmcpServerHost *self,
                            GmcpServerConfig *config,
                            const char *searched)
{
  if (!HAS (self, miss_node))
    return FALSE;

  self->funcs->miss_node (self->object, config, searched);
  return TRUE;
}

void
gmcp_server_host_find_node (const GmcpServerHost *self, GmcpServerConfig *config)
{
  if (HAS (self, find_node))
    self->funcs->find_node (self->object, config);
}

void
gmcp_server_host_forget_node (const GmcpServerHost *self)
{
  if (HAS (self, forget_node))
    self->funcs->forget_node (self->object);
}

char *
gmcp_server_host_dup_start_words (const GmcpServerHost *self, const char *id)
{
  GFile *file = HAS (self, get_config_file) ? self->funcs->get_config_file (self->object) : NULL;
  g_autofree char *word = file != NULL ? gmcp_dup_shell_word (g_file_peek_path (file)) : NULL;

  return word != NULL ? g_strdup_printf ("%s --config %s", id, word) : g_strdup (id);
}

void
gmcp_server_host_program_started (const GmcpServerHost *self, GmcpServerConfig *config)
{
  if (HAS (self, program_started))
    self->funcs->program_started (self->object, config);
}
