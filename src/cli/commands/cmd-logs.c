/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <stdio.h>

#include "cli-commands.h"
#include "cli-daemon.h"
#include "cli-json.h"
#include "cli-server.h"
#include "cli-style.h"
#include "cli-text.h"
#include "cli-time.h"

#include <gmcp/audit/gmcp-log-reader.h>

/* gmcp logs: what servers wrote, and what became of them. */

#define DEFAULT_LINES 50

typedef struct
{
  int n_lines; /* -1 for as many as there are to be */
  char *since;
  char *level;
  gboolean follow;
} Options;

typedef struct
{
  CliHost *host;
  GPtrArray *readers; /* of GmcpLogReader */
  GDateTime *since;
  gboolean has_level;
  GmcpNoticeLevel level;
  gboolean follow;
  guint limit;         /* 0 for none */
  gboolean has_change; /* since the last reading */
} Logs;

static void
logs_clear (Logs *self)
{
  g_ptr_array_unref (self->readers);
  g_clear_pointer (&self->since, g_date_time_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Logs, logs_clear)

/* How much matters what the manager says; what a server prints has no such level. */
static gboolean
is_wanted (Logs *self, GmcpLogEntry *entry)
{
  return !self->has_level
         || (gmcp_log_entry_get_origin (entry) == GMCP_LOG_ORIGIN_MANAGER
             && gmcp_log_entry_get_level (entry) >= self->level);
}

static const char *
get_nick (GType type, int value)
{
  g_autoptr (GEnumClass) klass = g_type_class_ref (type);

  return g_enum_get_value (klass, value)->value_nick;
}

/* What a line begins with: where it is from, or how much it matters. */
static const char *
get_mark (GmcpLogEntry *entry)
{
  GmcpLogOrigin origin = gmcp_log_entry_get_origin (entry);

  return origin == GMCP_LOG_ORIGIN_MANAGER
           ? get_nick (GMCP_TYPE_NOTICE_LEVEL, (int) gmcp_log_entry_get_level (entry))
           : get_nick (GMCP_TYPE_LOG_ORIGIN, (int) origin);
}

static CliStyle
get_style (GmcpLogEntry *entry)
{
  if (gmcp_log_entry_get_origin (entry) != GMCP_LOG_ORIGIN_MANAGER)
    return CLI_STYLE_DIM;
  switch (gmcp_log_entry_get_level (entry))
    {
    case GMCP_NOTICE_LEVEL_ERROR:
      return CLI_STYLE_BAD;
    case GMCP_NOTICE_LEVEL_WARNING:
      return CLI_STYLE_WARNING;
    case GMCP_NOTICE_LEVEL_INFO:
    default:
      return CLI_STYLE_PLAIN;
    }
}

static void
print_entry (Logs *self, GmcpLogEntry *entry)
{
  g_autofree char *time = cli_time_format (gmcp_log_entry_get_time (entry));
  g_autofree char *mark = g_strdup_printf ("%-7s", get_mark (entry));
  g_autofree char *server = self->readers->len > 1
                              ? g_strdup_printf ("%s  ", gmcp_log_entry_get_server_id (entry))
                              : g_strdup ("");
  g_autofree char *text = cli_text_plain (gmcp_log_entry_get_text (entry), G_MAXUINT16);

  printf ("%s  ", time);
  cli_style_print (get_style (entry), mark);
  printf ("  %s", server);
  cli_style_print (CLI_STYLE_PLAIN, text);
  fputc ('\n', stdout);
}

static JsonNode *
describe_entry (GmcpLogEntry *entry)
{
  GDateTime *time = gmcp_log_entry_get_time (entry);
  g_autofree char *text = time != NULL ? g_date_time_format_iso8601 (time) : NULL;
  JsonObject *object = json_object_new ();
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  if (text != NULL)
    json_object_set_string_member (object, "time", text);
  json_object_set_string_member (object, "server", gmcp_log_entry_get_server_id (entry));
  json_object_set_string_member (
    object, "origin", get_nick (GMCP_TYPE_LOG_ORIGIN, (int) gmcp_log_entry_get_origin (entry)));
  if (gmcp_log_entry_get_origin (entry) == GMCP_LOG_ORIGIN_MANAGER)
    json_object_set_string_member (
      object, "level", get_nick (GMCP_TYPE_NOTICE_LEVEL, (int) gmcp_log_entry_get_level (entry)));
  json_object_set_string_member (object, "text", gmcp_log_entry_get_text (entry));
  json_node_take_object (node, object);
  return node;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  GDateTime *first = gmcp_log_entry_get_time (*(GmcpLogEntry *const *) a);
  GDateTime *second = gmcp_log_entry_get_time (*(GmcpLogEntry *const *) b);

  if (first == NULL || second == NULL)
    return (first != NULL) - (second != NULL);
  return g_date_time_compare (first, second);
}

/* An object a line where more may follow. */
static void
print_entries (Logs *self, GPtrArray *entries)
{
  guint from = self->limit > 0 && entries->len > self->limit ? entries->len - self->limit : 0;
  JsonArray *array;

  if (!self->host->json)
    {
      for (guint i = from; i < entries->len; i++)
        print_entry (self, g_ptr_array_index (entries, i));
      return;
    }
  if (!self->follow)
    {
      array = json_array_new ();
      for (guint i = from; i < entries->len; i++)
        json_array_add_element (array, describe_entry (g_ptr_array_index (entries, i)));
      cli_json_print_array (array);
      return;
    }
  for (guint i = from; i < entries->len; i++)
    {
      g_autoptr (JsonNode) node = describe_entry (g_ptr_array_index (entries, i));

      cli_json_print_node (node);
    }
}

static GPtrArray *
read_one (Logs *self, GmcpLogReader *reader, gboolean only_new, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  if (only_new)
    {
      gmcp_log_reader_read_new_async (reader, self->host->cancellable, cli_store_result, &result);
      return gmcp_log_reader_read_new_finish (reader, cli_wait (&result), error);
    }
  /* Of a level there may be few lines. */
  gmcp_log_reader_read_async (reader, self->since, self->has_level ? 0 : self->limit,
                              self->host->cancellable, cli_store_result, &result);
  return gmcp_log_reader_read_finish (reader, cli_wait (&result), error);
}

/* Those of all logs, the oldest first; NULL with an error where one cannot be read. */
static GPtrArray *
read_all (Logs *self, gboolean only_new, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->readers->len; i++)
    {
      g_autoptr (GPtrArray) entries
        = read_one (self, g_ptr_array_index (self->readers, i), only_new, error);

      if (entries == NULL)
        return NULL;
      for (guint k = 0; k < entries->len; k++)
        {
          if (is_wanted (self, g_ptr_array_index (entries, k)))
            g_ptr_array_add (all, g_object_ref (g_ptr_array_index (entries, k)));
        }
    }
  g_ptr_array_sort (all, compare_times);
  return g_steal_pointer (&all);
}

static void
on_changed (Logs *self)
{
  self->has_change = TRUE;
}

/* Until Ctrl-C, or until nobody reads it. */
static CliExit
follow_logs (Logs *self)
{
  self->limit = 0;
  cli_host_end_with_reader (self->host);
  while (!g_cancellable_is_cancelled (self->host->cancellable))
    {
      g_autoptr (GPtrArray) entries = NULL;
      g_autoptr (GError) error = NULL;

      if (!self->has_change)
        {
          g_main_context_iteration (NULL, TRUE);
          continue;
        }
      self->has_change = FALSE;
      entries = read_all (self, TRUE, &error);
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        break;
      if (entries == NULL)
        return cli_host_report (self->host, error);
      print_entries (self, entries);
      if (fflush (stdout) != 0)
        return CLI_EXIT_OUTPUT;
    }
  return CLI_EXIT_OK;
}

static void
explain_nothing (Logs *self)
{
  for (guint i = 0; i < self->readers->len; i++)
    {
      g_autofree char *path
        = g_file_get_parse_name (gmcp_log_reader_get_file (g_ptr_array_index (self->readers, i)));

      if (self->since != NULL || self->has_level)
        g_printerr (_ ("Nothing of that kind has been written to %s\n"), path);
      else
        g_printerr (_ ("Nothing has been written to %s\n"), path);
    }
}

static CliExit
print_logs (Logs *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = read_all (self, FALSE, &error);

  if (entries == NULL)
    return cli_host_report (self->host, error);
  if (entries->len == 0)
    explain_nothing (self);
  if (entries->len > 0 || (self->host->json && !self->follow))
    print_entries (self, entries);
  if (!self->follow)
    return CLI_EXIT_OK;
  fflush (stdout);
  /* What came in between is read with the first change, or now. */
  self->has_change = TRUE;
  return follow_logs (self);
}

static void
add_server (Logs *self, GmcpManagedServer *server)
{
  g_autoptr (GFile) file = gmcp_managed_server_dup_log_file (server);
  GmcpLogReader *reader
    = file != NULL ? gmcp_log_reader_new (gmcp_managed_server_get_id (server), file) : NULL;

  if (reader == NULL)
    return;
  g_signal_connect_swapped (reader, "changed", G_CALLBACK (on_changed), self);
  g_ptr_array_add (self->readers, reader);
}

static CliExit
find_servers (Logs *self, int argc, char *argv[])
{
  GmcpManager *manager = cli_host_get_manager (self->host);
  CliExit status = CLI_EXIT_OK;
  guint n;

  for (int i = 1; i < argc && status == CLI_EXIT_OK; i++)
    {
      GmcpManagedServer *server = NULL;

      status = cli_server_find (self->host, argv[i], &server);
      if (status == CLI_EXIT_OK)
        add_server (self, server);
    }
  if (argc > 1 || manager == NULL)
    return status;

  status = cli_server_load_config (self->host, manager);
  n = g_list_model_get_n_items (G_LIST_MODEL (manager));
  for (guint i = 0; i < n && status == CLI_EXIT_OK; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);

      add_server (self, server);
    }
  if (status == CLI_EXIT_OK && n == 0)
    cli_host_explain_no_servers (self->host);
  return status;
}

static CliExit
read_options (Logs *self, const Options *options)
{
  g_autoptr (GEnumClass) levels = g_type_class_ref (GMCP_TYPE_NOTICE_LEVEL);
  GEnumValue *level
    = options->level != NULL ? g_enum_get_value_by_nick (levels, options->level) : NULL;
  g_autoptr (GError) error = NULL;

  if (options->n_lines < -1 || options->n_lines == 0)
    return cli_usage_error (_ ("logs: --lines has to be at least 1"));
  if (options->level != NULL && level == NULL)
    return cli_usage_error (_ ("logs: --level is info, warning or error, not “%s”"),
                            options->level);
  if (options->since != NULL)
    {
      self->since = cli_time_parse_since (options->since, &error);
      if (self->since == NULL)
        return cli_usage_error ("logs: --since: %s", error->message);
    }
  self->has_level = level != NULL;
  if (level != NULL)
    self->level = (GmcpNoticeLevel) level->value;
  self->follow = options->follow;
  if (options->n_lines > 0)
    self->limit = (guint) options->n_lines;
  else
    self->limit = self->since != NULL ? 0 : DEFAULT_LINES;
  return CLI_EXIT_OK;
}

static CliExit
run_logs (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  g_auto (Logs) logs = { .host = host, .readers = g_ptr_array_new_with_free_func (g_object_unref) };
  CliExit status = read_options (&logs, data);
  g_autoptr (CliDaemon) daemon = NULL;

  if (status == CLI_EXIT_OK)
    status = cli_host_open (host);
  /* Who follows waits for what servers write; those of the session are the daemon's. */
  if (status == CLI_EXIT_OK && logs.follow)
    daemon = cli_daemon_bring_up (host);
  if (status == CLI_EXIT_OK)
    status = find_servers (&logs, argc, argv);
  return status == CLI_EXIT_OK && logs.readers->len > 0 ? print_logs (&logs) : status;
}

static const GOptionEntry logs_entries[] = {
  { "lines", 'n', 0, G_OPTION_ARG_INT, CLI_OFFSET (Options, n_lines),
    N_ ("How many lines, the newest ones"), N_ ("NUMBER") },
  { "since", 0, 0, G_OPTION_ARG_STRING, CLI_OFFSET (Options, since),
    N_ ("From this time on: 10m, 2h, 09:00, 2026-11-23"), N_ ("TIME") },
  { "level", 0, 0, G_OPTION_ARG_STRING, CLI_OFFSET (Options, level),
    N_ ("Only what became of servers, from this level on: info, warning or error"), N_ ("LEVEL") },
  { "follow", 'f', 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, follow),
    N_ ("Go on as more is written, until Ctrl-C"), NULL },
  { NULL },
};

static const Options logs_defaults = { .n_lines = -1 };

const CliCommand cli_logs_command = {
  .name = "logs",
  .group = CLI_COMMAND_GROUP_RUN,
  .summary = N_ ("Print what servers wrote, and what became of them"),
  .synopsis = N_ ("[SERVER…]"),
  .description = N_ ("Without a SERVER it prints the logs of all, by their times, which are those "
                     "of where you are.\nBehind the time stands “stderr” or “stdout” for what the "
                     "server printed, else a level."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_CONFIG,
  .entries = logs_entries,
  .options_size = sizeof (Options),
  .defaults = &logs_defaults,
  .run = run_logs,
};
