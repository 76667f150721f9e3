/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-bounded-operation-private.h"
#include "gmcp-client-private.h"
#include "gmcp-tool-private.h"
#include "gmcp-tool-snapshot-private.h"

struct _GmcpToolSnapshot
{
  GObject *owner; /* not owned */
  GMainContext *context;
  void (*written) (GObject *owner);

  GPtrArray *tools; /* of GmcpTool; replaced as a whole */
  GmcpServerConfig *config;
  GmcpClientAbilities abilities;
  char *instructions;

  gboolean is_listed; /* with the present configuration: the server ran, or there is a file */
  gboolean is_kept;   /* the file holds what is listed */
  guint n_writing;
};

GmcpToolSnapshot *
gmcp_tool_snapshot_new (GObject *owner, GMainContext *context, void (*written) (GObject *owner))
{
  GmcpToolSnapshot *self = g_new0 (GmcpToolSnapshot, 1);

  self->owner = owner;
  self->context = g_main_context_ref (context);
  self->written = written;
  self->tools = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

void
gmcp_tool_snapshot_free (GmcpToolSnapshot *self)
{
  g_ptr_array_unref (self->tools);
  g_clear_object (&self->config);
  g_free (self->instructions);
  g_main_context_unref (self->context);
  g_free (self);
}

GPtrArray *
gmcp_tool_snapshot_peek_tools (GmcpToolSnapshot *self)
{
  return self->tools;
}

GmcpServerConfig *
gmcp_tool_snapshot_get_config (GmcpToolSnapshot *self)
{
  return self->config;
}

GmcpClientAbilities
gmcp_tool_snapshot_get_abilities (GmcpToolSnapshot *self)
{
  return self->abilities;
}

const char *
gmcp_tool_snapshot_get_instructions (GmcpToolSnapshot *self)
{
  return self->instructions;
}

gboolean
gmcp_tool_snapshot_is_listed (GmcpToolSnapshot *self)
{
  return self->is_listed;
}

static gboolean
same_tools (GPtrArray *present, GListModel *listed)
{
  if (present->len != g_list_model_get_n_items (listed))
    return FALSE;

  for (guint i = 0; i < present->len; i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (listed, i);
      GmcpTool *other = g_ptr_array_index (present, i);

      if (tool != other
          && (!g_str_equal (gmcp_definition_get_name (GMCP_DEFINITION (tool)),
                            gmcp_definition_get_name (GMCP_DEFINITION (other)))
              || !gmcp_tool_same_definition (tool, other)))
        return FALSE;
    }

  return TRUE;
}

gboolean
gmcp_tool_snapshot_take (GmcpToolSnapshot *self, GmcpServerConfig *config, GmcpClient *client)
{
  GListModel *listed = gmcp_client_get_tools (client);
  GmcpClientAbilities abilities = gmcp_client_get_declared_abilities (client);
  gboolean of_others = self->abilities != abilities;
  guint length;

  of_others = g_set_object (&self->config, config) || of_others;
  self->abilities = abilities;
  if (of_others)
    self->is_kept = FALSE;
  if (same_tools (self->tools, listed))
    return of_others;

  self->is_kept = FALSE;
  length = g_list_model_get_n_items (listed);
  g_ptr_array_unref (self->tools);
  self->tools = g_ptr_array_new_full (length, g_object_unref);
  for (guint i = 0; i < length; i++)
    g_ptr_array_add (self->tools, g_list_model_get_item (listed, i));

  return TRUE;
}

void
gmcp_tool_snapshot_complete (GmcpToolSnapshot *self, GmcpClient *client)
{
  self->is_listed = TRUE;
  g_free (self->instructions);
  self->instructions = g_strdup (gmcp_client_get_instructions (client));
}

void
gmcp_tool_snapshot_recall (GmcpToolSnapshot *self,
                           GmcpServerConfig *config,
                           GmcpClientAbilities abilities,
                           GmcpToolListCache *kept)
{
  self->is_listed = TRUE;
  self->is_kept = TRUE;
  g_ptr_array_unref (self->tools);
  self->tools = g_ptr_array_ref (kept->tools);
  g_set_object (&self->config, config);
  self->abilities = abilities;
  g_free (self->instructions);
  self->instructions = g_strdup (kept->instructions);
}

/* A file that is written; the snapshot lives as long as the owner does. */
typedef struct
{
  GmcpToolSnapshot *snapshot;
  GmcpBoundedOperation *operation;
} Writing;

static void
on_written (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autofree Writing *writing = data;
  g_autoptr (GObject) owner = gmcp_bounded_operation_end (writing->operation);

  if (owner == NULL)
    return;

  writing->snapshot->n_writing--;
  writing->snapshot->written (owner);
}

void
gmcp_tool_snapshot_keep (GmcpToolSnapshot *self, GmcpServerConfig *config, GmcpRedactor *redactor)
{
  Writing *writing;

  if (self->is_kept)
    return;

  self->is_kept = TRUE;
  self->n_writing++;
  writing = g_new (Writing, 1);
  writing->snapshot = self;
  writing->operation = gmcp_bounded_operation_new (self->owner, self->context);
  g_main_context_push_thread_default (self->context);
  gmcp_tool_list_cache_save_async (
    config, self->abilities, self->tools, self->instructions, redactor,
    gmcp_bounded_operation_get_cancellable (writing->operation), on_written, writing);
  g_main_context_pop_thread_default (self->context);
}

gboolean
gmcp_tool_snapshot_is_writing (GmcpToolSnapshot *self)
{
  return self->n_writing > 0;
}

gboolean
gmcp_tool_snapshot_withdraw (GmcpToolSnapshot *self)
{
  g_clear_pointer (&self->instructions, g_free);
  if (self->tools->len == 0)
    return FALSE;

  g_ptr_array_unref (self->tools);
  self->tools = g_ptr_array_new_with_free_func (g_object_unref);
  return TRUE;
}

void
gmcp_tool_snapshot_outdate (GmcpToolSnapshot *self)
{
  self->is_listed = FALSE;
  self->is_kept = FALSE;
}
