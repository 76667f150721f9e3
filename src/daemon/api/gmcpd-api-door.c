/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "gmcpd-api-body.h"
#include "gmcpd-api-door.h"
#include "gmcpd-api-gate.h"
#include "gmcpd-api-listener.h"
#include "gmcpd-api-page.h"
#include "gmcpd-api-problem.h"
#include "gmcpd-api-routes.h"
#include "gmcpd-api-sign-in.h"
#include "gmcpd-token-keeper.h"

struct _GmcpdApiDoor
{
  GObject parent_instance;

  GmcpManager *manager;
  GmcpdOpenQuestions *questions;
  int port;
  gboolean has_keyring;
  /* Both are there while it is being opened. */
  GPtrArray *waiting; /* of GTask, for it to be open */
  GCancellable *opening;
  /* What follows is there while it is open. */
  char *token;
  char *port_text;
  const GmcpdSoup *soup;
  SoupServer *http;
  GmcpdApiListener *listener;
  GmcpdApiRequests *requests;
  GmcpdApiSignIn *sign_in;
  gboolean is_closed;
  GTask *closing;      /* while answers are waited for */
  GSource *drain_over; /* the same */
};

static void gmcpd_api_door_init_door (GmcpdDoorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpdApiDoor,
                               gmcpd_api_door,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCPD_TYPE_DOOR, gmcpd_api_door_init_door))

static void
shut_door (GmcpdApiDoor *self)
{
  if (self->http != NULL)
    self->soup->server_disconnect (self->http);
  g_clear_pointer (&self->requests, gmcpd_api_requests_free);
  g_clear_pointer (&self->sign_in, gmcpd_api_sign_in_free);
  g_clear_pointer (&self->listener, gmcpd_api_listener_free);
  g_clear_object ((GObject **) &self->http);
  g_clear_pointer (&self->port_text, g_free);
  g_clear_pointer (&self->token, g_free);
}

static void
gmcpd_api_door_finalize (GObject *object)
{
  GmcpdApiDoor *self = GMCPD_API_DOOR (object);

  shut_door (self);
  g_object_unref (self->questions);
  g_object_unref (self->manager);

  G_OBJECT_CLASS (gmcpd_api_door_parent_class)->finalize (object);
}

static void
gmcpd_api_door_class_init (GmcpdApiDoorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcpd_api_door_finalize;
}

static void
gmcpd_api_door_init (GmcpdApiDoor *self)
{
}

GmcpdDoor *
gmcpd_api_door_new (GmcpManager *manager,
                    GmcpdOpenQuestions *questions,
                    int port,
                    gboolean has_keyring)
{
  GmcpdApiDoor *self = g_object_new (GMCPD_TYPE_API_DOOR, NULL);

  self->manager = g_object_ref (manager);
  self->questions = g_object_ref (questions);
  self->port = port;
  self->has_keyring = has_keyring;
  return GMCPD_DOOR (self);
}

/* As it was sent, for both of the handlers below: what one lets through the other has to take for the same. */
static const char *
get_path (GmcpdApiDoor *self, SoupServerMessage *message)
{
  return g_uri_get_path (self->soup->server_message_get_uri (message));
}

/* The page holds nothing secret, and who has a link is not signed in yet. */
static gboolean
is_for_everybody (const char *path)
{
  return gmcpd_api_page_has (path) || g_str_has_prefix (path, GMCPD_API_SIGN_IN_ROOT);
}

static GmcpdApiGate
make_gate (GmcpdApiDoor *self)
{
  return (GmcpdApiGate){ self->token, self->port_text, self->sign_in };
}

/* Once the headers are there, before the body. A message with a status is looked at no more. */
static void
on_headers (SoupServer *http,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer data)
{
  GmcpdApiDoor *self = data;
  const GmcpdApiGate gate = make_gate (self);
  const char *detail = NULL;
  guint status;

  /* libsoup would make a copy of the answer for each range that is named, and nobody needs a part of one. */
  self->soup->message_headers_remove (self->soup->server_message_get_request_headers (message),
                                      "Range");
  if (!gmcpd_api_body_is_length_sound (self->soup, message))
    {
      gmcpd_api_listener_reject (self->soup, message,
                                 _ ("“Content-Length” has to be a number, and stands without "
                                    "“Transfer-Encoding”"));
      return;
    }

  /* libsoup does not go on with a connection that it has not accepted itself. */
  self->soup->message_headers_replace (self->soup->server_message_get_response_headers (message),
                                       "Connection", "close");
  status = gmcpd_api_gate_check_names (&gate, self->soup, message, &detail);
  if (status == SOUP_STATUS_OK && self->is_closed)
    {
      /* Of a connection that was there before. */
      status = SOUP_STATUS_SERVICE_UNAVAILABLE;
      detail = _ ("The control API is being closed");
    }
  if (status == SOUP_STATUS_OK && !is_for_everybody (get_path (self, message)))
    {
      status = gmcpd_api_gate_check_caller (&gate, self->soup, message, &detail);
      if (status == SOUP_STATUS_OK)
        gmcpd_api_listener_trust (self->soup, message);
    }
  if (status != SOUP_STATUS_OK)
    gmcpd_api_problem_set (self->soup, message, status, NULL, detail);
  gmcpd_api_body_limit (self->soup, message);
}

static void
on_request (SoupServer *http,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer data)
{
  GmcpdApiDoor *self = data;
  const char *raw_path = get_path (self, message);

  if (gmcpd_api_page_has (raw_path))
    gmcpd_api_page_serve (self->soup, message, raw_path);
  else if (g_str_has_prefix (raw_path, GMCPD_API_SIGN_IN_ROOT))
    gmcpd_api_sign_in_serve (self->sign_in, self->soup, message, raw_path);
  else
    gmcpd_api_routes_handle (self->requests, self->soup, message, raw_path, query);
}

static gboolean
try_to_open (GmcpdApiDoor *self, GError **error)
{
  GmcpdApiGate gate;

  self->soup = gmcpd_soup_load (error);
  if (self->soup == NULL)
    return FALSE;

  self->http = g_object_new (self->soup->server_get_type (), "raw-paths", TRUE, NULL);
  self->soup->server_add_early_handler (self->http, NULL, on_headers, self, NULL);
  self->soup->server_add_handler (self->http, NULL, on_request, self, NULL);
  self->listener
    = gmcpd_api_listener_new (self->soup, self->http, (guint16) MAX (self->port, 0), error);
  if (self->listener == NULL)
    return FALSE;
  self->port_text = g_strdup_printf ("%u", gmcpd_api_listener_get_port (self->listener));
  self->sign_in = gmcpd_api_sign_in_new (self->port_text);
  gate = make_gate (self);
  self->requests = gmcpd_api_requests_new (self->soup, self->manager, self->questions, &gate);
  return TRUE;
}

static gboolean
open_with_token (GmcpdApiDoor *self, GAsyncResult *result, GError **error)
{
  g_autofree char *page = NULL;

  self->token = gmcpd_token_keeper_ensure_finish (result, error);
  if (self->token == NULL || !try_to_open (self, error))
    {
      shut_door (self);
      g_prefix_error (error, "%s: ", _ ("The control API cannot be opened"));
      return FALSE;
    }
  page = g_strdup_printf ("http://127.0.0.1:%s/", self->port_text);
  gmcpd_open_questions_set_page (self->questions, page);
  g_printerr (_ ("gmcpd: the control API is at http://127.0.0.1:%s%s\n"), self->port_text,
              GMCPD_API_ROOT);
  return TRUE;
}

static gboolean
fail_if_closed (GmcpdApiDoor *self, GError **error)
{
  if (self->is_closed)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CLOSED,
                         _ ("The control API is being closed"));
  return self->is_closed;
}

static void
on_token (GObject *object, GAsyncResult *result, gpointer door)
{
  g_autoptr (GmcpdApiDoor) self = door;
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&self->waiting);
  g_autoptr (GError) error = NULL;

  g_clear_object (&self->opening);
  if (!fail_if_closed (self, &error))
    open_with_token (self, result, &error);
  for (guint i = 0; i < waiting->len; i++)
    {
      if (error != NULL)
        g_task_return_error (waiting->pdata[i], g_error_copy (error));
      else
        g_task_return_boolean (waiting->pdata[i], TRUE);
    }
}

/* Takes the task. */
static void
wait_until_open (GmcpdApiDoor *self, GTask *task)
{
  g_autoptr (GTask) own = task;

  if (self->listener != NULL)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  if (self->waiting != NULL)
    {
      g_ptr_array_add (self->waiting, g_steal_pointer (&own));
      return;
    }
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (self->waiting, g_steal_pointer (&own));
  self->opening = g_cancellable_new ();
  gmcpd_token_keeper_ensure_async (GMCPD_API_TOKEN_NAME, self->has_keyring, self->opening, on_token,
                                   g_object_ref (self));
}

void
gmcpd_api_door_make_link_async (GmcpdApiDoor *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  GError *error = NULL;

  g_task_set_source_tag (task, gmcpd_api_door_make_link_async);
  if (fail_if_closed (self, &error))
    g_task_return_error (task, error);
  else
    wait_until_open (self, g_steal_pointer (&task));
}

char *
gmcpd_api_door_make_link_finish (GmcpdApiDoor *self,
                                 GAsyncResult *result,
                                 guint *seconds,
                                 GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error) && !fail_if_closed (self, error)
           ? gmcpd_api_sign_in_make_link (self->sign_in, seconds, error)
           : NULL;
}

static void
gmcpd_api_door_open_async (GmcpdDoor *door,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  GmcpdApiDoor *self = GMCPD_API_DOOR (door);
  g_autoptr (GTask) task = g_task_new (door, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcpd_api_door_open_async);
  if (self->port < 0)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  wait_until_open (self, g_steal_pointer (&task));
  /* Nobody else waits before the door is open for the first time. */
  if (self->opening != NULL && cancellable != NULL)
    g_signal_connect_object (cancellable, "cancelled", G_CALLBACK (g_cancellable_cancel),
                             self->opening, G_CONNECT_SWAPPED);
}

static gboolean
gmcpd_api_door_open_finish (GmcpdDoor *door, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Closing */

static void
finish_closing (GmcpdApiDoor *self)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->closing);

  g_source_destroy (self->drain_over);
  g_clear_pointer (&self->drain_over, g_source_unref);
  gmcpd_api_requests_drain (self->requests, NULL, NULL);
  g_task_return_boolean (task, TRUE);
}

static gboolean
on_turn_after_drain (gpointer door)
{
  GmcpdApiDoor *self = door;

  if (self->closing != NULL)
    finish_closing (self);
  return G_SOURCE_REMOVE;
}

/* In the next turn: libsoup is in the middle of something, and whoever waits may let go of the door. */
static void
on_drained (gpointer door)
{
  g_autoptr (GSource) turn = g_idle_source_new ();

  g_source_set_priority (turn, G_PRIORITY_DEFAULT);
  g_source_set_static_name (turn, "[gmcpd] control API drained");
  g_source_set_callback (turn, on_turn_after_drain, g_object_ref (door), g_object_unref);
  g_source_attach (turn, g_main_context_get_thread_default ());
}

static gboolean
on_drain_over (GCancellable *cancellable, gpointer door)
{
  g_autoptr (GmcpdApiDoor) self = g_object_ref (door);

  finish_closing (self);
  gmcpd_api_requests_cancel (self->requests);
  return G_SOURCE_REMOVE;
}

static void
gmcpd_api_door_close_async (GmcpdDoor *door,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GmcpdApiDoor *self = GMCPD_API_DOOR (door);
  g_autoptr (GTask) task = g_task_new (door, NULL, callback, user_data);

  g_task_set_source_tag (task, gmcpd_api_door_close_async);
  self->is_closed = TRUE;
  if (self->opening != NULL)
    g_cancellable_cancel (self->opening);
  if (self->listener == NULL)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  gmcpd_open_questions_set_page (self->questions, NULL);
  gmcpd_api_listener_stop (self->listener);
  self->closing = g_steal_pointer (&task);
  self->drain_over = g_cancellable_source_new (cancellable);
  g_source_set_callback (self->drain_over, G_SOURCE_FUNC (on_drain_over), self, NULL);
  g_source_attach (self->drain_over, g_main_context_get_thread_default ());
  gmcpd_api_requests_drain (self->requests, on_drained, self);
}

static gboolean
gmcpd_api_door_close_finish (GmcpdDoor *door, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
gmcpd_api_door_init_door (GmcpdDoorInterface *iface)
{
  iface->open_async = gmcpd_api_door_open_async;
  iface->open_finish = gmcpd_api_door_open_finish;
  iface->close_async = gmcpd_api_door_close_async;
  iface->close_finish = gmcpd_api_door_close_finish;
}
