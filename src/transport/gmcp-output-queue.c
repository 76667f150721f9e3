/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-output-queue-private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-fd-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

#define KEEP_BYTES       (64u * 1024)
#define LARGE_BYTES      (256u * 1024)
#define LARGE_PIPE_BYTES (1024 * 1024)

#ifndef RWF_NOSIGNAL
#define RWF_NOSIGNAL 0x00000100
#endif

/* Whether the kernel can write without SIGPIPE (since Linux 6.18), which saves two system calls. */
static gboolean kernel_has_nosignal = TRUE;

static GmcpOutputKind
find_kind (int fd)
{
  struct stat status;
  gboolean known = fstat (fd, &status) == 0;

  if (known && S_ISSOCK (status.st_mode))
    return GMCP_OUTPUT_KIND_SOCKET;
  if (known && S_ISREG (status.st_mode))
    return GMCP_OUTPUT_KIND_FILE;
  if ((fcntl (fd, F_GETFL) & O_NONBLOCK) != 0)
    return GMCP_OUTPUT_KIND_NON_BLOCKING;

  return GMCP_OUTPUT_KIND_POLLED;
}

void
gmcp_output_queue_init (GmcpOutputQueue *self, int fd)
{
  memset (self, 0, sizeof *self);
  self->fd = fd;
  self->kind = find_kind (fd);
}

/* Of what is charged so much is left. */
static void
keep_charge (GmcpOutputQueue *self, gsize n_bytes)
{
  if (self->charged_bytes <= n_bytes)
    return;

  gmcp_byte_budget_release (self->limits.budget, self->charged_bytes - n_bytes);
  self->charged_bytes = n_bytes;
}

/* What each queue keeps in any case is not counted. */
static gboolean
charge_bytes (GmcpOutputQueue *self, gsize n_bytes)
{
  if (self->limits.budget == NULL || n_bytes <= MAX (KEEP_BYTES, self->charged_bytes))
    return TRUE;
  if (!gmcp_byte_budget_charge (self->limits.budget, n_bytes - self->charged_bytes))
    return FALSE;

  self->charged_bytes = n_bytes;
  return TRUE;
}

void
gmcp_output_queue_discard (GmcpOutputQueue *self)
{
  keep_charge (self, 0);
  g_clear_pointer (&self->data, g_free);
  self->start = self->end = self->size = 0;
}

void
gmcp_output_queue_clear (GmcpOutputQueue *self)
{
  gmcp_output_queue_discard (self);
  gmcp_clear_fd (&self->fd);
}

static void
make_room (GmcpOutputQueue *self, gsize length)
{
  gsize pending = self->end - self->start;

  if (self->size - self->end >= length)
    return;

  if (self->start >= self->size / 2 && self->size - pending >= length)
    memmove (self->data, self->data + self->start, pending);
  else
    {
      gsize needed = pending + length;
      gsize size = MAX (self->size, KEEP_BYTES / 16);
      char *data;

      /* A large message on its own gets what it needs. */
      if (pending == 0 && needed >= KEEP_BYTES)
        size = MAX (size, needed);
      while (size < needed)
        size *= 2;

      data = g_malloc (size);
      if (pending > 0)
        memcpy (data, self->data + self->start, pending);
      g_free (self->data);
      self->data = data;
      self->size = size;
    }

  self->start = 0;
  self->end = pending;
}

static gboolean
refuse_bytes (gsize max_bytes, GError **error)
{
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
               _ ("More than %u bytes wait to be written: the peer does not read what it is "
                  "sent"),
               (guint) MIN (max_bytes, G_MAXUINT));
  return FALSE;
}

static gboolean
refuse_all (GmcpOutputQueue *self, GError **error)
{
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
               _ ("More than %u bytes wait for all peers to be written: they do not read what they "
                  "are sent"),
               (guint) MIN (gmcp_byte_budget_get_max (self->limits.budget), G_MAXUINT));
  return FALSE;
}

/* A large message that is the only one is written from where it was made. */
static gboolean
take_buffer (GmcpOutputQueue *self, const GmcpOutgoing *message)
{
  GString *buffer;

  if (message->buffer == NULL || message->length < LARGE_BYTES || self->start != self->end)
    return FALSE;

  buffer = g_steal_pointer (message->buffer);
  g_string_append_c (buffer, '\n');
  g_free (self->data);
  self->start = 0;
  self->end = buffer->len;
  self->size = buffer->allocated_len;
  self->data = g_string_free (buffer, FALSE);
  return TRUE;
}

static void
copy_text (GmcpOutputQueue *self, const GmcpOutgoing *message)
{
  make_room (self, message->length + 1);
  memcpy (self->data + self->end, message->text, message->length);
  self->data[self->end + message->length] = '\n';
  self->end += message->length + 1;
}

gboolean
gmcp_output_queue_append (GmcpOutputQueue *self, const GmcpOutgoing *message, GError **error)
{
  gsize pending = self->end - self->start;
  gsize length = message->length;

  self->reply_bytes = MIN (self->reply_bytes, pending);
  if (!gmcp_transport_may_wait (message, self->reply_bytes, error))
    return FALSE;
  if (length >= GMCP_LIMIT_WRITE_QUEUE_BYTES || pending > GMCP_LIMIT_WRITE_QUEUE_BYTES - length - 1)
    return refuse_bytes (GMCP_LIMIT_WRITE_QUEUE_BYTES, error);
  if (pending == 0)
    self->first_bytes = length;
  else if (self->limits.max_bytes != 0
           && pending + length > self->limits.max_bytes + self->first_bytes)
    return refuse_bytes (self->limits.max_bytes, error);
  if (!charge_bytes (self, pending + length + 1))
    return refuse_all (self, error);

  if (!take_buffer (self, message))
    copy_text (self, message);
  if (message->is_reply)
    self->reply_bytes += length + 1;
  return TRUE;
}

char *
gmcp_output_queue_steal (GmcpOutputQueue *self, gsize *length)
{
  /* No flush has taken bytes off the front. */
  *length = self->end;
  keep_charge (self, 0);
  self->start = self->end = self->size = 0;
  return g_steal_pointer (&self->data);
}

/* The signal's disposition is the host's, so a SIGPIPE of ours is kept from it by the thread's mask
 * and taken back before that is lifted. */
static gssize
write_with_sigpipe_blocked (int fd, const char *data, gsize length)
{
  const struct timespec no_time = { 0, 0 };
  sigset_t sigpipe;
  sigset_t before;
  sigset_t pending;
  gboolean was_pending = FALSE;
  gssize n;
  int saved_errno;

  sigemptyset (&sigpipe);
  sigaddset (&sigpipe, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &sigpipe, &before);

  /* Only a blocked signal can have been pending. */
  if (sigismember (&before, SIGPIPE) == 1 && sigpending (&pending) == 0)
    was_pending = sigismember (&pending, SIGPIPE) == 1;

  n = write (fd, data, length);
  saved_errno = errno;

  if (n < 0 && saved_errno == EPIPE && !was_pending)
    while (sigtimedwait (&sigpipe, NULL, &no_time) < 0 && errno == EINTR)
      ;

  if (sigismember (&before, SIGPIPE) != 1)
    pthread_sigmask (SIG_SETMASK, &before, NULL);
  errno = saved_errno;
  return n;
}

void
gmcp_output_queue_set_kernel_has_nosignal (gboolean has_nosignal)
{
  g_atomic_int_set (&kernel_has_nosignal, has_nosignal);
}

static gssize
write_without_sigpipe (int fd, const char *data, gsize length)
{
  if (g_atomic_int_get (&kernel_has_nosignal))
    {
      const struct iovec all = { (char *) data, length };
      gssize n = pwritev2 (fd, &all, 1, -1, RWF_NOSIGNAL);

      if (n >= 0 || (errno != EOPNOTSUPP && errno != EINVAL && errno != ENOSYS))
        return n;
      g_atomic_int_set (&kernel_has_nosignal, FALSE);
    }

  return write_with_sigpipe_blocked (fd, data, length);
}

static gssize
write_some (GmcpOutputQueue *self, const char *data, gsize length)
{
  struct pollfd ready = { .fd = self->fd, .events = POLLOUT };

  switch (self->kind)
    {
    case GMCP_OUTPUT_KIND_SOCKET:
      return send (self->fd, data, length, MSG_DONTWAIT | MSG_NOSIGNAL);

    case GMCP_OUTPUT_KIND_POLLED:
      if (poll (&ready, 1, 0) == 0)
        {
          errno = EAGAIN;
          return -1;
        }
      /* What is ready takes that much at once. */
      length = MIN (length, PIPE_BUF);
      break;

    case GMCP_OUTPUT_KIND_NON_BLOCKING:
    case GMCP_OUTPUT_KIND_FILE:
      break;
    }

  return write_without_sigpipe (self->fd, data, length);
}

/* What a peer reads nearly all of and then leaves takes no more than what is left. */
static void
shrink_buffer (GmcpOutputQueue *self)
{
  gsize pending = self->end - self->start;
  char *data;

  if (self->size <= KEEP_BYTES || pending >= self->size / 2)
    return;

  self->size = MAX (pending, 1);
  data = g_malloc (self->size);
  memcpy (data, self->data + self->start, pending);
  g_free (self->data);
  self->data = data;
  self->start = 0;
  self->end = pending;
}

static GmcpFlushResult
end_blocked (GmcpOutputQueue *self)
{
  shrink_buffer (self);
  return GMCP_FLUSH_BLOCKED;
}

GmcpFlushResult
gmcp_output_queue_flush (GmcpOutputQueue *self)
{
  if (!self->pipe_grown && self->end - self->start >= LARGE_BYTES)
    {
      self->pipe_grown = TRUE;
      /* Best effort: not every descriptor is a pipe, and the user's quota may be used up. */
      (void) fcntl (self->fd, F_SETPIPE_SZ, LARGE_PIPE_BYTES);
    }

  while (self->start < self->end)
    {
      gsize length = self->end - self->start;
      gssize n = write_some (self, self->data + self->start, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK ? end_blocked (self) : GMCP_FLUSH_FAILED;

      self->start += n;
      keep_charge (self, self->end - self->start);
      /* A short write says that there is no room for more. */
      if ((gsize) n < length && self->kind == GMCP_OUTPUT_KIND_NON_BLOCKING)
        return end_blocked (self);
    }

  self->start = self->end = 0;
  if (self->size > KEEP_BYTES)
    gmcp_output_queue_discard (self);
  return GMCP_FLUSH_DONE;
}
