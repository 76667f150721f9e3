/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-state.h"

#include <glib/gi18n.h>

#include "cli-server.h"
#include "cli-text.h"
#include "cli-time.h"

/* One that cannot be started as it is configured has failed, whether or not anybody tried. */
static GmcpServerState
get_state (GmcpManagedServer *server)
{
  GmcpServerConfig *config = gmcp_managed_server_get_config (server);

  return gmcp_server_config_is_enabled (config) && !gmcp_server_config_validate (config, NULL)
           ? GMCP_SERVER_STATE_FAILED
           : gmcp_managed_server_get_last_state (server);
}

const char *
cli_state_get_word (GmcpManagedServer *server)
{
  return cli_state_get_word_of (get_state (server),
                                gmcp_managed_server_get_start (server) == GMCP_SERVER_START_MANUAL);
}

const char *
cli_state_get_word_of (GmcpServerState state, gboolean is_manual)
{
  switch (state)
    {
    case GMCP_SERVER_STATE_READY:
    case GMCP_SERVER_STATE_DEGRADED:
    case GMCP_SERVER_STATE_UNHEALTHY:
      if (is_manual)
        /* Translators: a server that somebody has started by hand and that runs */
        return _ ("Manual");
      return _ ("Running");
    case GMCP_SERVER_STATE_STARTING:
    case GMCP_SERVER_STATE_INSTALLING:
      return _ ("Starting");
    case GMCP_SERVER_STATE_NEEDS_SIGN_IN:
      return _ ("Needs sign-in");
    case GMCP_SERVER_STATE_FAILED:
    case GMCP_SERVER_STATE_BACKING_OFF:
      return _ ("Failed");
    case GMCP_SERVER_STATE_DISABLED:
      return _ ("Disabled");
    case GMCP_SERVER_STATE_STOPPED:
    case GMCP_SERVER_STATE_STOPPING:
    default:
      return _ ("Stopped");
    }
}

CliStyle
cli_state_get_style (GmcpManagedServer *server)
{
  return cli_state_get_style_of (get_state (server));
}

CliStyle
cli_state_get_style_of (GmcpServerState state)
{
  switch (state)
    {
    case GMCP_SERVER_STATE_READY:
      return CLI_STYLE_GOOD;
    case GMCP_SERVER_STATE_STARTING:
    case GMCP_SERVER_STATE_INSTALLING:
    case GMCP_SERVER_STATE_DEGRADED:
    case GMCP_SERVER_STATE_NEEDS_SIGN_IN:
      return CLI_STYLE_WARNING;
    case GMCP_SERVER_STATE_FAILED:
    case GMCP_SERVER_STATE_BACKING_OFF:
    case GMCP_SERVER_STATE_UNHEALTHY:
      return CLI_STYLE_BAD;
    case GMCP_SERVER_STATE_DISABLED:
    case GMCP_SERVER_STATE_STOPPED:
    case GMCP_SERVER_STATE_STOPPING:
    default:
      return CLI_STYLE_DIM;
    }
}

/* Of a server that does not run. */
static char *
describe_last_time (GmcpManagedServer *server)
{
  g_autoptr (GDateTime) failed_at = gmcp_managed_server_dup_last_failure_at (server);
  g_autoptr (GDateTime) ready_at = gmcp_managed_server_dup_last_ready_at (server);
  g_autofree char *age = NULL;

  if (!gmcp_server_config_validate (gmcp_managed_server_get_config (server), NULL))
    return g_strdup (_ ("misconfigured"));
  if (failed_at == NULL && ready_at == NULL)
    return g_strdup (_ ("never tried"));

  age = cli_time_describe_age (failed_at != NULL ? failed_at : ready_at);
  /* Translators: how long ago a server failed, or was seen to work; as in “5 minutes ago” */
  return g_strdup_printf (failed_at != NULL ? _ ("failed %s") : _ ("worked %s"), age);
}

const char *
cli_state_get_health_of (GmcpServerState state)
{
  switch (state)
    {
    case GMCP_SERVER_STATE_READY:
      return _ ("healthy");
    case GMCP_SERVER_STATE_DEGRADED:
      return _ ("unsure");
    case GMCP_SERVER_STATE_UNHEALTHY:
      return _ ("unhealthy");
    case GMCP_SERVER_STATE_INSTALLING:
      return _ ("is being installed");
    case GMCP_SERVER_STATE_STARTING:
      return _ ("no answer yet");
    case GMCP_SERVER_STATE_DISABLED:
    default:
      return "–";
    }
}

char *
cli_state_describe_health (GmcpManagedServer *server)
{
  GmcpServerState state = gmcp_managed_server_get_state (server);

  switch (state)
    {
    case GMCP_SERVER_STATE_READY:
    case GMCP_SERVER_STATE_DEGRADED:
    case GMCP_SERVER_STATE_UNHEALTHY:
    case GMCP_SERVER_STATE_INSTALLING:
    case GMCP_SERVER_STATE_STARTING:
    case GMCP_SERVER_STATE_DISABLED:
      return g_strdup (cli_state_get_health_of (state));
    default:
      return describe_last_time (server);
    }
}

char *
cli_state_dup_tools (GmcpManagedServer *server)
{
  g_autoptr (GDateTime) ready_at = gmcp_managed_server_dup_last_ready_at (server);

  return ready_at != NULL
           ? g_strdup_printf ("%u", gmcp_managed_server_get_last_tools_count (server))
           : NULL;
}

char *
cli_state_dup_problem (GmcpManagedServer *server)
{
  const GError *error = gmcp_managed_server_get_last_error (server);
  const char *failure = gmcp_managed_server_get_last_failure (server);
  g_autoptr (GDateTime) at = gmcp_managed_server_dup_last_failure_at (server);
  g_autoptr (GError) misconfigured = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *age = NULL;

  if (gmcp_managed_server_get_state (server) == GMCP_SERVER_STATE_DISABLED)
    return NULL;
  if (!gmcp_server_config_validate (gmcp_managed_server_get_config (server), &misconfigured))
    return g_strdup (misconfigured->message);
  if (error != NULL)
    return cli_text_dup_first_paragraph (error->message);
  if (failure == NULL || at == NULL)
    return NULL;

  shown = cli_text_dup_first_paragraph (failure);
  age = cli_time_describe_age (at);
  /* Translators: an error message, and how long ago it was */
  return g_strdup_printf (_ ("%s (%s)"), shown, age);
}

/* The session daemon has servers of its own configuration. */
static const char *
get_helpful_command (GmcpManagedServer *server, gboolean has_own_file)
{
  switch (get_state (server))
    {
    case GMCP_SERVER_STATE_DISABLED:
      return "enable";
    case GMCP_SERVER_STATE_STARTING:
    case GMCP_SERVER_STATE_BACKING_OFF:
    case GMCP_SERVER_STATE_FAILED:
    case GMCP_SERVER_STATE_NEEDS_SIGN_IN:
      return "doctor";
    case GMCP_SERVER_STATE_DEGRADED:
    case GMCP_SERVER_STATE_UNHEALTHY:
      return "logs";
    case GMCP_SERVER_STATE_STOPPED:
    case GMCP_SERVER_STATE_STOPPING:
      if (gmcp_managed_server_get_start (server) != GMCP_SERVER_START_MANUAL)
        return NULL;
      return has_own_file ? "start --foreground" : "start";
    case GMCP_SERVER_STATE_READY:
    case GMCP_SERVER_STATE_INSTALLING:
    default:
      return NULL;
    }
}

char *
cli_state_dup_help (CliHost *host, GmcpManagedServer *server)
{
  const char *command = get_helpful_command (server, host->config_file != NULL);
  g_autofree char *words = cli_server_dup_words (host, gmcp_managed_server_get_id (server));

  return command != NULL ? g_strdup_printf ("gmcp %s %s", command, words) : NULL;
}
