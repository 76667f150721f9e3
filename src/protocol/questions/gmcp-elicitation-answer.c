/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-elicitation-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"

static gboolean
check_members (GmcpElicitation *self, GmcpJsonValue content, GError **error)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;

  if (!gmcp_json_value_is_present (content))
    return TRUE;
  if (!gmcp_json_value_is_object (content))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                           _ ("The answer to a form has to be a JSON object"));
      return FALSE;
    }

  gmcp_json_iter_init (&iter, content);
  while (gmcp_json_iter_next (&iter, &key, NULL))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (gmcp_elicitation_get_field (self, name) == NULL)
        {
          g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                       _ ("The form has no field “%s”"), name);
          return FALSE;
        }
    }
  return TRUE;
}

/* What is sent for a field: what was entered, else its default. */
static gboolean
write_field (GmcpElicitationField *field,
             GmcpJsonValue content,
             GmcpJsonWriter *writer,
             GError **error)
{
  GmcpJsonValue value = gmcp_json_value_get_member (content, field->name);

  if (!gmcp_json_value_is_present (value) && field->default_doc != NULL)
    value = gmcp_json_doc_get_root (field->default_doc);

  switch (gmcp_json_value_get_kind (value))
    {
    case GMCP_JSON_ABSENT:
    case GMCP_JSON_NULL:
      if (field->required)
        {
          g_autofree char *label = gmcp_elicitation_field_dup_label (field);

          g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                       _ ("“%s” has to be filled in"), label);
          return FALSE;
        }
      return TRUE;

    case GMCP_JSON_TRUE:
    case GMCP_JSON_FALSE:
    case GMCP_JSON_NUMBER:
    case GMCP_JSON_STRING:
    case GMCP_JSON_ARRAY:
    case GMCP_JSON_OBJECT:
    default:
      if (!gmcp_elicitation_field_check_value (field, value, error))
        return FALSE;
      gmcp_json_writer_member_value (writer, field->name, value);
      return TRUE;
    }
}

static gboolean
accept_value (GmcpElicitation *self, GmcpJsonValue content, GError **error)
{
  g_autoptr (GString) answer = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (answer);

  if (!check_members (self, content, error))
    return FALSE;

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "action", "accept");
  if (self->mode == GMCP_ELICITATION_MODE_FORM)
    {
      gmcp_json_writer_key (&writer, "content");
      gmcp_json_writer_begin_object (&writer);
      for (guint i = 0; i < gmcp_object_list_get_length (self->fields); i++)
        if (!write_field (gmcp_object_list_peek (self->fields, i), content, &writer, error))
          return FALSE;
      gmcp_json_writer_end_object (&writer);
    }
  gmcp_json_writer_end_object (&writer);

  if (gmcp_input_request_is_open (GMCP_INPUT_REQUEST (self)))
    self->accepted = TRUE;
  gmcp_input_request_answer (GMCP_INPUT_REQUEST (self), answer->str);
  return TRUE;
}

/**
 * gmcp_elicitation_accept:
 * @self: a question
 * @content: (nullable): a JSON object with what the user entered, by the names of the fields; %NULL
 *   for the defaults alone, and for an address
 * @error: return location for an error
 *
 * Answers that the user agrees. What @content does not hold is sent with its default where the
 * field has one; a JSON null leaves the field out.
 *
 * Fails with [error@Gmcp.Error] `INVALID_ARGUMENT`, with a message for people that names the field,
 * where something may not be entered or is missing; the question stays open then.
 *
 * Spec: MCP 2026-07-28, client/elicitation, "Response Actions".
 *
 * Returns: whether the answer was taken
 *
 * Since: 0.1
 */
gboolean
gmcp_elicitation_accept (GmcpElicitation *self, JsonNode *content, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (GMCP_IS_ELICITATION (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (content == NULL)
    return accept_value (self, GMCP_JSON_NONE, error);

  doc = gmcp_json_doc_from_node (content, error);
  return doc != NULL && accept_value (self, gmcp_json_doc_get_root (doc), error);
}

/**
 * gmcp_elicitation_accept_json:
 * @self: a question
 * @content_json: (nullable): the text of a JSON object with what the user entered, by the names of
 *   the fields; %NULL for the defaults alone, and for an address
 * @error: return location for an error
 *
 * The same as [method@Gmcp.Elicitation.accept], for JSON text. Numbers reach the server just as they
 * are written.
 *
 * Returns: whether the answer was taken
 *
 * Since: 0.1
 */
gboolean
gmcp_elicitation_accept_json (GmcpElicitation *self, const char *content_json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (GMCP_IS_ELICITATION (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (content_json == NULL)
    return accept_value (self, GMCP_JSON_NONE, error);

  doc = gmcp_json_doc_parse (content_json, strlen (content_json), NULL, 0, error);
  return doc != NULL && accept_value (self, gmcp_json_doc_get_root (doc), error);
}
