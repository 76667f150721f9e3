/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "gmcp-task-error.h"
#include "gmcp-task-location.h"
#include "gmcp-task-postgres-cancel.h"
#include "gmcp-task-postgres-link.h"

/* How long a server may take to end a statement that it was told to cancel. */
#define CANCEL_GRACE_US (1 * G_TIME_SPAN_SECOND)

struct _GmcpTaskLink
{
  const GmcpTaskPq *pq;
  char *url;
  char *name; /* for messages */
  GmcpTaskStopFunc stop_func;
  gpointer stop_data;
  int wake_fd;
  PGconn *connection;   /* NULL: not open */
  gint64 give_up_at_us; /* 0: nobody asked to stop */
};

GmcpTaskLink *
gmcp_task_link_new (const char *url, GmcpTaskStopFunc stop_func, gpointer stop_data)
{
  GmcpTaskLink *self = g_new0 (GmcpTaskLink, 1);

  self->url = g_strdup (url);
  self->name = gmcp_task_location_dup_display_name (url);
  self->stop_func = stop_func;
  self->stop_data = stop_data;
  self->wake_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  return self;
}

void
gmcp_task_link_close (GmcpTaskLink *self)
{
  if (self->connection != NULL)
    self->pq->finish (self->connection);
  self->connection = NULL;
}

void
gmcp_task_link_free (GmcpTaskLink *self)
{
  gmcp_task_link_close (self);
  if (self->wake_fd >= 0)
    close (self->wake_fd);
  g_free (self->url);
  g_free (self->name);
  g_free (self);
}

gboolean
gmcp_task_link_is_open (GmcpTaskLink *self)
{
  return self->connection != NULL;
}

gboolean
gmcp_task_link_in_transaction (GmcpTaskLink *self)
{
  return self->connection != NULL && self->pq->transactionStatus (self->connection) != PQTRANS_IDLE;
}

const char *
gmcp_task_link_get_name (GmcpTaskLink *self)
{
  return self->name;
}

const GmcpTaskPq *
gmcp_task_link_get_pq (GmcpTaskLink *self)
{
  return self->pq;
}

/* Has a wait look at its stop function. May be called from any thread. */
void
gmcp_task_link_wake (GmcpTaskLink *self)
{
  const guint64 one = 1;

  /* A counter that is full wakes as well. */
  if (write (self->wake_fd, &one, sizeof one) < 0 && errno != EAGAIN)
    g_debug ("A wait for PostgreSQL could not be woken: %s", g_strerror (errno));
}

static gboolean
fail_as_stopped (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("The call was stopped."));
  return FALSE;
}

static gboolean
fail_as_lost (GmcpTaskLink *self, GError **error)
{
  g_set_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_LOST,
               /* Translators: the address of a database */
               _ ("The connection to the task database “%s” was lost before anything was "
                  "changed. Try again."),
               self->name);
  gmcp_task_link_close (self);
  return FALSE;
}

/* Whether the wait goes on. Where it does not, what runs is told to end, and has a moment for it. */
static gboolean
may_wait (GmcpTaskLink *self, gboolean requested)
{
  if (self->stop_func == NULL || !self->stop_func (self->stop_data))
    return TRUE;

  if (!requested)
    return FALSE;

  if (self->give_up_at_us == 0)
    {
      self->give_up_at_us = g_get_monotonic_time () + CANCEL_GRACE_US;
      gmcp_task_postgres_cancel (self->pq, self->connection);
    }

  return g_get_monotonic_time () < self->give_up_at_us;
}

/* Waits until the socket is ready. FALSE: the wait was stopped. */
static gboolean
wait_for_socket (GmcpTaskLink *self, short events, gboolean requested)
{
  struct pollfd fds[] = { { .fd = self->pq->socket (self->connection), .events = events },
                          { .fd = self->wake_fd, .events = POLLIN } };
  guint64 count;

  while (may_wait (self, requested))
    {
      gint64 left_us = self->give_up_at_us - g_get_monotonic_time ();
      int timeout_ms = self->give_up_at_us == 0 ? -1 : (int) MAX (left_us / 1000 + 1, 1);
      int n_ready = poll (fds, G_N_ELEMENTS (fds), timeout_ms);

      if (n_ready > 0 && fds[1].revents != 0 && read (self->wake_fd, &count, sizeof count) < 0)
        g_debug ("Nobody woke this wait");
      if (n_ready > 0 && fds[0].revents != 0)
        return TRUE;
      if (n_ready < 0 && errno != EINTR)
        return FALSE;
    }

  return FALSE;
}

/* --- Opening --- */

static void
ignore_notice (void *data, const PGresult *result)
{
}

/* A host with an @, or a port that is no number, is a part of a password that was not escaped. */
static gboolean
is_plain_option (const PQconninfoOption *option)
{
  if (option->val == NULL)
    return TRUE;
  if (strcmp (option->keyword, "host") == 0)
    return strchr (option->val, '@') == NULL;
  if (strcmp (option->keyword, "port") == 0)
    return strspn (option->val, "0123456789,") == strlen (option->val);
  return TRUE;
}

/* What libpq says of an address that it cannot read repeats parts of it, so it is not shown. */
static gboolean
check_url (GmcpTaskLink *self, GError **error)
{
  PQconninfoOption *options = self->pq->conninfoParse (self->url, NULL);
  gboolean is_good = options != NULL;

  for (PQconninfoOption *option = options; option != NULL && option->keyword != NULL; option++)
    is_good &= is_plain_option (option);

  if (options != NULL)
    self->pq->conninfoFree (options);
  if (!is_good)
    g_set_error_literal (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE,
                         /* xgettext:no-c-format */
                         _ ("The address of --database is not one that PostgreSQL's library "
                            "understands. It has the form postgresql://USER@HOST:PORT/NAME; in a "
                            "user or a password, characters such as @ : / and ? are written as "
                            "%40 %3A %2F and %3F."));
  return is_good;
}

static gboolean
finish_opening (GmcpTaskLink *self, GError **error)
{
  PostgresPollingStatusType status = PGRES_POLLING_WRITING;

  while (status == PGRES_POLLING_READING || status == PGRES_POLLING_WRITING)
    {
      if (!wait_for_socket (self, status == PGRES_POLLING_READING ? POLLIN : POLLOUT, FALSE))
        {
          gmcp_task_link_close (self);
          return fail_as_stopped (error);
        }
      status = self->pq->connectPoll (self->connection);
    }

  if (status == PGRES_POLLING_OK)
    return TRUE;

  gmcp_task_postgres_set_error (self->name, NULL, self->pq->errorMessage (self->connection), error);
  gmcp_task_link_close (self);
  return FALSE;
}

/* Connects, where it is not connected. The one thing that cannot be stopped is the look-up of a
 * host's name. */
gboolean
gmcp_task_link_open (GmcpTaskLink *self, GError **error)
{
  /* Later ones win over the address, which wins over earlier ones. */
  const char *const keywords[]
    = { "tcp_user_timeout", "fallback_application_name", "dbname", "client_encoding", NULL };
  const char *const values[] = { "10000", "gmcp-tasks", self->url, "UTF8", NULL };

  self->give_up_at_us = 0;
  self->pq = gmcp_task_pq_load (error);
  if (self->pq == NULL || !check_url (self, error))
    return FALSE;

  self->connection = self->pq->connectStartParams (keywords, values, TRUE);
  if (self->connection == NULL)
    return fail_as_lost (self, error);

  self->pq->setNoticeReceiver (self->connection, ignore_notice, NULL);
  if (self->pq->status (self->connection) == CONNECTION_BAD)
    {
      gmcp_task_postgres_set_error (self->name, NULL, self->pq->errorMessage (self->connection),
                                    error);
      gmcp_task_link_close (self);
      return FALSE;
    }

  if (!finish_opening (self, error))
    return FALSE;

  self->pq->setnonblocking (self->connection, TRUE);
  return TRUE;
}

/* --- Requests --- */

static gboolean
read_input (GmcpTaskLink *self, short events, GError **error)
{
  if (!wait_for_socket (self, events, TRUE))
    {
      gmcp_task_link_close (self);
      return fail_as_stopped (error);
    }

  return self->pq->consumeInput (self->connection) || fail_as_lost (self, error);
}

static gboolean
flush_request (GmcpTaskLink *self, GError **error)
{
  int pending;

  while ((pending = self->pq->flush (self->connection)) > 0)
    if (!read_input (self, POLLIN | POLLOUT, error))
      return FALSE;

  return pending == 0 || fail_as_lost (self, error);
}

/* Waits for the next result of what was sent; there are no more after NULL. */
static gboolean
read_result (GmcpTaskLink *self, PGresult **result, GError **error)
{
  while (self->pq->isBusy (self->connection))
    if (!read_input (self, POLLIN, error))
      return FALSE;

  *result = self->pq->getResult (self->connection);
  return TRUE;
}

/* Gives the last result of what was sent. */
static PGresult *
collect_result (GmcpTaskLink *self, GError **error)
{
  PGresult *last = NULL;
  PGresult *result = NULL;
  gboolean is_open = flush_request (self, error);

  while (is_open)
    {
      is_open = read_result (self, &result, error);
      if (is_open && result == NULL)
        return last;

      if (last != NULL)
        self->pq->clear (last);
      last = is_open ? result : NULL;
    }

  return NULL;
}

static PGresult *
check_result (GmcpTaskLink *self, PGresult *result, GError **error)
{
  const char *state, *detail;

  if (result == NULL)
    {
      fail_as_lost (self, error);
      return NULL;
    }

  switch (self->pq->resultStatus (result))
    {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
      return result;
    default:
      break;
    }

  state = self->pq->resultErrorField (result, PG_DIAG_SQLSTATE);
  detail = self->pq->resultErrorField (result, PG_DIAG_MESSAGE_PRIMARY);
  if (self->pq->status (self->connection) == CONNECTION_BAD)
    fail_as_lost (self, error);
  else if (self->give_up_at_us != 0 && g_strcmp0 (state, "57014") == 0)
    fail_as_stopped (error);
  else
    gmcp_task_postgres_set_error (self->name, state, detail, error);

  self->pq->clear (result);
  return NULL;
}

/* @sent is what libpq said of sending. */
static PGresult *
finish_request (GmcpTaskLink *self, int sent, GError **error)
{
  g_autoptr (GError) reason = NULL;
  PGresult *result;

  if (!sent)
    {
      fail_as_lost (self, error);
      return NULL;
    }

  result = collect_result (self, &reason);
  if (reason != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&reason));
      return NULL;
    }

  return check_result (self, result, error);
}

/* A stop that came between two requests is one, too. */
static gboolean
may_send (GmcpTaskLink *self, GError **error)
{
  self->give_up_at_us = 0;
  if (self->connection == NULL)
    return fail_as_lost (self, error);
  return may_wait (self, FALSE) || fail_as_stopped (error);
}

/* Several statements at once are fine; the result is that of the last. */
PGresult *
gmcp_task_link_execute (GmcpTaskLink *self, const char *sql, GError **error)
{
  if (!may_send (self, error))
    return NULL;

  return finish_request (self, self->pq->sendQuery (self->connection, sql), error);
}

PGresult *
gmcp_task_link_execute_with (GmcpTaskLink *self,
                             const char *sql,
                             int n_values,
                             const char *const *values,
                             GError **error)
{
  if (!may_send (self, error))
    return NULL;

  return finish_request (
    self, self->pq->sendQueryParams (self->connection, sql, n_values, NULL, values, NULL, NULL, 0),
    error);
}

gboolean
gmcp_task_link_prepare (GmcpTaskLink *self, const char *name, const char *sql, GError **error)
{
  PGresult *result;

  if (!may_send (self, error))
    return FALSE;

  result
    = finish_request (self, self->pq->sendPrepare (self->connection, name, sql, 0, NULL), error);
  if (result != NULL)
    self->pq->clear (result);
  return result != NULL;
}

PGresult *
gmcp_task_link_execute_prepared (GmcpTaskLink *self,
                                 const char *name,
                                 int n_values,
                                 const char *const *values,
                                 GError **error)
{
  if (!may_send (self, error))
    return NULL;

  return finish_request (
    self, self->pq->sendQueryPrepared (self->connection, name, n_values, values, NULL, NULL, 0),
    error);
}

/* Does nothing for a while, or until it is to stop. */
void
gmcp_task_link_pause (GmcpTaskLink *self, guint pause_ms)
{
  struct pollfd fd = { .fd = self->wake_fd, .events = POLLIN };

  if (may_wait (self, FALSE))
    poll (&fd, 1, (int) pause_ms);
}

/* Waits until somebody notifies a channel that is listened to, and gives what they said. */
char *
gmcp_task_link_wait_for_notice (GmcpTaskLink *self, GError **error)
{
  while (self->connection != NULL)
    {
      PGnotify *notice = self->pq->notifies (self->connection);

      if (notice != NULL)
        {
          char *text = g_strdup (notice->extra);

          self->pq->freemem (notice);
          return text;
        }

      if (!wait_for_socket (self, POLLIN, FALSE))
        {
          fail_as_stopped (error);
          return NULL;
        }
      if (!self->pq->consumeInput (self->connection))
        break;
    }

  fail_as_lost (self, error);
  return NULL;
}
