/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-sampling-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-sampling-message-private.h"
#include "gmcp-tool-private.h"

#include <gmcp/core/gmcp-error.h>

/**
 * GmcpSampling:
 *
 * A server's wish that the host's model continue a conversation. Nothing obliges a host to do so:
 * people should see what is asked and what is answered, and a host may leave out or change what it
 * likes. It comes only where the user allows it for the server
 * ([property@Gmcp.Client:allow-sampling]).
 *
 * Answer with [method@Gmcp.Sampling.accept_text], or with [method@Gmcp.Sampling.accept_json] where the
 * model wants to use one of [method@Gmcp.Sampling.get_tools]; or refuse with
 * [method@Gmcp.InputRequest.decline]. A refusal ends the call with [error@Gmcp.Error] `INPUT_REFUSED` where
 * the server is a modern one, since that era has no word for it; a legacy server is told.
 *
 * Spec: MCP 2026-07-28, client/sampling.
 *
 * Since: 0.1
 */
struct _GmcpSampling
{
  GmcpInputRequest parent_instance;

  GmcpJsonValue params;
  GPtrArray *messages;
  GPtrArray *tools;
  char *system_prompt;
  char *include_context;
  char *tool_choice;
  GStrv stop_sequences;
  GStrv model_hints;
};

G_DEFINE_FINAL_TYPE (GmcpSampling, gmcp_sampling, GMCP_TYPE_INPUT_REQUEST)

static void
gmcp_sampling_finalize (GObject *object)
{
  GmcpSampling *self = GMCP_SAMPLING (object);

  g_clear_pointer (&self->messages, g_ptr_array_unref);
  g_clear_pointer (&self->tools, g_ptr_array_unref);
  g_free (self->system_prompt);
  g_free (self->include_context);
  g_free (self->tool_choice);
  g_strfreev (self->stop_sequences);
  g_strfreev (self->model_hints);

  G_OBJECT_CLASS (gmcp_sampling_parent_class)->finalize (object);
}

static void
gmcp_sampling_class_init (GmcpSamplingClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_sampling_finalize;
}

static void
gmcp_sampling_init (GmcpSampling *self)
{
  self->messages = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_sampling_message_unref);
  self->tools = g_ptr_array_new_with_free_func (g_object_unref);
}

/* The strings of an array, or of one member of the objects in it. */
static GStrv
read_strings (GmcpJsonValue array, const char *member)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  GmcpJsonIter iter;
  GmcpJsonValue item;

  if (gmcp_json_value_is_array (array))
    {
      gmcp_json_iter_init (&iter, array);
      while (gmcp_json_iter_next (&iter, NULL, &item))
        {
          g_autofree char *text = gmcp_json_value_dup_string (
            member != NULL ? gmcp_json_value_get_member (item, member) : item);

          if (text != NULL)
            g_strv_builder_add (builder, text);
        }
    }
  return g_strv_builder_end (builder);
}

static void
read_tools (GmcpSampling *self, GmcpJsonValue tools)
{
  GmcpJsonIter iter;
  GmcpJsonValue value;

  if (!gmcp_json_value_is_array (tools))
    return;
  gmcp_json_iter_init (&iter, tools);
  while (gmcp_json_iter_next (&iter, NULL, &value))
    {
      g_autoptr (GError) error = NULL;
      GmcpTool *tool = gmcp_tool_new_from_value (value, &error);

      if (tool != NULL)
        g_ptr_array_add (self->tools, tool);
      else
        g_debug ("a tool for the model was left out: %s", error->message);
    }
}

GmcpSampling *
gmcp_sampling_new_from_value (GmcpJsonValue params, GError **error)
{
  g_autoptr (GmcpSampling) self = NULL;
  GmcpJsonIter iter;
  GmcpJsonValue message, preferences;

  if (!gmcp_json_value_is_array (gmcp_json_value_get_member (params, "messages")))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                           _ ("there are no messages for the model"));
      return NULL;
    }

  self = g_object_new (GMCP_TYPE_SAMPLING, NULL);
  gmcp_input_request_set_params (GMCP_INPUT_REQUEST (self), params);
  params = self->params = gmcp_input_request_get_params_value (GMCP_INPUT_REQUEST (self));
  gmcp_json_iter_init (&iter, gmcp_json_value_get_member (params, "messages"));
  while (gmcp_json_iter_next (&iter, NULL, &message))
    g_ptr_array_add (self->messages, gmcp_sampling_message_new_from_value (message));

  self->system_prompt
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (params, "systemPrompt"));
  self->include_context
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (params, "includeContext"));
  self->tool_choice
    = gmcp_json_value_dup_string (gmcp_json_value_get_pointer (params, "/toolChoice/mode"));
  self->stop_sequences = read_strings (gmcp_json_value_get_member (params, "stopSequences"), NULL);
  preferences = gmcp_json_value_get_member (params, "modelPreferences");
  self->model_hints = read_strings (gmcp_json_value_get_member (preferences, "hints"), "name");
  read_tools (self, gmcp_json_value_get_member (params, "tools"));
  return g_steal_pointer (&self);
}

static double
get_priority (GmcpSampling *self, const char *pointer)
{
  double priority = -1;

  gmcp_json_value_get_double (gmcp_json_value_get_pointer (self->params, pointer), &priority);
  return CLAMP (priority, -1, 1);
}

/**
 * gmcp_sampling_new_from_json:
 * @params_json: the parameters of a `sampling/createMessage`, a JSON object as text
 * @error: return location for an error
 *
 * Makes a question to the model of whoever calls a tool, for [method@Gmcp.Caller.ask_async].
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @params_json is no JSON, and with `PROTOCOL`
 * where it has no messages.
 *
 * Spec: MCP 2026-07-28, client/sampling.
 *
 * Returns: (transfer full): a new question
 *
 * Since: 0.1
 */
GmcpSampling *
gmcp_sampling_new_from_json (const char *params_json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (params_json != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  doc = gmcp_json_doc_parse (params_json, strlen (params_json), NULL, 0, error);
  if (doc == NULL)
    return NULL;

  return gmcp_sampling_new_from_value (gmcp_json_doc_get_root (doc), error);
}

/**
 * gmcp_sampling_get_messages:
 * @self: a question
 *
 * Gives the conversation that is to be continued.
 *
 * Returns: (transfer none) (element-type GmcpSamplingMessage): the messages
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_sampling_get_messages (GmcpSampling *self)
{
  g_return_val_if_fail (GMCP_IS_SAMPLING (self), NULL);

  return self->messages;
}

/**
 * gmcp_sampling_dup_messages_json:
 * @self: a question
 *
 * Gives the conversation that is to be continued, as the server sent it.
 *
 * Returns: (transfer full): a JSON array as text
 *
 * Since: 0.1
 */
char *
gmcp_sampling_dup_messages_json (GmcpSampling *self)
{
  g_return_val_if_fail (GMCP_IS_SAMPLING (self), NULL);

  return gmcp_json_value_dup_raw (gmcp_json_value_get_member (self->params, "messages"));
}

/**
 * gmcp_sampling_get_system_prompt:
 * @self: a question
 *
 * Gives what the server wants the model to be told first.
 *
 * Returns: (transfer none) (nullable): the text, or %NULL for none
 *
 * Since: 0.1
 */
const char *
gmcp_sampling_get_system_prompt (GmcpSampling *self)
{
  g_return_val_if_fail (GMCP_IS_SAMPLING (self), NULL);

  return self->system_prompt;
}

/**
 * gmcp_sampling_get_max_tokens:
 * @self: a question
 *
 * Gives how long the answer may be.
 *
 * Returns: the number of tokens, or -1 where the server does not say
 *
 * Since: 0.1
 */
gint64
gmcp_sampling_get_max_tokens (GmcpSampling *self)
{
  gint64 tokens = -1;

  g_return_val_if_fail (GMCP_IS_SAMPLING (self), -1);

  gmcp_json_value_get_int64 (gmcp_json_value_get_member (self->params, "maxTokens"), &tokens);
  return tokens;
}

/**
 * gmcp_sampling_get_temperature:
 * @self: a question
 * @temperature: (out) (optional): the temperature
 *
 * Gives the temperature that the server wants.
 *
 * Returns: whether it wants a certain one
 *
 * Since: 0.1
 */
gboolean
gmcp_sampling_get_temperature (GmcpSampling *self, double *temperature)
{
  double value = 0;
  gboolean there;

  g_return_val_if_fail (GMCP_IS_SAMPLING (self), FALSE);

  there
    = gmcp_json_value_get_double (gmcp_json_value_get_member (self->params, "temperature"), &value);
  if (temperature != NULL)
    *temperature = value;
  return there;
}

/**
 * gmcp_sampling_get_stop_sequences:
 * @self: a question
 *
 * Gives the texts that end the answer.
 *
 * Returns: (transfer none) (array zero-terminated=1): the texts
 *
 * Since: 0.1
 */
const char *const *
gmcp_sampling_get_stop_sequences (GmcpSampling *self)
{
  g_return_val_if_fail (GMCP_IS_SAMPLING (self), NULL);

  return (const char *const *) self->stop_sequences;
}

/**
 * gmcp_sampling_get_include_context:
 * @self: a question
 *
 * Gives which other conversations the server would like the model to know of. A host may pass it
 * over, and this library never declares that it is followed.
 *
 * Returns: (transfer none) (nullable): `none`, `thisServer` or `allServers`; %NULL where the server does
 *   not say
 *
 * Since: 0.1
 */
const char *
gmcp_sampling_get_include_context (GmcpSampling *self)
{
  g_return_val_if_fail (GMCP_IS_SAMPLING (self), NULL);

  return self->include_context;
}

/**
 * gmcp_sampling_get_model_hints:
 * @self: a question
 *
 * Gives the names of models that would suit the server, the best first; parts of names too.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names
 *
 * Since: 0.1
 */
const char *const *
gmcp_sampling_get_model_hints (GmcpSampling *self)
{
  g_return_val_if_fail (GMCP_IS_SAMPLING (self), NULL);

  return (const char *const *) self->model_hints;
}

/**
 * gmcp_sampling_get_cost_priority:
 * @self: a question
 *
 * Gives how much it matters that the answer is cheap.
 *
 * Returns: 0 (not at all) to 1 (most), or -1 where the server does not say
 *
 * Since: 0.1
 */
double
gmcp_sampling_get_cost_priority (GmcpSampling *self)
{
  g_return_val_if_fail (GMCP_IS_SAMPLING (self), -1);

  return get_priority (self, "/modelPreferences/costPriority");
}

/**
 * gmcp_sampling_get_speed_priority:
 * @self: a question
 *
 * Gives how much it matters that the answer is fast.
 *
 * Returns: 0 (not at all) to 1 (most), or -1 where the server does not say
 *
 * Since: 0.1
 */
double
gmcp_sampling_get_speed_priority (GmcpSampling *self)
{
  g_return_val_if_fail (GMCP_IS_SAMPLING (self), -1);

  return get_priority (self, "/modelPreferences/speedPriority");
}

/**
 * gmcp_sampling_get_intelligence_priority:
 * @self: a question
 *
 * Gives how much it matters that the model is able.
 *
 * Returns: 0 (not at all) to 1 (most), or -1 where the server does not say
 *
 * Since: 0.1
 */
double
gmcp_sampling_get_intelligence_priority (GmcpSampling *self)
{
  g_return_val_if_fail (GMCP_IS_SAMPLING (self), -1);

  return get_priority (self, "/modelPreferences/intelligencePriority");
}

/**
 * gmcp_sampling_get_tools:
 * @self: a question
 *
 * Gives the tools that the model may want to use. They are the server's own and need not be among
 * those that it lists: the model's wish to use one is the answer, and the server uses it.
 *
 * Returns: (transfer none) (element-type GmcpTool): the tools
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_sampling_get_tools (GmcpSampling *self)
{
  g_return_val_if_fail (GMCP_IS_SAMPLING (self), NULL);

  return self->tools;
}

/**
 * gmcp_sampling_dup_tools_json:
 * @self: a question
 *
 * Gives the tools that the model may want to use, as the server sent them.
 *
 * Returns: (transfer full) (nullable): a JSON array as text, or %NULL for none
 *
 * Since: 0.1
 */
char *
gmcp_sampling_dup_tools_json (GmcpSampling *self)
{
  g_return_val_if_fail (GMCP_IS_SAMPLING (self), NULL);

  return gmcp_json_value_dup_raw (gmcp_json_value_get_member (self->params, "tools"));
}

/**
 * gmcp_sampling_get_tool_choice:
 * @self: a question
 *
 * Gives whether the model has to use a tool.
 *
 * Returns: (transfer none) (nullable): `auto`, `required` or `none`; %NULL where the server does not
 *   say, which stands for `auto`
 *
 * Since: 0.1
 */
const char *
gmcp_sampling_get_tool_choice (GmcpSampling *self)
{
  g_return_val_if_fail (GMCP_IS_SAMPLING (self), NULL);

  return self->tool_choice;
}

static gboolean
accept_value (GmcpSampling *self, GmcpJsonValue result, GError **error)
{
  GmcpJsonValue content = gmcp_json_value_get_member (result, "content");
  GmcpJsonValue role = gmcp_json_value_get_member (result, "role");
  g_autoptr (GString) answer = NULL;
  GmcpJsonWriter writer;

  if (!gmcp_json_value_is_string (gmcp_json_value_get_member (result, "model"))
      || !(gmcp_json_value_is_object (content) || gmcp_json_value_is_array (content))
      || !(gmcp_json_value_equals_string (role, "assistant")
           || gmcp_json_value_equals_string (role, "user")))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           _ ("The model's answer has to be a JSON object with “role” (“assistant” "
                              "or “user”), “content” and “model”"));
      return FALSE;
    }

  answer = g_string_new (NULL);
  writer = gmcp_json_writer_init (answer);
  gmcp_json_writer_value (&writer, result);
  gmcp_input_request_answer (GMCP_INPUT_REQUEST (self), answer->str);
  return TRUE;
}

/**
 * gmcp_sampling_accept:
 * @self: a question
 * @result: a JSON object with `role`, `content`, `model` and maybe `stopReason`
 * @error: return location for an error
 *
 * Answers with what the model said. `content` is one block or an array of them; a model that wants to
 * use tools has blocks of the type `tool_use` in it and the `stopReason` `toolUse`.
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT`, with the question still open, where @result is no
 * such object.
 *
 * Spec: MCP 2026-07-28, client/sampling, "Creating Messages".
 *
 * Returns: whether the answer was taken
 *
 * Since: 0.1
 */
gboolean
gmcp_sampling_accept (GmcpSampling *self, JsonNode *result, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (GMCP_IS_SAMPLING (self), FALSE);
  g_return_val_if_fail (result != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  doc = gmcp_json_doc_from_node (result, error);
  return doc != NULL && accept_value (self, gmcp_json_doc_get_root (doc), error);
}

/**
 * gmcp_sampling_accept_json:
 * @self: a question
 * @result_json: the text of a JSON object with `role`, `content`, `model` and maybe `stopReason`
 * @error: return location for an error
 *
 * The same as [method@Gmcp.Sampling.accept], for JSON text.
 *
 * Returns: whether the answer was taken
 *
 * Since: 0.1
 */
gboolean
gmcp_sampling_accept_json (GmcpSampling *self, const char *result_json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (GMCP_IS_SAMPLING (self), FALSE);
  g_return_val_if_fail (result_json != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  doc = gmcp_json_doc_parse (result_json, strlen (result_json), NULL, 0, error);
  return doc != NULL && accept_value (self, gmcp_json_doc_get_root (doc), error);
}

/**
 * gmcp_sampling_accept_text:
 * @self: a question
 * @text: what the model said
 * @model: the model's name
 * @stop_reason: (nullable): why it ended: `endTurn`, `stopSequence`, `maxTokens` or another; %NULL
 *   where it is not known
 *
 * Answers with a text of the model's.
 *
 * Since: 0.1
 */
void
gmcp_sampling_accept_text (GmcpSampling *self,
                           const char *text,
                           const char *model,
                           const char *stop_reason)
{
  g_autoptr (GString) answer = NULL;
  GmcpJsonWriter writer;

  g_return_if_fail (GMCP_IS_SAMPLING (self));
  g_return_if_fail (text != NULL);
  g_return_if_fail (model != NULL);

  answer = g_string_new (NULL);
  writer = gmcp_json_writer_init (answer);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "role", "assistant");
  gmcp_json_writer_key (&writer, "content");
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "type", "text");
  gmcp_json_writer_member_string (&writer, "text", text);
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_member_string (&writer, "model", model);
  if (stop_reason != NULL)
    gmcp_json_writer_member_string (&writer, "stopReason", stop_reason);
  gmcp_json_writer_end_object (&writer);
  gmcp_input_request_answer (GMCP_INPUT_REQUEST (self), answer->str);
}
