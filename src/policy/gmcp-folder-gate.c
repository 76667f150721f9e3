/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-folder-gate-private.h"
#include "gmcp-input-request-private.h"
#include "gmcp-trusted-folders-private.h"
#include "gmcp-pending-tasks-private.h"

struct _GmcpFolderGate
{
  GObject parent_instance;

  GWeakRef target;
  GmcpFolderAsk ask;
  GHashTable *open;    /* folder → Question */
  GHashTable *refused; /* set of folders */
};

G_DEFINE_FINAL_TYPE (GmcpFolderGate, gmcp_folder_gate, G_TYPE_OBJECT)

/* A question about one folder, and the tasks that wait for it. */
typedef struct
{
  GmcpFolderGate *gate;
  char *store;
  char *folder;
  GQueue waiters; /* of GTask */
} Question;

/* One start. */
typedef struct
{
  char *store;
  char *folder;
  char *server_id;
} Passage;

static void
passage_free (gpointer data)
{
  Passage *passage = data;

  g_free (passage->store);
  g_free (passage->folder);
  g_free (passage->server_id);
  g_free (passage);
}

static void
question_free (Question *question)
{
  g_object_unref (question->gate);
  g_free (question->store);
  g_free (question->folder);
  g_free (question);
}

static void
settle_question (Question *question, gboolean trusted, const GError *error)
{
  g_hash_table_remove (question->gate->open, question->folder);
  if (error != NULL)
    gmcp_pending_tasks_settle (&question->waiters, error);
  else
    gmcp_pending_tasks_settle_value (&question->waiters, trusted);
  question_free (question);
}

static void
on_stored (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  gmcp_trusted_folders_store_finish (result, &error);
  settle_question (data, error == NULL, error);
}

static void
on_answered (GmcpInputRequest *request, const char *answer, gpointer data)
{
  Question *question = data;

  if (g_strcmp0 (answer, GMCP_FOLDER_ANSWER_TRUST) == 0)
    {
      gmcp_trusted_folders_store_async (question->store, question->folder, TRUE, NULL, on_stored,
                                        question);
      return;
    }

  if (g_strcmp0 (answer, GMCP_FOLDER_ANSWER_REFUSE) == 0)
    g_hash_table_add (question->gate->refused, g_strdup (question->folder));
  settle_question (question, FALSE, NULL);
}

static void
put_question (GmcpFolderGate *self, Passage *passage, GTask *waiting)
{
  g_autoptr (GObject) target = g_weak_ref_get (&self->target);
  Question *question = g_new0 (Question, 1);
  g_autoptr (GmcpFolderRequest) request = NULL;

  question->gate = g_object_ref (self);
  question->store = g_strdup (passage->store);
  question->folder = g_strdup (passage->folder);
  g_queue_init (&question->waiters);
  gmcp_pending_tasks_add (&question->waiters, waiting);
  g_hash_table_insert (self->open, question->folder, question);

  /* A request that nobody keeps is dropped here, and counts as refused for this time. */
  request = gmcp_folder_request_new (passage->server_id, passage->folder);
  gmcp_input_request_listen (GMCP_INPUT_REQUEST (request), on_answered, question);
  if (target != NULL)
    self->ask (target, request);
}

static void
on_question_settled (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  gboolean trusted = g_task_propagate_boolean (G_TASK (result), &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, trusted);
}

static void
on_checked (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpFolderGate *self = g_task_get_source_object (task);
  Passage *passage = g_task_get_task_data (task);
  g_autoptr (GTask) waiting = NULL;
  Question *question;
  GError *error = NULL;
  gboolean trusted = gmcp_trusted_folders_check_finish (result, &error);

  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (trusted || g_hash_table_contains (self->refused, passage->folder))
    {
      g_task_return_boolean (task, trusted);
      return;
    }

  waiting
    = g_task_new (self, g_task_get_cancellable (task), on_question_settled, g_object_ref (task));
  question = g_hash_table_lookup (self->open, passage->folder);
  if (question != NULL)
    gmcp_pending_tasks_add (&question->waiters, waiting);
  else
    put_question (self, passage, waiting);
}

void
gmcp_folder_gate_pass_async (GmcpFolderGate *self,
                             const char *store,
                             const char *folder,
                             const char *server_id,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  Passage *passage = g_new0 (Passage, 1);

  g_task_set_source_tag (task, gmcp_folder_gate_pass_async);
  passage->store = g_strdup (store);
  passage->folder = g_strdup (folder);
  passage->server_id = g_strdup (server_id);
  g_task_set_task_data (task, passage, passage_free);
  gmcp_trusted_folders_check_async (store, folder, cancellable, on_checked,
                                    g_steal_pointer (&task));
}

gboolean
gmcp_folder_gate_pass_finish (GmcpFolderGate *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_folder_gate_pass_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
gmcp_folder_gate_forget (GmcpFolderGate *self)
{
  g_hash_table_remove_all (self->refused);
}

static void
gmcp_folder_gate_finalize (GObject *object)
{
  GmcpFolderGate *self = GMCP_FOLDER_GATE (object);

  g_weak_ref_clear (&self->target);
  g_hash_table_unref (self->open);
  g_hash_table_unref (self->refused);

  G_OBJECT_CLASS (gmcp_folder_gate_parent_class)->finalize (object);
}

static void
gmcp_folder_gate_class_init (GmcpFolderGateClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_folder_gate_finalize;
}

static void
gmcp_folder_gate_init (GmcpFolderGate *self)
{
  g_weak_ref_init (&self->target, NULL);
  self->open = g_hash_table_new (g_str_hash, g_str_equal);
  self->refused = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

GmcpFolderGate *
gmcp_folder_gate_new (GObject *target, GmcpFolderAsk ask)
{
  GmcpFolderGate *self = g_object_new (GMCP_TYPE_FOLDER_GATE, NULL);

  g_weak_ref_set (&self->target, target);
  self->ask = ask;
  return self;
}
