/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-config-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-manager-settings-private.h"

/* What settings that hold for all servers change, wherever their values come from. */

guint
gmcp_manager_get_limit (GmcpManager *self, GmcpManagerLimit limit)
{
  GmcpEffectiveSettings *settings = gmcp_manager_get_settings (self);

  return G_STRUCT_MEMBER (guint, gmcp_effective_settings_peek_limits (settings),
                          gmcp_manager_limit_get_info (limit)->offset);
}

/* A call that waited may have its turn then. */
static void
spread_limits (GmcpManager *self)
{
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (gmcp_manager_get_server_table (self));

  for (guint i = 0; i < servers->len; i++)
    gmcp_managed_server_set_limits (
      g_ptr_array_index (servers, i),
      &gmcp_effective_settings_peek_limits (gmcp_manager_get_settings (self))->servers);
}

static void
use_limit (GmcpManager *self, GmcpManagerLimit limit)
{
  GmcpResponseCache *cache = gmcp_manager_get_response_cache (self);
  const GmcpManagerLimits *limits
    = gmcp_effective_settings_peek_limits (gmcp_manager_get_settings (self));

  switch (limit)
    {
    case GMCP_MANAGER_LIMIT_LIST_TTL_MS:
      gmcp_response_cache_set_list_ttl_ms (cache, limits->list_ttl_ms);
      break;
    case GMCP_MANAGER_LIMIT_RESOURCE_TTL_MS:
      gmcp_response_cache_set_resource_ttl_ms (cache, limits->resource_ttl_ms);
      break;
    case GMCP_MANAGER_LIMIT_MAX_CACHE_BYTES:
      gmcp_response_cache_set_max_bytes (cache, limits->max_cache_bytes);
      break;
    case GMCP_MANAGER_LIMIT_MAX_RESULT_BYTES:
      gmcp_auditor_set_max_result_bytes (gmcp_manager_get_auditor (self), limits->max_result_bytes);
      break;
    case GMCP_MANAGER_LIMIT_MAX_LOG_BYTES:
    case GMCP_MANAGER_LIMIT_MAX_LOG_FILES:
      gmcp_manager_limit_logs (self);
      break;
    default:
      /* The other limits are looked up where they are needed. */
      break;
    }
}

static void
use_setting (GmcpManager *self, GmcpSetting setting)
{
  switch (setting)
    {
    case GMCP_SETTING_ASK_DESTRUCTIVE:
    case GMCP_SETTING_ASK_FIRST:
      gmcp_manager_use_asking (self);
      break;
    case GMCP_SETTING_AUDIT:
    case GMCP_SETTING_AUDIT_HASH_ARGUMENTS:
      gmcp_manager_use_audit (self);
      break;
    case GMCP_SETTING_AUTO_START_DEFAULT:
      if (gmcp_config_stack_is_loaded (gmcp_manager_get_config_stack (self)))
        gmcp_config_stack_tell (gmcp_manager_get_config_stack (self));
      break;
    case GMCP_SETTING_LOG_DIRECTORY:
      gmcp_manager_use_log_directory (self);
      break;
    case GMCP_SETTING_PIN_POLICY:
      gmcp_manager_use_pin_policy (self);
      break;
    case GMCP_SETTING_SHARE:
      break;
    case GMCP_SETTING_TOOL_NAME_STYLE:
      gmcp_tool_catalog_set_style (gmcp_manager_get_catalog (self),
                                   gmcp_manager_get_tool_name_style (self));
      break;
    case GMCP_N_SETTINGS:
    default:
      use_limit (self, (GmcpManagerLimit) setting);
      break;
    }
}

static gboolean
is_limit_of_servers (guint setting)
{
  return setting < GMCP_N_MANAGER_LIMITS
         && gmcp_manager_limit_is_of_servers ((GmcpManagerLimit) setting);
}

void
gmcp_manager_use_settings (const GmcpSetting *changed, guint n_changed, gpointer data)
{
  g_autoptr (GmcpManager) self = g_object_ref (data);
  gboolean is_of_servers = FALSE;

  gmcp_tool_catalog_hold_rules (gmcp_manager_get_catalog (self));
  for (guint i = 0; i < n_changed; i++)
    {
      if (is_limit_of_servers (changed[i]))
        is_of_servers = TRUE;
      else
        use_setting (self, changed[i]);
    }
  if (is_of_servers)
    spread_limits (self);
  gmcp_tool_catalog_release_rules (gmcp_manager_get_catalog (self));

  for (guint i = 0; i < n_changed; i++)
    {
      g_object_notify (G_OBJECT (self), gmcp_setting_get_name (changed[i]));
      if (changed[i] == GMCP_SETTING_AUDIT)
        g_object_notify (G_OBJECT (self), "audit-log");
    }
}
