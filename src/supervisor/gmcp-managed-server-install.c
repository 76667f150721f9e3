/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-pending-tasks-private.h"

#include <gmcp/core/gmcp-error.h>

/* What is told while the command of a server fetches its program, and who no longer waits for that. */

#define LOOK_EVERY_MS 1000u
#define SINCE         "gmcp-waits-since"

struct _GmcpServerFetch
{
  GmcpManagedServer *server; /* which owns it */
  char *program;
  char *package; /* nullable */
  gint64 since_us;
  gboolean is_told; /* that something is fetched */
  GSource *look;
};

static void
fetch_free (GmcpServerFetch *fetch)
{
  g_source_destroy (fetch->look);
  g_source_unref (fetch->look);
  g_free (fetch->program);
  g_free (fetch->package);
  g_free (fetch);
}

static guint
get_call_timeout_ms (GmcpManagedServer *self)
{
  guint own_ms = gmcp_server_config_get_call_timeout_ms (self->config);

  return own_ms > 0 ? own_ms : self->limits.call_timeout_ms;
}

void
gmcp_managed_server_note_waiter (GTask *task)
{
  gint64 *now_us = g_new (gint64, 1);

  *now_us = g_get_monotonic_time ();
  g_object_set_data_full (G_OBJECT (task), SINCE, now_us, g_free);
}

static GTask *
find_impatient (GmcpManagedServer *self)
{
  gint64 before_us = g_get_monotonic_time () - get_call_timeout_ms (self) * (gint64) 1000;

  for (GList *link = self->starters.head; link != NULL; link = link->next)
    {
      gint64 *since_us = g_object_get_data (G_OBJECT (link->data), SINCE);

      if (since_us != NULL && *since_us <= before_us)
        return link->data;
    }
  return NULL;
}

static GError *
new_still_fetching_error (GmcpServerFetch *fetch)
{
  GmcpManagedServer *self = fetch->server;
  int seconds = (int) ((g_get_monotonic_time () - fetch->since_us) / G_USEC_PER_SEC);

  if (!fetch->is_told)
    return g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                        _ ("Server “%s” is still being installed: for %d seconds %s has waited for "
                           "another installation to end. It goes on; try again later"),
                        gmcp_managed_server_get_title (self), seconds, fetch->program);
  if (fetch->package == NULL)
    return g_error_new (
      GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
      _ ("Server “%s” is still being installed: %s has fetched its program for %d "
         "seconds. That goes on; try again later"),
      gmcp_managed_server_get_title (self), fetch->program, seconds);
  return g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                      _ ("Server “%s” is still being installed: %s has fetched %s for %d seconds. "
                         "That goes on; try again later"),
                      gmcp_managed_server_get_title (self), fetch->program, fetch->package,
                      seconds);
}

static gboolean
on_look (gpointer data)
{
  GmcpServerFetch *fetch = data;
  g_autoptr (GmcpManagedServer) self = g_object_ref (fetch->server);
  GTask *task;

  /* Whoever is told may stop it. */
  while (self->fetch == fetch && (task = find_impatient (self)) != NULL)
    gmcp_pending_tasks_fail (&self->starters, task, new_still_fetching_error (fetch));
  return G_SOURCE_CONTINUE;
}

static void
begin_fetch (GmcpManagedServer *self, const GmcpInstaller *installer)
{
  GmcpServerFetch *fetch = g_new0 (GmcpServerFetch, 1);

  fetch->server = self;
  fetch->program = g_strdup (installer->program);
  fetch->package = g_strdup (installer->package);
  fetch->since_us = g_get_monotonic_time ();
  fetch->look = g_timeout_source_new (MIN (LOOK_EVERY_MS, get_call_timeout_ms (self)));
  g_source_set_static_name (fetch->look, "[gmcp] calls that wait for an installation");
  g_source_set_callback (fetch->look, on_look, fetch, NULL);
  g_source_attach (fetch->look, self->context);
  self->fetch = fetch;
  gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_INSTALL);
}

static void
tell_of_fetch (GmcpManagedServer *self)
{
  GmcpServerFetch *fetch = self->fetch;

  fetch->is_told = TRUE;
  fetch->since_us = g_get_monotonic_time ();
  if (fetch->package != NULL)
    gmcp_managed_server_notice (
      self, GMCP_NOTICE_LEVEL_INFO,
      _ ("Installing server “%s”: %s is fetching %s, which can take minutes "
         "the first time"),
      gmcp_managed_server_get_title (self), fetch->program, fetch->package);
  else
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                                _ ("Installing server “%s”: %s is fetching its program, which can "
                                   "take minutes the first time"),
                                gmcp_managed_server_get_title (self), fetch->program);
}

void
gmcp_managed_server_on_install (GmcpGuardInstallPhase phase,
                                const GmcpInstaller *installer,
                                gpointer data)
{
  g_autoptr (GmcpManagedServer) self = g_object_ref (GMCP_MANAGED_SERVER (data));

  switch (phase)
    {
    case GMCP_GUARD_INSTALL_WAITS:
      if (self->fetch != NULL)
        break;
      begin_fetch (self, installer);
      gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                                  _ ("Server “%s” waits for its turn: %s is installing another"),
                                  gmcp_managed_server_get_title (self), installer->family);
      break;

    case GMCP_GUARD_INSTALL_RUNS:
      if (self->fetch == NULL)
        begin_fetch (self, installer);
      if (self->fetch != NULL)
        tell_of_fetch (self);
      break;

    case GMCP_GUARD_INSTALL_DONE:
      if (self->attempt != NULL)
        gmcp_start_attempt_begin_time (self->attempt);
      if (self->fetch != NULL)
        {
          gboolean was_told = self->fetch->is_told;

          g_clear_pointer (&self->fetch, fetch_free);
          gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_INSTALLED);
          if (was_told)
            gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                                        _ ("Server “%s” is installed"),
                                        gmcp_managed_server_get_title (self));
        }
      break;

    case GMCP_GUARD_INSTALL_TIMED_OUT:
    default:
      break;
    }
}

void
gmcp_managed_server_forget_install (GmcpManagedServer *self, gboolean is_stopped)
{
  gboolean was_told = self->fetch != NULL && self->fetch->is_told;
  g_autofree char *program = NULL;

  if (self->fetch == NULL)
    return;

  program = g_strdup (self->fetch->program);
  g_clear_pointer (&self->fetch, fetch_free);
  if (was_told && is_stopped)
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                                _ ("%s is not interrupted: it ends when the program of server “%s” "
                                   "is installed"),
                                program, gmcp_managed_server_get_title (self));
}
