/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-default-sources-private.h"

#include "gmcp-local-file-private.h"

#include <gmcp/config/file/gmcp-file-config-source.h>
#include <gmcp/config/settings/gmcp-settings-config-source.h>

/* Below $XDG_CONFIG_HOME, in order of precedence. */
static const char *const user_files[] = {
  "mcp/mcp.json",          "gmcp/mcp-servers.json", "gmcp/mcp_servers.yaml",
  "gmcp/mcp_servers.toml", "gmcp/config.toml",      "gmcp/tools.yaml",
};

/* In the folder of a project. */
static const char *const project_files[] = { ".mcp.json", "mcp_config.json" };

struct _GmcpDefaultSources
{
  GmcpConfigStack *stack;
  GMainContext *context;
  GFile *workspace;        /* NULL for none */
  gboolean reads_projects; /* the files of the workspace are places, too */
};

GmcpDefaultSources *
gmcp_default_sources_new (GmcpConfigStack *stack, GMainContext *context)
{
  GmcpDefaultSources *self = g_new0 (GmcpDefaultSources, 1);

  self->stack = stack;
  self->context = g_main_context_ref (context);
  return self;
}

void
gmcp_default_sources_free (GmcpDefaultSources *self)
{
  g_main_context_unref (self->context);
  g_clear_object (&self->workspace);
  g_free (self);
}

static void
add_file (GmcpDefaultSources *self, const char *folder, const char *name, gboolean project)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GmcpConfigSource) source = NULL;

#ifndef HAVE_YAML
  if (g_str_has_suffix (name, ".yaml"))
    return;
#endif

  g_main_context_push_thread_default (self->context);
  source = g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", file, "optional", TRUE, "project",
                         project, NULL);
  g_main_context_pop_thread_default (self->context);
  gmcp_config_stack_add (self->stack, source, FALSE);
}

static void
add_project_files (GmcpDefaultSources *self)
{
  for (gsize i = 0; self->workspace != NULL && i < G_N_ELEMENTS (project_files); i++)
    add_file (self, g_file_peek_path (self->workspace), project_files[i], TRUE);
}

void
gmcp_default_sources_add (GmcpDefaultSources *self)
{
  g_autoptr (GmcpConfigSource) settings = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (user_files); i++)
    add_file (self, g_get_user_config_dir (), user_files[i], FALSE);

  g_main_context_push_thread_default (self->context);
  settings = GMCP_CONFIG_SOURCE (gmcp_settings_config_source_new ());
  g_main_context_pop_thread_default (self->context);
  gmcp_config_stack_add (self->stack, settings, FALSE);
  self->reads_projects = TRUE;
  add_project_files (self);
}

gboolean
gmcp_default_sources_set_workspace (GmcpDefaultSources *self, GFile *workspace)
{
  if (gmcp_file_equal_or_null (self->workspace, workspace))
    return FALSE;

  if (self->reads_projects)
    gmcp_config_stack_remove_projects (self->stack);
  g_set_object (&self->workspace, workspace);
  if (self->reads_projects)
    add_project_files (self);
  return TRUE;
}

GFile *
gmcp_default_sources_get_workspace (GmcpDefaultSources *self)
{
  return self->workspace;
}
