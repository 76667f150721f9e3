/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-server-config-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/json/gmcp-json.h>
#include <gmcp/transport/http/gmcp-http-transport.h>
#include <gmcp/transport/gmcp-stream-transport.h>

#include "unit-test.h"

static GmcpServerConfig *
config_from_json (const char *json)
{
  g_autoptr (GError) error = NULL;
  GmcpServerConfig *config = gmcp_server_config_new_from_json ("web", json, &error);

  g_assert_no_error (error);
  return config;
}

static void
test_every_key (void)
{
  GmcpServerConfig *config = config_from_json (
    "{\"title\":\"The Web\",\"type\":\"stdio\",\"command\":\"mcp-web\","
    "\"args\":[\"--name\",\"a b\",\"\"],\"env\":{\"B\":\"2=3\",\"A\":\"\"},"
    "\"cwd\":\"/srv/web\",\"enabled\":false,\"inheritEnvironment\":true,\"allowSampling\":true,"
    "\"protocolEra\":\"legacy\",\"callTimeoutMs\":1500,"
    "\"startupTimeoutMs\":2500,\"autoApprove\":[1,{\"x\":null}]}");
  const char *const argv[] = { "mcp-web", "--name", "a b", "", NULL };
  const char *const environment[] = { "A=", "B=2=3", NULL };

  g_assert_cmpstr (gmcp_server_config_get_id (config), ==, "web");
  g_assert_cmpstr (gmcp_server_config_get_title (config), ==, "The Web");
  g_assert_false (gmcp_server_config_is_enabled (config));
  g_assert_cmpint (gmcp_server_config_get_transport (config), ==, GMCP_SERVER_TRANSPORT_STDIO);
  g_assert_cmpstrv (gmcp_server_config_get_argv (config), argv);
  g_assert_cmpstrv (gmcp_server_config_get_environment (config), environment);
  g_assert_true (gmcp_server_config_get_inherit_environment (config));
  g_assert_true (gmcp_server_config_get_allow_sampling (config));
  g_assert_cmpstr (gmcp_server_config_get_cwd (config), ==, "/srv/web");
  g_assert_null (gmcp_server_config_get_url (config));
  g_assert_cmpint (gmcp_server_config_get_era (config), ==, GMCP_ERA_LEGACY);
  g_assert_cmpuint (gmcp_server_config_get_call_timeout_ms (config), ==, 1500);
  g_assert_cmpuint (gmcp_server_config_get_startup_timeout_ms (config), ==, 2500);
  g_assert_finalize_object (config);
}

static void
test_supervision (void)
{
  g_autoptr (GmcpServerConfig) plain = config_from_json ("{\"command\":\"a\"}");
  g_autoptr (GmcpServerConfig) config = config_from_json (
    "{\"command\":\"a\",\"start\":\"manual\",\"package\":\"@x/y\",\"instructions\":\"Be kind.\","
    "\"trusted\":true,\"healthMethod\":\"tool-call\",\"healthTool\":\"list\","
    "\"healthArguments\":{\"path\":\"/tmp\"},\"healthIntervalMs\":1,\"healthTimeoutMs\":2,"
    "\"restartOnFailure\":false,\"maxRestartAttempts\":3,\"idleTimeoutMs\":4,"
    "\"shutdownTimeoutMs\":5,\"maxCalls\":6,\"maxQueuedCalls\":7}");

  g_assert_cmpint (gmcp_server_config_get_start (plain), ==, GMCP_SERVER_START_ON_DEMAND);
  g_assert_cmpint (gmcp_server_config_get_health_method (plain), ==, GMCP_HEALTH_METHOD_PING);
  g_assert_true (gmcp_server_config_get_restart_on_failure (plain));
  g_assert_false (gmcp_server_config_is_trusted (plain));
  g_assert_null (gmcp_server_config_get_health_arguments (plain));

  g_assert_cmpint (gmcp_server_config_get_start (config), ==, GMCP_SERVER_START_MANUAL);
  g_assert_cmpstr (gmcp_server_config_get_package (config), ==, "@x/y");
  g_assert_cmpstr (gmcp_server_config_get_instructions (config), ==, "Be kind.");
  g_assert_true (gmcp_server_config_is_trusted (config));
  g_assert_cmpint (gmcp_server_config_get_health_method (config), ==, GMCP_HEALTH_METHOD_TOOL_CALL);
  g_assert_cmpstr (gmcp_server_config_get_health_tool (config), ==, "list");
  g_assert_cmpstr (gmcp_server_config_get_health_arguments (config), ==, "{\"path\":\"/tmp\"}");
  g_assert_cmpuint (gmcp_server_config_get_health_interval_ms (config), ==, 1);
  g_assert_cmpuint (gmcp_server_config_get_health_timeout_ms (config), ==, 2);
  g_assert_false (gmcp_server_config_get_restart_on_failure (config));
  g_assert_cmpuint (gmcp_server_config_get_max_restart_attempts (config), ==, 3);
  g_assert_cmpuint (gmcp_server_config_get_idle_timeout_ms (config), ==, 4);
  g_assert_cmpuint (gmcp_server_config_get_shutdown_timeout_ms (config), ==, 5);
  g_assert_cmpuint (gmcp_server_config_get_max_calls (config), ==, 6);
  g_assert_cmpuint (gmcp_server_config_get_max_queued_calls (config), ==, 7);

  /* None of it needs another process. */
  g_assert_false (gmcp_server_config_equal (plain, config));
  g_assert_true (gmcp_server_config_same_process (plain, config));
}

static void
test_defaults (void)
{
  GmcpServerConfig *config = config_from_json ("{\"command\":\"mcp-web\"}");
  GmcpServerConfig *remote = config_from_json ("{\"url\":\"https://example.org/mcp\"}");
  const char *const argv[] = { "mcp-web", NULL };

  g_assert_cmpstr (gmcp_server_config_get_title (config), ==, "web");
  g_assert_true (gmcp_server_config_is_enabled (config));
  g_assert_cmpstrv (gmcp_server_config_get_argv (config), argv);
  g_assert_null (gmcp_server_config_get_environment (config)[0]);
  g_assert_null (gmcp_server_config_get_cwd (config));
  g_assert_cmpint (gmcp_server_config_get_era (config), ==, GMCP_ERA_AUTO);
  g_assert_cmpuint (gmcp_server_config_get_call_timeout_ms (config), ==, 0);

  g_test_message ("an address without a command is reached over HTTP");
  g_assert_cmpint (gmcp_server_config_get_transport (remote), ==, GMCP_SERVER_TRANSPORT_HTTP);
  g_assert_cmpstr (gmcp_server_config_get_url (remote), ==, "https://example.org/mcp");
  g_assert_null (gmcp_server_config_get_argv (remote)[0]);
  g_assert_finalize_object (config);
  g_assert_finalize_object (remote);
}

static void
test_addresses (void)
{
  static const struct
  {
    const char *json;
    const char *url;
    GmcpServerTransport transport;
    gboolean is_socket;
  } cases[] = {
    { "{\"type\":\"http\",\"url\":\"https://example.org/mcp\"}", "https://example.org/mcp",
      GMCP_SERVER_TRANSPORT_HTTP, FALSE },
    { "{\"type\":\"streamable-http\",\"url\":\"http://[::1]:8/\"}", "http://[::1]:8/",
      GMCP_SERVER_TRANSPORT_HTTP, FALSE },
    { "{\"type\":\"streamableHttp\",\"uri\":\"http://a\"}", "http://a", GMCP_SERVER_TRANSPORT_HTTP,
      FALSE },
    { "{\"transport\":\"streamable_http\",\"serverUrl\":\"http://a\"}", "http://a",
      GMCP_SERVER_TRANSPORT_HTTP, FALSE },
    { "{\"type\":\"remote\",\"httpUrl\":\"http://a\"}", "http://a", GMCP_SERVER_TRANSPORT_HTTP,
      FALSE },
    { "{\"type\":\"sse\",\"url\":\"http://a/sse\"}", "http://a/sse", GMCP_SERVER_TRANSPORT_SSE,
      FALSE },
    { "{\"url\":\"unix:///run/s#/mcp\"}", "unix:///run/s#/mcp", GMCP_SERVER_TRANSPORT_HTTP, FALSE },
    { "{\"url\":\"unix:///run/a%20b\"}", "unix:///run/a%20b", GMCP_SERVER_TRANSPORT_HTTP, TRUE },
  };

  g_test_summary ("the words of several hosts, and the way to the server that each gives");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpServerConfig) config = config_from_json (cases[i].json);
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpTransport) transport = gmcp_server_config_make_transport (config, &error);

      g_test_message ("%s", cases[i].json);
      g_assert_no_error (error);
      g_assert_cmpstr (gmcp_server_config_get_url (config), ==, cases[i].url);
      g_assert_cmpint (gmcp_server_config_get_transport (config), ==, cases[i].transport);
      if (!cases[i].is_socket)
        g_assert_true (GMCP_IS_HTTP_TRANSPORT (transport));
      else
        {
          g_autofree char *description = gmcp_transport_dup_description (transport);

          g_assert_true (GMCP_IS_STREAM_TRANSPORT (transport));
          g_assert_cmpstr (description, ==, "/run/a b");
        }
    }
}

static void
test_headers (void)
{
  g_autoptr (GmcpServerConfig) config
    = config_from_json ("{\"url\":\"http://a\",\"caFile\":\"/etc/ca.pem\",\"headers\":{"
                        "\"Authorization\":\"Bearer x\",\"X-A\":\"1\",\"x-a\":\"2\"}}");
  g_autoptr (GmcpServerConfig) plain = config_from_json ("{\"url\":\"http://a\"}");
  const char *const headers[] = { "Authorization", "Bearer x", "x-a", "2", NULL };
  g_autofree char *hash = gmcp_server_config_dup_hash (config);
  g_autofree char *plain_hash = gmcp_server_config_dup_hash (plain);

  g_assert_cmpstrv (gmcp_server_config_get_headers (config), headers);
  g_assert_cmpstr (gmcp_server_config_get_ca_file (config), ==, "/etc/ca.pem");
  g_assert_null (gmcp_server_config_get_headers (plain)[0]);
  g_assert_null (gmcp_server_config_get_ca_file (plain));
  g_assert_cmpstr (hash, !=, plain_hash);
  g_assert_false (gmcp_server_config_same_process (config, plain));
  g_assert_false (gmcp_server_config_equal (config, plain));
}

static void
test_headers_unpaired (void)
{
  static const struct
  {
    const char *headers[6];
    const char *shown;
  } cases[] = {
    { { "Authorization: Bearer s3cret", NULL }, "at “Authorization”" },
    { { "X-A", "1", "Authorization: Bearer s3cret", NULL }, "at “Authorization”" },
    { { "X-A", NULL }, "at “X-A”" },
    { { "Authorization", "Bearer", "s3cret", NULL }, "at “Authorization”" },
    { { "Authorization: Bearer s3cret", "X-B: s3cret", NULL }, "the header “Authorization”" },
  };

  g_test_summary (
    "a list of headers in which names and values do not alternate is reported, without "
    "what is secret");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpServerConfig) config = g_object_new (
        GMCP_TYPE_SERVER_CONFIG, "id", "x", "url", "https://a", "headers", cases[i].headers, NULL);
      g_autoptr (GmcpServerConfig) copy = gmcp_server_config_copy (config);
      g_autoptr (GError) error = NULL;

      g_assert_false (gmcp_server_config_validate (config, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
      g_assert_nonnull (strstr (error->message, cases[i].shown));
      g_assert_null (strstr (error->message, "s3cret"));
      g_assert_false (gmcp_server_config_validate (copy, NULL));
      g_assert_true (gmcp_server_config_equal (config, copy));
    }
}

static void
test_bad_json (void)
{
  static const struct
  {
    const char *json;
    const char *names;
  } cases[] = {
    { "[]", "web: expected an object" },
    { "{}", "web.command: " },
    { "{\"command\":3}", "web.command: expected a string" },
    { "{\"command\":[\"a\",7]}", "web.command[1]: expected a string" },
    { "{\"command\":[]}", "web.command: expected a string" },
    { "{\"command\":\"\"}", "web.command: " },
    { "{\"command\":null}", "web.command: " },
    { "{\"command\":\"a\",\"args\":\"b\"}", "web.args: expected an array" },
    { "{\"command\":\"a\",\"args\":[\"b\",7]}", "web.args[1]: expected a string" },
    { "{\"command\":\"a\",\"env\":[]}", "web.env: expected an object" },
    { "{\"command\":\"a\",\"env\":{\"KEY\":5}}", "web.env.KEY: expected a string" },
    { "{\"command\":\"a\",\"env\":{\"A=B\":\"c\"}}", "web.env.A=B: " },
    { "{\"command\":\"a\",\"env\":{\"\":\"c\"}}", "web.env.: " },
    { "{\"command\":\"a\",\"cwd\":1}", "web.cwd: " },
    { "{\"command\":\"a\",\"cwd\":\"not/full\"}", "not/full" },
    { "{\"command\":\"a\",\"enabled\":\"yes\"}", "web.enabled: expected true or false" },
    { "{\"command\":\"a\",\"disabled\":0}", "web.disabled: expected true or false" },
    { "{\"command\":\"a\",\"type\":\"carrier-pigeon\"}", "web.type: " },
    { "{\"command\":\"a\",\"type\":null}", "web.type: " },
    { "{\"command\":\"a\",\"type\":\"http\"}", "web.url: " },
    { "{\"url\":\"ftp://example.org\"}", "http" },
    { "{\"url\":\"example.org/mcp\"}", "http" },
    { "{\"url\":\"http://\"}", "http" },
    { "{\"url\":\"\"}", "http" },
    { "{\"url\":\"unix://relative\"}", "unix:///" },
    { "{\"url\":\"unix:///\"}", "unix:///" },
    { "{\"url\":\"unix:///s#relative\"}", "unix:///" },
    { "{\"url\":\"unix:///s\",\"type\":\"sse\"}", "url" },
    { "{\"url\":7}", "web.url: expected a string" },
    { "{\"serverUrl\":7}", "web.serverUrl: expected a string" },
    { "{\"url\":\"wss://example.org\",\"type\":\"ws\"}", "web.type: " },
    { "{\"url\":\"http://a\",\"headers\":[]}", "web.headers: expected an object" },
    { "{\"url\":\"http://a\",\"headers\":{\"A\":1}}", "web.headers.A: expected a string" },
    { "{\"url\":\"http://a\",\"headers\":{\"A B\":\"c\"}}", "A B" },
    { "{\"url\":\"http://a\",\"headers\":{\"\":\"c\"}}", "headers" },
    { "{\"url\":\"http://a\",\"headers\":{\"A\":\"b\\r\\nC: d\"}}", "A" },
    { "{\"url\":\"http://a\",\"caFile\":false}", "web.caFile: " },
    { "{\"url\":\"http://a\",\"caFile\":\"not/full\"}", "not/full" },
    { "{\"url\":\"a\",\"type\":\"stdio\"}", "web.command: " },
    { "{\"command\":\"a\",\"protocolEra\":\"stone-age\"}", "web.protocolEra: " },
    { "{\"command\":\"a\",\"protocolEra\":1}", "web.protocolEra: " },
    { "{\"command\":\"a\",\"callTimeoutMs\":-1}", "web.callTimeoutMs: " },
    { "{\"command\":\"a\",\"callTimeoutMs\":86400001}", "web.callTimeoutMs: " },
    { "{\"command\":\"a\",\"startupTimeoutMs\":1.5}", "web.startupTimeoutMs: " },
    { "{\"command\":\"a\",\"title\":true}", "web.title: " },
    { "{\"command\":\"a\",\"start\":\"later\"}", "web.start: " },
    { "{\"command\":\"a\",\"healthMethod\":\"guess\"}",
      "web.healthMethod: expected “ping”, “tool-call” or “process”" },
    { "{\"command\":\"a\",\"healthArguments\":\"{}\"}", "web.healthArguments: " },
    { "{\"command\":\"a\",\"healthTimeoutMs\":\"5\"}", "web.healthTimeoutMs: " },
    { "{\"command\":\"a\",\"restartOnFailure\":1}", "web.restartOnFailure: " },
    { "{\"command\":\"a\",\"maxCalls\":65536}", "web.maxCalls: " },
    { "{\"command\":\"a\",\"package\":null}", "web.package: " },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].json);
      g_assert_null (gmcp_server_config_new_from_json ("web", cases[i].json, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
      g_test_message ("  %s", error->message);
      g_assert_nonnull (strstr (error->message, cases[i].names));
    }
}

static void
test_not_json (void)
{
  static const char *const texts[] = { "", "{", "{\"command\":\"a\",}", "{'command':'a'}" };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (gmcp_server_config_new_from_json ("web", texts[i], &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
    }
}

static void
test_no_secret_in_errors (void)
{
  const char *const environment[] = { "hunter2", NULL };
  const char *const argv[] = { "a", NULL };
  g_autoptr (GmcpServerConfig) config = g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", "web", "argv",
                                                      argv, "environment", environment, NULL);
  g_autoptr (GError) error = NULL;

  g_test_summary ("a word without “=” may be a value that lost its name");
  g_assert_false (gmcp_server_config_validate (config, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_null (strstr (error->message, "hunter2"));
}

static void
test_environment (void)
{
  const char *const given[] = { "B=1", "AB=0", "A=2", "B=3", "A=", NULL };
  const char *const kept[] = { "A=", "AB=0", "B=3", NULL };
  const char *const argv[] = { "a", NULL };
  GmcpServerConfig *config
    = g_object_new (GMCP_TYPE_SERVER_CONFIG, "id", "web", "argv", argv, "environment", given, NULL);

  g_test_summary ("sorted by name, and the last of a name stays");
  g_assert_cmpstrv (gmcp_server_config_get_environment (config), kept);
  g_assert_finalize_object (config);
}

static void
test_hash (void)
{
  static const struct
  {
    const char *json;
    gboolean same_process;
  } cases[] = {
    { "{\"command\":\"a\",\"args\":[\"b\"],\"env\":{\"C\":\"d\",\"E\":\"f\"}}", TRUE },
    { "{\"command\":\"a\",\"args\":[\"b\"],\"env\":{\"E\":\"f\",\"C\":\"d\"}}", TRUE },
    { "{\"command\":\"a\",\"args\":[\"b\"],\"env\":{\"C\":\"d\",\"E\":\"f\"},\"title\":\"T\"}",
      TRUE },
    { "{\"command\":\"a\",\"args\":[\"b\"],\"env\":{\"C\":\"d\",\"E\":\"f\"},\"disabled\":true}",
      TRUE },
    { "{\"command\":\"a\",\"args\":[\"b\"],\"env\":{\"C\":\"d\",\"E\":\"f\"},\"callTimeoutMs\":9}",
      TRUE },
    { "{\"command\":\"a\",\"args\":[\"b\"],\"env\":{\"C\":\"d\",\"E\":\"F\"}}", FALSE },
    { "{\"command\":\"a\",\"args\":[\"b\"],\"env\":{\"C\":\"d\"}}", FALSE },
    { "{\"command\":\"a\",\"args\":[\"b\",\"C=d\"],\"env\":{\"E\":\"f\"}}", FALSE },
    { "{\"command\":\"ab\",\"args\":[\"\"],\"env\":{\"C\":\"d\",\"E\":\"f\"}}", FALSE },
    { "{\"command\":\"a\",\"args\":[\"b\"],\"env\":{\"C\":\"d\",\"E\":\"f\"},\"cwd\":\"/\"}",
      FALSE },
    { "{\"command\":\"a\",\"args\":[\"b\"],\"env\":{\"C\":\"d\",\"E\":\"f\"},"
      "\"protocolEra\":\"modern\"}",
      FALSE },
    { "{\"command\":\"a\",\"args\":[\"b\"],\"env\":{\"C\":\"d\",\"E\":\"f\"},"
      "\"inheritEnvironment\":true}",
      FALSE },
  };
  g_autoptr (GmcpServerConfig) first = config_from_json (cases[0].json);
  g_autofree char *hash = gmcp_server_config_dup_hash (first);

  g_test_summary ("what makes it another process changes the hash, and nothing else does");
  g_assert_cmpuint (strlen (hash), ==, 64);
  g_test_message ("the hash is the same on every machine and in every version");
  g_assert_cmpstr (hash, ==, "f259e42cec11979f9fcc8933f256fac034643f70934fa0e803c8521df5d36b8f");
  for (gsize i = 1; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpServerConfig) config = config_from_json (cases[i].json);
      g_autofree char *other = gmcp_server_config_dup_hash (config);

      g_test_message ("%s", cases[i].json);
      g_assert_cmpint (g_str_equal (hash, other), ==, cases[i].same_process);
      g_assert_cmpint (gmcp_server_config_same_process (first, config), ==, cases[i].same_process);
      g_assert_cmpint (gmcp_server_config_equal (first, config), ==, i == 1);
      g_assert_cmpint (gmcp_server_config_equal (config, first), ==, i == 1);
    }
}

static void
test_ids (void)
{
  g_autofree char *longest = g_strnfill (GMCP_LIMIT_SERVER_ID_LENGTH, 'a');
  g_autofree char *too_long = g_strnfill (GMCP_LIMIT_SERVER_ID_LENGTH + 1, 'a');
  const char *const good[] = { "a", "7", "web", "web-2", "a--", longest, NULL };
  const char *const bad[]
    = { "", "-a", "A", "a_b", "a b", "a/b", "a.b", "é", "a\n", too_long, NULL };

  for (gsize i = 0; good[i] != NULL; i++)
    g_assert_true (gmcp_server_config_is_valid_id (good[i]));
  for (gsize i = 0; bad[i] != NULL; i++)
    g_assert_false (gmcp_server_config_is_valid_id (bad[i]));
}

static void
test_make_id (void)
{
  static const struct
  {
    const char *name;
    const char *id;
  } cases[] = {
    { "web", "web" },
    { "My Server", "my-server" },
    { "@scope/name_2", "scope-name-2" },
    { "Grüße", "gr--e" },
    { "--x", "x" },
    { "GitHub.com", "github-com" },
    { "a\xff\xfe", "a--" },
  };
  static const char *const unreadable[] = { "", "日本", "---", "!" };
  g_autofree char *many = g_strnfill (500, 'X');
  g_autofree char *cut = gmcp_server_config_make_id (many);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *id = gmcp_server_config_make_id (cases[i].name);

      g_assert_cmpstr (id, ==, cases[i].id);
      g_assert_true (gmcp_server_config_is_valid_id (id));
    }

  for (gsize i = 0; i < G_N_ELEMENTS (unreadable); i++)
    {
      g_autofree char *id = gmcp_server_config_make_id (unreadable[i]);
      g_autofree char *again = gmcp_server_config_make_id (unreadable[i]);
      g_autofree char *other = gmcp_server_config_make_id ("中国");

      g_assert_true (g_str_has_prefix (id, "server-"));
      g_assert_true (gmcp_server_config_is_valid_id (id));
      g_assert_cmpstr (id, ==, again);
      g_assert_cmpstr (id, !=, other);
    }

  g_assert_cmpuint (strlen (cut), ==, GMCP_LIMIT_SERVER_ID_LENGTH);
}

static void
test_validate (void)
{
  const char *const no_command[] = { NULL };
  const char *const empty_command[] = { "", "x", NULL };
  const char *const command[] = { "x", NULL };
  g_autoptr (GmcpServerConfig) good = gmcp_server_config_new ("web", command);
  g_autoptr (GmcpServerConfig) bare = g_object_new (GMCP_TYPE_SERVER_CONFIG, NULL);
  g_autoptr (GmcpServerConfig) none = gmcp_server_config_new ("web", no_command);
  g_autoptr (GmcpServerConfig) empty = gmcp_server_config_new ("web", empty_command);
  g_autoptr (GmcpServerConfig) path = gmcp_server_config_new ("../web", command);
  GmcpServerConfig *const bad[] = { bare, none, empty, path };
  g_autofree char *hash = gmcp_server_config_dup_hash (bare);

  g_assert_true (gmcp_server_config_validate (good, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (gmcp_server_config_validate (bad[i], &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
    }
  g_assert_nonnull (hash);
}

static void
test_patched (void)
{
  static const struct
  {
    const char *patch;
    const char *expected; /* NULL: refused */
  } cases[] = {
    { "{}",
      "{\"command\":\"run\",\"args\":[\"-a\"],\"env\":{\"A\":\"1\",\"B\":\"2\"},\"callTimeoutMs\":5000}" },
    { "{\"env\":{\"A\":null,\"C\":\"3\"}}",
      "{\"command\":\"run\",\"args\":[\"-a\"],\"env\":{\"B\":\"2\",\"C\":\"3\"},\"callTimeoutMs\":5000}" },
    { "{\"environment\":null,\"toolTimeoutMs\":null,\"args\":null}", "{\"command\":\"run\"}" },
    { "{\"tool_timeout_sec\":7,\"environment\":{\"A\":null},\"cmd\":\"go\"}",
      "{\"command\":\"go\",\"args\":[\"-a\"],\"env\":{\"B\":\"2\"},\"callTimeoutMs\":7000}" },
    { "{\"command\":null}", NULL },
    { "{\"command\":5}", NULL },
    { "[]", NULL },
    { "{\"args\":[\"x\"]", NULL },
  };
  g_autoptr (GmcpServerConfig) config
    = gmcp_server_config_new_from_json ("one", cases[0].expected, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpServerConfig) patched
        = gmcp_server_config_dup_patched (config, cases[i].patch, &error);
      g_autofree char *json = patched != NULL ? gmcp_server_config_dup_json (patched) : NULL;
      g_autoptr (JsonNode) node = json != NULL ? gmcp_json_parse (json, -1, NULL) : NULL;
      g_autoptr (JsonNode) expected
        = cases[i].expected != NULL ? gmcp_json_parse (cases[i].expected, -1, NULL) : NULL;

      g_test_message ("%s: %s", cases[i].patch, json);
      g_assert_true ((error != NULL) == (expected == NULL));
      if (expected == NULL)
        continue;
      g_assert_true (json_node_equal (node, expected));
      g_assert_cmpstr (gmcp_server_config_get_id (patched), ==, "one");
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/manager/server-config/supervision", test_supervision);
  g_test_add_func ("/manager/server-config/every-key", test_every_key);
  g_test_add_func ("/manager/server-config/defaults", test_defaults);
  g_test_add_func ("/manager/server-config/addresses", test_addresses);
  g_test_add_func ("/manager/server-config/headers", test_headers);
  g_test_add_func ("/manager/server-config/headers-unpaired", test_headers_unpaired);
  g_test_add_func ("/manager/server-config/bad-json", test_bad_json);
  g_test_add_func ("/manager/server-config/not-json", test_not_json);
  g_test_add_func ("/manager/server-config/no-secret-in-errors", test_no_secret_in_errors);
  g_test_add_func ("/manager/server-config/environment", test_environment);
  g_test_add_func ("/manager/server-config/hash", test_hash);
  g_test_add_func ("/manager/server-config/ids", test_ids);
  g_test_add_func ("/manager/server-config/make-id", test_make_id);
  g_test_add_func ("/manager/server-config/validate", test_validate);
  g_test_add_func ("/manager/server-config/patched", test_patched);
  return g_test_run ();
}
