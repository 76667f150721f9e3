/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#ifdef HAVE_LIBSECRET
#include <libsecret/secret.h>
#endif

#include "gmcp-config-expand-private.h"
#include "gmcp-server-config-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/transport/gmcp-stream-transport.h>

typedef struct
{
  GmcpServerConfig *config;
  GError *error;
  gboolean done;
} Outcome;

static void
on_expanded (GObject *object, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  outcome->config
    = gmcp_config_expand_finish (GMCP_SERVER_CONFIG (object), result, &outcome->error);
  outcome->done = TRUE;
}

static GmcpServerConfig *
expand_with (GmcpServerConfig *config,
             const GmcpConfigExpandContext *context,
             GCancellable *cancellable,
             GError **error)
{
  Outcome outcome = { NULL };

  gmcp_config_expand_async (config, context, cancellable, on_expanded, &outcome);
  while (!outcome.done)
    g_main_context_iteration (NULL, TRUE);
  if (outcome.error != NULL)
    g_propagate_error (error, outcome.error);
  return outcome.config;
}

static GmcpServerConfig *
config_from_json (const char *json)
{
  g_autoptr (GError) error = NULL;
  GmcpServerConfig *config = gmcp_server_config_new_from_json ("web", json, &error);

  g_assert_no_error (error);
  return config;
}

static GmcpServerConfig *
expand (const char *json, const GmcpConfigExpandContext *context, GError **error)
{
  g_autoptr (GmcpServerConfig) config = config_from_json (json);

  return expand_with (config, context, NULL, error);
}

static void
test_texts (void)
{
  static const struct
  {
    const char *text;
    const char *expanded; /* NULL for the home folder */
  } cases[] = {
    { "plain", "plain" },
    { "$GMCP_A {GMCP_A} $ ${", NULL },
    { "a${GMCP_A}b", "aoneb" },
    { "${env:GMCP_A}${GMCP_A}", "oneone" },
    { "${GMCP_UNSET:-other}", "other" },
    { "${GMCP_UNSET:-}", "" },
    { "${GMCP_EMPTY:-other}", "other" },
    { "${GMCP_EMPTY}", "" },
    { "${env:GMCP_UNSET:-a:-b}", "a:-b" },
    { "$${GMCP_A}", "${GMCP_A}" },
    { "$$${GMCP_A}", "$${GMCP_A}" },
    { "${GMCP_LOOP}", "${GMCP_LOOP}" },
    { "${GMCP_OTHER}", "${GMCP_A}" },
    { "{workspace}/a", "/work space/a" },
    { "${workspaceFolder}${/}${workspaceFolderBasename}${pathSeparator}",
      "/work space/work space/" },
    { "${GMCP_BRACE}", "{workspace}" },
  };
  const GmcpConfigExpandContext context = { .workspace = "/work space" };

  g_test_summary ("each value is put in once, and what it holds is not looked into");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const argv[] = { "a", cases[i].text, NULL };
      g_autoptr (GmcpServerConfig) config = gmcp_server_config_new ("web", argv);
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpServerConfig) expanded = NULL;

      g_test_message ("%s", cases[i].text);
      expanded = expand_with (config, &context, NULL, &error);
      if (cases[i].expanded == NULL)
        {
          g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpstr (gmcp_server_config_get_argv (expanded)[1], ==, cases[i].expanded);
      g_assert_cmpstr (gmcp_server_config_get_argv (config)[1], ==, cases[i].text);
    }
}

static void
test_fields (void)
{
  const GmcpConfigExpandContext context = { .workspace = "/w" };
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpServerConfig) config
    = expand ("{\"command\":\"${GMCP_A}\",\"args\":[\"${GMCP_A}\"],\"env\":{\"K\":\"${GMCP_A}\"},"
              "\"cwd\":\"{workspace}/x\",\"healthTool\":\"${GMCP_A}\","
              "\"healthArguments\":{\"a\":\"${GMCP_QUOTE}\"},\"title\":\"${GMCP_A}\"}",
              &context, &error);
  g_autoptr (GmcpServerConfig) remote = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_server_config_get_argv (config)[0], ==, "one");
  g_assert_cmpstr (gmcp_server_config_get_argv (config)[1], ==, "one");
  g_assert_cmpstr (gmcp_server_config_get_environment (config)[0], ==, "K=one");
  g_assert_cmpstr (gmcp_server_config_get_cwd (config), ==, "/w/x");
  g_assert_cmpstr (gmcp_server_config_get_health_tool (config), ==, "one");
  g_assert_cmpstr (gmcp_server_config_get_health_arguments (config), ==, "{\"a\":\"a\\\"b\"}");
  g_assert_cmpstr (gmcp_server_config_get_title (config), ==, "${GMCP_A}");

  remote = expand ("{\"url\":\"https://${GMCP_A}.example/mcp\","
                   "\"headers\":{\"Authorization\":\"Bearer ${GMCP_A}\"}}",
                   &context, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_server_config_get_url (remote), ==, "https://one.example/mcp");
  g_assert_cmpstr (gmcp_server_config_get_headers (remote)[1], ==, "Bearer one");
}

static void
test_missing (void)
{
  static const struct
  {
    const char *json;
    const char *names;
  } cases[] = {
    { "{\"command\":\"${GMCP_UNSET}\"}", "command: the variable GMCP_UNSET" },
    { "{\"command\":\"a\",\"args\":[\"b\",\"${env:GMCP_UNSET}\"]}", "args[1]: the variable" },
    { "{\"command\":\"a\",\"env\":{\"K\":\"hunter2${GMCP_UNSET}\"}}", "env.K: the variable" },
    { "{\"url\":\"http://a\",\"headers\":{\"X-K\":\"${GMCP_UNSET}\"}}",
      "headers.X-K: the variable" },
    { "{\"url\":\"${GMCP_UNSET}\"}", "url: the variable" },
    { "{\"command\":\"a\",\"cwd\":\"${GMCP_UNSET}\"}", "cwd: the variable" },
    { "{\"command\":\"a\",\"sandbox\":\"read-only-home\",\"writablePaths\":[\"/a\",\"${GMCP_UNSET}\"]}",
      "writablePaths[1]: the variable GMCP_UNSET" },
    { "{\"command\":\"a\",\"args\":[\"{workspace}\"]}", "args[0]: there is no workspace" },
    { "{\"command\":\"a\",\"args\":[\"${config:x}\"]}", "args[0]: “${config:x}” is not known" },
    { "{\"command\":\"a\",\"args\":[\"${}\"]}", "args[0]: “${}” is not known" },
    { "{\"command\":\"a\",\"args\":[\"${cmd: id}\"]}", "args[0]: “${cmd: id}” is not known" },
    { "{\"command\":\"a\",\"args\":[\"${A\"]}", "args[0]: a “${” has no “}”" },
    { "{\"command\":\"a\",\"cwd\":\"${secret:x}\"}", "cwd: “${secret:x}” cannot stand here" },
    { "{\"command\":\"a\",\"args\":[\"${input:x}\"]}", "args[0]: the value of x was asked for" },
    { "{\"command\":\"a\",\"cwd\":\"${GMCP_A}\"}", "no full path" },
    { "{\"url\":\"${GMCP_A}\"}", "http://" },
    { "{\"url\":\"${GMCP_OTHER}\"}", "http://" },
    { "{\"url\":\"http://a\",\"headers\":{\"A\":\"${GMCP_LINES}\"}}", "“A”" },
  };
  const GmcpConfigExpandContext context = { NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (expand (cases[i].json, &context, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, cases[i].names));
      g_assert_nonnull (strstr (error->message, "“web”"));
      g_assert_null (strstr (error->message, "hunter2"));
    }
}

static void
test_overrides (void)
{
  static const char *const environment[] = { "MCP_WEB_TOKEN=1",    "MCP_WEB_=2",    "MCP_WEB=3",
                                             "MCP_WEBTOKEN=4",     "WEB_TOKEN=5",   "MCP_WEB_B_X=6",
                                             "MCP_WEB_SITE_KEY=7", "mcp_web_low=8", NULL };
  static const char *const ids[] = { "web", "web-site", "w", NULL };
  g_auto (GStrv) web = gmcp_config_find_overrides ("web", ids, environment);
  g_auto (GStrv) site = gmcp_config_find_overrides ("web-site", ids, environment);
  g_auto (GStrv) alone = gmcp_config_find_overrides ("web", NULL, environment);
  g_autofree char *web_text = g_strjoinv (" ", web);
  g_autofree char *site_text = g_strjoinv (" ", site);
  g_autofree char *alone_text = g_strjoinv (" ", alone);
  const GmcpConfigExpandContext context = { .ids = ids };
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpServerConfig) config = NULL;

  g_assert_cmpstr (web_text, ==, "TOKEN=1 B_X=6");
  g_assert_cmpstr (site_text, ==, "KEY=7");
  g_assert_cmpstr (alone_text, ==, "TOKEN=1 B_X=6 SITE_KEY=7");

  g_setenv ("MCP_WEB_GITLAB_TOKEN", "${GMCP_A}", TRUE);
  config
    = expand ("{\"command\":\"a\",\"env\":{\"GITLAB_TOKEN\":\"\",\"Z\":\"z\"}}", &context, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_server_config_get_environment (config)[0], ==, "GITLAB_TOKEN=${GMCP_A}");
  g_assert_cmpstr (gmcp_server_config_get_environment (config)[1], ==, "Z=z");
  g_assert_null (gmcp_server_config_get_environment (config)[2]);
  g_unsetenv ("MCP_WEB_GITLAB_TOKEN");
}

static void
test_needs (void)
{
  const GmcpConfigExpandContext context = { NULL };
  g_autoptr (GmcpServerConfig) plain = config_from_json ("{\"command\":\"a\",\"args\":[\"$x\"]}");
  g_autoptr (GmcpServerConfig) titled
    = config_from_json ("{\"command\":\"a\",\"title\":\"${x}\",\"instructions\":\"${y}\"}");
  g_autoptr (GmcpServerConfig) variable
    = config_from_json ("{\"command\":\"a\",\"env\":{\"A\":\"${B}\"}}");

  g_assert_false (gmcp_config_needs_expansion (plain, &context));
  g_assert_false (gmcp_config_needs_expansion (titled, &context));
  g_assert_true (gmcp_config_needs_expansion (variable, &context));
  g_setenv ("MCP_WEB_X", "1", TRUE);
  g_assert_true (gmcp_config_needs_expansion (plain, &context));
  g_unsetenv ("MCP_WEB_X");
}

typedef struct
{
  GPtrArray *asked; /* of GmcpConfigInput */
  guint n_closed;
  gboolean answer;
  gboolean forgets;
} Asking;

static void
on_closed (GmcpInputRequest *input, gpointer data)
{
  g_assert_false (gmcp_input_request_is_open (input));
  ((Asking *) data)->n_closed++;
}

static void
on_asked (GObject *target, GmcpConfigInput *input)
{
  Asking *asking = g_object_get_data (target, "asking");

  if (asking->forgets)
    return;
  g_ptr_array_add (asking->asked, g_object_ref (input));
  g_signal_connect (input, "closed", G_CALLBACK (on_closed), asking);
  g_assert_true (gmcp_input_request_is_open (GMCP_INPUT_REQUEST (input)));
  g_assert_cmpstr (gmcp_input_request_get_server_id (GMCP_INPUT_REQUEST (input)), ==, "web");
  g_assert_cmpstr (gmcp_input_request_get_server_name (GMCP_INPUT_REQUEST (input)), ==, "web");
  if (asking->answer)
    gmcp_config_input_accept (input, gmcp_config_input_get_id (input));
}

static void
test_inputs (void)
{
  g_autoptr (GObject) target = g_object_new (G_TYPE_OBJECT, NULL);
  Asking asking = { .asked = g_ptr_array_new_with_free_func (g_object_unref), .answer = TRUE };
  const GmcpConfigExpandContext context = { .ask = on_asked, .target = target };
  g_autoptr (GmcpConfigOrigin) origin = gmcp_config_origin_new ("/f.json", NULL, NULL, FALSE);
  g_autoptr (GmcpServerConfig) config = config_from_json (
    "{\"command\":\"a\",\"args\":[\"${input:one}\",\"${input:two}\",\"${input:one}\"]}");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GmcpServerConfig) expanded = NULL;
  g_autoptr (GError) error = NULL;
  Outcome outcome = { NULL };

  origin->inputs = g_ptr_array_new ();
  g_ptr_array_add (origin->inputs,
                   (gpointer) "{\"id\":\"one\",\"description\":\"First\",\"password\":true}");
  gmcp_server_config_set_origin (config, origin);
  g_object_set_data (target, "asking", &asking);

  g_test_message ("each is asked for once");
  expanded = expand_with (config, &context, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (asking.asked->len, ==, 2);
  g_assert_cmpstr (gmcp_server_config_get_argv (expanded)[1], ==, "one");
  g_assert_cmpstr (gmcp_server_config_get_argv (expanded)[2], ==, "two");
  g_assert_cmpstr (gmcp_server_config_get_argv (expanded)[3], ==, "one");
  for (guint i = 0; i < 2; i++)
    {
      GmcpConfigInput *input = g_ptr_array_index (asking.asked, i);
      gboolean first = g_str_equal (gmcp_config_input_get_id (input), "one");

      g_assert_cmpstr (gmcp_config_input_get_description (input), ==, first ? "First" : NULL);
      /* The one is said to be; what the other is, nobody says. */
      g_assert_true (gmcp_config_input_is_secret (input));
      gmcp_config_input_accept (input, "late");
      gmcp_input_request_decline (GMCP_INPUT_REQUEST (input));
      gmcp_input_request_cancel (GMCP_INPUT_REQUEST (input));
      g_assert_false (gmcp_input_request_is_open (GMCP_INPUT_REQUEST (input)));
    }

  g_test_message ("a start that is given up waits for nobody");
  asking.answer = FALSE;
  gmcp_config_expand_async (config, &context, cancellable, on_expanded, &outcome);
  while (asking.asked->len < 3)
    g_main_context_iteration (NULL, TRUE);
  g_cancellable_cancel (cancellable);
  while (!outcome.done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&outcome.error);
  g_assert_cmpuint (asking.n_closed, ==, 1);
  gmcp_config_input_accept (g_ptr_array_index (asking.asked, 2), "late");

  g_test_message ("a request that is declined fails the start");
  outcome.done = FALSE;
  gmcp_config_expand_async (config, &context, NULL, on_expanded, &outcome);
  while (asking.asked->len < 4)
    g_main_context_iteration (NULL, TRUE);
  gmcp_input_request_decline (g_ptr_array_index (asking.asked, 3));
  while (!outcome.done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (outcome.error);
  g_clear_error (&outcome.error);

  g_test_message ("a request that nobody keeps fails the start, and one that is dropped later too");
  outcome.done = FALSE;
  asking.forgets = TRUE;
  gmcp_config_expand_async (config, &context, NULL, on_expanded, &outcome);
  while (!outcome.done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (outcome.error);
  g_clear_error (&outcome.error);
  outcome.done = FALSE;
  asking.forgets = FALSE;
  gmcp_config_expand_async (config, &context, NULL, on_expanded, &outcome);
  while (asking.asked->len < 5)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (outcome.done);
  g_ptr_array_set_size (asking.asked, 4);
  while (!outcome.done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (outcome.error);
  g_clear_error (&outcome.error);
  g_assert_cmpuint (asking.n_closed, ==, 1);
  g_ptr_array_set_size (asking.asked, 3);

  g_test_message ("a request that is dropped is answered by that");
  outcome.done = FALSE;
  gmcp_config_expand_async (config, &context, NULL, on_expanded, &outcome);
  while (asking.asked->len < 4)
    g_main_context_iteration (NULL, TRUE);
  g_ptr_array_set_size (asking.asked, 0);
  /* A garbage collector may be at work here, and runs no callback. */
  g_assert_false (outcome.done);
  while (!outcome.done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (outcome.error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_nonnull (strstr (outcome.error->message, "gmcp secret set --input two --file /f.json"));
  g_clear_error (&outcome.error);
  g_ptr_array_unref (asking.asked);
  g_ptr_array_set_size (origin->inputs, 0);
}

static void
test_cycle (void)
{
  const GmcpConfigExpandContext context = { NULL };
  g_autoptr (GmcpServerConfig) filled = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("what a variable stands for is no variable, whatever it refers to");
  g_setenv ("GMCP_ONE", "${GMCP_TWO}", TRUE);
  g_setenv ("GMCP_TWO", "${GMCP_ONE}${GMCP_TWO}", TRUE);
  filled
    = expand ("{\"command\":\"a\",\"args\":[\"${GMCP_ONE}\",\"${GMCP_TWO}\"]}", &context, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_server_config_get_argv (filled)[1], ==, "${GMCP_TWO}");
  g_assert_cmpstr (gmcp_server_config_get_argv (filled)[2], ==, "${GMCP_ONE}${GMCP_TWO}");
  g_unsetenv ("GMCP_ONE");
  g_unsetenv ("GMCP_TWO");
}

static void
test_socket (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpServerConfig) config = gmcp_server_config_new_from_json (
    "web", "{\"type\":\"http\",\"url\":\"unix://${GMCP_RUN}/mcp.sock\"}", &error);
  g_autoptr (GmcpServerConfig) filled = NULL;
  g_autoptr (GmcpServerConfig) other = NULL;
  g_autoptr (GmcpTransport) transport = NULL;
  const GmcpConfigExpandContext context = { NULL };
  GSocketConnectable *address;
  g_autofree char *text = NULL;

  g_test_summary ("the address of a socket may hold variables");
  g_assert_no_error (error);
  transport = gmcp_server_config_make_transport (config, &error);
  g_assert_no_error (error);
  g_assert_true (GMCP_IS_STREAM_TRANSPORT (transport));

  g_setenv ("GMCP_RUN", "/srv/run", TRUE);
  filled = expand ("{\"type\":\"http\",\"url\":\"unix://${GMCP_RUN}/mcp.sock\"}", &context, &error);
  g_assert_no_error (error);
  g_assert_true (gmcp_server_config_aim_transport (filled, transport, &error));
  address = gmcp_stream_transport_get_address (GMCP_STREAM_TRANSPORT (transport));
  text = g_socket_connectable_to_string (address);
  g_assert_cmpstr (text, ==, "/srv/run/mcp.sock");

  other = expand ("{\"type\":\"http\",\"url\":\"http://example.com/\"}", &context, &error);
  g_assert_no_error (error);
  g_assert_false (gmcp_server_config_aim_transport (other, transport, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_unsetenv ("GMCP_RUN");
}

#ifdef HAVE_LIBSECRET

static const SecretSchema test_schema = {
  "org.gmcp.Credential",
  SECRET_SCHEMA_NONE,
  {
    { "server-id", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { "kind", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { "name", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { "resource", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { NULL, 0 },
  },
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
};

G_GNUC_UNUSED static void
test_secrets (void)
{
  const GmcpConfigExpandContext context = { NULL };
  const char *json = "{\"command\":\"a\",\"env\":{\"K\":\"x${secret:token}\"}}";
  g_autoptr (GmcpServerConfig) own = config_from_json (json);
  g_autoptr (GmcpServerConfig) confined = config_from_json (json);
  g_autoptr (GmcpServerConfig) other = config_from_json (json);
  g_autoptr (GmcpConfigOrigin) origin = gmcp_config_origin_new ("/p/.mcp.json", "/p", "/p", TRUE);
  g_autoptr (GmcpConfigOrigin) other_origin
    = gmcp_config_origin_new ("/q/.mcp.json", "/q", "/q", TRUE);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpServerConfig) expanded = NULL;
  g_autofree char *hash = gmcp_server_config_dup_hash (own);
  g_autofree char *later = NULL;

  gmcp_server_config_set_origin (confined, origin);
  gmcp_server_config_set_origin (other, other_origin);
  g_assert_null (expand_with (own, &context, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "env.K: the secret token is not stored"));
  g_assert_nonnull (strstr (error->message, "gmcp secret set token"));
  g_clear_error (&error);

  secret_password_store_sync (&test_schema, NULL, "token", "hunter2", NULL, &error, "kind",
                              "variable", "name", "token", NULL);
  g_assert_no_error (error);
  expanded = expand_with (own, &context, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_server_config_get_environment (expanded)[0], ==, "K=xhunter2");
  g_assert_cmpstr (gmcp_server_config_get_environment (own)[0], ==, "K=x${secret:token}");
  later = gmcp_server_config_dup_hash (own);
  g_assert_cmpstr (hash, ==, later);
  g_clear_object (&expanded);

  g_test_message ("a project sees only what is stored for its file and that server");
  g_assert_null (expand_with (confined, &context, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_null (strstr (error->message, "hunter2"));
  g_clear_error (&error);
  secret_password_store_sync (&test_schema, NULL, "token", "hunter3", NULL, &error, "kind",
                              "project-variable", "name", "token", "server-id", "web", "resource",
                              "/p/.mcp.json", NULL);
  g_assert_no_error (error);
  expanded = expand_with (confined, &context, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_server_config_get_environment (expanded)[0], ==, "K=xhunter3");
  g_assert_null (expand_with (other, &context, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
}

static void
on_stored (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  gboolean *done = data;

  g_assert_true (gmcp_keyring_secret_store_finish (GMCP_KEYRING_SECRET (object), result, &error));
  *done = TRUE;
}

static void
on_listed (GObject *object, GAsyncResult *result, gpointer data)
{
  GPtrArray **listed = data;

  *listed = gmcp_keyring_secret_list_finish (result, NULL);
}

G_GNUC_UNUSED static void
test_stored_inputs (void)
{
  g_autoptr (GObject) target = g_object_new (G_TYPE_OBJECT, NULL);
  Asking asking = { .asked = g_ptr_array_new_with_free_func (g_object_unref), .answer = TRUE };
  const GmcpConfigExpandContext context = { .ask = on_asked, .target = target };
  g_autoptr (GmcpConfigOrigin) origin = gmcp_config_origin_new ("/f.json", NULL, NULL, FALSE);
  g_autoptr (GmcpConfigOrigin) other = gmcp_config_origin_new ("/g.json", NULL, NULL, FALSE);
  const char *json = "{\"command\":\"a\",\"args\":[\"${input:who}\"]}";
  g_autoptr (GmcpServerConfig) config = config_from_json (json);
  g_autoptr (GmcpServerConfig) other_config = config_from_json (json);
  g_autoptr (GmcpServerConfig) expanded = NULL;
  g_autoptr (GmcpServerConfig) asked = NULL;
  g_autoptr (GFile) file = g_file_new_for_path ("/f.json");
  g_autoptr (GmcpKeyringSecret) secret = gmcp_keyring_secret_new_for_input ("who", file);
  g_autoptr (GPtrArray) listed = NULL;
  g_autoptr (GError) error = NULL;
  gboolean done = FALSE;
  gboolean found = FALSE;

  g_test_summary ("what was answered and stored is found, for the file that asked, and no other");
  g_object_set_data (target, "asking", &asking);
  gmcp_server_config_set_origin (config, origin);
  gmcp_server_config_set_origin (other_config, other);
  gmcp_keyring_secret_store_async (secret, "it is me", NULL, on_stored, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);

  expanded = expand_with (config, &context, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_server_config_get_argv (expanded)[1], ==, "it is me");
  g_assert_cmpuint (asking.asked->len, ==, 0);
  asked = expand_with (other_config, &context, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (asking.asked->len, ==, 1);

  gmcp_keyring_secret_list_async (NULL, on_listed, &listed);
  while (listed == NULL)
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 0; i < listed->len; i++)
    {
      GmcpKeyringSecret *item = g_ptr_array_index (listed, i);

      g_autoptr (GFile) owner = gmcp_keyring_secret_dup_file (item);

      found = found
              || (gmcp_keyring_secret_is_input (item) && owner != NULL && g_file_equal (owner, file)
                  && g_str_equal (gmcp_keyring_secret_get_name (item), "who"));
    }
  g_assert_true (found);
  g_ptr_array_unref (asking.asked);
}

#endif

int
main (int argc, char *argv[])
{
  g_autofree char *dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  g_autofree char *secrets = g_build_filename (dir, "secrets", NULL);
  int status;

#ifndef __SANITIZE_ADDRESS__
  g_setenv ("SECRET_BACKEND", "file", TRUE);
#endif
  g_setenv ("SECRET_FILE_TEST_PATH", secrets, TRUE);
  g_setenv ("SECRET_FILE_TEST_PASSWORD", "password", TRUE);
  g_setenv ("GMCP_A", "one", TRUE);
  g_setenv ("GMCP_EMPTY", "", TRUE);
  g_setenv ("GMCP_LOOP", "${GMCP_LOOP}", TRUE);
  g_setenv ("GMCP_OTHER", "${GMCP_A}", TRUE);
  g_setenv ("GMCP_BRACE", "{workspace}", TRUE);
  g_setenv ("GMCP_QUOTE", "a\"b", TRUE);
  g_setenv ("GMCP_LINES", "a\nb: c", TRUE);
  g_unsetenv ("GMCP_UNSET");

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/manager/config-expand/texts", test_texts);
  g_test_add_func ("/manager/config-expand/fields", test_fields);
  g_test_add_func ("/manager/config-expand/missing", test_missing);
  g_test_add_func ("/manager/config-expand/overrides", test_overrides);
  g_test_add_func ("/manager/config-expand/needs", test_needs);
  g_test_add_func ("/manager/config-expand/inputs", test_inputs);
  g_test_add_func ("/manager/config-expand/cycle", test_cycle);
  g_test_add_func ("/manager/config-expand/socket", test_socket);
  /* The library's store in a file, which only tests use, leaks at each reading. */
#if defined(HAVE_LIBSECRET) && !defined(__SANITIZE_ADDRESS__)
  g_test_add_func ("/manager/config-expand/secrets", test_secrets);
  g_test_add_func ("/manager/config-expand/stored-inputs", test_stored_inputs);
#endif
  status = g_test_run ();
  g_unlink (secrets);
  g_rmdir (dir);
  return status;
}
