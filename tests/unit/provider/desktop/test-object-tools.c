/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/desktop/gmcp-object-tools.h>

#include "list-provider.h"

#ifdef HAVE_GIREPOSITORY
#include "gmcp-object-value-private.h"
#endif

/* Methods of GIO's objects, by GIO's own data. */

static void
require_gio (void)
{
  g_autoptr (GError) error = NULL;

  gmcp_object_tools_require ("Gio", "2.0", &error);
  g_assert_no_error (error);
}

static GmcpObjectTools *
new_tools (gpointer object, const char *method, ...)
{
  GmcpObjectTools *tools = gmcp_object_tools_new (object);
  va_list methods;

  va_start (methods, method);
  while (method != NULL)
    {
      g_autoptr (GError) error = NULL;

      gmcp_object_tools_add_method (tools, method, NULL, &error);
      g_assert_no_error (error);
      method = va_arg (methods, const char *);
    }
  va_end (methods);
  return tools;
}

static GmcpToolResult *
call (GmcpObjectTools *tools, const char *name, const char *arguments)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GmcpToolResult *given;

  gmcp_tool_provider_call_tool_json_async (GMCP_TOOL_PROVIDER (tools), name, arguments, NULL, NULL,
                                           list_provider_store_result, &result);
  given = gmcp_tool_provider_call_tool_json_finish (GMCP_TOOL_PROVIDER (tools),
                                                    list_provider_wait (&result), &error);
  g_assert_no_error (error);
  return given;
}

/* The structured content as JSON, or the text where there is none. */
static void
assert_call (GmcpObjectTools *tools, const char *name, const char *arguments, const char *expected)
{
  g_autoptr (GmcpToolResult) result = call (tools, name, arguments);
  g_autofree char *structured = gmcp_tool_result_dup_structured_content_json (result);
  g_autofree char *text = gmcp_tool_result_dup_text (result);

  g_assert_false (gmcp_tool_result_is_error (result));
  g_assert_cmpstr (structured != NULL ? structured : text, ==, expected);
}

static void
assert_failure (GmcpObjectTools *tools, const char *name, const char *arguments, const char *part)
{
  g_autoptr (GmcpToolResult) result = call (tools, name, arguments);
  g_autofree char *text = gmcp_tool_result_dup_text (result);

  g_test_message ("%s", text);
  g_assert_true (gmcp_tool_result_is_error (result));
  g_assert_nonnull (strstr (text, part));
}

static char *
dup_definition (GmcpObjectTools *tools)
{
  g_autoptr (GmcpTool) tool
    = g_list_model_get_item (gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (tools)), 0);

  return gmcp_definition_dup_json (GMCP_DEFINITION (tool));
}

static void
assert_length (void)
{
  g_autoptr (GInputStream) bytes = g_memory_input_stream_new_from_data ("hello;you", -1, NULL);
  g_autoptr (GDataInputStream) input = g_data_input_stream_new (bytes);
  g_autoptr (GmcpObjectTools) tools = new_tools (input, "read_upto", NULL);
  g_autofree char *definition = dup_definition (tools);

  g_assert_null (strstr (definition, "stop_chars_len"));
  assert_call (tools, "read_upto", "{\"stop_chars\":\",;\"}",
               "{\"result\":\"hello\",\"length\":5}");
}

static void
test_numbers (void)
{
  static const struct
  {
    const char *name;
    const char *value;
  } cases[] = {
    { "byte", "255" },
    { "int16", "-32768" },
    { "uint16", "65535" },
    { "int32", "-2147483648" },
    { "uint32", "4294967295" },
    { "int64", "-9223372036854775808" },
    { "uint64", "18446744073709551615" },
  };
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GDataOutputStream) output = g_data_output_stream_new (memory);
  g_autoptr (GmcpObjectTools) writers = gmcp_object_tools_new (G_OBJECT (output));
  g_autoptr (GInputStream) bytes = NULL;
  g_autoptr (GDataInputStream) input = NULL;
  g_autoptr (GmcpObjectTools) readers = NULL;
  g_autoptr (GBytes) written = NULL;

  g_test_summary ("whole numbers of each size go in and come out, exactly");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *method = g_strconcat ("put_", cases[i].name, NULL);
      g_autofree char *arguments = g_strdup_printf ("{\"data\":%s}", cases[i].value);

      g_assert_true (gmcp_object_tools_add_method (writers, method, NULL, NULL));
      assert_call (writers, method, arguments, "{\"result\":true}");
    }
  g_assert_true (gmcp_object_tools_add_method (writers, "put_string", NULL, NULL));
  assert_call (writers, "put_string", "{\"str\":\"ü\\n\"}", "{\"result\":true}");

  written = g_memory_output_stream_steal_as_bytes (
    (g_output_stream_close (memory, NULL, NULL), G_MEMORY_OUTPUT_STREAM (memory)));
  bytes = g_memory_input_stream_new_from_bytes (written);
  input = g_data_input_stream_new (bytes);
  readers = gmcp_object_tools_new (G_OBJECT (input));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *method = g_strconcat ("read_", cases[i].name, NULL);
      g_autofree char *expected = g_strdup_printf ("{\"result\":%s}", cases[i].value);

      g_assert_true (gmcp_object_tools_add_method (readers, method, NULL, NULL));
      assert_call (readers, method, "{}", expected);
    }

  g_test_message ("an argument that a method sets is a member, and what is NULL is null");
  g_assert_true (gmcp_object_tools_add_method (readers, "read_line_utf8", NULL, NULL));
  assert_call (readers, "read_line_utf8", "{}", "{\"result\":\"ü\",\"length\":2}");
  assert_call (readers, "read_line_utf8", "{}", "{\"result\":null,\"length\":0}");

  g_test_message ("the length of a text is not for a client to say");
  assert_length ();

  g_test_message ("what does not fit is refused");
  assert_failure (writers, "put_byte", "{\"data\":256}", "data");
  assert_failure (writers, "put_byte", "{}", "data");
  assert_failure (writers, "put_int16", "{\"data\":\"1\"}", "data");
}

static void
test_floating (void)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  g_autoptr (GPropertyAction) action
    = g_property_action_new ("backlog", listener, "listen-backlog");
  g_autoptr (GSimpleAction) other = g_simple_action_new ("one", NULL);
  g_autoptr (GmcpObjectTools) tools = new_tools (action, "get_state", "get_state_hint", NULL);
  g_autoptr (GmcpObjectTools) none = new_tools (other, "get_state", NULL);

  g_test_summary ("a value that is new and held by nobody, and none");
  assert_call (tools, "get_state", "{}", "{\"result\":10}");
  assert_call (tools, "get_state_hint", "{}", "{\"result\":[0,2000]}");
  assert_call (none, "get_state", "{}", "{\"result\":null}");
}

static void
test_settings (void)
{
  g_autoptr (GSettings) settings = g_settings_new ("org.gmcp.Manager");
  g_autoptr (GmcpObjectTools) tools
    = new_tools (settings, "get_strv", "set_strv", "get_boolean", "set_boolean", "get_string",
                 "set_string", "get_value", "set_value", "get_uint", "get_enum", "reset",
                 "list_children", "is_writable", NULL);

  g_test_summary ("texts, lists of them, values of any type, and nothing");
  assert_call (tools, "set_strv", "{\"key\":\"servers\",\"value\":[\"a\",\"ü\"]}",
               "{\"result\":true}");
  assert_call (tools, "get_strv", "{\"key\":\"servers\"}", "{\"result\":[\"a\",\"ü\"]}");
  assert_call (tools, "set_strv", "{\"key\":\"servers\"}", "{\"result\":true}");
  assert_call (tools, "get_strv", "{\"key\":\"servers\"}", "{\"result\":[]}");
  assert_call (tools, "set_strv", "{\"key\":\"servers\",\"value\":null}", "{\"result\":true}");
  assert_call (tools, "set_boolean", "{\"key\":\"audit\",\"value\":true}", "{\"result\":true}");
  assert_call (tools, "get_boolean", "{\"key\":\"audit\"}", "{\"result\":true}");
  assert_call (tools, "set_string", "{\"key\":\"log-directory\",\"value\":\"/x\"}",
               "{\"result\":true}");
  assert_call (tools, "get_value", "{\"key\":\"log-directory\"}", "{\"result\":\"/x\"}");
  assert_call (tools, "set_value", "{\"key\":\"log-directory\",\"value\":\"/y\"}",
               "{\"result\":true}");
  assert_call (tools, "get_string", "{\"key\":\"log-directory\"}", "{\"result\":\"/y\"}");
  assert_call (tools, "get_enum", "{\"key\":\"share\"}", "{\"result\":0}");
  assert_call (tools, "list_children", "{}", "{\"result\":[]}");
  assert_call (tools, "reset", "{\"key\":\"servers\"}", "“reset” was called.");
  assert_failure (tools, "set_strv", "{\"key\":\"servers\",\"value\":[1]}", "value");
  assert_failure (tools, "set_strv", "{\"key\":null,\"value\":[]}", "key");
  assert_failure (tools, "set_string", "{\"key\":\"a\\u0000b\",\"value\":\"x\"}", "key");
}

static void
test_file (void)
{
  g_autofree char *path = g_dir_make_tmp ("gmcp-object-XXXXXX", NULL);
  g_autofree char *name = g_build_filename (path, "a.txt", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GFile) file = g_file_new_for_path (name);
  g_autoptr (GmcpObjectTools) tools
    = new_tools (folder, "query_file_type", "query_exists", "make_directory", "get_path", NULL);
  g_autoptr (GmcpObjectTools) others
    = new_tools (file, "get_basename", "load_bytes", "delete", NULL);

  g_test_summary ("a class that has no data has methods of its interfaces; errors are results");
  g_assert_true (g_file_set_contents (name, "abc", -1, NULL));
  assert_call (tools, "query_exists", "{}", "{\"result\":true}");
  assert_call (tools, "query_file_type", "{\"flags\":[\"nofollow-symlinks\"]}",
               "{\"result\":\"directory\"}");
  assert_call (tools, "query_file_type", "{\"flags\":[]}", "{\"result\":\"directory\"}");
  assert_failure (tools, "query_file_type", "{\"flags\":[\"all\"]}", "nofollow-symlinks");
  assert_failure (tools, "make_directory", "{}", "xists");
  assert_call (others, "get_basename", "{}", "{\"result\":\"a.txt\"}");
  {
    g_autoptr (GmcpToolResult) loaded = call (others, "load_bytes", "{}");
    g_autofree char *json = gmcp_tool_result_dup_structured_content_json (loaded);

    g_test_message ("%s", json);
    g_assert_true (g_str_has_prefix (json, "{\"result\":\"YWJj\",\"etag_out\":\""));
  }
  assert_call (others, "delete", "{}", "{\"result\":true}");
  assert_failure (others, "delete", "{}", "a.txt");
  g_rmdir (path);
}

static void
test_definition (void)
{
  static const char *const wrong[] = {
    "",
    ",\"properties\":{}",
    ",\"properties\":{\"flags\":{},\"flags2\":{}}",
  };
  g_autoptr (GFile) file = g_file_new_for_path ("/");
  g_autoptr (GmcpObjectTools) tools = new_tools (file, "query_file_type", NULL);
  g_autoptr (GmcpTool) given = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *derived = dup_definition (tools);
  g_autofree char *said = NULL;

  g_test_summary ("what is derived, and what is said in its place");
  g_test_message ("%s", derived);
  g_assert_nonnull (
    strstr (derived, "{\"name\":\"query_file_type\",\"description\":\"Calls the method "
                     "“query_file_type” of Gio.File.\",\"inputSchema\":{\"type\":"
                     "\"object\",\"properties\":{\"flags\":{\"type\":\"array\","
                     "\"items\":{\"type\":\"string\",\"enum\":["
                     "\"nofollow-symlinks\"]}}},\"required\":[\"flags\"],"
                     "\"additionalProperties\":false},\"outputSchema\":{\"type\":"
                     "\"object\",\"properties\":{\"result\":{\"anyOf\":[{\"type\":\"string\","
                     "\"enum\":[\"unknown\",\"regular\",\"directory\","));

  g_assert_false (gmcp_object_tools_add_method (tools, "query_file_type", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_true (gmcp_object_tools_remove_tool (tools, "query_file_type"));
  g_assert_false (gmcp_object_tools_remove_tool (tools, "query_file_type"));

  given = gmcp_tool_new_from_json ("{\"name\":\"kind\",\"description\":\"What it is\","
                                   "\"annotations\":{\"readOnlyHint\":true}}",
                                   &error);
  g_assert_no_error (error);
  g_assert_true (gmcp_object_tools_add_method (tools, "query_file_type", given, &error));
  g_assert_no_error (error);
  said = dup_definition (tools);
  g_assert_true (g_str_has_prefix (said, "{\"name\":\"kind\",\"description\":\"What it is\","));
  g_assert_nonnull (strstr (said, "\"readOnlyHint\":true"));
  g_assert_nonnull (strstr (said, "\"nofollow-symlinks\""));
  assert_call (tools, "kind", "{\"flags\":[]}", "{\"result\":\"directory\"}");

  g_test_message ("its arguments are those of the method");
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *json = g_strdup_printf (
        "{\"name\":\"wrong\",\"inputSchema\":{\"type\":\"object\"%s}}", wrong[i]);
      g_autoptr (GmcpTool) other = gmcp_tool_new_from_json (json, NULL);

      g_assert_false (gmcp_object_tools_add_method (tools, "query_file_type", other, &error));
      g_test_message ("%s", error->message);
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, "flags"));
      g_clear_error (&error);
    }
}

/* An object that no data know. */
typedef GObject OwnObject;
typedef GObjectClass OwnObjectClass;

static GType own_object_get_type (void);
G_DEFINE_TYPE (OwnObject, own_object, G_TYPE_OBJECT)

static void
own_object_class_init (OwnObjectClass *klass)
{
}

static void
own_object_init (OwnObject *self)
{
}

static void
assert_refused (gpointer object, const char *method, int code, const char *part)
{
  g_autoptr (GmcpObjectTools) tools = gmcp_object_tools_new (object);
  g_autoptr (GError) error = NULL;

  g_assert_false (gmcp_object_tools_add_method (tools, method, NULL, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, GMCP_ERROR, code);
  g_assert_nonnull (strstr (error->message, part));
  g_assert_cmpuint (
    g_list_model_get_n_items (gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (tools))), ==, 0);
}

static void
test_refused (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/");
  g_autoptr (GObject) own = g_object_new (own_object_get_type (), NULL);
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GmcpObjectTools) empty = g_object_new (GMCP_TYPE_OBJECT_TOOLS, NULL);
  g_autoptr (GError) error = NULL;

  g_test_summary ("what cannot be a tool, and why");
  assert_refused (file, "no_such", GMCP_ERROR_UNKNOWN_TOOL, "GLocalFile has no method “no_such”");
  assert_refused (file, "get_parent", GMCP_ERROR_NOT_SUPPORTED,
                  "Gio.File cannot be a tool: What it gives back: JSON has no form for Gio.File");
  assert_refused (file, "load_contents_async", GMCP_ERROR_NOT_SUPPORTED, "“callback”");
  assert_refused (file, "load_contents", GMCP_ERROR_NOT_SUPPORTED, "“contents”");
  assert_refused (file, "new_for_path", GMCP_ERROR_NOT_SUPPORTED, "a function of the class");
  assert_refused (file, "equal", GMCP_ERROR_NOT_SUPPORTED, "“file2”");
  assert_refused (own, "get_title", GMCP_ERROR_UNKNOWN_TOOL, "gmcp_object_tools_require()");
  assert_refused (menu, "unref", GMCP_ERROR_UNKNOWN_TOOL, "GMenu has no method “unref”");
  assert_refused (menu, "", GMCP_ERROR_UNKNOWN_TOOL, "GMenu");

  g_assert_false (gmcp_object_tools_add_method (empty, "freeze", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (gmcp_object_tools_require ("NoSuch", NULL, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_false (gmcp_object_tools_require ("Gio", "1.5", &error));
  g_assert_nonnull (error);
}

#ifdef HAVE_GIREPOSITORY

static gboolean
read_json (const GmcpObjectValue *value, const char *json, GIArgument *argument)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, NULL);
  g_autoptr (GError) error = NULL;
  gboolean good
    = gmcp_object_value_read (value, gmcp_json_doc_get_root (doc), "it", argument, &error);

  g_assert_true (good == (error == NULL));
  if (error != NULL)
    {
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, "“it”"));
    }
  return good;
}

static void
assert_written (const GmcpObjectValue *value, const GIArgument *given, const char *expected)
{
  g_autoptr (GString) json = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (json);
  g_autoptr (GError) error = NULL;

  g_assert_true (gmcp_object_value_write (value, given, &writer, &error) == (expected != NULL));
  if (expected != NULL)
    g_assert_cmpstr (json->str, ==, expected);
  else
    g_assert_nonnull (error);
}

static void
test_values (void)
{
  const GmcpObjectValue int8 = { .kind = GMCP_OBJECT_INT8 };
  const GmcpObjectValue single = { .kind = GMCP_OBJECT_FLOAT };
  const GmcpObjectValue text = { .kind = GMCP_OBJECT_TEXT };
  char *names[] = { (char *) "none", (char *) "one", (char *) "both", (char *) "high", NULL };
  gint64 numbers[] = { 0, 1, 3, G_GINT64_CONSTANT (0x80000000) };
  const GmcpObjectValue flags
    = { .kind = GMCP_OBJECT_FLAGS, .names = names, .numbers = numbers, .is_unsigned = TRUE };
  const GmcpObjectValue choice = { .kind = GMCP_OBJECT_ENUM, .names = names, .numbers = numbers };
  GIArgument argument = { 0 };

  g_test_summary ("what GIO's methods do not have");
  g_assert_true (read_json (&int8, "-128", &argument));
  g_assert_cmpint (argument.v_int8, ==, -128);
  assert_written (&int8, &argument, "-128");
  g_assert_false (read_json (&int8, "128", &argument));
  g_assert_true (read_json (&single, "0.5", &argument));
  assert_written (&single, &argument, "0.5");
  g_assert_false (read_json (&single, "1e39", &argument));
  argument.v_float = INFINITY;
  assert_written (&single, &argument, NULL);

  g_assert_true (read_json (&flags, "[\"one\",\"high\"]", &argument));
  g_assert_cmpuint (argument.v_uint32, ==, 0x80000001);
  assert_written (&flags, &argument, "[\"one\",\"high\"]");
  argument.v_uint32 = 3;
  assert_written (&flags, &argument, "[\"one\",\"both\"]");
  argument.v_uint32 = 4;
  assert_written (&flags, &argument, "4");
  g_assert_true (read_json (&flags, "[]", &argument));
  assert_written (&flags, &argument, "[]");

  g_assert_false (read_json (&choice, "\"two\"", &argument));
  g_assert_true (read_json (&choice, "\"both\"", &argument));
  assert_written (&choice, &argument, "\"both\"");
  argument.v_int32 = 7;
  assert_written (&choice, &argument, "7");

  g_test_message ("texts that are no UTF-8, and that are not there");
  argument.v_string = (char *) "a\xff";
  assert_written (&text, &argument, "\"a\xef\xbf\xbd\"");
  argument.v_string = NULL;
  assert_written (&text, &argument, "null");
}

static void
add_own_tests (void)
{
  g_test_add_func ("/object-tools/values", test_values);
}

#define HAS_GIREPOSITORY TRUE

#else

static void
add_own_tests (void)
{
}

#define HAS_GIREPOSITORY FALSE

#endif

static void
test_without (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/");

  g_test_summary ("without girepository nothing can be a tool, and the error says so");
  assert_refused (file, "get_path", GMCP_ERROR_NOT_SUPPORTED, "girepository");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  if (!HAS_GIREPOSITORY)
    {
      g_test_add_func ("/object-tools/without", test_without);
      return g_test_run ();
    }

  require_gio ();
  g_test_add_func ("/object-tools/numbers", test_numbers);
  g_test_add_func ("/object-tools/floating", test_floating);
  g_test_add_func ("/object-tools/settings", test_settings);
  g_test_add_func ("/object-tools/file", test_file);
  g_test_add_func ("/object-tools/definition", test_definition);
  g_test_add_func ("/object-tools/refused", test_refused);
  add_own_tests ();
  return g_test_run ();
}
