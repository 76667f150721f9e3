/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-connections-private.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "gmcp-http-input-private.h"
#include "gmcp-http-listener-private.h"
#include "gmcp-http-output-private.h"
#include "gmcp-http-response-private.h"
#include "gmcp-limits.h"
#include "gmcp-user-places-private.h"

typedef enum
{
  STATE_NEW,       /* the head of the first request is not there yet */
  STATE_RECEIVING, /* a request */
  STATE_ANSWERING,
  STATE_WRITING, /* what is left of an answer */
  STATE_IDLE,    /* between two requests */
  STATE_CLOSED,
} State;

struct _GmcpHttpConnections
{
  const GmcpSoupServer *soup;
  SoupServer *http;                 /* not owned */
  const GmcpHttpSettings *settings; /* the same */
  GmcpHttpWatch *watch;
  GmcpHttpListener *listener; /* NULL once it has stopped */
  guint n_open;
  guint max_open;
  GQueue waiting[STATE_CLOSED];    /* by state; those first that are in it for longest */
  GmcpUserPlaces *places;          /* of those that are answered, and whose user is known */
  void (*written) (gpointer data); /* nullable */
  gpointer written_data;
};

struct _GmcpHttpConnection
{
  GSocketConnection parent_instance;

  GmcpHttpConnections *all; /* NULL once they are gone */
  GmcpHttpInput *input;     /* made when asked for */
  GmcpHttpOutput *output;   /* the same */
  State state;
  gboolean waits; /* for a request, of which nothing has been read */
  char *user;     /* while it is answered; NULL where that is not known */
  GList link;
  GmcpHttpTimer timer;
  GSocketAddress *address;    /* by which its messages know it */
  char *peer;                 /* made when asked for */
  SoupServerMessage *message; /* the last; by it libsoup gives the connection away */
  gboolean hung_up;
  GmcpHttpWatchFunc hung_up_func;
  gpointer hung_up_data;
};

G_DEFINE_FINAL_TYPE (GmcpHttpConnection, gmcp_http_connection, G_TYPE_SOCKET_CONNECTION)

static GQuark
get_quark (void)
{
  static GQuark quark;

  if (quark == 0)
    quark = g_quark_from_static_string ("gmcp-http-connection");
  return quark;
}

static int
get_fd (GmcpHttpConnection *self)
{
  return g_socket_get_fd (g_socket_connection_get_socket (G_SOCKET_CONNECTION (self)));
}

/* One connection */

/* 0 for ever. */
static guint
get_limit_ms (GmcpHttpConnections *all, State state)
{
  switch (state)
    {
    case STATE_NEW:
      return all->settings->header_ms;

    case STATE_RECEIVING:
      return all->settings->upload_ms;

    case STATE_WRITING:
      return GMCP_DEFAULT_HTTP_REQUEST_MS;

    case STATE_ANSWERING:
    case STATE_IDLE:
    case STATE_CLOSED:
    default:
      return GMCP_DEFAULT_HTTP_SERVED_IDLE_MS;
    }
}

/* libsoup gives it away, and with that all that it keeps for it. */
static void
close_connection (GmcpHttpConnection *self)
{
  g_autoptr (GmcpHttpConnection) alive = g_object_ref (self);
  g_autoptr (SoupServerMessage) message
    = (SoupServerMessage *) g_steal_pointer ((gpointer *) &alive->message);
  g_autoptr (GIOStream) stream = NULL;

  if (message != NULL)
    stream = alive->all->soup->server_message_steal_connection (message);
  g_io_stream_close (G_IO_STREAM (alive), NULL, NULL);
}

static void
on_too_late (gpointer data)
{
  close_connection (data);
}

static void
check_written (GmcpHttpConnections *self)
{
  void (*written) (gpointer data) = self->written;

  if (written == NULL || self->waiting[STATE_ANSWERING].length > 0
      || self->waiting[STATE_WRITING].length > 0)
    return;

  self->written = NULL;
  written (self->written_data);
}

static void
leave_place (GmcpHttpConnection *self)
{
  if (self->user != NULL)
    gmcp_user_places_leave (self->all->places, self->user);
  g_clear_pointer (&self->user, g_free);
}

static void
set_state (GmcpHttpConnection *self, State state)
{
  GmcpHttpConnections *all = self->all;

  if (self->state == STATE_CLOSED || all == NULL)
    return;

  leave_place (self);
  g_queue_unlink (&all->waiting[self->state], &self->link);
  self->state = state;
  self->waits = FALSE;
  if (state != STATE_CLOSED)
    g_queue_push_tail_link (&all->waiting[state], &self->link);
  if (state == STATE_CLOSED || state == STATE_ANSWERING || get_limit_ms (all, state) == 0)
    gmcp_http_watch_clear_timer (all->watch, &self->timer);
  else
    gmcp_http_watch_set_timer (all->watch, &self->timer, get_limit_ms (all, state), on_too_late,
                               self);
  check_written (all);
}

static gboolean
has_unread (GmcpHttpConnection *self)
{
  char byte;

  return recv (get_fd (self), &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

static void
on_hung_up (gpointer data)
{
  GmcpHttpConnection *self = data;

  self->hung_up = TRUE;
  if (self->input != NULL)
    gmcp_http_input_tell_readable (self->input, TRUE);
  /* Before anything has come, and in the middle of a request, libsoup finds it out by itself. What it has read of
   * the next request and not looked at yet is answered first. */
  if (self->state == STATE_IDLE && self->waits && !has_unread (self))
    close_connection (self);
  /* The next request may be there already, and wait for this answer. */
  else if (self->state == STATE_ANSWERING && self->hung_up_func != NULL && !has_unread (self))
    self->hung_up_func (self->hung_up_data);
}

static void
on_readable (gpointer data)
{
  GmcpHttpConnection *self = data;

  if (self->input != NULL)
    gmcp_http_input_tell_readable (self->input, FALSE);
}

/* Not from within libsoup. */
static void
look_after_turn (GmcpHttpConnection *self)
{
  gmcp_http_watch_set_timer (self->all->watch, &self->timer, 0, on_hung_up, self);
}

static gboolean
is_between (gpointer connection)
{
  return ((GmcpHttpConnection *) connection)->state == STATE_IDLE;
}

static void
on_waits (gpointer connection)
{
  GmcpHttpConnection *self = connection;

  if (self->state != STATE_IDLE)
    return;

  self->waits = TRUE;
  if (self->hung_up)
    look_after_turn (self);
}

static void
on_ended (gpointer connection)
{
  look_after_turn (connection);
}

static const GmcpHttpInputFuncs input_funcs = {
  .is_between = is_between,
  .waits = on_waits,
  .ended = on_ended,
};

static GInputStream *
gmcp_http_connection_get_input_stream (GIOStream *stream)
{
  GmcpHttpConnection *self = GMCP_HTTP_CONNECTION (stream);

  if (self->input == NULL)
    self->input = gmcp_http_input_new (
      G_IO_STREAM_CLASS (gmcp_http_connection_parent_class)->get_input_stream (stream),
      &input_funcs, self);
  return G_INPUT_STREAM (self->input);
}

static GOutputStream *
gmcp_http_connection_get_output_stream (GIOStream *stream)
{
  GmcpHttpConnection *self = GMCP_HTTP_CONNECTION (stream);

  if (self->output == NULL)
    self->output = gmcp_http_output_new (
      G_IO_STREAM_CLASS (gmcp_http_connection_parent_class)->get_output_stream (stream),
      g_socket_connection_get_socket (G_SOCKET_CONNECTION (self)));
  return G_OUTPUT_STREAM (self->output);
}

static gboolean
gmcp_http_connection_close_stream (GIOStream *stream, GCancellable *cancellable, GError **error)
{
  GmcpHttpConnection *self = GMCP_HTTP_CONNECTION (stream);
  GmcpHttpConnections *all = self->all;

  if (all != NULL && self->state != STATE_CLOSED)
    {
      set_state (self, STATE_CLOSED);
      gmcp_http_watch_remove (all->watch, get_fd (self));
      all->n_open--;
    }
  self->all = NULL;
  if (self->address != NULL)
    g_object_set_qdata (G_OBJECT (self->address), get_quark (), NULL);
  g_clear_object (&self->address);
  g_clear_object ((GObject **) &self->message);
  if (self->input != NULL)
    gmcp_http_input_forget_connection (self->input);
  return G_IO_STREAM_CLASS (gmcp_http_connection_parent_class)
    ->close_fn (stream, cancellable, error);
}

static void
gmcp_http_connection_dispose (GObject *object)
{
  GmcpHttpConnection *self = GMCP_HTTP_CONNECTION (object);

  if (self->input != NULL)
    gmcp_http_input_forget_connection (self->input);

  G_OBJECT_CLASS (gmcp_http_connection_parent_class)->dispose (object);
}

static void
gmcp_http_connection_finalize (GObject *object)
{
  GmcpHttpConnection *self = GMCP_HTTP_CONNECTION (object);

  g_clear_object ((GObject **) &self->input);
  g_clear_object ((GObject **) &self->output);
  g_free (self->peer);
  g_free (self->user);

  G_OBJECT_CLASS (gmcp_http_connection_parent_class)->finalize (object);
}

static void
gmcp_http_connection_class_init (GmcpHttpConnectionClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gmcp_http_connection_dispose;
  G_OBJECT_CLASS (klass)->finalize = gmcp_http_connection_finalize;
  G_IO_STREAM_CLASS (klass)->get_input_stream = gmcp_http_connection_get_input_stream;
  G_IO_STREAM_CLASS (klass)->get_output_stream = gmcp_http_connection_get_output_stream;
  G_IO_STREAM_CLASS (klass)->close_fn = gmcp_http_connection_close_stream;
}

static void
gmcp_http_connection_init (GmcpHttpConnection *self)
{
  self->link.data = self;
}

GmcpHttpConnection *
gmcp_http_connection_find (const GmcpSoupServer *soup, SoupServerMessage *message)
{
  GSocketAddress *address = soup->server_message_get_remote_address (message);

  return address != NULL ? g_object_get_qdata (G_OBJECT (address), get_quark ()) : NULL;
}

const char *
gmcp_http_connection_get_peer (GmcpHttpConnection *self)
{
  if (self->peer == NULL && G_IS_INET_SOCKET_ADDRESS (self->address))
    self->peer = g_inet_address_to_string (
      g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (self->address)));
  return self->peer;
}

void
gmcp_http_connection_begin_body (GmcpHttpConnection *self)
{
  if (self->state == STATE_NEW)
    set_state (self, STATE_RECEIVING);
}

void
gmcp_http_connection_begin_answer (GmcpHttpConnection *self)
{
  set_state (self, STATE_ANSWERING);
}

void
gmcp_http_connection_end_answer (GmcpHttpConnection *self)
{
  if (self->state == STATE_ANSWERING)
    set_state (self, STATE_WRITING);
}

void
gmcp_http_connection_expect_body (GmcpHttpConnection *self)
{
  if (self->output != NULL)
    gmcp_http_output_expect_body (self->output);
}

gboolean
gmcp_http_connection_has_hung_up (GmcpHttpConnection *self)
{
  return self->hung_up;
}

void
gmcp_http_connection_set_hung_up_func (GmcpHttpConnection *self,
                                       GmcpHttpWatchFunc func,
                                       gpointer data)
{
  self->hung_up_func = func;
  self->hung_up_data = data;
  if (func != NULL && self->hung_up && self->all != NULL)
    look_after_turn (self);
}

GSocket *
gmcp_http_connection_get_socket (const GmcpSoupServer *soup, SoupServerMessage *message)
{
  GmcpHttpConnection *self = gmcp_http_connection_find (soup, message);

  return self != NULL ? g_socket_connection_get_socket (G_SOCKET_CONNECTION (self))
                      : soup->server_message_get_socket (message);
}

/* All of them */

static void
on_request_started (SoupServer *http, SoupServerMessage *message, gpointer data)
{
  GmcpHttpConnections *all = data;
  GmcpHttpConnection *self = gmcp_http_connection_find (all->soup, message);

  if (self == NULL || self->all != all)
    return;

  if (self->message != NULL)
    set_state (self, STATE_RECEIVING);
  g_set_object ((GObject **) &self->message, (GObject *) message);
}

/* What was sent and received is kept no longer than the message is. */
static void
on_request_ended (SoupServer *http, SoupServerMessage *message, gpointer data)
{
  GmcpHttpConnections *all = data;
  GmcpHttpConnection *self = gmcp_http_connection_find (all->soup, message);

  if (self == NULL || self->all != all)
    return;

  g_object_set_data (G_OBJECT (message), GMCP_HTTP_CHARGE_KEY, NULL);
  all->soup->message_body_truncate (all->soup->server_message_get_request_body (message));
  all->soup->message_body_truncate (all->soup->server_message_get_response_body (message));
  set_state (self, STATE_IDLE);
}

/* Some that wait for their client are dropped for one that comes. */
static gboolean
make_room (GmcpHttpConnections *self)
{
  static const State order[] = { STATE_IDLE, STATE_NEW, STATE_RECEIVING, STATE_WRITING };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      GmcpHttpConnection *oldest = g_queue_peek_head (&self->waiting[order[i]]);

      if (oldest == NULL)
        continue;
      close_connection (oldest);
      return TRUE;
    }
  return FALSE;
}

static guint
get_max (GmcpHttpConnections *self)
{
  guint max = self->settings->max_connections;

  return max != 0 ? MIN (max, self->max_open) : self->max_open;
}

static gboolean
is_full (GmcpHttpConnections *self)
{
  return self->n_open >= get_max (self);
}

/* What comes is known to be of another user once it has been read, and so there has to be room for it to come. */
static gboolean
is_nearly_full (GmcpHttpConnections *self)
{
  guint max = get_max (self);

  return gmcp_user_places_get_n (self->places) >= max - max / GMCP_SHARE_OF_OTHERS;
}

/* The last that has come, as if its client had hung up. */
static gboolean
end_answer_of (GmcpHttpConnections *self, const GmcpPlaceGiver *giver, const char *user)
{
  for (GList *each = self->waiting[STATE_ANSWERING].tail; each != NULL; each = each->prev)
    {
      g_autoptr (GmcpHttpConnection) connection = g_object_ref (each->data);

      if (connection->user == NULL || connection->hung_up_func == NULL
          || !gmcp_user_places_is_giver (self->places, giver, connection->user, user))
        continue;
      connection->hung_up_func (connection->hung_up_data);
      gmcp_http_connection_end_answer (connection);
      return TRUE;
    }
  return FALSE;
}

gboolean
gmcp_http_connection_give_to (GmcpHttpConnection *self, const char *user)
{
  GmcpHttpConnections *all = self->all;

  if (all == NULL || self->state != STATE_ANSWERING || self->user != NULL)
    return TRUE;
  if (is_nearly_full (all))
    {
      GmcpPlaceGiver giver = gmcp_user_places_find_giver (all->places, user);

      /* What one user alone asks for does not fill what is kept. */
      if (giver.gives_used ? !end_answer_of (all, &giver, user)
                           : gmcp_user_places_get_n_of (all->places, user) > 0)
        return FALSE;
    }

  self->user = g_strdup (user);
  gmcp_user_places_take (all->places, user);
  return TRUE;
}

static void
take_socket (GmcpHttpConnections *self, GSocket *socket)
{
  g_autoptr (GSocketAddress) local = g_socket_get_local_address (socket, NULL);
  g_autoptr (GSocketAddress) remote = g_socket_get_remote_address (socket, NULL);
  g_autoptr (GmcpHttpConnection) connection = NULL;

  if (local == NULL || remote == NULL || (is_full (self) && !make_room (self)))
    return;

  connection = g_object_new (GMCP_TYPE_HTTP_CONNECTION, "socket", socket, NULL);
  if (!gmcp_http_watch_add_reader (self->watch, g_socket_get_fd (socket), on_hung_up, on_readable,
                                   connection))
    return;

  connection->all = self;
  g_queue_push_tail_link (&self->waiting[STATE_NEW], &connection->link);
  set_state (connection, STATE_NEW);
  self->n_open++;
  g_socket_set_option (socket, IPPROTO_TCP, TCP_NODELAY, TRUE, NULL);
  connection->address = g_object_ref (remote);
  g_object_set_qdata (G_OBJECT (remote), get_quark (), connection);
  self->soup->server_accept_iostream (self->http, G_IO_STREAM (connection), local, remote, NULL);
}

static void
on_socket (GSocket *socket, gpointer data)
{
  take_socket (data, socket);
}

static gboolean
on_no_descriptors (gpointer data)
{
  return make_room (data);
}

static const GmcpHttpListenerFuncs listener_funcs = {
  .take = on_socket,
  .make_room = on_no_descriptors,
};

/* The program needs some descriptors for itself. */
static guint
count_allowed (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return GMCP_LIMIT_HTTP_SERVED_CONNECTIONS;
  return (guint) CLAMP (limit.rlim_cur - limit.rlim_cur / 8, 1, GMCP_LIMIT_HTTP_SERVED_CONNECTIONS);
}

GmcpHttpConnections *
gmcp_http_connections_new (const GmcpSoupServer *soup,
                           SoupServer *http,
                           const GmcpHttpSettings *settings,
                           GmcpHttpWatch *watch)
{
  GmcpHttpConnections *self = g_new0 (GmcpHttpConnections, 1);

  self->soup = soup;
  self->http = http;
  self->settings = settings;
  self->watch = gmcp_http_watch_ref (watch);
  self->max_open = count_allowed ();
  self->places = gmcp_user_places_new ();
  for (guint i = 0; i < G_N_ELEMENTS (self->waiting); i++)
    g_queue_init (&self->waiting[i]);
  g_signal_connect (http, "request-started", G_CALLBACK (on_request_started), self);
  g_signal_connect (http, "request-finished", G_CALLBACK (on_request_ended), self);
  g_signal_connect (http, "request-aborted", G_CALLBACK (on_request_ended), self);
  self->listener = gmcp_http_listener_new (soup, http, watch, &listener_funcs, self);
  return self;
}

void
gmcp_http_connections_stop (GmcpHttpConnections *self, gboolean keeps_sockets)
{
  if (self->listener != NULL && !keeps_sockets)
    gmcp_http_listener_shut (self->listener);
  g_clear_pointer (&self->listener, gmcp_http_listener_free);
}

void
gmcp_http_connections_wait_until_written (GmcpHttpConnections *self,
                                          void (*func) (gpointer data),
                                          gpointer data)
{
  self->written = func;
  self->written_data = data;
  check_written (self);
}

void
gmcp_http_connections_free (GmcpHttpConnections *self)
{
  self->written = NULL;
  g_clear_pointer (&self->listener, gmcp_http_listener_free);
  g_signal_handlers_disconnect_by_data (self->http, self);
  for (guint i = 0; i < G_N_ELEMENTS (self->waiting); i++)
    {
      GmcpHttpConnection *connection;

      while ((connection = g_queue_peek_head (&self->waiting[i])) != NULL)
        {
          set_state (connection, STATE_CLOSED);
          gmcp_http_watch_remove (self->watch, get_fd (connection));
          connection->all = NULL;
        }
    }
  gmcp_user_places_free (self->places);
  gmcp_http_watch_unref (self->watch);
  g_free (self);
}
