/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tool-provider-private.h"
#include "gmcp-tool-registry-private.h"

/* What providers tell beside their lists, which the registry passes on. */

void
gmcp_tool_registry_refresh_instructions (GmcpToolRegistry *self)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < self->sections->len; i++)
    {
      GmcpRegistrySection *section = g_ptr_array_index (self->sections, i);
      g_autofree char *text = NULL;

      if (section->provider == NULL)
        continue;
      text = gmcp_tool_provider_dup_instructions (section->provider);
      if (text != NULL && *text != '\0')
        g_string_append_printf (all, "%s%s", all->len > 0 ? "\n" : "", text);
    }

  if (g_strcmp0 (self->instructions, all->len > 0 ? all->str : NULL) == 0)
    return;

  g_free (self->instructions);
  self->instructions = all->len > 0 ? g_strdup (all->str) : NULL;
  gmcp_tool_provider_emit_instructions_changed (GMCP_TOOL_PROVIDER (self));
}

static void
on_instructions_changed (GmcpToolProvider *provider, GmcpRegistrySection *section)
{
  g_autoptr (GmcpToolRegistry) alive = g_object_ref (section->registry);

  gmcp_tool_registry_refresh_instructions (alive);
}

static void
on_input_requested (GmcpToolProvider *provider,
                    GmcpInputRequest *request,
                    GmcpRegistrySection *section)
{
  g_autoptr (GmcpToolRegistry) alive = g_object_ref (section->registry);

  gmcp_tool_provider_emit_input_requested (GMCP_TOOL_PROVIDER (alive), request);
}

static void
on_call_requested (GmcpToolProvider *provider,
                   GmcpCallPermission *request,
                   GmcpRegistrySection *section)
{
  g_autoptr (GmcpToolRegistry) alive = g_object_ref (section->registry);

  gmcp_tool_provider_emit_call_requested (GMCP_TOOL_PROVIDER (alive), request);
}

static void
on_rules_changed (GmcpToolProvider *provider, GmcpRegistrySection *section)
{
  g_autoptr (GmcpToolRegistry) alive = g_object_ref (section->registry);

  gmcp_tool_registry_judge_own (alive);
  gmcp_tool_registry_refresh_list (alive);
}

static void
on_notice (GmcpToolProvider *provider,
           const char *server_id,
           GmcpNoticeLevel level,
           const char *message,
           GmcpRegistrySection *section)
{
  g_autoptr (GmcpToolRegistry) alive = g_object_ref (section->registry);

  gmcp_tool_provider_emit_notice (GMCP_TOOL_PROVIDER (alive), server_id, level, message);
}

void
gmcp_tool_registry_watch_provider (GmcpRegistrySection *section)
{
  g_signal_connect (section->provider, "instructions-changed", G_CALLBACK (on_instructions_changed),
                    section);
  g_signal_connect (section->provider, "rules-changed", G_CALLBACK (on_rules_changed), section);
  g_signal_connect (section->provider, "notice", G_CALLBACK (on_notice), section);
}

/* A provider acts on whether somebody listens to it. */
void
gmcp_tool_registry_forward_questions (GmcpToolRegistry *self)
{
  gboolean input;
  gboolean calls;

  /* The first are the program's own tools. */
  if (self->sections->len < 2)
    return;

  input = gmcp_tool_provider_has_input_handler (GMCP_TOOL_PROVIDER (self));
  calls = gmcp_tool_provider_has_call_handler (GMCP_TOOL_PROVIDER (self));
  for (guint i = 0; i < self->sections->len; i++)
    {
      GmcpRegistrySection *section = g_ptr_array_index (self->sections, i);

      if (section->provider == NULL)
        continue;
      if (input && !section->forwards_input)
        g_signal_connect (section->provider, "input-requested", G_CALLBACK (on_input_requested),
                          section);
      if (calls && !section->forwards_calls)
        g_signal_connect (section->provider, "call-requested", G_CALLBACK (on_call_requested),
                          section);
      section->forwards_input |= input;
      section->forwards_calls |= calls;
    }
}
