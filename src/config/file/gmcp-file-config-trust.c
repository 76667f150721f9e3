/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-trust-private.h"
#include "gmcp-file-config-source-private.h"
#include "gmcp-limits.h"

/* Another program may say that the user trusts the file of a project, or does not any more. */

static void
on_trust_changed (gpointer data)
{
  GmcpFileConfigSource *self = data;

  /* A file that is wrong runs nothing either way, and has been told of. */
  if (self->reading || self->failure == NULL)
    gmcp_file_config_source_read (self, NULL);
}

static gboolean
on_trust_watch_due (gpointer data)
{
  GmcpFileConfigSource *self = data;
  g_autofree char *path = gmcp_config_trust_dup_store ();
  g_autoptr (GFile) store = g_file_new_for_path (path);

  g_main_context_push_thread_default (self->context);
  self->trust_watch = gmcp_file_watch_new (store, self->delay_ms, on_trust_changed, self);
  gmcp_file_watch_begin (self->trust_watch);
  g_main_context_pop_thread_default (self->context);
  /* The file may have changed before it was watched. */
  on_trust_changed (self);
  return G_SOURCE_REMOVE;
}

void
gmcp_file_config_source_watch_trust (GmcpFileConfigSource *self)
{
  if (!self->project || self->trust_watch_due != NULL)
    return;

  /* A program that makes one call and ends is quicker without. */
  self->trust_watch_due = g_timeout_source_new (GMCP_DEFAULT_STATE_DELAY_MS);
  g_source_set_static_name (self->trust_watch_due, "[gmcp] trust watch");
  g_source_set_callback (self->trust_watch_due, on_trust_watch_due, self, NULL);
  g_source_attach (self->trust_watch_due, self->context);
}

void
gmcp_file_config_source_unwatch_trust (GmcpFileConfigSource *self)
{
  if (self->trust_watch_due != NULL)
    g_source_destroy (self->trust_watch_due);
  g_clear_pointer (&self->trust_watch_due, g_source_unref);
  g_clear_pointer (&self->trust_watch, gmcp_file_watch_free);
}
