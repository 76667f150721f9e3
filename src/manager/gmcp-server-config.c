/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-server-config-private.h"

/**
 * GmcpServerConfig:
 *
 * How one server is reached, and what it may take: immutable, so that a change of the configuration
 * is a new object.
 *
 * An object can be made with any values; [method@Gmcp.ServerConfig.validate] says whether a server
 * can be started with them.
 *
 * Since: 0.1
 */

G_DEFINE_FINAL_TYPE (GmcpServerConfig, gmcp_server_config, G_TYPE_OBJECT)

typedef enum
{
  PROP_ID = 1,
  PROP_TITLE,
  PROP_ENABLED,
  PROP_TRANSPORT,
  PROP_ARGV,
  PROP_ENVIRONMENT,
  PROP_INHERIT_ENVIRONMENT,
  PROP_ALLOW_SAMPLING,
  PROP_CWD,
  PROP_URL,
  PROP_HEADERS,
  PROP_CA_FILE,
  PROP_ERA,
  PROP_CALL_TIMEOUT_MS,
  PROP_STARTUP_TIMEOUT_MS,
} GmcpServerConfigProperty;

static GParamSpec *properties[PROP_STARTUP_TIMEOUT_MS + 1];

static gsize
name_length (const char *variable)
{
  return strcspn (variable, "=");
}

static int
compare_names (const char *a, const char *b)
{
  gsize a_length = name_length (a);
  gsize b_length = name_length (b);
  int order = strncmp (a, b, MIN (a_length, b_length));

  return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static int
compare_variables (gconstpointer a, gconstpointer b)
{
  return compare_names (*(const char *const *) a, *(const char *const *) b);
}

/* Of variables with the same name the last stays, as in a file that is read from top to bottom. */
static GStrv
sort_environment (const char *const *environment)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();

  for (gsize i = 0; environment != NULL && environment[i] != NULL; i++)
    g_ptr_array_add (sorted, (char *) environment[i]);

  /* The sort is stable. */
  g_ptr_array_sort (sorted, compare_variables);
  for (guint i = 0; i < sorted->len; i++)
    {
      const char *variable = g_ptr_array_index (sorted, i);

      if (i + 1 == sorted->len || compare_names (variable, g_ptr_array_index (sorted, i + 1)) != 0)
        g_ptr_array_add (kept, g_strdup (variable));
    }

  g_ptr_array_add (kept, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&kept), FALSE);
}

static gboolean
has_header_after (const char *const *headers, gsize i)
{
  for (gsize k = i + 2; headers[k] != NULL && headers[k + 1] != NULL; k += 2)
    {
      if (g_ascii_strcasecmp (headers[k], headers[i]) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Of headers with the same name the last stays. */
static GStrv
dup_headers (const char *const *headers)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();

  for (gsize i = 0; headers != NULL && headers[i] != NULL && headers[i + 1] != NULL; i += 2)
    {
      if (has_header_after (headers, i))
        continue;
      g_ptr_array_add (kept, g_strdup (headers[i]));
      g_ptr_array_add (kept, g_strdup (headers[i + 1]));
    }

  g_ptr_array_add (kept, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&kept), FALSE);
}

/* What is empty in a setting stands for what is not set. */
static char *
dup_string_unless_empty (const GValue *value)
{
  const char *string = g_value_get_string (value);

  return string != NULL && *string != '\0' ? g_strdup (string) : NULL;
}

static void
gmcp_server_config_finalize (GObject *object)
{
  GmcpServerConfig *self = GMCP_SERVER_CONFIG (object);

  g_free (self->id);
  g_free (self->title);
  g_free (self->cwd);
  g_free (self->url);
  g_free (self->ca_file);
  g_strfreev (self->headers);
  g_strfreev (self->argv);
  g_strfreev (self->environment);

  G_OBJECT_CLASS (gmcp_server_config_parent_class)->finalize (object);
}

static void
gmcp_server_config_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpServerConfig *self = GMCP_SERVER_CONFIG (object);

  switch ((GmcpServerConfigProperty) prop_id)
    {
    case PROP_ID:
      g_value_set_string (value, self->id);
      break;
    case PROP_TITLE:
      g_value_set_string (value, gmcp_server_config_get_title (self));
      break;
    case PROP_ENABLED:
      g_value_set_boolean (value, self->enabled);
      break;
    case PROP_TRANSPORT:
      g_value_set_enum (value, self->transport);
      break;
    case PROP_ARGV:
      g_value_set_boxed (value, self->argv);
      break;
    case PROP_ENVIRONMENT:
      g_value_set_boxed (value, self->environment);
      break;
    case PROP_INHERIT_ENVIRONMENT:
      g_value_set_boolean (value, self->inherit_environment);
      break;
    case PROP_ALLOW_SAMPLING:
      g_value_set_boolean (value, self->allow_sampling);
      break;
    case PROP_CWD:
      g_value_set_string (value, self->cwd);
      break;
    case PROP_URL:
      g_value_set_string (value, self->url);
      break;
    case PROP_HEADERS:
      g_value_set_boxed (value, self->headers);
      break;
    case PROP_CA_FILE:
      g_value_set_string (value, self->ca_file);
      break;
    case PROP_ERA:
      g_value_set_enum (value, self->era);
      break;
    case PROP_CALL_TIMEOUT_MS:
      g_value_set_uint (value, self->call_timeout_ms);
      break;
    case PROP_STARTUP_TIMEOUT_MS:
      g_value_set_uint (value, self->startup_timeout_ms);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_server_config_set_property (GObject *object,
                                 guint prop_id,
                                 const GValue *value,
                                 GParamSpec *pspec)
{
  GmcpServerConfig *self = GMCP_SERVER_CONFIG (object);

  switch ((GmcpServerConfigProperty) prop_id)
    {
    case PROP_ID:
      self->id = g_strdup (g_value_get_string (value) != NULL ? g_value_get_string (value) : "");
      break;
    case PROP_TITLE:
      self->title = dup_string_unless_empty (value);
      break;
    case PROP_ENABLED:
      self->enabled = g_value_get_boolean (value);
      break;
    case PROP_TRANSPORT:
      self->transport = g_value_get_enum (value);
      break;
    case PROP_ARGV:
      self->argv = g_value_dup_boxed (value);
      if (self->argv == NULL)
        self->argv = g_new0 (char *, 1);
      break;
    case PROP_ENVIRONMENT:
      self->environment = sort_environment (g_value_get_boxed (value));
      break;
    case PROP_INHERIT_ENVIRONMENT:
      self->inherit_environment = g_value_get_boolean (value);
      break;
    case PROP_ALLOW_SAMPLING:
      self->allow_sampling = g_value_get_boolean (value);
      break;
    case PROP_CWD:
      self->cwd = dup_string_unless_empty (value);
      break;
    case PROP_URL:
      self->url = dup_string_unless_empty (value);
      break;
    case PROP_HEADERS:
      self->headers = dup_headers (g_value_get_boxed (value));
      break;
    case PROP_CA_FILE:
      self->ca_file = dup_string_unless_empty (value);
      break;
    case PROP_ERA:
      self->era = g_value_get_enum (value);
      break;
    case PROP_CALL_TIMEOUT_MS:
      self->call_timeout_ms = g_value_get_uint (value);
      break;
    case PROP_STARTUP_TIMEOUT_MS:
      self->startup_timeout_ms = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_server_config_class_init (GmcpServerConfigClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = gmcp_server_config_finalize;
  object_class->get_property = gmcp_server_config_get_property;
  object_class->set_property = gmcp_server_config_set_property;

  /**
   * GmcpServerConfig:id:
   *
   * What the server is called in settings, in tool names and on the command line: 1 to 63
   * lower-case ASCII letters, digits and hyphens, no hyphen at the start.
   *
   * Since: 0.1
   */
  properties[PROP_ID] = g_param_spec_string ("id", NULL, NULL, "", flags);

  /**
   * GmcpServerConfig:title: (getter get_title)
   *
   * What people call the server; the id where nothing else is set.
   *
   * Since: 0.1
   */
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);

  /**
   * GmcpServerConfig:enabled: (getter is_enabled)
   *
   * Whether the server may be started.
   *
   * Since: 0.1
   */
  properties[PROP_ENABLED] = g_param_spec_boolean ("enabled", NULL, NULL, TRUE, flags);

  /**
   * GmcpServerConfig:transport: (getter get_transport)
   *
   * How the server is reached.
   *
   * Since: 0.1
   */
  properties[PROP_TRANSPORT] = g_param_spec_enum (
    "transport", NULL, NULL, GMCP_TYPE_SERVER_TRANSPORT, GMCP_SERVER_TRANSPORT_STDIO, flags);

  /**
   * GmcpServerConfig:argv: (getter get_argv)
   *
   * The program and its arguments. No shell reads them.
   *
   * Since: 0.1
   */
  properties[PROP_ARGV] = g_param_spec_boxed ("argv", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * GmcpServerConfig:environment: (getter get_environment)
   *
   * Variables for the program, as `NAME=VALUE`, besides those every program gets.
   *
   * Since: 0.1
   */
  properties[PROP_ENVIRONMENT] = g_param_spec_boxed ("environment", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * GmcpServerConfig:inherit-environment: (getter get_inherit_environment)
   *
   * Whether the program gets the host's whole environment.
   *
   * Since: 0.1
   */
  properties[PROP_INHERIT_ENVIRONMENT]
    = g_param_spec_boolean ("inherit-environment", NULL, NULL, FALSE, flags);

  /**
   * GmcpServerConfig:allow-sampling: (getter get_allow_sampling)
   *
   * Whether the server may ask for the model of the program that uses it. `allowSampling` in JSON.
   *
   * Since: 0.1
   */
  properties[PROP_ALLOW_SAMPLING]
    = g_param_spec_boolean ("allow-sampling", NULL, NULL, FALSE, flags);

  /**
   * GmcpServerConfig:cwd: (getter get_cwd)
   *
   * The folder in which the program runs, a full path; %NULL for the host's.
   *
   * Since: 0.1
   */
  properties[PROP_CWD] = g_param_spec_string ("cwd", NULL, NULL, NULL, flags);

  /**
   * GmcpServerConfig:url: (getter get_url)
   *
   * Where the server is reached, for those that are not started as a program: `http://…`,
   * `https://…`, `unix:///SOCKET#/PATH` for HTTP over a Unix socket, or `unix:///SOCKET` for a socket
   * with one message a line. It may hold a password, so no message shows it.
   *
   * Since: 0.1
   */
  properties[PROP_URL] = g_param_spec_string ("url", NULL, NULL, NULL, flags);

  /**
   * GmcpServerConfig:headers: (getter get_headers)
   *
   * HTTP headers that each request to the server carries: names and values in turn. They are secrets,
   * and appear in no message.
   *
   * Since: 0.1
   */
  properties[PROP_HEADERS] = g_param_spec_boxed ("headers", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * GmcpServerConfig:ca-file: (getter get_ca_file)
   *
   * The file of certificates (PEM) to trust in place of the system's, a full path; %NULL for the
   * system's.
   *
   * Since: 0.1
   */
  properties[PROP_CA_FILE] = g_param_spec_string ("ca-file", NULL, NULL, NULL, flags);

  /**
   * GmcpServerConfig:era: (getter get_era)
   *
   * Which protocol the server speaks; %GMCP_ERA_AUTO asks it.
   *
   * Since: 0.1
   */
  properties[PROP_ERA] = g_param_spec_enum ("era", NULL, NULL, GMCP_TYPE_ERA, GMCP_ERA_AUTO, flags);

  /**
   * GmcpServerConfig:call-timeout-ms: (getter get_call_timeout_ms)
   *
   * The time limit of a call, in milliseconds; 0 for the manager's.
   *
   * Since: 0.1
   */
  properties[PROP_CALL_TIMEOUT_MS]
    = g_param_spec_uint ("call-timeout-ms", NULL, NULL, 0, G_MAXUINT, 0, flags);

  /**
   * GmcpServerConfig:startup-timeout-ms: (getter get_startup_timeout_ms)
   *
   * The time limit of the start, in milliseconds; 0 for the manager's.
   *
   * Since: 0.1
   */
  properties[PROP_STARTUP_TIMEOUT_MS]
    = g_param_spec_uint ("startup-timeout-ms", NULL, NULL, 0, G_MAXUINT, 0, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_server_config_init (GmcpServerConfig *self)
{
}

/**
 * gmcp_server_config_new:
 * @id: the server's id
 * @argv: (array zero-terminated=1): the program and its arguments
 *
 * Makes the configuration of an enabled server that is a program. For all else give the properties
 * to the constructor.
 *
 * Returns: (transfer full): a configuration
 *
 * Since: 0.1
 */
GmcpServerConfig *
gmcp_server_config_new (const char *id, const char *const *argv)
{
  g_return_val_if_fail (id != NULL, NULL);
  g_return_val_if_fail (argv != NULL, NULL);

  return g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", id, "argv", argv, NULL);
}
