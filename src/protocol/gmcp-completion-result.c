/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-completion-result-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
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

GmcpCompletionResult *
gmcp_completion_result_new_from_value (GmcpJsonValue value, GError **error)
{
  if (!gmcp_json_value_is_array (gmcp_json_value_get_pointer (value, "/completion/values")))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                           _ ("the answer has no array “values”"));
      return NULL;
    }

  return gmcp_value_new (sizeof (GmcpCompletionResult), value);
}

static GmcpJsonValue
get_completion (GmcpCompletionResult *self)
{
  return gmcp_value_get_member (&self->base, "completion");
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
