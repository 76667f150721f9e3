/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-redactor-private.h"
#include "gmcp-tool-pins-private.h"
#include "gmcp-tool-private.h"

#include <gmcp/core/gmcp-error.h>

typedef struct
{
  char *digest; /* NULL for what was never approved */
  char *definition;
  char *pending_digest; /* NULL where nothing waits */
  char *pending_definition;
} Pin;

typedef struct
{
  char *id;
  char *identity;
  GHashTable *tools; /* name → Pin */
} Server;

struct _GmcpToolPins
{
  GPtrArray *servers; /* of Server, the longest known first */
};

static void
pin_free (gpointer data)
{
  Pin *pin = data;

  g_free (pin->digest);
  g_free (pin->definition);
  g_free (pin->pending_digest);
  g_free (pin->pending_definition);
  g_free (pin);
}

static void
server_free (gpointer data)
{
  Server *server = data;

  g_free (server->id);
  g_free (server->identity);
  g_hash_table_unref (server->tools);
  g_free (server);
}

static Server *
server_new (const char *id, const char *identity)
{
  Server *server = g_new0 (Server, 1);

  server->id = g_strdup (id);
  server->identity = g_strdup (identity);
  server->tools = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, pin_free);
  return server;
}

GmcpToolPins *
gmcp_tool_pins_new (void)
{
  GmcpToolPins *self = g_new0 (GmcpToolPins, 1);

  self->servers = g_ptr_array_new_with_free_func (server_free);
  return self;
}

void
gmcp_tool_pins_free (GmcpToolPins *self)
{
  g_ptr_array_unref (self->servers);
  g_free (self);
}

static Server *
find_server (GmcpToolPins *self, const char *id, const char *identity)
{
  for (guint i = 0; i < self->servers->len; i++)
    {
      Server *server = g_ptr_array_index (self->servers, i);

      if (g_str_equal (server->id, id) && g_str_equal (server->identity, identity))
        return server;
    }

  return NULL;
}

static void
read_definition (GmcpJsonValue value, char **digest, char **definition)
{
  GmcpJsonValue text = gmcp_json_value_get_member (value, "definition");

  *digest = gmcp_json_value_dup_string (gmcp_json_value_get_member (value, "digest"));
  if (*digest != NULL && gmcp_json_value_is_object (text))
    *definition = gmcp_json_value_dup_raw (text);
  else
    g_clear_pointer (digest, g_free);
}

static void
read_server (GmcpToolPins *self, GmcpJsonValue value)
{
  g_autofree char *id = gmcp_json_value_dup_string (gmcp_json_value_get_member (value, "id"));
  g_autofree char *identity
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (value, "identity"));
  Server *server;
  GmcpJsonIter iter;
  GmcpJsonValue tool;

  if (id == NULL || identity == NULL || find_server (self, id, identity) != NULL)
    return;

  server = server_new (id, identity);
  g_ptr_array_add (self->servers, server);
  gmcp_json_iter_init (&iter, gmcp_json_value_get_member (value, "tools"));
  while (gmcp_json_iter_next (&iter, NULL, &tool))
    {
      char *name = gmcp_json_value_dup_string (gmcp_json_value_get_member (tool, "name"));
      Pin *pin;

      if (name == NULL)
        continue;
      pin = g_new0 (Pin, 1);
      read_definition (tool, &pin->digest, &pin->definition);
      read_definition (gmcp_json_value_get_member (tool, "pending"), &pin->pending_digest,
                       &pin->pending_definition);
      g_hash_table_insert (server->tools, name, pin);
    }
}

GmcpToolPins *
gmcp_tool_pins_parse (GBytes *bytes, GError **error)
{
  g_autoptr (GmcpToolPins) self = gmcp_tool_pins_new ();
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpJsonIter iter;
  GmcpJsonValue servers;
  GmcpJsonValue server;
  const char *text;
  gsize length;

  if (bytes == NULL)
    return g_steal_pointer (&self);

  text = g_bytes_get_data (bytes, &length);
  doc = gmcp_json_doc_parse (text, length, bytes, 0, error);
  if (doc == NULL)
    return NULL;

  servers = gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "servers");
  if (!gmcp_json_value_is_array (servers))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
                   _ ("there is no array “servers”; mend the file or remove it"));
      return NULL;
    }

  gmcp_json_iter_init (&iter, servers);
  while (gmcp_json_iter_next (&iter, NULL, &server))
    read_server (self, server);
  return g_steal_pointer (&self);
}

static void
write_definition (GmcpJsonWriter *writer, const char *digest, const char *definition)
{
  gmcp_json_writer_member_string (writer, "digest", digest);
  gmcp_json_writer_key (writer, "definition");
  gmcp_json_writer_raw (writer, definition, -1);
}

static void
write_pin (GmcpJsonWriter *writer, const char *name, const Pin *pin)
{
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "name", name);
  if (pin->digest != NULL)
    write_definition (writer, pin->digest, pin->definition);
  if (pin->pending_digest != NULL)
    {
      gmcp_json_writer_key (writer, "pending");
      gmcp_json_writer_begin_object (writer);
      write_definition (writer, pin->pending_digest, pin->pending_definition);
      gmcp_json_writer_end_object (writer);
    }
  gmcp_json_writer_end_object (writer);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
list_names (Server *server)
{
  g_autofree gpointer *keys = g_hash_table_get_keys_as_array (server->tools, NULL);
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < g_hash_table_size (server->tools); i++)
    g_ptr_array_add (names, keys[i]);
  g_ptr_array_sort (names, compare_names);
  return names;
}

GBytes *
gmcp_tool_pins_write (GmcpToolPins *self)
{
  g_autoptr (GString) out = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (out);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_int64 (&writer, "version", 1);
  gmcp_json_writer_key (&writer, "servers");
  gmcp_json_writer_begin_array (&writer);
  for (guint i = 0; i < self->servers->len; i++)
    {
      Server *server = g_ptr_array_index (self->servers, i);
      g_autoptr (GPtrArray) names = list_names (server);

      gmcp_json_writer_begin_object (&writer);
      gmcp_json_writer_member_string (&writer, "id", server->id);
      gmcp_json_writer_member_string (&writer, "identity", server->identity);
      gmcp_json_writer_key (&writer, "tools");
      gmcp_json_writer_begin_array (&writer);
      for (guint j = 0; j < names->len; j++)
        write_pin (&writer, g_ptr_array_index (names, j),
                   g_hash_table_lookup (server->tools, g_ptr_array_index (names, j)));
      gmcp_json_writer_end_array (&writer);
      gmcp_json_writer_end_object (&writer);
    }
  gmcp_json_writer_end_array (&writer);
  gmcp_json_writer_end_object (&writer);
  g_string_append_c (out, '\n');
  return g_string_free_to_bytes (g_steal_pointer (&out));
}

char *
gmcp_tool_pins_dup_identity (GmcpServerConfig *config)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);
  const char *const *argv = gmcp_server_config_get_argv (config);
  const char *url = gmcp_server_config_get_url (config);

  gmcp_json_writer_begin_array (&writer);
  gmcp_json_writer_int64 (&writer, gmcp_server_config_get_transport (config));
  gmcp_json_writer_string (&writer, url != NULL ? url : "");
  for (gsize i = 0; argv != NULL && argv[i] != NULL; i++)
    gmcp_json_writer_string (&writer, argv[i]);
  gmcp_json_writer_end_array (&writer);
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, text->len);
}

static void
set_text (char **place, const char *text)
{
  g_free (*place);
  *place = g_strdup (text);
}

static const char *
get_digest (GmcpToolSight *sight)
{
  if (sight->digest == NULL)
    {
      g_autoptr (GmcpJsonDoc) doc
        = gmcp_json_doc_parse (sight->definition, strlen (sight->definition), NULL, 0, NULL);

      sight->digest = gmcp_tool_digest_value (gmcp_json_doc_get_root (doc));
    }

  return sight->digest;
}

static void
add_pending (Server *server, GmcpToolSight *sight)
{
  Pin *pin = g_new0 (Pin, 1);

  set_text (&pin->pending_digest, get_digest (sight));
  set_text (&pin->pending_definition, sight->definition);
  g_hash_table_insert (server->tools, g_strdup (sight->name), pin);
}

/* Most tools are as they were, and comparing two texts is a small part of the work of a digest. Equal texts
 * have equal digests, as the definition holds all that the digest is of. That is not so of one that has
 * lost a secret: others have the same text then, and so may one that never had a secret, but the mark
 * in place of it. Whoever can write another definition into the file can write a digest there too. */
static gboolean
is_as_approved (const Pin *pin, GmcpToolSight *sight)
{
  if (pin->digest == NULL)
    return FALSE;
  if (!sight->is_edited && strcmp (pin->definition, sight->definition) == 0
      && strstr (sight->definition, GMCP_REDACTED) == NULL)
    return TRUE;

  return strcmp (pin->digest, get_digest (sight)) == 0;
}

/* Whether the pin is another one now; *flagged where it is a change that was not there before. */
static gboolean
see_again (Pin *pin, GmcpToolSight *sight, gboolean *flagged)
{
  if (is_as_approved (pin, sight))
    {
      if (pin->pending_digest == NULL)
        return FALSE;
      g_clear_pointer (&pin->pending_digest, g_free);
      g_clear_pointer (&pin->pending_definition, g_free);
      return TRUE;
    }

  if (g_strcmp0 (pin->pending_digest, get_digest (sight)) == 0)
    return FALSE;

  set_text (&pin->pending_digest, get_digest (sight));
  set_text (&pin->pending_definition, sight->definition);
  *flagged = TRUE;
  return TRUE;
}

/* Under another command or address: what the user has approved under the id is still that, what waits or
 * differs waits on, and nothing else is known to be bad. */
static gboolean
see_elsewhere (GmcpToolPins *self, Server *server, GmcpToolSight *sight)
{
  Pin *pin = g_new0 (Pin, 1);
  gboolean known = FALSE;
  gboolean approved = FALSE;

  for (guint i = self->servers->len; i > 0 && !approved; i--)
    {
      Server *other = g_ptr_array_index (self->servers, i - 1);
      Pin *former = other != server && g_str_equal (other->id, server->id)
                      ? g_hash_table_lookup (other->tools, sight->name)
                      : NULL;

      if (former == NULL)
        continue;
      known = TRUE;
      approved = is_as_approved (former, sight);
      if (pin->digest == NULL)
        {
          pin->digest = g_strdup (former->digest);
          pin->definition = g_strdup (former->definition);
        }
    }

  if (approved || !known)
    {
      set_text (&pin->digest, get_digest (sight));
      set_text (&pin->definition, sight->definition);
    }
  else
    {
      set_text (&pin->pending_digest, get_digest (sight));
      set_text (&pin->pending_definition, sight->definition);
    }
  g_hash_table_insert (server->tools, g_strdup (sight->name), pin);
  return pin->pending_digest != NULL;
}

/* What waited under the former command is told of where it is seen again; the present one waits now. */
static void
drop_pending_elsewhere (GmcpToolPins *self, Server *server, const char *tool)
{
  for (guint i = 0; i < self->servers->len; i++)
    {
      Server *other = g_ptr_array_index (self->servers, i);
      Pin *pin = other != server && g_str_equal (other->id, server->id)
                   ? g_hash_table_lookup (other->tools, tool)
                   : NULL;

      if (pin == NULL || pin->pending_digest == NULL)
        continue;
      g_clear_pointer (&pin->pending_digest, g_free);
      g_clear_pointer (&pin->pending_definition, g_free);
      if (pin->digest == NULL)
        g_hash_table_remove (other->tools, tool);
    }
}

gboolean
gmcp_tool_pins_see (GmcpToolPins *self,
                    const char *id,
                    const char *identity,
                    GmcpToolSight *tools,
                    guint n_tools,
                    GArray *flagged)
{
  Server *server = find_server (self, id, identity);
  gboolean first = server == NULL;
  gboolean changed = FALSE;

  /* One that lists nothing yet has not been seen. */
  if (n_tools == 0)
    return FALSE;

  if (first)
    {
      server = server_new (id, identity);
      g_ptr_array_add (self->servers, server);
      if (self->servers->len > GMCP_LIMIT_PINNED_SERVERS)
        g_ptr_array_remove_index (self->servers, 0);
    }

  for (guint i = 0; i < n_tools; i++)
    {
      Pin *pin = g_hash_table_lookup (server->tools, tools[i].name);
      gboolean is_flagged = FALSE;

      if (pin != NULL)
        {
          changed = see_again (pin, &tools[i], &is_flagged) || changed;
        }
      else if (first)
        {
          is_flagged = see_elsewhere (self, server, &tools[i]);
          drop_pending_elsewhere (self, server, tools[i].name);
          changed = TRUE;
        }
      else
        {
          add_pending (server, &tools[i]);
          is_flagged = TRUE;
          changed = TRUE;
        }
      if (is_flagged && flagged != NULL)
        g_array_append_val (flagged, i);
    }

  return changed;
}

static GmcpPinStatus
get_status (const Pin *pin)
{
  if (pin->pending_digest == NULL)
    return GMCP_PIN_STATUS_APPROVED;

  return pin->digest != NULL ? GMCP_PIN_STATUS_CHANGED : GMCP_PIN_STATUS_NEW;
}

GmcpPinStatus
gmcp_tool_pins_get_status (GmcpToolPins *self,
                           const char *id,
                           const char *identity,
                           const char *tool)
{
  Server *server = find_server (self, id, identity);
  Pin *pin = server != NULL ? g_hash_table_lookup (server->tools, tool) : NULL;

  return pin != NULL ? get_status (pin) : GMCP_PIN_STATUS_NEW;
}

guint
gmcp_tool_pins_approve (GmcpToolPins *self, const char *id, const char *tool)
{
  guint n_approved = 0;

  for (guint i = 0; i < self->servers->len; i++)
    {
      Server *server = g_ptr_array_index (self->servers, i);
      GHashTableIter iter;
      const char *name;
      Pin *pin;

      if (id != NULL && !g_str_equal (server->id, id))
        continue;

      g_hash_table_iter_init (&iter, server->tools);
      while (g_hash_table_iter_next (&iter, (gpointer *) &name, (gpointer *) &pin))
        {
          if (pin->pending_digest == NULL || (tool != NULL && !g_str_equal (name, tool)))
            continue;
          g_free (pin->digest);
          g_free (pin->definition);
          pin->digest = g_steal_pointer (&pin->pending_digest);
          pin->definition = g_steal_pointer (&pin->pending_definition);
          n_approved++;
        }
    }

  return n_approved;
}

void
gmcp_tool_pins_foreach (GmcpToolPins *self, GmcpToolPinsFunc func, gpointer data)
{
  for (guint i = 0; i < self->servers->len; i++)
    {
      Server *server = g_ptr_array_index (self->servers, i);
      g_autoptr (GPtrArray) names = list_names (server);

      for (guint j = 0; j < names->len; j++)
        {
          const char *name = g_ptr_array_index (names, j);
          const Pin *pin = g_hash_table_lookup (server->tools, name);

          func (&(GmcpToolPinView){ server->id, name, get_status (pin), pin->definition,
                                    pin->pending_definition != NULL ? pin->pending_definition
                                                                    : pin->definition },
                data);
        }
    }
}

void
gmcp_tool_sight_set (GmcpToolSight *self, GmcpTool *tool, char *definition, gboolean is_edited)
{
  *self = (GmcpToolSight){
    .name = g_strdup (gmcp_tool_get_server_tool_name (tool)),
    .digest = is_edited ? gmcp_tool_dup_digest (tool) : NULL,
    .definition = definition,
    .is_edited = is_edited,
  };
}

char *
gmcp_tool_pins_dup_definition (GmcpTool *tool)
{
  static const char *const told[] = { "name", "description", "inputSchema", "outputSchema" };
  GmcpJsonValue value = gmcp_tool_get_value (tool);
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);

  gmcp_json_writer_begin_object (&writer);
  for (gsize i = 0; i < G_N_ELEMENTS (told); i++)
    {
      GmcpJsonValue member = gmcp_json_value_get_member (value, told[i]);

      if (gmcp_json_value_is_present (member))
        gmcp_json_writer_member_value (&writer, told[i], member);
    }
  gmcp_json_writer_end_object (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
