/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-tool-pins-model-private.h"

void
gmcp_pinned_form_clear (GmcpPinnedForm *form)
{
  g_free (form->digest);
  g_free (form->definition);
  *form = (GmcpPinnedForm){ NULL };
}

void
gmcp_pinned_tool_free (gpointer data)
{
  GmcpPinnedTool *tool = data;

  gmcp_pinned_form_clear (&tool->approved);
  gmcp_pinned_form_clear (&tool->pending);
  g_free (tool);
}

static void
server_free (gpointer data)
{
  GmcpPinnedServer *server = data;

  g_free (server->id);
  g_free (server->identity);
  g_free (server->abilities);
  g_hash_table_unref (server->tools);
  g_free (server);
}

GmcpPinnedServer *
gmcp_pinned_server_new (const char *id, const char *identity, const char *abilities)
{
  GmcpPinnedServer *server = g_new0 (GmcpPinnedServer, 1);

  server->id = g_strdup (id);
  server->identity = g_strdup (identity);
  server->abilities = g_strdup (abilities);
  server->tools = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, gmcp_pinned_tool_free);
  return server;
}

GmcpToolPins *
gmcp_tool_pins_new (void)
{
  GmcpToolPins *self = g_new (GmcpToolPins, 1);

  self->servers = g_ptr_array_new_with_free_func (server_free);
  return self;
}

void
gmcp_tool_pins_free (GmcpToolPins *self)
{
  g_ptr_array_unref (self->servers);
  g_free (self);
}

GmcpPinnedServer *
gmcp_tool_pins_find (GmcpToolPins *self,
                     const char *id,
                     const char *identity,
                     const char *abilities)
{
  for (guint i = 0; i < self->servers->len; i++)
    {
      GmcpPinnedServer *server = g_ptr_array_index (self->servers, i);

      if (g_str_equal (server->id, id) && g_str_equal (server->identity, identity)
          && g_strcmp0 (server->abilities, abilities) == 0)
        return server;
    }

  return NULL;
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
gmcp_pinned_server_list_keys (GmcpPinnedServer *server)
{
  g_autofree gpointer *keys = g_hash_table_get_keys_as_array (server->tools, NULL);
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < g_hash_table_size (server->tools); i++)
    g_ptr_array_add (list, keys[i]);
  g_ptr_array_sort (list, compare_keys);
  return list;
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
set_form (GmcpPinnedForm *form, GmcpToolSight *sight)
{
  gmcp_pinned_form_clear (form);
  *form = (GmcpPinnedForm){
    .digest = g_strdup (gmcp_tool_sight_get_digest (sight)),
    .definition = g_strdup (gmcp_tool_sight_get_definition (sight)),
    .is_whole = sight->is_whole,
  };
}

static void
copy_form (GmcpPinnedForm *form, const GmcpPinnedForm *other)
{
  gmcp_pinned_form_clear (form);
  *form = *other;
  form->digest = g_strdup (other->digest);
  form->definition = g_strdup (other->definition);
}

/* Most tools are as they were, and comparing two texts is a small part of the work of a digest. Equal texts
 * have equal digests, as the definition holds all that the digest is of. That is not so of one that has
 * lost a secret, or what is large: others have the same text then, and so may one that never had a secret,
 * but the mark in place of it. Whoever can write another definition into the file can write a digest there
 * too. */
static gboolean
is_of_form (const GmcpPinnedForm *form, GmcpToolSight *sight)
{
  if (form->digest == NULL)
    return FALSE;
  if (form->is_told)
    return g_str_equal (form->digest, gmcp_tool_sight_get_told_digest (sight));
  if (sight->is_whole && form->is_whole && g_strcmp0 (form->definition, sight->definition) == 0
      && strstr (sight->definition, GMCP_REDACTED) == NULL)
    return TRUE;

  return g_str_equal (form->digest, gmcp_tool_sight_get_digest (sight));
}

/* The rest of what the server says of it is compared from now on. */
static gboolean
adopt_rest (GmcpPinnedForm *form, GmcpToolSight *sight, GmcpToolPinsNews *news)
{
  if (!form->is_told)
    return FALSE;

  set_form (form, sight);
  news->n_adopted++;
  return TRUE;
}

/* Whether the pin is another one now; *flagged where it is a change that was not there before. */
static gboolean
see_again (GmcpPinnedTool *pin, GmcpToolSight *sight, gboolean *flagged, GmcpToolPinsNews *news)
{
  gboolean changed;

  if (is_of_form (&pin->approved, sight))
    {
      changed = adopt_rest (&pin->approved, sight, news);
      if (pin->pending.digest == NULL)
        return changed;
      gmcp_pinned_form_clear (&pin->pending);
      return TRUE;
    }
  if (is_of_form (&pin->pending, sight))
    {
      /* The pending form is approved as a whole. */
      changed = pin->pending.is_told;
      if (changed)
        set_form (&pin->pending, sight);
      return changed;
    }

  set_form (&pin->pending, sight);
  *flagged = TRUE;
  return TRUE;
}

static GmcpPinnedTool *
find_elsewhere (GmcpToolPins *self, GmcpPinnedServer *server, guint position, const char *key)
{
  GmcpPinnedServer *other = g_ptr_array_index (self->servers, position);

  return other != server && g_str_equal (other->id, server->id)
           ? g_hash_table_lookup (other->tools, key)
           : NULL;
}

/* Under another command or address, or by a host that can do other things: what the user has approved
 * under the id is still that, what waits or differs waits on, and nothing else is known to be bad. */
static GmcpPinnedTool *
see_elsewhere (GmcpToolPins *self, GmcpPinnedServer *server, GmcpToolSight *sight)
{
  GmcpPinnedTool *pin = g_new0 (GmcpPinnedTool, 1);
  gboolean known = FALSE;
  gboolean approved = FALSE;

  for (guint i = self->servers->len; i > 0 && !approved; i--)
    {
      GmcpPinnedTool *former = find_elsewhere (self, server, i - 1, sight->key);

      if (former == NULL)
        continue;
      known = TRUE;
      approved = is_of_form (&former->approved, sight);
      if (pin->approved.digest == NULL)
        copy_form (&pin->approved, &former->approved);
    }

  set_form (approved || !known ? &pin->approved : &pin->pending, sight);
  return pin;
}

/* What waited under the former command is told of where it is seen again; the present one waits now. Other
 * hosts still have the same command. */
static void
drop_pending_elsewhere (GmcpToolPins *self, GmcpPinnedServer *server, const char *key)
{
  for (guint i = 0; i < self->servers->len; i++)
    {
      GmcpPinnedServer *other = g_ptr_array_index (self->servers, i);
      GmcpPinnedTool *pin = find_elsewhere (self, server, i, key);

      if (pin == NULL || pin->pending.digest == NULL
          || g_str_equal (other->identity, server->identity))
        continue;
      gmcp_pinned_form_clear (&pin->pending);
      if (pin->approved.digest == NULL)
        g_hash_table_remove (other->tools, key);
    }
}

/* Whether the same id was seen later with another command. */
static gboolean
is_superseded (GmcpToolPins *self, guint position)
{
  GmcpPinnedServer *server = g_ptr_array_index (self->servers, position);

  for (guint i = position + 1; i < self->servers->len; i++)
    {
      GmcpPinnedServer *later = g_ptr_array_index (self->servers, i);

      if (g_str_equal (later->id, server->id) && !g_str_equal (later->identity, server->identity))
        return TRUE;
    }

  return FALSE;
}

/* A server that was forgotten would be taken as it is when it is seen again, so that only those go which
 * are not what stands under their id any more. */
static gboolean
make_room_for_server (GmcpToolPins *self)
{
  if (self->servers->len < GMCP_LIMIT_PINNED_SERVERS)
    return TRUE;

  for (guint i = 0; i < self->servers->len; i++)
    if (is_superseded (self, i))
      {
        g_ptr_array_remove_index (self->servers, i);
        return TRUE;
      }

  return FALSE;
}

/* What nobody ever approved and the server does not list any more need not be known. */
static void
drop_passing (GmcpPinnedServer *server, const GmcpToolPinsSighting *sighting)
{
  g_autoptr (GHashTable) present = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  const char *key;
  GmcpPinnedTool *pin;

  for (guint i = 0; i < sighting->n_tools; i++)
    g_hash_table_add (present, sighting->tools[i].key);

  g_hash_table_iter_init (&iter, server->tools);
  while (g_hash_table_iter_next (&iter, (gpointer *) &key, (gpointer *) &pin))
    if (pin->approved.digest == NULL && !g_hash_table_contains (present, key))
      g_hash_table_iter_remove (&iter);
}

static int
compare_definitions (gconstpointer a, gconstpointer b)
{
  gsize first = strlen ((*(GmcpPinnedForm *const *) a)->definition);
  gsize second = strlen ((*(GmcpPinnedForm *const *) b)->definition);

  return first < second ? 1 : first > second ? -1 : 0;
}

void
gmcp_pinned_server_limit_definitions (GmcpPinnedServer *server, gsize max_bytes)
{
  g_autoptr (GPtrArray) forms = g_ptr_array_new ();
  GHashTableIter iter;
  GmcpPinnedTool *pin;
  gsize n_bytes = 0;

  g_hash_table_iter_init (&iter, server->tools);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &pin))
    {
      GmcpPinnedForm *both[] = { &pin->approved, &pin->pending };

      for (gsize i = 0; i < G_N_ELEMENTS (both); i++)
        if (both[i]->definition != NULL)
          {
            n_bytes += strlen (both[i]->definition);
            g_ptr_array_add (forms, both[i]);
          }
    }
  if (n_bytes <= max_bytes)
    return;

  g_ptr_array_sort (forms, compare_definitions);
  for (guint i = 0; i < forms->len && n_bytes > max_bytes; i++)
    {
      GmcpPinnedForm *form = g_ptr_array_index (forms, i);

      n_bytes -= strlen (form->definition);
      g_clear_pointer (&form->definition, g_free);
      form->is_whole = FALSE;
    }
}

/* The server's record, or NULL. A record of an earlier version goes to the first server that fits
 * it. */
static GmcpPinnedServer *
find_seen (GmcpToolPins *self, const GmcpToolPinsSighting *sighting, gboolean *changed)
{
  GmcpPinnedServer *server
    = gmcp_tool_pins_find (self, sighting->server, sighting->identity, sighting->abilities);

  *changed = FALSE;
  if (server != NULL)
    return server;

  server = gmcp_tool_pins_find (self, sighting->server, sighting->identity, NULL);
  if (server != NULL)
    {
      server->abilities = g_strdup (sighting->abilities);
      *changed = TRUE;
    }
  return server;
}

gboolean
gmcp_tool_pins_see (GmcpToolPins *self,
                    const GmcpToolPinsSighting *sighting,
                    GmcpToolPinsNews *news)
{
  GmcpPinnedServer *server;
  gboolean first;
  gboolean changed;
  guint n_unpinned = 0;

  news->n_adopted = 0;
  news->n_unpinned = 0;
  /* A server that lists nothing yet has not been seen. */
  if (sighting->n_tools == 0)
    return FALSE;

  server = find_seen (self, sighting, &changed);
  first = server == NULL;
  if (first && !make_room_for_server (self))
    {
      news->n_unpinned = sighting->n_tools;
      return FALSE;
    }
  if (first)
    {
      server = gmcp_pinned_server_new (sighting->server, sighting->identity, sighting->abilities);
      g_ptr_array_add (self->servers, server);
    }
  else if (g_hash_table_size (server->tools) + sighting->n_tools > GMCP_LIMIT_PINNED_TOOLS)
    {
      drop_passing (server, sighting);
    }

  for (guint i = 0; i < sighting->n_tools; i++)
    {
      GmcpToolSight *sight = &sighting->tools[i];
      GmcpPinnedTool *pin = g_hash_table_lookup (server->tools, sight->key);
      gboolean is_flagged = FALSE;

      if (pin != NULL)
        {
          changed = see_again (pin, sight, &is_flagged, news) || changed;
        }
      else if (g_hash_table_size (server->tools) >= GMCP_LIMIT_PINNED_TOOLS)
        {
          n_unpinned++;
        }
      else
        {
          if (first)
            {
              pin = see_elsewhere (self, server, sight);
              drop_pending_elsewhere (self, server, sight->key);
            }
          else
            {
              pin = g_new0 (GmcpPinnedTool, 1);
              set_form (&pin->pending, sight);
            }
          g_hash_table_insert (server->tools, g_strdup (sight->key), pin);
          is_flagged = pin->pending.digest != NULL;
          changed = TRUE;
        }
      if (is_flagged && news->flagged != NULL)
        g_array_append_val (news->flagged, i);
    }

  gmcp_pinned_server_limit_definitions (server, GMCP_LIMIT_PINNED_SERVER_BYTES);
  if (n_unpinned != server->n_unpinned)
    news->n_unpinned = n_unpinned;
  server->n_unpinned = n_unpinned;
  return changed;
}

static GmcpPinStatus
get_status (const GmcpPinnedTool *pin)
{
  if (pin->pending.digest == NULL)
    return GMCP_PIN_STATUS_APPROVED;

  return pin->approved.digest != NULL ? GMCP_PIN_STATUS_CHANGED : GMCP_PIN_STATUS_NEW;
}

void
gmcp_tool_pins_get_statuses (GmcpToolPins *self,
                             const GmcpToolPinsSighting *sighting,
                             GmcpPinStatus *statuses)
{
  GmcpPinnedServer *server
    = gmcp_tool_pins_find (self, sighting->server, sighting->identity, sighting->abilities);

  for (guint i = 0; i < sighting->n_tools; i++)
    {
      GmcpPinnedTool *pin
        = server != NULL ? g_hash_table_lookup (server->tools, sighting->tools[i].key) : NULL;

      statuses[i] = pin != NULL ? get_status (pin) : GMCP_PIN_STATUS_NEW;
    }
}

gboolean
gmcp_tool_pins_have (GmcpToolPins *self, const char *id, const char *tool)
{
  for (guint i = 0; i < self->servers->len; i++)
    {
      GmcpPinnedServer *server = g_ptr_array_index (self->servers, i);

      if ((id == NULL || g_str_equal (server->id, id))
          && (tool == NULL || g_hash_table_contains (server->tools, tool)))
        return TRUE;
    }
  return FALSE;
}

guint
gmcp_tool_pins_approve (GmcpToolPins *self,
                        const char *id,
                        const char *tool,
                        const char *const *digests)
{
  guint n_approved = 0;

  for (guint i = 0; i < self->servers->len; i++)
    {
      GmcpPinnedServer *server = g_ptr_array_index (self->servers, i);
      GHashTableIter iter;
      const char *key;
      GmcpPinnedTool *pin;

      if (id != NULL && !g_str_equal (server->id, id))
        continue;

      g_hash_table_iter_init (&iter, server->tools);
      while (g_hash_table_iter_next (&iter, (gpointer *) &key, (gpointer *) &pin))
        {
          if (pin->pending.digest == NULL || (tool != NULL && !g_str_equal (key, tool))
              || (digests != NULL && !g_strv_contains (digests, pin->pending.digest)))
            continue;
          gmcp_pinned_form_clear (&pin->approved);
          pin->approved = pin->pending;
          pin->pending = (GmcpPinnedForm){ NULL };
          n_approved++;
        }
    }

  return n_approved;
}

gboolean
gmcp_tool_pins_have_approved (GmcpToolPins *self,
                              const char *id,
                              const char *tool,
                              const char *const *digests)
{
  for (guint i = 0; i < self->servers->len; i++)
    {
      GmcpPinnedServer *server = g_ptr_array_index (self->servers, i);
      GmcpPinnedTool *pin
        = g_str_equal (server->id, id) ? g_hash_table_lookup (server->tools, tool) : NULL;

      if (pin != NULL && pin->approved.digest != NULL
          && g_strv_contains (digests, pin->approved.digest))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_same_pin (const GmcpPinnedTool *a, const GmcpPinnedTool *b)
{
  return g_strcmp0 (a->approved.digest, b->approved.digest) == 0
         && g_strcmp0 (a->pending.digest, b->pending.digest) == 0;
}

/* What several hosts see alike is one to who looks at it. */
static gboolean
is_shown_before (GmcpToolPins *self, guint position, const char *key, const GmcpPinnedTool *pin)
{
  GmcpPinnedServer *server = g_ptr_array_index (self->servers, position);

  for (guint i = 0; i < position; i++)
    {
      GmcpPinnedServer *other = g_ptr_array_index (self->servers, i);
      GmcpPinnedTool *its = find_elsewhere (self, server, i, key);

      if (its != NULL && g_str_equal (other->identity, server->identity) && is_same_pin (its, pin))
        return TRUE;
    }

  return FALSE;
}

static void
show_pin (const char *id,
          const char *key,
          const GmcpPinnedTool *pin,
          GmcpToolPinsFunc func,
          gpointer data)
{
  const GmcpPinnedForm *present = pin->pending.digest != NULL ? &pin->pending : &pin->approved;
  const GmcpToolPinView view = {
    .server = id,
    .tool = key,
    .status = get_status (pin),
    .approved = pin->approved.definition,
    .approved_digest = pin->approved.digest,
    .present = present->definition,
    .present_digest = present->digest,
  };

  func (&view, data);
}

void
gmcp_tool_pins_foreach (GmcpToolPins *self, GmcpToolPinsFunc func, gpointer data)
{
  for (guint i = 0; i < self->servers->len; i++)
    {
      GmcpPinnedServer *server = g_ptr_array_index (self->servers, i);
      g_autoptr (GPtrArray) keys = gmcp_pinned_server_list_keys (server);

      for (guint j = 0; j < keys->len; j++)
        {
          const char *key = g_ptr_array_index (keys, j);
          const GmcpPinnedTool *pin = g_hash_table_lookup (server->tools, key);

          if (!is_shown_before (self, i, key, pin))
            show_pin (server->id, key, pin, func, data);
        }
    }
}
