/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcpd-caller-watch.h"
#include "gmcpd-watchers.h"

#define MAX_WATCHERS 100

struct _GmcpdWatchers
{
  GmcpdOpenQuestions *questions;
  GPtrArray *watchers; /* of Watcher */
};

typedef struct
{
  GmcpdWatchers *owner;
  GmcpdCallerWatch *caller;
} Watcher;

static void
watcher_free (gpointer data)
{
  Watcher *watcher = data;

  gmcpd_open_questions_end_looking (watcher->owner->questions);
  gmcpd_caller_watch_free (watcher->caller);
  g_free (watcher);
}

GmcpdWatchers *
gmcpd_watchers_new (GmcpdOpenQuestions *questions)
{
  GmcpdWatchers *self = g_new0 (GmcpdWatchers, 1);

  self->questions = g_object_ref (questions);
  self->watchers = g_ptr_array_new_with_free_func (watcher_free);
  return self;
}

void
gmcpd_watchers_free (GmcpdWatchers *self)
{
  g_ptr_array_unref (self->watchers);
  g_object_unref (self->questions);
  g_free (self);
}

GmcpdOpenQuestions *
gmcpd_watchers_get_questions (GmcpdWatchers *self)
{
  return self->questions;
}

static void
on_gone (gpointer data)
{
  Watcher *watcher = data;

  g_ptr_array_remove (watcher->owner->watchers, watcher);
}

static Watcher *
find_watcher (GmcpdWatchers *self, GDBusMethodInvocation *invocation)
{
  for (guint i = 0; i < self->watchers->len; i++)
    {
      Watcher *watcher = self->watchers->pdata[i];

      if (gmcpd_caller_watch_is_of (watcher->caller, invocation))
        return watcher;
    }
  return NULL;
}

static gboolean
add_watcher (GmcpdWatchers *self, GDBusMethodInvocation *invocation, GError **error)
{
  Watcher *watcher;

  if (self->watchers->len >= MAX_WATCHERS)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                           _ ("Too many programs watch the questions"));
      return FALSE;
    }
  /* It came before its connection was closed, which has been told of. */
  if (g_dbus_connection_is_closed (g_dbus_method_invocation_get_connection (invocation)))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CLOSED, _ ("The caller has gone"));
      return FALSE;
    }

  watcher = g_new0 (Watcher, 1);
  watcher->owner = self;
  watcher->caller = gmcpd_caller_watch_new (invocation, on_gone, watcher);
  g_ptr_array_add (self->watchers, watcher);
  gmcpd_open_questions_begin_looking (self->questions);
  return TRUE;
}

gboolean
gmcpd_watchers_set (GmcpdWatchers *self,
                    GDBusMethodInvocation *invocation,
                    gboolean watches,
                    GError **error)
{
  Watcher *watcher = find_watcher (self, invocation);

  if (watches && watcher == NULL)
    return add_watcher (self, invocation, error);
  if (!watches && watcher != NULL)
    g_ptr_array_remove (self->watchers, watcher);
  return TRUE;
}
