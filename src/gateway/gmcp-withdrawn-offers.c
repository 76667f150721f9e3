/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-withdrawn-offers-private.h"

struct _GmcpWithdrawnOffers
{
  GMainContext *context;
  guint delay_ms;
  GHashTable *servers; /* id → Withdrawal */
  GmcpOfferBackFunc back;
  gpointer data;
};

typedef struct
{
  GmcpWithdrawnOffers *withdrawn;
  char *id;
  gint64 since_us;
  GSource *end;
} Withdrawal;

static void
withdrawal_free (gpointer data)
{
  Withdrawal *withdrawal = data;

  g_source_destroy (withdrawal->end);
  g_source_unref (withdrawal->end);
  g_free (withdrawal->id);
  g_free (withdrawal);
}

GmcpWithdrawnOffers *
gmcp_withdrawn_offers_new (GMainContext *context,
                           guint delay_ms,
                           GmcpOfferBackFunc back,
                           gpointer data)
{
  GmcpWithdrawnOffers *self = g_new0 (GmcpWithdrawnOffers, 1);

  self->context = g_main_context_ref (context);
  self->delay_ms = delay_ms;
  self->servers = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, withdrawal_free);
  self->back = back;
  self->data = data;
  return self;
}

void
gmcp_withdrawn_offers_free (GmcpWithdrawnOffers *self)
{
  g_hash_table_unref (self->servers);
  g_main_context_unref (self->context);
  g_free (self);
}

static void
set_end (GmcpWithdrawnOffers *self, Withdrawal *withdrawal)
{
  g_source_set_ready_time (withdrawal->end,
                           withdrawal->since_us + self->delay_ms * G_TIME_SPAN_MILLISECOND);
}

void
gmcp_withdrawn_offers_set_delay_ms (GmcpWithdrawnOffers *self, guint delay_ms)
{
  GHashTableIter iter;
  gpointer withdrawal;

  self->delay_ms = delay_ms;
  g_hash_table_iter_init (&iter, self->servers);
  while (g_hash_table_iter_next (&iter, NULL, &withdrawal))
    set_end (self, withdrawal);
}

static gboolean
on_end (gpointer data)
{
  const Withdrawal *withdrawal = data;
  GmcpWithdrawnOffers *self = withdrawal->withdrawn;
  g_autofree char *id = g_strdup (withdrawal->id);

  gmcp_withdrawn_offers_remove (self, id);
  self->back (id, self->data);
  return G_SOURCE_REMOVE;
}

void
gmcp_withdrawn_offers_add (GmcpWithdrawnOffers *self, const char *id)
{
  Withdrawal *withdrawal = g_new (Withdrawal, 1);
  GSource *end = g_timeout_source_new (0);

  *withdrawal = (Withdrawal){ self, g_strdup (id), g_get_monotonic_time (), end };
  set_end (self, withdrawal);
  g_source_set_static_name (end, "[gmcp] offer of a server that has failed");
  g_source_set_callback (end, on_end, withdrawal, NULL);
  g_source_attach (end, self->context);
  g_hash_table_replace (self->servers, withdrawal->id, withdrawal);
}

gboolean
gmcp_withdrawn_offers_contain (GmcpWithdrawnOffers *self, const char *id)
{
  return g_hash_table_contains (self->servers, id);
}

gboolean
gmcp_withdrawn_offers_remove (GmcpWithdrawnOffers *self, const char *id)
{
  return g_hash_table_remove (self->servers, id);
}

void
gmcp_withdrawn_offers_remove_if (GmcpWithdrawnOffers *self,
                                 GmcpOfferPredicate is_gone,
                                 gpointer data)
{
  GHashTableIter iter;
  gpointer id;

  g_hash_table_iter_init (&iter, self->servers);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    {
      if (is_gone (id, data))
        g_hash_table_iter_remove (&iter);
    }
}
