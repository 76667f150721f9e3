/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/gmcp-tool-provider.h>

#include "gmcp-limits.h"
#include "gmcp-provider-request-private.h"
#include "gmcp-tool-index-private.h"
#include "gmcp-value-private.h"

/**
 * GmcpToolSearch:
 *
 * A search over the tools of a provider, as a provider that has a search of its own gets it. The
 * provider completes it once, now or later, with [method@Gmcp.ToolSearch.return_matches] or
 * [method@Gmcp.ProviderRequest.return_error]. One that is let go of without either fails with
 * [error@Gmcp.Error] `FAILED`.
 *
 * Since: 0.1
 */
struct _GmcpToolSearch
{
  GmcpProviderRequest parent_instance;

  char *query;
  guint limit;
  GmcpToolDetail detail;
};

G_DEFINE_FINAL_TYPE (GmcpToolSearch, gmcp_tool_search, GMCP_TYPE_PROVIDER_REQUEST)

static void
gmcp_tool_search_finalize (GObject *object)
{
  g_free (GMCP_TOOL_SEARCH (object)->query);

  G_OBJECT_CLASS (gmcp_tool_search_parent_class)->finalize (object);
}

static void
gmcp_tool_search_class_init (GmcpToolSearchClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_tool_search_finalize;
}

static void
gmcp_tool_search_init (GmcpToolSearch *self)
{
}

/* A limit of 0 is the default. */
static GmcpToolSearch *
new_search (const char *query, guint limit, GmcpToolDetail detail)
{
  GmcpToolSearch *self = g_object_new (GMCP_TYPE_TOOL_SEARCH, NULL);

  self->query = g_strdup (query);
  self->limit = MIN (limit != 0 ? limit : GMCP_DEFAULT_SEARCH_RESULTS, GMCP_LIMIT_SEARCH_RESULTS);
  self->detail = detail;
  return self;
}

/**
 * gmcp_tool_search_get_query:
 * @self: a search
 *
 * Gives what to search for: any text, of a person or a model.
 *
 * Returns: (transfer none): the query
 *
 * Since: 0.1
 */
const char *
gmcp_tool_search_get_query (GmcpToolSearch *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_SEARCH (self), NULL);

  return self->query;
}

/**
 * gmcp_tool_search_get_limit:
 * @self: a search
 *
 * Gives how many tools are wanted.
 *
 * Returns: the highest number of matches, 1 to 1,000
 *
 * Since: 0.1
 */
guint
gmcp_tool_search_get_limit (GmcpToolSearch *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_SEARCH (self), 0);

  return self->limit;
}

/**
 * gmcp_tool_search_get_detail:
 * @self: a search
 *
 * Gives how much is to be told of each tool; to be handed to [ctor@Gmcp.ToolMatch.new].
 *
 * Returns: the detail
 *
 * Since: 0.1
 */
GmcpToolDetail
gmcp_tool_search_get_detail (GmcpToolSearch *self)
{
  g_return_val_if_fail (GMCP_IS_TOOL_SEARCH (self), GMCP_TOOL_DETAIL_NAME);

  return self->detail;
}

/**
 * gmcp_tool_search_return_matches:
 * @self: a search
 * @matches: (element-type Gmcp.ToolMatch): what was found, the best first; may be empty
 *
 * Completes the search. What is beyond the limit is left out.
 *
 * Since: 0.1
 */
void
gmcp_tool_search_return_matches (GmcpToolSearch *self, GPtrArray *matches)
{
  GPtrArray *copy;

  g_return_if_fail (GMCP_IS_TOOL_SEARCH (self));
  g_return_if_fail (matches != NULL);
  g_return_if_fail (!gmcp_value_array_has_null (matches));

  copy = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < MIN (matches->len, self->limit); i++)
    g_ptr_array_add (copy, g_object_ref (g_ptr_array_index (matches, i)));

  gmcp_provider_request_return_pointer (self, copy, (GDestroyNotify) g_ptr_array_unref);
}

/* The provider's index, made at the first search. */
static GmcpToolIndex *
get_index (GmcpToolProvider *self)
{
  static GQuark quark;
  GmcpToolIndex *index;

  if (quark == 0)
    quark = g_quark_from_static_string ("gmcp-tool-index");

  index = g_object_get_qdata (G_OBJECT (self), quark);
  if (index == NULL)
    {
      index = gmcp_tool_index_new (gmcp_tool_provider_get_tools (self));
      g_object_set_qdata_full (G_OBJECT (self), quark, index, g_object_unref);
    }
  return index;
}

static void
search_index (gpointer provider, gpointer search)
{
  gmcp_tool_index_search (get_index (provider), search);
}

/**
 * gmcp_tool_provider_search_async:
 * @self: a provider
 * @query: what to search for: any text, of a person or a model
 * @limit: the highest number of tools to give back, at most 1,000; 0 for 10
 * @detail: how much to tell of each in [method@Gmcp.ToolMatch.dup_json]
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Finds tools among those that are listed now, so that a model need not be given a long list.
 *
 * A tool is found by any of the words of @query, or by the beginning of one of three letters or more,
 * in its name, its server's, its title, its description or the names of its arguments; names count
 * most, and words that few tools have count more than those that many have. There is no syntax: what
 * is no letter and no digit only separates words. The first 4,096 bytes and 16 words count. An empty
 * query gives the first tools of the list.
 *
 * Fails with [error@Gmcp.Error] `NOT_SUPPORTED` where the module with the index is missing, which is
 * built where SQLite is.
 *
 * Since: 0.1
 */
void
gmcp_tool_provider_search_async (GmcpToolProvider *self,
                                 const char *query,
                                 guint limit,
                                 GmcpToolDetail detail,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  GmcpToolProviderInterface *iface;

  g_return_if_fail (GMCP_IS_TOOL_PROVIDER (self));
  g_return_if_fail (query != NULL);
  g_return_if_fail (detail <= GMCP_TOOL_DETAIL_FULL);
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  iface = GMCP_TOOL_PROVIDER_GET_IFACE (self);
  gmcp_provider_request_send (
    new_search (query, limit, detail), self,
    iface->search != NULL ? (GmcpProviderRequestFunc) iface->search : search_index,
    gmcp_tool_provider_search_async, NULL, cancellable, callback, user_data);
}

/**
 * gmcp_tool_provider_search_finish:
 * @self: a provider
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Finishes [method@Gmcp.ToolProvider.search_async].
 *
 * Returns: (transfer container) (element-type Gmcp.ToolMatch): what was found, the best first; empty
 *   where nothing was
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_tool_provider_search_finish (GmcpToolProvider *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_tool_provider_search_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
