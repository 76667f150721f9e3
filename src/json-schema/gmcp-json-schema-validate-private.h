/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-schema-node-private.h"
#include "gmcp-json-schema-seen-private.h"

G_BEGIN_DECLS

/* What was found wrong, for the message. */
typedef struct
{
  GPtrArray *messages;
  guint max;
} GmcpSchemaReport;

/* The resources that validation came through, innermost first. */
typedef struct _GmcpSchemaScope GmcpSchemaScope;
struct _GmcpSchemaScope
{
  const GmcpSchemaScope *outer;
  const GmcpSchemaResource *resource;
};

/* Bytes that are looked at in the time of one step. */
#define GMCP_SCHEMA_BYTES_PER_STEP 16

typedef enum
{
  GMCP_SCHEMA_STOP_NONE,
  GMCP_SCHEMA_STOP_STEPS,
  GMCP_SCHEMA_STOP_DEPTH,
} GmcpSchemaStop;

/* One walk over an instance. The first asks for a verdict only and allocates next to nothing; where
 * it is no, a second walk fills in a report. */
typedef struct
{
  const GmcpJsonSchema *schema;
  const GmcpSchemaScope *scope;
  GmcpSchemaReport *report;
  guint64 steps;
  guint depth;
  /* Once stop is set everything fails at once, and that is no verdict. */
  GmcpSchemaStop stop;
} GmcpSchemaRun;

static inline gboolean
gmcp_schema_run_spend (GmcpSchemaRun *run, guint64 steps)
{
  if (G_LIKELY (run->steps >= steps))
    {
      run->steps -= steps;
      return TRUE;
    }

  run->stop = GMCP_SCHEMA_STOP_STEPS;
  return FALSE;
}

/* For a look at each byte of a value, as it was written: to be called before that. */
static inline gboolean
gmcp_schema_run_spend_text (GmcpSchemaRun *run, GmcpJsonValue value)
{
  gsize length = 0;

  gmcp_json_value_peek_raw (value, &length);
  return gmcp_schema_run_spend (run, length / GMCP_SCHEMA_BYTES_PER_STEP);
}

/* After a failure: whether more of them are wanted. */
static inline gboolean
gmcp_schema_run_goes_on (const GmcpSchemaRun *run)
{
  return run->report != NULL && run->stop == GMCP_SCHEMA_STOP_NONE
         && run->report->messages->len < run->report->max;
}

/* Takes down a failure where there is a report; gives FALSE. */
gboolean
gmcp_schema_run_fail (GmcpSchemaRun *run, const GmcpSchemaPath *path, const char *format, ...)
  G_GNUC_PRINTF (3, 4);

/* seen, where not NULL, takes the members or elements that the node has an opinion on; what it holds
 * after a failure means nothing. */
gboolean gmcp_schema_validate_node (GmcpSchemaRun *run,
                                    const GmcpSchemaNode *node,
                                    GmcpJsonValue value,
                                    const GmcpSchemaPath *path,
                                    GmcpSchemaSeen *seen);
/* Validates without a report. */
gboolean gmcp_schema_test_node (GmcpSchemaRun *run,
                                const GmcpSchemaNode *node,
                                GmcpJsonValue value,
                                const GmcpSchemaPath *path,
                                GmcpSchemaSeen *seen);

gboolean
gmcp_schema_run_read_number (GmcpSchemaRun *run, GmcpJsonValue value, GmcpSchemaNumber *number);
gboolean gmcp_schema_validate_number (GmcpSchemaRun *run,
                                      const GmcpSchemaNumberRules *rules,
                                      GmcpJsonValue value,
                                      const GmcpSchemaPath *path);
gboolean gmcp_schema_validate_string (GmcpSchemaRun *run,
                                      const GmcpSchemaStringRules *rules,
                                      GmcpJsonValue value,
                                      const GmcpSchemaPath *path);
/* FALSE with run->stop set where no verdict was reached. */
gboolean
gmcp_schema_run_match (GmcpSchemaRun *run, const GmcpSchemaRegex *pattern, GmcpJsonValue string);
gboolean gmcp_schema_validate_array (GmcpSchemaRun *run,
                                     const GmcpSchemaNode *node,
                                     GmcpJsonValue array,
                                     const GmcpSchemaPath *path,
                                     GmcpSchemaSeen *seen);
gboolean gmcp_schema_validate_object (GmcpSchemaRun *run,
                                      const GmcpSchemaNode *node,
                                      GmcpJsonValue object,
                                      const GmcpSchemaPath *path,
                                      GmcpSchemaSeen *seen);
/* What applies to the value itself: $ref, allOf and the like, then unevaluated…. */
gboolean gmcp_schema_validate_logic (GmcpSchemaRun *run,
                                     const GmcpSchemaNode *node,
                                     GmcpJsonValue value,
                                     const GmcpSchemaPath *path,
                                     GmcpSchemaSeen *seen);
gboolean gmcp_schema_validate_unevaluated_items (GmcpSchemaRun *run,
                                                 const GmcpSchemaNode *unevaluated,
                                                 GmcpJsonValue array,
                                                 const GmcpSchemaPath *path,
                                                 GmcpSchemaSeen *seen);
gboolean gmcp_schema_validate_unevaluated_members (GmcpSchemaRun *run,
                                                   const GmcpSchemaNode *unevaluated,
                                                   GmcpJsonValue object,
                                                   const GmcpSchemaPath *path,
                                                   GmcpSchemaSeen *seen);

G_END_DECLS
