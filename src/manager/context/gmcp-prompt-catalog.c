/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-prompt-catalog-private.h"
#include "gmcp-prompt-command-private.h"
#include "gmcp-protocol-private.h"

#include <gmcp/core/gmcp-error.h>

struct _GmcpPromptCatalog
{
  GmcpToolNames *names; /* of prompts */
};

/* The prompts of several servers, asked for side by side. */
typedef struct
{
  GmcpPromptCatalog *catalog;
  GmcpPromptNoticeFunc notice;
  GPtrArray *servers;  /* of GmcpManagedServer */
  GPtrArray **prompts; /* of GmcpPrompt, of each; NULL where there are none */
  guint n_listing;
} Listing;

typedef struct
{
  GTask *task;
  guint position;
} Part;

GmcpPromptCatalog *
gmcp_prompt_catalog_new (void)
{
  GmcpPromptCatalog *self = g_new0 (GmcpPromptCatalog, 1);

  self->names = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  return self;
}

void
gmcp_prompt_catalog_free (GmcpPromptCatalog *self)
{
  gmcp_tool_names_free (self->names);
  g_free (self);
}

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  for (guint i = 0; i < listing->servers->len; i++)
    g_clear_pointer (&listing->prompts[i], g_ptr_array_unref);
  g_free (listing->prompts);
  g_ptr_array_unref (listing->servers);
  g_free (listing);
}

GStrv
gmcp_prompt_catalog_name_prompts (GmcpPromptCatalog *self,
                                  GmcpManagedServer *server,
                                  GPtrArray *prompts)
{
  const char *id = gmcp_managed_server_get_id (server);
  g_autofree GmcpToolName *entries = g_new0 (GmcpToolName, prompts->len);
  GStrv names = g_new0 (char *, prompts->len + 1);

  for (guint i = 0; i < prompts->len; i++)
    {
      entries[i].server = id;
      entries[i].tool = gmcp_definition_get_name (GMCP_DEFINITION (g_ptr_array_index (prompts, i)));
    }

  /* What is gone keeps its name for itself. */
  gmcp_tool_names_remove_server (self->names, id);
  gmcp_tool_names_add (self->names, entries, prompts->len);
  for (guint i = 0; i < prompts->len; i++)
    names[i] = g_strdup (entries[i].listed);
  return names;
}

static void
add_commands (GmcpPromptCatalog *self,
              GmcpManagedServer *server,
              GPtrArray *prompts,
              GPtrArray *commands)
{
  g_auto (GStrv) names = gmcp_prompt_catalog_name_prompts (self, server, prompts);

  for (guint i = 0; i < prompts->len; i++)
    g_ptr_array_add (commands,
                     gmcp_prompt_command_new (names[i], gmcp_managed_server_get_id (server),
                                              g_ptr_array_index (prompts, i)));
}

static void
one_done (GTask *task)
{
  Listing *listing = g_task_get_task_data (task);
  g_autoptr (GPtrArray) commands = NULL;

  if (--listing->n_listing > 0 || g_task_return_error_if_cancelled (task))
    return;

  commands = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < listing->servers->len; i++)
    if (listing->prompts[i] != NULL)
      add_commands (listing->catalog, g_ptr_array_index (listing->servers, i), listing->prompts[i],
                    commands);
  g_task_return_pointer (task, g_steal_pointer (&commands), (GDestroyNotify) g_ptr_array_unref);
}

static void
part_done (Part *part)
{
  one_done (part->task);
  g_object_unref (part->task);
  g_free (part);
}

static void
tell_of_failure (Part *part, GmcpManagedServer *server, const GError *error)
{
  Listing *listing = g_task_get_task_data (part->task);

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    listing->notice (g_task_get_source_object (part->task), gmcp_managed_server_get_id (server),
                     GMCP_NOTICE_LEVEL_WARNING, error->message);
}

static void
on_listed (GObject *object, GAsyncResult *result, gpointer data)
{
  Part *part = data;
  Listing *listing = g_task_get_task_data (part->task);
  g_autoptr (GListModel) model = NULL;
  g_autoptr (GError) error = NULL;

  model = gmcp_client_list_prompts_finish (GMCP_CLIENT (object), result, &error);
  if (model != NULL)
    {
      GPtrArray *prompts = g_ptr_array_new_with_free_func (g_object_unref);

      for (guint i = 0; i < g_list_model_get_n_items (model); i++)
        g_ptr_array_add (prompts, g_list_model_get_item (model, i));
      listing->prompts[part->position] = prompts;
    }
  else
    {
      tell_of_failure (part, g_ptr_array_index (listing->servers, part->position), error);
    }
  part_done (part);
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer data)
{
  Part *part = data;
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);

  /* A start that failed has been told of. */
  if (gmcp_managed_server_demand_finish (server, result, NULL)
      && gmcp_managed_server_is_ready (server))
    gmcp_client_list_prompts_async (gmcp_managed_server_get_client (server),
                                    g_task_get_cancellable (part->task), on_listed, part);
  else
    part_done (part);
}

void
gmcp_prompt_catalog_list (GmcpPromptCatalog *self,
                          GTask *task,
                          GPtrArray *servers,
                          GmcpPromptNoticeFunc notice)
{
  Listing *listing = g_new0 (Listing, 1);

  listing->catalog = self;
  listing->notice = notice;
  listing->servers = g_ptr_array_ref (servers);
  listing->prompts = g_new0 (GPtrArray *, servers->len);
  g_task_set_task_data (task, listing, listing_free);

  /* One more, for this function. */
  listing->n_listing = servers->len + 1;
  for (guint i = 0; i < servers->len; i++)
    {
      Part *part = g_new (Part, 1);

      part->task = g_object_ref (task);
      part->position = i;
      gmcp_managed_server_demand_async (g_ptr_array_index (servers, i),
                                        g_task_get_cancellable (task), on_started, part);
    }
  one_done (task);
}

GError *
gmcp_prompt_catalog_unknown_error (const char *name, const GError *error)
{
  g_autofree char *shown = gmcp_protocol_shorten (name);

  /* Several may have the name where it is the server's own. */
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_AMBIGUOUS_TOOL))
    return g_error_new (GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                        _ ("Several servers have a prompt called “%s”: name it as "
                           "SERVER__PROMPT"),
                        shown);
  return g_error_new (GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, _ ("There is no prompt called “%s”"),
                      shown);
}

gboolean
gmcp_prompt_catalog_find (GmcpPromptCatalog *self,
                          const char *name,
                          GmcpToolName *found,
                          GError **error)
{
  return gmcp_tool_names_find (self->names, name, found, error);
}
