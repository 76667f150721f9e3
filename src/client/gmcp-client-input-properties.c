/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-era-private.h"

static void
capabilities_changed (GmcpClient *self)
{
  if (self->state == GMCP_CLIENT_OPEN && self->era->capabilities_changed != NULL)
    self->era->capabilities_changed (self);
}

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

  return self->input.timeout_ms;
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

  if (self->input.timeout_ms == input_timeout_ms)
    return;

  self->input.timeout_ms = input_timeout_ms;
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

  return self->input.allow_sampling;
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

  if (self->input.allow_sampling == !!allow_sampling)
    return;

  self->input.allow_sampling = !!allow_sampling;
  capabilities_changed (self);
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

  return self->input.roots;
}

static gboolean
on_roots_idle (gpointer user_data)
{
  g_autoptr (GmcpClient) self = g_object_ref (user_data);

  g_clear_pointer (&self->input.roots_source, g_source_unref);
  if (self->state == GMCP_CLIENT_OPEN && self->era->roots_changed != NULL)
    self->era->roots_changed (self);
  return G_SOURCE_REMOVE;
}

/* Many changes in one turn of the loop are told as one. */
static void
on_roots_changed (GmcpClient *self)
{
  if (self->input.roots_source != NULL || self->state != GMCP_CLIENT_OPEN)
    return;

  self->input.roots_source = g_idle_source_new ();
  g_source_set_priority (self->input.roots_source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (self->input.roots_source, "[gmcp] roots changed");
  g_source_set_callback (self->input.roots_source, on_roots_idle, self, NULL);
  g_source_attach (self->input.roots_source, self->context);
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
  gboolean had_some;

  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (roots == NULL || G_IS_LIST_MODEL (roots));

  if (self->input.roots == roots)
    return;

  had_some = self->input.roots != NULL;
  if (had_some)
    g_signal_handlers_disconnect_by_func (self->input.roots, on_roots_changed, self);
  g_set_object (&self->input.roots, roots);
  if (roots != NULL)
    g_signal_connect_object (roots, "items-changed", G_CALLBACK (on_roots_changed), self,
                             G_CONNECT_SWAPPED);
  if (had_some != (roots != NULL))
    capabilities_changed (self);
  on_roots_changed (self);
  g_object_notify (G_OBJECT (self), "roots");
}
