/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-input-private.h"

/**
 * gmcp_client_get_input_timeout_ms:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:input-timeout-ms].
 *
 * Returns: milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_client_get_input_timeout_ms (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), 0);

  return gmcp_input_get_timeout_ms (gmcp_client_get_session (self));
}

/**
 * gmcp_client_set_input_timeout_ms:
 * @self: a client
 * @input_timeout_ms: milliseconds, more than 0
 *
 * Sets [property@Gmcp.Client:input-timeout-ms], for the questions to come.
 *
 * Since: 0.1
 */
void
gmcp_client_set_input_timeout_ms (GmcpClient *self, guint input_timeout_ms)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (input_timeout_ms > 0);
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_input_set_timeout_ms (gmcp_client_get_session (self), input_timeout_ms))
    g_object_notify (G_OBJECT (self), "input-timeout-ms");
}

/**
 * gmcp_client_get_allow_sampling:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:allow-sampling].
 *
 * Returns: whether the server may ask for the application's model
 *
 * Since: 0.1
 */
gboolean
gmcp_client_get_allow_sampling (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), FALSE);

  return gmcp_input_get_allow_sampling (gmcp_client_get_session (self));
}

/**
 * gmcp_client_set_allow_sampling:
 * @self: a client
 * @allow_sampling: whether the server may ask for the application's model
 *
 * Sets [property@Gmcp.Client:allow-sampling].
 *
 * Since: 0.1
 */
void
gmcp_client_set_allow_sampling (GmcpClient *self, gboolean allow_sampling)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_input_set_allow_sampling (gmcp_client_get_session (self), allow_sampling))
    g_object_notify (G_OBJECT (self), "allow-sampling");
}

/**
 * gmcp_client_get_roots:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:roots].
 *
 * Returns: (transfer none) (nullable): a list of [class@Gmcp.Root], or %NULL for none
 *
 * Since: 0.1
 */
GListModel *
gmcp_client_get_roots (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  return gmcp_input_get_roots (gmcp_client_get_session (self));
}

/**
 * gmcp_client_set_roots:
 * @self: a client
 * @roots: (nullable): a list of [class@Gmcp.Root], or %NULL for none
 *
 * Sets [property@Gmcp.Client:roots]. The list is looked at when the server asks for it, and may
 * change.
 *
 * Since: 0.1
 */
void
gmcp_client_set_roots (GmcpClient *self, GListModel *roots)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (roots == NULL || G_IS_LIST_MODEL (roots));
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_input_set_roots (gmcp_client_get_session (self), roots))
    g_object_notify (G_OBJECT (self), "roots");
}

void
gmcp_client_set_listens_func (GmcpClient *self, gboolean (*listens) (gpointer data), gpointer data)
{
  gmcp_input_set_listens_func (gmcp_client_get_session (self), listens, data);
}

void
gmcp_client_set_asks_by_call (GmcpClient *self, gboolean asks_by_call)
{
  gmcp_input_set_asks_by_call (gmcp_client_get_session (self), asks_by_call);
}

GmcpClientAbilities
gmcp_client_get_declared_abilities (GmcpClient *self)
{
  return gmcp_input_get_declared_abilities (gmcp_client_get_session (self));
}
