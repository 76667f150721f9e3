/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-install-private.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-managed-server-news-private.h"
#include "gmcp-managed-server-parts-private.h"
#include "gmcp-pending-tasks-private.h"

#include <gmcp/core/gmcp-error.h>

/* What is told while the command of a server fetches its program, and who no longer waits for that. */

#define LOOK_EVERY_MS 1000u
#define SINCE         "gmcp-waits-since"

struct _GmcpServerFetch
{
  GmcpManagedServer *server; /* which owns it */
  GMainContext *context;
  char *program; /* NULL while nothing is fetched */
  char *package; /* nullable */
  gint64 since_us;
  gboolean is_told; /* that something is fetched */
  GSource *look;    /* while something is fetched */
};

GmcpServerFetch *
gmcp_server_fetch_new (GmcpManagedServer *server, GMainContext *context)
{
  GmcpServerFetch *fetch = g_new0 (GmcpServerFetch, 1);

  fetch->server = server;
  fetch->context = g_main_context_ref (context);
  return fetch;
}

static void
end_fetch (GmcpServerFetch *fetch)
{
  if (fetch->look != NULL)
    g_source_destroy (fetch->look);
  g_clear_pointer (&fetch->look, g_source_unref);
  g_clear_pointer (&fetch->program, g_free);
  g_clear_pointer (&fetch->package, g_free);
  fetch->is_told = FALSE;
}

void
gmcp_server_fetch_free (GmcpServerFetch *fetch)
{
  end_fetch (fetch);
  g_main_context_unref (fetch->context);
  g_free (fetch);
}

static guint
get_call_timeout_ms (GmcpManagedServer *self)
{
  guint own_ms = gmcp_server_config_get_call_timeout_ms (gmcp_managed_server_get_config (self));

  return own_ms > 0 ? own_ms : gmcp_managed_server_get_limits (self)->call_timeout_ms;
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

  for (GList *link = gmcp_managed_server_get_starters (self)->head; link != NULL; link = link->next)
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

  /* A starter that is answered may stop the server. */
  while (fetch->program != NULL && (task = find_impatient (self)) != NULL)
    gmcp_pending_tasks_fail (gmcp_managed_server_get_starters (self), task,
                             new_still_fetching_error (fetch));
  return G_SOURCE_CONTINUE;
}

static void
begin_fetch (GmcpServerFetch *fetch, const GmcpInstaller *installer)
{
  fetch->program = g_strdup (installer->program);
  fetch->package = g_strdup (installer->package);
  fetch->since_us = g_get_monotonic_time ();
  fetch->look = g_timeout_source_new (MIN (LOOK_EVERY_MS, get_call_timeout_ms (fetch->server)));
  g_source_set_static_name (fetch->look, "[gmcp] calls that wait for an installation");
  g_source_set_callback (fetch->look, on_look, fetch, NULL);
  g_source_attach (fetch->look, fetch->context);
  gmcp_managed_server_take_event (fetch->server, GMCP_SERVER_EVENT_INSTALL);
}

static void
tell_of_fetch (GmcpServerFetch *fetch)
{
  GmcpManagedServer *self = fetch->server;

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
  GmcpServerFetch *fetch = gmcp_managed_server_get_fetch (self);

  switch (phase)
    {
    case GMCP_GUARD_INSTALL_WAITS:
      if (fetch->program != NULL)
        break;
      begin_fetch (fetch, installer);
      gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                                  _ ("Server “%s” waits for its turn: %s is installing another"),
                                  gmcp_managed_server_get_title (self), installer->family);
      break;

    case GMCP_GUARD_INSTALL_RUNS:
      if (fetch->program == NULL)
        begin_fetch (fetch, installer);
      if (fetch->program != NULL)
        tell_of_fetch (fetch);
      break;

    case GMCP_GUARD_INSTALL_DONE:
      gmcp_managed_server_begin_start_time (self);
      if (fetch->program != NULL)
        {
          gboolean was_told = fetch->is_told;

          end_fetch (fetch);
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
  GmcpServerFetch *fetch = gmcp_managed_server_get_fetch (self);
  gboolean was_told = fetch->is_told;
  g_autofree char *program = g_strdup (fetch->program);

  end_fetch (fetch);
  if (was_told && is_stopped)
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                                _ ("%s is not interrupted: it ends when the program of server “%s” "
                                   "is installed"),
                                program, gmcp_managed_server_get_title (self));
}
