/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-server-config-private.h"

#include <gmcp/core/gmcp-error.h>

#define TIMEOUT_MS_MAX 86400000

/* One entry as it is read: values until the object is made of them. */
typedef struct
{
  const char *path;
  char *title;
  char *command;
  char *cwd;
  char *url;
  char *ca_file;
  GPtrArray *args;
  GPtrArray *environment;
  GPtrArray *headers;
  gboolean disabled;
  gboolean inherit_environment;
  gboolean allow_sampling;
  gboolean has_transport;
  int transport;
  int era;
  GPtrArray *names; /* of properties, borrowed; their values stand beside */
  GArray *values;
} Entry;

static void
entry_clear (Entry *entry)
{
  g_free (entry->title);
  g_free (entry->command);
  g_free (entry->cwd);
  g_free (entry->url);
  g_free (entry->ca_file);
  g_ptr_array_unref (entry->args);
  g_ptr_array_unref (entry->environment);
  g_ptr_array_unref (entry->headers);
  g_ptr_array_unref (entry->names);
  g_array_unref (entry->values);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Entry, entry_clear)

typedef gboolean (*ReadKey) (Entry *entry, const char *key, GmcpJsonValue value, GError **error);

/* Says what stands at a key and what should; never the value itself, which may be a secret. */
static gboolean
fail (Entry *entry, const char *key, const char *expected, GError **error)
{
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
               /* Translators: a key path such as mcpServers.web.args[0], then “a string”. */
               _ ("%s%s%s: expected %s"), entry->path,
               *entry->path != '\0' && *key != '\0' ? "." : "", key, expected);
  return FALSE;
}

static gboolean
read_string (Entry *entry, const char *key, GmcpJsonValue value, char **out, GError **error)
{
  if (!gmcp_json_value_is_string (value))
    return fail (entry, key, _ ("a string"), error);

  g_free (*out);
  *out = gmcp_json_value_dup_string (value);
  return TRUE;
}

static gboolean
read_boolean (Entry *entry, const char *key, GmcpJsonValue value, gboolean *out, GError **error)
{
  return gmcp_json_value_get_boolean (value, out) || fail (entry, key, _ ("true or false"), error);
}

static gboolean
read_title (Entry *entry, const char *key, GmcpJsonValue value, GError **error)
{
  return read_string (entry, key, value, &entry->title, error);
}

static gboolean
read_command (Entry *entry, const char *key, GmcpJsonValue value, GError **error)
{
  if (!read_string (entry, key, value, &entry->command, error))
    return FALSE;

  return *entry->command != '\0' || fail (entry, key, _ ("the name or path of a program"), error);
}

static gboolean
read_args (Entry *entry, const char *key, GmcpJsonValue value, GError **error)
{
  GmcpJsonIter iter;
  GmcpJsonValue element;

  if (!gmcp_json_value_is_array (value))
    return fail (entry, key, _ ("an array of strings"), error);

  g_ptr_array_set_size (entry->args, 0);
  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, NULL, &element))
    {
      g_autofree char *position = g_strdup_printf ("%s[%u]", key, entry->args->len);
      char *word = NULL;

      if (!read_string (entry, position, element, &word, error))
        return FALSE;
      g_ptr_array_add (entry->args, word);
    }

  return TRUE;
}

static gboolean
read_environment (Entry *entry, const char *key, GmcpJsonValue value, GError **error)
{
  GmcpJsonIter iter;
  GmcpJsonValue name_value;
  GmcpJsonValue member;

  if (!gmcp_json_value_is_object (value))
    return fail (entry, key, _ ("an object of strings"), error);

  g_ptr_array_set_size (entry->environment, 0);
  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, &name_value, &member))
    {
      g_autofree char *name = gmcp_json_value_dup_string (name_value);
      g_autofree char *position = g_strdup_printf ("%s.%s", key, name);
      g_autofree char *text = NULL;

      if (*name == '\0' || strchr (name, '=') != NULL)
        return fail (entry, position, _ ("a variable name without “=”"), error);
      if (!read_string (entry, position, member, &text, error))
        return FALSE;
      g_ptr_array_add (entry->environment, g_strdup_printf ("%s=%s", name, text));
    }

  return TRUE;
}

static gboolean
read_allow_sampling (Entry *entry, const char *key, GmcpJsonValue value, GError **error)
{
  return read_boolean (entry, key, value, &entry->allow_sampling, error);
}

static gboolean
read_inherit (Entry *entry, const char *key, GmcpJsonValue value, GError **error)
{
  return read_boolean (entry, key, value, &entry->inherit_environment, error);
}

static gboolean
read_cwd (Entry *entry, const char *key, GmcpJsonValue value, GError **error)
{
  return read_string (entry, key, value, &entry->cwd, error);
}

static gboolean
read_url (Entry *entry, const char *key, GmcpJsonValue value, GError **error)
{
  return read_string (entry, key, value, &entry->url, error);
}

static gboolean
read_headers (Entry *entry, const char *key, GmcpJsonValue value, GError **error)
{
  GmcpJsonIter iter;
  GmcpJsonValue name_value;
  GmcpJsonValue member;

  if (!gmcp_json_value_is_object (value))
    return fail (entry, key, _ ("an object of strings"), error);

  g_ptr_array_set_size (entry->headers, 0);
  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, &name_value, &member))
    {
      g_autofree char *name = gmcp_json_value_dup_string (name_value);
      g_autofree char *position = g_strdup_printf ("%s.%s", key, name);
      char *text = NULL;

      if (!read_string (entry, position, member, &text, error))
        return FALSE;
      g_ptr_array_add (entry->headers, g_steal_pointer (&name));
      g_ptr_array_add (entry->headers, text);
    }

  return TRUE;
}

static gboolean
read_ca_file (Entry *entry, const char *key, GmcpJsonValue value, GError **error)
{
  return read_string (entry, key, value, &entry->ca_file, error);
}

static gboolean
read_disabled (Entry *entry, const char *key, GmcpJsonValue value, GError **error)
{
  gboolean disabled = FALSE;

  if (!read_boolean (entry, key, value, &disabled, error))
    return FALSE;

  entry->disabled |= disabled;
  return TRUE;
}

static gboolean
read_enabled (Entry *entry, const char *key, GmcpJsonValue value, GError **error)
{
  gboolean enabled = TRUE;

  if (!read_boolean (entry, key, value, &enabled, error))
    return FALSE;

  entry->disabled |= !enabled;
  return TRUE;
}

static gboolean
read_transport (Entry *entry, const char *key, GmcpJsonValue value, GError **error)
{
  static const struct
  {
    const char *word;
    GmcpServerTransport transport;
  } words[] = {
    { "stdio", GMCP_SERVER_TRANSPORT_STDIO },
    { "local", GMCP_SERVER_TRANSPORT_STDIO },
    { "http", GMCP_SERVER_TRANSPORT_HTTP },
    { "streamable-http", GMCP_SERVER_TRANSPORT_HTTP },
    { "streamable_http", GMCP_SERVER_TRANSPORT_HTTP },
    { "streamableHttp", GMCP_SERVER_TRANSPORT_HTTP },
    { "sse", GMCP_SERVER_TRANSPORT_SSE },
    { "remote", GMCP_SERVER_TRANSPORT_HTTP },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (!gmcp_json_value_equals_string (value, words[i].word))
        continue;
      entry->transport = words[i].transport;
      entry->has_transport = TRUE;
      return TRUE;
    }

  return fail (entry, key, _ ("“stdio”, “http” or “sse”"), error);
}

static GValue *
add_value (Entry *entry, const char *property, GType type)
{
  GValue *value;

  g_ptr_array_add (entry->names, (gpointer) property);
  g_array_set_size (entry->values, entry->names->len);
  value = &g_array_index (entry->values, GValue, entry->values->len - 1);
  return g_value_init (value, type);
}

/* Of the words that are allowed: “a”, “b” or “c”. */
static char *
list_nicks (GEnumClass *klass)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < klass->n_values; i++)
    g_string_append_printf (list, "%s“%s”",
                            i == 0                     ? ""
                            : i + 1 == klass->n_values ? _ (" or ")
                                                       : ", ",
                            klass->values[i].value_nick);
  return g_string_free (g_steal_pointer (&list), FALSE);
}

static gboolean
read_nick (Entry *entry, const char *key, GmcpJsonValue value, GType type, int *out, GError **error)
{
  g_autoptr (GEnumClass) klass = g_type_class_ref (type);
  g_autofree char *nick = gmcp_json_value_dup_string (value);
  GEnumValue *found = nick != NULL ? g_enum_get_value_by_nick (klass, nick) : NULL;
  g_autofree char *nicks = NULL;

  if (found != NULL)
    {
      *out = found->value;
      return TRUE;
    }

  nicks = list_nicks (klass);
  return fail (entry, key, nicks, error);
}

/* The keys that are a property each, of the same kind. */
static const struct
{
  const char *name;
  const char *property;
  guint max; /* of a number */
} plain_keys[] = {
  { "callTimeoutMs", "call-timeout-ms", TIMEOUT_MS_MAX },
  { "healthIntervalMs", "health-interval-ms", TIMEOUT_MS_MAX },
  { "healthMethod", "health-method", 0 },
  { "healthTimeoutMs", "health-timeout-ms", TIMEOUT_MS_MAX },
  { "healthTool", "health-tool", 0 },
  { "idleTimeoutMs", "idle-timeout-ms", TIMEOUT_MS_MAX },
  { "instructions", "instructions", 0 },
  { "maxCalls", "max-calls", G_MAXUINT16 },
  { "maxQueuedCalls", "max-queued-calls", G_MAXUINT16 },
  { "maxRestartAttempts", "max-restart-attempts", G_MAXUINT16 },
  { "package", "package", 0 },
  { "restartOnFailure", "restart-on-failure", 0 },
  { "shutdownTimeoutMs", "shutdown-timeout-ms", TIMEOUT_MS_MAX },
  { "start", "start", 0 },
  { "startupTimeoutMs", "startup-timeout-ms", TIMEOUT_MS_MAX },
  { "trusted", "trusted", 0 },
};

static gboolean
read_number (Entry *entry,
             const char *key,
             GmcpJsonValue value,
             guint max,
             guint *out,
             GError **error)
{
  g_autofree char *expected = NULL;
  guint64 number;

  if (gmcp_json_value_get_uint64 (value, &number) && number <= max)
    {
      *out = number;
      return TRUE;
    }

  expected = max == TIMEOUT_MS_MAX
               ? g_strdup_printf (_ ("a whole number of milliseconds from 0 to %u"), max)
               : g_strdup_printf (_ ("a whole number from 0 to %u"), max);
  return fail (entry, key, expected, error);
}

static gboolean
read_plain (Entry *entry, gsize i, GmcpJsonValue member, GType type, GError **error)
{
  const char *key = plain_keys[i].name;
  const char *property = plain_keys[i].property;
  g_autofree char *text = NULL;
  gboolean flag = FALSE;
  guint number = 0;
  int word = 0;

  switch (G_TYPE_FUNDAMENTAL (type))
    {
    case G_TYPE_STRING:
      if (!read_string (entry, key, member, &text, error))
        return FALSE;
      g_value_set_string (add_value (entry, property, type), text);
      return TRUE;
    case G_TYPE_BOOLEAN:
      if (!read_boolean (entry, key, member, &flag, error))
        return FALSE;
      g_value_set_boolean (add_value (entry, property, type), flag);
      return TRUE;
    case G_TYPE_UINT:
      if (!read_number (entry, key, member, plain_keys[i].max, &number, error))
        return FALSE;
      g_value_set_uint (add_value (entry, property, type), number);
      return TRUE;
    default:
      if (!read_nick (entry, key, member, type, &word, error))
        return FALSE;
      g_value_set_enum (add_value (entry, property, type), word);
      return TRUE;
    }
}

static gboolean
read_plain_keys (Entry *entry, GmcpJsonValue value, GError **error)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (GMCP_TYPE_SERVER_CONFIG);

  for (gsize i = 0; i < G_N_ELEMENTS (plain_keys); i++)
    {
      GmcpJsonValue member = gmcp_json_value_get_member (value, plain_keys[i].name);
      GParamSpec *pspec
        = g_object_class_find_property (G_OBJECT_CLASS (klass), plain_keys[i].property);

      if (gmcp_json_value_is_present (member)
          && !read_plain (entry, i, member, pspec->value_type, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_health_arguments (Entry *entry, const char *key, GmcpJsonValue value, GError **error)
{
  g_autofree char *text = NULL;

  if (!gmcp_json_value_is_object (value))
    return fail (entry, key, _ ("an object"), error);

  text = gmcp_json_value_dup_raw (value);
  g_value_set_string (add_value (entry, "health-arguments", G_TYPE_STRING), text);
  return TRUE;
}

static gboolean
read_era (Entry *entry, const char *key, GmcpJsonValue value, GError **error)
{
  return read_nick (entry, key, value, GMCP_TYPE_ERA, &entry->era, error);
}

/* The common keys of other hosts' files, and ours for what they have no word for. Others are left
 * alone: each host adds some of its own. */
static const struct
{
  const char *name;
  ReadKey read;
} keys[] = {
  { "allowSampling", read_allow_sampling },
  { "args", read_args },
  { "caFile", read_ca_file },
  { "command", read_command },
  { "cwd", read_cwd },
  { "disabled", read_disabled },
  { "enabled", read_enabled },
  { "env", read_environment },
  { "headers", read_headers },
  { "healthArguments", read_health_arguments },
  { "inheritEnvironment", read_inherit },
  { "protocolEra", read_era },
  { "title", read_title },
  { "transport", read_transport },
  { "type", read_transport },
  /* The words of several hosts for one thing. */
  { "uri", read_url },
  { "serverUrl", read_url },
  { "httpUrl", read_url },
  { "url", read_url },
};

static gboolean
read_entry (Entry *entry, GmcpJsonValue value, GError **error)
{
  if (!gmcp_json_value_is_object (value))
    return fail (entry, "", _ ("an object"), error);

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      GmcpJsonValue member = gmcp_json_value_get_member (value, keys[i].name);

      if (gmcp_json_value_is_present (member) && !keys[i].read (entry, keys[i].name, member, error))
        return FALSE;
    }
  if (!read_plain_keys (entry, value, error))
    return FALSE;

  if (!entry->has_transport && entry->command == NULL && entry->url != NULL)
    entry->transport = GMCP_SERVER_TRANSPORT_HTTP;
  if (entry->transport != GMCP_SERVER_TRANSPORT_STDIO && entry->url == NULL)
    return fail (entry, "url", _ ("the address of the server"), error);
  if (entry->transport == GMCP_SERVER_TRANSPORT_STDIO && entry->command == NULL)
    return fail (entry, "command", _ ("the name or path of a program"), error);

  return TRUE;
}

static GmcpServerConfig *
make_config (Entry *entry, const char *id, const char *title, const char *base_dir)
{
  g_autofree char *cwd = NULL;
  g_autofree char *ca_file = NULL;

  if (entry->cwd != NULL && *entry->cwd != '\0' && base_dir != NULL)
    cwd = g_canonicalize_filename (entry->cwd, base_dir);

  if (entry->ca_file != NULL && *entry->ca_file != '\0' && base_dir != NULL)
    ca_file = g_canonicalize_filename (entry->ca_file, base_dir);

  if (entry->command != NULL)
    g_ptr_array_insert (entry->args, 0, g_steal_pointer (&entry->command));
  g_ptr_array_add (entry->args, NULL);
  g_ptr_array_add (entry->environment, NULL);
  g_ptr_array_add (entry->headers, NULL);

  g_value_set_string (add_value (entry, "id", G_TYPE_STRING), id);
  g_value_set_string (add_value (entry, "title", G_TYPE_STRING),
                      entry->title != NULL ? entry->title : title);
  g_value_set_boolean (add_value (entry, "enabled", G_TYPE_BOOLEAN), !entry->disabled);
  g_value_set_enum (add_value (entry, "transport", GMCP_TYPE_SERVER_TRANSPORT), entry->transport);
  g_value_set_boxed (add_value (entry, "argv", G_TYPE_STRV), entry->args->pdata);
  g_value_set_boxed (add_value (entry, "environment", G_TYPE_STRV), entry->environment->pdata);
  g_value_set_boolean (add_value (entry, "inherit-environment", G_TYPE_BOOLEAN),
                       entry->inherit_environment);
  g_value_set_boolean (add_value (entry, "allow-sampling", G_TYPE_BOOLEAN), entry->allow_sampling);
  g_value_set_string (add_value (entry, "cwd", G_TYPE_STRING), cwd != NULL ? cwd : entry->cwd);
  g_value_set_string (add_value (entry, "url", G_TYPE_STRING), entry->url);
  g_value_set_boxed (add_value (entry, "headers", G_TYPE_STRV), entry->headers->pdata);
  g_value_set_string (add_value (entry, "ca-file", G_TYPE_STRING),
                      ca_file != NULL ? ca_file : entry->ca_file);
  g_value_set_enum (add_value (entry, "era", GMCP_TYPE_ERA), entry->era);

  return GMCP_SERVER_CONFIG (g_object_new_with_properties (
    GMCP_TYPE_SERVER_CONFIG, entry->names->len, (const char **) entry->names->pdata,
    (const GValue *) entry->values->data));
}

GmcpServerConfig *
gmcp_server_config_new_from_value (const char *id,
                                   const char *title,
                                   GmcpJsonValue value,
                                   const char *path,
                                   const char *base_dir,
                                   GError **error)
{
  g_auto (Entry) entry = {
    .path = path,
    .args = g_ptr_array_new_with_free_func (g_free),
    .environment = g_ptr_array_new_with_free_func (g_free),
    .headers = g_ptr_array_new_with_free_func (g_free),
    .names = g_ptr_array_new (),
    .values = g_array_new (FALSE, TRUE, sizeof (GValue)),
    .transport = GMCP_SERVER_TRANSPORT_STDIO,
    .era = GMCP_ERA_AUTO,
  };
  g_autoptr (GmcpServerConfig) config = NULL;

  g_array_set_clear_func (entry.values, (GDestroyNotify) g_value_unset);
  if (!read_entry (&entry, value, error))
    return NULL;

  config = make_config (&entry, id, title, base_dir);
  if (!gmcp_server_config_validate (config, error))
    return NULL;

  return g_steal_pointer (&config);
}

/**
 * gmcp_server_config_new_from_json:
 * @id: the server's id
 * @json: a JSON object with `command`, `args`, `env`, `cwd`, or with `url` and `headers`, and more,
 *   as it stands below `mcpServers` in the files of many hosts
 * @error: return location for an error
 *
 * Reads the configuration of one server. Keys that are not known are left alone. Fails with
 * %GMCP_ERROR_INVALID_JSON or %GMCP_ERROR_INVALID_CONFIG; the message names the key and what was
 * expected there.
 *
 * Returns: (transfer full): a configuration, which is valid
 *
 * Since: 0.1
 */
GmcpServerConfig *
gmcp_server_config_new_from_json (const char *id, const char *json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (id != NULL, NULL);
  g_return_val_if_fail (json != NULL, NULL);

  doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, error);
  if (doc == NULL)
    return NULL;

  return gmcp_server_config_new_from_value (id, NULL, gmcp_json_doc_get_root (doc), id, NULL,
                                            error);
}
