/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-question.h"

#include <glib/gi18n.h>
#include <gmcp/core/gmcp-visible-text.h>

#include "cli-affirm.h"
#include "cli-answer.h"

/* What a configuration leaves to the user: ${input:ID}. */
typedef struct
{
  CliQuestion parent;
  GmcpConfigInput *input; /* the request; not owned */
  char *value;            /* NULL before it was typed */
  gboolean is_hidden;     /* what is typed */
} CliConfigInput;

typedef struct
{
  GmcpConfigInput *input;
  char *value;
} Remembering;

static void
set_hidden (CliConfigInput *self, gboolean hidden)
{
  if (self->is_hidden == hidden)
    return;

  self->is_hidden = hidden && cli_set_echo (FALSE);
  if (!hidden)
    {
      cli_set_echo (TRUE);
      g_printerr ("\n");
    }
}

static void
cli_config_input_begin (CliQuestion *question)
{
  GmcpConfigInput *input = GMCP_CONFIG_INPUT (question->request);
  g_autoptr (GmcpKeyringSecret) secret = gmcp_config_input_dup_secret (input);
  g_autoptr (GFile) place = gmcp_keyring_secret_dup_file (secret);
  g_autofree char *shown = place != NULL ? g_filename_display_name (g_file_peek_path (place))
                                         : g_strdup (_ ("the settings"));
  g_autofree char *file = cli_question_plain (shown);
  g_autofree char *id = cli_question_plain (gmcp_config_input_get_id (input));
  g_autofree char *description = cli_question_plain (gmcp_config_input_get_description (input));
  g_autoptr (GString) text = g_string_new (NULL);

  /* Translators: a server, the name of a value, and the file that asks for it, or “the settings” */
  g_string_append_printf (text, _ ("Server %s needs the value “%s” (%s).\n"),
                          gmcp_input_request_get_server_id (GMCP_INPUT_REQUEST (input)), id, file);
  if (*description != '\0')
    g_string_append_printf (text, "  %s\n", description);
  cli_question_show (question, text->str);
}

static void
cli_config_input_ask (CliQuestion *question)
{
  CliConfigInput *self = (CliConfigInput *) question;

  if (self->value != NULL)
    {
      g_printerr ("%s ", _ ("Remember it in your keyring? [y/N]"));
      return;
    }

  set_hidden (self, gmcp_config_input_is_secret (self->input));
  g_printerr ("%s ", self->is_hidden ? _ ("Value (it is not shown):") : _ ("Value:"));
}

static void
on_stored (GObject *object, GAsyncResult *result, gpointer data)
{
  Remembering *remembering = data;
  g_autoptr (GError) error = NULL;

  if (!gmcp_keyring_secret_store_finish (GMCP_KEYRING_SECRET (object), result, &error))
    g_printerr (_ ("It is not remembered: %s\n"), error->message);
  gmcp_config_input_accept (remembering->input, remembering->value);
  g_object_unref (remembering->input);
  g_free (remembering->value);
  g_free (remembering);
}

/* The value goes to the server once the keyring has it. */
static void
remember_value (CliConfigInput *self)
{
  Remembering *remembering = g_new0 (Remembering, 1);
  g_autoptr (GmcpKeyringSecret) secret = gmcp_config_input_dup_secret (self->input);

  remembering->input = g_object_ref (self->input);
  remembering->value = g_steal_pointer (&self->value);
  gmcp_keyring_secret_store_async (secret, remembering->value, NULL, on_stored, remembering);
}

static gboolean
cli_config_input_take_line (CliQuestion *question, const char *line)
{
  CliConfigInput *self = (CliConfigInput *) question;

  set_hidden (self, FALSE);
  if (self->value == NULL && *line != '\0')
    {
      self->value = g_strdup (line);
      return FALSE;
    }

  if (self->value == NULL)
    gmcp_input_request_cancel (question->request);
  else if (cli_answer_read (line) == CLI_ANSWER_YES)
    remember_value (self);
  else
    gmcp_config_input_accept (self->input, self->value);
  return TRUE;
}

static void
cli_config_input_clear (CliQuestion *question)
{
  CliConfigInput *self = (CliConfigInput *) question;

  set_hidden (self, FALSE);
  g_free (self->value);
}

static const CliQuestionClass config_input_class = {
  .begin = cli_config_input_begin,
  .ask = cli_config_input_ask,
  .take_line = cli_config_input_take_line,
  .clear = cli_config_input_clear,
};

CliQuestion *
cli_config_input_new (GmcpConfigInput *input)
{
  CliConfigInput *self = g_new0 (CliConfigInput, 1);

  cli_question_init (&self->parent, &config_input_class, GMCP_INPUT_REQUEST (input));
  self->input = input;
  return &self->parent;
}
