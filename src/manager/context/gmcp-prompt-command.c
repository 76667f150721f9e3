/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-prompt-command-private.h"

/**
 * GmcpPromptCommand:
 *
 * A prompt of a server as a command of the host's, such as `/notes__summarize`. Immutable.
 * [method@Gmcp.Manager.list_prompts_async] gives them, and [method@Gmcp.PromptProvider.get_prompt_async]
 * runs one.
 *
 * Since: 0.1
 */
struct _GmcpPromptCommand
{
  GObject parent_instance;

  char *name;
  char *server;
  GmcpPrompt *prompt;
};

G_DEFINE_FINAL_TYPE (GmcpPromptCommand, gmcp_prompt_command, G_TYPE_OBJECT)

static void
gmcp_prompt_command_finalize (GObject *object)
{
  GmcpPromptCommand *self = GMCP_PROMPT_COMMAND (object);

  g_free (self->name);
  g_free (self->server);
  g_clear_object (&self->prompt);

  G_OBJECT_CLASS (gmcp_prompt_command_parent_class)->finalize (object);
}

static void
gmcp_prompt_command_class_init (GmcpPromptCommandClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_prompt_command_finalize;
}

static void
gmcp_prompt_command_init (GmcpPromptCommand *self)
{
}

GmcpPromptCommand *
gmcp_prompt_command_new (const char *name, const char *server, GmcpPrompt *prompt)
{
  GmcpPromptCommand *self = g_object_new (GMCP_TYPE_PROMPT_COMMAND, NULL);

  self->name = g_strdup (name);
  self->server = g_strdup (server);
  self->prompt = g_object_ref (prompt);
  return self;
}

/**
 * gmcp_prompt_command_get_name:
 * @self: a command
 *
 * Gives its name, which no other command of the manager has: `SERVER__PROMPT`, at most 64 characters
 * of `[A-Za-z0-9_-]`.
 *
 * Returns: the name
 *
 * Since: 0.1
 */
const char *
gmcp_prompt_command_get_name (GmcpPromptCommand *self)
{
  g_return_val_if_fail (GMCP_IS_PROMPT_COMMAND (self), NULL);

  return self->name;
}

/**
 * gmcp_prompt_command_get_server_id:
 * @self: a command
 *
 * Gives the server that the prompt is of.
 *
 * Returns: the id of the server
 *
 * Since: 0.1
 */
const char *
gmcp_prompt_command_get_server_id (GmcpPromptCommand *self)
{
  g_return_val_if_fail (GMCP_IS_PROMPT_COMMAND (self), NULL);

  return self->server;
}

/**
 * gmcp_prompt_command_get_prompt:
 * @self: a command
 *
 * Gives the prompt as the server has it: its own name, its title, and its arguments.
 *
 * Returns: (transfer none): the prompt
 *
 * Since: 0.1
 */
GmcpPrompt *
gmcp_prompt_command_get_prompt (GmcpPromptCommand *self)
{
  g_return_val_if_fail (GMCP_IS_PROMPT_COMMAND (self), NULL);

  return self->prompt;
}
