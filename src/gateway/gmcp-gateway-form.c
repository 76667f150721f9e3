/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-gateway-form-private.h"

#include <string.h>

#include <gmcp/config/filling/gmcp-config-input.h>
#include <gmcp/core/gmcp-visible-text.h>
#include <gmcp/protocol/questions/gmcp-elicitation.h>
#include <gmcp/provider/gmcp-call-permission.h>

#include "gmcp-elicitation-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-private.h"
#include "gmcp-protocol-private.h"

#define MEMBER_ANSWER "answer"
#define ANSWER_ONCE   "once"
#define ANSWER_ALWAYS "always"
#define MEMBER_VALUE  "value"

gboolean
gmcp_gateway_form_is_needed (GmcpInputRequest *request)
{
  return GMCP_IS_CALL_PERMISSION (request) || GMCP_IS_CONFIG_INPUT (request);
}

/* The schema of a form with one field that has to be filled in */

static GmcpJsonWriter
begin_schema (GString *json, const char *field, const char *title)
{
  GmcpJsonWriter writer = gmcp_json_writer_init (json);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "type", "object");
  gmcp_json_writer_key (&writer, "required");
  gmcp_json_writer_begin_array (&writer);
  gmcp_json_writer_string (&writer, field);
  gmcp_json_writer_end_array (&writer);
  gmcp_json_writer_key (&writer, "properties");
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, field);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "type", "string");
  gmcp_json_writer_member_string (&writer, "title", title);
  return writer;
}

static void
end_schema (GmcpJsonWriter *writer)
{
  gmcp_json_writer_end_object (writer);
  gmcp_json_writer_end_object (writer);
  gmcp_json_writer_end_object (writer);
}

static void
write_texts (GmcpJsonWriter *writer, const char *name, const char *const *texts)
{
  gmcp_json_writer_key (writer, name);
  gmcp_json_writer_begin_array (writer);
  for (guint i = 0; texts[i] != NULL; i++)
    gmcp_json_writer_string (writer, texts[i]);
  gmcp_json_writer_end_array (writer);
}

/* Whether a tool may be called */

static char *
make_permission_schema (gboolean is_changed)
{
  const char *const answers[] = { ANSWER_ONCE, ANSWER_ALWAYS, "no", NULL };
  const char *const titles[]
    = { _ ("Yes, this time"),
        is_changed ? _ ("Yes, and approve the tool as it is now") : _ ("Yes, always"), _ ("No"),
        NULL };
  GString *json = g_string_new (NULL);
  GmcpJsonWriter writer = begin_schema (json, MEMBER_ANSWER, _ ("May the tool be called?"));

  write_texts (&writer, "enum", answers);
  write_texts (&writer, "enumNames", titles);
  end_schema (&writer);
  return g_string_free (json, FALSE);
}

/* Each line of what was approved begins with a dash. */
static gboolean
was_approved_once (const char *change)
{
  return *change == '-' || strstr (change, "\n- ") != NULL;
}

static char *
describe_change (const char *name, const char *server, const char *change)
{
  g_autofree char *shown = gmcp_dup_visible_text (change);

  if (was_approved_once (change))
    /* Translators: the name of a tool, of its server, and lines of what was (-) and what is now (+) */
    return g_strdup_printf (_ ("The tool %s of %s has changed since it was approved:\n%s"), name,
                            server, shown);
  /* Translators: the name of a tool, of its server, and lines of what it is */
  return g_strdup_printf (_ ("The tool %s of %s is new, and nobody has approved it:\n%s"), name,
                          server, shown);
}

static char *
describe_call (GmcpCallPermission *permission)
{
  GmcpTool *tool = gmcp_call_permission_get_tool (permission);
  const char *server = gmcp_input_request_get_server_name (GMCP_INPUT_REQUEST (permission));
  const char *change = gmcp_call_permission_get_change (permission);
  g_autofree char *name
    = gmcp_dup_visible_line (gmcp_definition_get_name (GMCP_DEFINITION (tool)), 0);
  g_autofree char *shown_server = gmcp_dup_visible_line (server != NULL ? server : "", 0);
  g_autofree char *arguments
    = gmcp_dup_visible_line (gmcp_call_permission_get_arguments_json (permission), 0);
  g_autofree char *changed = change != NULL ? describe_change (name, shown_server, change) : NULL;
  g_autofree char *called
    /* Translators: the name of a tool, of its server, and JSON */
    = g_strdup_printf (_ ("The tool %s of %s is to be called with %s"), name, shown_server,
                       arguments);

  return changed != NULL ? g_strdup_printf ("%s\n%s", changed, called) : g_steal_pointer (&called);
}

/* NULL where it is more than can be shown: nobody allows what they have not seen. */
static GmcpInputRequest *
make_permission_form (GmcpCallPermission *permission)
{
  g_autofree char *message = describe_call (permission);
  g_autofree char *schema = NULL;

  if (strlen (message) > GMCP_GATEWAY_FORM_MAX_BYTES)
    return NULL;

  schema = make_permission_schema (gmcp_call_permission_get_change (permission) != NULL);
  return GMCP_INPUT_REQUEST (gmcp_elicitation_new (message, schema, NULL));
}

static gboolean
allow_call (GmcpCallPermission *permission, GmcpJsonValue content)
{
  GmcpJsonValue answer = gmcp_json_value_get_member (content, MEMBER_ANSWER);

  if (gmcp_json_value_equals_string (answer, ANSWER_ONCE))
    gmcp_call_permission_allow_once (permission);
  else if (gmcp_json_value_equals_string (answer, ANSWER_ALWAYS))
    gmcp_call_permission_allow_always (permission);
  else
    return FALSE;
  return TRUE;
}

/* A value of the configuration */

static GmcpInputRequest *
make_value_form (GmcpConfigInput *input)
{
  const char *description = gmcp_config_input_get_description (input);
  const char *server = gmcp_input_request_get_server_name (GMCP_INPUT_REQUEST (input));
  g_autofree char *shown_server = gmcp_dup_visible_line (server != NULL ? server : "", 0);
  g_autofree char *id = gmcp_dup_visible_line (gmcp_config_input_get_id (input), 0);
  g_autofree char *what = gmcp_dup_visible_line (description != NULL ? description : "", 0);
  GString *schema = g_string_new (NULL);
  GmcpJsonWriter writer = begin_schema (schema, MEMBER_VALUE, id);
  g_autoptr (GString) message = g_string_new (NULL);
  GmcpElicitation *form;

  /* Translators: the name of a server, and of a value */
  g_string_append_printf (message, _ ("The server %s needs the value “%s” to start"), shown_server,
                          id);
  if (*what != '\0')
    {
      g_string_append_printf (message, ": %s", what);
      gmcp_json_writer_member_string (&writer, "description", what);
    }
  end_schema (&writer);
  form = gmcp_elicitation_new (message->str, schema->str, NULL);
  g_string_free (schema, TRUE);
  return GMCP_INPUT_REQUEST (form);
}

GmcpInputRequest *
gmcp_gateway_form_new_page (GmcpInputRequest *request, const char *address)
{
  GmcpConfigInput *input = GMCP_CONFIG_INPUT (request);
  const char *server = gmcp_input_request_get_server_name (request);
  g_autofree char *shown_server = gmcp_dup_visible_line (server != NULL ? server : "", 0);
  g_autofree char *id = gmcp_dup_visible_line (gmcp_config_input_get_id (input), 0);
  g_autofree char *message
    /* Translators: the name of a server, and of a value */
    = g_strdup_printf (_ ("The server %s needs the secret value “%s” to start; it is given in the "
                          "dashboard, which “gmcp dashboard” signs you in to"),
                       shown_server, id);

  return GMCP_INPUT_REQUEST (gmcp_elicitation_new_for_url (message, address, NULL));
}

static gboolean
give_value (GmcpConfigInput *input, GmcpJsonValue content)
{
  g_autofree char *value
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (content, MEMBER_VALUE));

  if (value != NULL)
    gmcp_config_input_accept (input, value);
  return value != NULL;
}

GmcpInputRequest *
gmcp_gateway_form_new (GmcpInputRequest *request)
{
  if (GMCP_IS_CALL_PERMISSION (request))
    return make_permission_form (GMCP_CALL_PERMISSION (request));
  return !gmcp_config_input_is_secret (GMCP_CONFIG_INPUT (request))
           ? make_value_form (GMCP_CONFIG_INPUT (request))
           : NULL;
}

/* What a server asks */

static void
unref_closure_data (gpointer data, GClosure *closure)
{
  g_object_unref (data);
}

static char *
name_asker (GmcpElicitation *asked)
{
  const char *server = gmcp_input_request_get_server_name (GMCP_INPUT_REQUEST (asked));
  g_autofree char *shown = gmcp_dup_visible_line (server != NULL ? server : "", 0);

  /* Translators: the name of a server, and the server's text */
  return g_strdup_printf (_ ("%s asks: %s"), shown, gmcp_elicitation_get_message (asked));
}

GmcpInputRequest *
gmcp_gateway_form_new_named (GmcpElicitation *asked)
{
  g_autofree char *message = name_asker (asked);
  GString *written = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (written);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpElicitation *named;
  GmcpJsonIter iter;
  GmcpJsonValue key, value;

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "message", message);
  gmcp_json_iter_init (&iter, gmcp_input_request_get_params_value (GMCP_INPUT_REQUEST (asked)));
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (!g_str_equal (name, "message"))
        gmcp_json_writer_member_value (&writer, name, value);
    }
  gmcp_json_writer_end_object (&writer);
  doc = gmcp_protocol_take_written (written);
  named = gmcp_elicitation_new_from_value (gmcp_json_doc_get_root (doc), NULL, NULL);

  /* Whom it was put to is told when all is done at an address, however long that takes. */
  g_signal_connect_data (asked, "completed", G_CALLBACK (gmcp_elicitation_complete),
                         g_object_ref (named), unref_closure_data, G_CONNECT_SWAPPED);
  return GMCP_INPUT_REQUEST (named);
}

static gboolean
is_accepted (GmcpJsonDoc *doc)
{
  GmcpJsonValue root = doc != NULL ? gmcp_json_doc_get_root (doc) : GMCP_JSON_NONE;

  return gmcp_json_value_equals_string (gmcp_json_value_get_member (root, "action"), "accept");
}

gboolean
gmcp_gateway_form_is_visited (const char *answer_json)
{
  g_autoptr (GmcpJsonDoc) doc
    = gmcp_json_doc_parse (answer_json, strlen (answer_json), NULL, 0, NULL);

  return is_accepted (doc);
}

gboolean
gmcp_gateway_form_take_answer (GmcpInputRequest *request, const char *answer_json)
{
  g_autoptr (GmcpJsonDoc) doc
    = gmcp_json_doc_parse (answer_json, strlen (answer_json), NULL, 0, NULL);
  GmcpJsonValue content;

  if (!is_accepted (doc))
    return FALSE;

  content = gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "content");
  return GMCP_IS_CALL_PERMISSION (request) ? allow_call (GMCP_CALL_PERMISSION (request), content)
                                           : give_value (GMCP_CONFIG_INPUT (request), content);
}
