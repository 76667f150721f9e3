/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcpd-api-handlers.h"
#include "gmcpd-api-logs.h"
#include "gmcpd-facts.h"
#include "gmcpd-names.h"

#define MAX_LOG_LINES     10000
#define DEFAULT_LOG_LINES 200

JsonObject *
gmcpd_api_logs_describe (GmcpLogEntry *entry)
{
  JsonObject *object = json_object_new ();
  GDateTime *time = gmcp_log_entry_get_time (entry);
  g_autofree char *at = time != NULL ? g_date_time_format_iso8601 (time) : NULL;
  g_autofree char *text = gmcpd_names_dup_text (gmcp_log_entry_get_text (entry));

  json_object_set_string_member (object, "time", at);
  json_object_set_string_member (
    object, "origin",
    gmcpd_facts_get_nick (GMCP_TYPE_LOG_ORIGIN, (int) gmcp_log_entry_get_origin (entry)));
  json_object_set_string_member (
    object, "level",
    gmcpd_facts_get_nick (GMCP_TYPE_NOTICE_LEVEL, (int) gmcp_log_entry_get_level (entry)));
  json_object_set_string_member (object, "text", text);
  return object;
}

static void
return_log (GmcpdApiRequest *request, GPtrArray *entries)
{
  g_autoptr (JsonObject) answer = json_object_new ();
  JsonArray *lines = json_array_new ();

  for (guint i = 0; entries != NULL && i < entries->len; i++)
    json_array_add_object_element (lines, gmcpd_api_logs_describe (entries->pdata[i]));
  json_object_set_array_member (answer, "lines", lines);
  gmcpd_api_request_return_object (request, SOUP_STATUS_OK, answer);
}

static void
on_log_read (GObject *object, GAsyncResult *result, gpointer request)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) entries
    = gmcp_log_reader_read_finish (GMCP_LOG_READER (object), result, &error);

  if (entries == NULL)
    gmcpd_api_request_fail (request, error);
  else
    return_log (request, entries);
}

static gboolean
read_line_count (GmcpdApiRequest *request, guint *n_lines)
{
  const char *text = gmcpd_api_request_get_query (request, "lines");
  guint64 number = DEFAULT_LOG_LINES;
  GError *error = NULL;

  if (text == NULL || g_ascii_string_to_unsigned (text, 10, 1, MAX_LOG_LINES, &number, NULL))
    {
      *n_lines = (guint) number;
      return TRUE;
    }
  g_set_error (&error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
               _ ("“lines” has to be a number from 1 to %d"), MAX_LOG_LINES);
  gmcpd_api_request_fail (request, error);
  return FALSE;
}

void
gmcpd_api_get_log (GmcpdApiRequest *request)
{
  GmcpManagedServer *server = gmcpd_api_request_find_server (request);
  g_autoptr (GFile) file = NULL;
  g_autoptr (GmcpLogReader) reader = NULL;
  guint n_lines;

  if (server == NULL || !read_line_count (request, &n_lines))
    return;

  file = gmcp_managed_server_dup_log_file (server);
  if (file == NULL)
    {
      return_log (request, NULL);
      return;
    }
  reader = gmcp_log_reader_new (gmcp_managed_server_get_id (server), file);
  gmcp_log_reader_read_async (reader, NULL, n_lines, gmcpd_api_request_get_cancellable (request),
                              on_log_read, request);
}
