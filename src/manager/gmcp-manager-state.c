/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-approval-file-private.h"
#include "gmcp-local-file-private.h"
#include "gmcp-given-names-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-manager-closing-private.h"
#include "gmcp-manager-making-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-server-outcomes-private.h"
#include "gmcp-started-commands-private.h"
#include "gmcp-unlisted-servers-private.h"

/* What was decided in earlier runs, kept in files that are read with the configuration. */

static gboolean
take_approvals (gpointer owner, GBytes *bytes, GError **error)
{
  if (!gmcp_approvals_take (gmcp_manager_get_approvals (owner), bytes, error))
    return FALSE;

  gmcp_tool_catalog_refresh_rules (gmcp_manager_get_catalog (owner));
  return TRUE;
}

static const char *
describe_lost_approvals (gpointer owner)
{
  return gmcp_approvals_describe_loss (gmcp_manager_get_approvals (owner));
}

static gboolean
take_pins (gpointer owner, GBytes *bytes, GError **error)
{
  return gmcp_tool_catalog_take_pins (gmcp_manager_get_catalog (owner), bytes, error);
}

static const char *
describe_lost_pins (gpointer owner)
{
  return gmcp_pin_store_describe_loss (gmcp_manager_get_pin_store (owner));
}

static gboolean
take_started (gpointer owner, GBytes *bytes, GError **error)
{
  return gmcp_started_commands_take (gmcp_manager_get_started_commands (owner), bytes, error);
}

static const char *
describe_lost_started (gpointer owner)
{
  return _ ("each program that is started is told of again: mend the file, or remove it");
}

static gboolean
take_names (gpointer owner, GBytes *bytes, GError **error)
{
  return gmcp_tool_catalog_take_names (gmcp_manager_get_catalog (owner), bytes, error);
}

static const char *
describe_lost_names (gpointer owner)
{
  return _ ("no tool gets a name without its server’s that has none yet: mend the file, or remove "
            "it, after which such names are given anew");
}

static gboolean
take_outcomes (gpointer owner, GBytes *bytes, GError **error)
{
  gmcp_unlisted_servers_take_outcomes (gmcp_manager_get_unlisted_servers (owner), bytes);
  return TRUE;
}

static void
warn_owner (gpointer owner, const char *message)
{
  gmcp_manager_notice (owner, NULL, GMCP_NOTICE_LEVEL_WARNING, message);
}

static void
settle_closers (gpointer owner)
{
  gmcp_manager_settle_closers (owner);
}

GmcpStateStore *
gmcp_manager_make_state_store (GmcpManager *self)
{
  static const GmcpStateKind kinds[] = {
    { GMCP_CALL_ANSWERS_FILE, TRUE, take_approvals, describe_lost_approvals },
    { GMCP_TOOL_PINS_FILE, TRUE, take_pins, describe_lost_pins },
    { GMCP_STARTED_COMMANDS_FILE, FALSE, take_started, describe_lost_started },
    { GMCP_GIVEN_NAMES_FILE, TRUE, take_names, describe_lost_names },
    { GMCP_SERVER_OUTCOMES_FILE, FALSE, take_outcomes, NULL },
  };
  static const GmcpStateStoreFuncs funcs = { warn_owner, settle_closers };

  return gmcp_state_store_new (G_OBJECT (self), gmcp_manager_get_main_context (self), kinds,
                               G_N_ELEMENTS (kinds), &funcs);
}

/**
 * gmcp_manager_get_state_directory:
 * @self: a manager
 *
 * Gives the folder in which it is kept what was decided.
 *
 * Returns: (transfer none) (nullable): the folder; %NULL for `gmcp` in `$XDG_STATE_HOME`
 *
 * Since: 0.1
 */
GFile *
gmcp_manager_get_state_directory (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  return gmcp_state_store_get_folder (gmcp_manager_get_state_store (self));
}

/**
 * gmcp_manager_set_state_directory:
 * @self: a manager
 * @state_directory: (nullable): a local folder; %NULL for `gmcp` in `$XDG_STATE_HOME`
 *
 * Sets the folder in which it is kept what was decided: `allowed-calls.json` holds the calls that were
 * allowed for good, `tool-pins.json` what tools were when they were approved, `trusted-folders.json` the
 * folders that are trusted, and `work` the folders that servers run in. To be set before the configuration is first read.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_state_directory (GmcpManager *self, GFile *state_directory)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (gmcp_file_is_local_or_null (state_directory));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_state_store_set_folder (gmcp_manager_get_state_store (self), state_directory))
    g_object_notify (G_OBJECT (self), "state-directory");
}
