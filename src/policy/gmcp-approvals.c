/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-approvals-private.h"

#include "gmcp-approval-file-private.h"
#include "gmcp-call-permission-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-input-request-private.h"
#include "gmcp-policy-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-tool-pins-private.h"
#include "gmcp-tool-provider-private.h"

struct _GmcpApprovals
{
  GmcpToolProvider *provider; /* not owned */
  GMainContext *context;
  GmcpStateStore *state; /* not owned */
  const GmcpApprovalsFuncs *funcs;
  GPtrArray *questions; /* of Question: those that are open */
  GHashTable *approved; /* set of texts: gmcp-approval-file-private.h */
  gboolean is_read;
};

/* What is allowed, for the thread that changes the file. */
typedef struct
{
  char *host;
  char *role;
  char *server;
  char *identity;
  char *origin;
  char *tool;
  char *digest;
} Approval;

/* One question that waits for its answer. */
typedef struct
{
  GmcpApprovals *approvals;
  GmcpCallPermission
    *request; /* not owned: who drops the last reference denies it, and it says so; NULL once
                             * it is denied */
  GmcpTool *tool;
  char *rule;
  Approval *approval;   /* what is remembered where it is allowed for good */
  GmcpPinApproval *pin; /* what is approved in its place; nullable */
  GSource *limit;
  GSource *cancelled;
  GmcpApprovalsFunc func;
  gpointer data;
} Question;

GmcpApprovals *
gmcp_approvals_new (GmcpToolProvider *provider,
                    GMainContext *context,
                    GmcpStateStore *state,
                    const GmcpApprovalsFuncs *funcs)
{
  GmcpApprovals *self = g_new0 (GmcpApprovals, 1);

  self->provider = provider;
  self->context = g_main_context_ref (context);
  self->state = state;
  self->funcs = funcs;
  self->questions = g_ptr_array_new ();
  self->approved = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
gmcp_approvals_free (GmcpApprovals *self)
{
  g_ptr_array_unref (self->questions);
  g_hash_table_unref (self->approved);
  g_main_context_unref (self->context);
  g_free (self);
}

gboolean
gmcp_approvals_take (GmcpApprovals *self, GBytes *bytes, GError **error)
{
  GHashTable *approved = gmcp_approval_file_parse (bytes, error);

  if (approved == NULL)
    return FALSE;

  g_hash_table_unref (self->approved);
  self->approved = approved;
  self->is_read = TRUE;
  return TRUE;
}

const char *
gmcp_approvals_describe_loss (GmcpApprovals *self)
{
  if (self->is_read)
    return _ ("what was allowed before holds on in this program, and nothing can be added: mend "
              "the file, or remove it and answer anew");

  return _ ("what was allowed for good is asked about again, and nothing can be added: mend the "
            "file, or remove it and answer anew");
}

static void
approval_free (gpointer data)
{
  Approval *approval = data;

  g_free (approval->host);
  g_free (approval->role);
  g_free (approval->server);
  g_free (approval->identity);
  g_free (approval->origin);
  g_free (approval->tool);
  g_free (approval->digest);
  g_free (approval);
}

static GmcpApprovalKey
get_key (const Approval *approval)
{
  return (GmcpApprovalKey){ approval->host,   approval->role, approval->server, approval->identity,
                            approval->origin, approval->tool, approval->digest };
}

/* What would run: another program, or one that another file names, was not spoken of. */
static void
set_program (Approval *approval, GmcpServerConfig *config)
{
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (config);

  approval->identity = gmcp_tool_pins_dup_identity (config);
  if (origin != NULL && origin->confined)
    approval->origin = g_strdup (origin->file);
}

static Approval *
approval_new (const GmcpApprovalSubject *subject)
{
  Approval *approval = g_new0 (Approval, 1);
  const char *server = gmcp_tool_get_server_id (subject->tool);

  approval->host = g_strdup (subject->host);
  approval->role = g_strdup (subject->role);
  approval->server = g_strdup (server != NULL ? server : "");
  approval->tool = g_strdup (gmcp_tool_get_server_tool_name (subject->tool));
  approval->digest = gmcp_tool_dup_digest (subject->tool);
  if (subject->config != NULL)
    set_program (approval, subject->config);
  return approval;
}

static GBytes *
add_approval (GBytes *present, gpointer data, GError **error)
{
  const GmcpApprovalKey key = get_key (data);

  return gmcp_approval_file_add (present, &key, error);
}

/* Takes the approval. */
static void
remember_approval (GmcpApprovals *self, Approval *approval)
{
  const GmcpApprovalKey key = get_key (approval);

  g_hash_table_add (self->approved, gmcp_approval_key_dup_text (&key));
  gmcp_state_store_keep (self->state, GMCP_CALL_ANSWERS_FILE, add_approval, approval,
                         approval_free);
  self->funcs->remembered (self->provider);
}

gboolean
gmcp_approvals_is_remembered (GmcpApprovals *self, const GmcpApprovalSubject *subject)
{
  g_autofree char *text = NULL;
  Approval *approval;
  GmcpApprovalKey key;

  if (g_hash_table_size (self->approved) == 0 || subject->tool == NULL)
    return FALSE;

  approval = approval_new (subject);
  key = get_key (approval);
  text = gmcp_approval_key_dup_text (&key);
  approval_free (approval);
  return g_hash_table_contains (self->approved, text);
}

static void
clear_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
finish_question (Question *question, GmcpApprovalOutcome outcome, const GError *error)
{
  GmcpApprovalsFunc func = question->func;
  gpointer data = question->data;

  g_ptr_array_remove_fast (question->approvals->questions, question);
  clear_source (&question->limit);
  clear_source (&question->cancelled);
  g_object_unref (question->tool);
  g_clear_pointer (&question->approval, approval_free);
  g_clear_pointer (&question->pin, gmcp_pin_approval_release);
  g_free (question->rule);
  g_free (question);
  func (outcome, error, data);
}

static GError *
make_refusal (GmcpTool *tool, const char *rule, const char *why)
{
  g_autofree char *text = g_strdup_printf ("%s; %s", rule, why);

  return gmcp_policy_refused_error (gmcp_tool_get_server_id (tool),
                                    gmcp_tool_get_server_tool_name (tool), text);
}

static void
refuse_question (Question *question, const char *why)
{
  g_autoptr (GError) error = make_refusal (question->tool, question->rule, why);

  finish_question (question, GMCP_APPROVAL_REFUSED, error);
}

static void
close_request (Question *question)
{
  if (question->request != NULL)
    gmcp_input_request_close (GMCP_INPUT_REQUEST (question->request));
}

static gboolean
on_denied (gpointer data)
{
  refuse_question (data, _ ("it was not allowed"));
  return G_SOURCE_REMOVE;
}

/* A language's garbage collector may have dropped the request, and runs no callback meanwhile. */
static void
deny_later (Question *question)
{
  question->request = NULL;
  clear_source (&question->limit);
  question->limit = g_idle_source_new ();
  g_source_set_priority (question->limit, G_PRIORITY_DEFAULT);
  g_source_set_static_name (question->limit, "[gmcp] call that was denied");
  g_source_set_callback (question->limit, on_denied, question, NULL);
  g_source_attach (question->limit, question->approvals->context);
}

/* To end a question may make others, and end them. */
static void
end_outdated (GmcpApprovals *self,
              gboolean (*is_outdated) (Question *question, gpointer data),
              gpointer data)
{
  g_autoptr (GPtrArray) open = g_ptr_array_copy (self->questions, NULL, NULL);

  for (guint i = 0; i < open->len; i++)
    {
      Question *question = g_ptr_array_index (open, i);

      if (!g_ptr_array_find (self->questions, question, NULL) || !is_outdated (question, data))
        continue;
      close_request (question);
      finish_question (question, GMCP_APPROVAL_OUTDATED, NULL);
    }
}

static gboolean
is_remembered (Question *question, gpointer data)
{
  GmcpApprovals *self = data;
  GmcpApprovalKey key;
  g_autofree char *text = NULL;

  /* One that was denied ends by itself. */
  if (question->request == NULL || question->pin != NULL)
    return FALSE;

  key = get_key (question->approval);
  text = gmcp_approval_key_dup_text (&key);
  return g_hash_table_contains (self->approved, text);
}

static gboolean
is_about_pin (Question *question, gpointer data)
{
  return question->request != NULL && question->pin != NULL
         && gmcp_pin_approval_covers (data, question->pin);
}

void
gmcp_approvals_end_held (GmcpApprovals *self, GmcpPinApproval *pin)
{
  end_outdated (self, is_about_pin, pin);
}

static void
allow_always (Question *question)
{
  GmcpApprovals *self = question->approvals;
  GObject *alive = g_object_ref (G_OBJECT (self->provider));
  GmcpPinApproval *pin = g_steal_pointer (&question->pin);
  Approval *approval = g_steal_pointer (&question->approval);

  /* What else waits is looked at once this call is on its way. */
  if (pin == NULL)
    remember_approval (self, approval);
  finish_question (question, GMCP_APPROVAL_ALLOWED, NULL);
  if (pin == NULL)
    {
      end_outdated (self, is_remembered, self);
    }
  else
    {
      approval_free (approval);
      self->funcs->approve (self->provider, pin);
      gmcp_pin_approval_release (pin);
    }
  g_object_unref (alive);
}

static void
on_answer (GmcpInputRequest *request, const char *answer, gpointer data)
{
  Question *question = data;

  if (answer == NULL)
    {
      deny_later (question);
      return;
    }

  if (g_str_equal (answer, GMCP_CALL_ANSWER_ALLOW_ALWAYS))
    allow_always (question);
  else
    finish_question (question, GMCP_APPROVAL_ALLOWED, NULL);
}

static gboolean
on_limit (gpointer data)
{
  Question *question = data;

  close_request (question);
  refuse_question (question, _ ("nobody answered"));
  return G_SOURCE_REMOVE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  Question *question = data;
  g_autoptr (GError) error = NULL;

  g_cancellable_set_error_if_cancelled (cancellable, &error);
  close_request (question);
  finish_question (question, GMCP_APPROVAL_REFUSED, error);
  return G_SOURCE_REMOVE;
}

static void
limit_question (Question *question, guint timeout_ms, GCancellable *cancellable)
{
  GMainContext *context = question->approvals->context;

  question->limit = g_timeout_source_new (timeout_ms);
  g_source_set_static_name (question->limit, "[gmcp] call to be allowed");
  g_source_set_callback (question->limit, on_limit, question, NULL);
  g_source_attach (question->limit, context);

  if (cancellable == NULL)
    return;
  question->cancelled = g_cancellable_source_new (cancellable);
  g_source_set_static_name (question->cancelled, "[gmcp] call to be allowed cancelled");
  g_source_set_callback (question->cancelled, G_SOURCE_FUNC (on_cancelled), question, NULL);
  g_source_attach (question->cancelled, context);
}

gboolean
gmcp_approvals_can_ask_held (GmcpApprovals *self)
{
  return self->funcs->can_ask_held != NULL && self->funcs->can_ask_held (self->provider);
}

static gboolean
can_ask (GmcpApprovals *self, const GmcpApprovalQuestion *asked)
{
  return asked->pin != NULL ? gmcp_approvals_can_ask_held (self)
                            : gmcp_tool_provider_has_call_handler (self->provider);
}

static void
emit_question (GmcpApprovals *self, const GmcpApprovalQuestion *asked, GmcpCallPermission *request)
{
  if (asked->pin != NULL)
    self->funcs->ask_held (self->provider, request);
  else
    gmcp_tool_provider_emit_call_requested (self->provider, request);
}

void
gmcp_approvals_ask (GmcpApprovals *self,
                    const GmcpApprovalQuestion *asked,
                    GCancellable *cancellable,
                    GmcpApprovalsFunc func,
                    gpointer data)
{
  g_autoptr (GmcpCallPermission) request = NULL;
  Question *question;

  if (!can_ask (self, asked))
    {
      g_autoptr (GError) error
        = make_refusal (asked->subject.tool, asked->rule, _ ("there is nobody to ask"));

      func (GMCP_APPROVAL_REFUSED, error, data);
      return;
    }

  question = g_new0 (Question, 1);
  question->approvals = self;
  question->tool = g_object_ref (asked->subject.tool);
  question->approval = approval_new (&asked->subject);
  question->rule = g_strdup (asked->rule);
  if (asked->pin != NULL)
    question->pin = gmcp_pin_approval_ref (asked->pin);
  question->func = func;
  question->data = data;
  request = gmcp_call_permission_new (&(GmcpCallQuestion){
    .tool = asked->subject.tool,
    .server_name = asked->server_name,
    .arguments_json = asked->arguments_json,
    .role = asked->subject.role,
    .rule = asked->rule,
    .change = asked->change,
  });
  gmcp_input_request_set_options (GMCP_INPUT_REQUEST (request), asked->options);
  gmcp_input_request_set_server_id (GMCP_INPUT_REQUEST (request),
                                    gmcp_tool_get_server_id (asked->subject.tool));
  gmcp_input_request_listen (GMCP_INPUT_REQUEST (request), on_answer, question);
  question->request = request;
  g_ptr_array_add (self->questions, question);
  limit_question (question, asked->timeout_ms, cancellable);
  emit_question (self, asked, request);
}

GHashTable *
gmcp_approvals_peek_remembered (GmcpApprovals *self)
{
  return self->approved;
}

void
gmcp_approvals_drop_questions (GmcpApprovals *self, const GError *reason)
{
  while (self->questions->len > 0)
    {
      Question *question = g_ptr_array_index (self->questions, 0);

      close_request (question);
      finish_question (question, GMCP_APPROVAL_REFUSED, reason);
    }
}
