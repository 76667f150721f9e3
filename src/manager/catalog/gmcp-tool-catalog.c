/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-bare-names-private.h"
#include "gmcp-call-record-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-object-list-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-server-instructions-private.h"
#include "gmcp-tool-catalog-private.h"
#include "gmcp-tool-private.h"

#include <gmcp/core/gmcp-error.h>

struct _GmcpCatalogEntry
{
  GmcpManagedServer *server;      /* not owned */
  GmcpTool *tool;                 /* under its listed name */
  GmcpPolicyDecision decision;    /* where a call has no role of its own */
  GmcpToolStatistics *statistics; /* of its calls; not owned, NULL before the first */
  GmcpPinStatus pin_status;
};

/* One server and its tools. */
typedef struct
{
  GmcpToolCatalog *catalog; /* NULL once the server is not in it any more */
  GmcpManagedServer *server;
  GPtrArray *entries; /* of GmcpCatalogEntry, in the order of the server's tools */
} Section;

struct _GmcpToolCatalog
{
  GmcpToolCatalogParts parts;
  const GmcpToolCatalogHooks *hooks;
  GObject *owner;

  GHashTable *sections; /* GmcpManagedServer, borrowed → Section */
  GmcpToolNames *names;
  GmcpBareNames *bare_names;
  GmcpToolNameStyle style;
  GmcpObjectList *tools;
  char *instructions;

  guint n_held;           /* changes of the list that are under way */
  guint n_rules_held;     /* changes of rules that are under way, after which tools are judged */
  gboolean is_stale;      /* the decisions in the entries are of older rules */
  gboolean rules_changed; /* which is still to be told of */
  guint n_judged;
};

static void
entry_free (GmcpCatalogEntry *entry)
{
  g_clear_object (&entry->tool);
  gmcp_policy_decision_clear (&entry->decision);
  g_free (entry);
}

static void
entries_free (GPtrArray *entries)
{
  g_ptr_array_set_free_func (entries, (GDestroyNotify) entry_free);
  g_ptr_array_unref (entries);
}

static void
section_clear (gpointer data)
{
  Section *section = data;

  g_object_unref (section->server);
  entries_free (section->entries);
}

static void
section_unref (Section *section)
{
  g_rc_box_release_full (section, section_clear);
}

/* Code that still works with the section finds it empty. */
static void
section_drop (gpointer data)
{
  Section *section = data;

  g_signal_handlers_disconnect_by_data (section->server, section);
  section->catalog = NULL;
  section_unref (section);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Section, section_unref)

GmcpToolCatalog *
gmcp_tool_catalog_new (const GmcpToolCatalogParts *parts,
                       const GmcpToolCatalogHooks *hooks,
                       GObject *owner)
{
  GmcpToolCatalog *self = g_new0 (GmcpToolCatalog, 1);

  self->parts = *parts;
  self->hooks = hooks;
  self->owner = owner;
  self->sections = g_hash_table_new_full (NULL, NULL, NULL, section_drop);
  self->style = GMCP_TOOL_NAME_STYLE_SERVER_TOOL;
  self->names = gmcp_tool_names_new (self->style);
  self->bare_names = gmcp_bare_names_new (self->names, parts->servers, parts->pins, parts->state);
  self->tools = gmcp_object_list_new (GMCP_TYPE_TOOL);
  return self;
}

void
gmcp_tool_catalog_free (GmcpToolCatalog *self)
{
  g_hash_table_unref (self->sections);
  gmcp_tool_names_free (self->names);
  gmcp_bare_names_free (self->bare_names);
  g_object_unref (self->tools);
  g_free (self->instructions);
  g_free (self);
}

GListModel *
gmcp_tool_catalog_get_tools (GmcpToolCatalog *self)
{
  return G_LIST_MODEL (self->tools);
}

const char *
gmcp_tool_catalog_get_instructions (GmcpToolCatalog *self)
{
  return self->instructions;
}

guint
gmcp_tool_catalog_get_n_judged (GmcpToolCatalog *self)
{
  return self->n_judged;
}

GmcpManagedServer *
gmcp_catalog_entry_get_server (const GmcpCatalogEntry *entry)
{
  return entry->server;
}

GmcpTool *
gmcp_catalog_entry_get_tool (const GmcpCatalogEntry *entry)
{
  return entry->tool;
}

void
gmcp_catalog_entry_resolve_call (GmcpCatalogEntry *entry, GmcpToolCall *call)
{
  GmcpCallStatistics *statistics = gmcp_managed_server_get_call_statistics (entry->server);
  GmcpCallLimiter *limiter = gmcp_managed_server_get_call_limiter (entry->server);

  if (entry->statistics == NULL)
    entry->statistics
      = gmcp_call_statistics_get_tool (statistics, gmcp_tool_get_server_tool_name (entry->tool));
  gmcp_call_limiter_use_config (limiter, gmcp_managed_server_get_config (entry->server));
  gmcp_call_record_resolve (call, statistics, entry->statistics, limiter);
}

/* What is judged. */

static GmcpPolicySubject
get_subject (GmcpCatalogEntry *entry)
{
  return (GmcpPolicySubject){
    .server = gmcp_managed_server_get_id (entry->server),
    .tool = gmcp_tool_get_server_tool_name (entry->tool),
    .definition = entry->tool,
    .pin_status = entry->pin_status,
    .trusted = gmcp_server_config_is_trusted (gmcp_managed_server_get_config (entry->server)),
  };
}

static void
judge_now (GmcpToolCatalog *self, GmcpCatalogEntry *entry)
{
  const GmcpPolicySubject subject = get_subject (entry);

  self->n_judged++;
  gmcp_policy_decision_clear (&entry->decision);
  gmcp_tool_access_judge (self->parts.access, &subject, NULL, &entry->decision);
}

static void
judge_entry (GmcpToolCatalog *self, GmcpCatalogEntry *entry)
{
  if (self->n_rules_held > 0)
    self->is_stale = TRUE;
  else
    judge_now (self, entry);
}

/* The decisions in the entries are those of the newest rules from then on. */
static inline void
ensure_judged (GmcpToolCatalog *self)
{
  GHashTableIter iter;
  gpointer section;

  if (G_LIKELY (!self->is_stale))
    return;

  self->is_stale = FALSE;
  g_hash_table_iter_init (&iter, self->sections);
  while (g_hash_table_iter_next (&iter, NULL, &section))
    {
      GPtrArray *entries = ((Section *) section)->entries;

      for (guint i = 0; i < entries->len; i++)
        judge_now (self, g_ptr_array_index (entries, i));
    }
}

const GmcpPolicyDecision *
gmcp_tool_catalog_peek_decision (GmcpToolCatalog *self, GmcpCatalogEntry *entry)
{
  ensure_judged (self);
  return &entry->decision;
}

void
gmcp_tool_catalog_judge (GmcpToolCatalog *self,
                         GmcpCatalogEntry *entry,
                         const char *role,
                         GmcpPolicyDecision *decision)
{
  if (role == NULL)
    {
      ensure_judged (self);
      *decision = entry->decision;
      decision->rule = g_strdup (entry->decision.rule);
    }
  else
    {
      const GmcpPolicySubject subject = get_subject (entry);

      gmcp_tool_access_judge (self->parts.access, &subject, role, decision);
    }
}

/* What is listed. */

static gboolean
includes_server (GmcpToolCatalog *self, GmcpManagedServer *server)
{
  return self->hooks->includes_server (server, self->owner);
}

/* NULL where the server was not added. */
static Section *
get_section (GmcpToolCatalog *self, guint position)
{
  return g_hash_table_lookup (self->sections,
                              gmcp_server_table_get_server (self->parts.servers, position));
}

static void
add_allowed (GPtrArray *items, Section *section)
{
  for (guint i = 0; i < section->entries->len; i++)
    {
      GmcpCatalogEntry *entry = g_ptr_array_index (section->entries, i);

      if (entry->decision.allowed)
        g_ptr_array_add (items, entry->tool);
    }
}

void
gmcp_tool_catalog_refresh_list (GmcpToolCatalog *self)
{
  g_autoptr (GPtrArray) items = NULL;

  if (self->n_held > 0 || self->n_rules_held > 0)
    return;

  items = g_ptr_array_new ();
  for (guint i = 0; i < gmcp_server_table_get_length (self->parts.servers); i++)
    {
      Section *section = get_section (self, i);

      if (section != NULL && includes_server (self, section->server))
        add_allowed (items, section);
    }

  gmcp_object_list_set_items (self->tools, (gpointer const *) items->pdata, items->len);
}

static gboolean
shows_server (GmcpManagedServer *server, gpointer data)
{
  GmcpToolCatalog *self = data;

  return includes_server (self, server)
         && gmcp_tool_access_may_reach (self->parts.access, gmcp_managed_server_get_id (server),
                                        NULL);
}

void
gmcp_tool_catalog_refresh_instructions (GmcpToolCatalog *self)
{
  g_autofree char *text = gmcp_server_instructions_gather (self->parts.servers, shows_server, self);

  if (g_strcmp0 (self->instructions, text) == 0)
    return;

  g_free (self->instructions);
  self->instructions = g_steal_pointer (&text);
  self->hooks->instructions_changed (self->owner);
}

/* The tools of one server. */

/* The former listed tool where the tool is unchanged, so that its holders see no change. */
static GmcpTool *
make_listed (GHashTable *former, GmcpTool *original, const char *server, const char *listed)
{
  GmcpCatalogEntry *entry = g_hash_table_lookup (former, gmcp_tool_get_server_tool_name (original));

  if (entry != NULL
      && g_str_equal (gmcp_definition_get_name (GMCP_DEFINITION (entry->tool)), listed)
      && gmcp_tool_same_definition (entry->tool, original))
    return g_object_ref (entry->tool);

  return gmcp_tool_new_listed (original, server, listed);
}

static GHashTable *
index_entries (GPtrArray *entries)
{
  GHashTable *table = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < entries->len; i++)
    {
      GmcpCatalogEntry *entry = g_ptr_array_index (entries, i);

      g_hash_table_insert (table, (gpointer) gmcp_tool_get_server_tool_name (entry->tool), entry);
    }

  return table;
}

/* Takes the former entries. */
static void
drop_former (GmcpToolCatalog *self, const char *server, GPtrArray *former, GPtrArray *entries)
{
  g_autoptr (GHashTable) present = former->len > 0 ? index_entries (entries) : NULL;

  for (guint i = 0; i < former->len; i++)
    {
      GmcpCatalogEntry *entry = g_ptr_array_index (former, i);
      const char *tool = gmcp_tool_get_server_tool_name (entry->tool);

      if (!g_hash_table_contains (present, tool))
        gmcp_tool_names_remove (self->names, server, tool);
    }

  entries_free (former);
}

static GPtrArray *
make_entries (GmcpToolCatalog *self, Section *section)
{
  const char *server = gmcp_managed_server_get_id (section->server);
  GPtrArray *tools = gmcp_managed_server_peek_tools (section->server);
  GPtrArray *entries = g_ptr_array_new_full (tools->len, NULL);
  g_autoptr (GHashTable) former = index_entries (section->entries);
  g_autofree GmcpToolName *names = g_new0 (GmcpToolName, tools->len);

  for (guint i = 0; i < tools->len; i++)
    {
      GmcpCatalogEntry *entry = g_new0 (GmcpCatalogEntry, 1);

      entry->server = section->server;
      g_ptr_array_add (entries, entry);
      names[i].server = server;
      names[i].tool = gmcp_tool_get_server_tool_name (g_ptr_array_index (tools, i));
      names[i].data = entry;
    }

  gmcp_tool_names_add (self->names, names, tools->len);
  gmcp_bare_names_keep (self->bare_names);
  for (guint i = 0; i < tools->len; i++)
    ((GmcpCatalogEntry *) g_ptr_array_index (entries, i))->tool
      = make_listed (former, g_ptr_array_index (tools, i), server, names[i].listed);
  return entries;
}

/* Compares the tools with what they were before. Gives what is to be told of that. */
static GPtrArray *
compare_pins (GmcpToolCatalog *self, Section *section)
{
  GPtrArray *entries = section->entries;
  g_autofree GmcpTool **tools = g_new (GmcpTool *, entries->len);
  g_autofree GmcpPinStatus *statuses = g_new (GmcpPinStatus, entries->len);
  const GmcpPinnedServer server = {
    .id = gmcp_managed_server_get_id (section->server),
    .config = gmcp_managed_server_get_tools_config (section->server),
    .abilities
    = gmcp_client_abilities_to_string (gmcp_managed_server_get_tools_abilities (section->server)),
    .redactor = gmcp_redactor_get_certain (self->parts.redactor),
    .tools = tools,
    .n_tools = entries->len,
  };
  GPtrArray *messages;

  for (guint i = 0; i < entries->len; i++)
    tools[i] = ((GmcpCatalogEntry *) g_ptr_array_index (entries, i))->tool;
  messages = gmcp_pin_store_see (self->parts.pins, &server, statuses);
  for (guint i = 0; i < entries->len; i++)
    ((GmcpCatalogEntry *) g_ptr_array_index (entries, i))->pin_status = statuses[i];
  return messages;
}

/* A listener may change the configuration, after which the section is not in the catalog any
 * more. */
static void
see_section (GmcpToolCatalog *self, Section *section)
{
  g_autofree char *id = g_strdup (gmcp_managed_server_get_id (section->server));
  g_autoptr (GPtrArray) messages = compare_pins (self, section);

  for (guint i = 0; i < messages->len; i++)
    self->hooks->warn (id, g_ptr_array_index (messages, i), self->owner);
}

static void
on_tools_changed (GmcpManagedServer *server, gpointer data)
{
  g_autoptr (Section) section = g_rc_box_acquire (data);
  GmcpToolCatalog *self = section->catalog;
  g_autoptr (GObject) alive G_GNUC_UNUSED = g_object_ref (self->owner);
  GPtrArray *former = section->entries;

  section->entries = make_entries (self, section);
  drop_former (self, gmcp_managed_server_get_id (server), former, section->entries);
  see_section (self, section);
  if (section->catalog == NULL)
    return;

  for (guint i = 0; i < section->entries->len; i++)
    judge_entry (self, g_ptr_array_index (section->entries, i));
  gmcp_tool_catalog_refresh_list (self);
  gmcp_tool_catalog_refresh_instructions (self);
}

static void
on_state_changed (GmcpManagedServer *server, GParamSpec *pspec, gpointer data)
{
  gmcp_tool_catalog_refresh_instructions (((Section *) data)->catalog);
}

void
gmcp_tool_catalog_add_server (GmcpToolCatalog *self, GmcpManagedServer *server)
{
  Section *section = g_rc_box_new0 (Section);

  section->catalog = self;
  section->server = g_object_ref (server);
  section->entries = g_ptr_array_new ();
  g_hash_table_insert (self->sections, server, section);
  g_signal_connect (server, "tools-changed", G_CALLBACK (on_tools_changed), section);
  g_signal_connect (server, "notify::state", G_CALLBACK (on_state_changed), section);
}

void
gmcp_tool_catalog_remove_server (GmcpToolCatalog *self, GmcpManagedServer *server)
{
  gmcp_tool_names_remove_server (self->names, gmcp_managed_server_get_id (server));
  g_hash_table_remove (self->sections, server);
}

void
gmcp_tool_catalog_compare_pins (GmcpToolCatalog *self)
{
  g_autoptr (GObject) alive G_GNUC_UNUSED = g_object_ref (self->owner);
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (self->parts.servers);

  for (guint i = 0; i < servers->len; i++)
    {
      Section *section = g_hash_table_lookup (self->sections, g_ptr_array_index (servers, i));

      if (section != NULL)
        see_section (self, section);
    }
  gmcp_tool_catalog_refresh_rules (self);
}

gboolean
gmcp_tool_catalog_take_pins (GmcpToolCatalog *self, GBytes *bytes, GError **error)
{
  if (!gmcp_pin_store_take (self->parts.pins, bytes, error))
    return FALSE;

  gmcp_bare_names_forget_rivals (self->bare_names);
  gmcp_tool_catalog_compare_pins (self);
  return TRUE;
}

/* Names. */

static void
relabel_section (GmcpToolCatalog *self, Section *section)
{
  const char *server = gmcp_managed_server_get_id (section->server);
  GPtrArray *tools = gmcp_managed_server_peek_tools (section->server);

  for (guint i = 0; i < section->entries->len; i++)
    {
      GmcpCatalogEntry *entry = g_ptr_array_index (section->entries, i);
      GmcpTool *original = g_ptr_array_index (tools, i);
      const char *listed = gmcp_tool_names_lookup_listed (
        self->names, server, gmcp_tool_get_server_tool_name (original));

      if (!g_str_equal (listed, gmcp_definition_get_name (GMCP_DEFINITION (entry->tool))))
        {
          g_object_unref (entry->tool);
          entry->tool = gmcp_tool_new_listed (original, server, listed);
        }
      /* A rule may be a listed name. */
      judge_entry (self, entry);
    }
}

/* Tools are named otherwise than they are listed. */
static void
relabel_tools (GmcpToolCatalog *self)
{
  for (guint i = 0; i < gmcp_server_table_get_length (self->parts.servers); i++)
    {
      Section *section = get_section (self, i);

      if (section != NULL)
        relabel_section (self, section);
    }

  gmcp_tool_catalog_refresh_list (self);
}

void
gmcp_tool_catalog_set_style (GmcpToolCatalog *self, GmcpToolNameStyle style)
{
  self->style = style;
  if (style == GMCP_TOOL_NAME_STYLE_BARE)
    gmcp_bare_names_reserve (self->bare_names);
  gmcp_tool_names_set_style (self->names, style);
  gmcp_bare_names_keep (self->bare_names);
  relabel_tools (self);
}

gboolean
gmcp_tool_catalog_take_names (GmcpToolCatalog *self, GBytes *bytes, GError **error)
{
  if (!gmcp_bare_names_take (self->bare_names, bytes, error))
    return FALSE;

  /* Another program may have given a name a moment before this one did: it is the other tool's. */
  if (self->style == GMCP_TOOL_NAME_STYLE_BARE && gmcp_bare_names_reserve (self->bare_names))
    relabel_tools (self);
  return TRUE;
}

GmcpTool *
gmcp_tool_catalog_dup_listed (GmcpToolCatalog *self, GmcpManagedServer *server, GmcpTool *original)
{
  const char *id = gmcp_managed_server_get_id (server);
  const char *tool = gmcp_tool_get_server_tool_name (original);
  const char *listed = gmcp_tool_names_lookup_listed (self->names, id, tool);
  g_autofree char *formatted = NULL;

  /* Tools of a server that is unhealthy are not taken before it is well. */
  if (listed == NULL)
    listed = formatted = gmcp_tool_name_format (self->style, id, tool);
  return gmcp_tool_new_listed (original, id, listed);
}

typedef struct
{
  GmcpToolCatalog *catalog;
  const char *role;
} Caller;

static gboolean
is_entry_visible (gpointer item, gpointer data)
{
  GmcpCatalogEntry *entry = item;
  const Caller *caller = data;
  g_auto (GmcpPolicyDecision) decision = { 0 };

  ensure_judged (caller->catalog);
  if (!entry->decision.allowed || !includes_server (caller->catalog, entry->server))
    return FALSE;

  gmcp_tool_catalog_judge (caller->catalog, entry, caller->role, &decision);
  return decision.allowed;
}

/* Whether SERVER.TOOL speaks of another server than the one that has a tool called just so. */
static gboolean
names_other_server (GmcpToolCatalog *self, const char *name, const char *server)
{
  const char *dot = strchr (name, '.');
  g_autofree char *id = dot != NULL ? g_strndup (name, (gsize) (dot - name)) : NULL;

  return id != NULL && strcmp (id, server) != 0
         && gmcp_server_table_find (self->parts.servers, id) != NULL;
}

gboolean
gmcp_tool_catalog_find (GmcpToolCatalog *self,
                        const char *name,
                        const char *role,
                        GmcpToolName *found,
                        GError **error)
{
  Caller caller = { self, role };

  if (!gmcp_tool_names_find_shown (self->names, name, is_entry_visible, &caller, found, error))
    return FALSE;
  if (!names_other_server (self, name, found->server))
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL, _ ("There is no tool called %s.%s"),
               name, "");
  return FALSE;
}

GmcpCatalogEntry *
gmcp_tool_catalog_lookup (GmcpToolCatalog *self, const char *server, const char *tool)
{
  g_autofree char *name = g_strconcat (server, ".", tool, NULL);
  GmcpToolName found;

  /* No listed name has a dot, so this is the pair and nothing else. */
  return gmcp_tool_names_find (self->names, name, &found, NULL) ? found.data : NULL;
}

gboolean
gmcp_tool_catalog_recall (GmcpToolCatalog *self,
                          const char *name,
                          const char **server,
                          const char **tool)
{
  return gmcp_tool_names_recall (self->names, name, server, tool);
}

/* Changes that are told of at their end. */

void
gmcp_tool_catalog_hold (GmcpToolCatalog *self)
{
  if (self->n_held++ == 0)
    gmcp_tool_names_hold (self->names);
}

void
gmcp_tool_catalog_release (GmcpToolCatalog *self)
{
  g_autoptr (GObject) alive G_GNUC_UNUSED = g_object_ref (self->owner);

  if (--self->n_held == 0 && gmcp_tool_names_settle (self->names))
    {
      gmcp_bare_names_keep (self->bare_names);
      relabel_tools (self);
    }
  gmcp_tool_catalog_refresh_list (self);
}

static void
settle_rules (GmcpToolCatalog *self)
{
  g_autoptr (GObject) alive G_GNUC_UNUSED = NULL;

  if (self->n_rules_held > 0)
    return;

  alive = g_object_ref (self->owner);
  ensure_judged (self);
  gmcp_tool_catalog_refresh_list (self);
  gmcp_tool_catalog_refresh_instructions (self);
  if (self->n_rules_held > 0 || !self->rules_changed)
    return;

  self->rules_changed = FALSE;
  self->hooks->rules_changed (self->owner);
}

void
gmcp_tool_catalog_refresh_rules (GmcpToolCatalog *self)
{
  self->is_stale = TRUE;
  self->rules_changed = TRUE;
  settle_rules (self);
}

void
gmcp_tool_catalog_hold_rules (GmcpToolCatalog *self)
{
  self->n_rules_held++;
}

void
gmcp_tool_catalog_release_rules (GmcpToolCatalog *self)
{
  self->n_rules_held--;
  settle_rules (self);
}
