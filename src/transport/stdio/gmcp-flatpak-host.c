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
#include "gmcp-shell-question-private.h"

#define ENVIRONMENT_MARK "gmcp: environment follows"
#define PATH_MARK        "gmcp: PATH follows"

/* The environment as it is there, which comes at once, and then the PATH of a terminal, for which the
 * user's shell has to come up. */
#define QUESTION                                                                                   \
  "echo '" ENVIRONMENT_MARK "'; env; "                                                             \
  "shell=${SHELL:-$(getent passwd \"$(id -u)\" | cut -d: -f7)}; "                                  \
  "export TERM=dumb; "                                                                             \
  "exec \"${shell:-/bin/sh}\" -i -l -c \"echo '" PATH_MARK "'; exec printenv PATH\""

/* What is known of a host that is asked. */
typedef struct
{
  GPtrArray *lines;  /* of the environment; NULL before the mark */
  gboolean has_mark; /* the next line is the PATH */
} Answer;

static GMutex mutex;
static GStrv known_environment; /* NULL until it is known */
static GError *denial;          /* why it cannot be had, where that does not change */
static gboolean is_denial_told;
static GPtrArray *questions; /* GmcpShellQuestion: that are being asked */

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
return_environment (GTask *task, GStrv environment, const GError *error)
{
  if (environment != NULL)
    g_task_return_pointer (task, g_strdupv (environment), (GDestroyNotify) g_strfreev);
  else
    g_task_return_error (task, g_error_copy (error));
}

/* With neither the host is there, but said nothing. */
static void
end_question (GmcpShellQuestion *question,
              Answer *answer,
              const char *login_path,
              const GError *error)
{
  g_auto (GStrv) environment = NULL;
  GQueue waiters;

  gmcp_shell_question_end (question);
  if (error == NULL)
    {
      g_autofree char *path = NULL;

      g_ptr_array_add (answer->lines, NULL);
      environment = (GStrv) g_ptr_array_free (g_steal_pointer (&answer->lines), FALSE);
      path = gmcp_login_path_merge (g_environ_getenv (environment, "PATH"), login_path);
      if (*path != '\0')
        environment = g_environ_setenv (environment, "PATH", path, TRUE);
    }

  g_mutex_lock (&mutex);
  if (environment != NULL && known_environment == NULL)
    known_environment = g_strdupv (environment);
  if (error != NULL && denial == NULL && gmcp_host_command_is_denied (error))
    denial = g_error_copy (error);
  waiters = gmcp_shell_questions_settle (questions, question);
  g_mutex_unlock (&mutex);

  for (GTask *task = g_queue_pop_head (&waiters); task != NULL; task = g_queue_pop_head (&waiters))
    {
      return_environment (task, environment, error);
      g_object_unref (task);
    }
}

static void
on_silent (GmcpShellQuestion *question, gpointer state, const GError *reason)
{
  Answer *answer = state;
  g_autoptr (GError) error = NULL;

  if (reason == NULL && answer->lines == NULL)
    error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_START_FAILED,
                                 _ ("The host does not say what its environment is"));
  end_question (question, answer, NULL, reason != NULL ? reason : error);
}

static void
on_line (GmcpShellQuestion *question, gpointer state, const char *line)
{
  Answer *answer = state;

  if (answer->has_mark)
    end_question (question, answer, g_utf8_validate (line, -1, NULL) ? line : NULL, NULL);
  else if (answer->lines == NULL && g_str_equal (line, ENVIRONMENT_MARK))
    answer->lines = g_ptr_array_new_with_free_func (g_free);
  else if (answer->lines != NULL && g_str_equal (line, PATH_MARK))
    answer->has_mark = TRUE;
  /* Of a value of several lines only the first is kept; those that are passed on have one. */
  else if (answer->lines != NULL && answer->lines->len < GMCP_LIMIT_HOST_ENV_LINES && *line != '='
           && strchr (line, '=') != NULL && g_utf8_validate (line, -1, NULL))
    g_ptr_array_add (answer->lines, g_strdup (line));
}

static void
clear_answer (gpointer state)
{
  Answer *answer = state;

  g_clear_pointer (&answer->lines, g_ptr_array_unref);
}

static const GmcpShellQuestionFuncs question_funcs = { .line = on_line, .silent = on_silent };

static const GmcpShellQuestionKind kind = {
  .funcs = &question_funcs,
  .state_bytes = sizeof (Answer),
  .clear = clear_answer,
  .max_bytes = GMCP_LIMIT_HOST_ENV_BYTES,
  .name = "[gmcp] environment of the host",
};

static gboolean
ask_host (GmcpShellQuestion *question, GError **error)
{
  static const char *const argv[] = { "/bin/sh", "-c", QUESTION, NULL };
  /* What a shell reads at its start may look at the folder that it is in. */
  const GmcpSpawnOptions options
    = { .argv = argv, .cwd = "/", .on_host = TRUE, .keep_environment = TRUE };

  return gmcp_shell_question_start (question, &options, GMCP_DEFAULT_HOST_QUESTION_MS, error);
}

static void
wait_for_answer (GTask *task, GMainContext *context)
{
  GmcpShellQuestion *known = gmcp_shell_questions_find (questions, context);
  g_autoptr (GmcpShellQuestion) made
    = known == NULL ? gmcp_shell_question_new (&kind, context) : NULL;
  GError *error = NULL;

  if (known != NULL || ask_host (made, &error))
    gmcp_shell_questions_wait (&questions, known != NULL ? known : made, task);
  else
    g_task_return_error (task, error);
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
