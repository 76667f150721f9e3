/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-subscription-private.h"

/**
 * gmcp_subscription_get_client: (get-property client)
 * @self: a subscription
 *
 * Gives the client whose server is asked.
 *
 * Returns: (transfer none): the client
 *
 * Since: 0.1
 */
GmcpClient *
gmcp_subscription_get_client (GmcpSubscription *self)
{
  g_return_val_if_fail (GMCP_IS_SUBSCRIPTION (self), NULL);

  return self->client;
}

/**
 * gmcp_subscription_get_lists: (get-property lists)
 * @self: a subscription
 *
 * Gives the lists whose changes are wanted.
 *
 * Returns: the lists
 *
 * Since: 0.1
 */
GmcpSubscriptionFlags
gmcp_subscription_get_lists (GmcpSubscription *self)
{
  g_return_val_if_fail (GMCP_IS_SUBSCRIPTION (self), GMCP_SUBSCRIPTION_NONE);

  return self->stream != NULL ? gmcp_change_stream_get_wanted (self->stream)->lists
                              : GMCP_SUBSCRIPTION_NONE;
}

/**
 * gmcp_subscription_get_resource_uris: (get-property resource-uris)
 * @self: a subscription
 *
 * Gives the resources whose changes are wanted.
 *
 * Returns: (transfer none) (array zero-terminated=1): their addresses, each once
 *
 * Since: 0.1
 */
const char *const *
gmcp_subscription_get_resource_uris (GmcpSubscription *self)
{
  g_return_val_if_fail (GMCP_IS_SUBSCRIPTION (self), NULL);

  return self->stream != NULL
           ? (const char *const *) gmcp_change_stream_get_wanted (self->stream)->resource_uris
           : NULL;
}

/**
 * gmcp_subscription_get_task_ids: (get-property task-ids)
 * @self: a subscription
 *
 * Gives the tasks whose changes are wanted.
 *
 * Returns: (transfer none) (array zero-terminated=1): their ids, each once
 *
 * Since: 0.1
 */
const char *const *
gmcp_subscription_get_task_ids (GmcpSubscription *self)
{
  g_return_val_if_fail (GMCP_IS_SUBSCRIPTION (self), NULL);

  return self->stream != NULL
           ? (const char *const *) gmcp_change_stream_get_wanted (self->stream)->task_ids
           : NULL;
}

/**
 * gmcp_subscription_get_state: (get-property state)
 * @self: a subscription
 *
 * Says how far it is.
 *
 * Returns: its state
 *
 * Since: 0.1
 */
GmcpSubscriptionState
gmcp_subscription_get_state (GmcpSubscription *self)
{
  g_return_val_if_fail (GMCP_IS_SUBSCRIPTION (self), GMCP_SUBSCRIPTION_STATE_CLOSED);

  return self->stream != NULL ? gmcp_change_stream_get_state (self->stream)
                              : GMCP_SUBSCRIPTION_STATE_CLOSED;
}

/**
 * gmcp_subscription_get_acknowledged_lists: (get-property acknowledged-lists)
 * @self: a subscription
 *
 * Gives those of the wanted lists whose changes the server tells of.
 *
 * Returns: the lists; none before it was acknowledged
 *
 * Since: 0.1
 */
GmcpSubscriptionFlags
gmcp_subscription_get_acknowledged_lists (GmcpSubscription *self)
{
  g_return_val_if_fail (GMCP_IS_SUBSCRIPTION (self), GMCP_SUBSCRIPTION_NONE);

  return self->stream != NULL ? gmcp_change_stream_get_acknowledged (self->stream)->lists
                              : GMCP_SUBSCRIPTION_NONE;
}

/**
 * gmcp_subscription_get_acknowledged_resource_uris: (get-property acknowledged-resource-uris)
 * @self: a subscription
 *
 * Gives those of the wanted resources whose changes the server tells of.
 *
 * Returns: (transfer none) (array zero-terminated=1): their addresses; none before it was
 *   acknowledged
 *
 * Since: 0.1
 */
const char *const *
gmcp_subscription_get_acknowledged_resource_uris (GmcpSubscription *self)
{
  g_return_val_if_fail (GMCP_IS_SUBSCRIPTION (self), NULL);

  return self->stream != NULL
           ? (const char *const *) gmcp_change_stream_get_acknowledged (self->stream)->resource_uris
           : NULL;
}

/**
 * gmcp_subscription_get_acknowledged_task_ids: (get-property acknowledged-task-ids)
 * @self: a subscription
 *
 * Gives those of the wanted tasks whose changes the server tells of.
 *
 * Returns: (transfer none) (array zero-terminated=1): their ids; none before it was acknowledged
 *
 * Since: 0.1
 */
const char *const *
gmcp_subscription_get_acknowledged_task_ids (GmcpSubscription *self)
{
  g_return_val_if_fail (GMCP_IS_SUBSCRIPTION (self), NULL);

  return self->stream != NULL
           ? (const char *const *) gmcp_change_stream_get_acknowledged (self->stream)->task_ids
           : NULL;
}

/**
 * gmcp_subscription_is_complete:
 * @self: a subscription
 *
 * Says whether the server has acknowledged all that is wanted. What it has not, it does not tell of,
 * and has to be read again from time to time.
 *
 * Returns: whether nothing is missing
 *
 * Since: 0.1
 */
gboolean
gmcp_subscription_is_complete (GmcpSubscription *self)
{
  const GmcpChangeFilter *wanted, *given;

  g_return_val_if_fail (GMCP_IS_SUBSCRIPTION (self), FALSE);

  if (self->stream == NULL)
    return FALSE;

  wanted = gmcp_change_stream_get_wanted (self->stream);
  given = gmcp_change_stream_get_acknowledged (self->stream);
  return wanted->lists == given->lists
         && g_strv_length (wanted->resource_uris) == g_strv_length (given->resource_uris)
         && g_strv_length (wanted->task_ids) == g_strv_length (given->task_ids);
}
