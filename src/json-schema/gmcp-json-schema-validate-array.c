/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <inttypes.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-resource-private.h"
#include "gmcp-json-schema-validate-private.h"

typedef struct
{
  GmcpJsonValue value;
  guint hash;
  guint position;
} Slot;

static gboolean
check_count (GmcpSchemaRun *run,
             const GmcpSchemaArrayRules *rules,
             guint length,
             const GmcpSchemaPath *path)
{
  if (length < rules->min_items)
    return gmcp_schema_run_fail (
      run, path,
      g_dngettext (GETTEXT_PACKAGE, "must have at least %" PRIu64 " item",
                   "must have at least %" PRIu64 " items", rules->min_items),
      rules->min_items);
  if (length > rules->max_items)
    return gmcp_schema_run_fail (run, path,
                                 g_dngettext (GETTEXT_PACKAGE, "must have at most %" PRIu64 " item",
                                              "must have at most %" PRIu64 " items",
                                              rules->max_items),
                                 rules->max_items);

  return TRUE;
}

/* Puts the value into the table, or gives the slot that already has an equal one. */
static const Slot *
find_equal (GmcpSchemaRun *run, Slot *slots, guint mask, const Slot *wanted)
{
  guint at = wanted->hash & mask;

  for (; gmcp_json_value_is_present (slots[at].value); at = (at + 1) & mask)
    {
      gsize length = 0;

      if (slots[at].hash != wanted->hash)
        continue;
      gmcp_json_value_peek_raw (wanted->value, &length);
      if (!gmcp_schema_run_spend (run, 1 + length / 16))
        return NULL;
      if (gmcp_json_value_equal (slots[at].value, wanted->value))
        return &slots[at];
    }

  slots[at] = *wanted;
  return NULL;
}

static gboolean
check_unique (GmcpSchemaRun *run, GmcpJsonValue array, const GmcpSchemaPath *path)
{
  guint length = gmcp_json_value_get_length (array);
  g_autofree Slot *slots = NULL;
  Slot slot = { 0 };
  guint mask = 1;
  gsize n_bytes = 0;
  GmcpJsonIter iter;

  gmcp_json_value_peek_raw (array, &n_bytes);
  if (length < 2)
    return TRUE;
  if (!gmcp_schema_run_spend (run, n_bytes / 8))
    return FALSE;

  /* At least half of the slots stay free. */
  while (mask < 2 * length)
    mask *= 2;
  slots = g_new0 (Slot, mask);
  mask--;

  gmcp_json_iter_init (&iter, array);
  for (; gmcp_json_iter_next (&iter, NULL, &slot.value); slot.position++)
    {
      const Slot *other;

      slot.hash = gmcp_json_value_hash (slot.value);
      other = find_equal (run, slots, mask, &slot);
      if (other != NULL)
        return gmcp_schema_run_fail (run, path,
                                     _ ("must not have equal items; items %u and %u are"),
                                     other->position, slot.position);
      if (run->stop != GMCP_SCHEMA_STOP_NONE)
        return FALSE;
    }

  return TRUE;
}

static gboolean
check_items (GmcpSchemaRun *run,
             const GmcpSchemaArrayRules *rules,
             GmcpJsonValue array,
             const GmcpSchemaPath *path,
             GmcpSchemaSeen *seen)
{
  GmcpSchemaPath step = { .parent = path };
  gboolean valid = TRUE;
  GmcpJsonIter iter;
  GmcpJsonValue value;

  if (rules->items == NULL && rules->prefix.n_nodes == 0)
    return TRUE;

  gmcp_json_iter_init (&iter, array);
  for (; gmcp_json_iter_next (&iter, NULL, &value); step.index++)
    {
      const GmcpSchemaNode *node
        = step.index < rules->prefix.n_nodes ? rules->prefix.nodes[step.index] : rules->items;

      if (node == NULL)
        break;
      if (seen != NULL)
        gmcp_schema_seen_add (seen, step.index);
      if (gmcp_schema_validate_node (run, node, value, &step, NULL))
        continue;
      valid = FALSE;
      if (!gmcp_schema_run_goes_on (run))
        break;
    }

  return valid;
}

static gboolean
check_contains (GmcpSchemaRun *run,
                const GmcpSchemaArrayRules *rules,
                GmcpJsonValue array,
                const GmcpSchemaPath *path,
                GmcpSchemaSeen *seen)
{
  GmcpSchemaPath step = { .parent = path };
  guint64 n_found = 0;
  GmcpJsonIter iter;
  GmcpJsonValue value;

  if (rules->contains == NULL)
    return TRUE;

  gmcp_json_iter_init (&iter, array);
  for (; gmcp_json_iter_next (&iter, NULL, &value); step.index++)
    {
      if (gmcp_schema_test_node (run, rules->contains, value, &step, NULL))
        {
          n_found++;
          if (seen != NULL)
            gmcp_schema_seen_add (seen, step.index);
        }
      if (run->stop != GMCP_SCHEMA_STOP_NONE)
        return FALSE;
      if (seen == NULL && n_found >= rules->min_contains && rules->max_contains == G_MAXUINT64)
        return TRUE;
    }

  if (n_found < rules->min_contains)
    return gmcp_schema_run_fail (
      run, path,
      g_dngettext (
        GETTEXT_PACKAGE, "must have at least %" PRIu64 " item of the kind under “contains”",
        "must have at least %" PRIu64 " items of the kind under “contains”", rules->min_contains),
      rules->min_contains);
  if (n_found > rules->max_contains)
    return gmcp_schema_run_fail (
      run, path,
      g_dngettext (
        GETTEXT_PACKAGE, "must have at most %" PRIu64 " item of the kind under “contains”",
        "must have at most %" PRIu64 " items of the kind under “contains”", rules->max_contains),
      rules->max_contains);

  return TRUE;
}

gboolean
gmcp_schema_validate_array (GmcpSchemaRun *run,
                            const GmcpSchemaNode *node,
                            GmcpJsonValue array,
                            const GmcpSchemaPath *path,
                            GmcpSchemaSeen *seen)
{
  const GmcpSchemaArrayRules *rules = node->array;
  /* To 2019-09 what contains found is still unevaluated. */
  gboolean contains_sees = node->resource->dialect.draft == GMCP_JSON_SCHEMA_DIALECT_2020_12;

  return check_count (run, rules, gmcp_json_value_get_length (array), path)
         && (!rules->unique || check_unique (run, array, path))
         && check_items (run, rules, array, path, seen)
         && check_contains (run, rules, array, path, contains_sees ? seen : NULL);
}

gboolean
gmcp_schema_validate_unevaluated_items (GmcpSchemaRun *run,
                                        const GmcpSchemaNode *unevaluated,
                                        GmcpJsonValue array,
                                        const GmcpSchemaPath *path,
                                        GmcpSchemaSeen *seen)
{
  GmcpSchemaPath step = { .parent = path };
  gboolean valid = TRUE;
  GmcpJsonIter iter;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, array);
  for (; gmcp_json_iter_next (&iter, NULL, &value); step.index++)
    {
      if (gmcp_schema_seen_has (seen, step.index)
          || gmcp_schema_validate_node (run, unevaluated, value, &step, NULL))
        continue;
      valid = FALSE;
      if (!gmcp_schema_run_goes_on (run))
        break;
    }

  gmcp_schema_seen_add_all (seen);
  return valid;
}
