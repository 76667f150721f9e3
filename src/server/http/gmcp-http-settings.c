/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-settings-private.h"

#include "gmcp-limits.h"

/* Most are limits, so each is a row: where it is, what it may be, and what it is where nobody says. */

typedef enum
{
  SETTING_PATH,
  SETTING_STRING,
  SETTING_STRV,
  SETTING_UINT,
  SETTING_UINT64,
} SettingKind;

typedef struct
{
  const char *name;
  SettingKind kind;
  gsize offset;
  guint64 minimum;
  guint64 maximum;
  guint64 initial;
} Setting;

#define OFFSET(member) G_STRUCT_OFFSET (GmcpHttpSettings, member)

static const Setting settings[] = {
  /**
   * GmcpHttpEndpoint:path:
   *
   * The path of the address at which it is served. One that does not begin with `/` gets it.
   *
   * Since: 0.1
   */
  { "path", SETTING_PATH, OFFSET (path), 0, 0, 0 },

  /**
   * GmcpHttpEndpoint:allowed-hosts:
   *
   * Hosts, with or without a port, that a request may name beside `localhost`, `127.0.0.1` and `[::1]`:
   * those under which a proxy is known, for example. `*` allows any.
   *
   * Since: 0.1
   */
  { "allowed-hosts", SETTING_STRV, OFFSET (gate.hosts), 0, 0, 0 },

  /**
   * GmcpHttpEndpoint:allowed-origins:
   *
   * Origins such as `https://example.org` whose pages may send requests, beside those of this machine. `*`
   * allows any.
   *
   * Since: 0.1
   */
  { "allowed-origins", SETTING_STRV, OFFSET (gate.origins), 0, 0, 0 },

  /**
   * GmcpHttpEndpoint:max-message-bytes:
   *
   * The largest message that is taken from a client, in bytes. A larger one is refused with the status 413.
   *
   * Since: 0.1
   */
  { "max-message-bytes", SETTING_UINT64, OFFSET (max_message_bytes), 1, G_MAXSSIZE / 4,
    GMCP_LIMIT_MESSAGE_BYTES },

  /**
   * GmcpHttpEndpoint:max-sessions:
   *
   * How many clients of revisions before 2026-07-28 can have a session at once. For one more a session ends
   * of the user who has the most: that which was without use for longest, or where all are in use, one that is, if
   * the newcomer still has no more then. Else it is refused with the status 503. With 0 no client gets a session:
   * each request stands alone then, nothing is sent unasked, such a client is offered neither subscriptions nor log
   * levels, and several processes can serve one address.
   *
   * Since: 0.1
   */
  { "max-sessions", SETTING_UINT, OFFSET (max_sessions), 0, G_MAXUINT, GMCP_DEFAULT_HTTP_SESSIONS },

  /**
   * GmcpHttpEndpoint:session-idle-ms:
   *
   * How long a session is kept that nobody uses, in milliseconds.
   *
   * Since: 0.1
   */
  { "session-idle-ms", SETTING_UINT, OFFSET (session_idle_ms), 1, G_MAXINT,
    GMCP_DEFAULT_HTTP_SESSION_IDLE_MS },

  /**
   * GmcpHttpEndpoint:keep-alive-ms:
   *
   * After how long, in milliseconds, a client that waits is sent a comment, so that nothing on the way takes
   * the connection for dead. 0 for never.
   *
   * Since: 0.1
   */
  { "keep-alive-ms", SETTING_UINT, OFFSET (keep_alive_ms), 0, G_MAXINT,
    GMCP_DEFAULT_HTTP_KEEP_ALIVE_MS },

  /**
   * GmcpHttpEndpoint:resource:
   *
   * The address of this server that tokens have to be for, as clients know it: `https://mcp.example.org/mcp` for
   * one behind a proxy. Where it is not set, the address that it listens at.
   *
   * Spec: MCP 2026-07-28, basic/authorization, "Canonical Server URI".
   *
   * Since: 0.1
   */
  { "resource", SETTING_STRING, OFFSET (resource), 0, 0, 0 },

  /**
   * GmcpHttpEndpoint:authorization-servers:
   *
   * The addresses of those who give tokens for this server. Clients are told them in a document at
   * `/.well-known/oauth-protected-resource`, also with the path behind it, to which an answer with the status 401
   * leads. Where a `SoupServer` of the program's serves other things, too, the document is found with the path only.
   *
   * Spec: MCP 2026-07-28, basic/authorization, "Authorization Server Discovery"; RFC 9728.
   *
   * Since: 0.1
   */
  { "authorization-servers", SETTING_STRV, OFFSET (authorization_servers), 0, 0, 0 },

  /**
   * GmcpHttpEndpoint:scopes-supported:
   *
   * What clients can ask tokens for: it stands in the document beside the authorization servers.
   *
   * Since: 0.1
   */
  { "scopes-supported", SETTING_STRV, OFFSET (scopes_supported), 0, 0, 0 },

  /**
   * GmcpHttpEndpoint:required-scopes:
   *
   * What a token has to allow. One that does not allow all of it is answered with the status 403, and with the
   * scopes that are needed. They are compared as they are: a verifier names what a wider scope implies.
   *
   * Spec: MCP 2026-07-28, basic/authorization, "Runtime Insufficient Scope Errors".
   *
   * Since: 0.1
   */
  { "required-scopes", SETTING_STRV, OFFSET (required_scopes), 0, 0, 0 },

  /**
   * GmcpHttpEndpoint:token-timeout-ms:
   *
   * How long [signal@Gmcp.HttpEndpoint::verify-token] may take to be answered, in milliseconds. Then the client is
   * answered with the status 503.
   *
   * Since: 0.1
   */
  { "token-timeout-ms", SETTING_UINT, OFFSET (token_timeout_ms), 1, G_MAXINT,
    GMCP_DEFAULT_TOKEN_TIMEOUT_MS },

  /**
   * GmcpHttpEndpoint:token-cache-ms:
   *
   * How long a token that was accepted is not asked about again, in milliseconds, unless it expires before. 0 to
   * ask for each request. A [class@Gmcp.TokenFile] is asked for each.
   *
   * Since: 0.1
   */
  { "token-cache-ms", SETTING_UINT, OFFSET (token_cache_ms), 0, 600000,
    GMCP_DEFAULT_TOKEN_CACHE_MS },

  /**
   * GmcpHttpEndpoint:max-failed-tokens:
   *
   * How many tokens that are refused may come from one address in a minute. More are answered with the status 429,
   * but for tokens that were good a moment ago, and for good ones where only a [class@Gmcp.TokenFile] verifies, which
   * costs nothing to ask. 0 for any number: behind a proxy all come from one address.
   *
   * Since: 0.1
   */
  { "max-failed-tokens", SETTING_UINT, OFFSET (max_failed_tokens), 0, 1000000,
    GMCP_DEFAULT_HTTP_FAILED_TOKENS },

  /**
   * GmcpHttpEndpoint:max-requests:
   *
   * How many requests one user may send in a second, or one address where users are not known. More are answered
   * with the status 429, which says when to come again. 0 for any number.
   *
   * Since: 0.1
   */
  { "max-requests", SETTING_UINT, OFFSET (max_requests), 0, 1000000, GMCP_DEFAULT_HTTP_REQUESTS },

  /**
   * GmcpHttpEndpoint:max-connections:
   *
   * How many connections there may be at once. For one more the one ends that has been idle for longest, or has brought
   * no whole request for longest; where all are being answered, the new one is not taken. Where tokens
   * say who the users are, and there may be sixteen or more, a sixteenth is kept for those who have none under way, or fewer
   * than others: beyond that a user gets the place of the last answer of whoever has the most, and the status 503 where nobody
   * has more. In any case some of the files
   * that the process may have open are left to the rest of the program. It holds where the endpoint listens itself, not
   * on a `SoupServer` of the program's.
   *
   * Since: 0.1
   */
  { "max-connections", SETTING_UINT, OFFSET (max_connections), 0, G_MAXINT,
    GMCP_LIMIT_HTTP_SERVED_CONNECTIONS },

  /**
   * GmcpHttpEndpoint:max-session-streams:
   *
   * How many requests of one session may be open at once, each with a stream of its own. One more is refused with the
   * status 503.
   *
   * Since: 0.1
   */
  { "max-session-streams", SETTING_UINT, OFFSET (max_session_streams), 1, G_MAXINT,
    GMCP_DEFAULT_HTTP_STREAMS },

  /**
   * GmcpHttpEndpoint:max-header-bytes:
   *
   * The largest headers that a request may have, in bytes. Larger ones are refused with the status 431; libsoup
   * itself takes none above 100 KiB.
   *
   * Since: 0.1
   */
  { "max-header-bytes", SETTING_UINT64, OFFSET (max_header_bytes), 1, G_MAXINT,
    GMCP_LIMIT_HTTP_HEADER_BYTES },

  /**
   * GmcpHttpEndpoint:max-unanswered-bytes:
   *
   * How many bytes there may be of all requests together that have no answer yet. A body of more than 64 KiB for which
   * there is no room is refused with the status 503.
   *
   * Since: 0.1
   */
  { "max-unanswered-bytes", SETTING_UINT64, OFFSET (max_unanswered_bytes), 1, G_MAXSSIZE / 4,
    GMCP_LIMIT_HTTP_BODIES_BYTES },

  /**
   * GmcpHttpEndpoint:max-unread-bytes:
   *
   * How many bytes are kept for all clients together that do not read what they are sent. Where there is no room, an
   * answer of more than 64 KiB is refused with the status 503, or with an error where its stream has begun; events such
   * as those about progress are left out. A client that has read all that it was sent gets its events in any case.
   *
   * Since: 0.1
   */
  { "max-unread-bytes", SETTING_UINT64, OFFSET (max_unread_bytes), 1, G_MAXSSIZE / 4,
    GMCP_LIMIT_HTTP_UNREAD_BYTES },

  /**
   * GmcpHttpEndpoint:max-kept-bytes:
   *
   * How many bytes of events are kept for all clients together that may come back for them, which those of revisions
   * before 2026-07-28 do. Where there is no room, the oldest of a stream are left out.
   *
   * Since: 0.1
   */
  { "max-kept-bytes", SETTING_UINT64, OFFSET (max_kept_bytes), 1, G_MAXSSIZE / 4,
    GMCP_LIMIT_HTTP_KEPT_BYTES },

  /**
   * GmcpHttpEndpoint:header-timeout-ms:
   *
   * How long a connection may take until the headers of its request are there, in milliseconds; then it is cut off. 0
   * for ever. It holds where the endpoint listens itself, not on a `SoupServer` of the program's.
   *
   * Since: 0.1
   */
  { "header-timeout-ms", SETTING_UINT, OFFSET (header_ms), 0, G_MAXINT, GMCP_DEFAULT_HTTP_HEAD_MS },

  /**
   * GmcpHttpEndpoint:body-timeout-ms:
   *
   * How long a request may take until its body is there, in milliseconds; then the connection is cut off. 0 for ever. It
   * holds where the endpoint listens itself, not on a `SoupServer` of the program's.
   *
   * Since: 0.1
   */
  { "body-timeout-ms", SETTING_UINT, OFFSET (upload_ms), 0, G_MAXINT,
    GMCP_DEFAULT_HTTP_REQUEST_MS },

  /**
   * GmcpHttpEndpoint:close-timeout-ms:
   *
   * How long requests that run have to be answered once [method@Gmcp.HttpEndpoint.close_async] was called, in
   * milliseconds. Then they are cancelled.
   *
   * Since: 0.1
   */
  { "close-timeout-ms", SETTING_UINT, OFFSET (close_ms), 0, 600000, GMCP_DEFAULT_HTTP_CLOSE_MS },
};

#undef OFFSET

static gpointer
get_field (const GmcpHttpSettings *self, const Setting *setting)
{
  return (char *) self + setting->offset;
}

void
gmcp_http_settings_init (GmcpHttpSettings *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      const Setting *setting = &settings[i];

      if (setting->kind == SETTING_UINT)
        *(guint *) get_field (self, setting) = (guint) setting->initial;
      else if (setting->kind == SETTING_UINT64)
        *(guint64 *) get_field (self, setting) = setting->initial;
    }
}

void
gmcp_http_settings_clear (GmcpHttpSettings *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      gpointer field = get_field (self, &settings[i]);

      if (settings[i].kind == SETTING_PATH || settings[i].kind == SETTING_STRING)
        g_clear_pointer ((char **) field, g_free);
      else if (settings[i].kind == SETTING_STRV)
        g_clear_pointer ((GStrv *) field, g_strfreev);
    }
}

static GParamSpec *
make_pspec (const Setting *setting)
{
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  switch (setting->kind)
    {
    case SETTING_PATH:
      return g_param_spec_string (setting->name, NULL, NULL, "/mcp",
                                  G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY
                                    | G_PARAM_STATIC_STRINGS);

    case SETTING_STRING:
      return g_param_spec_string (setting->name, NULL, NULL, NULL, flags);

    case SETTING_STRV:
      return g_param_spec_boxed (setting->name, NULL, NULL, G_TYPE_STRV, flags);

    case SETTING_UINT:
      return g_param_spec_uint (setting->name, NULL, NULL, (guint) setting->minimum,
                                (guint) setting->maximum, (guint) setting->initial, flags);

    case SETTING_UINT64:
    default:
      return g_param_spec_uint64 (setting->name, NULL, NULL, setting->minimum, setting->maximum,
                                  setting->initial, flags);
    }
}

void
gmcp_http_settings_install (GObjectClass *klass, guint first)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    g_object_class_install_property (klass, first + i, make_pspec (&settings[i]));
}

void
gmcp_http_settings_get (const GmcpHttpSettings *self, guint index, GValue *value)
{
  gconstpointer field = get_field (self, &settings[index]);

  switch (settings[index].kind)
    {
    case SETTING_PATH:
    case SETTING_STRING:
      g_value_set_string (value, *(char *const *) field);
      break;

    case SETTING_STRV:
      g_value_set_boxed (value, *(const GStrv *) field);
      break;

    case SETTING_UINT:
      g_value_set_uint (value, *(const guint *) field);
      break;

    case SETTING_UINT64:
    default:
      g_value_set_uint64 (value, *(const guint64 *) field);
    }
}

static gboolean
set_strv (GStrv *field, const GValue *value)
{
  char **given = g_value_get_boxed (value);

  if (*field == given
      || (*field != NULL && given != NULL
          && g_strv_equal ((const char *const *) *field, (const char *const *) given)))
    return FALSE;

  g_strfreev (*field);
  *field = g_strdupv (given);
  return TRUE;
}

static char *
dup_path (const char *path)
{
  if (path == NULL)
    return g_strdup ("/mcp");
  return path[0] == '/' ? g_strdup (path) : g_strconcat ("/", path, NULL);
}

gboolean
gmcp_http_settings_set (GmcpHttpSettings *self, guint index, const GValue *value)
{
  gpointer field = get_field (self, &settings[index]);
  gboolean changed;

  switch (settings[index].kind)
    {
    case SETTING_PATH:
      *(char **) field = dup_path (g_value_get_string (value));
      return FALSE;

    case SETTING_STRING:
      changed = g_strcmp0 (*(char **) field, g_value_get_string (value)) != 0;
      g_free (*(char **) field);
      *(char **) field = g_value_dup_string (value);
      return changed;

    case SETTING_STRV:
      return set_strv (field, value);

    case SETTING_UINT:
      changed = *(guint *) field != g_value_get_uint (value);
      *(guint *) field = g_value_get_uint (value);
      return changed;

    case SETTING_UINT64:
    default:
      changed = *(guint64 *) field != g_value_get_uint64 (value);
      *(guint64 *) field = g_value_get_uint64 (value);
      return changed;
    }
}
