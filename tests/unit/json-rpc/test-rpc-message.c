/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-rpc-message-private.h"
#include "unit-test.h"

typedef struct
{
  const char *text;
  GmcpRpcKind kind;
} Case;

static const Case kind_cases[] = {
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}", GMCP_RPC_REQUEST },
  { "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"a\",\"params\":{}}", GMCP_RPC_REQUEST },
  { "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}", GMCP_RPC_NOTIFICATION },
  { "{\"id\":1,\"result\":{}}", GMCP_RPC_RESULT },
  { "{\"id\":1,\"result\":null}", GMCP_RPC_RESULT },
  { "{\"result\":null}", GMCP_RPC_RESULT },
  { "{\"id\":1,\"error\":{}}", GMCP_RPC_FAILURE },
  { "{\"id\":null,\"error\":{\"code\":1}}", GMCP_RPC_FAILURE },
  { "{\"error\":{\"code\":1}}", GMCP_RPC_FAILURE },
  /* A name is what it stands for, however it is written; the last of doubled members counts. */
  { "{\"\\u0069d\":1,\"\\u006dethod\":\"a\"}", GMCP_RPC_REQUEST },
  { "{\"id\":1,\"r\\u0065sult\":{}}", GMCP_RPC_RESULT },
  { "{\"id\":{},\"id\":1,\"result\":{}}", GMCP_RPC_RESULT },
  { "{\"\":1,\"i\":2,\"ide\":3,\"resulT\":{}}", GMCP_RPC_INVALID },
  { "[{\"id\":1,\"result\":{}}]", GMCP_RPC_BATCH },
  { "{}", GMCP_RPC_INVALID },
  { "1", GMCP_RPC_INVALID },
  { "\"method\"", GMCP_RPC_INVALID },
  { "{\"id\":null,\"method\":\"a\"}", GMCP_RPC_INVALID },
  { "{\"id\":{},\"method\":\"a\"}", GMCP_RPC_INVALID },
  { "{\"id\":1,\"method\":7}", GMCP_RPC_INVALID },
  { "{\"id\":[1],\"result\":{}}", GMCP_RPC_INVALID },
  { "{\"id\":true,\"error\":{}}", GMCP_RPC_INVALID },
};

static GmcpJsonDoc *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *doc = gmcp_json_doc_parse (text, strlen (text), NULL, 0, &error);

  g_assert_no_error (error);
  return doc;
}

static void
test_kinds (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (kind_cases); i++)
    {
      g_autoptr (GmcpJsonDoc) doc = parse (kind_cases[i].text);
      GmcpRpcMessage message;

      g_test_message ("%s", kind_cases[i].text);
      gmcp_rpc_message_read (&message, gmcp_json_doc_get_root (doc));
      g_assert_cmpint (message.kind, ==, kind_cases[i].kind);
    }
}

static void
test_ids (void)
{
  static const struct
  {
    const char *text;
    gboolean fits;
    gint64 id;
  } cases[] = {
    { "7", TRUE, 7 },
    { "\"7\"", FALSE, 0 },
    { "9223372036854775807", TRUE, G_MAXINT64 },
    { "9223372036854775808", FALSE, 0 },
    { "1.5", FALSE, 0 },
    { "null", FALSE, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpJsonDoc) doc = parse (cases[i].text);
      gint64 id = 0;

      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (gmcp_rpc_id_get_int64 (gmcp_json_doc_get_root (doc), &id), ==,
                       cases[i].fits);
      g_assert_cmpint (id, ==, cases[i].id);
    }
}

static void
test_errors (void)
{
  static const struct
  {
    const char *text;
    int code;
    const char *message;
    const char *data;
  } cases[] = {
    { "{\"code\":-32601,\"message\":\"Unknown\"}", -32601, "Unknown", NULL },
    { "{\"code\":-32022,\"message\":\"V\",\"data\":{\"a\":[1]}}", -32022, "V", "{\"a\":[1]}" },
    { "{\"code\":\"x\",\"message\":5}", -32603, "", NULL },
    { "{\"code\":99999999999,\"message\":\"far\"}", -32603, "far", NULL },
    { "\"only text\"", -32603, "only text", NULL },
    { "null", -32603, "", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpJsonDoc) doc = parse (cases[i].text);
      g_autoptr (GError) error = gmcp_rpc_error_new_from_value (gmcp_json_doc_get_root (doc));
      g_autofree char *data = gmcp_rpc_error_dup_data_json (error);

      g_assert_error (error, GMCP_RPC_ERROR, cases[i].code);
      g_assert_cmpstr (error->message, ==, cases[i].message);
      g_assert_cmpstr (data, ==, cases[i].data);
    }
}

static void
test_writers (void)
{
  g_autoptr (GmcpJsonDoc) id = parse ("\"a\\u0041 7\"");
  g_autoptr (GString) out = g_string_new (NULL);

  gmcp_rpc_write_error (out, gmcp_json_doc_get_root (id), -32600, "No \"such\"\n", "[1]");
  g_assert_cmpstr (out->str, ==,
                   "{\"jsonrpc\":\"2.0\",\"id\":\"a\\u0041 7\",\"error\":{\"code\":-32600,"
                   "\"message\":\"No \\\"such\\\"\\n\",\"data\":[1]}}");

  g_string_truncate (out, 0);
  gmcp_rpc_write_error (out, GMCP_JSON_NONE, -32700, "Bad", NULL);
  g_assert_cmpstr (
    out->str, ==,
    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"Bad\"}}");

  g_string_truncate (out, 0);
  gmcp_rpc_write_request_start (out, 12, "ping");
  g_string_append (out, "{}}");
  g_assert_cmpstr (out->str, ==,
                   "{\"jsonrpc\":\"2.0\",\"id\":12,\"method\":\"ping\",\"params\":{}}");
}

static void
test_large_error (void)
{
  g_autoptr (GString) text = g_string_new ("{\"code\":-7,\"message\":\"");
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;

  g_test_summary ("An error that everybody who waits gets a copy of is small, whatever is sent");
  for (guint i = 0; i < 1000000; i++)
    g_string_append (text, "ü");
  g_string_append (text, "\",\"data\":\"");
  for (guint i = 0; i < 1000000; i++)
    g_string_append_c (text, 'd');
  g_string_append (text, "\"}");
  doc = gmcp_json_doc_parse (text->str, text->len, NULL, 0, NULL);

  error = gmcp_rpc_error_new_from_value (gmcp_json_doc_get_root (doc));
  g_assert_cmpint (error->code, ==, -7);
  g_assert_cmpuint (strlen (error->message), <, 66000);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_true (g_str_has_suffix (error->message, "ü… (1934464 more bytes)"));
  data = gmcp_rpc_error_dup_data_json (error);
  g_assert_null (data);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-rpc/message/kinds", test_kinds);
  g_test_add_func ("/json-rpc/message/ids", test_ids);
  g_test_add_func ("/json-rpc/message/errors", test_errors);
  g_test_add_func ("/json-rpc/message/large-error", test_large_error);
  g_test_add_func ("/json-rpc/message/writers", test_writers);
  return g_test_run ();
}
