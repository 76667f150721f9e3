/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <gmcp/json/gmcp-json.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "cli-config.h"
#include "cli-json.h"
#include "cli-text.h"

#define LABEL_COLUMNS 24

/* What the configuration comes to: what holds for all servers, and what is said of hosts and tools. */

/* Properties of the manager that are keys of org.gmcp.Manager, beside the numbers. */
static const char *const settings[] = {
  "tool-name-style",      "ask-first",          "ask-destructive", "pin-policy", "audit",
  "audit-hash-arguments", "auto-start-default", "log-directory",   "share",      NULL,
};

static const struct
{
  const char *property;
  const char *label;
} parts[] = {
  { "required", N_ ("required") },
  { "recommended", N_ ("recommended") },
  { "optional", N_ ("optional") },
};

/* Keys of the metadata of a host or tool. */
static const struct
{
  const char *name;
  const char *label;
  gboolean is_list; /* with commas between */
} metadata[] = {
  { "binary", N_ ("program"), FALSE },
  { "command-template", N_ ("command"), FALSE },
  { "models", N_ ("models"), TRUE },
};

static gboolean
is_shown_property (GParamSpec *pspec)
{
  return G_IS_PARAM_SPEC_UINT (pspec) || G_IS_PARAM_SPEC_UINT64 (pspec)
         || g_strv_contains (settings, pspec->name);
}

static const char *
get_nick (const GValue *value)
{
  g_autoptr (GEnumClass) klass = g_type_class_ref (G_VALUE_TYPE (value));
  GEnumValue *found = g_enum_get_value (klass, g_value_get_enum (value));

  return found != NULL ? found->value_nick : NULL;
}

static JsonNode *
make_node (const GValue *value)
{
  JsonNode *node = json_node_alloc ();

  if (G_VALUE_HOLDS_UINT (value))
    return json_node_init_int (node, g_value_get_uint (value));
  if (G_VALUE_HOLDS_UINT64 (value))
    return json_node_init_int (node, (gint64) g_value_get_uint64 (value));
  if (G_VALUE_HOLDS_BOOLEAN (value))
    return json_node_init_boolean (node, g_value_get_boolean (value));
  if (G_VALUE_HOLDS_ENUM (value))
    return json_node_init_string (node, get_nick (value));
  if (G_VALUE_HOLDS_STRING (value) && g_value_get_string (value) != NULL)
    return json_node_init_string (node, g_value_get_string (value));
  if (G_VALUE_HOLDS (value, G_TYPE_FILE) && g_value_get_object (value) != NULL)
    return json_node_init_string (node, g_file_peek_path (g_value_get_object (value)));

  json_node_free (node);
  return G_VALUE_HOLDS (value, G_TYPE_STRV) ? cli_json_new_strings (g_value_get_boxed (value))
                                            : json_node_new (JSON_NODE_NULL);
}

/* NULL where there is nothing to be said. */
static char *
make_text (const GValue *value)
{
  g_autofree char *joined = NULL;

  if (G_VALUE_HOLDS_UINT (value))
    return g_strdup_printf ("%u", g_value_get_uint (value));
  if (G_VALUE_HOLDS_UINT64 (value))
    return g_strdup_printf ("%" G_GUINT64_FORMAT, g_value_get_uint64 (value));
  if (G_VALUE_HOLDS_BOOLEAN (value))
    return g_strdup (g_value_get_boolean (value) ? "true" : "false");
  if (G_VALUE_HOLDS_ENUM (value))
    return g_strdup (get_nick (value));
  if (G_VALUE_HOLDS_STRING (value))
    return g_value_dup_string (value);
  if (G_VALUE_HOLDS_OBJECT (value))
    return g_value_get_object (value) != NULL
             ? g_filename_display_name (g_file_peek_path (g_value_get_object (value)))
             : NULL;

  if (g_value_get_boxed (value) != NULL)
    joined = g_strjoinv (", ", g_value_get_boxed (value));
  return joined != NULL && *joined != '\0' ? g_steal_pointer (&joined) : NULL;
}

static char *
with_underscores (const char *name)
{
  return g_strdelimit (g_strdup (name), "-", '_');
}

static void
add_member (JsonObject *object, GObject *from, const char *property)
{
  g_auto (GValue) value = G_VALUE_INIT;
  g_autofree char *name = with_underscores (property);

  g_object_get_property (from, property, &value);
  json_object_set_member (object, name, make_node (&value));
}

static JsonObject *
describe_settings (GmcpManager *manager)
{
  JsonObject *object = json_object_new ();
  guint n_pspecs = 0;
  g_autofree GParamSpec **pspecs
    = g_object_class_list_properties (G_OBJECT_GET_CLASS (manager), &n_pspecs);

  for (guint i = 0; i < n_pspecs; i++)
    {
      if (is_shown_property (pspecs[i]))
        add_member (object, G_OBJECT (manager), pspecs[i]->name);
    }
  return object;
}

static void
add_metadata (JsonObject *object, GmcpRequirements *requirements, gsize position)
{
  const char *value = gmcp_requirements_lookup_metadata (requirements, metadata[position].name);
  g_autofree char *name = with_underscores (metadata[position].name);
  g_auto (GStrv) words = NULL;

  if (!metadata[position].is_list)
    {
      json_object_set_string_member (object, name, value);
      return;
    }

  words = g_strsplit (value != NULL ? value : "", ",", -1);
  json_object_set_member (object, name, cli_json_new_strings ((const char *const *) words));
}

static JsonObject *
describe_tool (GmcpRequirements *requirements)
{
  JsonObject *object = json_object_new ();

  add_member (object, G_OBJECT (requirements), "name");
  for (gsize i = 0; i < G_N_ELEMENTS (metadata); i++)
    add_metadata (object, requirements, i);
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    add_member (object, G_OBJECT (requirements), parts[i].property);
  return object;
}

static void
print_json (GmcpManager *manager, GPtrArray *tools)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < tools->len; i++)
    json_array_add_object_element (array, describe_tool (g_ptr_array_index (tools, i)));
  json_object_set_object_member (object, "settings", describe_settings (manager));
  json_object_set_array_member (object, "tools", array);
  root = json_node_init_object (json_node_alloc (), object);
  text = gmcp_json_print (root, NULL);
  cli_json_print (text);
}

static void
print_line (const char *label, const char *text)
{
  g_autofree char *padded = cli_text_pad (label, LABEL_COLUMNS);
  g_autofree char *line = g_strdup_printf ("  %s %s\n", padded, text);

  cli_text_show (line);
}

static void
print_value (GObject *from, const char *property, const char *label, gboolean always)
{
  g_auto (GValue) value = G_VALUE_INIT;
  g_autofree char *text = NULL;

  g_object_get_property (from, property, &value);
  text = make_text (&value);
  if (text == NULL && !always)
    return;
  print_line (label, text != NULL ? text : "–");
}

static void
print_metadata (GmcpRequirements *tool, gsize position)
{
  const char *value = gmcp_requirements_lookup_metadata (tool, metadata[position].name);
  g_auto (GStrv) words = NULL;
  g_autofree char *text = NULL;

  if (value == NULL)
    return;
  words = g_strsplit (value, ",", metadata[position].is_list ? -1 : 1);
  text = g_strjoinv (", ", words);
  print_line (_ (metadata[position].label), text);
}

static void
print_text (GmcpManager *manager, GPtrArray *tools)
{
  guint n_pspecs = 0;
  g_autofree GParamSpec **pspecs
    = g_object_class_list_properties (G_OBJECT_GET_CLASS (manager), &n_pspecs);

  g_print ("%s\n", _ ("For all servers:"));
  for (guint i = 0; i < n_pspecs; i++)
    {
      if (is_shown_property (pspecs[i]))
        print_value (G_OBJECT (manager), pspecs[i]->name, pspecs[i]->name, TRUE);
    }

  for (guint i = 0; i < tools->len; i++)
    {
      GmcpRequirements *tool = g_ptr_array_index (tools, i);
      /* Translators: %s is a host or a tool. */
      g_autofree char *head = g_strdup_printf (_ ("For %s:\n"), gmcp_requirements_get_name (tool));

      cli_text_show (head);
      for (gsize j = 0; j < G_N_ELEMENTS (metadata); j++)
        print_metadata (tool, j);
      for (gsize j = 0; j < G_N_ELEMENTS (parts); j++)
        print_value (G_OBJECT (tool), parts[j].property, _ (parts[j].label), FALSE);
    }
}

void
cli_config_show (GmcpManager *manager, gboolean json)
{
  g_autoptr (GPtrArray) tools = gmcp_manager_list_requirements (manager);

  if (json)
    print_json (manager, tools);
  else
    print_text (manager, tools);
}
