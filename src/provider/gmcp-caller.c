/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-caller-struct-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

/**
 * GmcpCaller:
 *
 * Who calls a tool, reads a resource or gets a prompt: the client of a [class@Gmcp.Server], or the
 * host that loaded the provider. What a handler says and asks through it goes to that one client
 * alone, in the course of that one call.
 *
 * [method@Gmcp.ToolCall.get_caller] and [method@Gmcp.ProviderRequest.get_caller] give it. A caller
 * may be kept; when its call has ended nothing is told any more, and questions fail.
 *
 * Since: 0.1
 */
G_DEFINE_FINAL_TYPE (GmcpCaller, gmcp_caller, G_TYPE_OBJECT)

typedef enum
{
  PROP_USER = 1,
} GmcpCallerProperty;

static GParamSpec *properties[PROP_USER + 1];

static void
gmcp_caller_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpCaller *self = GMCP_CALLER (object);

  switch ((GmcpCallerProperty) prop_id)
    {
    case PROP_USER:
      g_value_set_string (value, gmcp_caller_get_user (self));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_caller_finalize (GObject *object)
{
  GmcpCaller *self = GMCP_CALLER (object);

  if (self->destroy != NULL)
    self->destroy (self->data);
  g_clear_pointer (&self->context, g_main_context_unref);

  G_OBJECT_CLASS (gmcp_caller_parent_class)->finalize (object);
}

static void
gmcp_caller_class_init (GmcpCallerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_caller_get_property;
  object_class->finalize = gmcp_caller_finalize;

  /**
   * GmcpCaller:user: (getter get_user)
   *
   * Who the client is, as the transport verified it.
   *
   * Since: 0.1
   */
  properties[PROP_USER]
    = g_param_spec_string ("user", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_caller_init (GmcpCaller *self)
{
}

GmcpCaller *
gmcp_caller_new (const GmcpCallerFuncs *funcs, gpointer data, GDestroyNotify destroy)
{
  GmcpCaller *self = g_object_new (GMCP_TYPE_CALLER, NULL);

  self->funcs = funcs;
  self->data = data;
  self->destroy = destroy;
  self->thread = g_thread_self ();
  self->context = g_main_context_ref_thread_default ();
  return self;
}

/* One that was made of nothing is nowhere at home, and does nothing. */
gboolean
gmcp_caller_is_at_home (GmcpCaller *self)
{
  return self->thread == NULL || self->thread == g_thread_self ();
}

gboolean
gmcp_caller_is_asking (GmcpCaller *self)
{
  return self->n_asking > 0;
}

gboolean
gmcp_caller_is_called_again (GmcpCaller *self)
{
  return self->funcs != NULL && self->funcs->is_called_again (self->data);
}

guint64
gmcp_caller_get_connection_number (GmcpCaller *self)
{
  return self->funcs != NULL ? self->funcs->get_connection_number (self->data) : 0;
}

char *
gmcp_caller_dup_client_name (GmcpCaller *self)
{
  return self->funcs != NULL && self->funcs->dup_client_name != NULL
           ? self->funcs->dup_client_name (self->data)
           : g_strdup ("");
}

/**
 * gmcp_caller_get_client_info:
 * @self: a caller
 *
 * Gives what the client says of itself: good for logs, not for decisions.
 *
 * Returns: (transfer none) (nullable): the client's name and version, or %NULL where it did not say,
 *   or the caller is the host
 *
 * Since: 0.1
 */
GmcpImplementation *
gmcp_caller_get_client_info (GmcpCaller *self)
{
  g_return_val_if_fail (GMCP_IS_CALLER (self), NULL);

  return self->funcs != NULL ? self->funcs->get_client_info (self->data) : NULL;
}

/**
 * gmcp_caller_get_client_capabilities:
 * @self: a caller
 *
 * Gives what the client has said that it can do: with this request, or in revisions before 2026-07-28 when
 * it connected. [method@Gmcp.Capabilities.has] looks for an extension of the protocol
 * (`extensions/com.example~1notes`), whose settings [method@Gmcp.Capabilities.dup_json] has.
 *
 * A function that asks the user or the model need not look here before it does.
 *
 * Spec: MCP 2026-07-28, schema, `ClientCapabilities`.
 *
 * Returns: (transfer none) (nullable): the capabilities, or %NULL where the client is not known to have
 *   said, or the caller is the host
 *
 * Since: 0.1
 */
GmcpCapabilities *
gmcp_caller_get_client_capabilities (GmcpCaller *self)
{
  g_return_val_if_fail (GMCP_IS_CALLER (self), NULL);

  return self->funcs != NULL ? self->funcs->get_client_capabilities (self->data) : NULL;
}

/**
 * gmcp_caller_get_protocol_version:
 * @self: a caller
 *
 * Gives the revision of the protocol that the call came in.
 *
 * Returns: (transfer none) (nullable): a revision such as `2026-07-28`, or %NULL where the caller is
 *   the host
 *
 * Since: 0.1
 */
const char *
gmcp_caller_get_protocol_version (GmcpCaller *self)
{
  g_return_val_if_fail (GMCP_IS_CALLER (self), NULL);

  return self->funcs != NULL ? self->funcs->get_protocol_version (self->data) : NULL;
}

/**
 * gmcp_caller_get_user: (get-property user)
 * @self: a caller
 *
 * Gives who the client is, as the transport verified it: over HTTP the subject of the token that was
 * verified, over a Unix socket the user whose process it is. Unlike what the client says of itself,
 * decisions can rest on it. The same name can stand for two people where clients come both ways.
 *
 * Returns: (transfer none) (nullable): the user, or %NULL where nobody verified who it is, as over
 *   standard input and output, or the caller is the host
 *
 * Since: 0.1
 */
const char *
gmcp_caller_get_user (GmcpCaller *self)
{
  g_return_val_if_fail (GMCP_IS_CALLER (self), NULL);

  return self->funcs != NULL ? self->funcs->get_user (self->data) : NULL;
}

const char *
gmcp_caller_peek_program (GmcpCaller *self)
{
  return self->funcs != NULL && self->funcs->get_program != NULL
           ? self->funcs->get_program (self->data)
           : NULL;
}

/**
 * gmcp_caller_set_state_json:
 * @self: a caller
 * @state_json: (nullable): any JSON value as text, 64 KiB at most; %NULL for none
 * @error: return location for an error
 *
 * Keeps something for the rest of the call. A function that asks a client of revision 2026-07-28 is
 * called anew when the client has answered, perhaps in another process
 * ([method@Gmcp.Server.set_state_key]); what it has kept by then comes with the answer, and it need not
 * do again what it has found out before it asked. With any other caller the state stays with the call.
 *
 * The client carries the state, and could read it, so it is no place for a secret; it cannot change it,
 * nor use it for another request or ten minutes later.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @state_json is no JSON, and with `LIMIT_EXCEEDED`
 * where it is larger; what was kept before then stays.
 *
 * Spec: MCP 2026-07-28, basic/patterns/mrtr.
 *
 * Returns: whether it is kept
 *
 * Since: 0.1
 */
gboolean
gmcp_caller_set_state_json (GmcpCaller *self, const char *state_json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autofree char *compact = NULL;
  gsize length;

  g_return_val_if_fail (GMCP_IS_CALLER (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (state_json != NULL)
    {
      length = strlen (state_json);
      if (length > GMCP_LIMIT_HANDLER_STATE_BYTES)
        {
          g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                       _ ("The state of a call is larger than %u bytes"),
                       GMCP_LIMIT_HANDLER_STATE_BYTES);
          return FALSE;
        }
      doc = gmcp_json_doc_parse (state_json, length, NULL, 0, error);
      if (doc == NULL)
        return FALSE;
      compact = gmcp_json_value_dup_raw (gmcp_json_doc_get_root (doc));
    }

  if (self->funcs != NULL)
    self->funcs->keep_state (self->data, compact);
  return TRUE;
}

/**
 * gmcp_caller_dup_state_json:
 * @self: a caller
 *
 * Gives what [method@Gmcp.Caller.set_state_json] kept last, in this round of the call or in an
 * earlier one.
 *
 * Returns: (transfer full) (nullable): a JSON value as text, or %NULL where nothing is kept
 *
 * Since: 0.1
 */
char *
gmcp_caller_dup_state_json (GmcpCaller *self)
{
  g_return_val_if_fail (GMCP_IS_CALLER (self), NULL);

  return self->funcs != NULL ? g_strdup (self->funcs->get_state (self->data)) : NULL;
}

/**
 * gmcp_caller_end_stream:
 * @self: a caller
 * @retry_ms: after how many milliseconds the client is to come back
 *
 * Ends the HTTP connection on which a call came, while the call goes on: so that a call that takes long
 * need not hold a connection open. The client connects again, and gets what has come meanwhile.
 *
 * Only a client of revision 2025-11-25 in a session can come back; with any other nothing happens.
 *
 * Spec: MCP 2025-11-25, basic/transports, "Sending Messages to the Server".
 *
 * Returns: whether the connection was ended
 *
 * Since: 0.1
 */
gboolean
gmcp_caller_end_stream (GmcpCaller *self, guint retry_ms)
{
  g_return_val_if_fail (GMCP_IS_CALLER (self), FALSE);

  return self->funcs != NULL && self->funcs->end_stream != NULL
         && self->funcs->end_stream (self->data, retry_ms);
}

/**
 * gmcp_caller_hold_task:
 * @self: a caller
 *
 * Keeps a call from becoming a task until [method@Gmcp.Caller.begin_task]. A function whose tool lets
 * calls become tasks ([method@Gmcp.ToolBuilder.set_task_support]) calls this at once where it does not
 * know yet whether the work will take long, or has to ask first what it needs in order to begin. What it
 * asks by then is asked in the course of the call, and a result that it returns is the answer to it.
 *
 * Where this is not called, a call becomes a task as soon as the function has not answered it in the turn
 * of the main loop in which it was called.
 *
 * Returns: whether the call would become a task; %FALSE where it is one already, or its client or its
 *   tool has none
 *
 * Since: 0.1
 */
gboolean
gmcp_caller_hold_task (GmcpCaller *self)
{
  g_return_val_if_fail (GMCP_IS_CALLER (self), FALSE);

  return self->funcs != NULL && self->funcs->hold_task != NULL
         && self->funcs->hold_task (self->data);
}

/**
 * gmcp_caller_begin_task:
 * @self: a caller
 *
 * Makes a task of a call that [method@Gmcp.Caller.hold_task] has held, in this round of the call. The
 * client gets the task as its answer, and may go away; the function goes on as before: what it reports,
 * asks and returns goes to the task.
 *
 * Spec: MCP extension `io.modelcontextprotocol/tasks`, "Task Creation".
 *
 * Returns: whether the call is a task now
 *
 * Since: 0.1
 */
gboolean
gmcp_caller_begin_task (GmcpCaller *self)
{
  g_return_val_if_fail (GMCP_IS_CALLER (self), FALSE);

  return self->funcs != NULL && self->funcs->begin_task != NULL
         && self->funcs->begin_task (self->data);
}
