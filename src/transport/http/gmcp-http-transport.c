/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/transport/http/gmcp-http-transport.h>

#include "gmcp-http-goodbye-private.h"
#include "gmcp-http-streamable-private.h"
#include "gmcp-local-file-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

/**
 * GmcpHttpTransport:
 *
 * Messages over HTTP, one request a message: Streamable HTTP, of the modern era and of the legacy
 * one, and HTTP+SSE for servers that know nothing newer.
 *
 * The address is `http://…`, `https://…`, or `unix:///PATH/OF/SOCKET#/PATH`, which is HTTP over a
 * Unix socket. The system's proxy settings apply, and the system's trusted certificates, unless
 * [property@Gmcp.HttpTransport:ca-file] names others. HTTP/2 is used where the server offers it.
 *
 * Connections are kept and used again. A message is written at most once, whatever becomes of the
 * connection: nothing below this class repeats a request by itself. A kept connection that has been
 * idle for four seconds is closed, before the usual server closes it, so that hardly a message ever
 * meets a connection that is being closed; where one does, the call fails, since the server may have
 * acted on it. Redirections are followed up to five times, for messages only where the server says
 * to send them again as they are (307 and 308), never from https to http, and to another origin only
 * where [property@Gmcp.HttpTransport:allowed-redirect-origins] has it; that gets none of the headers set
 * here. None leads to an address of this machine or of a private network that is not named there.
 *
 * Closing gives up what waits for an answer. Messages that want none, such as the cancellation of a
 * call, get two seconds to be taken in by the server, and the end of the session, where there is one,
 * two seconds more; what the server has not taken in by then is lost.
 *
 * The main context that the transport was made in has to be the thread-default one of the thread
 * that runs it.
 *
 * Spec: MCP 2026-07-28, basic/transports/streamable-http.
 *
 * Since: 0.1
 */
struct _GmcpHttpTransport
{
  GmcpTransport parent_instance;

  char *uri;
  GFile *ca_file; /* NULL for the system's */
  GStrv redirect_origins;
  gboolean sse_only;
  GPtrArray *headers; /* names and values in turn */

  const GmcpHttpTimes *times;

  GmcpHttpLink link; /* while open */
  GmcpHttpVariant *variant;

  GTask *close_task;
  GmcpHttpGoodbye *goodbye; /* while it is being closed */
};

G_DEFINE_FINAL_TYPE (GmcpHttpTransport, gmcp_http_transport, GMCP_TYPE_TRANSPORT)

typedef enum
{
  PROP_URI = 1,
  PROP_CA_FILE,
  PROP_SSE_ONLY,
  PROP_ALLOWED_REDIRECT_ORIGINS,
} GmcpHttpTransportProperty;

static GParamSpec *properties[PROP_ALLOWED_REDIRECT_ORIGINS + 1];

static const GmcpHttpTimes default_times = {
  .connect_ms = GMCP_DEFAULT_HTTP_CONNECT_MS,
  .barrier_ms = GMCP_DEFAULT_HTTP_BARRIER_MS,
  .body_ms = GMCP_DEFAULT_HTTP_BODY_MS,
  .linger_ms = GMCP_DEFAULT_HTTP_LINGER_MS,
  .goodbye_ms = GMCP_DEFAULT_HTTP_GOODBYE_MS,
  .retry_ms = GMCP_DEFAULT_HTTP_RETRY_MS,
  .min_retry_ms = GMCP_DEFAULT_HTTP_MIN_RETRY_MS,
  .max_retry_ms = GMCP_DEFAULT_HTTP_MAX_RETRY_MS,
  .short_life_ms = GMCP_DEFAULT_HTTP_SHORT_LIFE_MS,
};

void
gmcp_http_transport_set_times (GmcpHttpTransport *self, const GmcpHttpTimes *times)
{
  self->times = times;
}

static void
close_link (GmcpHttpTransport *self)
{
  if (self->variant != NULL)
    self->variant->klass->free (g_steal_pointer (&self->variant));
  g_clear_pointer (&self->goodbye, gmcp_http_goodbye_free);

  if (self->link.session != NULL)
    gmcp_http_session_close (self->link.session);
  g_clear_pointer (&self->link.session, gmcp_http_session_unref);
  g_clear_pointer (&self->link.parts, gmcp_byte_budget_unref);
  g_clear_pointer (&self->link.replies, gmcp_byte_budget_unref);
  g_clear_pointer (&self->link.headers, g_strfreev);
  g_clear_pointer (&self->link.url, gmcp_http_url_free);
}

static GStrv
dup_headers (GmcpHttpTransport *self)
{
  GStrv headers = g_new0 (char *, self->headers->len + 1);

  for (guint i = 0; i < self->headers->len; i++)
    headers[i] = g_strdup (g_ptr_array_index (self->headers, i));
  return headers;
}

static void
gmcp_http_transport_open_async (GmcpTransport *transport,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  GmcpHttpTransport *self = GMCP_HTTP_TRANSPORT (transport);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  g_autoptr (GmcpHttpUrl) url = NULL;
  GError *error = NULL;

  g_task_set_source_tag (task, gmcp_http_transport_open_async);

  /* What is left of a connection that the server ended. */
  close_link (self);
  url = gmcp_http_url_parse (self->uri, &error);
  if (url != NULL)
    self->link.session = gmcp_http_session_new (
      gmcp_transport_get_context (transport), url, gmcp_file_peek_path_or_null (self->ca_file),
      (const char *const *) self->redirect_origins, &error);
  if (self->link.session == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  self->link.transport = transport;
  self->link.parts = gmcp_byte_budget_new (
    MAX (GMCP_LIMIT_HTTP_PARTS_BYTES,
         gmcp_http_exchange_measure_part (gmcp_transport_get_max_message_bytes (transport))),
    NULL);
  /* The limit is looked at before a message, not with it. */
  self->link.replies = gmcp_byte_budget_new (G_MAXSIZE, NULL);
  self->link.url = g_steal_pointer (&url);
  self->link.headers = dup_headers (self);
  self->link.times = self->times;
  self->variant
    = self->sse_only ? gmcp_http_sse_new (&self->link) : gmcp_http_streamable_new (&self->link);
  g_task_return_boolean (task, TRUE);
}

static gboolean
gmcp_http_transport_open_finish (GmcpTransport *transport, GAsyncResult *result, GError **error)
{
  if (g_task_propagate_boolean (G_TASK (result), error))
    return TRUE;

  close_link (GMCP_HTTP_TRANSPORT (transport));
  return FALSE;
}

static gboolean
gmcp_http_transport_send (GmcpTransport *transport, const GmcpOutgoing *message, GError **error)
{
  GmcpHttpTransport *self = GMCP_HTTP_TRANSPORT (transport);

  return self->variant->klass->send (self->variant, message, error);
}

static void
end_close (gpointer data)
{
  GmcpHttpTransport *self = data;
  g_autoptr (GTask) task = g_steal_pointer (&self->close_task);

  close_link (self);
  g_task_return_boolean (task, TRUE);
}

void
gmcp_http_transport_drained (GmcpTransport *transport)
{
  gmcp_http_goodbye_drained (GMCP_HTTP_TRANSPORT (transport)->goodbye);
}

static void
gmcp_http_transport_close_async (GmcpTransport *transport,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  GmcpHttpTransport *self = GMCP_HTTP_TRANSPORT (transport);
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_http_transport_close_async);
  self->close_task = task;

  if (self->variant == NULL)
    {
      end_close (self);
      return;
    }

  self->goodbye = gmcp_http_goodbye_new (self->variant, end_close, self);
  gmcp_http_goodbye_begin (self->goodbye, gmcp_transport_get_context (transport),
                           (guint) self->link.times->goodbye_ms);
}

static gboolean
gmcp_http_transport_close_finish (GmcpTransport *transport, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static char *
gmcp_http_transport_dup_description (GmcpTransport *transport)
{
  GmcpHttpTransport *self = GMCP_HTTP_TRANSPORT (transport);
  g_autoptr (GmcpHttpUrl) url = NULL;

  if (self->link.url != NULL)
    return g_strdup (self->link.url->display);

  url = gmcp_http_url_parse (self->uri, NULL);
  return g_strdup (url != NULL ? url->display : _ ("a server with a URL that is none"));
}

static gboolean
gmcp_http_transport_has_request_streams (GmcpTransport *transport)
{
  GmcpHttpTransport *self = GMCP_HTTP_TRANSPORT (transport);

  return self->variant == NULL || self->variant->klass->has_request_streams;
}

static void
gmcp_http_transport_cancel_request (GmcpTransport *transport, gint64 request_id)
{
  GmcpHttpTransport *self = GMCP_HTTP_TRANSPORT (transport);

  self->variant->klass->cancel_request (self->variant, request_id);
}

static void
gmcp_http_transport_begin_session (GmcpTransport *transport, const char *const *headers)
{
  GmcpHttpTransport *self = GMCP_HTTP_TRANSPORT (transport);

  self->variant->klass->begin_session (self->variant, headers);
}

static gboolean
gmcp_http_transport_fall_back (GmcpTransport *transport)
{
  GmcpHttpTransport *self = GMCP_HTTP_TRANSPORT (transport);
  GmcpHttpVariant *older;

  if (self->variant->klass->fall_back == NULL)
    return FALSE;
  older = self->variant->klass->fall_back (&self->link);
  if (older == NULL)
    return FALSE;

  self->variant->klass->free (self->variant);
  self->variant = older;
  return TRUE;
}

static void
gmcp_http_transport_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpHttpTransport *self = GMCP_HTTP_TRANSPORT (object);

  switch ((GmcpHttpTransportProperty) prop_id)
    {
    case PROP_URI:
      g_value_set_string (value, self->uri);
      break;

    case PROP_CA_FILE:
      g_value_set_object (value, self->ca_file);
      break;

    case PROP_SSE_ONLY:
      g_value_set_boolean (value, self->sse_only);
      break;

    case PROP_ALLOWED_REDIRECT_ORIGINS:
      g_value_set_boxed (value, self->redirect_origins);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_http_transport_set_property (GObject *object,
                                  guint prop_id,
                                  const GValue *value,
                                  GParamSpec *pspec)
{
  GmcpHttpTransport *self = GMCP_HTTP_TRANSPORT (object);

  switch ((GmcpHttpTransportProperty) prop_id)
    {
    case PROP_URI:
      self->uri = g_value_dup_string (value);
      break;

    case PROP_CA_FILE:
      gmcp_http_transport_set_ca_file (self, g_value_get_object (value));
      break;

    case PROP_SSE_ONLY:
      gmcp_http_transport_set_sse_only (self, g_value_get_boolean (value));
      break;

    case PROP_ALLOWED_REDIRECT_ORIGINS:
      gmcp_http_transport_set_allowed_redirect_origins (self, g_value_get_boxed (value));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_http_transport_constructed (GObject *object)
{
  GmcpHttpTransport *self = GMCP_HTTP_TRANSPORT (object);

  G_OBJECT_CLASS (gmcp_http_transport_parent_class)->constructed (object);
  if (self->uri == NULL)
    self->uri = g_strdup ("");
}

static void
gmcp_http_transport_finalize (GObject *object)
{
  GmcpHttpTransport *self = GMCP_HTTP_TRANSPORT (object);

  close_link (self);
  g_ptr_array_unref (self->headers);
  g_free (self->uri);
  g_clear_object (&self->ca_file);
  g_strfreev (self->redirect_origins);

  G_OBJECT_CLASS (gmcp_http_transport_parent_class)->finalize (object);
}

static const GmcpTransportFuncs transport_funcs = {
  .open_async = gmcp_http_transport_open_async,
  .open_finish = gmcp_http_transport_open_finish,
  .send = gmcp_http_transport_send,
  .close_async = gmcp_http_transport_close_async,
  .close_finish = gmcp_http_transport_close_finish,
  .dup_description = gmcp_http_transport_dup_description,
  .has_request_streams = gmcp_http_transport_has_request_streams,
  .cancel_request = gmcp_http_transport_cancel_request,
  .begin_session = gmcp_http_transport_begin_session,
  .fall_back = gmcp_http_transport_fall_back,
};

static void
gmcp_http_transport_class_init (GmcpHttpTransportClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GmcpTransportClass *transport_class = GMCP_TRANSPORT_CLASS (klass);

  object_class->constructed = gmcp_http_transport_constructed;
  object_class->get_property = gmcp_http_transport_get_property;
  object_class->set_property = gmcp_http_transport_set_property;
  object_class->finalize = gmcp_http_transport_finalize;

  transport_class->funcs = &transport_funcs;

  /**
   * GmcpHttpTransport:uri:
   *
   * Where the server is.
   *
   * Since: 0.1
   */
  properties[PROP_URI] = g_param_spec_string ("uri", NULL, NULL, NULL,
                                              G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY
                                                | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * GmcpHttpTransport:ca-file:
   *
   * The file of certificates (PEM) to trust in place of the system's. Read at the next opening.
   *
   * Since: 0.1
   */
  properties[PROP_CA_FILE]
    = g_param_spec_object ("ca-file", NULL, NULL, G_TYPE_FILE,
                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * GmcpHttpTransport:sse-only: (getter get_sse_only) (setter set_sse_only)
   *
   * Whether HTTP+SSE, as in revision 2024-11-05, is spoken from the start. Else it is what is gone
   * over to where a server does not take the beginning of a session by Streamable HTTP.
   *
   * Since: 0.1
   */
  properties[PROP_SSE_ONLY]
    = g_param_spec_boolean ("sse-only", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * GmcpHttpTransport:allowed-redirect-origins: (getter get_allowed_redirect_origins) (setter set_allowed_redirect_origins)
   *
   * The origins (`https://mcp.example.com`, `http://10.0.0.7:8080`) that a message may be redirected to
   * beside the server's own. They get the message, and none of the headers that were set here. Where one
   * is a name with an address of this machine or of a private network, an origin with that address has
   * to be here too. Read at the next opening, which fails with %GMCP_ERROR_INVALID_CONFIG where one is
   * no origin.
   *
   * Since: 0.1
   */
  properties[PROP_ALLOWED_REDIRECT_ORIGINS]
    = g_param_spec_boxed ("allowed-redirect-origins", NULL, NULL, G_TYPE_STRV,
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_http_transport_init (GmcpHttpTransport *self)
{
  self->headers = g_ptr_array_new_with_free_func (g_free);
  self->times = &default_times;
}

/**
 * gmcp_http_transport_new:
 * @uri: an address that begins with `http://`, `https://` or `unix://`
 *
 * Makes a transport to the server at an address. Whether the address is one is seen at the opening,
 * which fails with %GMCP_ERROR_INVALID_CONFIG where it is not. A user and password in it are sent
 * as Basic authentication.
 *
 * Returns: (transfer full): the transport
 *
 * Since: 0.1
 */
GmcpHttpTransport *
gmcp_http_transport_new (const char *uri)
{
  g_return_val_if_fail (uri != NULL, NULL);

  return g_object_new (GMCP_TYPE_HTTP_TRANSPORT, "uri", uri, NULL);
}

/**
 * gmcp_http_transport_get_uri:
 * @self: a transport
 *
 * Gives the address it was made with. It may hold a password; for messages there is
 * [method@Gmcp.Transport.dup_description].
 *
 * Returns: (transfer none): the address
 *
 * Since: 0.1
 */
const char *
gmcp_http_transport_get_uri (GmcpHttpTransport *self)
{
  g_return_val_if_fail (GMCP_IS_HTTP_TRANSPORT (self), NULL);

  return self->uri;
}

/**
 * gmcp_http_transport_set_header:
 * @self: a transport
 * @name: the header's name
 * @value: (nullable): its value, or %NULL to take it away
 * @error: return location for an error
 *
 * Sets a header that is sent with each request to the server's own origin, such as `Authorization`.
 * It applies from the next opening on. What the protocol itself needs cannot be changed by it.
 *
 * Fails with %GMCP_ERROR_INVALID_ARGUMENT where name or value cannot stand in a header.
 *
 * Returns: %TRUE if the header is set
 *
 * Since: 0.1
 */
gboolean
gmcp_http_transport_set_header (GmcpHttpTransport *self,
                                const char *name,
                                const char *value,
                                GError **error)
{
  g_return_val_if_fail (GMCP_IS_HTTP_TRANSPORT (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  if (!gmcp_http_header_is_valid (name, value != NULL ? value : ""))
    {
      g_autofree char *shown = g_utf8_make_valid (name, -1);

      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("The HTTP header “%s” has a name or a value that cannot be sent"), shown);
      return FALSE;
    }

  for (guint i = 0; i < self->headers->len; i += 2)
    {
      if (g_ascii_strcasecmp (g_ptr_array_index (self->headers, i), name) == 0)
        {
          g_ptr_array_remove_range (self->headers, i, 2);
          break;
        }
    }
  if (value != NULL)
    {
      g_ptr_array_add (self->headers, g_strdup (name));
      g_ptr_array_add (self->headers, g_strdup (value));
    }
  return TRUE;
}

/**
 * gmcp_http_transport_get_ca_file:
 * @self: a transport
 *
 * Gives the file of certificates that are trusted in place of the system's.
 *
 * Returns: (transfer none) (nullable): the file
 *
 * Since: 0.1
 */
GFile *
gmcp_http_transport_get_ca_file (GmcpHttpTransport *self)
{
  g_return_val_if_fail (GMCP_IS_HTTP_TRANSPORT (self), NULL);

  return self->ca_file;
}

/**
 * gmcp_http_transport_set_ca_file:
 * @self: a transport
 * @ca_file: (nullable): a local file of certificates (PEM), or %NULL for the system's
 *
 * Sets whom to trust when the server shows its certificate. Applies from the next opening on, which
 * fails with %GMCP_ERROR_INVALID_CONFIG where the file cannot be read.
 *
 * Since: 0.1
 */
void
gmcp_http_transport_set_ca_file (GmcpHttpTransport *self, GFile *ca_file)
{
  g_return_if_fail (GMCP_IS_HTTP_TRANSPORT (self));
  g_return_if_fail (gmcp_file_is_local_or_null (ca_file));

  if (gmcp_file_equal_or_null (self->ca_file, ca_file))
    return;

  g_set_object (&self->ca_file, ca_file);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CA_FILE]);
}

/**
 * gmcp_http_transport_get_sse_only: (attributes org.gtk.Method.get_property=sse-only)
 * @self: a transport
 *
 * Says whether HTTP+SSE is spoken from the start.
 *
 * Returns: whether it is
 *
 * Since: 0.1
 */
gboolean
gmcp_http_transport_get_sse_only (GmcpHttpTransport *self)
{
  g_return_val_if_fail (GMCP_IS_HTTP_TRANSPORT (self), FALSE);

  return self->sse_only;
}

/**
 * gmcp_http_transport_set_sse_only: (attributes org.gtk.Method.set_property=sse-only)
 * @self: a transport
 * @sse_only: whether to speak HTTP+SSE from the start
 *
 * Sets whether HTTP+SSE, as in revision 2024-11-05, is spoken from the start. Applies from the next
 * opening on.
 *
 * Spec: MCP 2024-11-05, basic/transports, "HTTP with SSE".
 *
 * Since: 0.1
 */
void
gmcp_http_transport_set_sse_only (GmcpHttpTransport *self, gboolean sse_only)
{
  g_return_if_fail (GMCP_IS_HTTP_TRANSPORT (self));

  sse_only = !!sse_only;
  if (self->sse_only == sse_only)
    return;

  self->sse_only = sse_only;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SSE_ONLY]);
}

/**
 * gmcp_http_transport_get_allowed_redirect_origins: (attributes org.gtk.Method.get_property=allowed-redirect-origins)
 * @self: a transport
 *
 * Gives the origins that a message may be redirected to beside the server's own.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the origins
 *
 * Since: 0.1
 */
const char *const *
gmcp_http_transport_get_allowed_redirect_origins (GmcpHttpTransport *self)
{
  g_return_val_if_fail (GMCP_IS_HTTP_TRANSPORT (self), NULL);

  return (const char *const *) self->redirect_origins;
}

/**
 * gmcp_http_transport_set_allowed_redirect_origins: (attributes org.gtk.Method.set_property=allowed-redirect-origins)
 * @self: a transport
 * @origins: (nullable) (array zero-terminated=1): origins, or %NULL for none
 *
 * Sets [property@Gmcp.HttpTransport:allowed-redirect-origins]. Applies from the next opening on.
 *
 * Since: 0.1
 */
void
gmcp_http_transport_set_allowed_redirect_origins (GmcpHttpTransport *self,
                                                  const char *const *origins)
{
  g_return_if_fail (GMCP_IS_HTTP_TRANSPORT (self));

  if (self->redirect_origins == (GStrv) origins
      || (self->redirect_origins != NULL && origins != NULL
          && g_strv_equal ((const char *const *) self->redirect_origins, origins)))
    return;

  g_strfreev (self->redirect_origins);
  self->redirect_origins = g_strdupv ((GStrv) origins);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ALLOWED_REDIRECT_ORIGINS]);
}

void
gmcp_http_transport_set_uri (GmcpHttpTransport *self, const char *uri)
{
  g_free (self->uri);
  self->uri = g_strdup (uri);
}
