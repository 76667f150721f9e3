/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-server-config-private.h"

#define TIMEOUT_MS_MAX 86400000u

const GmcpConfigEntryRules gmcp_config_entry_plain_rules = {
  .start = GMCP_SERVER_START_ON_DEMAND,
  .unknown_key = GMCP_NOTICE_LEVEL_INFO,
};

/* One entry as it is read: values until the object is made of them. */
typedef struct
{
  const char *path;
  const char *base_dir;
  const GmcpConfigEntryRules *rules;
  GmcpConfigReport *report;
  GPtrArray *args; /* the command among them, in front */
  GPtrArray *environment;
  GPtrArray *headers;
  char *command;
  gboolean disabled;
  gboolean has_url; /* under its own name, which is stronger than any other */
  gboolean is_sse;  /* by where the address stands */
  gboolean has_command;
  GPtrArray *names; /* of properties, borrowed; their values stand beside */
  GArray *values;
} Entry;

static void
entry_clear (Entry *entry)
{
  g_free (entry->command);
  g_ptr_array_unref (entry->args);
  g_ptr_array_unref (entry->environment);
  g_ptr_array_unref (entry->headers);
  g_ptr_array_unref (entry->names);
  g_array_unref (entry->values);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Entry, entry_clear)

/* What is known of a key: its name in `mcpServers`, and how its value is read. */
typedef struct _Key Key;

typedef void (*ReadKey) (Entry *entry, const Key *key, const char *path, GmcpJsonValue value);

struct _Key
{
  const char *name;
  ReadKey read;
  const char *property;
  guint max;   /* of a number */
  guint low;   /* the range that files are held to, where rules say so; 0 for none */
  guint high;  /* the same */
  guint scale; /* of this value */
  const char *as_written;
};

/* Says what stands at a key and what should; never the value itself, which may be a secret. */
static void
fail (Entry *entry, const char *path, GmcpJsonValue value, const char *expected)
{
  gmcp_config_report_expected (entry->report, value, path, expected);
}

static GValue *
set_value (Entry *entry, const char *property, GType type)
{
  GValue *value;

  for (guint i = 0; i < entry->names->len; i++)
    {
      value = &g_array_index (entry->values, GValue, i);
      if (g_str_equal (g_ptr_array_index (entry->names, i), property))
        return g_value_reset (value);
    }

  g_ptr_array_add (entry->names, (gpointer) property);
  g_array_set_size (entry->values, entry->names->len);
  value = &g_array_index (entry->values, GValue, entry->values->len - 1);
  return g_value_init (value, type);
}

static const GValue *
get_value (Entry *entry, const char *property)
{
  for (guint i = 0; i < entry->names->len; i++)
    {
      if (g_str_equal (g_ptr_array_index (entry->names, i), property))
        return &g_array_index (entry->values, GValue, i);
    }
  return NULL;
}

/* A start would fail of it; another program may know more of them. */
static void
check_variables (Entry *entry, const char *path, GmcpJsonValue value, const char *text)
{
  g_autoptr (GError) error = NULL;

  if (!gmcp_config_variables_check (text, &error))
    gmcp_config_report_add (entry->report, GMCP_NOTICE_LEVEL_WARNING, value, path, "%s",
                            error->message);
}

/* NULL where it is no text, which is then reported. */
static char *
dup_text (Entry *entry, const char *path, GmcpJsonValue value)
{
  g_autofree char *text = NULL;
  char *translated;
  gboolean flag;

  if (entry->rules->loose_scalars
      && (gmcp_json_value_is_number (value) || gmcp_json_value_get_boolean (value, &flag)))
    return gmcp_json_value_dup_raw (value);
  if (!gmcp_json_value_is_string (value))
    fail (entry, path, value, _ ("a string"));
  text = gmcp_json_value_dup_string (value);
  if (text != NULL && entry->rules->translate == NULL)
    check_variables (entry, path, value, text);
  if (text == NULL || entry->rules->translate == NULL)
    return g_steal_pointer (&text);

  translated = entry->rules->translate (text);
  if (translated == NULL)
    fail (entry, path, value, _ ("the value itself, as those of other files are not read"));
  return translated;
}

static gboolean
get_flag (Entry *entry, const char *path, GmcpJsonValue value, gboolean *out)
{
  if (gmcp_json_value_get_boolean (value, out))
    return TRUE;

  fail (entry, path, value, _ ("true or false"));
  return FALSE;
}

static void
read_text (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  g_autofree char *text = dup_text (entry, path, value);

  if (text != NULL)
    g_value_set_string (set_value (entry, key->property, G_TYPE_STRING), text);
}

static void
read_flag (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  gboolean flag = FALSE;

  if (get_flag (entry, path, value, &flag))
    g_value_set_boolean (set_value (entry, key->property, G_TYPE_BOOLEAN), flag);
}

static void
fail_number (Entry *entry,
             const Key *key,
             const char *path,
             GmcpJsonValue value,
             guint low,
             guint high)
{
  g_autofree char *expected = NULL;

  if (key->scale == 1000)
    expected = g_strdup_printf (_ ("a number of seconds from %u to %u"), low / 1000, high / 1000);
  else if (g_str_has_suffix (key->property, "-ms"))
    expected = g_strdup_printf (_ ("a whole number of milliseconds from %u to %u"), low, high);
  else
    expected = g_strdup_printf (_ ("a whole number from %u to %u"), low, high);

  if (entry->rules->forgive_ranges && gmcp_json_value_is_number (value))
    gmcp_config_report_add (entry->report, GMCP_NOTICE_LEVEL_WARNING, value, path,
                            _ ("expected %s; the default holds instead"), expected);
  else
    fail (entry, path, value, expected);
}

static void
read_number (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  gboolean ranged = entry->rules->check_ranges && key->high > 0;
  gboolean may_be_zero = ranged && entry->rules->zero_is_default;
  guint low = ranged ? key->low : 0;
  guint high = ranged ? key->high : key->max;
  guint64 number = 0;
  double seconds = 0;

  /* Half a second can be said. */
  if (key->scale == 1000 && gmcp_json_value_get_double (value, &seconds) && seconds >= 0
      && seconds <= high / 1000.0)
    number = (guint64) (seconds * 1000 + 0.5);
  else if (key->scale == 1000 || !gmcp_json_value_get_uint64 (value, &number))
    number = G_MAXUINT64;

  if ((number < low || number > high) && !(may_be_zero && number == 0))
    fail_number (entry, key, path, value, low, high);
  else
    g_value_set_uint (set_value (entry, key->property, G_TYPE_UINT), number);
}

static void
read_timeout (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  Key scaled = *key;

  if (entry->rules->timeout_is_of_start)
    scaled.property = "startup-timeout-ms";
  scaled.scale = entry->rules->seconds ? 1000 : 1;
  read_number (entry, &scaled, path, value);
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

static void
read_word (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (GMCP_TYPE_SERVER_CONFIG);
  GType type = g_object_class_find_property (G_OBJECT_CLASS (klass), key->property)->value_type;
  g_autoptr (GEnumClass) words = g_type_class_ref (type);
  g_autofree char *nick = gmcp_json_value_dup_string (value);
  GEnumValue *found;
  g_autofree char *expected = NULL;

  if (nick != NULL)
    g_strdelimit (nick, "_", '-');
  found = nick != NULL ? g_enum_get_value_by_nick (words, nick) : NULL;
  if (found != NULL)
    {
      g_value_set_enum (set_value (entry, key->property, type), found->value);
      return;
    }

  expected = list_nicks (words);
  fail (entry, path, value, expected);
}

/* Of another host, with rules of its own: whoever wrote it relies on them. */
static void
read_sandbox (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  if (gmcp_json_value_is_object (value))
    gmcp_config_report_add (
      entry->report, GMCP_NOTICE_LEVEL_WARNING, value, path, "%s",
      _ ("rules of another program’s sandbox do not count here; use “read-only-home”"));
  else
    read_word (entry, key, path, value);
}

static void
read_object_text (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  g_autofree char *text = NULL;

  if (!gmcp_json_value_is_object (value))
    {
      fail (entry, path, value, _ ("an object"));
      return;
    }
  text = gmcp_json_value_dup_raw (value);
  g_value_set_string (set_value (entry, key->property, G_TYPE_STRING), text);
}

static void
append_words (Entry *entry, GPtrArray *words, const char *path, GmcpJsonValue value)
{
  GmcpJsonIter iter;
  GmcpJsonValue element;
  guint i = 0;

  if (!gmcp_json_value_is_array (value))
    {
      fail (entry, path, value, _ ("an array of strings"));
      return;
    }

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, NULL, &element))
    {
      g_autofree char *place = g_strdup_printf ("%s[%u]", path, i++);
      char *word = dup_text (entry, place, element);

      if (word != NULL)
        g_ptr_array_add (words, word);
    }
}

static void
split_command (Entry *entry, const char *path, GmcpJsonValue value)
{
  g_auto (GStrv) words = NULL;

  if (!g_shell_parse_argv (entry->command, NULL, &words, NULL))
    {
      fail (entry, path, value, _ ("a command, quoted as for a shell"));
      return;
    }
  for (gsize i = 0; words[i] != NULL; i++)
    g_ptr_array_insert (entry->args, (int) i, g_strdup (words[i]));
  g_clear_pointer (&entry->command, g_free);
}

static void read_command_object (Entry *entry, const char *path, GmcpJsonValue object);

static void
read_command (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  if (entry->rules->command_object && gmcp_json_value_is_object (value))
    {
      read_command_object (entry, path, value);
      return;
    }

  entry->has_command = TRUE;
  /* The program and its arguments in one. */
  if (gmcp_json_value_is_array (value) && gmcp_json_value_get_length (value) > 0)
    {
      g_autoptr (GPtrArray) words = g_ptr_array_new ();

      append_words (entry, words, path, value);
      for (guint i = 0; i < words->len; i++)
        g_ptr_array_insert (entry->args, (int) i, g_ptr_array_index (words, i));
      return;
    }

  g_free (entry->command);
  entry->command = dup_text (entry, path, value);
  if (entry->command == NULL)
    return;
  if (*entry->command == '\0')
    fail (entry, path, value, _ ("the name or path of a program"));
  else if (entry->rules->split_command)
    split_command (entry, path, value);
}

static void
read_args (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  append_words (entry, entry->args, path, value);
}

static void
read_words (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  append_words (entry, words, path, value);
  g_ptr_array_add (words, NULL);
  g_value_set_boxed (set_value (entry, key->property, G_TYPE_STRV), words->pdata);
}

/* Of a map of texts: calls add for each. pattern (nullable) is what is put around the text. */
static void
read_map (Entry *entry,
          const char *path,
          GmcpJsonValue value,
          gboolean environment,
          const char *before,
          const char *after)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue member;

  if (!gmcp_json_value_is_object (value))
    {
      fail (entry, path, value, _ ("an object of strings"));
      return;
    }

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, &key, &member))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *place = g_strdup_printf ("%s.%s", path, name);
      g_autofree char *text = dup_text (entry, place, member);

      if (environment && (*name == '\0' || strchr (name, '=') != NULL))
        fail (entry, place, key, _ ("a variable name without “=”"));
      else if (text != NULL && environment)
        g_ptr_array_add (entry->environment,
                         g_strdup_printf ("%s=%s%s%s", name, before, text, after));
      else if (text != NULL)
        {
          g_ptr_array_add (entry->headers, g_steal_pointer (&name));
          g_ptr_array_add (entry->headers, g_strdup_printf ("%s%s%s", before, text, after));
        }
    }
}

static void
read_environment (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  read_map (entry, path, value, TRUE, "", "");
}

static void
read_headers (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  read_map (entry, path, value, FALSE, "", "");
}

/* Values that are named by the variable that holds them. */
static void
read_variable_headers (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  read_map (entry, path, value, FALSE, "${", "}");
}

static void
read_bearer_variable (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  g_autofree char *name = dup_text (entry, path, value);

  if (name == NULL)
    return;
  g_ptr_array_add (entry->headers, g_strdup ("Authorization"));
  g_ptr_array_add (entry->headers, g_strdup_printf ("Bearer ${%s}", name));
}

/* Names of variables that are passed on, or of secrets. */
static void
read_variable_names (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *kind = g_str_equal (key->name, "envKeys") ? "secret:" : "";

  append_words (entry, names, path, value);
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);

      if (*name == '\0' || strpbrk (name, "={}") != NULL)
        fail (entry, path, value, _ ("names of variables"));
      else
        g_ptr_array_add (entry->environment, g_strdup_printf ("%s=${%s%s}", name, kind, name));
    }
}

/* A full path, unless it is one only once it is expanded. */
static void
read_path (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  g_autofree char *text = dup_text (entry, path, value);
  gboolean relative = text != NULL && *text != '\0' && !gmcp_config_is_pattern (text);

  if (text == NULL)
    return;
  if (relative && entry->base_dir != NULL)
    g_value_take_string (set_value (entry, key->property, G_TYPE_STRING),
                         g_canonicalize_filename (text, entry->base_dir));
  else
    g_value_set_string (set_value (entry, key->property, G_TYPE_STRING), text);
}

static void
read_url (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  const char *main_url = entry->rules->main_url != NULL ? entry->rules->main_url : "url";
  gboolean own = g_str_equal (key->as_written, main_url);

  if (own || !entry->has_url)
    {
      read_text (entry, key, path, value);
      entry->is_sse = entry->rules->sse_url && g_str_equal (key->as_written, "url");
    }
  else
    {
      g_free (dup_text (entry, path, value));
    }
  entry->has_url |= own;
}

static void
read_disabled (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  gboolean flag = FALSE;

  if (get_flag (entry, path, value, &flag))
    entry->disabled |= flag == g_str_equal (key->name, "disabled");
}

static void
read_auto_start (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  gboolean flag = FALSE;

  if (get_flag (entry, path, value, &flag))
    g_value_set_enum (set_value (entry, "start", GMCP_TYPE_SERVER_START),
                      flag ? GMCP_SERVER_START_ON_DEMAND : GMCP_SERVER_START_MANUAL);
}

static void
read_transport (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
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
      g_value_set_enum (set_value (entry, "transport", GMCP_TYPE_SERVER_TRANSPORT),
                        words[i].transport);
      return;
    }

  fail (entry, path, value, _ ("“stdio”, “http” or “sse”"));
}

static void
read_command_object (Entry *entry, const char *path, GmcpJsonValue object)
{
  static const struct
  {
    const char *name;
    ReadKey read;
  } members[] = {
    { "path", read_command },
    { "args", read_args },
    { "env", read_environment },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const Key key = { .name = members[i].name };
      GmcpJsonValue value = gmcp_json_value_get_member (object, key.name);
      g_autofree char *place = gmcp_config_path_join (path, key.name);

      /* An object in an object is none. */
      if (members[i].read == read_command && gmcp_json_value_is_object (value))
        fail (entry, place, value, _ ("a string"));
      else if (gmcp_json_value_is_present (value))
        members[i].read (entry, &key, place, value);
    }
}

static void read_members (Entry *entry, GmcpJsonValue object, const char *path, const char *prefix);

static void
read_health_check (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  const GValue *method;
  g_autofree char *tool_path = gmcp_config_path_join (path, "tool");

  if (!gmcp_json_value_is_object (value))
    {
      fail (entry, path, value, _ ("an object"));
      return;
    }

  read_members (entry, value, path, "health");
  method = get_value (entry, "health-method");
  if (method != NULL && g_value_get_enum (method) == GMCP_HEALTH_METHOD_TOOL_CALL
      && get_value (entry, "health-tool") == NULL)
    fail (entry, tool_path, value, _ ("the tool to call, as the method is “tool_call”"));
}

static void
read_env_file (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  gmcp_config_report_add (entry->report, GMCP_NOTICE_LEVEL_WARNING, value, path, "%s",
                          _ ("files of variables are not read; use “env”"));
}

/* It was read where the id was made. */
static void
read_name (Entry *entry, const Key *key, const char *path, GmcpJsonValue value)
{
  g_free (dup_text (entry, path, value));
}

/* clang-format off */
static const Key keys[] = {
  { "allowedTools", read_words, "allowed-tools" },
  { "allowSampling", read_flag, "allow-sampling" },
  { "args", read_args },
  { "autoStart", read_auto_start },
  { "bearerTokenEnvVar", read_bearer_variable },
  { "caFile", read_path, "ca-file" },
  { "callTimeoutMs", read_number, "call-timeout-ms", TIMEOUT_MS_MAX },
  { "command", read_command },
  { "cwd", read_path, "cwd" },
  { "deniedTools", read_words, "denied-tools" },
  { "disabled", read_disabled },
  { "enabled", read_disabled },
  { "env", read_environment },
  { "envFile", read_env_file },
  { "envHttpHeaders", read_variable_headers },
  { "envKeys", read_variable_names },
  { "envVars", read_variable_names },
  { "headers", read_headers },
  { "healthArgs", read_object_text, "health-arguments" },
  { "healthArguments", read_object_text, "health-arguments" },
  { "healthCheck", read_health_check },
  { "healthIntervalMs", read_number, "health-interval-ms", TIMEOUT_MS_MAX, 10000, 300000 },
  { "healthMethod", read_word, "health-method" },
  { "healthTimeoutMs", read_number, "health-timeout-ms", TIMEOUT_MS_MAX, 1000, 30000 },
  { "healthTool", read_text, "health-tool" },
  { "id", read_name },
  { "idleTimeoutMs", read_number, "idle-timeout-ms", TIMEOUT_MS_MAX },
  { "inheritEnvironment", read_flag, "inherit-environment" },
  { "instructions", read_text, "instructions" },
  { "maxCpuMs", read_number, "max-cpu-ms", TIMEOUT_MS_MAX },
  { "maxCalls", read_number, "max-calls", G_MAXUINT16 },
  { "maxMemoryMib", read_number, "max-memory-mib", G_MAXINT32 },
  { "maxProcesses", read_number, "max-processes", G_MAXINT32 },
  { "maxQueuedCalls", read_number, "max-queued-calls", G_MAXUINT16 },
  { "maxRestartAttempts", read_number, "max-restart-attempts", G_MAXUINT16, 1, 10 },
  { "name", read_name },
  { "noNetwork", read_flag, "no-network" },
  { "package", read_text, "package" },
  { "protocolEra", read_word, "era" },
  { "restartOnFailure", read_flag, "restart-on-failure" },
  { "sandbox", read_sandbox, "sandbox" },
  { "shutdownTimeoutMs", read_number, "shutdown-timeout-ms", TIMEOUT_MS_MAX, 1000, 30000 },
  { "start", read_word, "start" },
  { "startupTimeoutMs", read_number, "startup-timeout-ms", TIMEOUT_MS_MAX, 1000, 60000 },
  { "timeout", read_timeout, "call-timeout-ms", TIMEOUT_MS_MAX },
  { "title", read_text, "title" },
  { "trusted", read_flag, "trusted" },
  { "type", read_transport },
  { "url", read_url, "url" },
  { "writablePaths", read_words, "writable-paths" },
};
/* clang-format on */

static const Key *
look_up_key (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      if (g_str_equal (name, keys[i].name))
        return &keys[i];
    }
  return NULL;
}

gboolean
gmcp_config_entry_get_range (const char *property, guint *low, guint *high)
{
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      if (keys[i].high == 0 || !g_str_equal (property, keys[i].property))
        continue;
      *low = keys[i].low;
      *high = keys[i].high;
      return TRUE;
    }
  return FALSE;
}

/* prefix is what the name of a key starts with where it does not stand in an object of its own. */
static void
read_member (Entry *entry,
             const char *name,
             const char *path,
             GmcpJsonValue value,
             const char *prefix)
{
  g_autofree char *canonical = NULL;
  g_autofree char *full = *prefix != '\0' ? g_strdup_printf ("%s_%s", prefix, name) : NULL;
  guint scale = 1;
  GmcpConfigKeyKind kind = gmcp_config_key_resolve (full != NULL ? full : name, &canonical, &scale);
  const Key *known = kind == GMCP_CONFIG_KEY_KNOWN ? look_up_key (canonical) : NULL;

  if (known != NULL)
    {
      Key key = *known;

      key.scale = scale;
      key.as_written = name;
      key.read (entry, &key, path, value);
    }
  else if (kind == GMCP_CONFIG_KEY_FOREIGN)
    gmcp_config_report_add (entry->report, GMCP_NOTICE_LEVEL_INFO, value, path, "%s",
                            _ ("this key is another program's, and has no effect here"));
  else
    gmcp_config_report_add (entry->report, entry->rules->unknown_key, value, path, "%s",
                            _ ("this key is not known"));
}

static void
read_members (Entry *entry, GmcpJsonValue object, const char *path, const char *prefix)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *place = gmcp_config_path_join (path, name);

      read_member (entry, name, place, value, prefix);
    }
}

/* A URL without a command says which transport it is. */
static void
settle_transport (Entry *entry, GmcpJsonValue value)
{
  const GValue *transport = get_value (entry, "transport");
  gboolean has_url = get_value (entry, "url") != NULL;
  g_autofree char *url_path = gmcp_config_path_join (entry->path, "url");
  g_autofree char *command_path = gmcp_config_path_join (entry->path, "command");

  if (transport == NULL && !entry->has_command && has_url)
    g_value_set_enum (set_value (entry, "transport", GMCP_TYPE_SERVER_TRANSPORT),
                      entry->is_sse ? GMCP_SERVER_TRANSPORT_SSE : GMCP_SERVER_TRANSPORT_HTTP);
  transport = get_value (entry, "transport");
  if (transport != NULL && g_value_get_enum (transport) != GMCP_SERVER_TRANSPORT_STDIO)
    {
      if (!has_url)
        fail (entry, url_path, value, _ ("the address of the server"));
    }
  else if (!entry->has_command)
    fail (entry, command_path, value, _ ("the name or path of a program"));
}

static GmcpServerConfig *
make_config (Entry *entry, const char *id, const char *title)
{
  if (entry->command != NULL)
    g_ptr_array_insert (entry->args, 0, g_steal_pointer (&entry->command));
  g_ptr_array_add (entry->args, NULL);
  g_ptr_array_add (entry->environment, NULL);
  g_ptr_array_add (entry->headers, NULL);

  g_value_set_string (set_value (entry, "id", G_TYPE_STRING), id);
  if (get_value (entry, "title") == NULL)
    g_value_set_string (set_value (entry, "title", G_TYPE_STRING), title);
  if (get_value (entry, "start") == NULL)
    g_value_set_enum (set_value (entry, "start", GMCP_TYPE_SERVER_START), entry->rules->start);
  g_value_set_boolean (set_value (entry, "enabled", G_TYPE_BOOLEAN), !entry->disabled);
  g_value_set_boxed (set_value (entry, "argv", G_TYPE_STRV), entry->args->pdata);
  g_value_set_boxed (set_value (entry, "environment", G_TYPE_STRV), entry->environment->pdata);
  g_value_set_boxed (set_value (entry, "headers", G_TYPE_STRV), entry->headers->pdata);

  return GMCP_SERVER_CONFIG (g_object_new_with_properties (
    GMCP_TYPE_SERVER_CONFIG, entry->names->len, (const char **) entry->names->pdata,
    &g_array_index (entry->values, GValue, 0)));
}

GmcpServerConfig *
gmcp_config_entry_read (const char *id,
                        const char *title,
                        GmcpJsonValue value,
                        const char *path,
                        const char *base_dir,
                        const GmcpConfigEntryRules *rules,
                        GmcpConfigReport *report)
{
  g_auto (Entry) entry = {
    .path = path,
    .base_dir = base_dir,
    .rules = rules,
    .report = report,
    .args = g_ptr_array_new_with_free_func (g_free),
    .environment = g_ptr_array_new_with_free_func (g_free),
    .headers = g_ptr_array_new_with_free_func (g_free),
    .names = g_ptr_array_new (),
    .values = g_array_new (FALSE, TRUE, sizeof (GValue)),
  };
  g_autoptr (GmcpServerConfig) config = NULL;
  g_autoptr (GError) error = NULL;
  guint n_errors = report->n_errors;

  g_array_set_clear_func (entry.values, (GDestroyNotify) g_value_unset);
  if (!gmcp_json_value_is_object (value))
    {
      fail (&entry, path, value, _ ("an object"));
      return NULL;
    }

  read_members (&entry, value, path, "");
  settle_transport (&entry, value);
  if (report->n_errors > n_errors)
    return NULL;

  config = make_config (&entry, id, title);
  if (gmcp_server_config_validate (config, &error))
    return g_steal_pointer (&config);

  gmcp_config_report_add (report, GMCP_NOTICE_LEVEL_ERROR, value, path, "%s", error->message);
  return NULL;
}
