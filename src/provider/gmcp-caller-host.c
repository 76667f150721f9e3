/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-call-options-private.h"
#include "gmcp-caller-private.h"
#include "gmcp-elicitation-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-log-message-private.h"
#include "gmcp-sampling-private.h"
#include "gmcp-tool-provider-private.h"

/* A host that calls a tool of its own process: log lines go to the options of the call, questions to
 * whoever listens to the provider. */
typedef struct
{
  GWeakRef provider;
  GmcpCallOptions *options; /* nullable */
  char *state_json;         /* nullable */
} Host;

static void
host_free (gpointer data)
{
  Host *host = data;

  g_weak_ref_clear (&host->provider);
  g_clear_object (&host->options);
  g_free (host->state_json);
  g_free (host);
}

static GmcpImplementation *
get_client_info (gpointer data)
{
  return NULL;
}

static GmcpCapabilities *
get_client_capabilities (gpointer data)
{
  return NULL;
}

static const char *
get_protocol_version (gpointer data)
{
  return NULL;
}

static const char *
get_user (gpointer data)
{
  return NULL;
}

static gboolean
wants_log (gpointer data, GmcpLogLevel level)
{
  Host *host = data;

  return host->options != NULL && level >= gmcp_call_options_get_log_level (host->options);
}

static void
tell_log (gpointer data, GmcpLogLevel level, GmcpJsonDoc *params)
{
  Host *host = data;
  g_autoptr (GmcpLogMessage) message
    = gmcp_log_message_new_from_value (gmcp_json_doc_get_root (params));

  gmcp_call_options_emit_log_message (host->options, message);
}

/* A question that waits for its answer. */
typedef struct
{
  GTask *task;
  GWeakRef question;
  GSource *cancelled; /* nullable */
} Asking;

static GTask *
end_asking (Asking *asking)
{
  GTask *task = asking->task;

  if (asking->cancelled != NULL)
    {
      g_source_destroy (asking->cancelled);
      g_source_unref (asking->cancelled);
    }
  g_weak_ref_clear (&asking->question);
  g_free (asking);
  return task;
}

static void
return_answer (GTask *task, const char *answer)
{
  if (answer != NULL)
    g_task_return_pointer (task, g_strdup (answer), g_free);
  else
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INPUT_REFUSED, "%s",
                             _ ("The question was refused"));
}

static void
on_answered (GmcpInputRequest *question, const char *answer, gpointer data)
{
  g_autoptr (GTask) task = end_asking (data);

  return_answer (task, answer);
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  Asking *asking = data;
  g_autoptr (GmcpInputRequest) question = g_weak_ref_get (&asking->question);
  g_autoptr (GTask) task = end_asking (asking);

  g_task_return_error_if_cancelled (task);
  if (question != NULL)
    gmcp_input_request_close (question);
  return G_SOURCE_REMOVE;
}

static void
wait_for_answer (GmcpInputRequest *question, GTask *task)
{
  GCancellable *cancellable = g_task_get_cancellable (task);
  Asking *asking = g_new0 (Asking, 1);

  asking->task = task;
  g_weak_ref_init (&asking->question, question);
  gmcp_input_request_listen (question, on_answered, asking);
  if (cancellable == NULL)
    return;

  asking->cancelled = g_cancellable_source_new (cancellable);
  g_source_set_static_name (asking->cancelled, "[gmcp] question cancelled");
  g_source_set_callback (asking->cancelled, G_SOURCE_FUNC (on_cancelled), asking, NULL);
  g_source_attach (asking->cancelled, g_task_get_context (task));
}

/* Listeners get a copy of the question: dropping its last reference is an answer, too. */
static GmcpInputRequest *
copy_question (GmcpInputRequest *question, GError **error)
{
  GmcpJsonValue params = gmcp_input_request_get_params_value (question);

  if (GMCP_IS_ELICITATION (question))
    return GMCP_INPUT_REQUEST (gmcp_elicitation_new_from_value (params, NULL, error));
  if (GMCP_IS_SAMPLING (question))
    return GMCP_INPUT_REQUEST (gmcp_sampling_new_from_value (params, error));

  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                       _ ("A tool can ask the user for input, or the model; not this"));
  return NULL;
}

static void
ask_host (gpointer data, GmcpInputRequest *question, GTask *task)
{
  g_autoptr (GTask) owned = task;
  Host *host = data;
  g_autoptr (GmcpToolProvider) provider = g_weak_ref_get (&host->provider);
  g_autoptr (GmcpInputRequest) copy = NULL;
  GError *error = NULL;

  copy = copy_question (question, &error);
  if (copy == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  if (provider == NULL || !gmcp_tool_provider_has_input_handler (provider))
    {
      return_answer (task, GMCP_IS_ELICITATION (copy) ? GMCP_ELICITATION_ANSWER_DECLINE : NULL);
      return;
    }

  gmcp_input_request_set_asker (copy, g_get_application_name (), NULL);
  wait_for_answer (copy, g_steal_pointer (&owned));
  gmcp_tool_provider_emit_input_requested (provider, copy);
}

static void
list_roots (gpointer data, GTask *task)
{
  g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED, "%s",
                           _ ("A host that calls its own tools has no roots"));
  g_object_unref (task);
}

static void
keep_state (gpointer data, const char *json)
{
  Host *host = data;

  g_free (host->state_json);
  host->state_json = g_strdup (json);
}

static const char *
get_state (gpointer data)
{
  return ((Host *) data)->state_json;
}

static gboolean
is_called_again (gpointer data)
{
  return FALSE;
}

static guint64
get_connection_number (gpointer data)
{
  return 0;
}

static const GmcpCallerFuncs host_funcs = {
  .get_client_info = get_client_info,
  .get_client_capabilities = get_client_capabilities,
  .get_protocol_version = get_protocol_version,
  .get_user = get_user,
  .wants_log = wants_log,
  .log = tell_log,
  .ask = ask_host,
  .list_roots = list_roots,
  .is_called_again = is_called_again,
  .get_connection_number = get_connection_number,
  .keep_state = keep_state,
  .get_state = get_state,
};

GmcpCaller *
gmcp_caller_new_for_host (GmcpToolProvider *provider, GmcpCallOptions *options)
{
  Host *host = g_new0 (Host, 1);

  g_weak_ref_init (&host->provider, provider);
  if (options != NULL)
    host->options = g_object_ref (options);
  return gmcp_caller_new (&host_funcs, host, host_free);
}
