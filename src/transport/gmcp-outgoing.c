/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-transport-private.h"

/* What a message on its way out consists of. */

gsize
gmcp_outgoing_get_bytes (const GmcpOutgoing *message)
{
  gsize n_bytes = message->length;

  for (guint i = 0; i < message->n_parts; i++)
    n_bytes += g_bytes_get_size (message->parts[i].bytes);
  return n_bytes;
}

gboolean
gmcp_outgoing_walk_next (GmcpOutgoingWalk *walk, const char **text, gsize *length, GBytes **part)
{
  const GmcpOutgoing *message = walk->message;
  gsize end;

  if (walk->next_part > message->n_parts)
    return FALSE;

  *part = walk->next_part < message->n_parts ? message->parts[walk->next_part].bytes : NULL;
  end = *part != NULL ? message->parts[walk->next_part].position : message->length;
  *text = message->text + walk->start;
  *length = end - walk->start;
  walk->start = end;
  walk->next_part++;
  return TRUE;
}

GString *
gmcp_outgoing_join (const GmcpOutgoing *message)
{
  GString *all = g_string_sized_new (gmcp_outgoing_get_bytes (message));
  GmcpOutgoingWalk walk = { .message = message };
  const char *text;
  gsize length;
  GBytes *part;

  while (gmcp_outgoing_walk_next (&walk, &text, &length, &part))
    {
      g_string_append_len (all, text, (gssize) length);
      if (part != NULL)
        g_string_append_len (all, g_bytes_get_data (part, NULL), (gssize) g_bytes_get_size (part));
    }
  return all;
}
