/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-limits-private.h"

G_BEGIN_DECLS

/* The numbers that a manager goes by. Each is a property of the manager and can stand in a file below
 * mcp_settings; those that people set are keys of org.gmcp.Manager, too, with the same name and default. */
typedef enum
{
  GMCP_MANAGER_LIMIT_CALL_TIMEOUT_MS,
  GMCP_MANAGER_LIMIT_MAX_CALL_TIMEOUT_MS,
  GMCP_MANAGER_LIMIT_STARTUP_TIMEOUT_MS,
  GMCP_MANAGER_LIMIT_INSTALL_TIMEOUT_MS,
  GMCP_MANAGER_LIMIT_SHUTDOWN_TIMEOUT_MS,
  GMCP_MANAGER_LIMIT_HEALTH_INTERVAL_MS,
  GMCP_MANAGER_LIMIT_HEALTH_TIMEOUT_MS,
  GMCP_MANAGER_LIMIT_MAX_HEALTH_FAILURES,
  GMCP_MANAGER_LIMIT_MAX_RESTART_ATTEMPTS,
  GMCP_MANAGER_LIMIT_MAX_RESTARTS_PER_HOUR,
  GMCP_MANAGER_LIMIT_RESTART_DELAY_MS,
  GMCP_MANAGER_LIMIT_MAX_RESTART_DELAY_MS,
  GMCP_MANAGER_LIMIT_RESTART_JITTER_PERCENT,
  GMCP_MANAGER_LIMIT_RESTART_RESET_MS,
  GMCP_MANAGER_LIMIT_RESTART_WAIT_MS,
  GMCP_MANAGER_LIMIT_FAILED_START_DELAY_MS,
  GMCP_MANAGER_LIMIT_MAX_CALLS,
  GMCP_MANAGER_LIMIT_MAX_QUEUED_CALLS,
  GMCP_MANAGER_LIMIT_ASK_TIMEOUT_MS,
  GMCP_MANAGER_LIMIT_RESOURCE_TIMEOUT_MS,
  GMCP_MANAGER_LIMIT_LIST_TTL_MS,
  GMCP_MANAGER_LIMIT_RESOURCE_TTL_MS,
  GMCP_MANAGER_LIMIT_MAX_CACHE_BYTES,
  GMCP_MANAGER_LIMIT_MAX_RESULT_BYTES,
  GMCP_MANAGER_LIMIT_MAX_LOG_BYTES,
  GMCP_MANAGER_LIMIT_MAX_LOG_FILES,
  GMCP_MANAGER_LIMIT_LOAD_WAIT_MS,
  GMCP_N_MANAGER_LIMITS
} GmcpManagerLimit;

typedef struct
{
  GmcpServerLimits servers; /* first */
  guint ask_timeout_ms;
  guint resource_timeout_ms;
  guint list_ttl_ms;
  guint resource_ttl_ms;
  guint max_cache_bytes;
  guint max_result_bytes;
  guint max_log_bytes;
  guint max_log_files;
  guint load_wait_ms;
} GmcpManagerLimits;

typedef struct
{
  const char *name;     /* of the property, and of the key where there is one */
  const char *file_key; /* below mcp_settings; a time is in seconds there */
  gsize offset;         /* in GmcpManagerLimits */
  guint minimum;        /* that a program may set */
  guint maximum;
  guint low; /* that settings and files may say */
  guint high;
  guint value;          /* the default */
  gboolean in_settings; /* whether org.gmcp.Manager has a key for it */
  const char *summary;  /* not translated */
} GmcpManagerLimitInfo;

const GmcpManagerLimitInfo *gmcp_manager_limit_get_info (GmcpManagerLimit limit);
/* Whether the limit counts bytes; such a property is a guint64, whose values are below 4 GiB
 * today. */
gboolean gmcp_manager_limit_is_of_bytes (GmcpManagerLimit limit);
/* Whether the limit is passed on to the servers. */
gboolean gmcp_manager_limit_is_of_servers (GmcpManagerLimit limit);

void gmcp_manager_limits_init (GmcpManagerLimits *self);
guint *gmcp_manager_limits_at (GmcpManagerLimits *self, GmcpManagerLimit limit);

G_END_DECLS
