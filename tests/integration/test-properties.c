/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <gmcp/gmcp.h>

/* Every property that can be set: the new value is the one that is got, it is told of once, and setting the
 * value that is there already is told of to nobody. */

static gboolean
set_other_number (GParamSpec *pspec, GValue *value)
{
  static const gint64 steps[] = { 1, -1, 1000, -1000 };

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_auto (GValue) other = G_VALUE_INIT;

      g_value_init (&other, G_VALUE_TYPE (value));
      if (G_VALUE_HOLDS_UINT (value))
        g_value_set_uint (&other, (guint) (g_value_get_uint (value) + steps[i]));
      else if (G_VALUE_HOLDS_UINT64 (value))
        g_value_set_uint64 (&other, (guint64) ((gint64) g_value_get_uint64 (value) + steps[i]));
      else
        return FALSE;
      if (!g_param_value_validate (pspec, &other))
        {
          g_value_copy (&other, value);
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
set_other_enum (GParamSpec *pspec, GValue *value)
{
  GEnumClass *klass = G_PARAM_SPEC_ENUM (pspec)->enum_class;

  for (guint i = 0; i < klass->n_values; i++)
    if (klass->values[i].value != g_value_get_enum (value))
      {
        g_value_set_enum (value, klass->values[i].value);
        return TRUE;
      }
  return FALSE;
}

/* Texts that must have a form. */
static const char *const forms[][2] = {
  { "meta-json", "{\"a\":1}" },
  { "traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
  { "tracestate", "a=1" },
  { "baggage", "a=1" },
};

static const char *
get_other_text (GParamSpec *pspec, const GValue *value)
{
  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++)
    if (g_str_equal (pspec->name, forms[i][0]))
      return forms[i][1];
  return g_strcmp0 (g_value_get_string (value), "other") == 0 ? "another" : "other";
}

static gpointer
make_other_object (GType type)
{
  if (type == G_TYPE_FILE)
    return g_file_new_for_path ("/nonexistent/other");
  if (type == G_TYPE_LIST_MODEL)
    return g_list_store_new (GMCP_TYPE_ROOT);
  if (type == GMCP_TYPE_TOOL)
    return gmcp_tool_new ("other", NULL, "{\"type\":\"object\"}", NULL);
  if (!G_TYPE_IS_ABSTRACT (type) && G_TYPE_IS_INSTANTIATABLE (type))
    return g_object_new (type, NULL);
  g_error ("No other value for an object of the type %s", g_type_name (type));
}

static void
set_other_value (GParamSpec *pspec, GValue *value)
{
  GType type = pspec->value_type;

  if (type == G_TYPE_BOOLEAN)
    g_value_set_boolean (value, !g_value_get_boolean (value));
  else if (type == G_TYPE_STRING)
    g_value_set_string (value, get_other_text (pspec, value));
  else if (G_TYPE_IS_ENUM (type))
    g_assert_true (set_other_enum (pspec, value));
  else if (type == G_TYPE_STRV)
    g_value_set_boxed (value, (const char *const[]){ "one.*", "two.*", NULL });
  else if (type == GMCP_TYPE_IMPLEMENTATION)
    g_value_take_boxed (value, gmcp_implementation_new ("other", "1"));
  else if (g_type_is_a (type, G_TYPE_OBJECT) || G_TYPE_IS_INTERFACE (type))
    g_value_take_object (value, make_other_object (type));
  else
    g_assert_true (set_other_number (pspec, value));
}

static gboolean
equal_values (GParamSpec *pspec, const GValue *a, const GValue *b)
{
  if (pspec->value_type == G_TYPE_FILE)
    return g_file_equal (g_value_get_object (a), g_value_get_object (b));
  if (pspec->value_type == G_TYPE_STRV)
    return g_strv_equal (g_value_get_boxed (a), g_value_get_boxed (b));
  return g_param_values_cmp (pspec, a, b) == 0;
}

static void
on_notify (GObject *object, GParamSpec *pspec, gpointer data)
{
  GHashTable *told = data;
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (told, pspec->name));

  g_hash_table_insert (told, (gpointer) pspec->name, GUINT_TO_POINTER (n + 1));
}

static void
check_property (GObject *object, GParamSpec *pspec)
{
  g_autoptr (GHashTable) told = g_hash_table_new (g_str_hash, g_str_equal);
  g_auto (GValue) value = G_VALUE_INIT;
  g_auto (GValue) got = G_VALUE_INIT;
  gulong handler;

  g_test_message ("%s:%s", G_OBJECT_TYPE_NAME (object), pspec->name);
  g_value_init (&value, pspec->value_type);
  g_value_init (&got, pspec->value_type);
  g_object_get_property (object, pspec->name, &value);
  set_other_value (pspec, &value);

  handler = g_signal_connect (object, "notify", G_CALLBACK (on_notify), told);
  g_object_set_property (object, pspec->name, &value);
  g_object_get_property (object, pspec->name, &got);
  g_assert_true (equal_values (pspec, &value, &got));
  g_assert_cmpuint (GPOINTER_TO_UINT (g_hash_table_lookup (told, pspec->name)), ==, 1);

  g_hash_table_remove_all (told);
  g_object_set_property (object, pspec->name, &value);
  g_assert_cmpuint (g_hash_table_size (told), ==, 0);
  g_signal_handler_disconnect (object, handler);
}

static GObject *
make_object (GType type)
{
  g_autoptr (GmcpTransport) here = NULL;
  g_autoptr (GmcpTransport) there = NULL;

  if (type != GMCP_TYPE_CLIENT)
    return g_object_new (type, NULL);

  gmcp_memory_transport_new_pair (&here, &there);
  return G_OBJECT (gmcp_client_new (here));
}

static void
test_class (gconstpointer data)
{
  g_autoptr (GObject) object = make_object (GPOINTER_TO_SIZE (data));
  g_autofree GParamSpec **pspecs = NULL;
  guint n_pspecs;

  pspecs = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n_pspecs);
  for (guint i = 0; i < n_pspecs; i++)
    {
      g_assert_cmpuint (pspecs[i]->flags & G_PARAM_READABLE, !=, 0);
      if ((pspecs[i]->flags & G_PARAM_WRITABLE) != 0
          && (pspecs[i]->flags & G_PARAM_CONSTRUCT_ONLY) == 0)
        check_property (object, pspecs[i]);
    }
}

int
main (int argc, char **argv)
{
  const GType types[] = {
    GMCP_TYPE_MANAGER,
    GMCP_TYPE_CLIENT,
    GMCP_TYPE_SUBSCRIPTION,
    GMCP_TYPE_CALL_OPTIONS,
    GMCP_TYPE_AUDIT_LOG,
    GMCP_TYPE_CONFIG_IMPORT,
    GMCP_TYPE_FILE_CONFIG_SOURCE,
    GMCP_TYPE_SETTINGS_CONFIG_SOURCE,
    GMCP_TYPE_RESPONSE_CACHE,
    GMCP_TYPE_TOOL_REGISTRY,
    GMCP_TYPE_HTTP_TRANSPORT,
    GMCP_TYPE_STDIO_TRANSPORT,
    GMCP_TYPE_SERVER,
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *path = g_strdup_printf ("/properties/%s", g_type_name (types[i]));

      g_test_add_data_func (path, GSIZE_TO_POINTER (types[i]), test_class);
    }
  return g_test_run ();
}
