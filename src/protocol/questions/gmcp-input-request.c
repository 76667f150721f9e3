/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-input-request-private.h"

#include "gmcp-later-private.h"

/**
 * GmcpInputRequest:
 *
 * A question to the user or to the host's model. All questions are answered in one way, whoever asks:
 *
 * | Question | Comes with | Yes |
 * | --- | --- | --- |
 * | [class@Gmcp.Elicitation]: a server asks the user | [signal@Gmcp.ToolProvider::input-requested], [signal@Gmcp.Client::input-requested] | `accept()` |
 * | [class@Gmcp.Sampling]: a server asks the host's model | the same two | `accept()` |
 * | [class@Gmcp.CallPermission]: may a tool be called? | [signal@Gmcp.ToolProvider::call-requested] | `allow_once()`, `allow_always()` |
 * | [class@Gmcp.ConfigInput]: a value that a configuration leaves open | [signal@Gmcp.Manager::config-input-requested] | `accept()` |
 * | [class@Gmcp.FolderRequest]: may run what is in a folder? | [signal@Gmcp.Manager::folder-requested] | `trust()` |
 *
 * No is [method@Gmcp.InputRequest.decline], and [method@Gmcp.InputRequest.cancel] where there is no answer.
 * Who wants to answer keeps a reference and answers when the answer is there, at once or later. A
 * question whose last reference is dropped without an answer counts as cancelled. Languages with a
 * garbage collector should answer in each case, since there the last reference may be dropped late.
 * The first answer counts: a second one, and one that nobody waits for any more, is dropped.
 *
 * When what asked ends before, or its time is over ([property@Gmcp.Client:input-timeout-ms],
 * [property@Gmcp.Manager:ask-timeout-ms]), [signal@Gmcp.InputRequest::closed] is emitted: what was shown
 * to the user can be taken away then.
 *
 * Spec: MCP 2026-07-28, basic/patterns/mrtr; MCP 2025-11-25, client.
 *
 * Since: 0.1
 */
typedef struct
{
  char *server_name;
  char *server_id;
  char *subject;
  char *client;
  char *key;
  GmcpCallOptions *options; /* nullable: of the call that led to the question */
  guint64 origin;
  GmcpJsonDoc *doc;
  GmcpJsonValue params;
  GMainContext *context;
  GmcpInputAnswerFunc func;
  gpointer data;
  GmcpByteBudget *budget; /* nullable; where what it takes is charged */
  gsize n_charged;
} GmcpInputRequestPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GmcpInputRequest, gmcp_input_request, G_TYPE_OBJECT)

typedef enum
{
  PROP_SERVER_NAME = 1,
  PROP_SUBJECT,
  PROP_OPEN,
  PROP_KEY,
  PROP_OPTIONS,
  PROP_SERVER_ID,
  PROP_CLIENT,
} GmcpInputRequestProperty;

enum
{
  SIGNAL_CLOSED,
  N_SIGNALS,
};

static GParamSpec *properties[PROP_CLIENT + 1];
static guint signals[N_SIGNALS];

static GmcpInputRequestPrivate *
get_private (GmcpInputRequest *self)
{
  return gmcp_input_request_get_instance_private (self);
}

static void
gmcp_input_request_dispose (GObject *object)
{
  GmcpInputRequest *self = GMCP_INPUT_REQUEST (object);

  if (gmcp_input_request_is_open (self))
    GMCP_INPUT_REQUEST_GET_CLASS (self)->give_up (self);

  G_OBJECT_CLASS (gmcp_input_request_parent_class)->dispose (object);
}

static void
gmcp_input_request_finalize (GObject *object)
{
  GmcpInputRequestPrivate *priv = get_private (GMCP_INPUT_REQUEST (object));

  g_free (priv->server_name);
  g_free (priv->server_id);
  g_free (priv->subject);
  g_free (priv->client);
  g_free (priv->key);
  g_clear_object (&priv->options);
  g_main_context_unref (priv->context);
  g_clear_pointer (&priv->doc, gmcp_json_doc_unref);
  if (priv->budget != NULL)
    gmcp_byte_budget_release (priv->budget, priv->n_charged);
  g_clear_pointer (&priv->budget, gmcp_byte_budget_unref);

  G_OBJECT_CLASS (gmcp_input_request_parent_class)->finalize (object);
}

static void
gmcp_input_request_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpInputRequest *self = GMCP_INPUT_REQUEST (object);

  switch ((GmcpInputRequestProperty) prop_id)
    {
    case PROP_SERVER_NAME:
      g_value_set_string (value, gmcp_input_request_get_server_name (self));
      break;
    case PROP_SUBJECT:
      g_value_set_string (value, gmcp_input_request_get_subject (self));
      break;
    case PROP_OPEN:
      g_value_set_boolean (value, gmcp_input_request_is_open (self));
      break;
    case PROP_KEY:
      g_value_set_string (value, gmcp_input_request_get_key (self));
      break;
    case PROP_OPTIONS:
      g_value_set_object (value, gmcp_input_request_get_options (self));
      break;
    case PROP_SERVER_ID:
      g_value_set_string (value, gmcp_input_request_get_server_id (self));
      break;
    case PROP_CLIENT:
      g_value_set_string (value, gmcp_input_request_get_client (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_input_request_set_property (GObject *object,
                                 guint prop_id,
                                 const GValue *value,
                                 GParamSpec *pspec)
{
  switch ((GmcpInputRequestProperty) prop_id)
    {
    case PROP_KEY:
      gmcp_input_request_set_key (GMCP_INPUT_REQUEST (object), g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_input_request_refuse (GmcpInputRequest *self)
{
  gmcp_input_request_answer (self, NULL);
}

static void
gmcp_input_request_class_init (GmcpInputRequestClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = gmcp_input_request_dispose;
  object_class->finalize = gmcp_input_request_finalize;
  object_class->get_property = gmcp_input_request_get_property;
  object_class->set_property = gmcp_input_request_set_property;
  klass->decline = gmcp_input_request_refuse;
  klass->cancel = gmcp_input_request_refuse;
  klass->give_up = gmcp_input_request_cancel;

  /**
   * GmcpInputRequest:server-name: (getter get_server_name)
   *
   * Which server asks, or is asked about, for people: it has to be shown to them with the question. %NULL
   * for a tool of the host's own.
   *
   * Since: 0.1
   */
  properties[PROP_SERVER_NAME] = g_param_spec_string ("server-name", NULL, NULL, NULL, readable);

  /**
   * GmcpInputRequest:subject: (getter get_subject)
   *
   * What was called when the question arose, such as the name of a tool; %NULL where nothing was, or
   * where the server does not say.
   *
   * Since: 0.1
   */
  properties[PROP_SUBJECT] = g_param_spec_string ("subject", NULL, NULL, NULL, readable);

  /**
   * GmcpInputRequest:open: (getter is_open)
   *
   * Whether an answer is still waited for.
   *
   * Since: 0.1
   */
  properties[PROP_OPEN]
    = g_param_spec_boolean ("open", NULL, NULL, FALSE, readable | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * GmcpInputRequest:key: (getter get_key) (setter set_key)
   *
   * What a server calls the question, where a client of revision 2026-07-28 answers it with a later request:
   * the function that asks runs anew then, and has to ask the same under the same key. %NULL for the
   * questions' order, which is enough where that is always the same.
   *
   * A question that a server of that revision has asked has the key that the server gave it.
   *
   * Since: 0.1
   */
  properties[PROP_KEY] = g_param_spec_string (
    "key", NULL, NULL, NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * GmcpInputRequest:options: (getter get_options)
   *
   * The options of the call in whose course the question arose: by them a host that has several
   * conversations knows which of them is asked. %NULL where the call had none, and where it is not known: a
   * server of a revision before 2026-07-28 does not say which call its question belongs to.
   *
   * Since: 0.1
   */
  properties[PROP_OPTIONS]
    = g_param_spec_object ("options", NULL, NULL, GMCP_TYPE_CALL_OPTIONS, readable);

  /**
   * GmcpInputRequest:server-id: (getter get_server_id)
   *
   * The id under which the server that asks, or is asked about, is configured. %NULL for a tool of the host's
   * own, and for a [class@Gmcp.Client] that no manager looks after.
   *
   * Since: 0.1
   */
  properties[PROP_SERVER_ID] = g_param_spec_string ("server-id", NULL, NULL, NULL, readable);

  /**
   * GmcpInputRequest:client: (getter get_client)
   *
   * Which program it was whose call led to the question, where that is a client of a [class@Gmcp.Gateway] that
   * cannot be asked itself: the name that the client has given itself. %NULL where nobody else is meant.
   *
   * Since: 0.1
   */
  properties[PROP_CLIENT] = g_param_spec_string ("client", NULL, NULL, NULL, readable);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  /**
   * GmcpInputRequest::closed:
   * @self: the question
   *
   * Nobody waits for the answer any more: the call was cancelled, it took too long, or the server
   * went away. It is not emitted where the question was answered.
   *
   * Since: 0.1
   */
  signals[SIGNAL_CLOSED] = g_signal_new ("closed", GMCP_TYPE_INPUT_REQUEST, G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
gmcp_input_request_init (GmcpInputRequest *self)
{
  get_private (self)->context = g_main_context_ref_thread_default ();
}

void
gmcp_input_request_set_asker (GmcpInputRequest *self, const char *server, const char *subject)
{
  GmcpInputRequestPrivate *priv = get_private (self);

  priv->server_name = g_strdup (server);
  priv->subject = g_strdup (subject);
}

void
gmcp_input_request_set_server_id (GmcpInputRequest *self, const char *server_id)
{
  GmcpInputRequestPrivate *priv = get_private (self);

  g_free (priv->server_id);
  priv->server_id = g_strdup (server_id);
}

void
gmcp_input_request_set_client (GmcpInputRequest *self, const char *client)
{
  GmcpInputRequestPrivate *priv = get_private (self);

  g_free (priv->client);
  priv->client = g_strdup (client);
}

void
gmcp_input_request_set_options (GmcpInputRequest *self, GmcpCallOptions *options)
{
  g_set_object (&get_private (self)->options, options);
}

void
gmcp_input_request_set_origin (GmcpInputRequest *self, guint64 origin)
{
  get_private (self)->origin = origin;
}

guint64
gmcp_input_request_get_origin (GmcpInputRequest *self)
{
  return get_private (self)->origin;
}

void
gmcp_input_request_take_charge (GmcpInputRequest *self, GmcpByteBudget *budget, gsize n_bytes)
{
  GmcpInputRequestPrivate *priv = get_private (self);

  priv->budget = gmcp_byte_budget_ref (budget);
  priv->n_charged = n_bytes;
}

void
gmcp_input_request_set_params (GmcpInputRequest *self, GmcpJsonValue params)
{
  GmcpInputRequestPrivate *priv = get_private (self);

  if (!gmcp_json_value_is_present (params))
    return;
  priv->doc = gmcp_json_value_copy_to_doc (params);
  priv->params = gmcp_json_doc_get_root (priv->doc);
}

GmcpJsonValue
gmcp_input_request_get_params_value (GmcpInputRequest *self)
{
  return get_private (self)->params;
}

void
gmcp_input_request_listen (GmcpInputRequest *self, GmcpInputAnswerFunc func, gpointer data)
{
  GmcpInputRequestPrivate *priv = get_private (self);

  g_return_if_fail (priv->func == NULL);

  priv->func = func;
  priv->data = data;
}

gboolean
gmcp_input_request_answer (GmcpInputRequest *self, const char *answer)
{
  GmcpInputRequestPrivate *priv = get_private (self);
  GmcpInputAnswerFunc func = g_steal_pointer (&priv->func);

  if (func == NULL)
    {
      g_debug ("An answer that nobody waits for is dropped (%s)", G_OBJECT_TYPE_NAME (self));
      return FALSE;
    }

  g_object_ref (self);
  func (self, answer, g_steal_pointer (&priv->data));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OPEN]);
  g_object_unref (self);
  return TRUE;
}

typedef struct
{
  GmcpInputAnswerFunc func;
  gpointer data;
} Abandoned;

static void
on_abandoned (gpointer data)
{
  g_autofree Abandoned *abandoned = data;

  abandoned->func (NULL, NULL, abandoned->data);
}

void
gmcp_input_request_give_up_later (GmcpInputRequest *self)
{
  GmcpInputRequestPrivate *priv = get_private (self);
  Abandoned *abandoned = g_new (Abandoned, 1);

  abandoned->func = g_steal_pointer (&priv->func);
  abandoned->data = g_steal_pointer (&priv->data);
  gmcp_call_later (priv->context, "[gmcp] dropped question", on_abandoned, abandoned);
}

void
gmcp_input_request_close (GmcpInputRequest *self)
{
  GmcpInputRequestPrivate *priv = get_private (self);

  if (priv->func == NULL)
    return;

  g_object_ref (self);
  priv->func = NULL;
  priv->data = NULL;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OPEN]);
  g_signal_emit (self, signals[SIGNAL_CLOSED], 0);
  g_object_unref (self);
}

/**
 * gmcp_input_request_get_server_name: (get-property server-name)
 * @self: a question
 *
 * Gives the name of the server that asks, or is asked about, for people.
 *
 * Returns: (transfer none) (nullable): the server's name; %NULL for a tool of the host's own
 *
 * Since: 0.1
 */
const char *
gmcp_input_request_get_server_name (GmcpInputRequest *self)
{
  g_return_val_if_fail (GMCP_IS_INPUT_REQUEST (self), NULL);

  return get_private (self)->server_name;
}

/**
 * gmcp_input_request_get_server_id: (get-property server-id)
 * @self: a question
 *
 * Gives the id of the server that asks, or is asked about.
 *
 * Returns: (transfer none) (nullable): the id under which it is configured; %NULL for a tool of the host's own,
 *   and for a client that no manager looks after
 *
 * Since: 0.1
 */
const char *
gmcp_input_request_get_server_id (GmcpInputRequest *self)
{
  g_return_val_if_fail (GMCP_IS_INPUT_REQUEST (self), NULL);

  return get_private (self)->server_id;
}

/**
 * gmcp_input_request_get_client: (get-property client)
 * @self: a question
 *
 * Gives the name of the program whose call led to the question, where that is a client of a
 * [class@Gmcp.Gateway] that cannot be asked itself. It is what the program says of itself:
 * [func@Gmcp.dup_visible_line] is for showing it.
 *
 * Returns: (nullable): the name, or %NULL
 *
 * Since: 0.1
 */
const char *
gmcp_input_request_get_client (GmcpInputRequest *self)
{
  g_return_val_if_fail (GMCP_IS_INPUT_REQUEST (self), NULL);

  return get_private (self)->client;
}

/**
 * gmcp_input_request_get_subject: (get-property subject)
 * @self: a question
 *
 * Gives what was called when the question arose.
 *
 * Returns: (transfer none) (nullable): such as the name of a tool, or %NULL where it is not known
 *
 * Since: 0.1
 */
const char *
gmcp_input_request_get_subject (GmcpInputRequest *self)
{
  g_return_val_if_fail (GMCP_IS_INPUT_REQUEST (self), NULL);

  return get_private (self)->subject;
}

/**
 * gmcp_input_request_get_options: (get-property options)
 * @self: a question
 *
 * Gives the options of the call in whose course the question arose. A server of a revision before 2026-07-28 does not say
 * which call that is: it is known where one call is under way at the server, and none was given up before.
 *
 * Returns: (transfer none) (nullable): the options that the call was made with, or %NULL where it had none
 *   or is not known
 *
 * Since: 0.1
 */
GmcpCallOptions *
gmcp_input_request_get_options (GmcpInputRequest *self)
{
  g_return_val_if_fail (GMCP_IS_INPUT_REQUEST (self), NULL);

  return get_private (self)->options;
}

/**
 * gmcp_input_request_is_open: (get-property open)
 * @self: a question
 *
 * Tells whether an answer is still waited for. An answer given when it is not is dropped.
 *
 * Returns: whether it can be answered
 *
 * Since: 0.1
 */
gboolean
gmcp_input_request_is_open (GmcpInputRequest *self)
{
  g_return_val_if_fail (GMCP_IS_INPUT_REQUEST (self), FALSE);

  return get_private (self)->func != NULL;
}

/**
 * gmcp_input_request_decline:
 * @self: a question
 *
 * Says no. A server's call goes on where its question is declined, and what becomes of it is the server's
 * to decide; a tool that may not be called is not called, and what waits for a value or for trust in a folder
 * fails.
 *
 * Since: 0.1
 */
void
gmcp_input_request_decline (GmcpInputRequest *self)
{
  g_return_if_fail (GMCP_IS_INPUT_REQUEST (self));

  GMCP_INPUT_REQUEST_GET_CLASS (self)->decline (self);
}

/**
 * gmcp_input_request_cancel:
 * @self: a question
 *
 * Says that there will be no answer, since the user closed the question without a choice. Dropping the
 * last reference does the same. It is not remembered, and does not cancel the call.
 *
 * Since: 0.1
 */
void
gmcp_input_request_cancel (GmcpInputRequest *self)
{
  g_return_if_fail (GMCP_IS_INPUT_REQUEST (self));

  GMCP_INPUT_REQUEST_GET_CLASS (self)->cancel (self);
}

/**
 * gmcp_input_request_dup_params:
 * @self: a question
 *
 * Gives all that the server sent with the question, also what this library has no accessor for.
 *
 * Returns: (transfer full) (nullable): a sealed JSON object, or %NULL where nothing was sent
 *
 * Since: 0.1
 */
JsonNode *
gmcp_input_request_dup_params (GmcpInputRequest *self)
{
  g_return_val_if_fail (GMCP_IS_INPUT_REQUEST (self), NULL);

  if (!gmcp_json_value_is_present (get_private (self)->params))
    return NULL;
  return gmcp_json_value_to_node (get_private (self)->params);
}

/**
 * gmcp_input_request_dup_params_json:
 * @self: a question
 *
 * Gives all that the server sent with the question, as it came.
 *
 * Returns: (transfer full) (nullable): a JSON object as text, or %NULL where nothing was sent
 *
 * Since: 0.1
 */
char *
gmcp_input_request_dup_params_json (GmcpInputRequest *self)
{
  g_return_val_if_fail (GMCP_IS_INPUT_REQUEST (self), NULL);

  if (!gmcp_json_value_is_present (get_private (self)->params))
    return NULL;
  return gmcp_json_value_dup_raw (get_private (self)->params);
}

/**
 * gmcp_input_request_get_key: (get-property key)
 * @self: a question
 *
 * Gives [property@Gmcp.InputRequest:key].
 *
 * Returns: (nullable): what a server calls the question
 *
 * Since: 0.1
 */
const char *
gmcp_input_request_get_key (GmcpInputRequest *self)
{
  g_return_val_if_fail (GMCP_IS_INPUT_REQUEST (self), NULL);

  return get_private (self)->key;
}

/**
 * gmcp_input_request_set_key: (set-property key)
 * @self: a question that was not asked yet
 * @key: (nullable): what a server calls the question
 *
 * Sets [property@Gmcp.InputRequest:key].
 *
 * Since: 0.1
 */
void
gmcp_input_request_set_key (GmcpInputRequest *self, const char *key)
{
  GmcpInputRequestPrivate *priv;

  g_return_if_fail (GMCP_IS_INPUT_REQUEST (self));

  priv = get_private (self);
  if (g_strcmp0 (priv->key, key) == 0)
    return;

  g_free (priv->key);
  priv->key = g_strdup (key);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_KEY]);
}
