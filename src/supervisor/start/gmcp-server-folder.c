/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-real-path-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-server-folder-private.h"
#include "gmcp-trusted-folders-private.h"
#include "gmcp-work-folder-private.h"

#include <gmcp/core/gmcp-error.h>

/* What a path is made of: each is more than the one before. */
typedef enum
{
  MADE_OF_TEXT,
  MADE_OF_ENVIRONMENT, /* may be the workspace, as that of PWD */
  MADE_OF_WORKSPACE,
} Making;

/* A path that code is run from. */
typedef struct
{
  const char *key; /* that says so */
  char *path;      /* with variables filled in */
  Making making;
} CodePath;

typedef struct
{
  GmcpServerConfig *written;
  GmcpServerConfig *filled;
  GPtrArray *paths; /* of CodePath */
  char *state_dir;
  char *workspace;
  GmcpFolderGate *gate;

  /* What is found out in the thread. */
  char *cwd;
  char *needed;    /* a folder that has to be trusted; NULL for none */
  const char *key; /* that leads there */
} Search;

static void
code_path_free (gpointer data)
{
  CodePath *path = data;

  g_free (path->path);
  g_free (path);
}

static void
search_clear (gpointer data)
{
  Search *search = data;

  g_object_unref (search->written);
  g_object_unref (search->filled);
  g_clear_object (&search->gate);
  g_ptr_array_unref (search->paths);
  g_free (search->state_dir);
  g_free (search->workspace);
  g_free (search->cwd);
  g_free (search->needed);
}

static void
search_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, search_clear);
}

gboolean
gmcp_server_folder_is_own (GmcpServerConfig *config)
{
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (config);

  return gmcp_server_config_get_cwd (config) == NULL && (origin == NULL || origin->folder == NULL);
}

static char *
note_making (const GmcpConfigVariable *variable, gpointer data, GError **error)
{
  Making *making = data;
  Making of_this = MADE_OF_TEXT;
  const char *value;

  switch (variable->kind)
    {
    case GMCP_CONFIG_VARIABLE_WORKSPACE:
      of_this = MADE_OF_WORKSPACE;
      break;
    case GMCP_CONFIG_VARIABLE_ENVIRONMENT:
      value = g_getenv (variable->name);
      if (value != NULL && *value != '\0' && g_strcmp0 (value, g_get_home_dir ()) != 0)
        of_this = MADE_OF_ENVIRONMENT;
      break;
    case GMCP_CONFIG_VARIABLE_WORKSPACE_NAME:
    case GMCP_CONFIG_VARIABLE_SECRET:
    case GMCP_CONFIG_VARIABLE_INPUT:
      of_this = MADE_OF_ENVIRONMENT;
      break;
    case GMCP_CONFIG_VARIABLE_HOME:
    case GMCP_CONFIG_VARIABLE_SEPARATOR:
    case GMCP_CONFIG_VARIABLE_UNKNOWN:
    default:
      break;
    }

  *making = MAX (*making, of_this);
  return g_strdup ("");
}

static Making
find_making (const char *written)
{
  Making making = MADE_OF_TEXT;

  if (gmcp_config_is_pattern (written))
    g_free (gmcp_config_variables_fill (written, note_making, &making, NULL));
  return making;
}

static void
add_path (Search *search, const char *key, const char *written, const char *filled)
{
  Making making = written != NULL && filled != NULL ? find_making (written) : MADE_OF_TEXT;
  CodePath *path;

  /* The user has named a folder that is written out. */
  if (making == MADE_OF_TEXT)
    return;

  path = g_new0 (CodePath, 1);
  path->key = key;
  path->path = g_strdup (filled);
  path->making = making;
  g_ptr_array_add (search->paths, path);
}

/* Variables that name code, or where it is looked for, to common programs, interpreters and the loader. */
static const char *const code_variables[] = {
  "env.PATH",
  "env.BASH_ENV",
  "env.CLASSPATH",
  "env.DENO_DIR",
  "env.ENV",
  "env.GCONV_PATH",
  "env.GIO_EXTRA_MODULES",
  "env.GI_TYPELIB_PATH",
  "env.JAVA_TOOL_OPTIONS",
  "env.JDK_JAVA_OPTIONS",
  "env.LD_AUDIT",
  "env.LD_LIBRARY_PATH",
  "env.LD_PRELOAD",
  "env.LUA_CPATH",
  "env.LUA_PATH",
  "env.NODE_OPTIONS",
  "env.NODE_PATH",
  "env.NPM_CONFIG_GLOBALCONFIG",
  "env.NPM_CONFIG_PREFIX",
  "env.NPM_CONFIG_USERCONFIG",
  "env.PERL5LIB",
  "env.PERL5OPT",
  "env.PERLLIB",
  "env.PIP_CONFIG_FILE",
  "env.PYTHONHOME",
  "env.PYTHONPATH",
  "env.PYTHONSTARTUP",
  "env.PYTHONUSERBASE",
  "env.RUBYLIB",
  "env.RUBYOPT",
  "env.UV_CONFIG_FILE",
  "env.UV_PROJECT",
  "env.VIRTUAL_ENV",
  "env.npm_config_globalconfig",
  "env.npm_config_prefix",
  "env.npm_config_userconfig",
};

static void
add_variable (Search *search, const char *key, GmcpServerConfig *written, GmcpServerConfig *filled)
{
  const char *name = key + strlen ("env.");
  const char *text = g_environ_getenv ((GStrv) gmcp_server_config_get_environment (written), name);
  const char *value = g_environ_getenv ((GStrv) gmcp_server_config_get_environment (filled), name);
  /* Lists of folders, and options such as “--require FILE” and “-javaagent:FILE=…”. */
  g_auto (GStrv) words = g_strsplit_set (value != NULL ? value : "", ": =,;\"'", -1);

  for (gsize i = 0; words[i] != NULL; i++)
    {
      if (g_path_is_absolute (words[i]))
        add_path (search, key, text, words[i]);
    }
}

static void
add_paths (Search *search, GmcpServerConfig *written, GmcpServerConfig *filled)
{
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (written);

  /* What a project's file says was trusted together with the project. */
  if (origin != NULL && origin->confined)
    return;

  add_path (search, "cwd", gmcp_server_config_get_cwd (written),
            gmcp_server_config_get_cwd (filled));
  if (g_path_is_absolute (gmcp_server_config_get_argv (filled)[0]))
    add_path (search, "command", gmcp_server_config_get_argv (written)[0],
              gmcp_server_config_get_argv (filled)[0]);
  for (gsize i = 0; i < G_N_ELEMENTS (code_variables); i++)
    add_variable (search, code_variables[i], written, filled);
}

/* Whether a path passes the workspace, from which a link, too, may be somebody else's. */
static gboolean
passes_workspace (const char *path, const char *workspace)
{
  g_autofree char *at = g_strdup (path);
  gboolean found = FALSE;

  while (!found && !g_str_equal (at, "/") && !g_str_equal (at, "."))
    {
      g_autofree char *real = gmcp_real_path_of_folder (at);
      char *above = g_path_get_dirname (at);

      found = gmcp_real_path_is_within (real, workspace);
      g_free (at);
      at = above;
    }
  return found;
}

/* Whether what the path leads to may come from the author of the workspace. */
static gboolean
needs_trust (const CodePath *path, const char *workspace)
{
  g_autofree char *home = gmcp_real_path_of_folder (g_get_home_dir ());

  if (path->making == MADE_OF_WORKSPACE)
    return TRUE;

  /* Where the user is at home, or above that, all that there is would be in the workspace. */
  return !gmcp_real_path_is_within (home, workspace) && passes_workspace (path->path, workspace);
}

static void
look_at_path (Search *search, const CodePath *path, const char *workspace)
{
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (search->written);

  if (g_str_equal (path->key, "cwd"))
    {
      g_free (search->cwd);
      search->cwd = gmcp_real_path_of_folder (path->path);
    }

  /* The file that was named lies in the workspace itself, where its servers run anyway. */
  if (origin != NULL && g_strcmp0 (origin->folder, workspace) == 0)
    return;

  if (search->needed == NULL && needs_trust (path, workspace))
    {
      search->needed = g_strdup (workspace);
      search->key = path->key;
    }
}

static void
look_at_paths (Search *search)
{
  g_autofree char *here = NULL;
  g_autofree char *workspace = NULL;

  if (search->paths->len == 0)
    return;

  here = search->workspace != NULL ? g_strdup (search->workspace) : g_get_current_dir ();
  workspace = gmcp_real_path_of_folder (here);
  for (guint i = 0; i < search->paths->len; i++)
    look_at_path (search, g_ptr_array_index (search->paths, i), workspace);
}

static gboolean
find_folder (Search *search, GError **error)
{
  GmcpConfigOrigin *origin = gmcp_server_config_get_origin (search->written);
  const char *id = gmcp_server_config_get_id (search->filled);

  look_at_paths (search);
  if (search->needed != NULL && !gmcp_trusted_folders_can_hold (search->needed, error))
    return FALSE;
  if (search->cwd != NULL)
    return TRUE;

  if (gmcp_server_config_get_cwd (search->filled) != NULL)
    search->cwd = g_strdup (gmcp_server_config_get_cwd (search->filled));
  else if (origin != NULL && origin->folder != NULL)
    search->cwd = g_strdup (origin->folder);
  else
    search->cwd = gmcp_work_folder_make (search->state_dir, id, error);
  return search->cwd != NULL;
}

static GError *
make_error (Search *search, const GError *reason)
{
  return g_error_new (GMCP_ERROR, GMCP_ERROR_START_FAILED,
                      _ ("Server “%s” cannot be started: the folder that it would run in cannot be "
                         "used: %s. Mend that, or set “cwd” to another folder"),
                      gmcp_server_config_get_title (search->filled), reason->message);
}

static void
run_find (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;

  if (find_folder (data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, make_error (data, error));
}

static void
return_found (GTask *task, Search *search)
{
  GmcpServerConfig *config = gmcp_server_config_copy (search->filled);

  gmcp_server_config_take_cwd (config, g_steal_pointer (&search->cwd));
  /* The copy is filled in already. */
  gmcp_server_config_set_expanded (config);
  g_task_return_pointer (task, config, g_object_unref);
}

static GError *
make_refusal (Search *search)
{
  g_autofree char *quoted = g_shell_quote (search->needed);
  g_autofree char *shown = g_filename_display_name (search->needed);

  return g_error_new (
    GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
    /* Translators: a server, a folder, and a key of the server's configuration. */
    _ (
      "Server “%s” cannot be started: it would run what is in the folder “%s” (by its “%s”), which "
      "is not trusted. If you trust whoever fills that folder: gmcp config trust %s. To let a "
      "server only work on it, give it ${workspaceFolder} as an argument"),
    gmcp_server_config_get_title (search->filled), shown, search->key, quoted);
}

static void
on_passed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Search *search = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  gboolean trusted = gmcp_folder_gate_pass_finish (GMCP_FOLDER_GATE (object), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_task_return_error (task, g_steal_pointer (&error));
  else if (error != NULL)
    g_task_return_error (task, make_error (search, error));
  else if (trusted)
    return_found (task, search);
  else
    g_task_return_error (task, make_refusal (search));
}

static void
on_found (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Search *search = g_task_get_task_data (task);
  g_autofree char *store = NULL;
  GError *error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      g_task_return_error (task, error);
      return;
    }

  if (search->needed == NULL)
    {
      return_found (task, search);
      return;
    }

  store = g_build_filename (search->state_dir, GMCP_TRUSTED_FOLDERS_FILE, NULL);
  gmcp_folder_gate_pass_async (search->gate, store, search->needed,
                               gmcp_server_config_get_id (search->filled),
                               g_task_get_cancellable (task), on_passed, g_object_ref (task));
}

void
gmcp_server_folder_find_async (GmcpServerConfig *written,
                               GmcpServerConfig *filled,
                               const GmcpServerFolderContext *context,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GTask) finding = g_task_new (NULL, cancellable, on_found, g_object_ref (task));
  Search *search = g_atomic_rc_box_new0 (Search);

  g_task_set_source_tag (task, gmcp_server_folder_find_async);
  search->written = g_object_ref (written);
  search->filled = g_object_ref (filled);
  search->paths = g_ptr_array_new_with_free_func (code_path_free);
  search->state_dir = g_strdup (context->state_dir);
  search->workspace = g_strdup (context->workspace);
  search->gate
    = context->gate != NULL ? g_object_ref (context->gate) : gmcp_folder_gate_new (NULL, NULL);
  add_paths (search, written, filled);
  g_task_set_task_data (task, search, search_unref);
  g_task_set_task_data (finding, g_atomic_rc_box_acquire (search), search_unref);
  g_task_set_return_on_cancel (finding, TRUE);
  g_task_run_in_thread (finding, run_find);
}

GmcpServerConfig *
gmcp_server_folder_find_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_server_folder_find_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
