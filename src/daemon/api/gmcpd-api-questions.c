/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <gmcp/json/gmcp-json.h>

#include "gmcpd-api-handlers.h"

/* What waits for a person, and the answers. */

void
gmcpd_api_list_questions (GmcpdApiRequest *request)
{
  g_autoptr (JsonObject) answer = json_object_new ();

  json_object_set_array_member (
    answer, "questions",
    gmcpd_open_questions_describe_all (gmcpd_api_request_get_questions (request)));
  gmcpd_api_request_return_object (request, SOUP_STATUS_OK, answer);
}

void
gmcpd_api_answer_question (GmcpdApiRequest *request)
{
  const char *id = gmcpd_api_request_get_word (request, 0);
  g_autofree char *content_json = NULL;
  const char *action;
  JsonObject *body;
  JsonNode *content;
  GError *error = NULL;

  if (!gmcpd_api_request_read_body (request, &body))
    return;
  action = gmcpd_api_request_read_text (request, body, "action");
  if (action == NULL)
    return;

  content = json_object_get_member (body, "content");
  content_json = content != NULL ? gmcp_json_print (content, NULL) : NULL;
  if (gmcpd_open_questions_answer (gmcpd_api_request_get_questions (request), id, action,
                                   content_json, &error))
    gmcpd_api_request_return_nothing (request);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    {
      gmcpd_api_request_refuse (request, SOUP_STATUS_NOT_FOUND, NULL, error->message);
      g_error_free (error);
    }
  else
    gmcpd_api_request_fail (request, error);
}
