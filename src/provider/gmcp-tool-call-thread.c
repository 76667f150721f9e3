/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tool-call-thread-private.h"

/* What a worker thread has said of a call. */
typedef struct
{
  GmcpToolCall *call;
  GmcpToolResult *result; /* nullable */
  GError *error;          /* nullable */
  double progress;
  double total;
  char *message; /* nullable */
} Saying;

void
gmcp_tool_call_home_init (GmcpToolCallHome *home, GMainContext *context)
{
  home->thread = g_thread_self ();
  home->context = g_main_context_ref (context != NULL ? context : g_main_context_default ());
}

void
gmcp_tool_call_home_clear (GmcpToolCallHome *home)
{
  g_clear_pointer (&home->context, g_main_context_unref);
}

static void
saying_free (gpointer data)
{
  Saying *saying = data;

  g_object_unref (saying->call);
  g_clear_pointer (&saying->result, gmcp_tool_result_unref);
  g_clear_error (&saying->error);
  g_free (saying->message);
  g_free (saying);
}

static gboolean
say_at_home (gpointer data)
{
  Saying *saying = data;

  if (saying->result != NULL)
    gmcp_tool_call_return_result (saying->call, saying->result);
  else if (saying->error != NULL)
    gmcp_tool_call_return_error (saying->call, saying->error);
  else
    gmcp_tool_call_report_progress (saying->call, saying->progress, saying->total, saying->message);
  return G_SOURCE_REMOVE;
}

/* NULL in the thread of the call, and for one that nobody made. */
static Saying *
begin_saying (const GmcpToolCallHome *home, GmcpToolCall *call)
{
  Saying *saying;

  if (home->thread == NULL || home->thread == g_thread_self ())
    return NULL;

  saying = g_new0 (Saying, 1);
  saying->call = g_object_ref (call);
  return saying;
}

/* Sources of one priority come in the order in which they were attached. */
static gboolean
send_saying (const GmcpToolCallHome *home, Saying *saying)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "[gmcp] answer of a thread");
  g_source_set_callback (source, say_at_home, saying, saying_free);
  g_source_attach (source, home->context);
  return TRUE;
}

gboolean
gmcp_tool_call_home_send_result (const GmcpToolCallHome *home,
                                 GmcpToolCall *call,
                                 GmcpToolResult *result)
{
  Saying *saying = begin_saying (home, call);

  if (saying == NULL)
    return FALSE;
  saying->result = gmcp_tool_result_ref (result);
  return send_saying (home, saying);
}

gboolean
gmcp_tool_call_home_send_error (const GmcpToolCallHome *home,
                                GmcpToolCall *call,
                                const GError *error)
{
  Saying *saying = begin_saying (home, call);

  if (saying == NULL)
    return FALSE;
  saying->error = g_error_copy (error);
  return send_saying (home, saying);
}

gboolean
gmcp_tool_call_home_send_progress (const GmcpToolCallHome *home,
                                   GmcpToolCall *call,
                                   double progress,
                                   double total,
                                   const char *message)
{
  Saying *saying = begin_saying (home, call);

  if (saying == NULL)
    return FALSE;
  saying->progress = progress;
  saying->total = total;
  saying->message = g_strdup (message);
  return send_saying (home, saying);
}
