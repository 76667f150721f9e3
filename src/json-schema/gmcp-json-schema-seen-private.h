/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* A set of positions in a container: the members or elements that were evaluated, the required
 * members that were found. */
typedef struct
{
  guint64 *words;
  guint n_words;
  guint64 small;
} GmcpSchemaSeen;

static inline void
gmcp_schema_seen_init (GmcpSchemaSeen *self, guint length)
{
  self->n_words = (length + 63) / 64;
  self->small = 0;
  self->words = self->n_words <= 1 ? &self->small : g_new0 (guint64, self->n_words);
}

static inline void
gmcp_schema_seen_clear (GmcpSchemaSeen *self)
{
  if (self->words != &self->small)
    g_free (self->words);
}

static inline void
gmcp_schema_seen_add (GmcpSchemaSeen *self, guint position)
{
  self->words[position / 64] |= G_GUINT64_CONSTANT (1) << (position % 64);
}

static inline gboolean
gmcp_schema_seen_has (const GmcpSchemaSeen *self, guint position)
{
  return (self->words[position / 64] >> (position % 64)) & 1;
}

static inline void
gmcp_schema_seen_add_all (GmcpSchemaSeen *self)
{
  if (self->n_words > 0)
    memset (self->words, 0xff, self->n_words * sizeof *self->words);
}

static inline void
gmcp_schema_seen_unite (GmcpSchemaSeen *self, const GmcpSchemaSeen *other)
{
  for (guint i = 0; i < self->n_words; i++)
    self->words[i] |= other->words[i];
}

G_END_DECLS
