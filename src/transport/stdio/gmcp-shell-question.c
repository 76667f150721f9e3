/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-shell-question-private.h"

struct _GmcpShellQuestion
{
  GObject parent_instance;

  const GmcpShellQuestionKind *kind;
  gpointer state;
  GMainContext *context;
  GmcpStdioRun *run;
  GmcpStderrTail tail;
  GSource *limit;
  GQueue waiters; /* of GTask */
};

G_DEFINE_FINAL_TYPE (GmcpShellQuestion, gmcp_shell_question, G_TYPE_OBJECT)

void
gmcp_shell_question_end (GmcpShellQuestion *self)
{
  g_clear_pointer (&self->run, gmcp_stdio_run_free);
  if (self->limit != NULL)
    g_source_destroy (self->limit);
  g_clear_pointer (&self->limit, g_source_unref);
}

static void
gmcp_shell_question_finalize (GObject *object)
{
  GmcpShellQuestion *self = GMCP_SHELL_QUESTION (object);

  gmcp_shell_question_end (self);
  gmcp_stderr_tail_clear (&self->tail);
  if (self->state != NULL && self->kind->clear != NULL)
    self->kind->clear (self->state);
  g_free (self->state);
  g_clear_pointer (&self->context, g_main_context_unref);

  G_OBJECT_CLASS (gmcp_shell_question_parent_class)->finalize (object);
}

static void
gmcp_shell_question_class_init (GmcpShellQuestionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_shell_question_finalize;
}

static void
gmcp_shell_question_init (GmcpShellQuestion *self)
{
  g_queue_init (&self->waiters);
}

GmcpShellQuestion *
gmcp_shell_question_new (const GmcpShellQuestionKind *kind, GMainContext *context)
{
  GmcpShellQuestion *self = g_object_new (GMCP_TYPE_SHELL_QUESTION, NULL);

  self->kind = kind;
  self->state = g_malloc0 (kind->state_bytes);
  self->context = g_main_context_ref (context);
  return self;
}

static void
fall_silent (GmcpShellQuestion *self, const GError *reason)
{
  g_autoptr (GmcpShellQuestion) alive = g_object_ref (self);

  self->kind->funcs->silent (alive, self->state, reason);
}

static void
on_started (gpointer owner)
{
  GmcpShellQuestion *self = owner;

  gmcp_stdio_run_read (self->run, self->kind->max_bytes);
}

static void
on_failed (gpointer owner, const GmcpChildFailure *failure)
{
  fall_silent (owner, failure->reason);
}

static void
on_message (gpointer owner, const char *text, gsize length, GBytes *bytes)
{
  g_autoptr (GmcpShellQuestion) self = g_object_ref (owner);
  g_autofree char *line = g_strchomp (g_strndup (text, length));

  self->kind->funcs->line (self, self->state, line);
}

static void
on_violation (gpointer owner, const GError *error)
{
}

static void
on_exited (gpointer owner, int wait_status)
{
  fall_silent (owner, NULL);
}

static void
on_ended (gpointer owner)
{
  fall_silent (owner, NULL);
}

static const GmcpStdioRunFuncs run_funcs = {
  .started = on_started,
  .failed = on_failed,
  .message = on_message,
  .violation = on_violation,
  .exited = on_exited,
  .went_deaf = on_ended,
  .stopped = on_ended,
};

static gboolean
on_limit (gpointer data)
{
  fall_silent (data, NULL);
  return G_SOURCE_REMOVE;
}

gboolean
gmcp_shell_question_start (GmcpShellQuestion *self,
                           const GmcpSpawnOptions *options,
                           guint limit_ms,
                           GError **error)
{
  self->run
    = gmcp_stdio_run_new (G_OBJECT (self), &run_funcs, self->context, options, &self->tail, error);
  if (self->run == NULL)
    return FALSE;

  self->limit = g_timeout_source_new (limit_ms);
  g_source_set_static_name (self->limit, self->kind->name);
  g_source_set_callback (self->limit, on_limit, self, NULL);
  g_source_attach (self->limit, self->context);
  return TRUE;
}

GmcpShellQuestion *
gmcp_shell_questions_find (GPtrArray *questions, GMainContext *context)
{
  for (guint i = 0; questions != NULL && i < questions->len; i++)
    {
      GmcpShellQuestion *question = g_ptr_array_index (questions, i);

      if (question->context == context)
        return question;
    }
  return NULL;
}

void
gmcp_shell_questions_wait (GPtrArray **questions, GmcpShellQuestion *question, GTask *task)
{
  if (*questions == NULL)
    *questions = g_ptr_array_new ();
  if (gmcp_shell_questions_find (*questions, question->context) == NULL)
    g_ptr_array_add (*questions, question);
  g_task_set_task_data (task, g_object_ref (question), g_object_unref);
  g_queue_push_tail (&question->waiters, g_object_ref (task));
}

GQueue
gmcp_shell_questions_settle (GPtrArray *questions, GmcpShellQuestion *question)
{
  GQueue waiters = question->waiters;

  g_queue_init (&question->waiters);
  if (questions != NULL)
    g_ptr_array_remove_fast (questions, question);
  return waiters;
}
