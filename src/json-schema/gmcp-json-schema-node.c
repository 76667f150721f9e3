/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-schema-node-private.h"

/* What is longer is cut, so that no message grows with what a peer sent. */
#define MAX_TEXT_CHARS 120
#define MAX_TEXT_BYTES 2048u
#define MAX_PATH_STEPS 40

/* Up to this many entries, comparing with each is faster than hashing. */
#define MAX_LINEAR_ENTRIES 12

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const GmcpSchemaEntry *x = a, *y = b;

  if (x->hash != y->hash)
    return x->hash < y->hash ? -1 : 1;
  return (x->key.index > y->key.index) - (x->key.index < y->key.index);
}

static void
unite_entries (GmcpSchemaEntry *entry, const GmcpSchemaEntry *other)
{
  if (other->node != NULL)
    entry->node = other->node;
  if (other->required != 0)
    entry->required = other->required;
}

void
gmcp_schema_table_init (GmcpSchemaTable *table, GArray *entries)
{
  guint n = 0;

  for (guint i = 0; i < entries->len; i++)
    {
      GmcpSchemaEntry *entry = &g_array_index (entries, GmcpSchemaEntry, i);

      entry->hash = gmcp_json_value_hash (entry->key);
      entry->plain = gmcp_json_value_peek_plain (entry->key, &entry->plain_length);
    }
  g_array_sort (entries, compare_entries);

  for (guint i = 0; i < entries->len; i++)
    {
      GmcpSchemaEntry *entry = &g_array_index (entries, GmcpSchemaEntry, i);
      GmcpSchemaEntry *last = n > 0 ? &g_array_index (entries, GmcpSchemaEntry, n - 1) : NULL;

      if (last != NULL && last->hash == entry->hash
          && gmcp_json_value_equal (last->key, entry->key))
        unite_entries (last, entry);
      else
        g_array_index (entries, GmcpSchemaEntry, n++) = *entry;
    }

  g_array_set_size (entries, n);
  table->n_entries = n;
  table->entries = (GmcpSchemaEntry *) g_array_steal (entries, NULL);
}

/* FALSE where an escape on either side makes it undecided. */
static gboolean
find_plain (const GmcpSchemaTable *table, GmcpJsonValue key, const GmcpSchemaEntry **found)
{
  gsize length;
  const char *plain = gmcp_json_value_peek_plain (key, &length);

  if (plain == NULL || table->n_entries > MAX_LINEAR_ENTRIES)
    return FALSE;

  *found = NULL;
  for (guint i = 0; i < table->n_entries; i++)
    {
      const GmcpSchemaEntry *entry = &table->entries[i];

      if (entry->plain == NULL)
        return FALSE;
      if (entry->plain_length == length && memcmp (entry->plain, plain, length) == 0)
        {
          *found = entry;
          return TRUE;
        }
    }

  return TRUE;
}

const GmcpSchemaEntry *
gmcp_schema_table_find (const GmcpSchemaTable *table, GmcpJsonValue key)
{
  const GmcpSchemaEntry *found;
  guint low = 0, high = table->n_entries;
  guint hash;

  if (find_plain (table, key, &found))
    return found;

  hash = gmcp_json_value_hash (key);
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (table->entries[middle].hash < hash)
        low = middle + 1;
      else
        high = middle;
    }

  for (; low < table->n_entries && table->entries[low].hash == hash; low++)
    if (gmcp_json_value_equal (table->entries[low].key, key))
      return &table->entries[low];

  return NULL;
}

/* Only the beginning is read, however long the value is. */
char *
gmcp_schema_dup_shown_raw (GmcpJsonValue value)
{
  gsize length;
  const char *raw = gmcp_json_value_peek_raw (value, &length);
  g_autofree char *text = g_utf8_make_valid (raw, MIN (length, MAX_TEXT_BYTES));

  return gmcp_schema_shorten (text);
}

char *
gmcp_schema_dup_shown (GmcpJsonValue value)
{
  gsize length;
  g_autofree char *text = NULL;

  gmcp_json_value_peek_raw (value, &length);
  if (!gmcp_json_value_is_string (value) || length > MAX_TEXT_BYTES)
    return gmcp_schema_dup_shown_raw (value);

  text = gmcp_json_value_dup_string (value);
  return gmcp_schema_shorten (text);
}

char *
gmcp_schema_shorten (const char *text)
{
  g_autofree char *start = NULL;

  if (g_utf8_strlen (text, -1) <= MAX_TEXT_CHARS)
    return g_strdup (text);

  start = g_utf8_substring (text, 0, MAX_TEXT_CHARS);
  return g_strconcat (start, "…", NULL);
}

static void
append_step (GString *out, const GmcpSchemaPath *step)
{
  g_autofree char *shown = NULL;

  g_string_append_c (out, '/');
  if (!gmcp_json_value_is_present (step->key))
    {
      g_string_append_printf (out, "%u", step->index);
      return;
    }

  shown = gmcp_schema_dup_shown (step->key);
  for (const char *p = shown; *p != '\0'; p++)
    {
      if (*p == '~')
        g_string_append (out, "~0");
      else if (*p == '/')
        g_string_append (out, "~1");
      else
        g_string_append_c (out, *p);
    }
}

char *
gmcp_schema_path_to_string (const GmcpSchemaPath *path)
{
  g_autoptr (GPtrArray) steps = g_ptr_array_new ();
  GString *out = g_string_new (NULL);
  guint n = 0;

  for (; path->parent != NULL; path = path->parent)
    g_ptr_array_add (steps, (gpointer) path);
  if (path->prefix != NULL)
    {
      g_autofree char *prefix = gmcp_schema_shorten (path->prefix);

      g_string_append (out, prefix);
    }

  for (guint i = steps->len; i > 0 && n < MAX_PATH_STEPS; i--, n++)
    append_step (out, steps->pdata[i - 1]);
  if (n < steps->len)
    g_string_append (out, "/…");

  return g_string_free (out, FALSE);
}

GmcpSchemaNode *
gmcp_schema_node_new (GmcpJsonValue location, GmcpSchemaResource *resource)
{
  GmcpSchemaNode *self = g_new0 (GmcpSchemaNode, 1);

  self->location = location;
  self->resource = resource;
  return self;
}

static void
clear_dependency (gpointer data)
{
  GmcpSchemaDependency *dependency = data;

  g_free (dependency->required);
}

static void
free_object_rules (GmcpSchemaObjectRules *rules)
{
  for (guint i = 0; i < rules->n_patterns; i++)
    g_clear_pointer (&rules->patterns[i].pattern, gmcp_schema_regex_free);
  g_free (rules->patterns);
  g_free (rules->required);
  g_free (rules->members.entries);
  g_array_unref (rules->dependencies);
  g_array_unref (rules->entries);
  g_free (rules);
}

static void
free_logic_rules (GmcpSchemaLogicRules *rules)
{
  g_free (rules->all_of.nodes);
  g_free (rules->any_of.nodes);
  g_free (rules->one_of.nodes);
  g_free (rules);
}

void
gmcp_schema_node_free (GmcpSchemaNode *self)
{
  g_free (self->number);
  if (self->string != NULL)
    g_clear_pointer (&self->string->pattern, gmcp_schema_regex_free);
  g_free (self->string);
  if (self->array != NULL)
    g_free (self->array->prefix.nodes);
  g_free (self->array);
  if (self->value != NULL)
    g_free (self->value->allowed.entries);
  g_free (self->value);
  g_clear_pointer (&self->object, free_object_rules);
  g_clear_pointer (&self->logic, free_logic_rules);
  g_free (self);
}

static gpointer
new_string_rules (void)
{
  GmcpSchemaStringRules *rules = g_new0 (GmcpSchemaStringRules, 1);

  rules->max_length = G_MAXUINT64;
  return rules;
}

static gpointer
new_array_rules (void)
{
  GmcpSchemaArrayRules *rules = g_new0 (GmcpSchemaArrayRules, 1);

  rules->max_items = G_MAXUINT64;
  rules->min_contains = 1;
  rules->max_contains = G_MAXUINT64;
  return rules;
}

static gpointer
new_object_rules (void)
{
  GmcpSchemaObjectRules *rules = g_new0 (GmcpSchemaObjectRules, 1);

  rules->max_members = G_MAXUINT64;
  rules->entries = g_array_new (FALSE, TRUE, sizeof (GmcpSchemaEntry));
  rules->dependencies = g_array_new (FALSE, TRUE, sizeof (GmcpSchemaDependency));
  g_array_set_clear_func (rules->dependencies, clear_dependency);
  return rules;
}

gpointer
gmcp_schema_node_ensure_rules (GmcpSchemaNode *self, GmcpSchemaRulesKind kind)
{
  if (self->rules[kind] != NULL)
    return self->rules[kind];

  switch (kind)
    {
    case GMCP_SCHEMA_RULES_NUMBER:
      self->number = g_new0 (GmcpSchemaNumberRules, 1);
      break;
    case GMCP_SCHEMA_RULES_STRING:
      self->string = new_string_rules ();
      break;
    case GMCP_SCHEMA_RULES_ARRAY:
      self->array = new_array_rules ();
      break;
    case GMCP_SCHEMA_RULES_OBJECT:
      self->object = new_object_rules ();
      break;
    case GMCP_SCHEMA_RULES_VALUE:
      self->value = g_new0 (GmcpSchemaValueRules, 1);
      break;
    case GMCP_SCHEMA_RULES_LOGIC:
      self->logic = g_new0 (GmcpSchemaLogicRules, 1);
      break;
    case GMCP_SCHEMA_RULES_NONE:
    case GMCP_SCHEMA_N_RULES:
      break;
    }

  return self->rules[kind];
}
