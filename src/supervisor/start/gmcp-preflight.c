/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-preflight-private.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcp-flatpak-host-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-program-search-private.h"
#include "gmcp-server-program-private.h"

#include <gmcp/core/gmcp-error.h>

#define FIRST_LINE_BYTES 128

static const char *const node_programs[] = { "npx", "node", "nodejs", "npm", NULL };

gboolean
gmcp_preflight_has_own_path (GmcpServerConfig *config)
{
  return gmcp_server_program_get_own_path (config) != NULL;
}

/* What npm installs as a program is a script that names node in its first line. */
static gboolean
is_node_script (const char *file)
{
  char text[FIRST_LINE_BYTES + 1] = "";
  int fd = open (file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  gssize length = 0;
  struct stat info;

  if (fd < 0)
    return FALSE;
  if (fstat (fd, &info) == 0 && S_ISREG (info.st_mode))
    length = read (fd, text, FIRST_LINE_BYTES);
  close (fd);

  text[MAX (length, 0)] = '\0';
  text[strcspn (text, "\n")] = '\0';
  return g_str_has_prefix (text, "#!") && strstr (text, "node") != NULL;
}

gboolean
gmcp_preflight_needs_node (GmcpServerConfig *config, const char *path)
{
  const char *command = gmcp_server_program_get (config);
  const char *package = gmcp_server_config_get_package (config);
  const char *own_path = gmcp_server_program_get_own_path (config);
  g_autofree char *file = NULL;

  if (g_strv_contains (node_programs, command))
    return TRUE;
  if (package == NULL || *command == '\0')
    return FALSE;

  file = gmcp_server_program_find (config, own_path != NULL ? own_path : path);
  /* Of the places that packages come from only npm has names with a scope. */
  return file != NULL ? is_node_script (file) : *package == '@' && strchr (command, '/') == NULL;
}

/* What is to be found elsewhere only may need it as well. */
static gboolean
may_need_node (GmcpServerConfig *config, const char *path)
{
  const char *command = gmcp_server_program_get (config);
  g_autofree char *file = NULL;

  if (gmcp_preflight_needs_node (config, path))
    return TRUE;
  if (gmcp_server_config_get_package (config) == NULL || *command == '\0'
      || strchr (command, '/') != NULL)
    return FALSE;

  file = gmcp_server_program_find (config, path);
  return file == NULL;
}

static gboolean
is_node_in (const char *path)
{
  g_autofree char *node = gmcp_program_search ("node", path);
  g_autofree char *npx = node == NULL ? gmcp_program_search ("npx", path) : NULL;

  return node != NULL || npx != NULL;
}

static gboolean
is_settled_by (GmcpServerConfig *config, const char *path)
{
  return !may_need_node (config, path) || is_node_in (path);
}

static void
on_path (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autofree char *path = NULL;
  GError *error = NULL;

  if (!gmcp_server_program_choose_path_finish (result, &path, &error))
    g_task_return_error (task, error);
  else if (gmcp_preflight_needs_node (g_task_get_source_object (task), path) && !is_node_in (path))
    g_task_return_pointer (task, g_strdup (path != NULL ? path : ""), g_free);
  else
    g_task_return_pointer (task, NULL, NULL);
}

static void
look_here (GTask *task, GMainContext *context)
{
  gmcp_server_program_choose_path_async (g_task_get_source_object (task), context, is_settled_by,
                                         g_task_get_cancellable (task), on_path,
                                         g_object_ref (task));
}

static void
on_host (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) environment = gmcp_flatpak_host_get_finish (result, &error);

  /* The server starts on the host, where nothing can be looked at from here: the start says what is
   * missing. */
  if (environment != NULL)
    g_task_return_pointer (task, NULL, NULL);
  else if (!g_task_return_error_if_cancelled (task))
    look_here (task, g_task_get_context (task));
}

void
gmcp_preflight_async (GmcpServerConfig *config,
                      GMainContext *context,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (config, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_preflight_async);
  if (gmcp_flatpak_is_inside () && !gmcp_flatpak_has_program (gmcp_server_program_get (config)))
    gmcp_flatpak_host_get_async (context, cancellable, on_host, g_steal_pointer (&task));
  else
    look_here (task, context);
}

gboolean
gmcp_preflight_finish (GAsyncResult *result, char **searched, GError **error)
{
  g_autoptr (GError) reason = NULL;

  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_preflight_async), FALSE);

  *searched = g_task_propagate_pointer (G_TASK (result), &reason);
  if (reason != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&reason));
      return FALSE;
    }
  return *searched == NULL;
}

/* The first word that is no option; a package that an option names counts before it. */
static const char *
find_npx_package (const char *const *argv)
{
  for (gsize i = 1; argv[i] != NULL; i++)
    {
      const char *word = argv[i];

      if (g_str_has_prefix (word, "--package="))
        return word + strlen ("--package=");
      if (g_str_equal (word, "-p") || g_str_equal (word, "--package") || g_str_equal (word, "--"))
        return argv[i + 1];
      /* A line for a shell. */
      if (g_str_equal (word, "-c") || g_str_equal (word, "--call"))
        return NULL;
      if (*word != '-')
        return word;
    }
  return NULL;
}

/* The package's name is shown to be typed into a shell. */
static gboolean
is_package (const char *word)
{
  if (word == NULL || *word == '\0' || *word == '-')
    return FALSE;

  for (; *word != '\0'; word++)
    {
      if (!g_ascii_isalnum (*word) && strchr ("@/._~^+:#-", *word) == NULL)
        return FALSE;
    }
  return TRUE;
}

/* The package that the program comes in, as npm knows it: the one that is configured, or what npx is to
 * run. NULL where none is known. */
static char *
dup_package (GmcpServerConfig *config)
{
  const char *package = gmcp_server_config_get_package (config);
  g_autofree char *program = g_path_get_basename (gmcp_server_program_get (config));

  if (package == NULL && g_str_equal (program, "npx"))
    package = find_npx_package (gmcp_server_config_get_argv (config));
  return is_package (package) ? g_strdup (package) : NULL;
}

char *
gmcp_preflight_dup_hint (GmcpServerConfig *config)
{
  g_autofree char *package = dup_package (config);

  /* A shell's command, which is not translated. */
  return package != NULL ? g_strconcat ("install: npm install -g ", package, NULL) : NULL;
}

GError *
gmcp_preflight_node_error (GmcpServerConfig *config, const char *start_words, const char *searched)
{
  g_autofree char *hint = gmcp_preflight_dup_hint (config);

  return g_error_new (
    GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING,
    _ (
      "Server “%s” needs Node.js, and neither “node” nor “npx” was found. Install Node.js; whether the "
      "server works then is shown by: gmcp start --foreground %s%s%s%s\n\nDirectories searched "
      "(PATH): %s"),
    gmcp_server_config_get_title (config), start_words, hint != NULL ? " (" : "",
    hint != NULL ? hint : "", hint != NULL ? ")" : "", searched);
}
