/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcpd-api-handlers.h"
#include "gmcpd-api-servers.h"
#include "gmcpd-facts.h"

/* What can be done with a server. The answer is how it is afterwards. */

static void
return_server (GmcpdApiRequest *request, GmcpManagedServer *server, gboolean done, GError *error)
{
  g_autoptr (JsonObject) object = NULL;

  if (!done)
    {
      gmcpd_api_request_fail (request, error);
      return;
    }
  object = gmcpd_api_servers_describe (gmcpd_api_request_get_manager (request), server);
  gmcpd_api_request_return_object (request, SOUP_STATUS_OK, object);
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer request)
{
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  GError *error = NULL;
  gboolean done = gmcp_managed_server_start_finish (server, result, &error);

  return_server (request, server, done, error);
}

void
gmcpd_api_start_server (GmcpdApiRequest *request)
{
  GmcpManagedServer *server = gmcpd_api_request_find_server (request);

  if (server != NULL)
    gmcp_managed_server_start_async (server, gmcpd_api_request_get_cancellable (request),
                                     on_started, request);
}

static void
on_stopped (GObject *object, GAsyncResult *result, gpointer request)
{
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  GError *error = NULL;
  gboolean done = gmcp_managed_server_stop_finish (server, result, &error);

  return_server (request, server, done, error);
}

static void
on_force_stopped (GObject *object, GAsyncResult *result, gpointer request)
{
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  GError *error = NULL;
  gboolean done = gmcp_managed_server_force_stop_finish (server, result, &error);

  return_server (request, server, done, error);
}

/* Whether the body says {"force": true}. FALSE where it says anything else, with the request answered. */
static gboolean
read_force (GmcpdApiRequest *request, gboolean *force)
{
  g_autoptr (GList) names = NULL;
  JsonObject *body;

  *force = FALSE;
  if (!gmcpd_api_request_read_body (request, &body))
    return FALSE;
  names = body != NULL ? json_object_get_members (body) : NULL;
  if (names == NULL)
    return TRUE;

  if (names->next == NULL && g_str_equal (names->data, "force")
      && json_node_get_value_type (json_object_get_member (body, "force")) == G_TYPE_BOOLEAN)
    {
      *force = json_object_get_boolean_member (body, "force");
      return TRUE;
    }
  gmcpd_api_request_fail (request,
                          g_error_new_literal (GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                                               _ ("The only member is “force”, true or false")));
  return FALSE;
}

void
gmcpd_api_stop_server (GmcpdApiRequest *request)
{
  GmcpManagedServer *server = gmcpd_api_request_find_server (request);
  GCancellable *cancellable = gmcpd_api_request_get_cancellable (request);
  gboolean force;

  if (server == NULL || !read_force (request, &force))
    return;
  if (force)
    gmcp_managed_server_force_stop_async (server, cancellable, on_force_stopped, request);
  else
    gmcp_managed_server_stop_async (server, cancellable, on_stopped, request);
}

static void
on_restarted (GObject *object, GAsyncResult *result, gpointer request)
{
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  GError *error = NULL;
  gboolean done = gmcp_managed_server_restart_finish (server, result, &error);

  return_server (request, server, done, error);
}

void
gmcpd_api_restart_server (GmcpdApiRequest *request)
{
  GmcpManagedServer *server = gmcpd_api_request_find_server (request);

  if (server != NULL)
    gmcp_managed_server_restart_async (server, gmcpd_api_request_get_cancellable (request),
                                       on_restarted, request);
}

static void
on_checked (GObject *object, GAsyncResult *result, gpointer request)
{
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  GError *error = NULL;
  gboolean done = gmcp_managed_server_health_check_finish (server, result, &error);

  return_server (request, server, done, error);
}

void
gmcpd_api_check_health (GmcpdApiRequest *request)
{
  GmcpManagedServer *server = gmcpd_api_request_find_server (request);

  if (server != NULL)
    gmcp_managed_server_health_check_async (server, gmcpd_api_request_get_cancellable (request),
                                            on_checked, request);
}

/* Trying a server out */

static JsonObject *
describe_step (GmcpServerStep *step)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (
    object, "step",
    gmcpd_facts_get_nick (GMCP_TYPE_SERVER_STEP_KIND, (int) gmcp_server_step_get_kind (step)));
  json_object_set_string_member (object, "title", gmcp_server_step_get_title (step));
  json_object_set_string_member (
    object, "outcome",
    gmcpd_facts_get_nick (GMCP_TYPE_STEP_OUTCOME, (int) gmcp_server_step_get_outcome (step)));
  json_object_set_int_member (object, "duration_us", gmcp_server_step_get_duration_us (step));
  if (gmcp_server_step_get_detail (step) != NULL)
    json_object_set_string_member (object, "detail", gmcp_server_step_get_detail (step));
  return object;
}

static JsonObject *
describe_report (GmcpServerReport *report)
{
  GListModel *steps = gmcp_server_report_get_steps (report);
  const char *const *advice = gmcp_server_report_get_advice (report);
  JsonObject *object = json_object_new ();
  JsonArray *described = json_array_new ();
  JsonArray *sentences = json_array_new ();
  g_autoptr (GError) failure = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (steps); i++)
    {
      g_autoptr (GmcpServerStep) step = g_list_model_get_item (steps, i);

      json_array_add_object_element (described, describe_step (step));
    }
  for (; advice != NULL && *advice != NULL; advice++)
    json_array_add_string_element (sentences, *advice);

  json_object_set_boolean_member (object, "works", gmcp_server_report_succeeded (report, &failure));
  json_object_set_array_member (object, "steps", described);
  json_object_set_array_member (object, "advice", sentences);
  json_object_set_string_member (object, "error", failure != NULL ? failure->message : NULL);
  return object;
}

static void
on_diagnosed (GObject *object, GAsyncResult *result, gpointer request)
{
  GError *error = NULL;
  g_autoptr (GmcpServerReport) report
    = gmcp_manager_diagnose_server_finish (GMCP_MANAGER (object), result, &error);
  g_autoptr (JsonObject) answer = NULL;

  if (report == NULL)
    {
      gmcpd_api_request_fail (request, error);
      return;
    }
  answer = describe_report (report);
  gmcpd_api_request_return_object (request, SOUP_STATUS_OK, answer);
}

void
gmcpd_api_test_server (GmcpdApiRequest *request)
{
  if (gmcpd_api_request_find_server (request) != NULL)
    gmcp_manager_diagnose_server_async (
      gmcpd_api_request_get_manager (request), gmcpd_api_request_get_word (request, 0),
      gmcpd_api_request_get_cancellable (request), on_diagnosed, request);
}
