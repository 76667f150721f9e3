/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-tool-call-arguments-private.h"
#include "gmcp-tool-call-private.h"

#define NO_ARGUMENTS "{}"

/* What rules, people and the audit log see has to be what the server sees, and a server may take the
 * first of two members where this side takes the last. */
gboolean
gmcp_tool_call_check_arguments (GmcpJsonValue arguments, GError **error)
{
  const char *problem = NULL;

  if (!gmcp_json_value_is_object (arguments))
    problem = _ ("The arguments of a tool have to be a JSON object");
  else if (gmcp_json_value_has_doubled_members (arguments))
    problem = _ ("A name stands twice in one object of the arguments; each may stand there once");
  else
    return TRUE;

  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, problem);
  return FALSE;
}

/* Arguments that are no JSON are an invalid argument. */
static void
set_unreadable (GError *reason, GError **error)
{
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
               _ ("The arguments of the tool cannot be read: %s"), reason->message);
}

gboolean
gmcp_tool_call_read_arguments_json (const char *json, GmcpJsonDoc **out, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;

  *out = NULL;
  if (json == NULL)
    return TRUE;

  doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, &reason);
  if (doc == NULL)
    {
      set_unreadable (reason, error);
      return FALSE;
    }
  if (!gmcp_tool_call_check_arguments (gmcp_json_doc_get_root (doc), error))
    return FALSE;

  *out = g_steal_pointer (&doc);
  return TRUE;
}

gboolean
gmcp_tool_call_read_arguments_node (JsonNode *node, GmcpJsonDoc **out, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;

  *out = NULL;
  if (node == NULL)
    return TRUE;

  /* The caller may change the node while the call is under way. */
  doc = gmcp_json_doc_from_node (node, &reason);
  if (doc == NULL)
    {
      set_unreadable (reason, error);
      return FALSE;
    }
  if (!gmcp_tool_call_check_arguments (gmcp_json_doc_get_root (doc), error))
    return FALSE;

  *out = g_steal_pointer (&doc);
  return TRUE;
}

void
gmcp_tool_call_arguments_clear (GmcpToolCallArguments *self)
{
  g_clear_pointer (&self->view.doc, gmcp_json_doc_unref);
  g_clear_pointer (&self->doc, gmcp_json_doc_unref);
  g_clear_pointer (&self->node, json_node_unref);
  g_clear_pointer (&self->json, g_free);
}

void
gmcp_tool_call_arguments_set_view (GmcpToolCallArguments *self, GmcpJsonValue view)
{
  if (gmcp_json_value_is_present (view))
    gmcp_json_doc_ref (view.doc);
  self->view = view;
}

GmcpJsonValue
gmcp_tool_call_arguments_get_value (GmcpToolCallArguments *self)
{
  if (gmcp_json_value_is_present (self->view))
    return self->view;
  return self->doc != NULL ? gmcp_json_doc_get_root (self->doc) : GMCP_JSON_NONE;
}

GmcpJsonDoc *
gmcp_tool_call_arguments_get_doc (GmcpToolCallArguments *self)
{
  if (self->doc == NULL)
    self->doc = gmcp_json_value_copy_to_doc (self->view);
  return self->doc;
}

const char *
gmcp_tool_call_arguments_get_json (GmcpToolCallArguments *self)
{
  GmcpJsonValue value = gmcp_tool_call_arguments_get_value (self);

  if (!gmcp_json_value_is_present (value))
    return NO_ARGUMENTS;

  if (g_atomic_pointer_get (&self->json) == NULL)
    {
      char *json = gmcp_json_value_dup_raw (value);

      if (!g_atomic_pointer_compare_and_exchange (&self->json, NULL, json))
        g_free (json);
    }

  return self->json;
}

JsonNode *
gmcp_tool_call_arguments_get_node (GmcpToolCallArguments *self)
{
  GmcpJsonValue value = gmcp_tool_call_arguments_get_value (self);
  g_autoptr (GmcpJsonDoc) none = NULL;

  if (!gmcp_json_value_is_present (value) && self->node == NULL)
    {
      none = gmcp_json_doc_parse (NO_ARGUMENTS, strlen (NO_ARGUMENTS), NULL, 0, NULL);
      value = gmcp_json_doc_get_root (none);
    }
  return gmcp_protocol_cache_node (&self->node, value);
}

/* One of them */

static GmcpJsonValue
get_argument (GmcpToolCall *self, const char *name)
{
  return gmcp_json_value_get_member (gmcp_tool_call_get_arguments_value (self), name);
}

/**
 * gmcp_tool_call_has_argument:
 * @self: a call
 * @name: the name of an argument
 *
 * Says whether the caller gave an argument of that name, be it `null`.
 *
 * Returns: whether it is there
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_call_has_argument (GmcpToolCall *self, const char *name)
{
  g_return_val_if_fail (GMCP_IS_TOOL_CALL (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  return gmcp_json_value_is_present (get_argument (self, name));
}

/**
 * gmcp_tool_call_dup_string_argument:
 * @self: a call
 * @name: the name of an argument
 *
 * Gives an argument that is a string. This and its like take less than
 * [method@Gmcp.ToolCall.get_arguments], which makes a tree of all arguments; what stands deeper than the arguments
 * themselves is had there.
 *
 * Returns: (transfer full) (nullable): the string, with U+FFFD in place of U+0000; %NULL where the argument is missing
 *   or no string
 *
 * Since: 0.1
 */
char *
gmcp_tool_call_dup_string_argument (GmcpToolCall *self, const char *name)
{
  g_return_val_if_fail (GMCP_IS_TOOL_CALL (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return gmcp_json_value_dup_string (get_argument (self, name));
}

/**
 * gmcp_tool_call_get_int64_argument:
 * @self: a call
 * @name: the name of an argument
 * @fallback: what is given in place of one that is missing
 *
 * Gives an argument that is an integer, as `2` and `2.0` are.
 *
 * Returns: the number; @fallback where the argument is missing, no integer, or too large
 *
 * Since: 0.1
 */
gint64
gmcp_tool_call_get_int64_argument (GmcpToolCall *self, const char *name, gint64 fallback)
{
  gint64 number = fallback;

  g_return_val_if_fail (GMCP_IS_TOOL_CALL (self), fallback);
  g_return_val_if_fail (name != NULL, fallback);

  gmcp_json_value_get_int64 (get_argument (self, name), &number);
  return number;
}

/**
 * gmcp_tool_call_get_double_argument:
 * @self: a call
 * @name: the name of an argument
 * @fallback: what is given in place of one that is missing
 *
 * Gives an argument that is a number.
 *
 * Returns: the number; @fallback where the argument is missing or no number
 *
 * Since: 0.1
 */
double
gmcp_tool_call_get_double_argument (GmcpToolCall *self, const char *name, double fallback)
{
  double number = fallback;

  g_return_val_if_fail (GMCP_IS_TOOL_CALL (self), fallback);
  g_return_val_if_fail (name != NULL, fallback);

  gmcp_json_value_get_double (get_argument (self, name), &number);
  return number;
}

/**
 * gmcp_tool_call_get_boolean_argument:
 * @self: a call
 * @name: the name of an argument
 * @fallback: what is given in place of one that is missing
 *
 * Gives an argument that is `true` or `false`.
 *
 * Returns: which of them; @fallback where the argument is missing or something else
 *
 * Since: 0.1
 */
gboolean
gmcp_tool_call_get_boolean_argument (GmcpToolCall *self, const char *name, gboolean fallback)
{
  gboolean value = fallback;

  g_return_val_if_fail (GMCP_IS_TOOL_CALL (self), fallback);
  g_return_val_if_fail (name != NULL, fallback);

  gmcp_json_value_get_boolean (get_argument (self, name), &value);
  return value;
}
