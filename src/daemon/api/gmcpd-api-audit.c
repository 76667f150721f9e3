/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include <gmcp/audit/gmcp-audit-log.h>
#include <gmcp/core/gmcp-error.h>
#include <gmcp/json/gmcp-json.h>

#include "gmcpd-api-handlers.h"

#define DEFAULT_RECORDS 50
#define MAX_RECORDS     1000

/* What is wanted of the log, which is read with the newest last. */
typedef struct
{
  GmcpdApiRequest *request;
  const char *tool;    /* a part of its name; nullable */
  const char *outcome; /* nullable */
  GDateTime *before;   /* nullable */
  const char *cursor;  /* the id of the record that the last page ended with; nullable */
  guint limit;
} Query;

static void
query_free (Query *query)
{
  g_clear_pointer (&query->before, g_date_time_unref);
  g_free (query);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Query, query_free)

static const char *
get_text (JsonObject *record, const char *name)
{
  return json_object_get_string_member_with_default (record, name, "");
}

static gboolean
is_before (Query *query, JsonObject *record)
{
  g_autoptr (GDateTime) time = NULL;

  if (query->before == NULL)
    return TRUE;
  time = g_date_time_new_from_iso8601 (get_text (record, "time"), NULL);
  return time != NULL && g_date_time_compare (time, query->before) < 0;
}

static gboolean
match_record (Query *query, JsonObject *record)
{
  return (query->outcome == NULL || g_str_equal (get_text (record, "outcome"), query->outcome))
         && (query->tool == NULL || strstr (get_text (record, "tool"), query->tool) != NULL)
         && is_before (query, record);
}

/* From the newest on. FALSE where the record to go on behind is not there. */
static gboolean
collect_records (Query *query, char **lines, JsonArray *records, gboolean *has_more)
{
  gboolean begun = query->cursor == NULL;

  *has_more = FALSE;

  for (gsize i = g_strv_length (lines); i-- > 0;)
    {
      g_autoptr (JsonNode) node = gmcp_json_parse (lines[i], -1, NULL);
      JsonObject *record;

      if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
        continue;
      record = json_node_get_object (node);
      if (!begun)
        {
          begun = g_str_equal (get_text (record, "id"), query->cursor);
          continue;
        }
      if (!match_record (query, record))
        continue;
      if (json_array_get_length (records) == query->limit)
        {
          *has_more = TRUE;
          break;
        }
      json_array_add_element (records, g_steal_pointer (&node));
    }
  return begun;
}

static GError *
new_time_error (void)
{
  return g_error_new_literal (GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                              _ ("“since” and “before” have to be times like 2026-11-26T09:00:00Z; "
                                 "“before” may be the id of a record, too"));
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Query) query = data;
  GError *error = NULL;
  g_auto (GStrv) lines = gmcp_audit_log_read_finish (GMCP_AUDIT_LOG (object), result, &error);
  g_autoptr (JsonObject) answer = NULL;
  JsonArray *records;
  gboolean has_more;

  if (lines == NULL)
    {
      gmcpd_api_request_fail (query->request, error);
      return;
    }

  answer = json_object_new ();
  records = json_array_new ();
  json_object_set_array_member (answer, "records", records);
  if (!collect_records (query, lines, records, &has_more))
    {
      gmcpd_api_request_fail (query->request, new_time_error ());
      return;
    }
  if (has_more)
    json_object_set_string_member (
      answer, "next", get_text (json_array_get_object_element (records, query->limit - 1), "id"));
  gmcpd_api_request_return_object (query->request, SOUP_STATUS_OK, answer);
}

/* Of the query string; NULL where it is left out or empty. */
static const char *
get_filter (GmcpdApiRequest *request, const char *name)
{
  const char *value = gmcpd_api_request_get_query (request, name);

  return value != NULL && *value != '\0' ? value : NULL;
}

static gboolean
read_query (Query *query, GDateTime **since, GError **error)
{
  const char *limit = get_filter (query->request, "limit");
  const char *since_text = get_filter (query->request, "since");
  const char *before_text = get_filter (query->request, "before");
  guint64 number = DEFAULT_RECORDS;
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();

  query->tool = get_filter (query->request, "tool");
  query->outcome = get_filter (query->request, "outcome");
  if (limit != NULL && !g_ascii_string_to_unsigned (limit, 10, 1, MAX_RECORDS, &number, NULL))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("“limit” has to be a number from 1 to %d"), MAX_RECORDS);
      return FALSE;
    }
  query->limit = (guint) number;
  if (since_text != NULL)
    *since = g_date_time_new_from_iso8601 (since_text, utc);
  if (before_text != NULL)
    query->before = g_date_time_new_from_iso8601 (before_text, utc);
  if (query->before == NULL)
    query->cursor = before_text;
  if (since_text != NULL && *since == NULL)
    {
      g_propagate_error (error, new_time_error ());
      return FALSE;
    }
  return TRUE;
}

void
gmcpd_api_get_audit (GmcpdApiRequest *request)
{
  GmcpAuditLog *log = gmcp_manager_get_audit_log (gmcpd_api_request_get_manager (request));
  g_autoptr (Query) query = g_new0 (Query, 1);
  g_autoptr (GDateTime) since = NULL;
  GError *error = NULL;

  query->request = request;
  if (!read_query (query, &since, &error))
    {
      gmcpd_api_request_fail (request, error);
      return;
    }
  if (log == NULL)
    {
      gmcpd_api_request_refuse (request, SOUP_STATUS_CONFLICT, "not-supported",
                                _ ("Calls are not written down; the setting “audit” says so"));
      return;
    }
  gmcp_audit_log_read_async (log, get_filter (request, "server"), since, 0,
                             gmcpd_api_request_get_cancellable (request), on_read,
                             g_steal_pointer (&query));
}
