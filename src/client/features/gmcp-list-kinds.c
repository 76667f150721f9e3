/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-lists-private.h"

#include "gmcp-era-features-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-prompt-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-resource-private.h"
#include "gmcp-resource-template-private.h"
#include "gmcp-tool-private.h"

/* A tool must not be used over a connection on which what it wants in headers cannot be written. */
static gboolean
accept_tool (GmcpSession *self, gpointer tool, GError **error)
{
  GError *reason = NULL;

  if (!gmcp_session_has_headers (self) || !gmcp_session_get_era_features (self)->has_tool_headers)
    return TRUE;

  gmcp_tool_peek_headers (tool, &reason);
  if (reason == NULL)
    return TRUE;
  g_propagate_error (error, reason);
  return FALSE;
}

/* What differs between the lists. */
const GmcpListKind gmcp_list_kinds[GMCP_N_LISTS] = {
  [GMCP_LIST_TOOLS] = {
  .method = GMCP_METHOD_TOOLS_LIST,
  .member = "tools",
  .capability = "tools",
  .get_type = gmcp_tool_get_type,
  .new_item = (gpointer (*) (GmcpJsonValue, GError **)) gmcp_tool_new_from_value,
  .accept = accept_tool,
  .get_key = (const char *(*) (gpointer)) gmcp_definition_get_name,
  .get_value = (GmcpJsonValue (*) (gpointer)) gmcp_definition_get_value,
  .failed = N_ ("The tools of %s could not be listed"),
  .not_connected = N_ ("The tools of %s cannot be listed: it is not connected"),
  },
  [GMCP_LIST_RESOURCES] = {
  .method = GMCP_METHOD_RESOURCES_LIST,
  .member = "resources",
  .capability = "resources",
  .may_lack = FALSE,
  .get_type = gmcp_resource_get_type,
  .new_item = (gpointer (*) (GmcpJsonValue, GError **)) gmcp_resource_new_from_value,
  .get_key = (const char *(*) (gpointer)) gmcp_resource_get_uri,
  .get_value = (GmcpJsonValue (*) (gpointer)) gmcp_definition_get_value,
  .failed = N_ ("The resources of %s could not be listed"),
  .not_connected = N_ ("The resources of %s cannot be listed: it is not connected"),
  },
  [GMCP_LIST_TEMPLATES] = {
  .method = GMCP_METHOD_TEMPLATES_LIST,
  .member = "resourceTemplates",
  .capability = "resources",
  .may_lack = TRUE,
  .get_type = gmcp_resource_template_get_type,
  .new_item = (gpointer (*) (GmcpJsonValue, GError **)) gmcp_resource_template_new_from_value,
  .get_key = (const char *(*) (gpointer)) gmcp_resource_template_get_uri_template,
  .get_value = (GmcpJsonValue (*) (gpointer)) gmcp_definition_get_value,
  .failed = N_ ("The resource templates of %s could not be listed"),
  .not_connected = N_ ("The resource templates of %s cannot be listed: it is not connected"),
  },
  [GMCP_LIST_PROMPTS] = {
  .method = GMCP_METHOD_PROMPTS_LIST,
  .member = "prompts",
  .capability = "prompts",
  .may_lack = FALSE,
  .get_type = gmcp_prompt_get_type,
  .new_item = (gpointer (*) (GmcpJsonValue, GError **)) gmcp_prompt_new_from_value,
  .get_key = (const char *(*) (gpointer)) gmcp_definition_get_name,
  .get_value = (GmcpJsonValue (*) (gpointer)) gmcp_definition_get_value,
  .failed = N_ ("The prompts of %s could not be listed"),
  .not_connected = N_ ("The prompts of %s cannot be listed: it is not connected"),
  },
};
