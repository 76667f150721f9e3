/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-completion-result-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-value-private.h"

/**
 * GmcpCompletionResult:
 *
 * What a server offers to complete an argument with. Immutable; may be used from any thread.
 *
 * Spec: MCP 2026-07-28, server/utilities/completion.
 *
 * Since: 0.1
 */
struct _GmcpCompletionResult
{
  GmcpValue base;
  char **values; /* decoded when asked for */
};

G_DEFINE_BOXED_TYPE (GmcpCompletionResult,
                     gmcp_completion_result,
                     gmcp_completion_result_ref,
                     gmcp_completion_result_unref)

static GmcpCompletionResult *
new_checked (GmcpJsonValue value, int code, GError **error)
{
  if (!gmcp_json_value_is_array (gmcp_json_value_get_pointer (value, "/completion/values")))
    {
      g_set_error_literal (error, GMCP_ERROR, code, _ ("the answer has no array “values”"));
      return NULL;
    }

  return gmcp_value_new (sizeof (GmcpCompletionResult), value);
}

GmcpCompletionResult *
gmcp_completion_result_new_from_value (GmcpJsonValue value, GError **error)
{
  return new_checked (value, GMCP_ERROR_PROTOCOL, error);
}

GmcpJsonValue
gmcp_completion_result_get_value (GmcpCompletionResult *self)
{
  return self->base.value;
}

static GmcpJsonValue
get_completion (GmcpCompletionResult *self)
{
  return gmcp_value_get_member (&self->base, "completion");
}

/**
 * gmcp_completion_result_new:
 * @values: (array zero-terminated=1): the values, the best first; of more than 100 the first 100 count
 * @total: how many there are in all, or -1 where that is not known
 * @has_more: whether there are more than @values
 *
 * Makes a result, for those who complete arguments of their own.
 *
 * Returns: (transfer full): a new result
 *
 * Since: 0.1
 */
GmcpCompletionResult *
gmcp_completion_result_new (const char *const *values, gint64 total, gboolean has_more)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GString *written;
  GmcpJsonWriter writer;
  guint n = 0;

  g_return_val_if_fail (values != NULL, NULL);

  written = g_string_new (NULL);
  writer = gmcp_json_writer_init (written);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, "completion");
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, "values");
  gmcp_json_writer_begin_array (&writer);
  for (; values[n] != NULL && n < GMCP_LIMIT_COMPLETION_VALUES; n++)
    gmcp_json_writer_string (&writer, values[n]);
  gmcp_json_writer_end_array (&writer);
  if (total >= 0)
    gmcp_json_writer_member_int64 (&writer, "total", total);
  gmcp_json_writer_member_boolean (&writer, "hasMore", has_more || values[n] != NULL);
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_end_object (&writer);
  doc = gmcp_protocol_take_written (written);
  return new_checked (gmcp_json_doc_get_root (doc), GMCP_ERROR_INVALID_ARGUMENT, NULL);
}

/**
 * gmcp_completion_result_new_from_json:
 * @json: the result as JSON text, in the form that servers give it in
 * @error: return location for an error
 *
 * Makes a result, for those who provide completion of their own.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @json is no JSON, and `INVALID_ARGUMENT` where
 * it is no such result.
 *
 * Returns: (transfer full): a new result
 *
 * Since: 0.1
 */
GmcpCompletionResult *
gmcp_completion_result_new_from_json (const char *json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (json != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, error);
  if (doc == NULL)
    return NULL;

  return new_checked (gmcp_json_doc_get_root (doc), GMCP_ERROR_INVALID_ARGUMENT, error);
}

/**
 * gmcp_completion_result_ref:
 * @self: a result
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
GmcpCompletionResult *
gmcp_completion_result_ref (GmcpCompletionResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_value_ref (&self->base);
}

/**
 * gmcp_completion_result_unref:
 * @self: (transfer full): a result
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
gmcp_completion_result_unref (GmcpCompletionResult *self)
{
  g_return_if_fail (self != NULL);

  if (gmcp_value_unref (&self->base))
    {
      g_strfreev (self->values);
      g_free (self);
    }
}

/**
 * gmcp_completion_result_get_values:
 * @self: a result
 *
 * Gives the values, the best first. The protocol has a server give 100 at most.
 *
 * Returns: (transfer none) (array zero-terminated=1): the values
 *
 * Since: 0.1
 */
const char *const *
gmcp_completion_result_get_values (GmcpCompletionResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_value_cache_strings (&self->values,
                                   gmcp_json_value_get_member (get_completion (self), "values"));
}

/**
 * gmcp_completion_result_get_total:
 * @self: a result
 *
 * Gives how many values there are in all, which can be more than were sent.
 *
 * Returns: the number, or -1 where the server did not say
 *
 * Since: 0.1
 */
gint64
gmcp_completion_result_get_total (GmcpCompletionResult *self)
{
  gint64 total = -1;

  g_return_val_if_fail (self != NULL, -1);

  gmcp_json_value_get_int64 (gmcp_json_value_get_member (get_completion (self), "total"), &total);
  return MAX (total, -1);
}

/**
 * gmcp_completion_result_has_more:
 * @self: a result
 *
 * Tells whether there are more values than were sent.
 *
 * Returns: whether there are more
 *
 * Since: 0.1
 */
gboolean
gmcp_completion_result_has_more (GmcpCompletionResult *self)
{
  gboolean more = FALSE;

  g_return_val_if_fail (self != NULL, FALSE);

  gmcp_json_value_get_boolean (gmcp_json_value_get_member (get_completion (self), "hasMore"),
                               &more);
  return more;
}

/**
 * gmcp_completion_result_dup_meta_json:
 * @self: a result
 *
 * Gives the result's `_meta` as the server wrote it.
 *
 * Returns: (transfer full) (nullable): JSON text, or %NULL where there is none
 *
 * Since: 0.1
 */
char *
gmcp_completion_result_dup_meta_json (GmcpCompletionResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (gmcp_value_get_member (&self->base, GMCP_MEMBER_META));
}

/**
 * gmcp_completion_result_dup_json:
 * @self: a result
 *
 * Gives the whole result as the server wrote it, with what this library does not know.
 *
 * Returns: (transfer full): JSON text
 *
 * Since: 0.1
 */
char *
gmcp_completion_result_dup_json (GmcpCompletionResult *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return gmcp_json_value_dup_raw (self->base.value);
}
