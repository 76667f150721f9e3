/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-answers-private.h"

struct _GmcpConfigAnswers
{
  GHashTable *values; /* key → text */
};

GmcpConfigAnswers *
gmcp_config_answers_new (void)
{
  GmcpConfigAnswers *self = g_new0 (GmcpConfigAnswers, 1);

  self->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
gmcp_config_answers_free (GmcpConfigAnswers *self)
{
  g_hash_table_unref (self->values);
  g_free (self);
}

void
gmcp_config_answers_remember (GmcpConfigAnswers *self, const char *key, const char *value)
{
  if (value != NULL)
    g_hash_table_replace (self->values, g_strdup (key), g_strdup (value));
  else
    g_hash_table_remove (self->values, key);
}

char *
gmcp_config_answers_recall (GmcpConfigAnswers *self, const char *key)
{
  return g_strdup (g_hash_table_lookup (self->values, key));
}

void
gmcp_config_answers_forget (GmcpConfigAnswers *self)
{
  g_hash_table_remove_all (self->values);
}
