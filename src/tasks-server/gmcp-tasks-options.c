/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "gmcp-task-fields.h"
#include "gmcp-task-limits.h"
#include "gmcp-task-location.h"
#include "gmcp-tasks-options.h"

void
gmcp_tasks_options_free (GmcpTasksOptions *self)
{
  g_free (self->database);
  g_free (self->user);
  gmcp_tasks_door_options_clear (&self->doors);
  g_free (self);
}

/* The folder of the default file is made, and closed to others. One that the user named is not: a
 * slip of the pen would leave a database where nobody looks for it. That making it fails shows with
 * the first call. */
static char *
dup_default_database (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "gmcp", NULL);

  g_mkdir_with_parents (folder, 0700);
  return g_build_filename (folder, "tasks.db", NULL);
}

/* Whom callers are that nobody verified: there are none on sockets, and over HTTP where it was said only. */
static char *
dup_default_user (const GmcpTasksDoorOptions *doors)
{
  return g_strdup (gmcp_tasks_door_options_has_any (doors) ? doors->http_user : g_get_user_name ());
}

static gboolean
take_timeout (GmcpTasksOptions *self, double seconds, GError **error)
{
  const double max_seconds = GMCP_TASK_MAX_TIMEOUT_MS / 1000.0;

  /* In this form it is false for a NaN too. */
  if (!(seconds >= 0.001 && seconds <= max_seconds))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   _ ("--timeout must be between 0.001 and %.0f seconds"), max_seconds);
      return FALSE;
    }

  self->timeout_ms = (guint) (seconds * 1000);
  return TRUE;
}

/* Prints and exits where the arguments are --help. */
GmcpTasksOptions *
gmcp_tasks_options_new_from_arguments (int argc, char *argv[], GError **error)
{
  g_autoptr (GmcpTasksOptions) self = g_new0 (GmcpTasksOptions, 1);
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autofree char *database = NULL;
  double timeout = GMCP_TASK_DEFAULT_TIMEOUT_MS / 1000.0;
  const GOptionEntry entries[] = {
    { "database", 0, 0, G_OPTION_ARG_FILENAME, &database,
      N_ ("Keep the tasks in this file or postgresql:// database (default: "
          "$XDG_DATA_HOME/gmcp/tasks.db)"),
      N_ ("FILE|URL") },
    { "user", 0, 0, G_OPTION_ARG_STRING, &self->user,
      N_ ("Whose tasks to serve on standard input and output (default: the login name)"),
      N_ ("NAME") },
    { "timeout", 0, 0, G_OPTION_ARG_DOUBLE, &timeout, N_ ("How long a call may take (default: 25)"),
      N_ ("SECONDS") },
    { "version", 0, 0, G_OPTION_ARG_NONE, &self->shows_version, N_ ("Show the version"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
  g_option_context_set_summary (context,
                                _ ("A task list as an MCP server. It speaks the Model Context "
                                   "Protocol over standard input and output,\nso that an MCP host "
                                   "can start it; people use it through one. With --socket, --http "
                                   "or --listen-fds it serves there instead."));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  gmcp_tasks_door_options_add_entries (&self->doors, context);
  if (!g_option_context_parse (context, &argc, &argv, error))
    return NULL;

  if (argc > 1)
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, _ ("Unexpected argument “%s”"),
                   argv[1]);
      return NULL;
    }

  if (!gmcp_tasks_door_options_check (&self->doors, self->user != NULL, error))
    return NULL;
  if (self->user == NULL)
    self->user = dup_default_user (&self->doors);
  if ((self->user != NULL && !gmcp_task_fields_check_user (self->user, error))
      || !take_timeout (self, timeout, error))
    return NULL;

#ifndef HAVE_POSTGRESQL
  if (database != NULL && gmcp_task_location_is_url (database))
    {
      g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                           _ ("--database is an address, and this gmcp-tasks was built without "
                              "PostgreSQL; give it a file"));
      return NULL;
    }
#endif

  self->database = database == NULL ? (self->shows_version ? NULL : dup_default_database ())
                   : gmcp_task_location_is_url (database)
                     ? g_strdup (database)
                     : g_canonicalize_filename (database, NULL);
  return g_steal_pointer (&self);
}
