/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-server-config-private.h"

/* clang-format off */
static const GmcpConfigField fields[] = {
  { "id", GMCP_CONFIG_FIELD_STRING, G_STRUCT_OFFSET (GmcpServerConfig, id) },
  { "title", GMCP_CONFIG_FIELD_STRING, G_STRUCT_OFFSET (GmcpServerConfig, title), .shown = TRUE, .in_settings = TRUE },
  { "enabled", GMCP_CONFIG_FIELD_FLAG, G_STRUCT_OFFSET (GmcpServerConfig, enabled), .in_settings = TRUE },
  { "transport", GMCP_CONFIG_FIELD_ENUM, G_STRUCT_OFFSET (GmcpServerConfig, transport), .of_process = TRUE, .in_settings = TRUE },
  { "argv", GMCP_CONFIG_FIELD_WORDS, G_STRUCT_OFFSET (GmcpServerConfig, argv), .of_process = TRUE, .in_settings = TRUE },
  { "environment", GMCP_CONFIG_FIELD_ENVIRONMENT, G_STRUCT_OFFSET (GmcpServerConfig, environment), .of_process = TRUE, .in_settings = TRUE },
  { "inherit-environment", GMCP_CONFIG_FIELD_FLAG, G_STRUCT_OFFSET (GmcpServerConfig, inherit_environment), .of_process = TRUE },
  { "allow-sampling", GMCP_CONFIG_FIELD_FLAG, G_STRUCT_OFFSET (GmcpServerConfig, allow_sampling), .of_process = TRUE, .in_settings = TRUE },
  { "cwd", GMCP_CONFIG_FIELD_STRING, G_STRUCT_OFFSET (GmcpServerConfig, cwd), .of_process = TRUE, .in_settings = TRUE },
  { "url", GMCP_CONFIG_FIELD_STRING, G_STRUCT_OFFSET (GmcpServerConfig, url), .of_process = TRUE, .in_settings = TRUE },
  { "headers", GMCP_CONFIG_FIELD_HEADERS, G_STRUCT_OFFSET (GmcpServerConfig, headers), .of_process = TRUE, .in_settings = TRUE },
  { "ca-file", GMCP_CONFIG_FIELD_STRING, G_STRUCT_OFFSET (GmcpServerConfig, ca_file), .of_process = TRUE },
  { "allowed-redirect-origins", GMCP_CONFIG_FIELD_WORDS, G_STRUCT_OFFSET (GmcpServerConfig, redirect_origins), .of_process = TRUE },
  { "era", GMCP_CONFIG_FIELD_ENUM, G_STRUCT_OFFSET (GmcpServerConfig, era), .of_process = TRUE },
  { "call-timeout-ms", GMCP_CONFIG_FIELD_NUMBER, G_STRUCT_OFFSET (GmcpServerConfig, call_timeout_ms), .in_settings = TRUE },
  { "startup-timeout-ms", GMCP_CONFIG_FIELD_NUMBER, G_STRUCT_OFFSET (GmcpServerConfig, startup_timeout_ms), .in_settings = TRUE },
  { "install-timeout-ms", GMCP_CONFIG_FIELD_NUMBER, G_STRUCT_OFFSET (GmcpServerConfig, install_timeout_ms) },
  { "start", GMCP_CONFIG_FIELD_ENUM, G_STRUCT_OFFSET (GmcpServerConfig, start), .in_settings = TRUE },
  { "package", GMCP_CONFIG_FIELD_STRING, G_STRUCT_OFFSET (GmcpServerConfig, package), .shown = TRUE, .in_settings = TRUE },
  { "instructions", GMCP_CONFIG_FIELD_STRING, G_STRUCT_OFFSET (GmcpServerConfig, instructions), .shown = TRUE },
  { "trusted", GMCP_CONFIG_FIELD_FLAG, G_STRUCT_OFFSET (GmcpServerConfig, trusted), .in_settings = TRUE },
  { "health-method", GMCP_CONFIG_FIELD_ENUM, G_STRUCT_OFFSET (GmcpServerConfig, health_method), .in_settings = TRUE },
  { "health-tool", GMCP_CONFIG_FIELD_STRING, G_STRUCT_OFFSET (GmcpServerConfig, health_tool), .in_settings = TRUE },
  { "health-arguments", GMCP_CONFIG_FIELD_STRING, G_STRUCT_OFFSET (GmcpServerConfig, health_arguments), .in_settings = TRUE },
  { "health-interval-ms", GMCP_CONFIG_FIELD_NUMBER, G_STRUCT_OFFSET (GmcpServerConfig, health_interval_ms) },
  { "health-timeout-ms", GMCP_CONFIG_FIELD_NUMBER, G_STRUCT_OFFSET (GmcpServerConfig, health_timeout_ms), .in_settings = TRUE },
  { "restart-on-failure", GMCP_CONFIG_FIELD_FLAG, G_STRUCT_OFFSET (GmcpServerConfig, restart_on_failure) },
  { "max-restart-attempts", GMCP_CONFIG_FIELD_NUMBER, G_STRUCT_OFFSET (GmcpServerConfig, max_restart_attempts) },
  { "idle-timeout-ms", GMCP_CONFIG_FIELD_NUMBER, G_STRUCT_OFFSET (GmcpServerConfig, idle_timeout_ms) },
  { "shutdown-timeout-ms", GMCP_CONFIG_FIELD_NUMBER, G_STRUCT_OFFSET (GmcpServerConfig, shutdown_timeout_ms) },
  { "max-calls", GMCP_CONFIG_FIELD_NUMBER, G_STRUCT_OFFSET (GmcpServerConfig, max_calls) },
  { "max-queued-calls", GMCP_CONFIG_FIELD_NUMBER, G_STRUCT_OFFSET (GmcpServerConfig, max_queued_calls) },
  { "allowed-tools", GMCP_CONFIG_FIELD_WORDS, G_STRUCT_OFFSET (GmcpServerConfig, allowed_tools), .shown = TRUE, .in_settings = TRUE },
  { "denied-tools", GMCP_CONFIG_FIELD_WORDS, G_STRUCT_OFFSET (GmcpServerConfig, denied_tools), .shown = TRUE, .in_settings = TRUE },
  { "sandbox", GMCP_CONFIG_FIELD_ENUM, G_STRUCT_OFFSET (GmcpServerConfig, sandbox), .of_process = TRUE, .in_settings = TRUE },
  { "writable-paths", GMCP_CONFIG_FIELD_WORDS, G_STRUCT_OFFSET (GmcpServerConfig, writable_paths), .of_process = TRUE, .in_settings = TRUE },
  { "no-network", GMCP_CONFIG_FIELD_FLAG, G_STRUCT_OFFSET (GmcpServerConfig, no_network), .of_process = TRUE, .in_settings = TRUE },
  { "unix-sockets", GMCP_CONFIG_FIELD_FLAG, G_STRUCT_OFFSET (GmcpServerConfig, unix_sockets), .of_process = TRUE },
  { "max-cpu-ms", GMCP_CONFIG_FIELD_NUMBER, G_STRUCT_OFFSET (GmcpServerConfig, max_cpu_ms), .of_process = TRUE },
  { "max-memory-mib", GMCP_CONFIG_FIELD_NUMBER, G_STRUCT_OFFSET (GmcpServerConfig, max_memory_mib), .of_process = TRUE },
  { "max-processes", GMCP_CONFIG_FIELD_NUMBER, G_STRUCT_OFFSET (GmcpServerConfig, max_processes), .of_process = TRUE },
};
/* clang-format on */

const GmcpConfigField *
gmcp_config_fields_get (gsize *n_fields)
{
  *n_fields = G_N_ELEMENTS (fields);
  return fields;
}

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

static char *
dup_string_unless_empty (const char *string)
{
  return string != NULL && *string != '\0' ? g_strdup (string) : NULL;
}

#define STRING_OF(field, config) G_STRUCT_MEMBER (char *, config, (field)->offset)
#define NUMBER_OF(field, config) G_STRUCT_MEMBER (int, config, (field)->offset)
#define WORDS_OF(field, config)  G_STRUCT_MEMBER (GStrv, config, (field)->offset)

void
gmcp_config_field_get_value (const GmcpConfigField *field, GmcpServerConfig *config, GValue *value)
{
  switch (field->kind)
    {
    case GMCP_CONFIG_FIELD_STRING:
      g_value_set_string (value, STRING_OF (field, config));
      break;
    case GMCP_CONFIG_FIELD_FLAG:
      g_value_set_boolean (value, NUMBER_OF (field, config));
      break;
    case GMCP_CONFIG_FIELD_NUMBER:
      g_value_set_uint (value, NUMBER_OF (field, config));
      break;
    case GMCP_CONFIG_FIELD_ENUM:
      g_value_set_enum (value, NUMBER_OF (field, config));
      break;
    case GMCP_CONFIG_FIELD_WORDS:
    case GMCP_CONFIG_FIELD_ENVIRONMENT:
    case GMCP_CONFIG_FIELD_HEADERS:
      g_value_set_boxed (value, WORDS_OF (field, config));
      break;
    }
}

static GStrv
dup_words (const char *const *words)
{
  return words != NULL ? g_strdupv ((char **) words) : g_new0 (char *, 1);
}

void
gmcp_config_field_set_value (const GmcpConfigField *field,
                             GmcpServerConfig *config,
                             const GValue *value)
{
  switch (field->kind)
    {
    case GMCP_CONFIG_FIELD_STRING:
      STRING_OF (field, config) = dup_string_unless_empty (g_value_get_string (value));
      break;
    case GMCP_CONFIG_FIELD_FLAG:
      NUMBER_OF (field, config) = g_value_get_boolean (value);
      break;
    case GMCP_CONFIG_FIELD_NUMBER:
      NUMBER_OF (field, config) = (int) g_value_get_uint (value);
      break;
    case GMCP_CONFIG_FIELD_ENUM:
      NUMBER_OF (field, config) = g_value_get_enum (value);
      break;
    case GMCP_CONFIG_FIELD_WORDS:
      WORDS_OF (field, config) = dup_words (g_value_get_boxed (value));
      break;
    case GMCP_CONFIG_FIELD_ENVIRONMENT:
      WORDS_OF (field, config) = sort_environment (g_value_get_boxed (value));
      break;
    case GMCP_CONFIG_FIELD_HEADERS:
      WORDS_OF (field, config) = dup_headers (g_value_get_boxed (value));
      break;
    }
}

gboolean
gmcp_config_field_equal (const GmcpConfigField *field, GmcpServerConfig *a, GmcpServerConfig *b)
{
  switch (field->kind)
    {
    case GMCP_CONFIG_FIELD_STRING:
      return g_strcmp0 (STRING_OF (field, a), STRING_OF (field, b)) == 0;
    case GMCP_CONFIG_FIELD_WORDS:
    case GMCP_CONFIG_FIELD_ENVIRONMENT:
    case GMCP_CONFIG_FIELD_HEADERS:
      return g_strv_equal ((const char *const *) WORDS_OF (field, a),
                           (const char *const *) WORDS_OF (field, b));
    case GMCP_CONFIG_FIELD_FLAG:
    case GMCP_CONFIG_FIELD_NUMBER:
    case GMCP_CONFIG_FIELD_ENUM:
    default:
      return NUMBER_OF (field, a) == NUMBER_OF (field, b);
    }
}

void
gmcp_config_field_clear (const GmcpConfigField *field, GmcpServerConfig *config)
{
  switch (field->kind)
    {
    case GMCP_CONFIG_FIELD_STRING:
      g_clear_pointer (&STRING_OF (field, config), g_free);
      break;
    case GMCP_CONFIG_FIELD_WORDS:
    case GMCP_CONFIG_FIELD_ENVIRONMENT:
    case GMCP_CONFIG_FIELD_HEADERS:
      g_clear_pointer (&WORDS_OF (field, config), g_strfreev);
      break;
    case GMCP_CONFIG_FIELD_FLAG:
    case GMCP_CONFIG_FIELD_NUMBER:
    case GMCP_CONFIG_FIELD_ENUM:
    default:
      break;
    }
}

void
gmcp_config_field_copy (const GmcpConfigField *field, GmcpServerConfig *from, GmcpServerConfig *to)
{
  gmcp_config_field_clear (field, to);
  switch (field->kind)
    {
    case GMCP_CONFIG_FIELD_STRING:
      STRING_OF (field, to) = g_strdup (STRING_OF (field, from));
      break;
    case GMCP_CONFIG_FIELD_WORDS:
    case GMCP_CONFIG_FIELD_ENVIRONMENT:
    case GMCP_CONFIG_FIELD_HEADERS:
      WORDS_OF (field, to) = g_strdupv (WORDS_OF (field, from));
      break;
    case GMCP_CONFIG_FIELD_FLAG:
    case GMCP_CONFIG_FIELD_NUMBER:
    case GMCP_CONFIG_FIELD_ENUM:
    default:
      NUMBER_OF (field, to) = NUMBER_OF (field, from);
    }
}

GmcpServerConfig *
gmcp_server_config_copy (GmcpServerConfig *self)
{
  GmcpServerConfig *copy = g_object_new (GMCP_TYPE_SERVER_CONFIG, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    gmcp_config_field_copy (&fields[i], self, copy);

  copy->origin = self->origin != NULL ? gmcp_config_origin_ref (self->origin) : NULL;
  copy->places = self->places != NULL ? gmcp_config_places_ref (self->places) : NULL;
  copy->expanded = self->expanded;
  copy->shown_filled = self->shown_filled;
  copy->title_is_name = self->title_is_name;
  copy->start_is_default = self->start_is_default;
  copy->stands_in = self->stands_in;
  copy->environment_locked = self->environment_locked;
  return copy;
}
