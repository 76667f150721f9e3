/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-settings-private.h"

#include "gmcp-limits.h"

/* Most are limits, so each is a row: where it is, what it may be, and what it is where nobody says. */

typedef enum
{
  SETTING_PATH,
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
   * How many clients of revisions before 2026-07-28 can have a session at once. For one more the session ends
   * that was without use for longest; where all are in use, it is refused with the status 503. With 0 no
   * client gets a session: each request stands alone then, nothing is sent unasked, and several processes can
   * serve one address.
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

      if (settings[i].kind == SETTING_PATH)
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

gboolean
gmcp_http_settings_get (const GmcpHttpSettings *self, guint index, GValue *value)
{
  gconstpointer field;

  if (index >= G_N_ELEMENTS (settings))
    return FALSE;

  field = get_field (self, &settings[index]);
  switch (settings[index].kind)
    {
    case SETTING_PATH:
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
  return TRUE;
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
