/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include <gmcp/audit/gmcp-audit-log.h>
#include <gmcp/core/gmcp-error.h>
#include <gmcp/json/gmcp-json.h>

#include "gmcpd-api-handlers.h"

#define DEFAULT_RECORDS 50
#define MAX_RECORDS     1000

/* What is wanted of the log. */
typedef struct
{
  GmcpdApiRequest *request;
  GDateTime *since;   /* nullable */
  GDateTime *before;  /* nullable */
  const char *cursor; /* the id of the record that the last page ended with; nullable */
  guint limit;
} Query;

static void
query_free (Query *query)
{
  g_clear_pointer (&query->since, g_date_time_unref);
  g_clear_pointer (&query->before, g_date_time_unref);
  g_free (query);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Query, query_free)

/* The newest, which come last, are the first records. One more than there is room for is the oldest. */
static JsonArray *
list_records (char **lines, guint limit)
{
  JsonArray *records = json_array_new ();
  gsize n_lines = g_strv_length (lines);

  for (gsize i = n_lines; i-- > (n_lines > limit ? 1 : 0);)
    {
      g_autoptr (JsonNode) node = gmcp_json_parse (lines[i], -1, NULL);

      if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
        json_array_add_element (records, g_steal_pointer (&node));
    }
  return records;
}

static GError *
new_time_error (void)
{
  return g_error_new_literal (GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                              _ ("“since” and “before” have to be times like 2026-11-26T09:00:00Z; "
                                 "“before” may be the id of a record, too"));
}

static const char *
get_last_id (JsonArray *records)
{
  JsonObject *last = json_array_get_object_element (records, json_array_get_length (records) - 1);

  return json_object_get_string_member_with_default (last, "id", "");
}

static void
on_found (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Query) query = data;
  GError *error = NULL;
  g_auto (GStrv) lines = gmcp_audit_log_search_finish (GMCP_AUDIT_LOG (object), result, &error);
  g_autoptr (JsonObject) answer = NULL;
  JsonArray *records;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    {
      g_error_free (error);
      error = new_time_error ();
    }
  if (lines == NULL)
    {
      gmcpd_api_request_fail (query->request, error);
      return;
    }

  answer = json_object_new ();
  records = list_records (lines, query->limit);
  json_object_set_array_member (answer, "records", records);
  if (g_strv_length (lines) > query->limit && json_array_get_length (records) > 0)
    json_object_set_string_member (answer, "next", get_last_id (records));
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
read_query (Query *query, GError **error)
{
  const char *limit = get_filter (query->request, "limit");
  const char *since_text = get_filter (query->request, "since");
  const char *before_text = get_filter (query->request, "before");
  guint64 number = DEFAULT_RECORDS;
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();

  if (limit != NULL && !g_ascii_string_to_unsigned (limit, 10, 1, MAX_RECORDS, &number, NULL))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("“limit” has to be a number from 1 to %d"), MAX_RECORDS);
      return FALSE;
    }
  query->limit = (guint) number;
  if (since_text != NULL)
    query->since = g_date_time_new_from_iso8601 (since_text, utc);
  if (before_text != NULL)
    query->before = g_date_time_new_from_iso8601 (before_text, utc);
  if (query->before == NULL)
    query->cursor = before_text;
  if (since_text != NULL && query->since == NULL)
    {
      g_propagate_error (error, new_time_error ());
      return FALSE;
    }
  return TRUE;
}

/* Takes the query. */
static void
search_log (GmcpAuditLog *log, Query *query)
{
  GmcpdApiRequest *request = query->request;

  /* One more tells whether there are more. */
  gmcp_audit_log_search_async (log, get_filter (request, "server"), get_filter (request, "tool"),
                               get_filter (request, "outcome"), query->since, query->before,
                               query->cursor, query->limit + 1,
                               gmcpd_api_request_get_cancellable (request), on_found, query);
}

void
gmcpd_api_get_audit (GmcpdApiRequest *request)
{
  GmcpAuditLog *log = gmcp_manager_get_audit_log (gmcpd_api_request_get_manager (request));
  g_autoptr (Query) query = g_new0 (Query, 1);
  GError *error = NULL;

  query->request = request;
  if (!read_query (query, &error))
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
  search_log (log, g_steal_pointer (&query));
}
