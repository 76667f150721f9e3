/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-diagnosis-private.h"
#include "gmcp-managed-server-parts-private.h"
#include "gmcp-managed-server-statistics-private.h"
#include "gmcp-server-advice-private.h"
#include "gmcp-server-program-private.h"
#include "gmcp-server-report-private.h"
#include "gmcp-server-step-private.h"

#include <gmcp/core/gmcp-error.h>

/* How the last start of a server went, step by step, as a report for people. */

#define MODERN_SINCE "2026-07-28"

static gboolean
is_remote (GmcpManagedServer *self)
{
  return gmcp_server_config_get_url (gmcp_managed_server_get_config (self)) != NULL;
}

static char *
describe_configuration (GmcpManagedServer *self)
{
  GmcpServerConfig *config = gmcp_managed_server_get_config (self);
  const char *url = gmcp_server_config_get_url (config);

  return gmcp_managed_server_redact (
    self, url != NULL ? g_strdup (url) : gmcp_server_config_dup_command_text (config));
}

/* Where the program is, seen with this program's PATH; NULL where another PATH is needed to find it. */
static char *
describe_program (GmcpManagedServer *self)
{
  GmcpServerConfig *config = gmcp_managed_server_get_config (self);

  return gmcp_server_program_find (config, gmcp_server_program_get_path (config));
}

static char *
describe_connection (GmcpManagedServer *self)
{
  int pid = gmcp_managed_server_get_pid (self);

  return pid > 0 ? g_strdup_printf (_ ("PID %d"), pid) : NULL;
}

static char *
describe_era (GmcpManagedServer *self)
{
  const char *version = gmcp_managed_server_get_protocol_version (self);

  if (version == NULL)
    return NULL;
  return g_strdup (g_strcmp0 (version, MODERN_SINCE) >= 0 ? "modern" : "legacy");
}

static char *
describe_handshake (GmcpManagedServer *self)
{
  const char *version = gmcp_managed_server_get_protocol_version (self);
  GmcpImplementation *info = gmcp_managed_server_get_server_info (self);

  if (version == NULL)
    return NULL;
  if (info == NULL)
    return g_strdup_printf ("MCP %s", version);
  return g_strdup_printf (
    "MCP %s, %s %s", version, gmcp_implementation_get_name (info),
    gmcp_implementation_get_version (info) != NULL ? gmcp_implementation_get_version (info) : "");
}

static char *
describe_list (GmcpManagedServer *self)
{
  guint n_tools = gmcp_managed_server_get_tools_count (self);

  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u tool", "%u tools", n_tools), n_tools);
}

static char *
describe_health (GmcpManagedServer *self)
{
  GmcpServerConfig *config = gmcp_managed_server_get_config (self);

  switch (gmcp_server_config_get_health_method (config))
    {
    case GMCP_HEALTH_METHOD_TOOL_CALL:
      return g_strdup (gmcp_server_config_get_health_tool (config));
    case GMCP_HEALTH_METHOD_PROCESS:
      return g_strdup ("process");
    case GMCP_HEALTH_METHOD_PING:
    default:
      return g_strdup ("ping");
    }
}

static char *
describe_sign_in (GmcpManagedServer *self)
{
  return g_strdup (_ ("none is asked for"));
}

typedef char *(*DescribeFunc) (GmcpManagedServer *self);

static const DescribeFunc describe_funcs[] = {
  [GMCP_SERVER_STEP_CONFIGURATION] = describe_configuration,
  [GMCP_SERVER_STEP_PROGRAM] = describe_program,
  [GMCP_SERVER_STEP_CONNECTION] = describe_connection,
  [GMCP_SERVER_STEP_ERA] = describe_era,
  [GMCP_SERVER_STEP_HANDSHAKE] = describe_handshake,
  [GMCP_SERVER_STEP_LIST] = describe_list,
  [GMCP_SERVER_STEP_HEALTH] = describe_health,
  [GMCP_SERVER_STEP_SIGN_IN] = describe_sign_in,
};

/* What was looked for, run or asked where that step failed; the error says what came of it. */

static char *
name_program (GmcpManagedServer *self)
{
  const char *const *argv = gmcp_server_config_get_argv (gmcp_managed_server_get_config (self));

  return argv != NULL ? g_strdup (argv[0]) : NULL;
}

static char *
name_connection (GmcpManagedServer *self)
{
  return is_remote (self) ? describe_configuration (self) : describe_program (self);
}

static char *
name_probe (GmcpManagedServer *self)
{
  return g_strdup ("server/discover");
}

static char *
name_handshake (GmcpManagedServer *self)
{
  return g_strdup ("initialize");
}

static char *
name_list (GmcpManagedServer *self)
{
  return g_strdup ("tools/list");
}

static const DescribeFunc name_funcs[] = {
  [GMCP_SERVER_STEP_CONFIGURATION] = describe_configuration,
  [GMCP_SERVER_STEP_PROGRAM] = name_program,
  [GMCP_SERVER_STEP_CONNECTION] = name_connection,
  [GMCP_SERVER_STEP_ERA] = name_probe,
  [GMCP_SERVER_STEP_HANDSHAKE] = name_handshake,
  [GMCP_SERVER_STEP_LIST] = name_list,
  [GMCP_SERVER_STEP_HEALTH] = describe_health,
  [GMCP_SERVER_STEP_SIGN_IN] = describe_configuration,
};

static char *
describe_step (GmcpManagedServer *self, guint kind, GmcpStepOutcome outcome)
{
  if (outcome == GMCP_STEP_OUTCOME_SKIPPED)
    return NULL;
  return outcome == GMCP_STEP_OUTCOME_PASSED ? describe_funcs[kind](self) : name_funcs[kind](self);
}

static GmcpStepOutcome
get_outcome (GmcpStartTrace *trace, GmcpServerStepKind kind)
{
  /* Where nobody has to sign in there was nothing to be done for it. */
  if (kind == GMCP_SERVER_STEP_SIGN_IN && !gmcp_start_trace_has_failed (trace))
    return GMCP_STEP_OUTCOME_PASSED;

  return gmcp_start_trace_get_outcome (trace, kind);
}

static GListStore *
make_steps (GmcpManagedServer *self, GmcpStartTrace *trace)
{
  GListStore *steps = g_list_store_new (GMCP_TYPE_SERVER_STEP);
  GmcpServerStepKind left_out
    = is_remote (self) ? GMCP_SERVER_STEP_PROGRAM : GMCP_SERVER_STEP_SIGN_IN;

  for (guint kind = 0; kind < G_N_ELEMENTS (describe_funcs); kind++)
    {
      GmcpStepOutcome outcome = get_outcome (trace, kind);
      g_autoptr (GmcpServerStep) step = NULL;

      if (kind == left_out && outcome != GMCP_STEP_OUTCOME_FAILED)
        continue;
      step = gmcp_server_step_new (kind, is_remote (self), outcome,
                                   gmcp_start_trace_get_duration_us (trace, kind),
                                   describe_step (self, kind, outcome));
      g_list_store_append (steps, step);
    }
  return steps;
}

static GStrv
find_advice (GmcpManagedServer *self, GmcpStartTrace *trace)
{
  const GmcpServerHost *host = gmcp_managed_server_get_host (self);
  g_autofree char *words = NULL;

  if (!gmcp_start_trace_has_failed (trace))
    return NULL;

  words = gmcp_server_host_dup_start_words (host, gmcp_managed_server_get_id (self));
  return gmcp_server_advice_find (gmcp_managed_server_get_config (self),
                                  gmcp_start_trace_get_failed (trace), words);
}

GmcpServerReport *
gmcp_managed_server_report_start (GmcpManagedServer *self, const GError *error)
{
  GmcpStartTrace *last = gmcp_server_life_get_trace (gmcp_managed_server_get_life (self));
  g_autoptr (GmcpStartTrace) trace = last != NULL ? gmcp_start_trace_ref (last) : NULL;

  /* What kept it from being tried is in the configuration. */
  if (trace == NULL || (error != NULL && !gmcp_start_trace_has_failed (trace)))
    {
      g_clear_pointer (&trace, gmcp_start_trace_unref);
      trace = gmcp_start_trace_new ();
      if (error != NULL)
        gmcp_start_trace_fail (trace, error, NULL);
    }

  return gmcp_server_report_new_diagnosis (
    gmcp_managed_server_get_id (self), error != NULL ? g_error_copy (error) : NULL,
    make_steps (self, trace), find_advice (self, trace), gmcp_start_trace_get_output (trace));
}

void
gmcp_managed_server_begin_check_step (GmcpManagedServer *self)
{
  GmcpStartTrace *trace = gmcp_server_life_get_trace (gmcp_managed_server_get_life (self));

  if (trace != NULL)
    gmcp_start_trace_begin (trace, GMCP_SERVER_STEP_HEALTH);
}

void
gmcp_managed_server_end_check_step (GmcpManagedServer *self, gboolean passed)
{
  GmcpStartTrace *trace = gmcp_server_life_get_trace (gmcp_managed_server_get_life (self));

  if (trace == NULL)
    return;
  if (passed)
    gmcp_start_trace_end (trace, GMCP_SERVER_STEP_HEALTH);
  else
    gmcp_start_trace_fail_at (trace, GMCP_SERVER_STEP_HEALTH);
}
