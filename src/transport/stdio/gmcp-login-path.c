/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-login-path-private.h"

#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "gmcp-limits.h"
#include "gmcp-shell-question-private.h"
#include "gmcp-stdio-environment-private.h"

#define MARK "gmcp: PATH follows"

/* Every shell understands this one, and runs what it reads at a login and in a terminal first. */
#define QUESTION "echo '" MARK "'; exec printenv PATH"

static GMutex mutex;
static gboolean is_known;
static char *known_path;
static GPtrArray *shells; /* GmcpShellQuestion: that are being asked */
static guint shell_limit_ms = GMCP_DEFAULT_LOGIN_SHELL_MS;

static void
publish_path (GmcpShellQuestion *shell, const char *path)
{
  GQueue waiters;

  gmcp_shell_question_end (shell);
  g_mutex_lock (&mutex);
  if (!is_known)
    known_path = g_strdup (path);
  is_known = TRUE;
  waiters = gmcp_shell_questions_settle (shells, shell);
  g_mutex_unlock (&mutex);

  if (path == NULL)
    g_info ("The login shell does not say what its PATH is; programs are looked for where this "
            "program looks");
  for (GTask *task = g_queue_pop_head (&waiters); task != NULL; task = g_queue_pop_head (&waiters))
    {
      g_task_return_pointer (task, g_strdup (path), g_free);
      g_object_unref (task);
    }
}

static void
on_line (GmcpShellQuestion *shell, gpointer state, const char *line)
{
  gboolean *is_marked = state;

  while (g_ascii_isspace (*line))
    line++;
  if (*is_marked)
    publish_path (shell, g_utf8_validate (line, -1, NULL) && *line != '\0' ? line : NULL);
  else
    *is_marked = g_str_equal (line, MARK);
}

static void
on_silent (GmcpShellQuestion *shell, gpointer state, const GError *reason)
{
  publish_path (shell, NULL);
}

static const GmcpShellQuestionFuncs question_funcs = { .line = on_line, .silent = on_silent };

static const GmcpShellQuestionKind kind = {
  .funcs = &question_funcs,
  .state_bytes = sizeof (gboolean),
  .max_bytes = GMCP_LIMIT_LOGIN_PATH_BYTES,
  .name = "[gmcp] login shell",
};

static char *
dup_shell (void)
{
  const char *shell = g_getenv ("SHELL");
  struct passwd entry;
  struct passwd *found = NULL;
  char buffer[4096];

  if (shell != NULL && *shell == '/')
    return g_strdup (shell);

  if (getpwuid_r (getuid (), &entry, buffer, sizeof buffer, &found) == 0 && found != NULL
      && found->pw_shell != NULL && *found->pw_shell == '/')
    return g_strdup (found->pw_shell);

  return g_strdup ("/bin/sh");
}

static gboolean
start_shell (GmcpShellQuestion *question)
{
  static const char *const own[] = { "TERM=dumb", NULL };
  g_autofree char *shell = dup_shell ();
  /* As in a terminal: some set PATH in what is read there only. */
  const char *const argv[] = { shell, "-i", "-l", "-c", QUESTION, NULL };
  g_auto (GStrv) host = g_get_environ ();
  g_auto (GStrv) environment
    = gmcp_stdio_environment_build ((const char *const *) host, own, FALSE, NULL);
  const GmcpSpawnOptions options = {
    .argv = argv,
    .environment = (const char *const *) environment,
    .cwd = g_get_home_dir (),
  };
  g_autoptr (GError) error = NULL;

  if (gmcp_shell_question_start (question, &options, shell_limit_ms, &error))
    return TRUE;

  g_info ("The login shell cannot be asked for its PATH: %s", error->message);
  return FALSE;
}

static void
wait_for_shell (GTask *task, GMainContext *context)
{
  GmcpShellQuestion *known = gmcp_shell_questions_find (shells, context);
  g_autoptr (GmcpShellQuestion) made
    = known == NULL ? gmcp_shell_question_new (&kind, context) : NULL;

  if (known != NULL || start_shell (made))
    {
      gmcp_shell_questions_wait (&shells, known != NULL ? known : made, task);
      return;
    }

  is_known = TRUE;
  g_task_return_pointer (task, NULL, NULL);
}

void
gmcp_login_path_get_async (GMainContext *context,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_main_context_push_thread_default (context);
  task = g_task_new (NULL, cancellable, callback, user_data);
  g_main_context_pop_thread_default (context);
  g_task_set_source_tag (task, gmcp_login_path_get_async);

  g_mutex_lock (&mutex);
  if (is_known)
    g_task_return_pointer (task, g_strdup (known_path), g_free);
  else
    wait_for_shell (task, context);
  g_mutex_unlock (&mutex);
}

gboolean
gmcp_login_path_get_finish (GAsyncResult *result, char **path, GError **error)
{
  g_autoptr (GError) reason = NULL;

  *path = g_task_propagate_pointer (G_TASK (result), &reason);
  if (reason == NULL)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&reason));
  return FALSE;
}

gboolean
gmcp_login_path_is_wanted (const char *command, const char *host_path)
{
  g_auto (GStrv) dirs = NULL;

  if (strchr (command, '/') != NULL)
    return FALSE;
  /* Every shell but the plainest counts how deep it is nested. */
  if (g_getenv ("SHLVL") == NULL)
    return TRUE;

  dirs = g_strsplit (host_path != NULL ? host_path : "", ":", -1);
  for (gsize i = 0; dirs[i] != NULL; i++)
    {
      g_autofree char *file = g_build_filename (dirs[i], command, NULL);

      if (*dirs[i] == '/' && access (file, X_OK) == 0)
        return FALSE;
    }
  return TRUE;
}

static void
add_dirs (GPtrArray *list, char **dirs, char **unless_in)
{
  for (gsize i = 0; dirs[i] != NULL; i++)
    {
      if (*dirs[i] == '/'
          && (unless_in == NULL || !g_strv_contains ((const char *const *) unless_in, dirs[i]))
          && !g_ptr_array_find_with_equal_func (list, dirs[i], g_str_equal, NULL))
        g_ptr_array_add (list, dirs[i]);
    }
}

char *
gmcp_login_path_merge (const char *host_path, const char *login_path)
{
  g_auto (GStrv) host = g_strsplit (host_path != NULL ? host_path : "", ":", -1);
  g_auto (GStrv) login = g_strsplit (login_path != NULL ? login_path : "", ":", -1);
  g_autoptr (GPtrArray) list = g_ptr_array_new ();

  add_dirs (list, host, login);
  add_dirs (list, login, NULL);
  g_ptr_array_add (list, NULL);
  return g_strjoinv (":", (char **) list->pdata);
}

void
gmcp_login_path_forget (void)
{
  g_mutex_lock (&mutex);
  is_known = FALSE;
  g_clear_pointer (&known_path, g_free);
  g_mutex_unlock (&mutex);
}

void
gmcp_login_path_reset (guint limit_ms)
{
  gmcp_login_path_forget ();
  g_mutex_lock (&mutex);
  shell_limit_ms = limit_ms;
  g_mutex_unlock (&mutex);
}
