/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-limits.h"
#include "gmcp-server-settings-private.h"

/* Each is a row: where it is, what it may be, and what it is where nobody says. */
typedef struct
{
  const char *name;
  gsize offset;
  guint minimum;
  guint maximum;
  guint initial;
} Setting;

#define OFFSET(member) G_STRUCT_OFFSET (GmcpServerSettings, member)

static const Setting settings[] = {
  /**
   * GmcpServer:page-size:
   *
   * How many tools go into one page of a list. A page of large tools is shorter.
   *
   * Since: 0.1
   */
  { "page-size", OFFSET (page_size), 1, G_MAXUINT, GMCP_DEFAULT_SERVER_PAGE_SIZE },

  /**
   * GmcpServer:max-requests:
   *
   * How many requests of one client may run at once, subscriptions among them. One more gets the
   * internal error -32603: the codes from -32000 to -32019 are not to be used by new software, and
   * those up to -32099 are the specification's.
   *
   * Since: 0.1
   */
  { "max-requests", OFFSET (max_requests), 1, G_MAXUINT, GMCP_LIMIT_SERVER_REQUESTS },

  /**
   * GmcpServer:list-ttl-ms:
   *
   * How long a client may take a list of tools, prompts or resources as fresh, in milliseconds, and a
   * resource that does not say it for itself with [method@Gmcp.ResourceRequest.set_ttl_ms]. Clients that
   * listen hear of a change at once.
   *
   * Since: 0.1
   */
  { "list-ttl-ms", OFFSET (list_ttl_ms), 0, G_MAXUINT, GMCP_DEFAULT_SERVER_LIST_TTL_MS },

  /**
   * GmcpServer:call-timeout-ms:
   *
   * How long the provider may take over one request, in milliseconds; then the client gets an error,
   * and the answer is dropped when it comes. 0 leaves it to the provider, whose own time-outs hold;
   * functions that were added with [method@Gmcp.Server.add_tool] have ten minutes then.
   *
   * Since: 0.1
   */
  { "call-timeout-ms", OFFSET (call_timeout_ms), 0, G_MAXUINT, 0 },

  /**
   * GmcpServer:max-tasks:
   *
   * How many calls of one user may be kept as tasks, whether they run or have ended; clients of whom
   * nobody knows whose they are count as one user. One more gets the internal error -32603.
   *
   * Since: 0.1
   */
  { "max-tasks", OFFSET (max_tasks), 1, GMCP_LIMIT_SERVER_TASKS, GMCP_DEFAULT_SERVER_TASKS },

  /**
   * GmcpServer:task-ttl-ms:
   *
   * How long a call that became a task is kept, in milliseconds from its beginning; work that takes
   * longer is cancelled. A client of revision 2025-11-25 may ask for less.
   *
   * Since: 0.1
   */
  { "task-ttl-ms", OFFSET (task_ttl_ms), 1, G_MAXUINT, GMCP_DEFAULT_SERVER_TASK_TTL_MS },

  /**
   * GmcpServer:task-poll-interval-ms:
   *
   * How often clients are to ask how a task stands, in milliseconds.
   *
   * Since: 0.1
   */
  { "task-poll-interval-ms", OFFSET (task_poll_interval_ms), 1, G_MAXUINT,
    GMCP_DEFAULT_SERVER_TASK_POLL_MS },
};

static guint *
get_field (const GmcpServerSettings *self, guint index)
{
  return (guint *) G_STRUCT_MEMBER_P (self, settings[index].offset);
}

void
gmcp_server_settings_init (GmcpServerSettings *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    *get_field (self, i) = settings[i].initial;
}

void
gmcp_server_settings_install (GObjectClass *klass, guint first)
{
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    g_object_class_install_property (klass, first + i,
                                     g_param_spec_uint (settings[i].name, NULL, NULL,
                                                        settings[i].minimum, settings[i].maximum,
                                                        settings[i].initial, flags));
}

void
gmcp_server_settings_get (const GmcpServerSettings *self, guint index, GValue *value)
{
  g_value_set_uint (value, *get_field (self, index));
}

gboolean
gmcp_server_settings_set (GmcpServerSettings *self, guint index, const GValue *value)
{
  guint *field = get_field (self, index);
  guint before = *field;

  *field = g_value_get_uint (value);
  return *field != before;
}
