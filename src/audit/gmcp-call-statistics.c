/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-call-statistics-private.h"

#include "gmcp-limits.h"

struct _GmcpCallStatistics
{
  grefcount ref_count;
  char *id;
  GmcpCallCounters counters;
  guint32 recent_us[GMCP_RECENT_CALLS]; /* of the calls that ended last, in a ring */
  guint next_recent;
  guint n_recent;
  GmcpCallFailedFunc failed;
  gpointer failed_data;
  GHashTable *tools; /* of GmcpToolStatistics, by name; NULL until the first call */
};

GmcpCallStatistics *
gmcp_call_statistics_new (const char *id)
{
  GmcpCallStatistics *self = g_new0 (GmcpCallStatistics, 1);

  g_ref_count_init (&self->ref_count);
  self->id = g_strdup (id);
  return self;
}

GmcpCallStatistics *
gmcp_call_statistics_ref (GmcpCallStatistics *self)
{
  g_ref_count_inc (&self->ref_count);
  return self;
}

void
gmcp_call_statistics_unref (GmcpCallStatistics *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->tools, g_hash_table_unref);
  g_free (self->id);
  g_free (self);
}

const char *
gmcp_call_statistics_get_id (GmcpCallStatistics *self)
{
  return self->id;
}

void
gmcp_call_statistics_set_failed_func (GmcpCallStatistics *self,
                                      GmcpCallFailedFunc func,
                                      gpointer data)
{
  self->failed = func;
  self->failed_data = data;
}

void
gmcp_call_statistics_call_failed (GmcpCallStatistics *self, const GError *error)
{
  if (self->failed != NULL)
    self->failed (error, self->failed_data);
}

static void
tool_free (gpointer data)
{
  GmcpToolStatistics *tool = data;

  g_free (tool->name);
  g_free (tool->names_json);
  g_free (tool);
}

static void
write_names (GmcpToolStatistics *tool, const char *server)
{
  GmcpJsonWriter writer = { .comma = TRUE };
  GString *out;

  if (strlen (tool->name) > GMCP_LIMIT_AUDIT_NAME_BYTES
      || strlen (server) > GMCP_LIMIT_AUDIT_NAME_BYTES)
    return;

  writer.out = out = g_string_new (NULL);
  gmcp_json_writer_member_string (&writer, "server", server);
  gmcp_json_writer_member_string (&writer, "tool", tool->name);
  tool->names_length = out->len;
  tool->names_json = g_string_free (out, FALSE);
}

GmcpToolStatistics *
gmcp_call_statistics_get_tool (GmcpCallStatistics *self, const char *name)
{
  GmcpToolStatistics *tool;

  if (self->tools == NULL)
    self->tools = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, tool_free);

  tool = g_hash_table_lookup (self->tools, name);
  if (tool == NULL)
    {
      tool = g_new0 (GmcpToolStatistics, 1);
      tool->name = g_strdup (name);
      write_names (tool, self->id);
      g_hash_table_insert (self->tools, tool->name, tool);
    }

  return tool;
}

void
gmcp_call_statistics_count (GmcpCallStatistics *self,
                            GmcpToolStatistics *tool,
                            const GmcpCallOutcome *outcome)
{
  gmcp_call_counters_add (&self->counters, outcome);
  gmcp_call_counters_add (&tool->counters, outcome);
  self->recent_us[self->next_recent] = (guint32) CLAMP (outcome->duration_us, 0, G_MAXUINT32);
  self->next_recent = (self->next_recent + 1) % GMCP_RECENT_CALLS;
  self->n_recent = MIN (self->n_recent + 1, GMCP_RECENT_CALLS);
}

static void
write_recent (GmcpCallStatistics *self, GmcpJsonWriter *writer)
{
  gmcp_json_writer_key (writer, "recent_us");
  gmcp_json_writer_begin_array (writer);
  for (guint i = self->n_recent; i > 0; i--)
    gmcp_json_writer_uint64 (
      writer, self->recent_us[(self->next_recent + GMCP_RECENT_CALLS - i) % GMCP_RECENT_CALLS]);
  gmcp_json_writer_end_array (writer);
}

void
gmcp_call_statistics_write (GmcpCallStatistics *self,
                            GmcpCallLimiter *limiter,
                            GmcpJsonWriter *writer)
{
  g_autoptr (GList) names = NULL;

  gmcp_call_counters_write (&self->counters, writer);
  write_recent (self, writer);
  gmcp_json_writer_member_int64 (writer, "running", gmcp_call_limiter_get_n_running (limiter));
  gmcp_json_writer_member_int64 (writer, "queued", gmcp_call_limiter_get_n_waiting (limiter));
  gmcp_json_writer_key (writer, "tools");
  gmcp_json_writer_begin_object (writer);
  if (self->tools != NULL)
    names = g_list_sort (g_hash_table_get_keys (self->tools), (GCompareFunc) g_strcmp0);
  for (GList *l = names; l != NULL; l = l->next)
    {
      GmcpToolStatistics *tool = g_hash_table_lookup (self->tools, l->data);

      gmcp_json_writer_key (writer, tool->name);
      gmcp_json_writer_begin_object (writer);
      gmcp_call_counters_write (&tool->counters, writer);
      gmcp_json_writer_end_object (writer);
    }
  gmcp_json_writer_end_object (writer);
}
