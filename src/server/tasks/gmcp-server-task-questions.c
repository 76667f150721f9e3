/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-server-task-struct-private.h"

static void
clear_cancelled (GmcpServerTaskQuestion *question)
{
  if (question->cancelled == NULL)
    return;

  g_source_destroy (question->cancelled);
  g_clear_pointer (&question->cancelled, g_source_unref);
}

void
gmcp_server_task_question_free (gpointer data)
{
  GmcpServerTaskQuestion *question = data;

  clear_cancelled (question);
  g_free (question->key);
  g_clear_object (&question->question);
  g_clear_object (&question->task);
  g_free (question);
}

/* A client that was asked something under a name takes another question of that name for the same. */
static char *
make_key (GmcpServerTask *self, const char *given)
{
  guint n = given != NULL ? 1 : g_hash_table_size (self->keys) + 1;
  char *key = given != NULL ? g_strdup (given) : g_strdup_printf ("question-%u", n);

  while (g_hash_table_contains (self->keys, key))
    {
      g_free (key);
      key = g_strdup_printf ("%s-%u", given != NULL ? given : "question", ++n);
    }
  g_hash_table_add (self->keys, g_strdup (key));
  return key;
}

static gboolean
find_task (GmcpServerTask *self, GTask *end, guint *position)
{
  for (*position = 0; *position < self->questions->len; (*position)++)
    {
      GmcpServerTaskQuestion *question = g_ptr_array_index (self->questions, *position);

      if (question->task == end)
        return TRUE;
    }
  return FALSE;
}

GTask *
gmcp_server_task_take_question (GmcpServerTask *self, GmcpServerTaskQuestion *question)
{
  GTask *end = g_steal_pointer (&question->task);

  g_ptr_array_remove (self->questions, question);
  if (self->questions->len == 0 && !gmcp_server_task_is_final (self))
    self->status = GMCP_TASK_STATUS_WORKING;
  gmcp_server_task_changed (self);
  return end;
}

typedef struct
{
  GmcpServerTask *task;
  GTask *end; /* not owned */
} Cancelling;

static void
cancelling_free (gpointer data)
{
  Cancelling *cancelling = data;

  gmcp_server_task_unref (cancelling->task);
  g_free (cancelling);
}

/* The handler does not want to know any more. */
static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  Cancelling *cancelling = data;
  g_autoptr (GmcpServerTask) self = gmcp_server_task_ref (cancelling->task);
  g_autoptr (GTask) end = NULL;
  guint position;

  if (!find_task (self, cancelling->end, &position))
    return G_SOURCE_REMOVE;
  end = gmcp_server_task_take_question (self, g_ptr_array_index (self->questions, position));
  g_task_return_error_if_cancelled (end);
  return G_SOURCE_REMOVE;
}

static GSource *
watch_cancellable (GmcpServerTask *self, GTask *end)
{
  GCancellable *cancellable = g_task_get_cancellable (end);
  Cancelling *cancelling;
  GSource *source;

  if (cancellable == NULL)
    return NULL;

  cancelling = g_new (Cancelling, 1);
  cancelling->task = gmcp_server_task_ref (self);
  cancelling->end = end;
  source = g_cancellable_source_new (cancellable);
  g_source_set_static_name (source, "[gmcp] question of a task cancelled");
  g_source_set_callback (source, G_SOURCE_FUNC (on_cancelled), cancelling, cancelling_free);
  g_source_attach (source, g_task_get_context (end));
  return source;
}

void
gmcp_server_task_ask (GmcpServerTask *self,
                      guint kind,
                      const char *method,
                      const char *key,
                      GmcpInputRequest *input,
                      GTask *end)
{
  g_autoptr (GTask) owned = end;
  GmcpServerTaskQuestion *question;

  if (self->is_ending || gmcp_server_task_is_final (self))
    {
      g_task_return_new_error (end, GMCP_ERROR, GMCP_ERROR_CLOSED, "%s",
                               _ ("The call has ended, so nobody waits for the question"));
      return;
    }
  if (g_hash_table_size (self->keys) >= GMCP_LIMIT_SERVER_TASK_QUESTIONS)
    {
      g_task_return_new_error (end, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                               _ ("One task may ask %u questions"),
                               GMCP_LIMIT_SERVER_TASK_QUESTIONS);
      return;
    }

  question = g_new0 (GmcpServerTaskQuestion, 1);
  question->key = make_key (self, key);
  question->method = method;
  question->kind = kind;
  if (input != NULL)
    question->question = g_object_ref (input);
  question->task = g_steal_pointer (&owned);
  question->cancelled = watch_cancellable (self, end);
  g_ptr_array_add (self->questions, question);
  self->status = GMCP_TASK_STATUS_INPUT_REQUIRED;
  gmcp_server_task_changed (self);
}

GPtrArray *
gmcp_server_task_get_questions (GmcpServerTask *self)
{
  return self->questions;
}

GmcpServerTaskQuestion *
gmcp_server_task_find_question (GmcpServerTask *self, const char *key)
{
  for (guint i = 0; i < self->questions->len; i++)
    {
      GmcpServerTaskQuestion *question = g_ptr_array_index (self->questions, i);

      if (g_str_equal (question->key, key))
        return question;
    }
  return NULL;
}

void
gmcp_server_task_close_questions (GmcpServerTask *self)
{
  g_autoptr (GPtrArray) closed = g_steal_pointer (&self->questions);

  self->questions = g_ptr_array_new_with_free_func (gmcp_server_task_question_free);
  for (guint i = 0; i < closed->len; i++)
    {
      GmcpServerTaskQuestion *question = g_ptr_array_index (closed, i);

      clear_cancelled (question);
      g_task_return_new_error (question->task, GMCP_ERROR, GMCP_ERROR_CLOSED, "%s",
                               _ ("The call ended before the question was answered"));
    }
}
