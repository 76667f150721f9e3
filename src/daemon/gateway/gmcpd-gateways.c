/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/gateway/gmcp-gateway.h>

#include "gmcpd-gateways.h"

/* As long as the name of a socket may become. */
#define MAX_ROLE_LENGTH 48

struct _GmcpdGateways
{
  grefcount ref_count;
  GmcpManager *manager;
  GmcpdOpenQuestions *questions; /* what clients cannot be asked */
  GHashTable *servers; /* “ROLE” or “ROLE search” -> GmcpServer; an empty role for none */
};

GmcpdGateways *
gmcpd_gateways_new (GmcpManager *manager, GmcpdOpenQuestions *questions)
{
  GmcpdGateways *self = g_new0 (GmcpdGateways, 1);

  g_ref_count_init (&self->ref_count);
  self->manager = g_object_ref (manager);
  self->questions = g_object_ref (questions);
  self->servers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  return self;
}

GmcpdGateways *
gmcpd_gateways_ref (GmcpdGateways *self)
{
  g_ref_count_inc (&self->ref_count);
  return self;
}

void
gmcpd_gateways_unref (GmcpdGateways *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;

  g_hash_table_unref (self->servers);
  g_object_unref (self->questions);
  g_object_unref (self->manager);
  g_free (self);
}

GmcpManager *
gmcpd_gateways_get_manager (GmcpdGateways *self)
{
  return self->manager;
}

static GmcpServer *
make_server (GmcpdGateways *self, const char *role, gboolean search)
{
  g_autoptr (GmcpGateway) gateway = g_object_new (GMCP_TYPE_GATEWAY, "manager", self->manager,
                                                  "search", search, "role", role, NULL);

  gmcpd_open_questions_add_gateway (self->questions, gateway);
  /* A list that was asked for while servers start is not all of it, and must not be kept. Clients are programs that
   * are not to see each other's calls. */
  return g_object_new (GMCP_TYPE_SERVER, "name", "gmcp", "version", GMCP_VERSION, "provider",
                       gateway, "list-ttl-ms", 0u, "lists-tasks", FALSE, NULL);
}

GmcpServer *
gmcpd_gateways_get_server (GmcpdGateways *self, const char *role, gboolean search)
{
  g_autofree char *key = g_strconcat (role != NULL ? role : "", search ? " search" : "", NULL);
  GmcpServer *server = g_hash_table_lookup (self->servers, key);

  if (server == NULL)
    {
      server = make_server (self, role, search);
      g_hash_table_insert (self->servers, g_steal_pointer (&key), server);
    }
  return server;
}

static gboolean
fits_address (const char *role)
{
  gsize length = strspn (role, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-");

  return length > 0 && length <= MAX_ROLE_LENGTH && role[length] == '\0';
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GStrv
gmcpd_gateways_list_roles (GmcpdGateways *self)
{
  g_autoptr (GPtrArray) roles = gmcp_manager_list_roles (self->manager);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < roles->len; i++)
    {
      const char *name = gmcp_role_get_name (g_ptr_array_index (roles, i));

      if (name != NULL && fits_address (name)
          && !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
        g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}
