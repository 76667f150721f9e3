/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-stdio-error-private.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-program-search-private.h"

#define LAST_LINES_BYTES 2048

static const char *
find_variable (const char *const *environment, const char *name_and_equals)
{
  for (; environment != NULL && *environment != NULL; environment++)
    if (g_str_has_prefix (*environment, name_and_equals))
      return *environment + strlen (name_and_equals);

  return NULL;
}

/* What people write who think of a shell. */
static const char *
shell_hint (const GmcpSpawnOptions *options)
{
  const char *command = options->argv[0];

  if (command[0] == '~')
    return _ (" “~” means nothing here: give the full path.");
  if (options->argv[1] == NULL && strchr (command, ' ') != NULL)
    return _ (" No shell splits the command: give its arguments apart from it, one by one.");
  return "";
}

/* What was searched is a paragraph of its own, which listings leave out. */
static GError *
describe_search (const GmcpSpawnOptions *options, int error_number)
{
  const char *path = find_variable (options->environment, "PATH=");
  g_autofree char *near = error_number == ENOENT && !options->on_host
                            ? gmcp_program_suggest (options->argv[0], path)
                            : NULL;

  if (path == NULL)
    path = _ ("the system's default, since PATH is not set");

  if (error_number == ENOENT && options->on_host)
    return g_error_new (
      GMCP_ERROR, GMCP_ERROR_START_FAILED,
      _ (
        "The command “%s” was not found on the host, out of Flatpak’s sandbox. Install it there, or "
        "give its full path.%s\n\nDirectories searched (PATH): %s"),
      options->argv[0], shell_hint (options), path);

  if (error_number == ENOENT)
    return g_error_new (
      GMCP_ERROR, GMCP_ERROR_START_FAILED,
      _ ("The command “%s” was not found. Install it, or give its full path.%s%s\n\nDirectories "
         "searched (PATH): %s"),
      options->argv[0], shell_hint (options), near, path);

  return g_error_new (
    GMCP_ERROR, GMCP_ERROR_START_FAILED,
    _ ("The command “%s” could not be run: %s\n\nDirectories searched (PATH): %s"),
    options->argv[0], g_strerror (error_number), path);
}

static GError *
describe_file (const GmcpSpawnOptions *options, int error_number)
{
  g_autofree char *file = g_canonicalize_filename (options->argv[0], options->cwd);
  const char *hint = shell_hint (options);

  if (options->on_host)
    return g_error_new (GMCP_ERROR, GMCP_ERROR_START_FAILED,
                        _ ("“%s” could not be run on the host, out of Flatpak’s sandbox: %s%s%s"),
                        file, g_strerror (error_number), *hint != '\0' ? "." : "", hint);

  if (error_number == ENOENT && g_file_test (file, G_FILE_TEST_EXISTS))
    return g_error_new (GMCP_ERROR, GMCP_ERROR_START_FAILED,
                        _ ("“%s” could not be run: the file is there, but not the interpreter that "
                           "it names"),
                        file);

  /* A path from the file that names the server was meant, as a rule. */
  if (error_number == ENOENT && !g_path_is_absolute (options->argv[0]))
    return g_error_new (
      GMCP_ERROR, GMCP_ERROR_START_FAILED,
      _ ("“%s” is not there; the command “%s” is looked for in the folder that the "
         "server runs in: give its full path, or set “cwd”%s%s"),
      file, options->argv[0], *hint != '\0' ? "." : "", hint);

  return g_error_new (GMCP_ERROR, GMCP_ERROR_START_FAILED, _ ("“%s” could not be run: %s%s%s"),
                      file, g_strerror (error_number), *hint != '\0' ? "." : "", hint);
}

GError *
gmcp_stdio_error_new_start_failed (const GmcpSpawnOptions *options, const GmcpChildFailure *failure)
{
  const char *command = options->argv[0];
  int error_number = failure->error_number;

  if (failure->reason != NULL)
    return g_error_new (GMCP_ERROR, GMCP_ERROR_START_FAILED,
                        _ ("“%s” could not be started on the host: %s"), command,
                        failure->reason->message);

  switch (failure->step)
    {
    case GMCP_GUARD_STEP_EXEC:
      return strchr (command, '/') != NULL ? describe_file (options, error_number)
                                           : describe_search (options, error_number);

    case GMCP_GUARD_STEP_CWD:
      return g_error_new (GMCP_ERROR, GMCP_ERROR_START_FAILED,
                          _ ("“%s” could not be started in the folder “%s”: %s"), command,
                          options->cwd, g_strerror (error_number));

    case GMCP_GUARD_STEP_LIMIT:
      return g_error_new (GMCP_ERROR, GMCP_ERROR_START_FAILED,
                          _ ("“%s” could not be started with its resource limits: %s"), command,
                          g_strerror (error_number));

    case GMCP_GUARD_STEP_PLACE:
      return g_error_new (
        GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING,
        _ ("“%s” was not started: the systemd of the session, which is to limit its "
           "memory and processes, is outside of the container or sandbox that this "
           "program runs in. Take “max-memory-mib” and “max-processes” out of the "
           "configuration"),
        command);

    case GMCP_GUARD_STEP_START:
    default:
      return g_error_new (GMCP_ERROR, GMCP_ERROR_START_FAILED, _ ("“%s” could not be started: %s"),
                          command,
                          error_number != 0 ? g_strerror (error_number)
                                            : _ ("the program that watches over it ended at once"));
    }
}

static GError *
new_with_tail (const char *what, const GmcpStderrTail *tail)
{
  g_autofree char *lines = gmcp_stderr_tail_dup_last_lines (tail, LAST_LINES_BYTES);

  if (lines[0] == '\0')
    return g_error_new (GMCP_ERROR, GMCP_ERROR_SERVER_EXITED,
                        _ ("%s. It printed nothing to standard error."), what);

  return g_error_new (GMCP_ERROR, GMCP_ERROR_SERVER_EXITED,
                      _ ("%s. Its last words on standard error:\n%s"), what, lines);
}

void
gmcp_stdio_error_add_text (GError *error, const char *text)
{
  g_autofree char *plain = NULL;

  if (text == NULL)
    return;

  plain = g_steal_pointer (&error->message);
  error->message = g_strdup_printf (
    _ ("%s\nTo standard output, which is for messages, it printed:\n%s"), plain, text);
}

GError *
gmcp_stdio_error_new_exited (const char *command, int wait_status, const GmcpStderrTail *tail)
{
  g_autofree char *what = NULL;

  if (wait_status == -1)
    what = g_strdup_printf (_ ("The server “%s” was killed along with the program that watches it"),
                            command);
  else if (WIFSIGNALED (wait_status))
    what = g_strdup_printf (_ ("The server “%s” was ended by signal %d (%s)"), command,
                            WTERMSIG (wait_status), g_strsignal (WTERMSIG (wait_status)));
  else
    what = g_strdup_printf (_ ("The server “%s” exited with status %d"), command,
                            WEXITSTATUS (wait_status));

  return new_with_tail (what, tail);
}

GError *
gmcp_stdio_error_new_late_install (const char *program,
                                   const char *package,
                                   guint timeout_ms,
                                   const GmcpStderrTail *tail)
{
  g_autofree char *what = NULL;

  if (package != NULL)
    what = g_strdup_printf (_ ("“%s” had not fetched and started “%s” after %u ms, and was ended: "
                               "raise install-timeout-ms, or look at what it waits for"),
                            program, package, timeout_ms);
  else
    what = g_strdup_printf (_ ("“%s” had not fetched and started its program after %u ms, and was "
                               "ended: raise install-timeout-ms, or look at what it waits for"),
                            program, timeout_ms);

  return new_with_tail (what, tail);
}

GError *
gmcp_stdio_error_new_deaf (const char *command, const GmcpStderrTail *tail)
{
  g_autofree char *what = g_strdup_printf (
    _ ("The server “%s” closed its standard input or output, and was stopped"), command);

  return new_with_tail (what, tail);
}

GError *
gmcp_stdio_error_new_no_sandbox (const char *command, const GmcpStderrTail *tail)
{
  g_autofree char *lines = gmcp_stderr_tail_dup_last_lines (tail, LAST_LINES_BYTES);

  g_strchomp (lines);
  if (!g_str_has_prefix (lines, "bwrap: ") || strchr (lines, '\n') != NULL)
    return NULL;

  return g_error_new (
    GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING,
    _ ("“%s” was not started: bubblewrap could not make its sandbox: %s. Where the system does "
       "not let users make namespaces, allow that, or do without the sandbox"),
    command, lines + strlen ("bwrap: "));
}
