/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-flatpak-host-private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-host-command-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-login-path-private.h"
#include "gmcp-stdio-run-private.h"

#define ENVIRONMENT_MARK "gmcp: environment follows"
#define PATH_MARK        "gmcp: PATH follows"

/* The environment as it is there, which comes at once, and then the PATH of a terminal, for which the
 * user's shell has to come up. */
#define QUESTION                                                                                   \
  "echo '" ENVIRONMENT_MARK "'; env; "                                                             \
  "shell=${SHELL:-$(getent passwd \"$(id -u)\" | cut -d: -f7)}; "                                  \
  "export TERM=dumb; "                                                                             \
  "exec \"${shell:-/bin/sh}\" -i -l -c \"echo '" PATH_MARK "'; exec printenv PATH\""

/* A host that is asked. It lives as long as somebody waits for it. */
#define GMCP_TYPE_HOST_QUESTION (gmcp_host_question_get_type ())
G_DECLARE_FINAL_TYPE (GmcpHostQuestion, gmcp_host_question, GMCP, HOST_QUESTION, GObject)

struct _GmcpHostQuestion
{
  GObject parent_instance;

  GMainContext *context;
  GmcpStdioRun *run;
  GmcpStderrTail tail;
  GSource *limit;
  GQueue waiters;    /* of GTask */
  GPtrArray *lines;  /* of the environment; NULL before the mark */
  gboolean has_mark; /* the next line is the PATH */
};

G_DEFINE_FINAL_TYPE (GmcpHostQuestion, gmcp_host_question, G_TYPE_OBJECT)

static GMutex mutex;
static GStrv known_environment; /* NULL until it is known */
static GError *denial;          /* why it cannot be had, where that does not change */
static gboolean is_denial_told;
static GPtrArray *questions; /* that are being asked, one a context; borrowed */

gboolean
gmcp_flatpak_is_inside (void)
{
  /* For tests, and not where the environment is less trusted than the program. */
  const char *file = secure_getenv ("GMCP_FLATPAK_INFO");

  return access (file != NULL && *file != '\0' ? file : "/.flatpak-info", F_OK) == 0;
}

gboolean
gmcp_flatpak_has_program (const char *command)
{
  return g_str_has_prefix (command, "/app/");
}

static void
end_run (GmcpHostQuestion *self)
{
  g_clear_pointer (&self->run, gmcp_stdio_run_free);
  if (self->limit != NULL)
    g_source_destroy (self->limit);
  g_clear_pointer (&self->limit, g_source_unref);
}

static void
gmcp_host_question_finalize (GObject *object)
{
  GmcpHostQuestion *self = GMCP_HOST_QUESTION (object);

  end_run (self);
  gmcp_stderr_tail_clear (&self->tail);
  g_clear_pointer (&self->lines, g_ptr_array_unref);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (gmcp_host_question_parent_class)->finalize (object);
}

static void
gmcp_host_question_class_init (GmcpHostQuestionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_host_question_finalize;
}

static void
gmcp_host_question_init (GmcpHostQuestion *self)
{
  g_queue_init (&self->waiters);
}

static void
return_environment (GTask *task, GStrv environment, const GError *error)
{
  if (environment != NULL)
    g_task_return_pointer (task, g_strdupv (environment), (GDestroyNotify) g_strfreev);
  else
    g_task_return_error (task, g_error_copy (error));
}

/* With neither the host is there, but said nothing. */
static void
end_question (GmcpHostQuestion *self, const char *login_path, const GError *error)
{
  g_autoptr (GmcpHostQuestion) alive G_GNUC_UNUSED = g_object_ref (self);
  g_auto (GStrv) environment = NULL;
  GQueue waiters;

  end_run (self);
  if (error == NULL)
    {
      g_autofree char *path = NULL;

      g_ptr_array_add (self->lines, NULL);
      environment = (GStrv) g_ptr_array_free (g_steal_pointer (&self->lines), FALSE);
      path = gmcp_login_path_merge (g_environ_getenv (environment, "PATH"), login_path);
      if (*path != '\0')
        environment = g_environ_setenv (environment, "PATH", path, TRUE);
    }

  g_mutex_lock (&mutex);
  if (environment != NULL && known_environment == NULL)
    known_environment = g_strdupv (environment);
  if (error != NULL && denial == NULL && gmcp_host_command_is_denied (error))
    denial = g_error_copy (error);
  if (questions != NULL)
    g_ptr_array_remove_fast (questions, self);
  waiters = self->waiters;
  g_queue_init (&self->waiters);
  g_mutex_unlock (&mutex);

  for (GTask *task = g_queue_pop_head (&waiters); task != NULL; task = g_queue_pop_head (&waiters))
    {
      return_environment (task, environment, error);
      g_object_unref (task);
    }
}

static void
on_started (gpointer owner)
{
  GmcpHostQuestion *self = owner;

  gmcp_stdio_run_read (self->run, GMCP_LIMIT_HOST_ENV_BYTES);
}

static void
settle_silent (GmcpHostQuestion *self)
{
  g_autoptr (GError) error = NULL;

  if (self->lines == NULL)
    error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_START_FAILED,
                                 _ ("The host does not say what its environment is"));
  end_question (self, NULL, error);
}

static void
on_failed (gpointer owner, const GmcpChildFailure *failure)
{
  if (failure->reason != NULL)
    end_question (owner, NULL, failure->reason);
  else
    settle_silent (owner);
}

static void
on_message (gpointer owner, const char *text, gsize length, GBytes *bytes)
{
  GmcpHostQuestion *self = owner;
  g_autofree char *line = g_strndup (text, length);

  g_strchomp (line);
  if (self->has_mark)
    end_question (self, g_utf8_validate (line, -1, NULL) ? line : NULL, NULL);
  else if (self->lines == NULL && g_str_equal (line, ENVIRONMENT_MARK))
    self->lines = g_ptr_array_new_with_free_func (g_free);
  else if (self->lines != NULL && g_str_equal (line, PATH_MARK))
    self->has_mark = TRUE;
  /* Of a value of several lines only the first is kept; those that are passed on have one. */
  else if (self->lines != NULL && self->lines->len < GMCP_LIMIT_HOST_ENV_LINES && *line != '='
           && strchr (line, '=') != NULL && g_utf8_validate (line, -1, NULL))
    g_ptr_array_add (self->lines, g_steal_pointer (&line));
}

static void
on_violation (gpointer owner, const GError *error)
{
}

static void
on_exited (gpointer owner, int wait_status)
{
  settle_silent (owner);
}

static void
on_ended (gpointer owner)
{
  settle_silent (owner);
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
  settle_silent (data);
  return G_SOURCE_REMOVE;
}

static gboolean
ask_host (GmcpHostQuestion *self, GError **error)
{
  static const char *const argv[] = { "/bin/sh", "-c", QUESTION, NULL };
  /* What a shell reads at its start may look at the folder that it is in. */
  const GmcpSpawnOptions options
    = { .argv = argv, .cwd = "/", .on_host = TRUE, .keep_environment = TRUE };

  self->run
    = gmcp_stdio_run_new (G_OBJECT (self), &run_funcs, self->context, &options, &self->tail, error);
  if (self->run == NULL)
    return FALSE;

  self->limit = g_timeout_source_new (GMCP_DEFAULT_HOST_QUESTION_MS);
  g_source_set_static_name (self->limit, "[gmcp] environment of the host");
  g_source_set_callback (self->limit, on_limit, self, NULL);
  g_source_attach (self->limit, self->context);
  return TRUE;
}

static GmcpHostQuestion *
find_question (GMainContext *context)
{
  for (guint i = 0; questions != NULL && i < questions->len; i++)
    {
      GmcpHostQuestion *question = g_ptr_array_index (questions, i);

      if (question->context == context)
        return question;
    }
  return NULL;
}

/* A task holds the question that it waits for. */
static void
wait_for_answer (GTask *task, GMainContext *context)
{
  GmcpHostQuestion *question = find_question (context);
  GError *error = NULL;

  if (question != NULL)
    {
      g_task_set_task_data (task, g_object_ref (question), g_object_unref);
      g_queue_push_tail (&question->waiters, g_object_ref (task));
      return;
    }

  question = g_object_new (GMCP_TYPE_HOST_QUESTION, NULL);
  question->context = g_main_context_ref (context);
  g_task_set_task_data (task, question, g_object_unref);
  if (!ask_host (question, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  if (questions == NULL)
    questions = g_ptr_array_new ();
  g_ptr_array_add (questions, question);
  g_queue_push_tail (&question->waiters, g_object_ref (task));
}

void
gmcp_flatpak_host_get_async (GMainContext *context,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_main_context_push_thread_default (context);
  task = g_task_new (NULL, cancellable, callback, user_data);
  g_main_context_pop_thread_default (context);
  g_task_set_source_tag (task, gmcp_flatpak_host_get_async);

  g_mutex_lock (&mutex);
  if (known_environment != NULL || denial != NULL)
    return_environment (task, known_environment, denial);
  else
    wait_for_answer (task, context);
  g_mutex_unlock (&mutex);
}

GStrv
gmcp_flatpak_host_get_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_flatpak_host_get_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* The name is the application's own, as Flatpak tells it. */
char *
gmcp_flatpak_host_dup_hint (void)
{
  const char *id = g_getenv ("FLATPAK_ID");

  return g_strdup_printf (
    _ ("To let servers be started on the host: flatpak override --user "
       "--talk-name=org.freedesktop.Flatpak %s, or --talk-name=org.freedesktop.Flatpak in the "
       "manifest of the application"),
    id != NULL && *id != '\0' ? id : "APP");
}

void
gmcp_flatpak_host_tell_of_denial (const GError *error)
{
  g_autofree char *hint = NULL;
  gboolean was_told;

  g_mutex_lock (&mutex);
  was_told = is_denial_told;
  is_denial_told = TRUE;
  g_mutex_unlock (&mutex);
  if (was_told)
    return;

  hint = gmcp_flatpak_host_dup_hint ();
  g_message (_ ("Servers are started in the sandbox of Flatpak, not on the host: %s. %s"),
             error->message, hint);
}

void
gmcp_flatpak_host_forget (void)
{
  g_mutex_lock (&mutex);
  g_clear_pointer (&known_environment, g_strfreev);
  g_clear_error (&denial);
  is_denial_told = FALSE;
  g_mutex_unlock (&mutex);
}
