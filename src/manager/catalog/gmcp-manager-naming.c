/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-naming-private.h"

#include <string.h>

#include "gmcp-given-names-private.h"
#include "gmcp-manager-policy-private.h"

struct _GmcpManagerNaming
{
  GmcpManager *manager;
  GmcpGivenNames *given;  /* NULL until it is read, or where it cannot be */
  GmcpGivenNames *unkept; /* of those what the file does not have yet; NULL for none */
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
get_rivals (GmcpManagerNaming *naming)
{
  if (naming->rivals == NULL)
    {
      naming->rivals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                              (GDestroyNotify) g_hash_table_unref);
      gmcp_pin_store_foreach (gmcp_manager_get_pin_store (naming->manager), add_rival,
                              naming->rivals);
    }

  return naming->rivals;
}

static gboolean
has_rival (GmcpManagerNaming *naming, const char *listed, const char *server)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (naming->manager);
  GHashTable *servers = g_hash_table_lookup (get_rivals (naming), listed);
  GHashTableIter iter;
  const char *id;

  if (servers == NULL)
    return FALSE;

  g_hash_table_iter_init (&iter, servers);
  while (g_hash_table_iter_next (&iter, (gpointer *) &id, NULL))
    if (!g_str_equal (id, server) && gmcp_server_table_find (priv->servers, id) != NULL)
      return TRUE;

  return FALSE;
}

static gboolean
may_take (const char *listed, const char *server, const char *tool, gpointer data)
{
  GmcpManagerNaming *naming = data;
  gboolean is_new = FALSE;

  /* It would look like the long name of another server's tool, and might be that one day. */
  if (naming->given == NULL || strstr (listed, "__") != NULL || has_rival (naming, listed, server)
      || !gmcp_given_names_give (naming->given, listed, server, tool, &is_new))
    return FALSE;

  if (is_new)
    {
      if (naming->unkept == NULL)
        naming->unkept = gmcp_given_names_new ();
      gmcp_given_names_give (naming->unkept, listed, server, tool, &is_new);
    }
  return TRUE;
}

GmcpManagerNaming *
gmcp_manager_naming_new (GmcpManager *manager)
{
  GmcpManagerNaming *naming = g_new0 (GmcpManagerNaming, 1);

  naming->manager = manager;
  gmcp_tool_names_set_may_take (gmcp_manager_get_private (manager)->names, may_take, naming);
  return naming;
}

void
gmcp_manager_naming_free (GmcpManagerNaming *naming)
{
  g_clear_pointer (&naming->given, gmcp_given_names_free);
  g_clear_pointer (&naming->unkept, gmcp_given_names_free);
  g_clear_pointer (&naming->rivals, g_hash_table_unref);
  g_free (naming);
}

void
gmcp_manager_forget_rivals (GmcpManager *self)
{
  g_clear_pointer (&gmcp_manager_get_private (self)->naming->rivals, g_hash_table_unref);
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

static gboolean
reserve_all (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  Reserving reserving = { priv->names, FALSE };

  if (priv->naming->given != NULL)
    gmcp_given_names_foreach (priv->naming->given, reserve_name, &reserving);
  return reserving.renamed;
}

void
gmcp_manager_reserve_names (GmcpManager *self)
{
  if (gmcp_manager_get_tool_name_style (self) == GMCP_TOOL_NAME_STYLE_BARE)
    reserve_all (self);
}

gboolean
gmcp_manager_take_given_names (GmcpManager *self, GBytes *bytes, GError **error)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GmcpGivenNames) given = gmcp_given_names_parse (bytes, error);

  if (given == NULL)
    return FALSE;

  g_clear_pointer (&priv->naming->given, gmcp_given_names_free);
  priv->naming->given = g_steal_pointer (&given);

  /* Another program may have given a name a moment before this one did: it is the other tool's. */
  if (gmcp_manager_get_tool_name_style (self) == GMCP_TOOL_NAME_STYLE_BARE && reserve_all (self))
    gmcp_manager_relabel_tools (self);
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
gmcp_manager_keep_given_names (GmcpManager *self)
{
  GmcpManagerNaming *naming = gmcp_manager_get_private (self)->naming;

  if (naming->unkept != NULL)
    gmcp_state_store_keep (gmcp_manager_get_state_store (self), GMCP_GIVEN_NAMES_FILE, write_names,
                           g_steal_pointer (&naming->unkept),
                           (GDestroyNotify) gmcp_given_names_free);
}
