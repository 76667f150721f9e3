/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-line-buffer-private.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gmcp-memory-private.h"

/* From here on a buffer is mapped. */
#define MAP_BYTES (256u * 1024)
/* The buffer of a message of unknown length that is larger than a huge page; pages that are never
 * touched take no memory. */
#define HUGE_BYTES (32u * 1024 * 1024)

/* The last mapping that was done with, for the next one: the faults of new pages take longer than reading into them.
 * A larger one lies in huge pages, of which there are few. One for the process; NULL or a GmcpLineBuffer. */
static gpointer spare;

static gboolean
is_mapped (const GmcpLineBuffer *self)
{
  return self->size >= MAP_BYTES;
}

static GmcpLineBuffer *
exchange_spare (GmcpLineBuffer *with)
{
  gpointer before;

  do
    before = g_atomic_pointer_get (&spare);
  while (!g_atomic_pointer_compare_and_exchange (&spare, before, with));
  return before;
}

static void
buffer_free (gpointer data)
{
  GmcpLineBuffer *self = data;

  if (self != NULL && is_mapped (self) && self->size < GMCP_LARGE_BLOCK_BYTES)
    self = exchange_spare (self);
  if (self == NULL)
    return;

  if (is_mapped (self))
    munmap (self->data, self->size);
  else
    g_free (self->data);
  g_free (self);
}

/* Moves what a buffer holds into a new one; the old one is empty after that. */
static GmcpLineBuffer *
move_to_heap (GmcpLineBuffer *self)
{
  GmcpLineBuffer *moved = g_new (GmcpLineBuffer, 1);

  *moved = *self;
  self->data = NULL;
  self->size = 0;
  return moved;
}

void
gmcp_line_buffer_clear (GmcpLineBuffer *self)
{
  if (is_mapped (self))
    {
      buffer_free (move_to_heap (self));
      return;
    }

  g_clear_pointer (&self->data, g_free);
  self->size = 0;
}

static char *
map_or_abort (void *mapped, gsize size)
{
  if (G_UNLIKELY (mapped == MAP_FAILED))
    g_error ("Failed to allocate %" G_GSIZE_FORMAT " bytes", size);

  return mapped;
}

/* Whether the spare one was large enough. */
static gboolean
take_spare (GmcpLineBuffer *self, gsize size)
{
  GmcpLineBuffer *taken = size < GMCP_LARGE_BLOCK_BYTES ? exchange_spare (NULL) : NULL;

  if (taken != NULL && taken->size < size)
    {
      buffer_free (taken);
      return FALSE;
    }
  if (taken == NULL)
    return FALSE;

  *self = *taken;
  g_free (taken);
  return TRUE;
}

static void
move_to_mapping (GmcpLineBuffer *self, gsize size, gsize used)
{
  GmcpLineBuffer mapped = { .size = size };

  if (!take_spare (&mapped, size))
    {
      mapped.data = map_or_abort (
        mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), size);
      gmcp_advise_large_block (mapped.data, size);
    }
  if (used > 0)
    memcpy (mapped.data, self->data, used);
  gmcp_line_buffer_clear (self);
  *self = mapped;
}

void
gmcp_line_buffer_resize (GmcpLineBuffer *self, gsize size, gsize used, gsize max_size)
{
  if (size <= self->size)
    return;

  if (size < MAP_BYTES)
    {
      self->data = g_realloc (self->data, size);
      self->size = size;
    }
  else if (!is_mapped (self))
    move_to_mapping (self, size, used);
  else if (size >= GMCP_LARGE_BLOCK_BYTES && self->size < GMCP_LARGE_BLOCK_BYTES)
    /* A mapping that is large from the start is aligned for huge pages; a grown one need not be. */
    move_to_mapping (self, MAX (size, MIN (HUGE_BYTES, max_size)), used);
  else
    {
      self->data = map_or_abort (mremap (self->data, self->size, size, MREMAP_MAYMOVE), size);
      self->size = size;
    }
}

/* What a larger message has left there would be kept as long as this one. */
static void
drop_tail (GmcpLineBuffer *self, gsize used)
{
  gsize page = (gsize) sysconf (_SC_PAGESIZE);
  gsize from = (used + page - 1) & ~(page - 1);

  if (is_mapped (self) && self->size < GMCP_LARGE_BLOCK_BYTES && from < self->size / 4 * 3)
    (void) madvise (self->data + from, self->size - from, MADV_DONTNEED);
}

GBytes *
gmcp_line_buffer_steal (GmcpLineBuffer *self, gsize offset, gsize length)
{
  GmcpLineBuffer *stolen = move_to_heap (self);

  drop_tail (stolen, offset + length);

  return g_bytes_new_with_free_func (stolen->data + offset, length, buffer_free, stolen);
}
