/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-fields-private.h"
#include "gmcp-server-config-struct-private.h"

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
  { "share", GMCP_CONFIG_FIELD_ENUM, G_STRUCT_OFFSET (GmcpServerConfig, share), .of_process = TRUE, .in_settings = TRUE },
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

/* The name of the header at which names and values get out of step; NULL where each has its value. What stands
 * last may be a secret, but not before a colon, nor in the first place. */
static char *
dup_unpaired_header (const char *const *headers)
{
  gsize length = headers != NULL ? g_strv_length ((GStrv) headers) : 0;
  const char *name;

  if (length % 2 == 0)
    return NULL;

  name = headers[length - 1];
  if (length > 1 && strchr (name, ':') == NULL)
    name = headers[length - 3];
  return gmcp_config_dup_header_name (name);
}

char *
gmcp_config_dup_header_name (const char *name)
{
  g_autofree char *cut = g_strndup (name, strcspn (name, ":"));

  return g_utf8_make_valid (cut, -1);
}

/* Without what is special to a configuration. */
static GmcpField
get_plain (const GmcpConfigField *field)
{
  static const GmcpFieldKind kinds[] = {
    [GMCP_CONFIG_FIELD_STRING] = GMCP_FIELD_TEXT,
    [GMCP_CONFIG_FIELD_FLAG] = GMCP_FIELD_BOOLEAN,
    [GMCP_CONFIG_FIELD_NUMBER] = GMCP_FIELD_UINT,
    [GMCP_CONFIG_FIELD_ENUM] = GMCP_FIELD_ENUM,
    [GMCP_CONFIG_FIELD_WORDS] = GMCP_FIELD_STRV,
    [GMCP_CONFIG_FIELD_ENVIRONMENT] = GMCP_FIELD_STRV,
    [GMCP_CONFIG_FIELD_HEADERS] = GMCP_FIELD_STRV,
  };

  return (GmcpField){ field->name, kinds[field->kind], field->offset, NULL };
}

void
gmcp_config_field_get_value (const GmcpConfigField *field, GmcpServerConfig *config, GValue *value)
{
  const GmcpField plain = get_plain (field);

  gmcp_field_get_value (&plain, config, value);
}

void
gmcp_config_field_set_value (const GmcpConfigField *field,
                             GmcpServerConfig *config,
                             const GValue *value)
{
  const GmcpField plain = get_plain (field);
  g_auto (GStrv) words = NULL;

  gmcp_field_set_value (&plain, config, value);
  if (field->kind != GMCP_CONFIG_FIELD_ENVIRONMENT && field->kind != GMCP_CONFIG_FIELD_HEADERS)
    return;

  words = G_STRUCT_MEMBER (GStrv, config, field->offset);
  if (field->kind == GMCP_CONFIG_FIELD_HEADERS)
    {
      g_free (config->unpaired_header);
      config->unpaired_header = dup_unpaired_header ((const char *const *) words);
    }
  G_STRUCT_MEMBER (GStrv, config, field->offset)
    = field->kind == GMCP_CONFIG_FIELD_ENVIRONMENT ? sort_environment ((const char *const *) words)
                                                   : dup_headers ((const char *const *) words);
}

gboolean
gmcp_config_field_equal (const GmcpConfigField *field, GmcpServerConfig *a, GmcpServerConfig *b)
{
  const GmcpField plain = get_plain (field);

  return gmcp_field_equal (&plain, a, b);
}

void
gmcp_config_field_clear (const GmcpConfigField *field, GmcpServerConfig *config)
{
  const GmcpField plain = get_plain (field);

  gmcp_field_clear (&plain, config);
}

void
gmcp_config_field_copy (const GmcpConfigField *field, GmcpServerConfig *from, GmcpServerConfig *to)
{
  const GmcpField plain = get_plain (field);

  gmcp_field_copy (&plain, from, to);
}

GmcpServerConfig *
gmcp_server_config_copy (GmcpServerConfig *self)
{
  GmcpServerConfig *copy = g_object_new (GMCP_TYPE_SERVER_CONFIG, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    gmcp_config_field_copy (&fields[i], self, copy);

  copy->unpaired_header = g_strdup (self->unpaired_header);
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
