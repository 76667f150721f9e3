/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-input-private.h"

#include "gmcp-era-features-private.h"

#include "gmcp-kept-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-schema-regex-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-sampling-private.h"

#include <gmcp/protocol/questions/gmcp-root.h>

/* Questions of a server to the application, whatever way they came. */

struct _GmcpInput
{
  GmcpSession *session;
  guint timeout_ms;
  gboolean allow_sampling;
  GListModel *roots; /* nullable */
  gboolean declares_roots;
  GmcpClientAbilities declared;
  GSource *roots_source;
  GmcpListensFunc listens; /* NULL: who is connected to the signal */
  gpointer listens_data;
  gboolean asks_by_call; /* questions that do not name their call are not wanted */
};

GmcpInput *
gmcp_input_new (GmcpSession *session)
{
  GmcpInput *input = g_new0 (GmcpInput, 1);

  input->session = session;
  input->timeout_ms = GMCP_DEFAULT_INPUT_TIMEOUT_MS;
  return input;
}

static GmcpInput *
input_of (GmcpSession *self)
{
  return gmcp_session_get_features (self)->input;
}

static void
capabilities_changed (GmcpSession *self)
{
  if (gmcp_session_is_open (self)
      && gmcp_session_get_era_features (self)->capabilities_changed != NULL)
    gmcp_session_get_era_features (self)->capabilities_changed (self);
}

static gboolean
on_roots_idle (gpointer user_data)
{
  GmcpInput *input = user_data;
  g_autoptr (GmcpSession) self = gmcp_session_ref (input->session);

  g_clear_pointer (&input->roots_source, g_source_unref);
  if (gmcp_session_is_open (self) && gmcp_session_get_era_features (self)->roots_changed != NULL)
    gmcp_session_get_era_features (self)->roots_changed (self);
  return G_SOURCE_REMOVE;
}

/* Many changes in one turn of the loop are told as one. */
static void
on_roots_changed (GmcpInput *input)
{
  if (input->roots_source != NULL || !gmcp_session_is_open (input->session))
    return;

  input->roots_source = g_idle_source_new ();
  g_source_set_priority (input->roots_source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (input->roots_source, "[gmcp] roots changed");
  g_source_set_callback (input->roots_source, on_roots_idle, input, NULL);
  g_source_attach (input->roots_source, gmcp_session_get_context (input->session));
}

void
gmcp_input_forget (GmcpSession *self)
{
  GmcpInput *input = input_of (self);

  if (input->roots_source == NULL)
    return;

  g_source_destroy (input->roots_source);
  g_clear_pointer (&input->roots_source, g_source_unref);
}

void
gmcp_input_free (GmcpInput *input)
{
  if (input->roots != NULL)
    g_signal_handlers_disconnect_by_func (input->roots, on_roots_changed, input);
  g_clear_object (&input->roots);
  g_free (input);
}

guint
gmcp_input_get_timeout_ms (GmcpSession *self)
{
  return input_of (self)->timeout_ms;
}

gboolean
gmcp_input_set_timeout_ms (GmcpSession *self, guint timeout_ms)
{
  gboolean changed = input_of (self)->timeout_ms != timeout_ms;

  input_of (self)->timeout_ms = timeout_ms;
  return changed;
}

gboolean
gmcp_input_get_allow_sampling (GmcpSession *self)
{
  return input_of (self)->allow_sampling;
}

gboolean
gmcp_input_set_allow_sampling (GmcpSession *self, gboolean allow_sampling)
{
  if (input_of (self)->allow_sampling == !!allow_sampling)
    return FALSE;

  input_of (self)->allow_sampling = !!allow_sampling;
  capabilities_changed (self);
  return TRUE;
}

GListModel *
gmcp_input_get_roots (GmcpSession *self)
{
  return input_of (self)->roots;
}

gboolean
gmcp_input_set_roots (GmcpSession *self, GListModel *roots)
{
  GmcpInput *input = input_of (self);
  gboolean had_some = input->roots != NULL;

  if (input->roots == roots)
    return FALSE;

  if (had_some)
    g_signal_handlers_disconnect_by_func (input->roots, on_roots_changed, input);
  g_set_object (&input->roots, roots);
  if (roots != NULL)
    g_signal_connect_swapped (roots, "items-changed", G_CALLBACK (on_roots_changed), input);
  if (had_some != (roots != NULL))
    capabilities_changed (self);
  on_roots_changed (input);
  return TRUE;
}

gboolean
gmcp_input_declares_roots (GmcpSession *self)
{
  return input_of (self)->declares_roots;
}

GmcpClientAbilities
gmcp_input_get_declared_abilities (GmcpSession *self)
{
  return input_of (self)->declared;
}

void
gmcp_input_set_listens_func (GmcpSession *self, GmcpListensFunc listens, gpointer data)
{
  input_of (self)->listens = listens;
  input_of (self)->listens_data = data;
}

void
gmcp_input_emit_requested (GmcpSession *self, GmcpInputRequest *request)
{
  gmcp_session_get_features (self)->events->input_requested (gmcp_session_get_owner (self),
                                                             request);
}

void
gmcp_input_set_asks_by_call (GmcpSession *self, gboolean asks_by_call)
{
  input_of (self)->asks_by_call = asks_by_call;
}

static gboolean
is_silenced (GmcpSession *self)
{
  const GmcpEraFuncs *era = gmcp_session_get_era (self);

  return input_of (self)->asks_by_call && era != NULL && era->id == GMCP_ERA_LEGACY;
}

gboolean
gmcp_input_listens (GmcpSession *self)
{
  if (is_silenced (self))
    return FALSE;
  if (input_of (self)->listens != NULL)
    return input_of (self)->listens (input_of (self)->listens_data);
  return gmcp_session_get_features (self)->events->has_input_handler (
    gmcp_session_get_owner (self));
}

void
gmcp_input_write_capabilities (GmcpSession *self, const char *version, GmcpJsonWriter *writer)
{
  /* Dates compare as they read. */
  gboolean has_modes = strcmp (version, GMCP_PROTOCOL_VERSION_2025_11_25) >= 0;
  gboolean modern = gmcp_protocol_get_era (version) == GMCP_ERA_MODERN;

  input_of (self)->declared = GMCP_CLIENT_ABILITY_NONE;
  if (gmcp_input_listens (self))
    {
      input_of (self)->declared |= GMCP_CLIENT_ABILITY_ELICITATION;
      gmcp_json_writer_key (writer, "elicitation");
      gmcp_json_writer_begin_object (writer);
      if (has_modes)
        {
          gmcp_json_writer_member_empty (writer, "form");
          gmcp_json_writer_member_empty (writer, "url");
        }
      gmcp_json_writer_end_object (writer);
    }
  if (gmcp_input_listens (self) && input_of (self)->allow_sampling)
    {
      input_of (self)->declared |= GMCP_CLIENT_ABILITY_SAMPLING;
      gmcp_json_writer_key (writer, "sampling");
      gmcp_json_writer_begin_object (writer);
      if (has_modes)
        gmcp_json_writer_member_empty (writer, "tools");
      gmcp_json_writer_end_object (writer);
    }
  input_of (self)->declares_roots = input_of (self)->roots != NULL && !is_silenced (self);
  if (input_of (self)->declares_roots)
    {
      input_of (self)->declared |= GMCP_CLIENT_ABILITY_ROOTS;
      gmcp_json_writer_key (writer, "roots");
      gmcp_json_writer_begin_object (writer);
      if (!modern)
        gmcp_json_writer_member_boolean (writer, "listChanged", TRUE);
      gmcp_json_writer_end_object (writer);
    }
}

typedef GmcpInputRequest *(*MakeFunc) (GmcpSession *self,
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
make_elicitation (GmcpSession *self, GmcpJsonValue params, char **answer, GError **error)
{
  g_autoptr (GError) reason = NULL;
  GmcpElicitation *elicitation;
  gsize n_bytes;

  /* The user is asked nothing, and the call goes on without an answer. */
  if (!gmcp_kept_charge_question (self, params, GMCP_LIMIT_ELICITATION_BYTES, &n_bytes, &reason))
    {
      g_info ("%s", reason->message);
      *answer = g_strdup (GMCP_ELICITATION_ANSWER_DECLINE);
      return NULL;
    }

  elicitation = gmcp_elicitation_new_from_value (params, matches_pattern, error);
  gmcp_kept_give (self, elicitation, n_bytes);
  if (elicitation == NULL)
    {
      g_prefix_error (error, _ ("%s asked the user something that cannot be shown: "),
                      gmcp_session_describe (self));
      return NULL;
    }
  if (gmcp_input_listens (self))
    return GMCP_INPUT_REQUEST (elicitation);

  g_object_unref (elicitation);
  *answer = g_strdup (GMCP_ELICITATION_ANSWER_DECLINE);
  return NULL;
}

static GmcpInputRequest *
make_sampling (GmcpSession *self, GmcpJsonValue params, char **answer, GError **error)
{
  g_autoptr (GError) reason = NULL;
  GmcpSampling *sampling;
  gsize n_bytes;

  if (!input_of (self)->allow_sampling || !gmcp_input_listens (self))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INPUT_REFUSED,
                   _ ("%s wanted to use this program's model, which is not allowed; it can be "
                      "allowed in the server's settings"),
                   gmcp_session_describe (self));
      return NULL;
    }

  if (!gmcp_kept_charge_question (self, params, GMCP_LIMIT_SAMPLING_BYTES, &n_bytes, &reason))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INPUT_REFUSED, reason->message);
      return NULL;
    }

  sampling = gmcp_sampling_new_from_value (params, error);
  gmcp_kept_give (self, sampling, n_bytes);
  if (sampling == NULL)
    g_prefix_error (error, _ ("%s asked the model something that cannot be read: "),
                    gmcp_session_describe (self));
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
answer_roots (GmcpSession *self, GmcpJsonValue params, char **answer, GError **error)
{
  GListModel *roots = input_of (self)->roots;
  GString *json;
  GmcpJsonWriter writer;

  if (!input_of (self)->declares_roots)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                   _ ("%s asked for folders to work in, and this program has named none"),
                   gmcp_session_describe (self));
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
gmcp_input_make_request (GmcpSession *self,
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
          gmcp_input_request_set_asker (request, gmcp_session_describe (self), subject);
        return request;
      }

  raw = gmcp_json_value_dup_raw (method);
  shown = gmcp_protocol_shorten (raw != NULL ? raw : "");
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
               _ ("%s asked for input of a kind that is not known: %s"),
               gmcp_session_describe (self), shown);
  return NULL;
}

GError *
gmcp_input_new_timeout_error (GmcpSession *self, const char *subject)
{
  return g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                      /* Translators: a tool's name, a server's name, a number */
                      _ ("“%s” on %s asked for input, which was not given within %u ms"),
                      subject != NULL ? subject : _ ("a request"), gmcp_session_describe (self),
                      input_of (self)->timeout_ms);
}
