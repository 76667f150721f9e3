/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/desktop/gmcp-action-tools.h>
#include <gmcp/provider/desktop/gmcp-dbus-tools.h>

#include "list-provider.h"
#include "unit-test.h"

#define NAME      "org.example.All"
#define STARTED   "org.example.Started"
#define PATH      "/org/example/All"
#define INTERFACE "org.example.All"

static const char all_xml[]
  = "<node><interface name='" INTERFACE "'>"
    "<method name='Echo'>"
    "<arg name='b' type='b' direction='in'/><arg name='y' type='y' direction='in'/>"
    "<arg name='n' type='n' direction='in'/><arg name='q' type='q' direction='in'/>"
    "<arg name='i' type='i' direction='in'/><arg name='u' type='u' direction='in'/>"
    "<arg name='x' type='x' direction='in'/><arg name='t' type='t' direction='in'/>"
    "<arg name='d' type='d' direction='in'/><arg name='s' type='s' direction='in'/>"
    "<arg name='o' type='o' direction='in'/><arg name='g' type='g' direction='in'/>"
    "<arg name='v' type='v' direction='in'/><arg name='bytes' type='ay' direction='in'/>"
    "<arg name='texts' type='as' direction='in'/><arg name='options' type='a{sv}' direction='in'/>"
    "<arg name='numbers' type='a{us}' direction='in'/><arg name='pair' type='(is)' direction='in'/>"
    "<arg name='b' type='b' direction='out'/><arg name='y' type='y' direction='out'/>"
    "<arg name='n' type='n' direction='out'/><arg name='q' type='q' direction='out'/>"
    "<arg name='i' type='i' direction='out'/><arg name='u' type='u' direction='out'/>"
    "<arg name='x' type='x' direction='out'/><arg name='t' type='t' direction='out'/>"
    "<arg name='d' type='d' direction='out'/><arg name='s' type='s' direction='out'/>"
    "<arg name='o' type='o' direction='out'/><arg name='g' type='g' direction='out'/>"
    "<arg name='v' type='v' direction='out'/><arg name='bytes' type='ay' direction='out'/>"
    "<arg name='texts' type='as' direction='out'/><arg name='options' type='a{sv}' direction='out'/>"
    "<arg name='numbers' type='a{us}' direction='out'/><arg name='pair' type='(is)' direction='out'/>"
    "</method>"
    "<method name='Join'><annotation name='org.gtk.GDBus.DocString' value='Joins two texts'/>"
    "<annotation name='org.gmcp.Tool.ReadOnly' value='true'/>"
    "<annotation name='org.gmcp.Tool.OpenWorld' value='no'/>"
    "<annotation name='org.freedesktop.DBus.Deprecated' value='true'/>"
    "<arg type='s' direction='in'/><arg name='two words' type='s' direction='in'>"
    "<annotation name='org.gtk.GDBus.DocString' value='The second'/></arg>"
    "<arg name='joined' type='s' direction='out'/></method>"
    "<method name='Fail'/><method name='Never'/><method name='Nothing'/>"
    "<method name='Fire'><annotation name='org.freedesktop.DBus.Method.NoReply' value='true'/>"
    "</method>"
    "<method name='Infinite'><arg name='d' type='d' direction='out'/></method>"
    "<method name='Open'><arg name='fd' type='h' direction='in'/></method>"
    "<method name='Fds'><arg name='fds' type='a{sh}' direction='out'/></method>"
    "<property name='Volume' type='d' access='readwrite'/>"
    "<property name='Secret' type='s' access='write'/>"
    "<property name='Wrong' type='s' access='read'/>"
    "</interface></node>";

static const char other_xml[] = "<node><interface name='" INTERFACE "'>"
                                "<method name='Nothing'><arg name='how' type='s' direction='in'/>"
                                "</method></interface></node>";

static const char every_argument[]
  = "{\"b\":true,\"y\":255,\"n\":-32768,\"q\":65535,\"i\":-1,\"u\":4294967295,"
    "\"x\":-9223372036854775808,\"t\":18446744073709551615,\"d\":0.5,\"s\":\"ü\",\"o\":\"/a/b\","
    "\"g\":\"a{sv}\",\"v\":{\"k\":[1,\"a\",null]},\"bytes\":\"AAEC\",\"texts\":[\"a\",\"\"],"
    "\"options\":{\"n\":1,\"s\":\"x\"},\"numbers\":{\"7\":\"seven\"},\"pair\":[1,\"one\"]}";

typedef struct
{
  GTestDBus *bus;
  char *services;
  GDBusConnection *client;
  GDBusConnection *service;
  GmcpDBusTools *tools;
  GString *changes;
  GString *notices;
  GPtrArray *unanswered; /* (element-type GDBusMethodInvocation) */
  guint n_fired;
  double volume;
} Fixture;

static void
on_method_call (GDBusConnection *connection,
                const char *sender,
                const char *path,
                const char *interface,
                const char *method,
                GVariant *parameters,
                GDBusMethodInvocation *invocation,
                gpointer data)
{
  Fixture *fixture = data;

  if (g_str_equal (method, "Echo"))
    {
      g_dbus_method_invocation_return_value (invocation, parameters);
    }
  else if (g_str_equal (method, "Join"))
    {
      const char *one;
      const char *two;

      g_variant_get (parameters, "(&s&s)", &one, &two);
      g_dbus_method_invocation_return_value (
        invocation,
        g_variant_new ("(@s)", g_variant_new_take_string (g_strconcat (one, two, NULL))));
    }
  else if (g_str_equal (method, "Fail"))
    {
      g_dbus_method_invocation_return_dbus_error (invocation, "org.example.Error.Wrong",
                                                  "It is wrong");
    }
  else if (g_str_equal (method, "Never"))
    {
      g_ptr_array_add (fixture->unanswered, invocation);
    }
  else if (g_str_equal (method, "Infinite"))
    {
      g_dbus_method_invocation_return_value (invocation, g_variant_new_parsed ("(inf,)"));
    }
  else
    {
      if (g_str_equal (method, "Fire"))
        fixture->n_fired++;
      g_dbus_method_invocation_return_value (invocation, NULL);
    }
}

static GVariant *
on_get_property (GDBusConnection *connection,
                 const char *sender,
                 const char *path,
                 const char *interface,
                 const char *property,
                 GError **error,
                 gpointer data)
{
  if (g_str_equal (property, "Volume"))
    return g_variant_new_double (((Fixture *) data)->volume);

  g_set_error_literal (error, G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED, "not this one");
  return NULL;
}

static gboolean
on_set_property (GDBusConnection *connection,
                 const char *sender,
                 const char *path,
                 const char *interface,
                 const char *property,
                 GVariant *value,
                 GError **error,
                 gpointer data)
{
  double volume = g_str_equal (property, "Volume") ? g_variant_get_double (value) : 2;

  if (volume <= 1)
    {
      ((Fixture *) data)->volume = volume;
      return TRUE;
    }
  g_set_error_literal (error, G_DBUS_ERROR, G_DBUS_ERROR_INVALID_ARGS, "too loud");
  return FALSE;
}

static void
serve_object (GDBusConnection *connection, const char *xml, Fixture *fixture)
{
  static const GDBusInterfaceVTable vtable
    = { on_method_call, on_get_property, on_set_property, { 0 } };
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (xml, &error);

  g_assert_no_error (error);
  g_dbus_connection_register_object (connection, PATH, node->interfaces[0], &vtable, fixture, NULL,
                                     &error);
  g_assert_no_error (error);
}

static void
request_name (GDBusConnection *connection, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
    connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
    "RequestName", g_variant_new ("(su)", name, 4), G_VARIANT_TYPE ("(u)"), G_DBUS_CALL_FLAGS_NONE,
    -1, NULL, &error);
  guint answer;

  g_assert_no_error (error);
  g_variant_get (reply, "(u)", &answer);
  g_assert_cmpuint (answer, ==, 1);
}

static GDBusConnection *
connect_to_bus (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  GDBusConnection *connection = g_dbus_connection_new_for_address_sync (
    g_test_dbus_get_bus_address (fixture->bus),
    G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
    NULL, NULL, &error);

  g_assert_no_error (error);
  return connection;
}

static void
on_items_changed (GListModel *list, guint position, guint removed, guint added, Fixture *fixture)
{
  g_string_append_printf (fixture->changes, "%u-%u+%u ", position, removed, added);
}

static void
on_notice (GmcpToolProvider *provider,
           const char *server,
           GmcpNoticeLevel level,
           const char *message,
           Fixture *fixture)
{
  g_string_append_printf (fixture->notices, "%s;", message);
}

static void
use_tools (Fixture *fixture, const char *name, const char *path)
{
  g_clear_object (&fixture->tools);
  fixture->tools = gmcp_dbus_tools_new (fixture->client, name, path);
  g_signal_connect (gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (fixture->tools)),
                    "items-changed", G_CALLBACK (on_items_changed), fixture);
  g_signal_connect (fixture->tools, "notice", G_CALLBACK (on_notice), fixture);
}

/* A program that the bus can start: this one, with an argument. */
static void
add_started_service (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *program = g_file_read_link ("/proc/self/exe", &error);
  g_autofree char *text = g_strdup_printf (
    "[D-BUS Service]\nName=" STARTED "\nExec=%s dbus-tools --service\n", program);
  g_autofree char *file = NULL;

  g_assert_no_error (error);
  fixture->services = g_dir_make_tmp ("gmcp-services-XXXXXX", &error);
  g_assert_no_error (error);
  file = g_build_filename (fixture->services, STARTED ".service", NULL);
  g_file_set_contents (file, text, -1, &error);
  g_assert_no_error (error);
  g_test_dbus_add_service_dir (fixture->bus, fixture->services);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  add_started_service (fixture);
  g_test_dbus_up (fixture->bus);
  fixture->changes = g_string_new (NULL);
  fixture->notices = g_string_new (NULL);
  fixture->volume = 0.25;
  fixture->unanswered = g_ptr_array_new_with_free_func (g_object_unref);
  fixture->client = connect_to_bus (fixture);
  fixture->service = connect_to_bus (fixture);
  serve_object (fixture->service, all_xml, fixture);
  request_name (fixture->service, NAME);
  use_tools (fixture, NAME, PATH);
}

static void
close_connection (GDBusConnection **connection)
{
  if (*connection != NULL)
    g_dbus_connection_close_sync (*connection, NULL, NULL);
  g_clear_object (connection);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->services, STARTED ".service", NULL);

  g_assert_finalize_object (fixture->tools);
  g_ptr_array_unref (fixture->unanswered);
  close_connection (&fixture->service);
  close_connection (&fixture->client);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_test_dbus_down (fixture->bus);
  g_object_unref (fixture->bus);
  g_remove (file);
  g_rmdir (fixture->services);
  g_free (fixture->services);
  g_string_free (fixture->changes, TRUE);
  g_string_free (fixture->notices, TRUE);
}

static gboolean
load_tools (Fixture *fixture, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_tool_provider_load_async (GMCP_TOOL_PROVIDER (fixture->tools), NULL,
                                 list_provider_store_result, &result);
  return gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (fixture->tools),
                                         list_provider_wait (&result), error);
}

static void
assert_loads (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  load_tools (fixture, &error);
  g_assert_no_error (error);
}

static void
add_method (Fixture *fixture, const char *method)
{
  g_autoptr (GError) error = NULL;

  gmcp_dbus_tools_add_method (fixture->tools, INTERFACE, method, NULL, &error);
  g_assert_no_error (error);
}

static void
add_property (Fixture *fixture, const char *property)
{
  g_autoptr (GError) error = NULL;

  gmcp_dbus_tools_add_property_reader (fixture->tools, INTERFACE, property, NULL, &error);
  g_assert_no_error (error);
}

static char *
dup_names (Fixture *fixture)
{
  GListModel *tools = gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (fixture->tools));
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (tools); i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);

      g_string_append_printf (names, "%s%s", i > 0 ? " " : "",
                              gmcp_definition_get_name (GMCP_DEFINITION (tool)));
    }
  return g_string_free (names, FALSE);
}

static void
assert_lists (Fixture *fixture, const char *expected)
{
  g_autofree char *names = dup_names (fixture);

  g_assert_cmpstr (names, ==, expected);
}

/* What a call answers with: its structured content or its text, after an ! where it is an error. */
static char *
call_tool (gpointer provider, const char *name, const char *arguments, GmcpCallOptions *options)
{
  g_autoptr (GAsyncResult) async = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autofree char *structured = NULL;

  gmcp_tool_provider_call_tool_json_async (provider, name, arguments, options, NULL,
                                           list_provider_store_result, &async);
  result = gmcp_tool_provider_call_tool_finish (provider, list_provider_wait (&async), &error);
  if (result == NULL)
    return g_strdup_printf ("error: %s", error->message);
  structured = gmcp_tool_result_dup_structured_content_json (result);
  return g_strconcat (gmcp_tool_result_is_error (result) ? "!" : "",
                      structured != NULL ? structured : gmcp_tool_result_get_text (result), NULL);
}

static void
assert_answers (Fixture *fixture, const char *name, const char *arguments, const char *expected)
{
  g_autofree char *answer = call_tool (fixture->tools, name, arguments, NULL);

  g_test_message ("%s: %s", name, answer);
  if (expected[0] == '!')
    {
      g_assert_cmpint (answer[0], ==, '!');
      g_assert_nonnull (strstr (answer, expected + 1));
    }
  else
    {
      g_assert_cmpstr (answer, ==, expected);
    }
}

static void
test_every_type (Fixture *fixture, gconstpointer data)
{
  g_autofree char *arguments = g_strdup (every_argument);
  char *null = strstr (arguments, "null");

  add_method (fixture, "Echo");
  assert_lists (fixture, "");
  assert_loads (fixture);
  assert_lists (fixture, "Echo");
  assert_answers (fixture, "Echo", arguments, "!“v.k[2]” cannot be null");
  memcpy (null, "true", 4);
  assert_answers (fixture, "Echo", arguments, arguments);
  assert_answers (fixture, "Echo", "{\"b\":true}", "!y");
}

static void
test_definition (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTool) tool = NULL;
  g_autofree char *input = NULL;
  g_autofree char *output = NULL;

  add_method (fixture, "Join");
  add_property (fixture, "Volume");
  assert_loads (fixture);
  assert_lists (fixture, "Join get-Volume");
  tool = gmcp_tool_provider_find_tool (GMCP_TOOL_PROVIDER (fixture->tools), "Join", NULL);
  g_assert_cmpstr (gmcp_definition_get_description (GMCP_DEFINITION (tool)), ==,
                   "Deprecated. Joins two texts");
  g_assert_true (gmcp_tool_is_read_only (tool));
  g_assert_true (gmcp_tool_is_open_world (tool));
  input = gmcp_tool_dup_input_schema_json (tool);
  g_assert_cmpstr (
    input, ==,
    "{\"type\":\"object\",\"properties\":{\"arg_0\":{\"type\":\"string\"},\"arg_1\":{"
    "\"description\":\"The second\",\"type\":\"string\"}},\"required\":[\"arg_0\","
    "\"arg_1\"],\"additionalProperties\":false}");
  output = gmcp_tool_dup_output_schema_json (tool);
  g_assert_nonnull (strstr (output, "joined"));
  assert_answers (fixture, "Join", "{\"arg_0\":\"a\",\"arg_1\":\"b\"}", "{\"joined\":\"ab\"}");
  assert_answers (fixture, "get-Volume", NULL, "{\"value\":0.25}");
}

static gboolean
add_writer (Fixture *fixture, const char *property, GError **error)
{
  return gmcp_dbus_tools_add_property_writer (fixture->tools, INTERFACE, property, NULL, error);
}

static void
test_writer (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTool) tool = NULL;
  g_autofree char *input = NULL;

  add_property (fixture, "Volume");
  g_assert_true (add_writer (fixture, "Volume", &error));
  g_assert_no_error (error);
  g_assert_true (add_writer (fixture, "Wrong", &error));
  g_assert_no_error (error);
  g_assert_true (add_writer (fixture, "Secret", &error));
  g_assert_no_error (error);
  assert_loads (fixture);
  assert_lists (fixture, "get-Volume set-Volume set-Secret");
  g_assert_nonnull (strstr (fixture->notices->str, "The property “Wrong” cannot be set"));
  g_assert_false (add_writer (fixture, "Volume", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);

  tool = gmcp_tool_provider_find_tool (GMCP_TOOL_PROVIDER (fixture->tools), "set-Volume", NULL);
  g_assert_false (gmcp_tool_is_read_only (tool));
  g_assert_cmpstr (gmcp_definition_get_description (GMCP_DEFINITION (tool)), ==,
                   "Sets the property “Volume” of the D-Bus interface “" INTERFACE "”.");
  input = gmcp_tool_dup_input_schema_json (tool);
  g_assert_cmpstr (input, ==,
                   "{\"type\":\"object\",\"properties\":{\"value\":{\"type\":\"number\"}},"
                   "\"required\":[\"value\"],\"additionalProperties\":false}");
  assert_answers (fixture, "set-Volume", "{\"value\":0.5}", "“Volume” was set.");
  g_assert_cmpfloat (fixture->volume, ==, 0.5);
  assert_answers (fixture, "get-Volume", NULL, "{\"value\":0.5}");
  assert_answers (fixture, "set-Volume", "{\"value\":2}",
                  "!org.freedesktop.DBus.Error.InvalidArgs: too loud");
  assert_answers (fixture, "set-Volume", "{\"value\":\"loud\"}", "!value");
  assert_answers (fixture, "set-Volume", "{}", "!value");
  assert_answers (fixture, "set-Secret", "{\"value\":\"x\"}", "!too loud");
  g_assert_cmpfloat (fixture->volume, ==, 0.5);
}

static void
test_answers (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autofree char *answer = NULL;

  add_method (fixture, "Fail");
  add_method (fixture, "Never");
  add_method (fixture, "Nothing");
  add_method (fixture, "Fire");
  add_method (fixture, "Infinite");
  add_property (fixture, "Wrong");
  assert_loads (fixture);
  assert_answers (fixture, "Fail", NULL, "!org.example.Error.Wrong: It is wrong");
  assert_answers (fixture, "Nothing", "{}", "“Nothing” was called.");
  assert_answers (fixture, "Fire", "{}", "“Fire” was called.");
  while (fixture->n_fired == 0)
    g_main_context_iteration (NULL, TRUE);
  assert_answers (fixture, "Infinite", NULL, "!d: A value is infinite");
  assert_answers (fixture, "get-Wrong", NULL, "!org.freedesktop.DBus.Error.AccessDenied");

  g_test_message ("a call ends in its time, whether the other program answers or not");
  g_object_set (options, "timeout-ms", 50, NULL);
  answer = call_tool (fixture->tools, "Never", NULL, options);
  g_assert_true (g_str_has_prefix (answer, "error: "));
}

static void
assert_not_added (Fixture *fixture, const char *interface, const char *method, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (gmcp_dbus_tools_add_method (fixture->tools, interface, method, NULL, &error));
  g_assert_error (error, GMCP_ERROR, code);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  assert_not_added (fixture, "", "Nothing", GMCP_ERROR_INVALID_ARGUMENT);
  assert_not_added (fixture, "org", "Nothing", GMCP_ERROR_INVALID_ARGUMENT);
  assert_not_added (fixture, INTERFACE, "No-thing", GMCP_ERROR_INVALID_ARGUMENT);
  add_method (fixture, "Nothing");
  assert_not_added (fixture, INTERFACE, "Nothing", GMCP_ERROR_INVALID_ARGUMENT);

  g_test_message ("what the object does not have is known when it was asked");
  add_method (fixture, "Missing");
  add_method (fixture, "Open");
  add_property (fixture, "Secret");
  assert_loads (fixture);
  assert_lists (fixture, "Nothing");
  g_assert_nonnull (strstr (fixture->notices->str, "Missing"));
  g_assert_nonnull (strstr (fixture->notices->str, "file descriptors"));
  g_assert_nonnull (strstr (fixture->notices->str, "Secret"));
  assert_not_added (fixture, INTERFACE, "Absent", GMCP_ERROR_UNKNOWN_TOOL);
  assert_not_added (fixture, "org.example.Absent", "Other", GMCP_ERROR_UNKNOWN_TOOL);
  assert_not_added (fixture, INTERFACE, "Fds", GMCP_ERROR_NOT_SUPPORTED);
  g_assert_false (
    gmcp_dbus_tools_add_property_reader (fixture->tools, INTERFACE, "Secret", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_assert_true (gmcp_dbus_tools_remove_tool (fixture->tools, "Missing"));
  g_assert_false (gmcp_dbus_tools_remove_tool (fixture->tools, "Missing"));
}

static void
test_nobody (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  use_tools (fixture, "org.example.Nobody", PATH);
  add_method (fixture, "Nothing");
  g_assert_false (load_tools (fixture, &error));
  g_assert_nonnull (strstr (error->message, "org.example.Nobody"));
  assert_lists (fixture, "");

  g_clear_error (&error);
  use_tools (fixture, "no name", PATH);
  assert_not_added (fixture, INTERFACE, "Nothing", GMCP_ERROR_INVALID_ARGUMENT);
  g_assert_false (load_tools (fixture, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  use_tools (fixture, NAME, "no path");
  assert_not_added (fixture, INTERFACE, "Nothing", GMCP_ERROR_INVALID_ARGUMENT);
}

/* Another process has the name, and another object. */
static void
test_changes (Fixture *fixture, gconstpointer data)
{
  GDBusConnection *second;

  add_method (fixture, "Nothing");
  add_method (fixture, "Fail");
  assert_loads (fixture);
  assert_loads (fixture);
  g_assert_cmpstr (fixture->changes->str, ==, "0-0+1 1-0+1 ");
  assert_answers (fixture, "Nothing", NULL, "“Nothing” was called.");

  close_connection (&fixture->service);
  assert_answers (fixture, "Nothing", NULL, "!org.freedesktop.DBus.Error.ServiceUnknown");
  assert_lists (fixture, "Nothing Fail");

  second = connect_to_bus (fixture);
  serve_object (second, other_xml, fixture);
  request_name (second, NAME);
  while (fixture->notices->len == 0)
    g_main_context_iteration (NULL, TRUE);
  assert_lists (fixture, "Nothing");
  assert_answers (fixture, "Nothing", NULL, "!how");
  assert_answers (fixture, "Nothing", "{\"how\":\"so\"}", "“Nothing” was called.");
  close_connection (&second);
}

static void
test_own_xml (Fixture *fixture, gconstpointer data)
{
  static const char *const wrong[] = { "",     "<node>",
                                       "<x/>", "<node><interface/></node>",
                                       "\xff", "<node><interface name='a'></node>" };
  g_autoptr (GString) deep = g_string_new (NULL);
  g_autoptr (GString) large = g_string_new ("<node>");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append (deep, "<node>");
  while (large->len <= 1024 * 1024)
    g_string_append (large, "<node name='a'/>");
  g_string_append (large, "</node>");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_false (gmcp_dbus_tools_set_introspection_xml (fixture->tools, wrong[i], &error));
      g_assert_nonnull (error);
      g_clear_error (&error);
    }
  g_assert_false (gmcp_dbus_tools_set_introspection_xml (fixture->tools, deep->str, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_clear_error (&error);
  g_assert_false (gmcp_dbus_tools_set_introspection_xml (fixture->tools, large->str, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_clear_error (&error);

  g_test_message ("types that are none, and more than D-Bus can carry");
  g_assert_true (gmcp_dbus_tools_set_introspection_xml (
    fixture->tools,
    "<node><interface name='" INTERFACE
    "'><method name='A'><arg type='()' direction='in'/></method>"
    "<method name='B'><arg type='ss' direction='in'/></method>"
    "<method name='C'><arg type='' direction='in'/></method>"
    "<method name='D'><arg type='ms' direction='out'/></method>"
    "<method name='Nothing'><arg name='x' type='i' direction='out'/></method>"
    "<property name='Volume' type='s' access='read'/></interface></node>",
    &error));
  g_assert_no_error (error);
  for (const char *name = "ABCD"; *name != '\0'; name++)
    {
      const char method[] = { *name, '\0' };

      assert_not_added (fixture, INTERFACE, method, GMCP_ERROR_INVALID_ARGUMENT);
    }

  g_test_message ("what is said is not what is so");
  add_method (fixture, "Nothing");
  add_property (fixture, "Volume");
  assert_lists (fixture, "Nothing get-Volume");
  assert_loads (fixture);
  assert_answers (fixture, "Nothing", NULL, "!(i)");
  assert_answers (fixture, "get-Volume", NULL, "!“d”");
}

static void
test_started (Fixture *fixture, gconstpointer data)
{
  use_tools (fixture, STARTED, PATH);
  add_method (fixture, "Join");
  g_assert_true (gmcp_dbus_tools_set_introspection_xml (
    fixture->tools,
    "<node><interface name='" INTERFACE
    "'><method name='Join'><arg name='a' type='s' direction='in'/>"
    "<arg name='b' type='s' direction='in'/><arg name='joined' type='s' direction='out'/></method>"
    "</interface></node>",
    NULL));
  assert_answers (fixture, "Join", "{\"a\":\"x\",\"b\":\"y\"}", "{\"joined\":\"xy\"}");
}

static gboolean
has_zoom (GDBusActionGroup *group, gint32 expected)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (group), "zoom");

  return g_variant_get_int32 (state) == expected;
}

static void
count_activation (GSimpleAction *action, GVariant *parameter, guint *n_activations)
{
  ++*n_activations;
}

/* org.gtk.Actions of another program. */
static void
test_remote_actions (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSimpleActionGroup) exported = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) plain = g_simple_action_new ("plain", NULL);
  g_autoptr (GSimpleAction) zoom
    = g_simple_action_new_stateful ("zoom", NULL, g_variant_new_int32 (5));
  g_autoptr (GDBusActionGroup) group = g_dbus_action_group_get (fixture->client, NAME, PATH "/a");
  GmcpActionTools *tools = gmcp_action_tools_new (G_ACTION_GROUP (group));
  GListModel *list = gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (tools));
  g_autoptr (GError) error = NULL;
  guint n_activations = 0;
  guint id;

  g_signal_connect (plain, "activate", G_CALLBACK (count_activation), &n_activations);
  g_action_map_add_action (G_ACTION_MAP (exported), G_ACTION (plain));
  g_action_map_add_action (G_ACTION_MAP (exported), G_ACTION (zoom));
  id = g_dbus_connection_export_action_group (fixture->service, PATH "/a",
                                              G_ACTION_GROUP (exported), &error);
  g_assert_no_error (error);
  g_assert_true (gmcp_action_tools_add_action (tools, "plain", NULL, &error));
  g_assert_true (gmcp_action_tools_add_state_reader (tools, "zoom", NULL, &error));
  g_assert_true (gmcp_action_tools_add_state_setter (tools, "zoom", NULL, &error));
  while (g_list_model_get_n_items (list) < 3)
    g_main_context_iteration (NULL, TRUE);

  {
    g_autofree char *told = call_tool (tools, "plain", NULL, NULL);
    g_autofree char *set = call_tool (tools, "set-zoom", "{\"state\":7}", NULL);

    g_assert_cmpstr (told, ==, "The program was told to activate “plain”.");
    g_assert_nonnull (strstr (set, "was told"));
  }
  while (n_activations == 0 || !has_zoom (group, 7))
    g_main_context_iteration (NULL, TRUE);
  {
    g_autofree char *state = call_tool (tools, "get-zoom", NULL, NULL);

    g_assert_cmpstr (state, ==, "{\"state\":7}");
  }

  g_simple_action_set_enabled (plain, FALSE);
  gmcp_action_tools_set_hides_disabled (tools, TRUE);
  while (g_list_model_get_n_items (list) > 2)
    g_main_context_iteration (NULL, TRUE);
  g_action_map_remove_action (G_ACTION_MAP (exported), "zoom");
  while (g_list_model_get_n_items (list) > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_finalize_object (tools);
  g_dbus_connection_unexport_action_group (fixture->service, id);
}

static void
test_empty (void)
{
  g_autoptr (GmcpDBusTools) tools = g_object_new (GMCP_TYPE_DBUS_TOOLS, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) result = NULL;

  g_assert_false (gmcp_dbus_tools_add_method (tools, "a.b", "C", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  gmcp_tool_provider_load_async (GMCP_TOOL_PROVIDER (tools), NULL, list_provider_store_result,
                                 &result);
  g_assert_false (gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (tools),
                                                  list_provider_wait (&result), &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_assert_false (gmcp_dbus_tools_remove_tool (tools, ""));
}

/* What the bus starts; it ends with its connection. */
static int
run_service (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) connection = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Fixture fixture = { 0 };

  g_assert_no_error (error);
  serve_object (connection, all_xml, &fixture);
  request_name (connection, STARTED);
  g_main_loop_run (loop);
  return 0;
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_autofree char *daemon = NULL;

  if (argc == 2 && g_str_equal (argv[1], "--service"))
    return run_service ();

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/provider/desktop/dbus-tools/empty", test_empty);
  daemon = g_find_program_in_path ("dbus-daemon");
  if (daemon == NULL)
    {
      g_test_message ("dbus-daemon is not installed");
      return g_test_run ();
    }

#define add(path, func)                                                                            \
  g_test_add ("/provider/desktop/dbus-tools/" path, Fixture, NULL, set_up, func, tear_down)
  add ("every-type", test_every_type);
  add ("definition", test_definition);
  add ("writer", test_writer);
  add ("answers", test_answers);
  add ("refused", test_refused);
  add ("nobody", test_nobody);
  add ("changes", test_changes);
  add ("own-xml", test_own_xml);
  add ("started", test_started);
  add ("remote-actions", test_remote_actions);

  return g_test_run ();
}
