/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-call-permission-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-manager-ask-private.h"
#include "gmcp-manager-policy-private.h"
#include "gmcp-tool-provider-private.h"

#include <gmcp/core/gmcp-error.h>

/* One question that waits for its answer. */
typedef struct
{
  GmcpManager *manager; /* the waiting call holds it */
  GmcpCallPermission
    *request; /* not owned: who drops the last reference denies it, and it says so; NULL once
                             * it is denied */
  GmcpTool *tool;
  char *rule;
  GmcpManagerAnswer *answer; /* what is remembered where it is allowed for good */
  GSource *limit;
  GSource *cancelled;
  GmcpManagerAskedFunc func;
  gpointer data;
} Asking;

static void
clear_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
finish (Asking *asking, const GError *error)
{
  GmcpManagerPolicy *policy = gmcp_manager_get_private (asking->manager)->policy;
  GmcpManagerAskedFunc func = asking->func;
  gpointer data = asking->data;

  g_ptr_array_remove_fast (policy->asking, asking);
  clear_source (&asking->limit);
  clear_source (&asking->cancelled);
  g_object_unref (asking->tool);
  g_clear_pointer (&asking->answer, gmcp_manager_answer_free);
  g_free (asking->rule);
  g_free (asking);
  func (error, data);
}

static GError *
make_refusal (GmcpTool *tool, const char *rule, const char *why)
{
  g_autofree char *text = g_strdup_printf ("%s; %s", rule, why);

  return gmcp_manager_refused_error (gmcp_tool_get_server (tool),
                                     gmcp_tool_get_server_tool_name (tool), text);
}

static void
refuse (Asking *asking, const char *why)
{
  g_autoptr (GError) error = make_refusal (asking->tool, asking->rule, why);

  finish (asking, error);
}

static void
close_request (Asking *asking)
{
  if (asking->request != NULL)
    gmcp_call_permission_close (asking->request);
}

static gboolean
on_denied (gpointer data)
{
  refuse (data, _ ("it was not allowed"));
  return G_SOURCE_REMOVE;
}

/* A language's garbage collector may have dropped the request, and runs no callback meanwhile. */
static void
deny_later (Asking *asking)
{
  asking->request = NULL;
  clear_source (&asking->limit);
  asking->limit = g_idle_source_new ();
  g_source_set_priority (asking->limit, G_PRIORITY_DEFAULT);
  g_source_set_static_name (asking->limit, "[gmcp] call that was denied");
  g_source_set_callback (asking->limit, on_denied, asking, NULL);
  g_source_attach (asking->limit, gmcp_manager_get_private (asking->manager)->context);
}

static void
on_answer (GmcpCallAnswer answer, gpointer data)
{
  Asking *asking = data;

  if (answer == GMCP_CALL_ANSWER_DENY)
    {
      deny_later (asking);
      return;
    }

  if (answer == GMCP_CALL_ANSWER_ALLOW_ALWAYS)
    gmcp_manager_remember_allowed (asking->manager, g_steal_pointer (&asking->answer));
  finish (asking, NULL);
}

static gboolean
on_limit (gpointer data)
{
  Asking *asking = data;

  close_request (asking);
  refuse (asking, _ ("nobody answered"));
  return G_SOURCE_REMOVE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  Asking *asking = data;
  g_autoptr (GError) error = NULL;

  g_cancellable_set_error_if_cancelled (cancellable, &error);
  close_request (asking);
  finish (asking, error);
  return G_SOURCE_REMOVE;
}

static void
watch (Asking *asking, GCancellable *cancellable)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (asking->manager);

  asking->limit = g_timeout_source_new (
    gmcp_manager_get_limit (asking->manager, GMCP_MANAGER_LIMIT_ASK_TIMEOUT_MS));
  g_source_set_static_name (asking->limit, "[gmcp] call to be allowed");
  g_source_set_callback (asking->limit, on_limit, asking, NULL);
  g_source_attach (asking->limit, priv->context);

  if (cancellable == NULL)
    return;
  asking->cancelled = g_cancellable_source_new (cancellable);
  g_source_set_static_name (asking->cancelled, "[gmcp] call to be allowed cancelled");
  g_source_set_callback (asking->cancelled, G_SOURCE_FUNC (on_cancelled), asking, NULL);
  g_source_attach (asking->cancelled, priv->context);
}

void
gmcp_manager_ask (GmcpManager *self,
                  GmcpToolCall *call,
                  const GmcpManagerQuestion *question,
                  GmcpManagerAskedFunc func,
                  gpointer data)
{
  GmcpManagerPolicy *policy = gmcp_manager_get_private (self)->policy;
  GmcpCallOptions *options = gmcp_tool_call_get_options (call);
  const char *call_role = options != NULL ? gmcp_call_options_get_role (options) : NULL;
  const char *role = call_role != NULL ? call_role : policy->role;
  g_autoptr (GmcpCallPermission) request = NULL;
  Asking *asking;

  if (!gmcp_tool_provider_has_call_handler (GMCP_TOOL_PROVIDER (self)))
    {
      g_autoptr (GError) error
        = make_refusal (question->tool, question->rule, _ ("there is nobody to ask"));

      func (error, data);
      return;
    }

  asking = g_new0 (Asking, 1);
  asking->manager = self;
  asking->tool = g_object_ref (question->tool);
  asking->answer = gmcp_manager_answer_new (self, question->tool, role);
  asking->rule = g_strdup (question->rule);
  asking->func = func;
  asking->data = data;
  request = gmcp_call_permission_new (
    &(GmcpCallQuestion){
      .tool = question->tool,
      .server_name = question->server_name,
      .arguments_json = gmcp_tool_call_get_arguments_json (call),
      .role = role,
      .rule = question->rule,
    },
    on_answer, asking);
  asking->request = request;
  g_ptr_array_add (policy->asking, asking);
  watch (asking, gmcp_tool_call_get_cancellable (call));
  gmcp_tool_provider_emit_call_requested (GMCP_TOOL_PROVIDER (self), request);
}

void
gmcp_manager_drop_asking (GmcpManager *self, const GError *reason)
{
  GmcpManagerPolicy *policy = gmcp_manager_get_private (self)->policy;

  while (policy->asking->len > 0)
    {
      Asking *asking = g_ptr_array_index (policy->asking, 0);

      close_request (asking);
      finish (asking, reason);
    }
}
