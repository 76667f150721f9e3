/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-location-private.h"
#include "gmcp-real-path-private.h"
#include "gmcp-state-file-private.h"

typedef struct
{
  char *path;
  char *workspace;
  gboolean project;
  gboolean optional;
} Question;

typedef struct
{
  GmcpConfigLocation *location;
  GBytes *bytes;
  GError *error;
} Answer;

static void
question_free (gpointer data)
{
  Question *question = data;

  g_free (question->path);
  g_free (question->workspace);
  g_free (question);
}

static void
location_clear (gpointer data)
{
  GmcpConfigLocation *self = data;

  g_free (self->file);
  g_free (self->folder);
  g_free (self->workspace);
  g_free (self->trusted_as);
}

GmcpConfigLocation *
gmcp_config_location_ref (GmcpConfigLocation *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
gmcp_config_location_unref (GmcpConfigLocation *self)
{
  g_atomic_rc_box_release_full (self, location_clear);
}

/* A file that is not in the workspace, such as one that a link in it leads to, is trusted for that
 * workspace only. */
static char *
name_trust (GmcpConfigLocation *self)
{
  if (self->workspace == NULL || gmcp_real_path_is_within (self->folder, self->workspace))
    return g_strdup (self->file);

  return g_strconcat (self->file, "\n", self->workspace, NULL);
}

static GmcpConfigLocation *
find_location (const Question *question)
{
  GmcpConfigLocation *self = g_atomic_rc_box_new0 (GmcpConfigLocation);

  self->file = gmcp_real_path_of_file (question->path);
  self->folder = g_path_get_dirname (self->file);
  if (question->workspace != NULL)
    self->workspace = gmcp_real_path_of_folder (question->workspace);
  else if (question->project)
    self->workspace = g_strdup (self->folder);
  self->trusted_as = name_trust (self);
  self->is_regular = g_file_test (self->file, G_FILE_TEST_IS_REGULAR);
  return self;
}

static void
run_find (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, find_location (data), (GDestroyNotify) gmcp_config_location_unref);
}

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  g_clear_pointer (&answer->location, gmcp_config_location_unref);
  g_clear_pointer (&answer->bytes, g_bytes_unref);
  g_clear_error (&answer->error);
  g_free (answer);
}

static void
run_read (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Question *question = data;
  Answer *answer = g_new0 (Answer, 1);

  answer->location = find_location (question);
  answer->bytes = question->optional
                    ? gmcp_state_file_read_here (answer->location->file, &answer->error)
                    : gmcp_state_file_read_stream_here (answer->location->file, &answer->error);
  g_task_return_pointer (task, answer, answer_free);
}

static void
ask_in_thread (GTask *task,
               const char *path,
               const char *workspace,
               gboolean project,
               gboolean optional,
               GTaskThreadFunc func)
{
  Question *question = g_new0 (Question, 1);

  question->path = g_strdup (path);
  question->workspace = g_strdup (workspace);
  question->project = project;
  question->optional = optional;
  g_task_set_task_data (task, question, question_free);
  /* A disk that does not answer holds up its thread only. */
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, func);
}

void
gmcp_config_location_find_async (const char *path,
                                 const char *workspace,
                                 gboolean project,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_config_location_find_async);
  ask_in_thread (task, path, workspace, project, FALSE, run_find);
}

GmcpConfigLocation *
gmcp_config_location_find_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_location_find_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

void
gmcp_config_location_read_async (const char *path,
                                 const char *workspace,
                                 gboolean project,
                                 gboolean optional,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_config_location_read_async);
  ask_in_thread (task, path, workspace, project, optional, run_read);
}

GBytes *
gmcp_config_location_read_finish (GAsyncResult *result,
                                  GmcpConfigLocation **location,
                                  GError **error)
{
  Answer *answer;
  GBytes *bytes;

  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_location_read_async), NULL);

  answer = g_task_propagate_pointer (G_TASK (result), error);
  if (answer == NULL)
    return NULL;

  *location = g_steal_pointer (&answer->location);
  bytes = g_steal_pointer (&answer->bytes);
  if (answer->error != NULL)
    g_propagate_error (error, g_steal_pointer (&answer->error));
  answer_free (answer);
  return bytes;
}
