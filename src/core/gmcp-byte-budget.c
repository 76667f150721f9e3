/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-byte-budget-private.h"

#include "gmcp-limits.h"

struct _GmcpByteBudget
{
  gatomicrefcount ref_count;
  GmcpByteBudget *parent; /* nullable */
  gsize max_bytes;
  gsize n_used;
};

/* One for all: what is charged is rare, and large. */
static GMutex lock;

GmcpByteBudget *
gmcp_byte_budget_new (gsize max_bytes, GmcpByteBudget *parent)
{
  GmcpByteBudget *self = g_new0 (GmcpByteBudget, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->max_bytes = max_bytes;
  if (parent != NULL)
    self->parent = gmcp_byte_budget_ref (parent);
  return self;
}

GmcpByteBudget *
gmcp_byte_budget_get_host (void)
{
  static GmcpByteBudget host = { .max_bytes = GMCP_LIMIT_HOST_KEPT_BYTES };
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      g_atomic_ref_count_init (&host.ref_count);
      g_once_init_leave (&ready, 1);
    }
  return &host;
}

GmcpByteBudget *
gmcp_byte_budget_ref (GmcpByteBudget *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
gmcp_byte_budget_unref (GmcpByteBudget *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->parent, gmcp_byte_budget_unref);
  g_free (self);
}

static gsize
get_left (const GmcpByteBudget *self)
{
  return self->max_bytes - MIN (self->n_used, self->max_bytes);
}

gboolean
gmcp_byte_budget_charge (GmcpByteBudget *self, gsize n_bytes)
{
  gboolean fits = TRUE;

  g_mutex_lock (&lock);
  for (GmcpByteBudget *at = self; fits && at != NULL; at = at->parent)
    fits = n_bytes <= get_left (at);
  for (GmcpByteBudget *at = self; fits && at != NULL; at = at->parent)
    at->n_used += n_bytes;
  g_mutex_unlock (&lock);
  return fits;
}

void
gmcp_byte_budget_release (GmcpByteBudget *self, gsize n_bytes)
{
  g_mutex_lock (&lock);
  for (GmcpByteBudget *at = self; at != NULL; at = at->parent)
    at->n_used -= MIN (n_bytes, at->n_used);
  g_mutex_unlock (&lock);
}

gsize
gmcp_byte_budget_get_used (GmcpByteBudget *self)
{
  gsize n_used;

  g_mutex_lock (&lock);
  n_used = self->n_used;
  g_mutex_unlock (&lock);
  return n_used;
}

gsize
gmcp_byte_budget_get_left (GmcpByteBudget *self)
{
  gsize n_left;

  g_mutex_lock (&lock);
  n_left = get_left (self);
  g_mutex_unlock (&lock);
  return n_left;
}

gsize
gmcp_byte_budget_get_max (GmcpByteBudget *self)
{
  gsize max_bytes;

  g_mutex_lock (&lock);
  max_bytes = self->max_bytes;
  g_mutex_unlock (&lock);
  return max_bytes;
}

void
gmcp_byte_budget_set_max (GmcpByteBudget *self, gsize max_bytes)
{
  g_mutex_lock (&lock);
  self->max_bytes = max_bytes;
  g_mutex_unlock (&lock);
}
