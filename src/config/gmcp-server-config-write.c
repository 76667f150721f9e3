/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-server-config-write-private.h"

#define INDENT "  "

/* Keys that are not called as the property is, and the other way round; the first is the one that is
 * shown. */
static const struct
{
  const char *key;
  const char *property;
} others[] = {
  { "command", "argv" },
  { "args", "argv" },
  { "env", "environment" },
  { "envKeys", "environment" },
  { "envVars", "environment" },
  { "headers", "headers" },
  { "bearerTokenEnvVar", "headers" },
  { "envHttpHeaders", "headers" },
  { "type", "transport" },
  { "disabled", "enabled" },
  { "start", "start" },
  { "autoStart", "start" },
  { "protocolEra", "era" },
  { "callTimeoutMs", "call-timeout-ms" },
  { "timeout", "call-timeout-ms" },
  { "healthArguments", "health-arguments" },
  { "healthArgs", "health-arguments" },
};

/* Which of the fields a key of an entry says something about; a healthCheck is about several. */
static gboolean
is_about (const char *key, const char *property)
{
  g_autofree char *canonical = NULL;
  g_autofree char *camel = gmcp_config_key_to_camel (property);
  guint scale;

  if (gmcp_config_key_resolve (key, &canonical, &scale) != GMCP_CONFIG_KEY_KNOWN)
    return FALSE;
  if (g_str_equal (canonical, camel))
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      if (g_str_equal (others[i].key, canonical) && g_str_equal (others[i].property, property))
        return TRUE;
    }
  return g_str_equal (canonical, "healthCheck") && g_str_has_prefix (property, "health-");
}

char *
gmcp_server_config_name_field (const GmcpConfigField *field)
{
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      if (g_str_equal (others[i].property, field->name))
        return g_strdup (others[i].key);
    }
  return gmcp_config_key_to_camel (field->name);
}

typedef struct
{
  GString *out;
  const char *indent;
  gboolean any;
} Output;

static GmcpJsonWriter
begin_member (Output *output, const char *key)
{
  GmcpJsonWriter writer = gmcp_json_writer_init (output->out);

  g_string_append_printf (output->out, "%s\n%s" INDENT, output->any ? "," : "", output->indent);
  output->any = TRUE;
  gmcp_json_writer_string (&writer, key);
  g_string_append (output->out, ": ");
  return gmcp_json_writer_init (output->out);
}

static void
write_words (Output *output, const char *key, const char *const *words)
{
  GmcpJsonWriter writer = begin_member (output, key);

  gmcp_json_writer_begin_array (&writer);
  for (gsize i = 0; words[i] != NULL; i++)
    gmcp_json_writer_string (&writer, words[i]);
  gmcp_json_writer_end_array (&writer);
}

static void
write_command (Output *output, const char *const *argv)
{
  GmcpJsonWriter writer;

  if (argv == NULL || argv[0] == NULL)
    return;
  writer = begin_member (output, "command");
  gmcp_json_writer_string (&writer, argv[0]);
  if (argv[1] != NULL)
    write_words (output, "args", argv + 1);
}

static void
write_environment (Output *output, const char *const *environment)
{
  GmcpJsonWriter writer;

  if (environment == NULL || environment[0] == NULL)
    return;
  writer = begin_member (output, "env");
  gmcp_json_writer_begin_object (&writer);
  for (gsize i = 0; environment[i] != NULL; i++)
    {
      gsize length = strcspn (environment[i], "=");
      g_autofree char *name = g_strndup (environment[i], length);

      gmcp_json_writer_member_string (&writer, name, environment[i] + length + 1);
    }
  gmcp_json_writer_end_object (&writer);
}

static void
write_headers (Output *output, const char *const *headers)
{
  GmcpJsonWriter writer;

  if (headers == NULL || headers[0] == NULL)
    return;
  writer = begin_member (output, "headers");
  gmcp_json_writer_begin_object (&writer);
  for (gsize i = 0; headers[i] != NULL; i += 2)
    gmcp_json_writer_member_string (&writer, headers[i], headers[i + 1]);
  gmcp_json_writer_end_object (&writer);
}

static void
write_enum (Output *output, const char *key, const GValue *value)
{
  g_autoptr (GEnumClass) klass = g_type_class_ref (G_VALUE_TYPE (value));
  GEnumValue *found = g_enum_get_value (klass, g_value_get_enum (value));
  GmcpJsonWriter writer = begin_member (output, key);

  gmcp_json_writer_string (&writer, found != NULL ? found->value_nick : "");
}

static void
write_scalar (Output *output, const char *property, const GValue *value)
{
  g_autofree char *key = gmcp_config_key_to_camel (property);
  GmcpJsonWriter writer;

  if (G_VALUE_HOLDS_ENUM (value))
    {
      write_enum (output, g_str_equal (property, "era") ? "protocolEra" : key, value);
      return;
    }

  writer = begin_member (output, key);
  if (G_VALUE_HOLDS_UINT (value))
    gmcp_json_writer_uint64 (&writer, g_value_get_uint (value));
  else if (G_VALUE_HOLDS_BOOLEAN (value))
    gmcp_json_writer_boolean (&writer, g_value_get_boolean (value));
  else if (g_str_equal (property, "health-arguments"))
    gmcp_json_writer_raw (&writer, g_value_get_string (value), -1);
  else
    gmcp_json_writer_string (&writer, g_value_get_string (value));
}

static gboolean
is_default (const GmcpConfigField *field, const GValue *value)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (GMCP_TYPE_SERVER_CONFIG);
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_CLASS (klass), field->name);

  if (G_VALUE_HOLDS_STRING (value))
    return g_value_get_string (value) == NULL || *g_value_get_string (value) == '\0';
  return g_param_value_defaults (pspec, (GValue *) value);
}

static void
write_field (Output *output, GmcpServerConfig *self, const char *name, const GmcpConfigField *field)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (GMCP_TYPE_SERVER_CONFIG);
  GType type = g_object_class_find_property (G_OBJECT_CLASS (klass), field->name)->value_type;
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, type);
  gmcp_config_field_get_value (field, self, &value);
  if (g_str_equal (field->name, "argv"))
    write_command (output, g_value_get_boxed (&value));
  else if (g_str_equal (field->name, "environment"))
    write_environment (output, g_value_get_boxed (&value));
  else if (g_str_equal (field->name, "headers"))
    write_headers (output, g_value_get_boxed (&value));
  else if (field->kind == GMCP_CONFIG_FIELD_WORDS)
    {
      g_autofree char *key = gmcp_config_key_to_camel (field->name);
      const char *const *words = g_value_get_boxed (&value);

      if (words != NULL && words[0] != NULL)
        write_words (output, key, words);
    }
  else if (g_str_equal (field->name, "enabled"))
    {
      if (!g_value_get_boolean (&value))
        {
          GmcpJsonWriter writer = begin_member (output, "disabled");

          gmcp_json_writer_boolean (&writer, TRUE);
        }
    }
  else if (g_str_equal (field->name, "transport"))
    {
      if (g_value_get_enum (&value) != GMCP_SERVER_TRANSPORT_STDIO)
        write_enum (output, "type", &value);
    }
  else if (!g_str_equal (field->name, "id") && !is_default (field, &value)
           && (!g_str_equal (field->name, "title")
               || g_strcmp0 (name, g_value_get_string (&value)) != 0))
    {
      write_scalar (output, field->name, &value);
    }
}

/* Whether a member of the entry gives way. */
static gboolean
is_replaced (const char *key, const char *const *fields)
{
  for (gsize i = 0; fields[i] != NULL; i++)
    {
      if (is_about (key, fields[i]))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_health_check_replaced (GmcpJsonValue present, const char *const *fields)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;

  if (!gmcp_json_value_is_object (present))
    return FALSE;

  gmcp_json_iter_init (&iter, present);
  while (gmcp_json_iter_next (&iter, &key, NULL))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *camel = gmcp_config_key_to_camel (name);

      if (g_str_equal (camel, "healthCheck") && is_replaced (name, fields))
        return TRUE;
    }
  return FALSE;
}

static void
keep_members (Output *output, GmcpJsonValue present, const char *const *fields)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  if (!gmcp_json_value_is_object (present))
    return;

  gmcp_json_iter_init (&iter, present);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *raw = NULL;

      if (is_replaced (name, fields))
        continue;
      raw = gmcp_json_value_dup_raw (value);
      begin_member (output, name);
      g_string_append (output->out, raw);
    }
}

void
gmcp_server_config_write (GmcpServerConfig *self,
                          const char *name,
                          GmcpJsonValue present,
                          const char *const *fields,
                          const char *indent,
                          GString *out)
{
  Output output = { out, indent, FALSE };
  gsize n_fields;
  const GmcpConfigField *all = gmcp_config_fields_get (&n_fields);
  gboolean all_of_health = fields != NULL && is_health_check_replaced (present, fields);

  g_string_append_c (out, '{');
  if (fields != NULL)
    keep_members (&output, present, fields);
  for (gsize i = 0; i < n_fields; i++)
    {
      if (fields == NULL || g_strv_contains (fields, all[i].name)
          || (all_of_health && g_str_has_prefix (all[i].name, "health-")))
        write_field (&output, self, name, &all[i]);
    }
  g_string_append_printf (out, "%s%s}", output.any ? "\n" : "", output.any ? indent : "");
}
