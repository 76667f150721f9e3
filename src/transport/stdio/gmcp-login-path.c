/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-login-path-private.h"

#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "gmcp-limits.h"
#include "gmcp-stdio-environment-private.h"
#include "gmcp-stdio-run-private.h"

#define MARK "gmcp: PATH follows"

/* Every shell understands this one, and runs what it reads at a login and in a terminal first. */
#define QUESTION "echo '" MARK "'; exec printenv PATH"

/* One shell that is asked. It lives as long as somebody waits for it. */
#define GMCP_TYPE_LOGIN_SHELL (gmcp_login_shell_get_type ())
G_DECLARE_FINAL_TYPE (GmcpLoginShell, gmcp_login_shell, GMCP, LOGIN_SHELL, GObject)

struct _GmcpLoginShell
{
  GObject parent_instance;

  GMainContext *context;
  GmcpStdioRun *run;
  GmcpStderrTail tail;
  GSource *limit;
  GQueue waiters; /* of GTask */
  gboolean marked;
};

G_DEFINE_FINAL_TYPE (GmcpLoginShell, gmcp_login_shell, G_TYPE_OBJECT)

static GMutex mutex;
static gboolean is_known;
static char *known_path;
static GPtrArray *shells; /* that are being asked, one a context; borrowed */
static guint shell_limit_ms = GMCP_DEFAULT_LOGIN_SHELL_MS;

static void
end_run (GmcpLoginShell *self)
{
  g_clear_pointer (&self->run, gmcp_stdio_run_free);
  if (self->limit != NULL)
    g_source_destroy (self->limit);
  g_clear_pointer (&self->limit, g_source_unref);
}

static void
gmcp_login_shell_finalize (GObject *object)
{
  GmcpLoginShell *self = GMCP_LOGIN_SHELL (object);

  end_run (self);
  gmcp_stderr_tail_clear (&self->tail);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (gmcp_login_shell_parent_class)->finalize (object);
}

static void
gmcp_login_shell_class_init (GmcpLoginShellClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_login_shell_finalize;
}

static void
gmcp_login_shell_init (GmcpLoginShell *self)
{
  g_queue_init (&self->waiters);
}

static void
publish_path (GmcpLoginShell *self, const char *path)
{
  g_autoptr (GmcpLoginShell) alive G_GNUC_UNUSED = g_object_ref (self);
  GQueue waiters;

  end_run (self);
  g_mutex_lock (&mutex);
  if (!is_known)
    known_path = g_strdup (path);
  is_known = TRUE;
  if (shells != NULL)
    g_ptr_array_remove_fast (shells, self);
  waiters = self->waiters;
  g_queue_init (&self->waiters);
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
on_started (gpointer owner)
{
  GmcpLoginShell *self = owner;

  gmcp_stdio_run_read (self->run, GMCP_LIMIT_LOGIN_PATH_BYTES);
}

static void
on_failed (gpointer owner, const GmcpChildFailure *failure)
{
  publish_path (owner, NULL);
}

static void
on_message (gpointer owner, const char *text, gsize length, GBytes *bytes)
{
  GmcpLoginShell *self = owner;
  g_autofree char *line = g_strstrip (g_strndup (text, length));

  if (self->marked)
    publish_path (self, g_utf8_validate (line, -1, NULL) && *line != '\0' ? line : NULL);
  else
    self->marked = g_str_equal (line, MARK);
}

static void
on_violation (gpointer owner, const GError *error)
{
}

static void
on_exited (gpointer owner, int wait_status)
{
  publish_path (owner, NULL);
}

static void
on_ended (gpointer owner)
{
  publish_path (owner, NULL);
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
  publish_path (data, NULL);
  return G_SOURCE_REMOVE;
}

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
start_shell (GmcpLoginShell *self)
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

  self->run = gmcp_stdio_run_new (G_OBJECT (self), &run_funcs, self->context, &options, &self->tail,
                                  &error);
  if (self->run == NULL)
    {
      g_info ("The login shell cannot be asked for its PATH: %s", error->message);
      return FALSE;
    }

  self->limit = g_timeout_source_new (shell_limit_ms);
  g_source_set_static_name (self->limit, "[gmcp] login shell");
  g_source_set_callback (self->limit, on_limit, self, NULL);
  g_source_attach (self->limit, self->context);
  return TRUE;
}

static GmcpLoginShell *
find_shell (GMainContext *context)
{
  for (guint i = 0; shells != NULL && i < shells->len; i++)
    {
      GmcpLoginShell *shell = g_ptr_array_index (shells, i);

      if (shell->context == context)
        return shell;
    }
  return NULL;
}

/* A task holds the shell that it waits for. */
static void
wait_for_shell (GTask *task, GMainContext *context)
{
  GmcpLoginShell *shell = find_shell (context);

  if (shell != NULL)
    {
      g_task_set_task_data (task, g_object_ref (shell), g_object_unref);
      g_queue_push_tail (&shell->waiters, task);
      return;
    }

  shell = g_object_new (GMCP_TYPE_LOGIN_SHELL, NULL);
  shell->context = g_main_context_ref (context);
  g_task_set_task_data (task, shell, g_object_unref);
  if (shells == NULL)
    shells = g_ptr_array_new ();

  if (start_shell (shell))
    {
      g_ptr_array_add (shells, shell);
      g_queue_push_tail (&shell->waiters, task);
      return;
    }

  is_known = TRUE;
  g_task_return_pointer (task, NULL, NULL);
  g_object_unref (task);
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
    wait_for_shell (g_steal_pointer (&task), context);
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
