/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-host.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli-failure.h"
#include "cli-status-line.h"
#include "cli-terminal.h"
#include "cli-text.h"

#include <gmcp/config/import/gmcp-config-import.h>

/* A part of the 200 ms in which Ctrl-C has to be obeyed. */
#define INTERRUPTED_CLOSE_MS 100

static gboolean
on_terminate (gpointer user_data)
{
  CliHost *self = user_data;

  /* A second press does not wait for anything; the servers end with this process. In a session the command
   * is what ends, and a third one is needed. */
  if (self->n_interrupts++ > (self->session != NULL ? 1 : 0))
    exit (CLI_EXIT_TIMED_OUT);

  g_cancellable_cancel (self->cancellable);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_interrupt (gpointer user_data)
{
  /* The terminal has shown “^C” where its cursor is. */
  if (isatty (STDERR_FILENO) && !cli_status_line_clear ())
    {
      fputs ("\n", stderr);
      fflush (stderr);
    }
  return on_terminate (user_data);
}

static gboolean
on_timeout (gpointer user_data)
{
  CliHost *self = user_data;

  self->timed_out = TRUE;
  g_cancellable_cancel (self->cancellable);
  return G_SOURCE_REMOVE;
}

static GSource *
watch_signal (CliHost *self, int number, GSourceFunc func)
{
  GSource *source = g_unix_signal_source_new (number);

  g_source_set_callback (source, func, self, NULL);
  g_source_attach (source, NULL);
  return source;
}

static void
destroy_source (GSource *source)
{
  g_source_destroy (source);
  g_source_unref (source);
}

CliHost *
cli_host_new (const char *config_file, const char *name)
{
  CliHost *self = g_new0 (CliHost, 1);

  self->config_file = g_strdup (config_file);
  self->name = g_strdup (name);
  self->cancellable = g_cancellable_new ();
  self->interrupt = watch_signal (self, SIGINT, on_interrupt);
  self->terminate = watch_signal (self, SIGTERM, on_terminate);
  self->told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return self;
}

void
cli_host_begin_session (CliHost *self)
{
  self->is_session = TRUE;
  g_clear_pointer (&self->interrupt, destroy_source);
}

CliHost *
cli_host_new_for_command (CliHost *session)
{
  CliHost *self = cli_host_new (session->config_file, session->name);

  g_return_val_if_fail (session->command == NULL, self);

  self->session = session;
  session->command = self;
  return self;
}

gboolean
cli_host_is_another (CliHost *self)
{
  return !g_str_equal (self->name, CLI_HOST_NAME);
}

void
cli_host_tell (CliHost *self, const char *message)
{
  g_autofree char *line = g_strconcat ("gmcp: ", message, NULL);

  if (g_hash_table_add (self->told, g_strdup (message)))
    cli_status_line_tell (line);
}

static gboolean
is_finding (GmcpManager *manager, const char *message)
{
  g_autoptr (GPtrArray) findings = gmcp_manager_list_findings (manager);

  for (guint i = 0; i < findings->len; i++)
    {
      g_autofree char *text = gmcp_config_finding_dup_text (g_ptr_array_index (findings, i));

      if (g_str_equal (text, message))
        return TRUE;
    }
  return FALSE;
}

/* What is wrong with the configuration is told; errors of a server are, with what they make fail. */
static void
on_notice (GmcpManager *manager,
           const char *server_id,
           GmcpNoticeLevel level,
           const char *message,
           gpointer user_data)
{
  CliHost *self = user_data;
  GmcpManagedServer *server
    = server_id != NULL ? gmcp_manager_get_server (manager, server_id) : NULL;
  const GError *last = server != NULL ? gmcp_managed_server_get_last_error (server) : NULL;

  gboolean of_config
    = level == GMCP_NOTICE_LEVEL_ERROR && (server_id == NULL || is_finding (manager, message));

  self->config_is_broken |= of_config;
  if (self->command != NULL)
    {
      on_notice (manager, server_id, level, message, self->command);
      return;
    }
  /* Nobody waits for anything; whoever has the session tells of it. */
  if (self->is_session)
    return;

  /* The configuration may be read for several reasons; what happens to a server may happen again. */
  if (server_id != NULL)
    g_hash_table_remove (self->told, message);
  /* For a program it belongs to the error, which is an object. */
  if (of_config && self->json)
    {
      if (g_hash_table_add (self->told, g_strdup (message)))
        cli_failure_tell (message);
      return;
    }
  /* The user waits on these, and is told why. */
  if (of_config
      || (server != NULL && level == GMCP_NOTICE_LEVEL_INFO
          && gmcp_managed_server_get_state (server) == GMCP_SERVER_STATE_INSTALLING)
      || (level == GMCP_NOTICE_LEVEL_WARNING
          && (last == NULL || !g_str_equal (last->message, message))))
    cli_host_tell (self, message);
}

static guint
get_timeout_ms (CliHost *self)
{
  return MIN ((guint) self->timeout_seconds, G_MAXINT / 1000) * 1000;
}

static void
start_timeout (CliHost *self)
{
  self->timeout = g_timeout_source_new (get_timeout_ms (self));
  g_source_set_callback (self->timeout, on_timeout, self, NULL);
  g_source_attach (self->timeout, NULL);
}

void
cli_host_set_config_file (CliHost *self, const char *path)
{
  char *copy = g_strdup (path);

  g_free (self->config_file);
  self->config_file = copy;
}

GFile *
cli_host_make_config_file (CliHost *self)
{
  const char *name = self->config_file;
  g_autofree char *path
    = g_str_has_prefix (name, "file:///") ? g_filename_from_uri (name, NULL, NULL) : NULL;

  return g_file_new_for_path (path != NULL ? path : name);
}

/* A command with a configuration of its own has servers of its own, too. */
static gboolean
is_of_session (CliHost *self)
{
  return self->session != NULL && self->session->providers != NULL
         && g_strcmp0 (self->config_file, self->session->config_file) == 0;
}

/* What nobody has answered when it is let go of is cancelled. */
static void
on_input_requested (GmcpToolProvider *provider, GmcpInputRequest *request, gpointer user_data)
{
}

/* What a server lists may hang on whether anybody can be asked. On a terminal somebody can be while tools are called, so
 * that each command says there what may be called there. */
static void
offer_to_be_asked (CliHost *self)
{
  for (guint i = 0; cli_may_ask () && i < self->providers->len; i++)
    g_signal_connect (g_ptr_array_index (self->providers, i), "input-requested",
                      G_CALLBACK (on_input_requested), NULL);
}

CliExit
cli_host_open (CliHost *self)
{
  g_autoptr (GFile) config = NULL;
  g_autoptr (GError) error = NULL;

  if (self->timeout_seconds < 0)
    return cli_usage_error (_ ("--timeout: a time limit cannot be negative"));
  if (self->config_file != NULL && *self->config_file == '\0')
    return cli_usage_error (_ ("--config: the name of the file is empty"));

  if (is_of_session (self))
    {
      self->providers = g_ptr_array_ref (self->session->providers);
      self->config_is_broken = self->session->config_is_broken;
      if (self->timeout_seconds > 0)
        start_timeout (self);
      return CLI_EXIT_OK;
    }

  if (self->config_file != NULL)
    config = cli_host_make_config_file (self);
  self->providers = gmcp_load_tool_providers (self->name, config, &error);
  if (self->providers != NULL)
    {
      GmcpManager *manager = cli_host_get_manager (self);

      offer_to_be_asked (self);
      if (manager != NULL)
        {
          g_autoptr (GFile) folder = g_file_new_for_path (".");

          g_signal_connect (manager, "notice", G_CALLBACK (on_notice), self);
          gmcp_manager_set_workspace (manager, folder);
          /* A command ends; what runs afterwards is started by those that say so. */
          gmcp_manager_set_activates_daemon (manager, FALSE);
        }
      if (self->timeout_seconds > 0)
        start_timeout (self);
      return CLI_EXIT_OK;
    }

  cli_failure_tell (error->message);
  return CLI_EXIT_UNREACHABLE;
}

static gboolean
on_patience_over (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* In order, which takes as long as the servers take. Once the user wants to leave, most have the time to see
 * that their input ends; the others are ended by their guards when this process is gone. */
static void
close_manager (CliHost *self, GmcpManager *manager)
{
  GAsyncResult **result = g_new0 (GAsyncResult *, 1);
  g_autoptr (GSource) patience = NULL;
  gboolean is_over = FALSE;

  if (self->interrupt == NULL)
    self->interrupt = watch_signal (self, SIGINT, on_interrupt);
  gmcp_tool_provider_close_async (GMCP_TOOL_PROVIDER (manager), NULL, cli_store_result, result);
  while (*result == NULL && !is_over)
    {
      if (self->n_interrupts > 0 && patience == NULL)
        {
          patience = g_timeout_source_new (INTERRUPTED_CLOSE_MS);
          g_source_set_callback (patience, on_patience_over, &is_over, NULL);
          g_source_attach (patience, NULL);
        }
      g_main_context_iteration (NULL, TRUE);
    }
  if (patience != NULL)
    g_source_destroy (patience);
  /* Otherwise it is still written to. */
  if (*result != NULL)
    {
      gmcp_tool_provider_close_finish (GMCP_TOOL_PROVIDER (manager), *result, NULL);
      g_object_unref (*result);
      g_free (result);
    }
}

void
cli_host_close (CliHost *self)
{
  GmcpManager *manager = cli_host_get_manager (self);

  if (manager == NULL || (self->session != NULL && self->providers == self->session->providers))
    return;

  close_manager (self, manager);
  g_signal_handlers_disconnect_by_func (manager, on_notice, self);
}

void
cli_host_free (CliHost *self)
{
  cli_host_close (self);
  g_clear_pointer (&self->providers, g_ptr_array_unref);
  if (self->session != NULL)
    self->session->command = NULL;

  g_free (self->config_file);
  g_free (self->name);
  if (self->interrupt != NULL)
    destroy_source (self->interrupt);
  destroy_source (self->terminate);
  if (self->timeout != NULL)
    destroy_source (self->timeout);
  if (self->reader != NULL)
    destroy_source (self->reader);
  g_hash_table_unref (self->told);
  g_object_unref (self->cancellable);
  g_free (self);
}

static gboolean
on_reader_lost (int fd, GIOCondition condition, gpointer user_data)
{
  CliHost *self = user_data;

  self->lost_reader = TRUE;
  g_cancellable_cancel (self->cancellable);
  return G_SOURCE_REMOVE;
}

void
cli_host_end_with_reader (CliHost *self)
{
  struct stat status;

  if (self->reader != NULL || fstat (STDOUT_FILENO, &status) != 0
      || !(S_ISFIFO (status.st_mode) || S_ISSOCK (status.st_mode)))
    return;

  self->reader = g_unix_fd_source_new (STDOUT_FILENO, G_IO_ERR);
  g_source_set_callback (self->reader, G_SOURCE_FUNC (on_reader_lost), self, NULL);
  g_source_attach (self->reader, NULL);
}

GmcpCallOptions *
cli_host_new_options (CliHost *self)
{
  GmcpCallOptions *options = gmcp_call_options_new ();

  if (self->timeout_seconds > 0)
    {
      /* The command's own limit is the one that counts, and the one that is told of. */
      guint limit_ms = get_timeout_ms (self) + 1000;

      gmcp_call_options_set_timeout_ms (options, limit_ms);
      gmcp_call_options_set_max_timeout_ms (options, limit_ms);
    }
  return options;
}

GmcpManager *
cli_host_get_manager (CliHost *self)
{
  for (guint i = 0; self->providers != NULL && i < self->providers->len; i++)
    {
      gpointer provider = g_ptr_array_index (self->providers, i);

      if (GMCP_IS_MANAGER (provider))
        return provider;
    }
  return NULL;
}

gboolean
cli_host_has_servers (CliHost *self)
{
  GmcpManager *manager = cli_host_get_manager (self);

  return manager != NULL && g_list_model_get_n_items (G_LIST_MODEL (manager)) > 0;
}

/* The programs whose files were found, by their titles; NULL for none. */
static char *
list_found_programs (CliHost *self)
{
  g_autoptr (GFile) folder = g_file_new_for_path (".");
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();

  gmcp_config_import_find_async (NULL, folder, NULL, cli_store_result, &result);
  found = gmcp_config_import_find_finish (cli_wait (&result), NULL);
  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      const char *title = gmcp_config_import_get_title (g_ptr_array_index (found, i));

      if (title != NULL && !g_ptr_array_find_with_equal_func (titles, title, g_str_equal, NULL))
        g_ptr_array_add (titles, (gpointer) title);
    }
  g_ptr_array_add (titles, NULL);
  return titles->len > 1 ? g_strjoinv (", ", (char **) titles->pdata) : NULL;
}

static void
explain_how_to_begin (CliHost *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *programs = list_found_programs (self);
  g_autoptr (GmcpConfigImport) import = gmcp_config_import_new_for_text ("{}", NULL);
  GFile *target = gmcp_config_import_get_target_file (import);
  g_autofree char *place
    = target != NULL ? g_file_get_parse_name (target) : g_strdup (_ ("the settings"));

  g_string_append_printf (
    text,
    /* Translators: a file or “the settings” */
    _ ("No server is configured. “gmcp add NAME -- COMMAND…” or “gmcp add NAME URL” adds one "
       "to %s; --config names another file.\n"),
    place);
  /* A paragraph of its own. */
  cli_text_tell_filled (text->str);
  g_string_truncate (text, 0);
  if (programs != NULL)
    /* Translators: names of programs */
    g_string_append_printf (
      text, _ ("There are servers of %s: “gmcp import --all” takes them over.\n"), programs);
  cli_text_tell_filled (text->str);
}

void
cli_host_explain_no_servers (CliHost *self)
{
  GmcpManager *manager = cli_host_get_manager (self);
  guint n = manager != NULL ? g_list_model_get_n_items (G_LIST_MODEL (manager)) : 0;

  /* What is wrong with the configuration has been told; to add a server would not mend it. */
  if (manager == NULL || (n == 0 && self->config_is_broken))
    return;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);

      if (gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server)))
        return;
    }

  if (n > 0)
    g_printerr ("%s\n", _ ("All servers are disabled; “gmcp enable SERVER” switches one on."));
  else
    explain_how_to_begin (self);
}

void
cli_store_result (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

GAsyncResult *
cli_wait (GAsyncResult **slot)
{
  while (*slot == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *slot;
}

static CliExit
status_of_ours (int code)
{
  switch ((GmcpError) code)
    {
    case GMCP_ERROR_INVALID_ARGUMENT:
    case GMCP_ERROR_INVALID_CONFIG:
    case GMCP_ERROR_NOT_CONFIGURED:
    case GMCP_ERROR_UNKNOWN_TOOL:
    case GMCP_ERROR_AMBIGUOUS_TOOL:
    case GMCP_ERROR_TOOL_CHANGED:
      return CLI_EXIT_USAGE;

    case GMCP_ERROR_TIMED_OUT:
      return CLI_EXIT_TIMED_OUT;

    case GMCP_ERROR_NOT_PERMITTED:
    case GMCP_ERROR_INPUT_REFUSED:
      return CLI_EXIT_NOT_PERMITTED;

    case GMCP_ERROR_INVALID_JSON:
    case GMCP_ERROR_LIMIT_EXCEEDED:
    case GMCP_ERROR_NOT_SUPPORTED:
    case GMCP_ERROR_PROTOCOL:
    case GMCP_ERROR_TASK_ENDED:
      return CLI_EXIT_PROTOCOL;

    case GMCP_ERROR_FAILED:
    case GMCP_ERROR_CLOSED:
    case GMCP_ERROR_CALLED_ANEW:
    case GMCP_ERROR_NOT_RUNNING:
    case GMCP_ERROR_REQUIREMENT_MISSING:
    case GMCP_ERROR_SERVER_EXITED:
    case GMCP_ERROR_START_FAILED:
    default:
      return CLI_EXIT_UNREACHABLE;
    }
}

CliExit
cli_host_report (CliHost *self, const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) && self->lost_reader)
    return CLI_EXIT_OUTPUT;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_autofree char *late = g_strdup_printf (
        g_dngettext (NULL, "timed out after %u second (--timeout)",
                     "timed out after %u seconds (--timeout)", (gulong) self->timeout_seconds),
        (guint) self->timeout_seconds);

      cli_failure_tell (self->timed_out ? late : _ ("cancelled"));
      return CLI_EXIT_TIMED_OUT;
    }

  if (g_hash_table_add (self->told, g_strdup (error->message)))
    cli_failure_tell (error->message);
  if (error->domain == GMCP_RPC_ERROR)
    {
      g_autofree char *data = gmcp_rpc_error_dup_data_json (error);

      cli_failure_tell_details (error->code, data);
      return CLI_EXIT_PROTOCOL;
    }
  if (error->domain == GMCP_AUTH_ERROR)
    return CLI_EXIT_NOT_PERMITTED;
  /* That none is configured is in the error. */
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL) && cli_host_has_servers (self))
    cli_host_explain_no_servers (self);
  if (error->domain == GMCP_ERROR)
    return status_of_ours (error->code);
  if (error->domain == G_FILE_ERROR || error->domain == G_OPTION_ERROR
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY)
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    return CLI_EXIT_USAGE;
  return CLI_EXIT_UNREACHABLE;
}

CliExit
cli_host_report_shortly (CliHost *self, const GError *error)
{
  g_autofree char *message = cli_text_dup_first_paragraph (error->message);
  g_autoptr (GError) shortened = g_error_copy (error);

  g_free (shortened->message);
  shortened->message = g_steal_pointer (&message);
  return cli_host_report (self, shortened);
}

CliExit
cli_usage_error (const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  cli_failure_tell (message);
  return CLI_EXIT_USAGE;
}
