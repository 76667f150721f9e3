/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <inttypes.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-validate-private.h"

static guint
hash_value (gconstpointer key)
{
  return gmcp_json_value_hash (*(const GmcpJsonValue *) key);
}

static gboolean
equal_values (gconstpointer a, gconstpointer b)
{
  return gmcp_json_value_equal (*(const GmcpJsonValue *) a, *(const GmcpJsonValue *) b);
}

/* The number of different names: a doubled member counts once. */
static guint
count_names (GmcpSchemaRun *run, GmcpJsonValue object)
{
  g_autoptr (GHashTable) names = g_hash_table_new (hash_value, equal_values);
  g_autofree GmcpJsonValue *keys = g_new (GmcpJsonValue, gmcp_json_value_get_length (object));
  GmcpJsonIter iter;
  guint n = 0;

  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, &keys[n], NULL) && gmcp_schema_run_spend_text (run, keys[n]))
    g_hash_table_add (names, &keys[n++]);

  return g_hash_table_size (names);
}

static gboolean
check_count (GmcpSchemaRun *run,
             const GmcpSchemaObjectRules *rules,
             GmcpJsonValue object,
             const GmcpSchemaPath *path)
{
  guint length = gmcp_json_value_get_length (object);

  /* Doubled members matter only where they could decide. */
  if (length > 1
      && ((rules->min_members > 1 && length >= rules->min_members) || length > rules->max_members))
    {
      if (!gmcp_schema_run_spend (run, 4 * (guint64) length))
        return FALSE;
      length = count_names (run, object);
      if (run->stop != GMCP_SCHEMA_STOP_NONE)
        return FALSE;
    }

  if (length < rules->min_members)
    return gmcp_schema_run_fail (
      run, path,
      g_dngettext (GETTEXT_PACKAGE, "must have at least %" PRIu64 " member",
                   "must have at least %" PRIu64 " members", rules->min_members),
      rules->min_members);
  if (length > rules->max_members)
    return gmcp_schema_run_fail (
      run, path,
      g_dngettext (GETTEXT_PACKAGE, "must have at most %" PRIu64 " member",
                   "must have at most %" PRIu64 " members", rules->max_members),
      rules->max_members);

  return TRUE;
}

static char *
list_known_members (const GmcpSchemaObjectRules *rules)
{
  GString *out = g_string_new (NULL);
  GmcpJsonIter iter;
  GmcpJsonValue key;

  gmcp_json_iter_init (&iter, rules->properties);
  while (gmcp_json_iter_next (&iter, &key, NULL))
    {
      g_autofree char *name = NULL;

      if (out->len > 0)
        g_string_append (out, ", ");
      if (out->len > 500)
        {
          g_string_append (out, "…");
          break;
        }
      name = gmcp_schema_dup_shown (key);
      g_string_append_printf (out, "“%s”", name);
    }

  return g_string_free (out, FALSE);
}

static gboolean
fail_unknown_member (GmcpSchemaRun *run,
                     const GmcpSchemaObjectRules *rules,
                     GmcpJsonValue key,
                     const GmcpSchemaPath *path)
{
  g_autofree char *name = NULL;
  g_autofree char *known = NULL;

  if (run->report == NULL)
    return FALSE;

  name = gmcp_schema_dup_shown (key);
  if (rules != NULL)
    known = list_known_members (rules);
  if (known == NULL || *known == '\0')
    return gmcp_schema_run_fail (run, path, _ ("must not have the member “%s”"), name);
  return gmcp_schema_run_fail (run, path, _ ("must not have the member “%s”; known are %s"), name,
                               known);
}

/* All that applies to one member. */
static gboolean
check_member (GmcpSchemaRun *run,
              const GmcpSchemaObjectRules *rules,
              const GmcpSchemaEntry *entry,
              GmcpJsonValue value,
              const GmcpSchemaPath *step,
              gboolean *evaluated)
{
  gboolean valid = TRUE;

  if (rules->names != NULL)
    valid = gmcp_schema_validate_node (run, rules->names, step->key, step, NULL);
  if (entry != NULL && entry->node != NULL)
    {
      *evaluated = TRUE;
      valid = gmcp_schema_validate_node (run, entry->node, value, step, NULL) && valid;
    }
  for (guint i = 0; i < rules->n_patterns; i++)
    {
      if (!gmcp_schema_run_spend (run, 1))
        return FALSE;
      if (gmcp_schema_run_match (run, rules->patterns[i].pattern, step->key))
        {
          *evaluated = TRUE;
          valid
            = gmcp_schema_validate_node (run, rules->patterns[i].node, value, step, NULL) && valid;
        }
      else if (run->stop != GMCP_SCHEMA_STOP_NONE)
        return FALSE;
    }

  if (*evaluated || rules->additional == NULL)
    return valid;
  *evaluated = TRUE;
  if (rules->additional->is_never)
    return fail_unknown_member (run, rules, step->key, step->parent);
  return gmcp_schema_validate_node (run, rules->additional, value, step, NULL) && valid;
}

static gboolean
check_members (GmcpSchemaRun *run,
               const GmcpSchemaObjectRules *rules,
               GmcpJsonValue object,
               const GmcpSchemaPath *path,
               GmcpSchemaSeen *seen,
               GmcpSchemaSeen *found)
{
  GmcpSchemaPath step = { .parent = path };
  gboolean valid = TRUE;
  GmcpJsonIter iter;
  GmcpJsonValue value;
  guint position = 0;

  gmcp_json_iter_init (&iter, object);
  for (; gmcp_json_iter_next (&iter, &step.key, &value); position++)
    {
      const GmcpSchemaEntry *entry = NULL;
      gboolean evaluated = FALSE;

      if (!gmcp_schema_run_spend (run, 1) || !gmcp_schema_run_spend_text (run, step.key))
        return FALSE;
      if (rules->members.n_entries > 0)
        entry = gmcp_schema_table_find (&rules->members, step.key);
      if (entry != NULL && entry->required > 0)
        gmcp_schema_seen_add (found, entry->required - 1);
      if (!check_member (run, rules, entry, value, &step, &evaluated))
        {
          valid = FALSE;
          if (!gmcp_schema_run_goes_on (run))
            return FALSE;
        }
      if (seen != NULL && evaluated)
        gmcp_schema_seen_add (seen, position);
    }

  return valid;
}

static gboolean
fail_missing_member (GmcpSchemaRun *run, GmcpJsonValue name, const GmcpSchemaPath *path)
{
  g_autofree char *shown = NULL;

  if (run->report == NULL)
    return FALSE;

  shown = gmcp_schema_dup_shown (name);
  return gmcp_schema_run_fail (run, path, _ ("missing required member “%s”"), shown);
}

static gboolean
check_required (GmcpSchemaRun *run,
                const GmcpSchemaObjectRules *rules,
                const GmcpSchemaPath *path,
                const GmcpSchemaSeen *found)
{
  gboolean valid = TRUE;

  for (guint i = 0; i < rules->n_required; i++)
    if (!gmcp_schema_seen_has (found, i))
      {
        valid = fail_missing_member (run, rules->required[i], path);
        if (!gmcp_schema_run_goes_on (run))
          break;
      }

  return valid;
}

static gboolean
has_member (GmcpSchemaRun *run, GmcpJsonValue object, GmcpJsonValue name)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;

  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, &key, NULL) && gmcp_schema_run_spend (run, 1)
         && gmcp_schema_run_spend_text (run, key))
    if (gmcp_json_value_equal (key, name))
      return TRUE;

  return FALSE;
}

static gboolean
check_dependency (GmcpSchemaRun *run,
                  const GmcpSchemaDependency *dependency,
                  GmcpJsonValue object,
                  const GmcpSchemaPath *path,
                  GmcpSchemaSeen *seen)
{
  if (!gmcp_schema_run_spend (run, 1) || !has_member (run, object, dependency->trigger))
    return run->stop == GMCP_SCHEMA_STOP_NONE;

  for (guint i = 0; i < dependency->n_required; i++)
    if (!has_member (run, object, dependency->required[i]))
      {
        g_autofree char *missing = NULL;
        g_autofree char *trigger = NULL;

        if (run->report == NULL)
          return FALSE;
        missing = gmcp_schema_dup_shown (dependency->required[i]);
        trigger = gmcp_schema_dup_shown (dependency->trigger);
        return gmcp_schema_run_fail (
          run, path, _ ("missing member “%s”, which is required beside “%s”"), missing, trigger);
      }

  return dependency->node == NULL
         || gmcp_schema_validate_node (run, dependency->node, object, path, seen);
}

gboolean
gmcp_schema_validate_object (GmcpSchemaRun *run,
                             const GmcpSchemaNode *node,
                             GmcpJsonValue object,
                             const GmcpSchemaPath *path,
                             GmcpSchemaSeen *seen)
{
  const GmcpSchemaObjectRules *rules = node->object;
  GmcpSchemaSeen found;
  gboolean valid;

  if (!check_count (run, rules, object, path)
      || !gmcp_schema_run_spend (run, rules->n_required / 16))
    return FALSE;

  gmcp_schema_seen_init (&found, rules->n_required);
  valid = check_members (run, rules, object, path, seen, &found);
  if (valid || gmcp_schema_run_goes_on (run))
    valid = check_required (run, rules, path, &found) && valid;
  gmcp_schema_seen_clear (&found);

  for (guint i = 0; i < rules->dependencies->len; i++)
    {
      if (!valid && !gmcp_schema_run_goes_on (run))
        return FALSE;
      valid = check_dependency (run, &g_array_index (rules->dependencies, GmcpSchemaDependency, i),
                                object, path, seen)
              && valid;
    }

  return valid;
}

gboolean
gmcp_schema_validate_unevaluated_members (GmcpSchemaRun *run,
                                          const GmcpSchemaNode *unevaluated,
                                          GmcpJsonValue object,
                                          const GmcpSchemaPath *path,
                                          GmcpSchemaSeen *seen)
{
  GmcpSchemaPath step = { .parent = path };
  gboolean valid = TRUE;
  GmcpJsonIter iter;
  GmcpJsonValue value;
  guint position = 0;

  gmcp_json_iter_init (&iter, object);
  for (; gmcp_json_iter_next (&iter, &step.key, &value); position++)
    {
      if (gmcp_schema_seen_has (seen, position))
        continue;
      if (unevaluated->is_never)
        valid = fail_unknown_member (run, NULL, step.key, path);
      else if (!gmcp_schema_validate_node (run, unevaluated, value, &step, NULL))
        valid = FALSE;
      if (!valid && !gmcp_schema_run_goes_on (run))
        break;
    }

  gmcp_schema_seen_add_all (seen);
  return valid;
}
