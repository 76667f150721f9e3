/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-resource-private.h"
#include "gmcp-json-schema-validate-private.h"

/* Alternatives of which a message says why each does not fit. */
#define MAX_SHOWN_ALTERNATIVES 4

/* A schema that may fail without failing its parent: what it saw counts only where it holds. */
static gboolean
try_node (GmcpSchemaRun *run,
          const GmcpSchemaNode *node,
          GmcpJsonValue value,
          const GmcpSchemaPath *path,
          GmcpSchemaSeen *seen)
{
  GmcpSchemaSeen own;
  guint length;
  gboolean valid;

  if (seen == NULL)
    return gmcp_schema_validate_node (run, node, value, path, NULL);

  length = gmcp_json_value_get_length (value);
  if (!gmcp_schema_run_spend (run, length / 16))
    return FALSE;

  gmcp_schema_seen_init (&own, length);
  valid = gmcp_schema_validate_node (run, node, value, path, &own);
  if (valid)
    gmcp_schema_seen_unite (seen, &own);
  gmcp_schema_seen_clear (&own);
  return valid;
}

/* Validates one alternative; failures stay out of the report, and the first goes into reasons. */
static gboolean
try_alternative (GmcpSchemaRun *run,
                 const GmcpSchemaNode *node,
                 GmcpJsonValue value,
                 const GmcpSchemaPath *path,
                 GmcpSchemaSeen *seen,
                 GPtrArray *reasons)
{
  GmcpSchemaReport *report = run->report;
  GmcpSchemaReport own = { reasons, 0 };
  gboolean valid;

  if (reasons != NULL)
    own.max = MIN (reasons->len + 1, MAX_SHOWN_ALTERNATIVES);
  run->report = reasons != NULL ? &own : NULL;
  valid = try_node (run, node, value, path, seen);
  run->report = report;
  return valid;
}

static gboolean
fail_alternatives (GmcpSchemaRun *run,
                   const GmcpSchemaNodeList *list,
                   const GmcpSchemaPath *path,
                   GPtrArray *reasons)
{
  g_autofree char *text = NULL;

  if (reasons == NULL)
    return FALSE;

  g_ptr_array_add (reasons, NULL);
  /* Translators: stands between reasons why none of several alternatives fits */
  text = g_strjoinv (_ (" | "), (char **) reasons->pdata);
  if (list->n_nodes == 1)
    return gmcp_schema_run_fail (run, path, _ ("does not fit the only alternative (%s)"), text);
  return gmcp_schema_run_fail (run, path, _ ("fits none of %u alternatives (%s)"), list->n_nodes,
                               text);
}

static gboolean
check_any_of (GmcpSchemaRun *run,
              const GmcpSchemaNodeList *list,
              GmcpJsonValue value,
              const GmcpSchemaPath *path,
              GmcpSchemaSeen *seen)
{
  g_autoptr (GPtrArray) reasons = NULL;
  gboolean found = FALSE;

  if (list->n_nodes == 0)
    return TRUE;
  if (run->report != NULL)
    reasons = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < list->n_nodes; i++)
    {
      if (try_alternative (run, list->nodes[i], value, path, seen, reasons))
        {
          /* The others may still see what this one does not. */
          found = TRUE;
          if (seen == NULL)
            return TRUE;
        }
      if (run->stop != GMCP_SCHEMA_STOP_NONE)
        return FALSE;
    }

  return found || fail_alternatives (run, list, path, reasons);
}

static gboolean
check_one_of (GmcpSchemaRun *run,
              const GmcpSchemaNodeList *list,
              GmcpJsonValue value,
              const GmcpSchemaPath *path,
              GmcpSchemaSeen *seen)
{
  g_autoptr (GPtrArray) reasons = NULL;
  guint found = list->n_nodes;

  if (list->n_nodes == 0)
    return TRUE;
  if (run->report != NULL)
    reasons = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < list->n_nodes; i++)
    {
      gboolean valid = try_alternative (run, list->nodes[i], value, path, seen, reasons);

      if (run->stop != GMCP_SCHEMA_STOP_NONE)
        return FALSE;
      if (valid && found < list->n_nodes)
        return gmcp_schema_run_fail (
          run, path, _ ("must fit one alternative only, but fits number %u and number %u"),
          found + 1, i + 1);
      if (valid)
        found = i;
    }

  return found < list->n_nodes || fail_alternatives (run, list, path, reasons);
}

static gboolean
check_all_of (GmcpSchemaRun *run,
              const GmcpSchemaNodeList *list,
              GmcpJsonValue value,
              const GmcpSchemaPath *path,
              GmcpSchemaSeen *seen)
{
  gboolean valid = TRUE;

  for (guint i = 0; i < list->n_nodes; i++)
    {
      valid = gmcp_schema_validate_node (run, list->nodes[i], value, path, seen) && valid;
      if (!valid && !gmcp_schema_run_goes_on (run))
        break;
    }

  return valid;
}

static gboolean
check_not (GmcpSchemaRun *run,
           const GmcpSchemaNode *node,
           GmcpJsonValue value,
           const GmcpSchemaPath *path)
{
  if (node == NULL)
    return TRUE;
  if (!gmcp_schema_test_node (run, node, value, path, NULL))
    return run->stop == GMCP_SCHEMA_STOP_NONE;

  return gmcp_schema_run_fail (run, path, _ ("must not fit the schema under “not”"));
}

static gboolean
check_condition (GmcpSchemaRun *run,
                 const GmcpSchemaLogicRules *rules,
                 GmcpJsonValue value,
                 const GmcpSchemaPath *path,
                 GmcpSchemaSeen *seen)
{
  const GmcpSchemaNode *branch;

  if (rules->if_schema == NULL)
    return TRUE;

  branch = try_alternative (run, rules->if_schema, value, path, seen, NULL) ? rules->then_schema
                                                                            : rules->else_schema;
  if (run->stop != GMCP_SCHEMA_STOP_NONE)
    return FALSE;

  return branch == NULL || gmcp_schema_validate_node (run, branch, value, path, seen);
}

/* The outermost resource on the way here that has the anchor decides. */
static const GmcpSchemaNode *
find_dynamic (GmcpSchemaRun *run, const GmcpSchemaLogicRules *rules)
{
  guint64 cost = 1 + rules->dynamic_anchor_length / GMCP_SCHEMA_BYTES_PER_STEP;
  const GmcpSchemaNode *found = rules->dynamic_ref;

  if (rules->dynamic_anchor == NULL)
    return found;

  for (const GmcpSchemaScope *scope = run->scope;
       scope != NULL && gmcp_schema_run_spend (run, cost); scope = scope->outer)
    {
      const GmcpSchemaNode *node
        = g_hash_table_lookup (scope->resource->dynamic_anchors, rules->dynamic_anchor);

      if (node != NULL)
        found = node;
    }

  return found;
}

static gboolean
check_references (GmcpSchemaRun *run,
                  const GmcpSchemaLogicRules *rules,
                  GmcpJsonValue value,
                  const GmcpSchemaPath *path,
                  GmcpSchemaSeen *seen)
{
  if (rules->ref != NULL && !gmcp_schema_validate_node (run, rules->ref, value, path, seen))
    return FALSE;

  return rules->dynamic_ref == NULL
         || gmcp_schema_validate_node (run, find_dynamic (run, rules), value, path, seen);
}

gboolean
gmcp_schema_validate_logic (GmcpSchemaRun *run,
                            const GmcpSchemaNode *node,
                            GmcpJsonValue value,
                            const GmcpSchemaPath *path,
                            GmcpSchemaSeen *seen)
{
  const GmcpSchemaLogicRules *rules = node->logic;

  return check_references (run, rules, value, path, seen)
         && check_all_of (run, &rules->all_of, value, path, seen)
         && check_any_of (run, &rules->any_of, value, path, seen)
         && check_one_of (run, &rules->one_of, value, path, seen)
         && check_not (run, rules->not_schema, value, path)
         && check_condition (run, rules, value, path, seen);
}
