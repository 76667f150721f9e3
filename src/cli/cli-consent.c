/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-question.h"

#include <glib/gi18n.h>

#include <gmcp/core/gmcp-visible-text.h>

typedef struct
{
  CliQuestion parent;
  GmcpCallPermission *request;
  gulong closed_id;
} CliConsent;

static void
cli_consent_ask (CliQuestion *question)
{
  g_printerr ("%s ", _ ("Call it? [y]es, [a]lways, [N]o:"));
}

static void
on_closed (GmcpCallPermission *request, gpointer data)
{
  CliQuestion *self = data;

  if (self->over != NULL)
    self->over (self, _ ("The answer is no longer needed."), self->over_data);
}

static gboolean
cli_consent_is_open (CliQuestion *question)
{
  return gmcp_call_permission_is_open (((CliConsent *) question)->request);
}

static void
cli_consent_begin (CliQuestion *question)
{
  GmcpCallPermission *request = ((CliConsent *) question)->request;
  g_autofree char *tool
    = cli_question_plain (gmcp_tool_get_name (gmcp_call_permission_get_tool (request)));
  g_autofree char *server = cli_question_plain (gmcp_call_permission_get_server_name (request));
  const char *json = gmcp_call_permission_get_arguments_json (request);
  g_autofree char *arguments = gmcp_dup_visible_text (json != NULL ? json : "");
  g_autofree char *rule = cli_question_plain (gmcp_call_permission_get_rule (request));

  g_autoptr (GString) text = g_string_new (NULL);

  /* Translators: the names of a tool and of its server, and the rule of the user's that says so */
  g_string_append_printf (text, _ ("%s of %s is to be called only after you were asked (%s):\n"),
                          tool, server, rule);
  g_string_append_printf (text, "  %s\n", arguments);
  cli_question_show (question, text->str);
}

static gboolean
cli_consent_take_line (CliQuestion *question, const char *line)
{
  GmcpCallPermission *request = ((CliConsent *) question)->request;

  switch (g_ascii_tolower (*line))
    {
    case 'y':
      gmcp_call_permission_allow_once (request);
      return TRUE;
    case 'a':
      gmcp_call_permission_allow_always (request);
      return TRUE;
    case '\0':
    case 'n':
      gmcp_call_permission_deny (request);
      return TRUE;
    default:
      return FALSE;
    }
}

static void
cli_consent_close (CliQuestion *question)
{
  gmcp_call_permission_deny (((CliConsent *) question)->request);
}

static void
cli_consent_free (CliQuestion *question)
{
  CliConsent *self = (CliConsent *) question;

  g_signal_handler_disconnect (self->request, self->closed_id);
  g_object_unref (self->request);
  g_free (self);
}

static const CliQuestionClass consent_class = {
  .is_open = cli_consent_is_open,
  .begin = cli_consent_begin,
  .ask = cli_consent_ask,
  .take_line = cli_consent_take_line,
  .refuse = cli_consent_close,
  .close = cli_consent_close,
  .free = cli_consent_free,
};

CliQuestion *
cli_consent_new (GmcpCallPermission *request)
{
  CliConsent *self = g_new0 (CliConsent, 1);

  self->parent.klass = &consent_class;
  self->request = g_object_ref (request);
  self->closed_id = g_signal_connect (request, "closed", G_CALLBACK (on_closed), self);
  return &self->parent;
}
