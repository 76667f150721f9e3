/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli-commands.h"
#include "cli-json.h"
#include "cli-questions.h"
#include "cli-server.h"
#include "cli-style.h"
#include "cli-text.h"

/* gmcp doctor: each step until a server can be used, how long it took, and what mends the one that fails. */

#define TITLE_COLUMNS 14

static const char *
get_nick (GType type, int value)
{
  g_autoptr (GEnumClass) values = g_type_class_ref (type);

  return g_enum_get_value (values, value)->value_nick;
}

/* A mark on a terminal, a word elsewhere. */
static void
print_mark (GmcpStepOutcome outcome)
{
  gboolean is_terminal = isatty (STDOUT_FILENO);

  fputs ("  ", stdout);
  if (outcome == GMCP_STEP_OUTCOME_FAILED)
    cli_style_print (CLI_STYLE_BAD, is_terminal ? "✗" : "failed");
  else
    cli_style_print (CLI_STYLE_GOOD, is_terminal ? "✓" : "ok    ");
}

static char *
describe_time (GmcpServerStep *step)
{
  gint64 us = gmcp_server_step_get_duration_us (step);

  return g_strdup_printf (us < 10000 ? "%.1f ms" : "%.0f ms", (double) us / 1000);
}

static void
print_step (GmcpServerStep *step)
{
  const char *title = gmcp_server_step_get_title (step);
  const char *detail = gmcp_server_step_get_detail (step);
  g_autofree char *time = describe_time (step);
  guint columns = cli_text_columns (title);

  print_mark (gmcp_server_step_get_outcome (step));
  printf (" %s%*s %10s", title, (int) (MAX (TITLE_COLUMNS, columns) - columns), "", time);
  if (detail != NULL)
    {
      guint room = MAX (cli_text_width (STDOUT_FILENO), 60) - 33;
      g_autofree char *line
        = cli_text_plain (detail, isatty (STDOUT_FILENO) ? room : G_MAXUINT / 2);

      printf ("  %s", line);
    }
  fputc ('\n', stdout);
}

static void
print_lines (const char *prefix, const char *text)
{
  g_autofree char *trimmed = g_strchomp (g_strdup (text));
  g_auto (GStrv) lines = g_strsplit (trimmed, "\n", -1);

  for (gsize i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *line = cli_text_plain (lines[i], G_MAXUINT / 2);

      printf ("%s%s\n", prefix, line);
    }
}

/* What the server printed last is in most errors of its end. */
static gboolean
tells_output (const GError *error, const char *output)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (output));
  const char *last = strrchr (trimmed, '\n');

  return strstr (error->message, last != NULL ? last + 1 : trimmed) != NULL;
}

static void
print_failure (GmcpServerReport *report)
{
  const GError *error = gmcp_server_report_get_error (report);
  const char *output = gmcp_server_report_get_output (report);
  const char *const *advice = gmcp_server_report_get_advice (report);

  print_lines ("    ", error->message);
  if (output != NULL && !tells_output (error, output))
    {
      printf ("    %s\n", _ ("The last that it printed to standard error:"));
      print_lines ("    | ", output);
    }
  if (advice[0] != NULL)
    printf ("  %s\n", _ ("What may help:"));
  for (gsize i = 0; advice[i] != NULL; i++)
    print_lines ("    ", advice[i]);
}

static void
print_report (GmcpServerReport *report)
{
  GListModel *steps = gmcp_server_report_get_steps (report);
  guint n = g_list_model_get_n_items (steps);

  cli_style_print (CLI_STYLE_BOLD, gmcp_server_report_get_server_id (report));
  fputc ('\n', stdout);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpServerStep) step = g_list_model_get_item (steps, i);

      /* What it did not come to says nothing. */
      if (gmcp_server_step_get_outcome (step) != GMCP_STEP_OUTCOME_SKIPPED)
        print_step (step);
    }
  if (gmcp_server_report_get_error (report) != NULL)
    print_failure (report);
  /* One after the other, as they come. */
  fflush (stdout);
}

static JsonNode *
describe_step (GmcpServerStep *step)
{
  g_autoptr (JsonObject) object = json_object_new ();

  json_object_set_string_member (
    object, "step", get_nick (GMCP_TYPE_SERVER_STEP_KIND, (int) gmcp_server_step_get_kind (step)));
  json_object_set_string_member (
    object, "outcome",
    get_nick (GMCP_TYPE_STEP_OUTCOME, (int) gmcp_server_step_get_outcome (step)));
  json_object_set_int_member (object, "durationUs", gmcp_server_step_get_duration_us (step));
  if (gmcp_server_step_get_detail (step) != NULL)
    json_object_set_string_member (object, "detail", gmcp_server_step_get_detail (step));
  return json_node_init_object (json_node_alloc (), object);
}

static JsonNode *
describe_report (GmcpServerReport *report)
{
  GListModel *steps = gmcp_server_report_get_steps (report);
  const char *const *advice = gmcp_server_report_get_advice (report);
  const GError *error = gmcp_server_report_get_error (report);
  g_autoptr (JsonObject) object = json_object_new ();
  JsonArray *step_array = json_array_new ();

  json_object_set_string_member (object, "server", gmcp_server_report_get_server_id (report));
  json_object_set_boolean_member (object, "works", error == NULL);
  for (guint i = 0; i < g_list_model_get_n_items (steps); i++)
    {
      g_autoptr (GmcpServerStep) step = g_list_model_get_item (steps, i);

      json_array_add_element (step_array, describe_step (step));
    }
  json_object_set_array_member (object, "steps", step_array);
  if (error != NULL)
    json_object_set_string_member (object, "error", error->message);
  if (gmcp_server_report_get_output (report) != NULL)
    json_object_set_string_member (object, "output", gmcp_server_report_get_output (report));
  json_object_set_member (object, "advice", cli_json_new_strings (advice));
  return json_node_init_object (json_node_alloc (), object);
}

/* What the step that failed stands for. */
static CliExit
get_status (GmcpServerReport *report)
{
  GListModel *steps = gmcp_server_report_get_steps (report);

  for (guint i = 0; i < g_list_model_get_n_items (steps); i++)
    {
      g_autoptr (GmcpServerStep) step = g_list_model_get_item (steps, i);

      if (gmcp_server_step_get_outcome (step) != GMCP_STEP_OUTCOME_FAILED)
        continue;
      if (gmcp_server_step_get_kind (step) == GMCP_SERVER_STEP_CONFIGURATION)
        return CLI_EXIT_USAGE;
      if (gmcp_server_step_get_kind (step) == GMCP_SERVER_STEP_SIGN_IN)
        return CLI_EXIT_NOT_PERMITTED;
    }
  return gmcp_server_report_get_error (report) != NULL ? CLI_EXIT_UNREACHABLE : CLI_EXIT_OK;
}

static GPtrArray *
begin_diagnoses (CliHost *host, GmcpManager *manager, GPtrArray *servers)
{
  GPtrArray *results = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_set_size (results, (int) servers->len);
  for (guint i = 0; i < servers->len; i++)
    gmcp_manager_diagnose_server_async (manager, gmcp_managed_server_get_id (servers->pdata[i]),
                                        host->cancellable, cli_store_result, &results->pdata[i]);
  return results;
}

/* Each as soon as it is there and those before it are told. */
static CliExit
diagnose_servers (CliHost *host, GmcpManager *manager, GPtrArray *servers)
{
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = cli_questions_new_for_start (host->providers);
  g_autoptr (GPtrArray) results = begin_diagnoses (host, manager, servers);
  g_autoptr (JsonArray) array = json_array_new ();
  g_autoptr (GError) cancelled = NULL;
  CliExit status = CLI_EXIT_OK;
  guint n_failed = 0;

  for (guint i = 0; i < servers->len; i++)
    {
      GAsyncResult *result = cli_wait ((GAsyncResult **) &results->pdata[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpServerReport) report
        = gmcp_manager_diagnose_server_finish (manager, result, &error);
      CliExit own;

      if (report == NULL && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        continue;
      own = report != NULL ? get_status (report) : cli_host_report (host, error);
      if (own != CLI_EXIT_OK)
        status = n_failed++ == 0 ? own : CLI_EXIT_UNREACHABLE;
      if (report != NULL && host->json)
        json_array_add_element (array, describe_report (report));
      else if (report != NULL)
        print_report (report);
    }

  if (host->json)
    cli_json_print_array (g_steal_pointer (&array));
  if (g_cancellable_set_error_if_cancelled (host->cancellable, &cancelled))
    return cli_host_report (host, cancelled);
  if (!host->json && servers->len > 1)
    /* Translators: two numbers */
    g_print (_ ("%u of %u servers work.\n"), servers->len - n_failed, servers->len);
  return status;
}

static CliExit
examine_servers (CliHost *host, int argc, char *argv[])
{
  GmcpManager *manager = cli_host_get_manager (host);
  g_autoptr (GPtrArray) servers = NULL;
  CliExit status;

  if (manager == NULL)
    return cli_usage_error (_ ("doctor: the manager of another maker is in use"));
  status = cli_server_load_config (host, manager);
  if (status != CLI_EXIT_OK)
    return status;

  servers = argc > 1 ? g_ptr_array_new_with_free_func (g_object_unref)
                     : cli_server_list_unattended (manager);
  for (int i = 1; i < argc; i++)
    {
      GmcpManagedServer *server = gmcp_manager_get_server (manager, argv[i]);

      if (server == NULL)
        return cli_server_report_unknown (host, argv[i]);
      g_ptr_array_add (servers, g_object_ref (server));
    }
  if (servers->len == 0)
    cli_host_explain_no_servers (host);

  status = diagnose_servers (host, manager, servers);
  return status == CLI_EXIT_OK && host->config_is_broken ? CLI_EXIT_USAGE : status;
}

static CliExit
run_doctor (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  CliExit status = cli_host_open (host);

  return status == CLI_EXIT_OK ? examine_servers (host, argc, argv) : status;
}

const CliCommand cli_doctor_command = {
  .name = "doctor",
  .group = CLI_COMMAND_GROUP_RUN,
  .summary = N_ ("Find out why a server does not work, and what mends it"),
  .synopsis = N_ ("[SERVER…]"),
  .description = N_ (
    "Each server is taken through all steps until it can be used: its configuration, its program, the "
    "start, the\nera of its protocol, the handshake, the list of its tools, a health check, the "
    "sign-in. Without a name all are\nlooked at side by side that are enabled and not started by hand "
    "only."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .run = run_doctor,
};
