/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "gmcpd-options.h"

void
gmcpd_options_free (GmcpdOptions *self)
{
  g_clear_object (&self->config_file);
  g_free (self->tools_role);
  g_free (self->gateway_role);
  g_free (self);
}

static gboolean
is_port (int number, const char *option, GError **error)
{
  if (number == GMCPD_PORT_NOT_GIVEN || (number >= -1 && number <= G_MAXUINT16))
    return TRUE;

  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               _ ("%s: a port is a number from 0 to 65535, or -1 for none"), option);
  return FALSE;
}

GmcpdOptions *
gmcpd_options_new_from_arguments (int argc, char *argv[], GError **error)
{
  g_autoptr (GmcpdOptions) self = g_new0 (GmcpdOptions, 1);
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autofree char *config_file = NULL;
  const GOptionEntry entries[] = {
    { "config", 'c', 0, G_OPTION_ARG_FILENAME, &config_file,
      N_ ("Look after the servers of this file, and no others"), N_ ("FILE") },
    { "no-bus", 0, 0, G_OPTION_ARG_NONE, &self->no_bus,
      N_ ("Do not go to the session bus; the command line reaches it by its socket"), NULL },
    { "tools-role", 0, 0, G_OPTION_ARG_STRING, &self->tools_role,
      N_ ("Under which role programs call tools by org.gmcp.Tools1"), N_ ("ROLE") },
    { "gateway-http", 0, 0, G_OPTION_ARG_INT, &self->gateway_port,
      N_ (
        "Serve the gateway over HTTP, too, to programs of this machine that have its token; 0 for any "
        "port, -1 for none"),
      N_ ("PORT") },
    { "gateway-role", 0, 0, G_OPTION_ARG_STRING, &self->gateway_role,
      N_ ("Under which role programs call tools by the gateway over HTTP"), N_ ("ROLE") },
    { "control-port", 0, 0, G_OPTION_ARG_INT, &self->control_port,
      N_ ("Open the control API over HTTP at this port of this machine; 0 for any, -1 for none"),
      N_ ("PORT") },
    { "version", 0, 0, G_OPTION_ARG_NONE, &self->shows_version, N_ ("Show the version"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  self->control_port = self->gateway_port = GMCPD_PORT_NOT_GIVEN;
  g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
  g_option_context_set_summary (
    context, _ ("Looks after the MCP servers of a session. One program runs them, and the command "
                "line and other programs see how they are,\nstart and stop them and call their "
                "tools through it. It starts by itself where there is a session bus."));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse (context, &argc, &argv, error))
    return NULL;

  if (argc > 1)
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, _ ("Unexpected argument “%s”"),
                   argv[1]);
      return NULL;
    }
  if (!is_port (self->control_port, "--control-port", error)
      || !is_port (self->gateway_port, "--gateway-http", error))
    return NULL;
  if (config_file != NULL && *config_file == '\0')
    {
      g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                           _ ("--config: the name of the file is empty"));
      return NULL;
    }

  if (config_file != NULL)
    self->config_file = g_file_new_for_commandline_arg (config_file);
  return g_steal_pointer (&self);
}
