/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-elicitation-private.h"

#include "gmcp-elicitation-field-private.h"
#include "gmcp-elicitation-url-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

#include <gmcp/core/gmcp-error.h>

/**
 * GmcpElicitation:
 *
 * A question of a server to the user. Either a form ([method@Gmcp.Elicitation.get_fields]), or an
 * address that the user is to visit ([method@Gmcp.Elicitation.get_url]).
 *
 * Show the user which server asks ([property@Gmcp.InputRequest:server-name]), what
 * ([method@Gmcp.Elicitation.get_message]), and let them answer, refuse or close the question:
 * [method@Gmcp.Elicitation.accept], [method@Gmcp.InputRequest.decline],
 * [method@Gmcp.InputRequest.cancel]. An address is opened only after the user has seen it in full and
 * agreed; nothing is fetched from it before.
 *
 * Spec: MCP 2026-07-28, client/elicitation.
 *
 * Since: 0.1
 */
typedef enum
{
  PROP_MODE = 1,
  PROP_MESSAGE,
  PROP_FIELDS,
  PROP_URL,
  PROP_URL_HOST,
  PROP_URL_WARNING,
  PROP_ELICITATION_ID,
  PROP_ENDS_CALL,
  PROP_AWAITED,
} GmcpElicitationProperty;

static GParamSpec *properties[PROP_AWAITED + 1];

G_DEFINE_FINAL_TYPE (GmcpElicitation, gmcp_elicitation, GMCP_TYPE_INPUT_REQUEST)

enum
{
  SIGNAL_COMPLETED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
gmcp_elicitation_decline (GmcpInputRequest *request)
{
  gmcp_input_request_answer (request, GMCP_ELICITATION_ANSWER_DECLINE);
}

static void
gmcp_elicitation_cancel (GmcpInputRequest *request)
{
  gmcp_input_request_answer (request, GMCP_ELICITATION_ANSWER_CANCEL);
}

static void
gmcp_elicitation_finalize (GObject *object)
{
  GmcpElicitation *self = GMCP_ELICITATION (object);

  g_free (self->message);
  g_clear_object (&self->fields);
  g_free (self->url);
  g_free (self->host);
  g_free (self->elicitation_id);

  G_OBJECT_CLASS (gmcp_elicitation_parent_class)->finalize (object);
}

static void
gmcp_elicitation_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpElicitation *self = GMCP_ELICITATION (object);

  switch ((GmcpElicitationProperty) prop_id)
    {
    case PROP_MODE:
      g_value_set_enum (value, gmcp_elicitation_get_mode (self));
      break;
    case PROP_MESSAGE:
      g_value_set_string (value, gmcp_elicitation_get_message (self));
      break;
    case PROP_FIELDS:
      g_value_set_object (value, gmcp_elicitation_get_fields (self));
      break;
    case PROP_URL:
      g_value_set_string (value, gmcp_elicitation_get_url (self));
      break;
    case PROP_URL_HOST:
      g_value_set_string (value, gmcp_elicitation_get_url_host (self));
      break;
    case PROP_URL_WARNING:
      g_value_set_string (value, gmcp_elicitation_get_url_warning (self));
      break;
    case PROP_ELICITATION_ID:
      g_value_set_string (value, gmcp_elicitation_get_elicitation_id (self));
      break;
    case PROP_ENDS_CALL:
      g_value_set_boolean (value, gmcp_elicitation_ends_call (self));
      break;
    case PROP_AWAITED:
      g_value_set_boolean (value, gmcp_elicitation_is_awaited (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_elicitation_set_property (GObject *object,
                               guint prop_id,
                               const GValue *value,
                               GParamSpec *pspec)
{
  if (prop_id == PROP_ENDS_CALL)
    gmcp_elicitation_set_ends_call (GMCP_ELICITATION (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  /**
   * GmcpElicitation:mode: (getter get_mode)
   *
   * Whether a form is to be filled in or an address to be opened.
   *
   * Since: 0.1
   */
  properties[PROP_MODE] = g_param_spec_enum ("mode", NULL, NULL, GMCP_TYPE_ELICITATION_MODE,
                                             GMCP_ELICITATION_MODE_FORM, flags);

  /**
   * GmcpElicitation:message: (getter get_message)
   *
   * What the server asks, for people.
   *
   * Since: 0.1
   */
  properties[PROP_MESSAGE] = g_param_spec_string ("message", NULL, NULL, NULL, flags);

  /**
   * GmcpElicitation:fields: (getter get_fields)
   *
   * The fields of the form, a list of [class@Gmcp.ElicitationField].
   *
   * Since: 0.1
   */
  properties[PROP_FIELDS] = g_param_spec_object ("fields", NULL, NULL, G_TYPE_LIST_MODEL, flags);

  /**
   * GmcpElicitation:url: (getter get_url)
   *
   * The address to be opened; %NULL where it is a form.
   *
   * Since: 0.1
   */
  properties[PROP_URL] = g_param_spec_string ("url", NULL, NULL, NULL, flags);

  /**
   * GmcpElicitation:url-host: (getter get_url_host)
   *
   * The host of the address, to be shown before it is opened.
   *
   * Since: 0.1
   */
  properties[PROP_URL_HOST] = g_param_spec_string ("url-host", NULL, NULL, NULL, flags);

  /**
   * GmcpElicitation:url-warning: (getter get_url_warning)
   *
   * What is suspect about the address; %NULL where nothing is.
   *
   * Since: 0.1
   */
  properties[PROP_URL_WARNING] = g_param_spec_string ("url-warning", NULL, NULL, NULL, flags);

  /**
   * GmcpElicitation:elicitation-id: (getter get_elicitation_id)
   *
   * The id of a question that is an address.
   *
   * Since: 0.1
   */
  properties[PROP_ELICITATION_ID] = g_param_spec_string ("elicitation-id", NULL, NULL, NULL, flags);

  /**
   * GmcpElicitation:ends-call: (getter ends_call) (setter set_ends_call)
   *
   * Whether the call of a tool that asks this ends with it, and is made again once the user has been at the
   * address; of a question that a program asks with [method@Gmcp.Caller.ask_async], and that is an address.
   *
   * The question fails then, with the error -32042 to a client of revision 2025-11-25, and the function
   * returns that error. With one of 2026-07-28 a call ends with each question, and a host is asked as with
   * any other.
   *
   * Spec: MCP 2025-11-25, client/elicitation, "URL Elicitation Required Error".
   *
   * Since: 0.1
   */
  properties[PROP_ENDS_CALL]
    = g_param_spec_boolean ("ends-call", NULL, NULL, FALSE, flags | G_PARAM_WRITABLE);

  /**
   * GmcpElicitation:awaited: (getter is_awaited)
   *
   * Whether a call waits until all is done at the address that the user has agreed to visit.
   *
   * A server of 2025-11-25 may refuse a call until then. The server tells when it is done, but need not:
   * let the user say so, too ([method@Gmcp.Elicitation.complete]), or give it up
   * ([method@Gmcp.Elicitation.abandon]). It is %FALSE again once this is done, or the call has ended.
   *
   * Spec: MCP 2025-11-25, client/elicitation, "URL Elicitation Required Error".
   *
   * Since: 0.1
   */
  properties[PROP_AWAITED] = g_param_spec_boolean ("awaited", NULL, NULL, FALSE, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_elicitation_class_init (GmcpElicitationClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_elicitation_get_property;
  object_class->set_property = gmcp_elicitation_set_property;
  object_class->finalize = gmcp_elicitation_finalize;
  install_properties (object_class);
  GMCP_INPUT_REQUEST_CLASS (klass)->decline = gmcp_elicitation_decline;
  GMCP_INPUT_REQUEST_CLASS (klass)->cancel = gmcp_elicitation_cancel;

  /**
   * GmcpElicitation::completed:
   * @self: the question
   *
   * What the user was to do at the address is done: the server says so, or
   * [method@Gmcp.Elicitation.complete] was called. Servers need not say so, and modern ones do not.
   *
   * Spec: MCP 2025-11-25, client/elicitation, "Completion Notifications for URL Mode Elicitation".
   *
   * Since: 0.1
   */
  signals[SIGNAL_COMPLETED] = g_signal_new ("completed", GMCP_TYPE_ELICITATION, G_SIGNAL_RUN_LAST,
                                            0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
gmcp_elicitation_init (GmcpElicitation *self)
{
  self->fields = gmcp_object_list_new (GMCP_TYPE_ELICITATION_FIELD);
}

static gboolean
is_required (GmcpJsonValue required, const char *name)
{
  GmcpJsonIter iter;
  GmcpJsonValue item;

  if (!gmcp_json_value_is_array (required))
    return FALSE;
  gmcp_json_iter_init (&iter, required);
  while (gmcp_json_iter_next (&iter, NULL, &item))
    if (gmcp_json_value_equals_string (item, name))
      return TRUE;
  return FALSE;
}

static gboolean
read_form (GmcpElicitation *self,
           GmcpJsonValue params,
           GmcpElicitationMatchFunc matches,
           GError **error)
{
  GmcpJsonValue schema = gmcp_json_value_get_member (params, "requestedSchema");
  GmcpJsonValue field_schemas = gmcp_json_value_get_member (schema, "properties");
  GmcpJsonValue required = gmcp_json_value_get_member (schema, "required");
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  GmcpJsonIter iter;
  GmcpJsonValue key, value;

  if (!gmcp_json_value_is_object (schema)
      || (gmcp_json_value_is_present (field_schemas) && !gmcp_json_value_is_object (field_schemas)))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                           _ ("the form has no fields that can be read"));
      return FALSE;
    }
  if (!gmcp_json_value_is_present (field_schemas))
    return TRUE;
  if (gmcp_json_value_get_length (field_schemas) > GMCP_LIMIT_INPUT_FIELDS
      || gmcp_json_value_get_length (required) > GMCP_LIMIT_INPUT_FIELDS)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("the form has more than %u fields"), GMCP_LIMIT_INPUT_FIELDS);
      return FALSE;
    }

  gmcp_json_iter_init (&iter, field_schemas);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      GmcpElicitationField *field;

      /* The last of doubled members counts. */
      value = gmcp_json_value_get_member (field_schemas, name);
      if (g_hash_table_contains (names, name))
        continue;
      field = gmcp_elicitation_field_new (name, value, is_required (required, name), matches);
      g_hash_table_add (names, (gpointer) gmcp_elicitation_field_get_name (field));
      g_ptr_array_add (fields, field);
    }
  gmcp_object_list_set_items (self->fields, (gpointer const *) fields->pdata, fields->len);
  return TRUE;
}

static gboolean
read_url (GmcpElicitation *self, GmcpJsonValue params, GError **error)
{
  self->mode = GMCP_ELICITATION_MODE_URL;
  self->url = gmcp_json_value_dup_string (gmcp_json_value_get_member (params, "url"));
  self->elicitation_id
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (params, "elicitationId"));
  self->host = gmcp_elicitation_url_check (self->url, error);
  return self->host != NULL;
}

GmcpElicitation *
gmcp_elicitation_new_from_value (GmcpJsonValue params,
                                 GmcpElicitationMatchFunc matches,
                                 GError **error)
{
  g_autoptr (GmcpElicitation) self = g_object_new (GMCP_TYPE_ELICITATION, NULL);
  GmcpJsonValue mode = gmcp_json_value_get_member (params, "mode");

  gmcp_input_request_set_params (GMCP_INPUT_REQUEST (self), params);
  self->message = gmcp_json_value_dup_string (gmcp_json_value_get_member (params, "message"));
  if (self->message == NULL)
    self->message = g_strdup ("");

  if (!gmcp_json_value_is_present (mode) || gmcp_json_value_equals_string (mode, "form"))
    return read_form (self, params, matches, error) ? g_steal_pointer (&self) : NULL;
  if (gmcp_json_value_equals_string (mode, "url"))
    return read_url (self, params, error) ? g_steal_pointer (&self) : NULL;

  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                       _ ("it is neither a form nor an address"));
  return NULL;
}

gboolean
gmcp_elicitation_was_accepted (GmcpElicitation *self)
{
  return self->accepted;
}

/**
 * gmcp_elicitation_get_mode:
 * @self: a question
 *
 * Gives how the server asks.
 *
 * Returns: by a form or by an address
 *
 * Since: 0.1
 */
GmcpElicitationMode
gmcp_elicitation_get_mode (GmcpElicitation *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION (self), GMCP_ELICITATION_MODE_FORM);

  return self->mode;
}

/**
 * gmcp_elicitation_get_message:
 * @self: a question
 *
 * Gives what the server wants and why, for people. It is the server's text, and no more to be
 * trusted than the server; addresses in it should not be shown as links.
 *
 * Returns: (transfer none): the message; empty where the server sent none
 *
 * Since: 0.1
 */
const char *
gmcp_elicitation_get_message (GmcpElicitation *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION (self), NULL);

  return self->message;
}

/**
 * gmcp_elicitation_get_fields:
 * @self: a question
 *
 * Gives the fields of the form, in the server's order.
 *
 * Returns: (transfer none): a list of [class@Gmcp.ElicitationField], which does not change; empty
 *   for an address
 *
 * Since: 0.1
 */
GListModel *
gmcp_elicitation_get_fields (GmcpElicitation *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION (self), NULL);

  return G_LIST_MODEL (self->fields);
}

/**
 * gmcp_elicitation_get_field:
 * @self: a question
 * @name: the name of a field
 *
 * Finds a field of the form.
 *
 * Returns: (transfer none) (nullable): the field, or %NULL where there is none of that name
 *
 * Since: 0.1
 */
GmcpElicitationField *
gmcp_elicitation_get_field (GmcpElicitation *self, const char *name)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < gmcp_object_list_get_length (self->fields); i++)
    {
      GmcpElicitationField *field = gmcp_object_list_peek (self->fields, i);

      if (g_str_equal (gmcp_elicitation_field_get_name (field), name))
        return field;
    }
  return NULL;
}

/**
 * gmcp_elicitation_get_url:
 * @self: a question
 *
 * Gives the address that the user is to visit. It is always one of http or https. Show it in full,
 * with [method@Gmcp.Elicitation.get_url_host] set off and
 * [method@Gmcp.Elicitation.get_url_warning] beside it, and ask before it is opened.
 *
 * Returns: (transfer none) (nullable): the address, or %NULL for a form
 *
 * Since: 0.1
 */
const char *
gmcp_elicitation_get_url (GmcpElicitation *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION (self), NULL);

  return self->url;
}

/**
 * gmcp_elicitation_get_url_host:
 * @self: a question
 *
 * Gives the host of the address, which is what the user has to know.
 *
 * Returns: (transfer none) (nullable): the host, or %NULL for a form
 *
 * Since: 0.1
 */
const char *
gmcp_elicitation_get_url_host (GmcpElicitation *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION (self), NULL);

  return self->host;
}

/**
 * gmcp_elicitation_get_url_warning:
 * @self: a question
 *
 * Gives what is suspicious about the address: letters that may stand for others, a user's name
 * before the host, no encryption.
 *
 * Returns: (transfer none) (nullable): a sentence for people, or %NULL where there is nothing to
 *   warn of
 *
 * Since: 0.1
 */
const char *
gmcp_elicitation_get_url_warning (GmcpElicitation *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION (self), NULL);

  return self->url != NULL ? gmcp_elicitation_url_get_warning (self->url, self->host) : NULL;
}

/**
 * gmcp_elicitation_get_elicitation_id:
 * @self: a question
 *
 * Gives the name by which the server says later that what was to be done at the address is done.
 *
 * Returns: (transfer none) (nullable): the id, or %NULL where there is none
 *
 * Since: 0.1
 */
const char *
gmcp_elicitation_get_elicitation_id (GmcpElicitation *self)
{
  g_return_val_if_fail (GMCP_IS_ELICITATION (self), NULL);

  return self->elicitation_id;
}
