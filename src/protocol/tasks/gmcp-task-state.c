/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-task-state-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"

static const char *const status_words[] = {
  [GMCP_TASK_STATUS_WORKING] = "working",     [GMCP_TASK_STATUS_INPUT_REQUIRED] = "input_required",
  [GMCP_TASK_STATUS_COMPLETED] = "completed", [GMCP_TASK_STATUS_FAILED] = "failed",
  [GMCP_TASK_STATUS_CANCELLED] = "cancelled",
};

const char *
gmcp_task_status_to_string (GmcpTaskStatus status)
{
  return status_words[status];
}

gboolean
gmcp_task_status_is_final (GmcpTaskStatus status)
{
  return status >= GMCP_TASK_STATUS_COMPLETED;
}

static gboolean
read_status (GmcpJsonValue task, GmcpTaskStatus *out, GError **error)
{
  GmcpJsonValue word = gmcp_json_value_get_member (task, "status");
  g_autofree char *shown = NULL;
  g_autofree char *name = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (status_words); i++)
    {
      if (gmcp_json_value_equals_string (word, status_words[i]))
        {
          *out = (GmcpTaskStatus) i;
          return TRUE;
        }
    }

  name = gmcp_json_value_dup_string (word);
  shown = gmcp_protocol_shorten (name != NULL ? name : "");
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
               _ ("the task has a status that is not known: “%s”"), shown);
  return FALSE;
}

static char *
dup_id (GmcpJsonValue task, GError **error)
{
  GmcpJsonValue value = gmcp_json_value_get_member (task, "taskId");
  g_autofree char *id = gmcp_json_value_dup_string (value);

  if (id == NULL || *id == '\0')
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL, _ ("the task has no id"));
      return NULL;
    }
  if (strlen (id) > GMCP_LIMIT_TASK_ID_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                   _ ("the task's id is longer than %u bytes"), GMCP_LIMIT_TASK_ID_BYTES);
      return NULL;
    }
  return g_steal_pointer (&id);
}

/* The newer name of a member, else the older. */
static GmcpJsonValue
get_either (GmcpJsonValue task, const char *modern, const char *legacy)
{
  GmcpJsonValue value = gmcp_json_value_get_member (task, modern);

  return gmcp_json_value_is_present (value) ? value : gmcp_json_value_get_member (task, legacy);
}

static gint64
read_ttl (GmcpJsonValue task)
{
  gint64 ttl = -1;

  gmcp_json_value_get_int64 (get_either (task, "ttlMs", "ttl"), &ttl);
  return MAX (ttl, -1);
}

static guint
read_poll_interval (GmcpJsonValue task)
{
  double interval = 0;

  gmcp_json_value_get_double (get_either (task, "pollIntervalMs", "pollInterval"), &interval);
  return (guint) CLAMP (interval, 0, (double) G_MAXUINT);
}

static GDateTime *
read_time (GmcpJsonValue task, const char *name)
{
  g_autofree char *text = gmcp_json_value_dup_string (gmcp_json_value_get_member (task, name));
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();

  return text != NULL ? g_date_time_new_from_iso8601 (text, utc) : NULL;
}

gboolean
gmcp_task_state_read (GmcpJsonValue value, GmcpTaskState *state, GError **error)
{
  g_autofree char *id = dup_id (value, error);

  if (id == NULL || !read_status (value, &state->status, error))
    return FALSE;

  state->id = g_steal_pointer (&id);
  state->status_message
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (value, "statusMessage"));
  state->created_at = read_time (value, "createdAt");
  state->updated_at = read_time (value, "lastUpdatedAt");
  state->ttl_ms = read_ttl (value);
  state->poll_interval_ms = read_poll_interval (value);
  return TRUE;
}

void
gmcp_task_state_clear (GmcpTaskState *state)
{
  g_clear_pointer (&state->id, g_free);
  g_clear_pointer (&state->status_message, g_free);
  g_clear_pointer (&state->created_at, g_date_time_unref);
  g_clear_pointer (&state->updated_at, g_date_time_unref);
}

void
gmcp_task_write_time (GmcpJsonWriter *writer, const char *key, GDateTime *time)
{
  g_autofree char *text = time != NULL ? g_date_time_format_iso8601 (time) : NULL;

  if (text != NULL)
    gmcp_json_writer_member_string (writer, key, text);
}
