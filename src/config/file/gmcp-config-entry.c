/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-reader-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-near-names-private.h"

#define TIMEOUT_MS_MAX 86400000u

const GmcpConfigEntryRules gmcp_config_entry_plain_rules = {
  .start = GMCP_SERVER_START_ON_DEMAND,
  .unknown_key = GMCP_NOTICE_LEVEL_INFO,
};

static void
entry_clear (GmcpConfigEntryReader *entry)
{
  g_free (entry->command);
  g_free (entry->misspelt);
  g_ptr_array_unref (entry->args);
  g_ptr_array_unref (entry->environment);
  g_ptr_array_unref (entry->headers);
  g_ptr_array_unref (entry->names);
  g_array_unref (entry->values);
  g_clear_pointer (&entry->places, gmcp_config_places_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GmcpConfigEntryReader, entry_clear)

static void
read_disabled (GmcpConfigEntryReader *entry,
               const GmcpConfigEntryKey *key,
               const char *path,
               GmcpJsonValue value)
{
  gboolean flag = FALSE;

  if (gmcp_config_entry_get_flag (entry, path, value, &flag))
    {
      gboolean disables = flag == g_str_equal (key->name, "disabled");

      entry->disabled |= disables;
      entry->enabled |= !disables;
      if (entry->disabled && entry->enabled)
        gmcp_config_entry_fail (entry, path, value,
                                _ ("“enabled” and “disabled” that say the same"));
    }
}

static void
read_auto_start (GmcpConfigEntryReader *entry,
                 const GmcpConfigEntryKey *key,
                 const char *path,
                 GmcpJsonValue value)
{
  gboolean flag = FALSE;

  if (gmcp_config_entry_get_flag (entry, path, value, &flag))
    g_value_set_enum (gmcp_config_entry_set_value (entry, "start", GMCP_TYPE_SERVER_START),
                      flag ? GMCP_SERVER_START_ON_DEMAND : GMCP_SERVER_START_MANUAL);
}

static void read_members (GmcpConfigEntryReader *entry,
                          GmcpJsonValue object,
                          const char *path,
                          const char *prefix);

static void
read_health_check (GmcpConfigEntryReader *entry,
                   const GmcpConfigEntryKey *key,
                   const char *path,
                   GmcpJsonValue value)
{
  const GValue *method;
  g_autofree char *tool_path = gmcp_config_path_join (path, "tool");

  if (!gmcp_json_value_is_object (value))
    {
      gmcp_config_entry_fail (entry, path, value, _ ("an object"));
      return;
    }

  read_members (entry, value, path, "health");
  method = gmcp_config_entry_get_value (entry, "health-method");
  if (method != NULL && g_value_get_enum (method) == GMCP_HEALTH_METHOD_TOOL_CALL
      && gmcp_config_entry_get_value (entry, "health-tool") == NULL)
    gmcp_config_entry_fail (entry, tool_path, value,
                            _ ("the tool to call, as the method is “tool_call”"));
}

/* The name was read where the id was made. */
static void
read_name (GmcpConfigEntryReader *entry,
           const GmcpConfigEntryKey *key,
           const char *path,
           GmcpJsonValue value)
{
  g_free (gmcp_config_entry_dup_text (entry, path, value));
}

/* clang-format off */
static const GmcpConfigEntryKey keys[] = {
  { "allowedRedirectOrigins", gmcp_config_entry_read_words, "allowed-redirect-origins", .summary = N_ ("Where the server may redirect messages to"), .sample = "[\"https://files.example.org\"]", .remote = TRUE },
  { "allowedTools", gmcp_config_entry_read_words, "allowed-tools", .summary = N_ ("Tools of the server that may be used"), .sample = "[\"read_*\", \"write_file\"]" },
  { "allowSampling", gmcp_config_entry_read_flag, "allow-sampling", .summary = N_ ("Whether the server may ask for the host's model") },
  { "args", gmcp_config_entry_read_args, .summary = N_ ("Arguments of the program, after those of command"), .sample = "[\"--verbose\"]" },
  { "autoStart", read_auto_start, .summary = N_ ("Whether the first call starts the server (on-demand) or its user (manual); for servers below mcp_servers otherwise as auto_start_default says"), .other_word = TRUE },
  { "bearerTokenEnvVar", gmcp_config_entry_read_bearer_variable, .summary = N_ ("Variable with the token of the header Authorization"), .sample = "\"TICKETS_TOKEN\"", .remote = TRUE },
  { "caFile", gmcp_config_entry_read_path, "ca-file", .summary = N_ ("File of trusted certificates"), .sample = "\"/etc/ssl/certs/ca-certificates.crt\"", .remote = TRUE },
  { "callTimeoutMs", gmcp_config_entry_read_number, "call-timeout-ms", TIMEOUT_MS_MAX, .summary = N_ ("Time limit of a call to this server") },
  { "command", gmcp_config_entry_read_command, .summary = N_ ("The program and its arguments"), .sample = "\"mcp-server-files\"" },
  { "cwd", gmcp_config_entry_read_path, "cwd", .summary = N_ ("Folder in which the program runs"), .sample = "\"/srv/files\"" },
  { "deniedTools", gmcp_config_entry_read_words, "denied-tools", .summary = N_ ("Tools of the server that may not be used"), .sample = "[\"delete_*\"]" },
  { "disabled", read_disabled, .summary = N_ ("Whether the server is not used"), .other_word = TRUE },
  { "enabled", read_disabled, .summary = N_ ("Whether the server is used"), .sample = "true" },
  { "env", gmcp_config_entry_read_environment, .summary = N_ ("Environment variables of the program, with their values"), .sample = "{\"LOG_LEVEL\": \"info\"}" },
  { "envFile", gmcp_config_entry_read_env_file, .summary = N_ ("Not read; a warning says so"), .other_word = TRUE },
  { "envHttpHeaders", gmcp_config_entry_read_variable_headers, .summary = N_ ("HTTP headers, each with the name of the variable that has its value"), .sample = "{\"X-Home\": \"HOME\"}", .remote = TRUE },
  { "envKeys", gmcp_config_entry_read_variable_names, .summary = N_ ("Variables that the program gets, by name, with values of the environment"), .sample = "[\"HOME\"]" },
  { "envVars", gmcp_config_entry_read_variable_names, .summary = N_ ("The same as envKeys"), .other_word = TRUE },
  { "headers", gmcp_config_entry_read_headers, .summary = N_ ("HTTP headers of each request"), .sample = "{\"X-Team\": \"blue\"}", .remote = TRUE },
  { "healthArgs", gmcp_config_entry_read_object_text, "health-arguments", .summary = N_ ("Arguments of the health check; in GSettings the text of a JSON object"), .sample = "{\"path\": \"/srv/files\"}" },
  { "healthArguments", gmcp_config_entry_read_object_text, "health-arguments", .summary = N_ ("The same as healthArgs"), .other_word = TRUE },
  { "healthCheck", read_health_check, .summary = N_ ("The keys that begin with health, without that: method, tool, args, intervalMs, timeoutMs"), .other_word = TRUE },
  { "healthIntervalMs", gmcp_config_entry_read_number, "health-interval-ms", TIMEOUT_MS_MAX, .summary = N_ ("Time between two health checks") },
  { "healthMethod", gmcp_config_entry_read_word, "health-method", .summary = N_ ("How it is checked whether the server works") },
  { "healthTimeoutMs", gmcp_config_entry_read_number, "health-timeout-ms", TIMEOUT_MS_MAX, .summary = N_ ("Time limit of a health check") },
  { "healthTool", gmcp_config_entry_read_text, "health-tool", .summary = N_ ("Tool that is called as a health check"), .sample = "\"list_directory\"" },
  { "id", read_name, .summary = N_ ("What the server is known by, in a list of servers"), .other_word = TRUE },
  { "idleTimeoutMs", gmcp_config_entry_read_number, "idle-timeout-ms", TIMEOUT_MS_MAX, .summary = N_ ("Time without work until the server is stopped") },
  { "inheritEnvironment", gmcp_config_entry_read_flag, "inherit-environment", .summary = N_ ("Whether the program gets the host's whole environment") },
  { "installTimeoutMs", gmcp_config_entry_read_number, "install-timeout-ms", TIMEOUT_MS_MAX, .summary = N_ ("Time limit for fetching this server's program") },
  { "instructions", gmcp_config_entry_read_text, "instructions", .summary = N_ ("What a model should know about the server's use"), .sample = "\"Read before you write.\"" },
  { "maxCpuMs", gmcp_config_entry_read_number, "max-cpu-ms", TIMEOUT_MS_MAX, .summary = N_ ("Processor time of each process") },
  { "maxCalls", gmcp_config_entry_read_number, "max-calls", G_MAXUINT16, .summary = N_ ("Calls at once") },
  { "maxMemoryMib", gmcp_config_entry_read_number, "max-memory-mib", G_MAXINT32, .summary = N_ ("Memory of the program, in MiB") },
  { "maxProcesses", gmcp_config_entry_read_number, "max-processes", G_MAXINT32, .summary = N_ ("Processes and threads at once") },
  { "maxQueuedCalls", gmcp_config_entry_read_number, "max-queued-calls", G_MAXUINT16, .summary = N_ ("Calls that wait") },
  { "maxRestartAttempts", gmcp_config_entry_read_number, "max-restart-attempts", G_MAXUINT16, .summary = N_ ("How many starts in a row may fail") },
  { "name", read_name, .summary = N_ ("The same as id"), .other_word = TRUE },
  { "noNetwork", gmcp_config_entry_read_flag, "no-network", .summary = N_ ("Whether the program is kept from the network") },
  { "package", gmcp_config_entry_read_text, "package", .summary = N_ ("Package that the program comes in"), .sample = "\"@example/mcp-server-files\"" },
  { "protocolEra", gmcp_config_entry_read_word, "era", .summary = N_ ("Which protocol the server speaks") },
  { "restartOnFailure", gmcp_config_entry_read_flag, "restart-on-failure", .summary = N_ ("Whether the server is started again when it fails") },
  { "sandbox", gmcp_config_entry_read_sandbox, "sandbox", .summary = N_ ("What the program may do") },
  { "share", gmcp_config_entry_read_word, "share", .summary = N_ ("Whether programs share one process of the server") },
  { "shutdownTimeoutMs", gmcp_config_entry_read_number, "shutdown-timeout-ms", TIMEOUT_MS_MAX, .summary = N_ ("Time limit of calls when the server stops") },
  { "start", gmcp_config_entry_read_word, "start", .summary = N_ ("When the server is started") },
  { "startupTimeoutMs", gmcp_config_entry_read_number, "startup-timeout-ms", TIMEOUT_MS_MAX, .summary = N_ ("Time limit of this server's start") },
  { "timeout", gmcp_config_entry_read_timeout, "call-timeout-ms", TIMEOUT_MS_MAX, .summary = N_ ("Time limit of a call to this server"), .other_word = TRUE },
  { "title", gmcp_config_entry_read_text, "title", .summary = N_ ("Name of the server for people"), .sample = "\"Files\"" },
  { "trusted", gmcp_config_entry_read_flag, "trusted", .summary = N_ ("Whether what the server says of its tools is believed") },
  { "type", gmcp_config_entry_read_transport, .summary = N_ ("How the server is reached; where it is left out, a url means HTTP and a command a program. Files may also say streamable-http, remote, local and the like"), .sample = "\"stdio\"" },
  { "unixSockets", gmcp_config_entry_read_flag, "unix-sockets", .summary = N_ ("Whether the program may use Unix sockets") },
  { "url", gmcp_config_entry_read_url, "url", .summary = N_ ("Address of the server"), .sample = "\"https://tickets.example.org/mcp\"", .remote = TRUE },
  { "writablePaths", gmcp_config_entry_read_words, "writable-paths", .summary = N_ ("Where the program may write although it is in a sandbox"), .sample = "[]" },
};
/* clang-format on */

static const GmcpConfigEntryKey *
look_up_key (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      if (g_str_equal (name, keys[i].name))
        return &keys[i];
    }
  return NULL;
}

const GmcpConfigEntryKey *
gmcp_config_entry_get_key (gsize i)
{
  return i < G_N_ELEMENTS (keys) ? &keys[i] : NULL;
}

const char *
gmcp_config_entry_get_key_name (gsize i)
{
  return i < G_N_ELEMENTS (keys) ? keys[i].name : NULL;
}

/* A known key as it would be written where others are written with that mark between their words; NULL where
 * it does not stand below prefix. */
static char *
spell_key (const char *name, const char *prefix, char mark)
{
  gsize skipped = strlen (prefix);
  GString *key;

  if (!g_str_has_prefix (name, prefix) || (skipped > 0 && !g_ascii_isupper (name[skipped])))
    return NULL;

  key = g_string_new (NULL);
  for (const char *c = name + skipped; *c != '\0'; c++)
    {
      if (mark != '\0' && g_ascii_isupper (*c) && key->len > 0)
        g_string_append_c (key, mark);
      g_string_append_c (key, mark != '\0' || key->len == 0 ? g_ascii_tolower (*c) : *c);
    }
  return g_string_free (key, FALSE);
}

/* A key without which an entry says nothing is missed where it is misspelt. */
static void
note_misspelt (GmcpConfigEntryReader *entry, const char *name)
{
  const GmcpNearName needed[] = { { "command", "command" }, { "url", "url" } };
  g_autofree char *suggestion = gmcp_near_names_suggest (name, needed, G_N_ELEMENTS (needed));

  if (*suggestion != '\0' && entry->misspelt == NULL)
    entry->misspelt
      = g_strdup_printf (" (%s: %s.%s)", name, _ ("this key is not known"), suggestion);
}

static void
fail_for_lack (GmcpConfigEntryReader *entry,
               const char *path,
               GmcpJsonValue value,
               const char *expected)
{
  g_autofree char *text
    = g_strconcat (expected, entry->misspelt != NULL ? entry->misspelt : "", NULL);

  gmcp_config_entry_fail (entry, path, value, text);
}

static void
report_unknown (GmcpConfigEntryReader *entry,
                const char *name,
                const char *path,
                GmcpJsonValue value,
                const char *prefix)
{
  g_autoptr (GPtrArray) known = g_ptr_array_new_with_free_func (g_free);
  GmcpConfigDocument *document = entry->report->document;
  char mark = strchr (name, '_') != NULL ? '_' : strchr (name, '-') != NULL ? '-' : '\0';

  if (mark == '\0' && document != NULL && document->format != GMCP_CONFIG_FORMAT_JSON)
    mark = '_';
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      char *key = spell_key (keys[i].name, prefix, mark);
      char end[] = { mark, 'm', 's', '\0' };

      if (key == NULL)
        continue;
      g_ptr_array_add (known, key);
      if (mark != '\0' && g_str_has_suffix (key, end))
        g_ptr_array_add (known, g_strdup_printf ("%.*sseconds", (int) strlen (key) - 2, key));
    }
  g_ptr_array_add (known, NULL);
  if (*prefix == '\0')
    note_misspelt (entry, name);
  gmcp_config_report_unknown_key (entry->report, entry->rules->unknown_key, value, path, name,
                                  (const char *const *) known->pdata);
}

/* prefix is what the name of a key starts with where it does not stand in an object of its own. */
static void
read_member (GmcpConfigEntryReader *entry,
             const char *name,
             const char *path,
             GmcpJsonValue value,
             const char *prefix)
{
  g_autofree char *canonical = NULL;
  g_autofree char *full = *prefix != '\0' ? g_strdup_printf ("%s_%s", prefix, name) : NULL;
  guint scale = 1;
  GmcpConfigKeyKind kind = gmcp_config_key_resolve (full != NULL ? full : name, &canonical, &scale);
  const GmcpConfigEntryKey *known = kind == GMCP_CONFIG_KEY_KNOWN ? look_up_key (canonical) : NULL;

  if (known != NULL)
    {
      GmcpConfigEntryKey key = *known;

      key.scale = scale;
      key.as_written = name;
      /* One of several keys for the address counts; the key is noted where that is known. */
      if (key.read != gmcp_config_entry_read_url)
        gmcp_config_entry_note_place (entry, key.property != NULL ? key.property : key.name, NULL,
                                      path, value);
      key.read (entry, &key, path, value);
    }
  else if (kind == GMCP_CONFIG_KEY_FOREIGN)
    gmcp_config_report_add (entry->report, GMCP_NOTICE_LEVEL_INFO, value, path, "%s",
                            _ ("this key is another program's, and has no effect here"));
  else
    report_unknown (entry, name, path, value, prefix);
}

/* The value that counts of each name: the last one. */
static GHashTable *
find_last_values (GmcpJsonValue object)
{
  GHashTable *last = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, &key, &value))
    g_hash_table_replace (last, gmcp_json_value_dup_string (key), GUINT_TO_POINTER (value.index));
  return last;
}

static void
read_members (GmcpConfigEntryReader *entry,
              GmcpJsonValue object,
              const char *path,
              const char *prefix)
{
  g_autoptr (GHashTable) last = find_last_values (object);
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_config_report_doubled_keys (entry->report, object, path);
  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *place = gmcp_config_path_join (path, name);

      /* Lists would be added to each other otherwise, and none of the parts be what was written. */
      if (GPOINTER_TO_UINT (g_hash_table_lookup (last, name)) == value.index)
        read_member (entry, name, place, value, prefix);
    }
}

/* A URL without a command says which transport it is. */
static void
settle_transport (GmcpConfigEntryReader *entry, GmcpJsonValue value)
{
  const GValue *transport = gmcp_config_entry_get_value (entry, "transport");
  gboolean has_url = gmcp_config_entry_get_value (entry, "url") != NULL;
  g_autoptr (GmcpConfigPlace) of_url = gmcp_config_places_find (entry->places, "url");
  g_autofree char *command_path = gmcp_config_path_join (entry->path, "command");

  if (entry->has_command && has_url && transport == NULL)
    gmcp_config_report_expected_at_line (
      entry->report, of_url->line, of_url->key_path,
      _ ("“command” or “url” alone, or a “type” that says which of them counts"));
  if (transport == NULL && !entry->has_command && has_url)
    g_value_set_enum (gmcp_config_entry_set_value (entry, "transport", GMCP_TYPE_SERVER_TRANSPORT),
                      entry->is_sse ? GMCP_SERVER_TRANSPORT_SSE : GMCP_SERVER_TRANSPORT_HTTP);
  transport = gmcp_config_entry_get_value (entry, "transport");
  if (transport != NULL && g_value_get_enum (transport) != GMCP_SERVER_TRANSPORT_STDIO)
    {
      if (!has_url)
        fail_for_lack (entry, of_url->key_path, value, _ ("the address of the server"));
    }
  else if (!entry->has_command)
    fail_for_lack (entry, command_path, value, _ ("the name or path of a program"));
}

static GmcpServerConfig *
make_config (GmcpConfigEntryReader *entry, const char *id, const char *title)
{
  gboolean has_title = gmcp_config_entry_get_value (entry, "title") != NULL;
  gboolean has_start = gmcp_config_entry_get_value (entry, "start") != NULL;
  GmcpServerConfig *config;

  if (entry->command != NULL)
    g_ptr_array_insert (entry->args, 0, g_steal_pointer (&entry->command));
  g_ptr_array_add (entry->args, NULL);
  g_ptr_array_add (entry->environment, NULL);
  g_ptr_array_add (entry->headers, NULL);

  g_value_set_string (gmcp_config_entry_set_value (entry, "id", G_TYPE_STRING), id);
  if (!has_title)
    g_value_set_string (gmcp_config_entry_set_value (entry, "title", G_TYPE_STRING), title);
  if (!has_start)
    g_value_set_enum (gmcp_config_entry_set_value (entry, "start", GMCP_TYPE_SERVER_START),
                      entry->rules->start);
  g_value_set_boolean (gmcp_config_entry_set_value (entry, "enabled", G_TYPE_BOOLEAN),
                       !entry->disabled);
  g_value_set_boxed (gmcp_config_entry_set_value (entry, "argv", G_TYPE_STRV), entry->args->pdata);
  g_value_set_boxed (gmcp_config_entry_set_value (entry, "environment", G_TYPE_STRV),
                     entry->environment->pdata);
  g_value_set_boxed (gmcp_config_entry_set_value (entry, "headers", G_TYPE_STRV),
                     entry->headers->pdata);

  config = GMCP_SERVER_CONFIG (g_object_new_with_properties (
    GMCP_TYPE_SERVER_CONFIG, entry->names->len, (const char **) entry->names->pdata,
    &g_array_index (entry->values, GValue, 0)));
  gmcp_server_config_set_titled_by_name (config, !has_title);
  gmcp_server_config_set_default_start (config, !has_start && entry->rules->start_is_default);
  gmcp_server_config_take_places (config, g_steal_pointer (&entry->places));
  return config;
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
  g_auto (GmcpConfigEntryReader) entry = {
    .path = path,
    .base_dir = base_dir,
    .rules = rules,
    .report = report,
    .args = g_ptr_array_new_with_free_func (g_free),
    .environment = g_ptr_array_new_with_free_func (g_free),
    .headers = g_ptr_array_new_with_free_func (g_free),
    .names = g_ptr_array_new (),
    .values = g_array_new (FALSE, TRUE, sizeof (GValue)),
    .places = gmcp_config_places_new (
      report->file,
      report->document != NULL ? gmcp_config_document_get_line (report->document, value) : 0, path),
  };
  g_autoptr (GmcpServerConfig) config = NULL;
  g_autoptr (GmcpConfigPlace) wrong = NULL;
  g_autoptr (GError) error = NULL;
  const char *property = NULL;
  guint n_errors = report->n_errors;

  g_array_set_clear_func (entry.values, (GDestroyNotify) g_value_unset);
  if (!gmcp_json_value_is_object (value))
    {
      gmcp_config_entry_fail (&entry, path, value, _ ("an object"));
      return NULL;
    }

  read_members (&entry, value, path, "");
  settle_transport (&entry, value);
  if (report->n_errors > n_errors)
    return NULL;

  config = make_config (&entry, id, title);
  if (gmcp_server_config_check (config, &property, &error))
    return g_steal_pointer (&config);

  wrong = gmcp_server_config_find_place (config, property);
  gmcp_config_report_add_at_line (report, GMCP_NOTICE_LEVEL_ERROR, wrong->line, wrong->key_path,
                                  error->message);
  return NULL;
}
