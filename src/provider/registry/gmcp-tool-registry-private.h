/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-prompt-provider.h>
#include <gmcp/provider/gmcp-resource-provider.h>

#include "gmcp-late-names-private.h"
#include "gmcp-object-list-private.h"
#include "gmcp-own-tools-private.h"
#include "gmcp-tool-names-private.h"

G_BEGIN_DECLS

/* The id of the program itself, which stands in a tool's name only where the bare name is taken. */
#define GMCP_REGISTRY_OWN_ID "host"

typedef struct _GmcpRegistryResources GmcpRegistryResources;
typedef struct _GmcpRegistryPrompts GmcpRegistryPrompts;

struct _GmcpToolRegistry
{
  GObject parent_instance;

  GMainContext *context;
  GmcpOwnTools *own;
  GPtrArray *sections; /* (element-type GmcpRegistrySection) (owned) */
  GmcpToolNames *names;
  GmcpObjectList *list;
  GmcpRegistryResources *resources;
  GmcpRegistryPrompts *prompts;
  char *instructions; /* those of all providers; NULL for none */
};

/* What one provider has, or the program itself. */
typedef struct
{
  GmcpToolRegistry *registry;
  char *id;
  GmcpToolProvider *provider; /* NULL for the program itself */
  GListModel *tools;
  GPtrArray *entries;      /* (element-type GmcpRegistryEntry) */
  gboolean forwards_input; /* questions of the provider's servers are passed on */
  gboolean forwards_calls; /* questions of the provider itself are passed on */
} GmcpRegistrySection;

typedef struct
{
  GmcpRegistrySection *section;
  GmcpTool *source; /* as the provider lists it */
  GmcpTool *listed;
  gboolean withheld; /* by the rules of one of the providers; only a tool of the program itself */
} GmcpRegistryEntry;

/* A critical warning that names the function, and FALSE, where another thread runs the context. */
gboolean gmcp_tool_registry_check_thread (GmcpToolRegistry *self, const char *function);
GPtrArray *gmcp_tool_registry_get_sections (GmcpToolRegistry *self);
GmcpToolNames *gmcp_tool_registry_get_names (GmcpToolRegistry *self);
GmcpOwnTools *gmcp_tool_registry_get_own (GmcpToolRegistry *self);
GmcpRegistryResources *gmcp_tool_registry_get_resources (GmcpToolRegistry *self);
GmcpRegistryPrompts *gmcp_tool_registry_get_prompts (GmcpToolRegistry *self);

/* gmcp-tool-registry-list.c */

GmcpRegistrySection *gmcp_tool_registry_add_section (GmcpToolRegistry *self,
                                                     const char *id,
                                                     GmcpToolProvider *provider,
                                                     GListModel *tools);
void gmcp_tool_registry_section_free (GmcpRegistrySection *section);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpRegistrySection, gmcp_tool_registry_section_free)

/* Reads the section's list again. */
void gmcp_tool_registry_refresh_section (GmcpRegistrySection *section);
/* Which tools of the program itself the rules of the providers permit. */
void gmcp_tool_registry_judge_own (GmcpToolRegistry *self);
void gmcp_tool_registry_refresh_list (GmcpToolRegistry *self);

/* gmcp-tool-registry-signals.c */

void gmcp_tool_registry_watch_provider (GmcpRegistrySection *section);
void gmcp_tool_registry_refresh_instructions (GmcpToolRegistry *self);
/* From the next load or call on, the questions of all servers go to who listens to the registry. */
void gmcp_tool_registry_forward_questions (GmcpToolRegistry *self);

/* Whether all providers that have rules permit a tool of the program itself. */
gboolean gmcp_tool_registry_permits (GmcpToolRegistry *self, GmcpTool *tool, GError **error);

/* gmcp-tool-registry-late-names.c */
void gmcp_tool_registry_look_for (GmcpToolProvider *provider,
                                  GmcpLateKind kind,
                                  const char *name,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);

/* gmcp-tool-registry-calls.c */

/* FALSE where another thread runs the context; then the request has been answered. */
gboolean gmcp_tool_registry_take_request (GmcpToolRegistry *self,
                                          GmcpProviderRequest *request,
                                          const char *function);
void gmcp_tool_registry_load (GmcpToolProvider *provider, GmcpToolLoad *load);
void gmcp_tool_registry_close (GmcpToolProvider *provider, GmcpProviderClose *close);
void gmcp_tool_registry_call_tool (GmcpToolProvider *provider, GmcpToolCall *call);
GmcpTool *
gmcp_tool_registry_find_tool (GmcpToolProvider *provider, const char *name, GError **error);

G_END_DECLS
