/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-announcer.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli-affirm.h"

/* A server that changes many tools may announce each. */
#define SETTLE_MS   100
#define SHOWN_NAMES 5

struct _CliAnnouncer
{
  CliHost *session;
  gboolean is_on;
  GHashTable *known; /* server and tool → hash of what was said of it */
  GSource *settle;
};

/* What can become of a tool. */
typedef enum
{
  CHANGE_ADDED,
  CHANGE_CHANGED,
  CHANGE_REMOVED,
  N_CHANGES,
} Change;

/* The tools of one server that had one, by what it is. */
typedef struct
{
  GPtrArray *names[N_CHANGES];
} Changes;

static Changes *
changes_new (void)
{
  Changes *self = g_new0 (Changes, 1);

  for (guint i = 0; i < N_CHANGES; i++)
    self->names[i] = g_ptr_array_new_with_free_func (g_free);
  return self;
}

static void
changes_free (Changes *self)
{
  for (guint i = 0; i < N_CHANGES; i++)
    g_ptr_array_unref (self->names[i]);
  g_free (self);
}

static char *
make_key (const char *server, const char *tool)
{
  return g_strdup_printf ("%s\n%s", server, tool);
}

static void
add_change (GHashTable *servers, const char *key, Change change)
{
  const char *end = strchr (key, '\n');
  g_autofree char *server = g_strndup (key, (gsize) (end - key));
  Changes *changes = g_hash_table_lookup (servers, server);

  if (changes == NULL)
    {
      changes = changes_new ();
      g_hash_table_insert (servers, g_steal_pointer (&server), changes);
    }
  g_ptr_array_add (changes->names[change], g_strdup (end + 1));
}

static GHashTable *
take_stock (CliHost *session)
{
  GHashTable *known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < session->providers->len; i++)
    {
      GListModel *tools = gmcp_tool_provider_get_tools (g_ptr_array_index (session->providers, i));
      guint n = g_list_model_get_n_items (tools);

      for (guint k = 0; k < n; k++)
        {
          g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, k);
          const char *server = gmcp_tool_get_server_id (tool);
          g_autofree char *text = gmcp_definition_dup_json (GMCP_DEFINITION (tool));

          if (server != NULL)
            g_hash_table_insert (known, make_key (server, gmcp_tool_get_server_tool_name (tool)),
                                 GUINT_TO_POINTER (g_str_hash (text)));
        }
    }
  return known;
}

static GHashTable *
find_changes (GHashTable *before, GHashTable *now)
{
  GHashTable *servers
    = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) changes_free);
  GHashTableIter iter;
  gpointer key, value, old;

  g_hash_table_iter_init (&iter, now);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      if (!g_hash_table_lookup_extended (before, key, NULL, &old))
        add_change (servers, key, CHANGE_ADDED);
      else if (old != value)
        add_change (servers, key, CHANGE_CHANGED);
    }
  g_hash_table_iter_init (&iter, before);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!g_hash_table_contains (now, key))
      add_change (servers, key, CHANGE_REMOVED);
  return servers;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

/* “; new: a, b and 3 more” */
static void
append_names (GString *text, const char *title, GPtrArray *names)
{
  if (names->len == 0)
    return;

  g_ptr_array_sort (names, compare_names);
  g_string_append_printf (text, "%s%s ", text->len > 0 ? "; " : "", title);
  for (guint i = 0; i < MIN (names->len, SHOWN_NAMES); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            (const char *) g_ptr_array_index (names, i));
  if (names->len > SHOWN_NAMES)
    {
      guint n_more = names->len - SHOWN_NAMES;

      /* Translators: behind a list of names */
      g_string_append_printf (text, g_dngettext (NULL, " and %u more", " and %u more", n_more),
                              n_more);
    }
}

static void
tell_changes (GHashTable *servers)
{
  GList *ids = g_list_sort (g_hash_table_get_keys (servers), (GCompareFunc) g_strcmp0);

  for (GList *id = ids; id != NULL; id = id->next)
    {
      Changes *changes = g_hash_table_lookup (servers, id->data);
      g_autoptr (GString) text = g_string_new (NULL);

      /* Translators: before names of tools; the next two as well */
      append_names (text, _ ("new:"), changes->names[CHANGE_ADDED]);
      append_names (text, _ ("changed:"), changes->names[CHANGE_CHANGED]);
      append_names (text, _ ("gone:"), changes->names[CHANGE_REMOVED]);
      /* Translators: a server, and what there is of its tools: “new: a, b; gone: c” */
      g_printerr (_ ("%s has other tools now; %s\n"), (const char *) id->data, text->str);
    }
  g_list_free (ids);
}

static void
stop_settling (CliAnnouncer *self)
{
  if (self->settle != NULL)
    g_source_destroy (self->settle);
  g_clear_pointer (&self->settle, g_source_unref);
}

static gboolean
on_settled (gpointer user_data)
{
  CliAnnouncer *self = user_data;
  g_autoptr (GHashTable) now = take_stock (self->session);
  g_autoptr (GHashTable) changes = find_changes (self->known, now);

  g_clear_pointer (&self->settle, g_source_unref);
  g_hash_table_unref (self->known);
  self->known = g_steal_pointer (&now);
  tell_changes (changes);
  return G_SOURCE_REMOVE;
}

static void
on_items_changed (GListModel *tools, guint position, guint removed, guint added, CliAnnouncer *self)
{
  if (!self->is_on || self->settle != NULL)
    return;

  self->settle = g_timeout_source_new (SETTLE_MS);
  g_source_set_callback (self->settle, on_settled, self, NULL);
  g_source_attach (self->settle, NULL);
}

static void
on_notice (GmcpToolProvider *provider,
           const char *server_id,
           GmcpNoticeLevel level,
           const char *message,
           CliAnnouncer *self)
{
  if (self->is_on)
    g_printerr ("gmcp: %s\n", message);
}

/* Servers are told when they start whether anybody can be asked, whichever command starts them; that is so for as
 * long as this is connected. A question that nobody takes counts as cancelled. */
static void
on_input_requested (GmcpToolProvider *provider, GmcpInputRequest *request, CliAnnouncer *self)
{
  const char *server = gmcp_input_request_get_server_name (request);

  if (self->is_on)
    g_printerr (_ ("%s asks something, and is not answered: no call waits for it\n"),
                server != NULL ? server : "?");
}

CliAnnouncer *
cli_announcer_new (CliHost *session)
{
  CliAnnouncer *self = g_new0 (CliAnnouncer, 1);

  self->session = session;
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < session->providers->len; i++)
    {
      GmcpToolProvider *provider = g_ptr_array_index (session->providers, i);

      g_signal_connect (provider, "notice", G_CALLBACK (on_notice), self);
      if (cli_may_ask ())
        g_signal_connect (provider, "input-requested", G_CALLBACK (on_input_requested), self);
      g_signal_connect (gmcp_tool_provider_get_tools (provider), "items-changed",
                        G_CALLBACK (on_items_changed), self);
    }
  return self;
}

void
cli_announcer_free (CliAnnouncer *self)
{
  cli_announcer_end (self);
  for (guint i = 0; i < self->session->providers->len; i++)
    {
      GmcpToolProvider *provider = g_ptr_array_index (self->session->providers, i);

      g_signal_handlers_disconnect_by_data (provider, self);
      g_signal_handlers_disconnect_by_data (gmcp_tool_provider_get_tools (provider), self);
    }
  g_hash_table_unref (self->known);
  g_free (self);
}

void
cli_announcer_begin (CliAnnouncer *self)
{
  g_hash_table_unref (self->known);
  self->known = take_stock (self->session);
  self->is_on = TRUE;
}

void
cli_announcer_end (CliAnnouncer *self)
{
  stop_settling (self);
  self->is_on = FALSE;
}
