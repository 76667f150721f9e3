/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-bare-names-private.h"

#include <string.h>

#include "gmcp-given-names-private.h"

struct _GmcpBareNames
{
  GmcpToolNames *names;
  GmcpServerTable *servers;
  GmcpPinStore *pins;
  GmcpStateStore *state;
  GmcpGivenNames *given; /* NULL until the file is read, or where it cannot be */
  GmcpGivenNames
    *unkept;          /* of the given ones those that the file does not have yet; NULL for none */
  GHashTable *rivals; /* own name, made fit → set of ids of servers that had it; NULL: look anew */
};

static void
add_rival (const GmcpToolPinView *pin, gpointer data)
{
  GHashTable *rivals = data;
  char *name = gmcp_tool_name_format (GMCP_TOOL_NAME_STYLE_BARE, pin->server, pin->tool);
  GHashTable *servers = g_hash_table_lookup (rivals, name);

  if (servers == NULL)
    {
      servers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_hash_table_insert (rivals, name, servers);
    }
  else
    {
      g_free (name);
    }
  g_hash_table_add (servers, g_strdup (pin->server));
}

/* What servers have in this run is in the table of names; this is what they had before it. */
static GHashTable *
get_rivals (GmcpBareNames *self)
{
  if (self->rivals == NULL)
    {
      self->rivals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                            (GDestroyNotify) g_hash_table_unref);
      gmcp_pin_store_foreach (self->pins, add_rival, self->rivals);
    }

  return self->rivals;
}

static gboolean
has_rival (GmcpBareNames *self, const char *listed, const char *server)
{
  GHashTable *servers = g_hash_table_lookup (get_rivals (self), listed);
  GHashTableIter iter;
  const char *id;

  if (servers == NULL)
    return FALSE;

  g_hash_table_iter_init (&iter, servers);
  while (g_hash_table_iter_next (&iter, (gpointer *) &id, NULL))
    if (!g_str_equal (id, server) && gmcp_server_table_find (self->servers, id) != NULL)
      return TRUE;

  return FALSE;
}

static gboolean
may_take (const char *listed, const char *server, const char *tool, gpointer data)
{
  GmcpBareNames *self = data;
  gboolean is_new = FALSE;

  /* A name with two underscores would look like the long name of another server's tool, and might be that
   * one day. */
  if (self->given == NULL || strstr (listed, "__") != NULL || has_rival (self, listed, server)
      || !gmcp_given_names_give (self->given, listed, server, tool, &is_new))
    return FALSE;

  if (is_new)
    {
      if (self->unkept == NULL)
        self->unkept = gmcp_given_names_new ();
      gmcp_given_names_give (self->unkept, listed, server, tool, &is_new);
    }
  return TRUE;
}

GmcpBareNames *
gmcp_bare_names_new (GmcpToolNames *names,
                     GmcpServerTable *servers,
                     GmcpPinStore *pins,
                     GmcpStateStore *state)
{
  GmcpBareNames *self = g_new0 (GmcpBareNames, 1);

  self->names = names;
  self->servers = servers;
  self->pins = pins;
  self->state = state;
  gmcp_tool_names_set_may_take (names, may_take, self);
  return self;
}

void
gmcp_bare_names_free (GmcpBareNames *self)
{
  g_clear_pointer (&self->given, gmcp_given_names_free);
  g_clear_pointer (&self->unkept, gmcp_given_names_free);
  g_clear_pointer (&self->rivals, g_hash_table_unref);
  g_free (self);
}

void
gmcp_bare_names_forget_rivals (GmcpBareNames *self)
{
  g_clear_pointer (&self->rivals, g_hash_table_unref);
}

typedef struct
{
  GmcpToolNames *names;
  gboolean renamed;
} Reserving;

static void
reserve_name (const char *name, const char *server, const char *tool, gpointer data)
{
  Reserving *reserving = data;

  if (gmcp_tool_names_reserve (reserving->names, name, server, tool))
    reserving->renamed = TRUE;
}

gboolean
gmcp_bare_names_reserve (GmcpBareNames *self)
{
  Reserving reserving = { self->names, FALSE };

  if (self->given != NULL)
    gmcp_given_names_foreach (self->given, reserve_name, &reserving);
  return reserving.renamed;
}

gboolean
gmcp_bare_names_take (GmcpBareNames *self, GBytes *bytes, GError **error)
{
  g_autoptr (GmcpGivenNames) given = gmcp_given_names_parse (bytes, error);

  if (given == NULL)
    return FALSE;

  g_clear_pointer (&self->given, gmcp_given_names_free);
  self->given = g_steal_pointer (&given);
  return TRUE;
}

static GBytes *
write_names (GBytes *present, gpointer data, GError **error)
{
  g_autoptr (GmcpGivenNames) given = gmcp_given_names_parse (present, error);

  if (given == NULL || !gmcp_given_names_merge (given, data))
    return NULL;

  return gmcp_given_names_write (given);
}

void
gmcp_bare_names_keep (GmcpBareNames *self)
{
  if (self->unkept != NULL)
    gmcp_state_store_keep (self->state, GMCP_GIVEN_NAMES_FILE, write_names,
                           g_steal_pointer (&self->unkept), (GDestroyNotify) gmcp_given_names_free);
}
