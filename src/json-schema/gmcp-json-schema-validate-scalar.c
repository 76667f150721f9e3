/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <inttypes.h>

#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-validate-private.h"

/* Digits that are read, and compared or divided, in the time of one step. */
#define DIGITS_PER_STEP 4

static gboolean
is_within (GmcpSchemaBounds bound, const GmcpSchemaNumber *number, const GmcpSchemaNumber *limit)
{
  switch (bound)
    {
    case GMCP_SCHEMA_BOUND_MINIMUM:
      return gmcp_schema_number_compare (number, limit) >= 0;
    case GMCP_SCHEMA_BOUND_MAXIMUM:
      return gmcp_schema_number_compare (number, limit) <= 0;
    case GMCP_SCHEMA_BOUND_EXCLUSIVE_MINIMUM:
      return gmcp_schema_number_compare (number, limit) > 0;
    case GMCP_SCHEMA_BOUND_EXCLUSIVE_MAXIMUM:
      return gmcp_schema_number_compare (number, limit) < 0;
    case GMCP_SCHEMA_BOUND_MULTIPLE_OF:
      return gmcp_schema_number_is_multiple (number, limit);
    }

  return TRUE;
}

static gboolean
fail_bound (GmcpSchemaRun *run,
            const GmcpSchemaNumberRules *rules,
            guint index,
            const GmcpSchemaPath *path)
{
  g_autofree char *limit = NULL;

  if (run->report == NULL)
    return FALSE;

  limit = gmcp_schema_dup_shown (rules->values[index]);
  switch ((GmcpSchemaBounds) (1u << index))
    {
    case GMCP_SCHEMA_BOUND_MINIMUM:
      return gmcp_schema_run_fail (run, path, _ ("must be at least %s"), limit);
    case GMCP_SCHEMA_BOUND_MAXIMUM:
      return gmcp_schema_run_fail (run, path, _ ("must be at most %s"), limit);
    case GMCP_SCHEMA_BOUND_EXCLUSIVE_MINIMUM:
      return gmcp_schema_run_fail (run, path, _ ("must be greater than %s"), limit);
    case GMCP_SCHEMA_BOUND_EXCLUSIVE_MAXIMUM:
      return gmcp_schema_run_fail (run, path, _ ("must be less than %s"), limit);
    case GMCP_SCHEMA_BOUND_MULTIPLE_OF:
      return gmcp_schema_run_fail (run, path, _ ("must be a multiple of %s"), limit);
    }

  return FALSE;
}

gboolean
gmcp_schema_run_read_number (GmcpSchemaRun *run, GmcpJsonValue value, GmcpSchemaNumber *number)
{
  gsize length = 0;

  gmcp_json_value_peek_raw (value, &length);
  return gmcp_schema_run_spend (run, length / DIGITS_PER_STEP)
         && gmcp_schema_number_init (number, value);
}

gboolean
gmcp_schema_validate_number (GmcpSchemaRun *run,
                             const GmcpSchemaNumberRules *rules,
                             GmcpJsonValue value,
                             const GmcpSchemaPath *path)
{
  GmcpSchemaNumber number;

  if (!gmcp_schema_run_read_number (run, value, &number))
    return FALSE;

  for (guint i = 0; i < GMCP_SCHEMA_N_BOUNDS; i++)
    if ((rules->set & (1u << i)) != 0 && !is_within (1u << i, &number, &rules->bounds[i]))
      return fail_bound (run, rules, i, path);

  return TRUE;
}

/* A string's text as UTF-8, in place where it has no escape. NULL with run->stop set where it takes
 * too long. */
static const char *
view_text (GmcpSchemaRun *run, GmcpJsonValue string, gsize *length, GBytes **bytes)
{
  const char *text = gmcp_json_value_peek_plain (string, length);

  if (text != NULL)
    return text;
  if (!gmcp_schema_run_spend_text (run, string))
    return NULL;

  *bytes = gmcp_json_value_dup_string_bytes (string);
  return g_bytes_get_data (*bytes, length);
}

gboolean
gmcp_schema_run_match (GmcpSchemaRun *run, const GmcpSchemaRegex *pattern, GmcpJsonValue string)
{
  g_autoptr (GBytes) bytes = NULL;
  gsize length;
  const char *text = view_text (run, string, &length, &bytes);
  GmcpSchemaRegexResult result;

  if (text == NULL)
    return FALSE;

  result = gmcp_schema_regex_match (pattern, text, length, &run->steps);
  if (result == GMCP_SCHEMA_REGEX_OUT_OF_STEPS)
    run->stop = GMCP_SCHEMA_STOP_STEPS;
  return result == GMCP_SCHEMA_REGEX_MATCH;
}

static gboolean
check_length (GmcpSchemaRun *run,
              const GmcpSchemaStringRules *rules,
              GmcpJsonValue value,
              const GmcpSchemaPath *path)
{
  g_autoptr (GBytes) bytes = NULL;
  gsize n_bytes;
  const char *text;
  guint64 length;

  if (rules->min_length == 0 && rules->max_length == G_MAXUINT64)
    return TRUE;

  text = view_text (run, value, &n_bytes, &bytes);
  if (text == NULL || !gmcp_schema_run_spend (run, n_bytes / GMCP_SCHEMA_BYTES_PER_STEP))
    return FALSE;
  length = g_utf8_strlen (text, n_bytes);
  if (length < rules->min_length)
    return gmcp_schema_run_fail (
      run, path,
      g_dngettext (GETTEXT_PACKAGE, "must have at least %" PRIu64 " character",
                   "must have at least %" PRIu64 " characters", rules->min_length),
      rules->min_length);
  if (length > rules->max_length)
    return gmcp_schema_run_fail (
      run, path,
      g_dngettext (GETTEXT_PACKAGE, "must have at most %" PRIu64 " character",
                   "must have at most %" PRIu64 " characters", rules->max_length),
      rules->max_length);

  return TRUE;
}

gboolean
gmcp_schema_validate_string (GmcpSchemaRun *run,
                             const GmcpSchemaStringRules *rules,
                             GmcpJsonValue value,
                             const GmcpSchemaPath *path)
{
  g_autofree char *pattern = NULL;

  if (!check_length (run, rules, value, path))
    return FALSE;
  if (rules->pattern == NULL || gmcp_schema_run_match (run, rules->pattern, value))
    return TRUE;
  if (run->report == NULL)
    return FALSE;

  pattern = gmcp_schema_dup_shown (rules->pattern_value);
  return gmcp_schema_run_fail (run, path, _ ("must match the regular expression %s"), pattern);
}
