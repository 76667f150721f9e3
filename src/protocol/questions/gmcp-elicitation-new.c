/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-elicitation-private.h"

#include <gmcp/core/gmcp-error.h>
#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"

/* Questions of our own: what a server made with this library asks. */

static GmcpElicitation *
new_written (GString *written, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_protocol_take_written (written);

  return gmcp_elicitation_new_from_value (gmcp_json_doc_get_root (doc), NULL, error);
}

static gboolean
is_simple_form (GmcpJsonValue schema, GError **error)
{
  GmcpJsonValue type = gmcp_json_value_get_member (schema, "type");

  if (gmcp_json_value_equals_string (type, "object")
      && gmcp_json_value_is_object (gmcp_json_value_get_member (schema, "properties")))
    return TRUE;

  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                       _ ("the schema of a form has the type “object” and “properties”"));
  return FALSE;
}

/* A server of others may ask with a field that is not known here; one that is made here may not. */
static gboolean
has_simple_fields (GmcpElicitation *self, GError **error)
{
  GListModel *fields = gmcp_elicitation_get_fields (self);

  for (guint i = 0; i < g_list_model_get_n_items (fields); i++)
    {
      g_autoptr (GmcpElicitationField) field = g_list_model_get_item (fields, i);

      if (gmcp_elicitation_field_get_kind (field) != GMCP_ELICITATION_FIELD_KIND_UNKNOWN)
        continue;
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                   _ ("the field “%s” is neither a text, a number, a yes or no, nor a choice"),
                   gmcp_elicitation_field_get_name (field));
      return FALSE;
    }
  return TRUE;
}

/**
 * gmcp_elicitation_new:
 * @message: what is wanted and why, for people
 * @schema_json: the fields of the form, as a JSON Schema of an object as text
 * @error: return location for an error
 *
 * Makes a question to the user of whoever calls a tool, for [method@Gmcp.Caller.ask_async]. The
 * schema has fields of simple types only, see the specification. Secrets are not asked for in a form:
 * [ctor@Gmcp.Elicitation.new_for_url] is for these.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @schema_json is no JSON, and with `PROTOCOL`
 * where it is no form.
 *
 * Spec: MCP 2026-07-28, client/elicitation, "Requested Schema".
 *
 * Returns: (transfer full): a new question
 *
 * Since: 0.1
 */
GmcpElicitation *
gmcp_elicitation_new (const char *message, const char *schema_json, GError **error)
{
  g_autoptr (GmcpJsonDoc) schema = NULL;
  g_autoptr (GmcpElicitation) self = NULL;
  GString *written;
  GmcpJsonWriter writer;

  g_return_val_if_fail (message != NULL, NULL);
  g_return_val_if_fail (schema_json != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  schema = gmcp_json_doc_parse (schema_json, strlen (schema_json), NULL, 0, error);
  if (schema == NULL || !is_simple_form (gmcp_json_doc_get_root (schema), error))
    return NULL;

  written = g_string_new (NULL);
  writer = gmcp_json_writer_init (written);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "message", message);
  gmcp_json_writer_member_value (&writer, "requestedSchema", gmcp_json_doc_get_root (schema));
  gmcp_json_writer_end_object (&writer);
  self = new_written (written, error);
  return self != NULL && has_simple_fields (self, error) ? g_steal_pointer (&self) : NULL;
}

/**
 * gmcp_elicitation_ends_call: (get-property ends-call)
 * @self: a question that is an address
 *
 * Tells whether the call that asks ends with the question.
 *
 * Returns: whether it does
 *
 * Since: 0.1
 */
gboolean
gmcp_elicitation_ends_call (GmcpElicitation *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION (self), FALSE);

  return self->ends_call;
}

/**
 * gmcp_elicitation_set_ends_call: (set-property ends-call)
 * @self: a question that is an address
 * @ends_call: whether the call ends with it
 *
 * Says that the call cannot be made before the user has been at the address, so that it need not wait for
 * that: [property@Gmcp.Elicitation:ends-call]. To be set before the question is asked.
 *
 * Since: 0.1
 */
void
gmcp_elicitation_set_ends_call (GmcpElicitation *self, gboolean ends_call)
{
  g_return_if_fail (GMCP_IS_ELICITATION (self));

  if (self->ends_call == !!ends_call)
    return;

  self->ends_call = !!ends_call;
  g_object_notify (G_OBJECT (self), "ends-call");
}

/**
 * gmcp_elicitation_new_for_url:
 * @message: what is to be done there and why, for people
 * @url: the address, of http or https
 * @error: return location for an error
 *
 * Makes a question that the user answers at an address, which the client sees nothing of, for
 * [method@Gmcp.Caller.ask_async]. The answer says whether the user has agreed to go there, and not that all
 * is done there: a program that finds out calls [method@Gmcp.Elicitation.complete], of which a client of
 * revision 2025-11-25 is told.
 *
 * Fails with [error@Gmcp.Error] `PROTOCOL` where @url is none that can be visited.
 *
 * Spec: MCP 2026-07-28, client/elicitation, "URL Mode Elicitation Requests".
 *
 * Returns: (transfer full): a new question
 *
 * Since: 0.1
 */
GmcpElicitation *
gmcp_elicitation_new_for_url (const char *message, const char *url, GError **error)
{
  g_autofree char *id = g_uuid_string_random ();
  GString *written;
  GmcpJsonWriter writer;

  g_return_val_if_fail (message != NULL, NULL);
  g_return_val_if_fail (url != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  written = g_string_new (NULL);
  writer = gmcp_json_writer_init (written);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "mode", "url");
  gmcp_json_writer_member_string (&writer, "message", message);
  gmcp_json_writer_member_string (&writer, "url", url);
  gmcp_json_writer_member_string (&writer, "elicitationId", id);
  gmcp_json_writer_end_object (&writer);
  return new_written (written, error);
}
