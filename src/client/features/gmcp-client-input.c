/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-client-kept-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-regex-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-sampling-private.h"

#include <gmcp/protocol/questions/gmcp-root.h>

/* Questions of a server to the application, whatever way they came. */

void
gmcp_client_input_init (GmcpClientInput *input)
{
  input->timeout_ms = GMCP_DEFAULT_INPUT_TIMEOUT_MS;
  input->visits = g_ptr_array_new_with_free_func (g_object_unref);
  g_queue_init (&input->questions);
}

void
gmcp_client_input_forget (GmcpClientInput *input)
{
  if (input->roots_source == NULL)
    return;

  g_source_destroy (input->roots_source);
  g_clear_pointer (&input->roots_source, g_source_unref);
}

void
gmcp_client_input_clear (GmcpClientInput *input)
{
  g_clear_object (&input->roots);
  g_clear_pointer (&input->visits, g_ptr_array_unref);
}

void
gmcp_client_set_listens_func (GmcpClient *self, GmcpClientListensFunc listens, gpointer data)
{
  self->input.listens = listens;
  self->input.listens_data = data;
}

gboolean
gmcp_client_listens (GmcpClient *self)
{
  if (self->input.listens != NULL)
    return self->input.listens (self->input.listens_data);
  return gmcp_client_has_input_handler (self);
}

void
gmcp_client_write_input_capabilities (GmcpClient *self, const char *version, GmcpJsonWriter *writer)
{
  /* Dates compare as they read. */
  gboolean has_modes = strcmp (version, GMCP_PROTOCOL_VERSION_2025_11_25) >= 0;
  gboolean modern = gmcp_protocol_get_era (version) == GMCP_ERA_MODERN;

  self->input.declared = GMCP_CLIENT_ABILITY_NONE;
  if (gmcp_client_listens (self))
    {
      self->input.declared |= GMCP_CLIENT_ABILITY_ELICITATION;
      gmcp_json_writer_key (writer, "elicitation");
      gmcp_json_writer_begin_object (writer);
      if (has_modes)
        {
          gmcp_json_writer_member_empty (writer, "form");
          gmcp_json_writer_member_empty (writer, "url");
        }
      gmcp_json_writer_end_object (writer);
    }
  if (gmcp_client_listens (self) && self->input.allow_sampling)
    {
      self->input.declared |= GMCP_CLIENT_ABILITY_SAMPLING;
      gmcp_json_writer_key (writer, "sampling");
      gmcp_json_writer_begin_object (writer);
      if (has_modes)
        gmcp_json_writer_member_empty (writer, "tools");
      gmcp_json_writer_end_object (writer);
    }
  self->input.declares_roots = self->input.roots != NULL;
  if (self->input.declares_roots)
    {
      self->input.declared |= GMCP_CLIENT_ABILITY_ROOTS;
      gmcp_json_writer_key (writer, "roots");
      gmcp_json_writer_begin_object (writer);
      if (!modern)
        gmcp_json_writer_member_boolean (writer, "listChanged", TRUE);
      gmcp_json_writer_end_object (writer);
    }
}

typedef GmcpInputRequest *(*MakeFunc) (GmcpClient *self,
                                       GmcpJsonValue params,
                                       char **answer,
                                       GError **error);

static gboolean
matches_pattern (const char *pattern, const char *text)
{
  guint instructions = GMCP_LIMIT_INPUT_PATTERN_SIZE;
  guint64 steps = GMCP_LIMIT_INPUT_PATTERN_STEPS;
  gsize length = strlen (pattern);
  g_autoptr (GmcpSchemaRegex) regex = NULL;

  if (length <= GMCP_LIMIT_INPUT_PATTERN_BYTES)
    regex = gmcp_schema_regex_new (pattern, length, &instructions, NULL);
  return regex == NULL
         || gmcp_schema_regex_match (regex, text, strlen (text), &steps)
              != GMCP_SCHEMA_REGEX_NO_MATCH;
}

static GmcpInputRequest *
make_elicitation (GmcpClient *self, GmcpJsonValue params, char **answer, GError **error)
{
  g_autoptr (GError) reason = NULL;
  GmcpElicitation *elicitation;
  gsize n_bytes;

  /* The user is asked nothing, and the call goes on without an answer. */
  if (!gmcp_client_keep_question (self, params, GMCP_LIMIT_ELICITATION_BYTES, &n_bytes, &reason))
    {
      g_info ("%s", reason->message);
      *answer = g_strdup (GMCP_ELICITATION_ANSWER_DECLINE);
      return NULL;
    }

  elicitation = gmcp_elicitation_new_from_value (params, matches_pattern, error);
  gmcp_client_give_charge (self, elicitation, n_bytes);
  if (elicitation == NULL)
    {
      g_prefix_error (error, _ ("%s asked the user something that cannot be shown: "),
                      gmcp_client_describe (self));
      return NULL;
    }
  if (gmcp_client_listens (self))
    return GMCP_INPUT_REQUEST (elicitation);

  g_object_unref (elicitation);
  *answer = g_strdup (GMCP_ELICITATION_ANSWER_DECLINE);
  return NULL;
}

static GmcpInputRequest *
make_sampling (GmcpClient *self, GmcpJsonValue params, char **answer, GError **error)
{
  g_autoptr (GError) reason = NULL;
  GmcpSampling *sampling;
  gsize n_bytes;

  if (!self->input.allow_sampling || !gmcp_client_listens (self))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INPUT_REFUSED,
                   _ ("%s wanted to use this program's model, which is not allowed; it can be "
                      "allowed in the server's settings"),
                   gmcp_client_describe (self));
      return NULL;
    }

  if (!gmcp_client_keep_question (self, params, GMCP_LIMIT_SAMPLING_BYTES, &n_bytes, &reason))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INPUT_REFUSED, reason->message);
      return NULL;
    }

  sampling = gmcp_sampling_new_from_value (params, error);
  gmcp_client_give_charge (self, sampling, n_bytes);
  if (sampling == NULL)
    g_prefix_error (error, _ ("%s asked the model something that cannot be read: "),
                    gmcp_client_describe (self));
  return sampling != NULL ? GMCP_INPUT_REQUEST (sampling) : NULL;
}

static void
write_root (GmcpJsonWriter *writer, GmcpRoot *root)
{
  if (gmcp_root_get_uri (root) == NULL)
    return;

  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "uri", gmcp_root_get_uri (root));
  if (gmcp_root_get_name (root) != NULL)
    gmcp_json_writer_member_string (writer, "name", gmcp_root_get_name (root));
  gmcp_json_writer_end_object (writer);
}

static GmcpInputRequest *
answer_roots (GmcpClient *self, GmcpJsonValue params, char **answer, GError **error)
{
  GListModel *roots = self->input.roots;
  GString *json;
  GmcpJsonWriter writer;

  if (!self->input.declares_roots)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                   _ ("%s asked for folders to work in, and this program has named none"),
                   gmcp_client_describe (self));
      return NULL;
    }

  json = g_string_new (NULL);
  writer = gmcp_json_writer_init (json);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, "roots");
  gmcp_json_writer_begin_array (&writer);
  for (guint i = 0; roots != NULL && i < g_list_model_get_n_items (roots); i++)
    {
      g_autoptr (GmcpRoot) root = g_list_model_get_item (roots, i);

      write_root (&writer, root);
    }
  gmcp_json_writer_end_array (&writer);
  gmcp_json_writer_end_object (&writer);
  *answer = g_string_free (json, FALSE);
  return NULL;
}

static const struct
{
  const char *method;
  MakeFunc make;
} makers[] = {
  { GMCP_METHOD_ELICITATION_CREATE, make_elicitation },
  { GMCP_METHOD_SAMPLING_CREATE_MESSAGE, make_sampling },
  { GMCP_METHOD_ROOTS_LIST, answer_roots },
};

GmcpInputRequest *
gmcp_client_make_input_request (GmcpClient *self,
                                const char *subject,
                                GmcpJsonValue method,
                                GmcpJsonValue params,
                                char **answer,
                                GError **error)
{
  g_autofree char *raw = NULL;
  g_autofree char *shown = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (makers); i++)
    if (gmcp_json_value_equals_string (method, makers[i].method))
      {
        GmcpInputRequest *request = makers[i].make (self, params, answer, error);

        if (request != NULL)
          gmcp_input_request_set_asker (request, gmcp_client_describe (self), subject);
        return request;
      }

  raw = gmcp_json_value_dup_raw (method);
  shown = gmcp_protocol_shorten (raw != NULL ? raw : "");
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
               _ ("%s asked for input of a kind that is not known: %s"),
               gmcp_client_describe (self), shown);
  return NULL;
}

GError *
gmcp_client_new_input_timeout_error (GmcpClient *self, const char *subject)
{
  return g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                      /* Translators: a tool's name, a server's name, a number */
                      _ ("“%s” on %s asked for input, which was not given within %u ms"),
                      subject != NULL ? subject : _ ("a request"), gmcp_client_describe (self),
                      self->input.timeout_ms);
}
