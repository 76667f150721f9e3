/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "gmcp-manager-private.h"
#include "manager-fixture.h"
#include "set-file.h"
#include "unit-test.h"

static void
add_role (ManagerFixture *fixture, const char *name, const char *allowed, const char *denied)
{
  g_auto (GStrv) allowed_tools = g_strsplit (allowed, " ", -1);
  g_auto (GStrv) denied_tools = g_strsplit (denied, " ", -1);
  g_autoptr (GmcpRole) role
    = gmcp_role_new (name, (const char *const *) allowed_tools, (const char *const *) denied_tools);

  gmcp_manager_add_role (fixture->manager, role);
}

static void
assert_refused (ManagerFixture *fixture,
                const char *name,
                GmcpCallOptions *options,
                const char *rule)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  guint n_calls = manager_fixture_count_log (fixture, "call");

  g_test_message ("%s", name);
  text = manager_fixture_call (fixture, name, "{}", options, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_assert_nonnull (strstr (error->message, rule));
  g_assert_null (text);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call"), ==, n_calls);
}

static void
assert_called (ManagerFixture *fixture, const char *name, GmcpCallOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = manager_fixture_call (fixture, name, "{}", options, &error);

  g_assert_no_error (error);
  g_assert_nonnull (text);
}

static void
assert_not_found (ManagerFixture *fixture, const char *name)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gmcp_tool_provider_find_tool (fixture->provider, name, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
}

static void
test_every_name (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const names[]
    = { "one__drop", "one.drop", "mcp__one__drop", "one_drop", "drop" };

  g_test_summary ("a tool that is denied is neither listed, found nor called, by any of its names");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools read,drop"),
                         manager_fixture_entry (fixture, "two", "--tools read"), NULL);
  add_role (fixture, "review", "*", "one.drop");
  gmcp_manager_set_role (fixture->manager, "review");

  /* Before anything is known of the server, too. */
  assert_refused (fixture, "one.drop", NULL, "role review, denied-tools: one.drop");

  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__read two__read");
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      assert_refused (fixture, names[i], NULL, "role review, denied-tools: one.drop");
      assert_not_found (fixture, names[i]);
    }
  assert_called (fixture, "one__read", NULL);

  for (int style = GMCP_TOOL_NAME_STYLE_SERVER_TOOL; style <= GMCP_TOOL_NAME_STYLE_BARE; style++)
    {
      gmcp_manager_set_tool_name_style (fixture->manager, style);
      g_assert_cmpuint (g_list_model_get_n_items (fixture->tools), ==, 2);
      for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
        assert_refused (fixture, names[i], NULL, "role review");
    }
}

static void
test_hostile_names (ManagerFixture *fixture, gconstpointer data)
{
  static const char long_name[]
    = "a_tool_with_a_name_that_is_much_longer_than_what_a_model_can_be_told_of";
  g_autofree char *words
    = g_strdup_printf ("--tools two__drop,two.drop,b.c,%s,drop,%s2", long_name, long_name);
  g_autofree char *denied = g_strdup_printf ("two.drop one.%s one.b.c", long_name);
  g_autofree char *listed = NULL;
  g_autofree char *one = g_strdup_printf ("one.%s", long_name);
  g_autofree char *other = g_strdup_printf ("one.%s2", long_name);

  g_test_summary ("rules are about what a name was resolved to, not about how it reads");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", words),
                         manager_fixture_entry (fixture, "two", "--tools drop"), NULL);
  add_role (fixture, "careful", "*", denied);
  gmcp_manager_set_role (fixture->manager, "careful");
  g_assert_null (manager_fixture_load (fixture, NULL));

  /* The tools of one that are named like those of two are its own. */
  assert_called (fixture, "one.two__drop", NULL);
  assert_called (fixture, "one.two.drop", NULL);
  assert_called (fixture, "one__two__drop", NULL);
  assert_called (fixture, "one.drop", NULL);
  assert_refused (fixture, "two__drop", NULL, "two.drop");
  assert_refused (fixture, "two.drop", NULL, "two.drop");
  assert_refused (fixture, "mcp__two__drop", NULL, "two.drop");
  assert_refused (fixture, "one.b.c", NULL, "one.b.c");

  /* A name that was shortened for the list. */
  assert_refused (fixture, one, NULL, long_name);
  assert_called (fixture, other, NULL);
  listed = manager_fixture_list (fixture);
  g_assert_null (strstr (listed, "one__b_c"));
  g_assert_cmpuint (g_list_model_get_n_items (fixture->tools), ==, 4);
}

static void
test_later (ManagerFixture *fixture, gconstpointer data)
{
  g_test_summary ("a tool that appears later is judged like the others");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools add,echo"), NULL);
  add_role (fixture, "review", "one.add one.echo one.new_*", "*.*_drop");
  gmcp_manager_set_role (fixture->manager, "review");
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_free (manager_fixture_call (fixture, "one.add", "{\"name\":\"new_drop\"}", NULL, NULL));
  g_free (manager_fixture_call (fixture, "one.add", "{\"name\":\"other\"}", NULL, NULL));
  g_free (manager_fixture_call (fixture, "one.add", "{\"name\":\"new_read\"}", NULL, NULL));
  manager_fixture_wait_until (g_list_model_get_n_items (fixture->tools) == 3);
  manager_fixture_assert_tools (fixture, "one__add one__echo one__new_read");
  assert_refused (fixture, "one__new_drop", NULL, "*.*_drop");
  assert_refused (fixture, "other", NULL, "not in allowed-tools");
  assert_called (fixture, "one__new_read", NULL);
}

static void
test_call_role (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpCallOptions) unknown = gmcp_call_options_new ();

  g_test_summary ("the role of a call holds beside that of the manager");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools a,b,c"), NULL);
  add_role (fixture, "ab", "one.a one.b", "");
  add_role (fixture, "bc", "one.b one.c", "");
  gmcp_manager_set_role (fixture->manager, "ab");
  gmcp_call_options_set_role (options, "bc");
  gmcp_call_options_set_role (unknown, "nobody");
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__a one__b");
  assert_called (fixture, "one__a", NULL);
  assert_refused (fixture, "one__a", options, "role bc");
  assert_called (fixture, "one__b", options);
  assert_refused (fixture, "one__c", options, "role ab");
  assert_refused (fixture, "one__b", unknown, "role nobody: not configured");

  gmcp_manager_set_role (fixture->manager, NULL);
  manager_fixture_assert_tools (fixture, "one__a one__b one__c");
  assert_called (fixture, "one__c", options);
  assert_refused (fixture, "one__a", options, "role bc");
}

static void
test_change (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpRole) role = NULL;
  g_autoptr (GmcpRole) hosted = NULL;
  g_autoptr (GPtrArray) roles = NULL;
  static const char *const b[] = { "one.b", NULL };

  g_test_summary ("the list follows the role, its rules, and the host");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools a,b"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__a one__b");

  fixture->n_tool_changes = 0;
  gmcp_manager_set_role (fixture->manager, "review");
  manager_fixture_assert_tools (fixture, "");
  g_assert_cmpuint (fixture->n_tool_changes, ==, 1);
  assert_refused (fixture, "one.a", NULL, "role review: not configured for this host");

  add_role (fixture, "review", "one.a", "");
  manager_fixture_assert_tools (fixture, "one__a");
  role = gmcp_role_new ("review", b, NULL);
  gmcp_manager_add_role (fixture->manager, role);
  manager_fixture_assert_tools (fixture, "one__b");

  hosted = g_object_new (GMCP_TYPE_ROLE, "name", "review", "host", "org.example.Host",
                         "allowed-tools", b, "denied-tools", b, NULL);
  gmcp_manager_add_role (fixture->manager, hosted);
  manager_fixture_assert_tools (fixture, "one__b");
  gmcp_manager_set_host (fixture->manager, "org.example.Host");
  manager_fixture_assert_tools (fixture, "");
  roles = gmcp_manager_list_roles (fixture->manager);
  g_assert_cmpuint (roles->len, ==, 2);
  gmcp_manager_set_host (fixture->manager, NULL);
  manager_fixture_assert_tools (fixture, "one__b");

  gmcp_manager_remove_role (fixture->manager, role);
  manager_fixture_assert_tools (fixture, "");
  gmcp_manager_set_role (fixture->manager, "");
  g_assert_null (gmcp_manager_get_role (fixture->manager));
  manager_fixture_assert_tools (fixture, "one__a one__b");
}

static void
test_own_tools (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) denied = NULL;

  g_test_summary ("a server's tool that is called as one of the host's own says nothing about it");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools bash"), NULL);
  add_role (fixture, "review", "one.* grep", "");
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_true (gmcp_manager_permits_tool (fixture->manager, NULL, "bash", NULL, NULL));
  gmcp_manager_set_role (fixture->manager, "review");
  g_assert_true (gmcp_manager_permits_tool (fixture->manager, "one", "bash", NULL, &error));
  g_assert_no_error (error);
  g_assert_true (gmcp_manager_permits_tool (fixture->manager, NULL, "grep", NULL, NULL));
  g_assert_false (gmcp_manager_permits_tool (fixture->manager, NULL, "bash", NULL, &denied));
  g_assert_error (denied, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_assert_false (gmcp_manager_permits_tool (fixture->manager, NULL, "one.bash", NULL, NULL));
  g_assert_false (gmcp_manager_permits_tool (fixture->manager, NULL, "grep", "nobody", NULL));
}

static void
test_while_waiting (ManagerFixture *fixture, gconstpointer data)
{
  ManagerCall call;

  g_test_summary ("a role that is set while a call waits for its server holds for it");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools a"), NULL);
  manager_call_begin (&call, fixture, "one__a", NULL, NULL, NULL);
  gmcp_manager_set_role (fixture->manager, "review");
  manager_call_wait (&call);
  g_assert_error (call.error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call"), ==, 0);
  manager_call_clear (&call);
}

static char *
trusted_entry (ManagerFixture *fixture, const char *id, const char *words)
{
  g_autofree char *entry = manager_fixture_entry (fixture, id, words);
  gsize length = strlen (entry);

  entry[length - 1] = '\0';
  return g_strconcat (entry, ",\"trusted\":true}", NULL);
}

static void
test_read_only (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const all[] = { "*", "two.read", NULL };
  static const char words[] = "--tools read,look,drop --read-only read,look";
  g_autoptr (GmcpRole) role = g_object_new (GMCP_TYPE_ROLE, "name", "read-only", "allowed-tools",
                                            all, "read-only", TRUE, NULL);

  g_test_summary ("a server's word that a tool is read-only counts where the user trusts it");
  manager_fixture_write (fixture, trusted_entry (fixture, "one", words),
                         manager_fixture_entry (fixture, "two", words), NULL);
  gmcp_manager_add_role (fixture->manager, role);
  gmcp_manager_set_role (fixture->manager, "read-only");
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__read one__look two__read");
  assert_called (fixture, "one__look", NULL);
  assert_called (fixture, "two__read", NULL);
  assert_refused (fixture, "one__drop", NULL, "role read-only: read-only");
  assert_refused (fixture, "two__look", NULL, "role read-only: read-only");

  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", words),
                         trusted_entry (fixture, "two", words), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "two__read two__look");
  assert_refused (fixture, "one__look", NULL, "role read-only: read-only");
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 2);
}

/* Somebody who is asked. */
typedef struct
{
  void (*answer) (GmcpCallPermission *request);
  gboolean keep;
  GmcpCallPermission *kept;
  guint n_asked;
  guint n_closed;
  char *last; /* server, tool, arguments, role and rule */
} User;

static void
deny (GmcpCallPermission *request)
{
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (request));
}

static void
on_closed (GmcpCallPermission *request, gpointer data)
{
  ((User *) data)->n_closed++;
}

static void
on_requested (GmcpToolProvider *provider, GmcpCallPermission *request, gpointer data)
{
  User *user = data;
  const char *role = gmcp_call_permission_get_role (request);

  g_assert_true (gmcp_input_request_is_open (GMCP_INPUT_REQUEST (request)));
  user->n_asked++;
  g_free (user->last);
  user->last = g_strdup_printf (
    "%s %s %s %s %s", gmcp_input_request_get_server_name (GMCP_INPUT_REQUEST (request)),
    gmcp_definition_get_name (GMCP_DEFINITION (gmcp_call_permission_get_tool (request))),
    gmcp_call_permission_get_arguments_json (request), role != NULL ? role : "-",
    gmcp_call_permission_get_rule (request));
  if (user->keep)
    {
      g_set_object (&user->kept, request);
      g_signal_connect (request, "closed", G_CALLBACK (on_closed), user);
    }
  if (user->answer != NULL)
    user->answer (request);
}

static void
user_listen (User *user, ManagerFixture *fixture)
{
  g_signal_connect (fixture->provider, "call-requested", G_CALLBACK (on_requested), user);
}

static void
user_clear (User *user)
{
  g_clear_object (&user->kept);
  g_clear_pointer (&user->last, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (User, user_clear)

static void
set_ask_first (ManagerFixture *fixture, const char *words)
{
  g_auto (GStrv) rules = g_strsplit (words, " ", -1);

  gmcp_manager_set_ask_first (fixture->manager, (const char *const *) rules);
}

static void
test_ask (ManagerFixture *fixture, gconstpointer data)
{
  g_auto (User) user = { .answer = gmcp_call_permission_allow_once };
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a rule lets a tool be called only after somebody allowed it");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "One", "--tools drop,echo"),
                         NULL);
  set_ask_first (fixture, "*.drop *.echo");
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__drop one__echo");
  assert_refused (fixture, "one__drop", NULL, "ask-first: *.drop; there is nobody to ask");

  user_listen (&user, fixture);
  text = manager_fixture_call (fixture, "one__echo", "{\"a\":1}", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "{\"a\": 1}");
  g_assert_cmpstr (user.last, ==, "One one__echo {\"a\":1} - ask-first: *.echo");
  assert_called (fixture, "one.drop", NULL);
  g_assert_cmpuint (user.n_asked, ==, 2);

  user.answer = deny;
  assert_refused (fixture, "drop", NULL, "ask-first: *.drop; it was not allowed");
  /* Who drops the request without an answer has denied it. */
  user.answer = NULL;
  assert_refused (fixture, "drop", NULL, "it was not allowed");
  g_assert_cmpuint (user.n_asked, ==, 4);

  set_ask_first (fixture, "");
  assert_called (fixture, "one.drop", NULL);
  set_ask_first (fixture, "broken.");
  assert_refused (fixture, "one.drop", NULL, "ask-first: invalid rule “broken.”");
}

static void
test_ask_later (ManagerFixture *fixture, gconstpointer data)
{
  g_auto (User) user = { .keep = TRUE };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  ManagerCall call;

  g_test_summary ("an answer may come later; a call that ends before closes the request");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools drop"), NULL);
  set_ask_first (fixture, "one.drop");
  user_listen (&user, fixture);
  g_assert_null (manager_fixture_load (fixture, NULL));

  manager_call_begin (&call, fixture, "one__drop", NULL, NULL, NULL);
  manager_fixture_wait_until (user.kept != NULL);
  g_assert_false (call.done);
  gmcp_call_permission_allow_once (user.kept);
  g_assert_false (gmcp_input_request_is_open (GMCP_INPUT_REQUEST (user.kept)));
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (user.kept));
  manager_call_wait (&call);
  g_assert_no_error (call.error);
  manager_call_clear (&call);

  g_clear_object (&user.kept);
  manager_call_begin (&call, fixture, "one__drop", NULL, NULL, cancellable);
  manager_fixture_wait_until (user.kept != NULL);
  g_cancellable_cancel (cancellable);
  manager_call_wait (&call);
  g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (user.n_closed, ==, 1);
  gmcp_call_permission_allow_always (user.kept);
  manager_call_clear (&call);

  g_clear_object (&user.kept);
  g_object_set (fixture->manager, "ask-timeout-ms", 1, NULL);
  manager_call_begin (&call, fixture, "one__drop", NULL, NULL, NULL);
  manager_call_wait (&call);
  g_assert_error (call.error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_assert_nonnull (strstr (call.error->message, "nobody answered"));
  g_assert_cmpuint (user.n_closed, ==, 2);
  manager_call_clear (&call);

  g_object_set (fixture->manager, "ask-timeout-ms", G_MAXUINT, NULL);
  manager_call_begin (&call, fixture, "one__drop", NULL, NULL, NULL);
  manager_fixture_close (fixture);
  manager_call_wait (&call);
  g_assert_error (call.error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_assert_cmpuint (user.n_closed, ==, 3);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call"), ==, 1);
  manager_call_clear (&call);
}

static void
test_ask_changed (ManagerFixture *fixture, gconstpointer data)
{
  g_auto (User) user = { .keep = TRUE };
  g_autoptr (GmcpCallPermission) first = NULL;
  ManagerCall call;

  g_test_summary ("what was allowed is the tool as it was shown, not what it has become");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools describe,pid"),
                         NULL);
  user_listen (&user, fixture);
  g_assert_null (manager_fixture_load (fixture, NULL));
  set_ask_first (fixture, "one.describe");
  manager_call_begin (&call, fixture, "one__describe", NULL, NULL, NULL);
  manager_fixture_wait_until (user.kept != NULL);
  first = g_steal_pointer (&user.kept);

  /* It changes its own description. */
  set_ask_first (fixture, "");
  fixture->n_tool_changes = 0;
  assert_called (fixture, "one__describe", NULL);
  manager_fixture_wait_until (fixture->n_tool_changes > 0);
  set_ask_first (fixture, "one.describe");
  gmcp_call_permission_allow_once (first);
  manager_fixture_wait_until (user.kept != NULL);
  g_assert_cmpuint (user.n_asked, ==, 2);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call describe"), ==, 1);
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (user.kept));
  manager_call_wait (&call);
  g_assert_error (call.error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  manager_call_clear (&call);
}

static void
renew_manager (ManagerFixture *fixture)
{
  manager_fixture_close (fixture);
  g_assert_finalize_object (g_steal_pointer (&fixture->manager));
  fixture->manager = gmcp_manager_new ();
  fixture->provider = GMCP_TOOL_PROVIDER (fixture->manager);
  fixture->tools = gmcp_tool_provider_get_tools (fixture->provider);
  set_file (fixture->manager, "config-file", fixture->config);
  set_file (fixture->manager, "state-directory", fixture->state);
}

static char *
read_answers (ManagerFixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->state, "allowed-calls.json", NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static gboolean
has_answer (ManagerFixture *fixture, const char *part)
{
  g_autofree char *text = read_answers (fixture);

  return text != NULL && strstr (text, part) != NULL;
}

static void
test_ask_always (ManagerFixture *fixture, gconstpointer data)
{
  g_auto (User) user = { .answer = gmcp_call_permission_allow_always };
  g_autoptr (GmcpManager) other G_GNUC_UNUSED = NULL;
  g_autofree char *path = g_build_filename (fixture->state, "allowed-calls.json", NULL);
  GStatBuf info;

  g_test_summary (
    "what is allowed for good is kept in a file, for the tool as it is, host and role");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools describe,drop"),
                         NULL);
  set_ask_first (fixture, "one.*");
  user_listen (&user, fixture);
  g_assert_null (manager_fixture_load (fixture, NULL));
  assert_called (fixture, "one__drop", NULL);
  assert_called (fixture, "one__drop", NULL);
  g_assert_cmpuint (user.n_asked, ==, 1);
  manager_fixture_wait_until (has_answer (fixture, "\"drop\""));
  g_assert_no_errno (g_stat (path, &info));
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);

  gmcp_manager_set_host (fixture->manager, "org.example.Host");
  user.answer = deny;
  assert_refused (fixture, "one__drop", NULL, "ask-first");
  gmcp_manager_set_host (fixture->manager, NULL);
  add_role (fixture, "any", "*", "");
  gmcp_manager_set_role (fixture->manager, "any");
  assert_refused (fixture, "one__drop", NULL, "ask-first");
  gmcp_manager_set_role (fixture->manager, NULL);
  assert_called (fixture, "one__drop", NULL);

  /* Another description is another tool. */
  user.answer = gmcp_call_permission_allow_always;
  fixture->n_tool_changes = 0;
  assert_called (fixture, "one__describe", NULL);
  manager_fixture_wait_until (fixture->n_tool_changes > 0);
  manager_fixture_wait_until (has_answer (fixture, "\"describe\""));
  user.answer = deny;
  assert_refused (fixture, "one__describe", NULL, "ask-first");

  /* The next run knows it, until the user takes it away. */
  renew_manager (fixture);
  set_ask_first (fixture, "one.*");
  assert_called (fixture, "one.drop", NULL);
  g_assert_no_errno (g_unlink (path));
  manager_fixture_wait_until (g_hash_table_size (gmcp_approvals_peek_remembered (
                                gmcp_manager_get_approvals (fixture->manager)))
                              == 0);
  assert_refused (fixture, "one.drop", NULL, "nobody to ask");
}

static void
configure (ManagerFixture *fixture, const char *words)
{
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", words), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
}

static void
test_ask_program (ManagerFixture *fixture, gconstpointer data)
{
  g_auto (User) user = { .answer = gmcp_call_permission_allow_always };
  g_autofree char *path = g_build_filename (fixture->state, "allowed-calls.json", NULL);
  g_autoptr (GRegex) identity = g_regex_new ("\"identity\":\"[0-9a-f]*\",", 0, 0, NULL);
  g_autofree char *text = NULL;
  g_autofree char *old = NULL;

  g_test_summary ("what is allowed for good is allowed for one program, not for what stands in its "
                  "place one day");
  set_ask_first (fixture, "one.*");
  user_listen (&user, fixture);
  configure (fixture, "--tools drop");
  assert_called (fixture, "one.drop", NULL);
  manager_fixture_wait_until (has_answer (fixture, "\"drop\""));
  user.answer = deny;
  assert_called (fixture, "one.drop", NULL);
  configure (fixture, "--tools drop --instructions x");
  assert_refused (fixture, "one.drop", NULL, "it was not allowed");
  configure (fixture, "--tools drop");
  assert_called (fixture, "one.drop", NULL);

  g_test_message ("what was kept without a word about the program is asked about again");
  text = read_answers (fixture);
  old = g_regex_replace_literal (identity, text, -1, 0, "", 0, NULL);
  g_assert_cmpuint (strlen (old), <, strlen (text));
  g_assert_true (g_file_set_contents (path, old, -1, NULL));
  renew_manager (fixture);
  set_ask_first (fixture, "one.*");
  g_assert_null (manager_fixture_load (fixture, NULL));
  assert_refused (fixture, "one.drop", NULL, "nobody to ask");
}

static void
test_ask_bad_file (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const texts[]
    = { "", "{", "[]", "{\"allowed\":{}}", "{\"allowed\":[1,{},{\"server\":\"one\"}]}" };
  g_autofree char *path = g_build_filename (fixture->state, "allowed-calls.json", NULL);
  g_auto (User) user = { .answer = gmcp_call_permission_allow_always };

  g_test_summary ("a file that cannot be read allows nothing, and is not written over");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools drop"), NULL);
  set_ask_first (fixture, "one.*");
  g_assert_no_errno (g_mkdir (fixture->state, 0700));
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_assert_true (g_file_set_contents (path, texts[i], -1, NULL));
      g_ptr_array_set_size (fixture->notices, 0);
      g_assert_null (manager_fixture_load (fixture, NULL));
      g_assert_cmpint (manager_fixture_has_notice (fixture, "could not be read"), ==, i < 4);
      assert_refused (fixture, "one.drop", NULL, "nobody to ask");
    }

  g_assert_true (g_file_set_contents (path, "{", -1, NULL));
  user_listen (&user, fixture);
  assert_called (fixture, "one.drop", NULL);
  manager_fixture_wait_until (manager_fixture_has_notice (fixture, "could not be kept in"));
  g_assert_true (has_answer (fixture, "{"));
  g_assert_false (has_answer (fixture, "drop"));

  /* Nobody writes to it: it must not hold up anything. */
  g_assert_no_errno (g_unlink (path));
  g_assert_no_errno (mkfifo (path, 0600));
  g_ptr_array_set_size (fixture->notices, 0);
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_true (manager_fixture_has_notice (fixture, "is no file"));
}

static void
test_destructive (ManagerFixture *fixture, gconstpointer data)
{
  static const char words[] = "--tools read,add_x,drop --read-only read --gentle add_x";

  g_test_summary ("that a tool destroys nothing is believed of servers that are trusted");
  manager_fixture_write (fixture, trusted_entry (fixture, "one", words),
                         manager_fixture_entry (fixture, "two", words), NULL);
  gmcp_manager_set_ask_destructive (fixture->manager, TRUE);
  g_assert_null (manager_fixture_load (fixture, NULL));
  assert_called (fixture, "one__read", NULL);
  assert_called (fixture, "one__add_x", NULL);
  assert_refused (fixture, "one__drop", NULL, "ask-destructive");
  assert_refused (fixture, "two__read", NULL, "ask-destructive");
  assert_refused (fixture, "two__add_x", NULL, "ask-destructive");
  g_assert_true (gmcp_manager_permits_tool (fixture->manager, NULL, "bash", NULL, NULL));
  gmcp_manager_set_ask_destructive (fixture->manager, FALSE);
  assert_called (fixture, "two__drop", NULL);
}

static void
test_yaml (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *script
    = g_test_build_filename (G_TEST_DIST, "servers", "managed-server.py", NULL);
  g_autofree char *path = g_build_filename (fixture->dir, "tools.yaml", NULL);
  g_autofree char *text
    = g_strdup_printf ("mcp_servers:\n"
                       "  files:\n"
                       "    command: \"/usr/bin/python3 -S %s --log %s --tools read,write\"\n"
                       "    auto_start: true\n"
                       "tools:\n"
                       "  coder:\n"
                       "    mcp_tools: {required: [files], recommended: [search]}\n"
                       "    role_restrictions:\n"
                       "      review:\n"
                       "        allowed_tools: [files.read, grep]\n",
                       script, fixture->log);
  g_autoptr (GmcpRequirements) requirements = NULL;

  g_test_summary ("roles and tiers of a YAML file hold for the host that they are for");
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  set_file (fixture->manager, "config-file", path);
  gmcp_manager_set_host (fixture->manager, "coder");
  gmcp_manager_set_role (fixture->manager, "review");
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "files__read");
  assert_refused (fixture, "files__write", NULL, "role review: not in allowed-tools");
  g_assert_true (gmcp_manager_permits_tool (fixture->manager, NULL, "grep", NULL, NULL));
  g_assert_false (gmcp_manager_permits_tool (fixture->manager, NULL, "bash", NULL, NULL));
  requirements = gmcp_manager_dup_requirements (fixture->manager, NULL);
  g_assert_cmpstr (gmcp_requirements_get_required (requirements)[0], ==, "files");
  g_assert_cmpstr (gmcp_requirements_get_recommended (requirements)[0], ==, "search");

  gmcp_manager_set_host (fixture->manager, "other");
  manager_fixture_assert_tools (fixture, "");
  g_assert_no_errno (g_unlink (path));
}

static char *
read_pins (ManagerFixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->state, "tool-pins.json", NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static gboolean
has_pin (ManagerFixture *fixture, const char *part)
{
  g_autofree char *text = read_pins (fixture);

  return text != NULL && strstr (text, part) != NULL;
}

static void
on_approved (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  *(int *) data = gmcp_manager_approve_tools_finish (GMCP_MANAGER (object), result, &error);
  if (error != NULL)
    *(int *) data = error->domain == GMCP_ERROR ? -2 - error->code : -2;
}

static int
approve (ManagerFixture *fixture, const char *server, const char *tool)
{
  int n_approved = -1;

  gmcp_manager_approve_tools_async (fixture->manager, server, tool, NULL, on_approved, &n_approved);
  manager_fixture_wait_until (n_approved != -1);
  return n_approved;
}

static GmcpToolPin *
get_pin (ManagerFixture *fixture, const char *tool)
{
  g_autoptr (GPtrArray) pins = gmcp_manager_list_pins (fixture->manager);

  for (guint i = 0; i < pins->len; i++)
    if (g_str_equal (gmcp_tool_pin_get_tool (g_ptr_array_index (pins, i)), tool))
      return g_object_ref (g_ptr_array_index (pins, i));

  return NULL;
}

static void
test_pins (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpToolPin) changed = NULL;
  g_autoptr (GmcpToolPin) added = NULL;
  g_autofree char *diff = NULL;

  g_test_summary ("a tool that changes, or comes later, is withheld until it is approved");
  manager_fixture_write (fixture,
                         manager_fixture_entry (fixture, "one", "--tools describe,add,pid"), NULL);
  gmcp_manager_set_pin_policy (fixture->manager, GMCP_PIN_POLICY_WITHHOLD);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__describe one__add one__pid");
  manager_fixture_wait_until (has_pin (fixture, "\"pid\""));
  g_assert_false (manager_fixture_has_notice (fixture, "approve"));

  fixture->n_tool_changes = 0;
  assert_called (fixture, "one__describe", NULL);
  manager_fixture_wait_until (fixture->n_tool_changes > 0);
  manager_fixture_assert_tools (fixture, "one__add one__pid");
  g_assert_true (manager_fixture_has_notice (
    fixture, "warning one The tool one.describe has changed since it was approved"));
  assert_refused (fixture, "one__describe", NULL,
                  "pin: changed; approve with: gmcp approve one.describe");
  assert_not_found (fixture, "one.describe");

  g_free (manager_fixture_call (fixture, "one.add", "{\"name\":\"late\"}", NULL, NULL));
  manager_fixture_wait_until (manager_fixture_has_notice (fixture, "The tool one.late is new"));
  assert_refused (fixture, "late", NULL, "pin: new");
  manager_fixture_assert_tools (fixture, "one__add one__pid");

  changed = get_pin (fixture, "describe");
  g_assert_cmpstr (gmcp_tool_pin_get_server_id (changed), ==, "one");
  g_assert_cmpint (gmcp_tool_pin_get_status (changed), ==, GMCP_PIN_STATUS_CHANGED);
  diff = gmcp_tool_pin_dup_diff (changed);
  g_assert_cmpstr (diff, ==,
                   "- description: \"Does describe\"\n+ description: \"Another description\"\n");
  added = get_pin (fixture, "late");
  g_assert_cmpint (gmcp_tool_pin_get_status (added), ==, GMCP_PIN_STATUS_NEW);
  g_assert_null (gmcp_tool_pin_get_approved_json (added));
  g_assert_nonnull (strstr (gmcp_tool_pin_get_present_json (added), "Does late"));
  manager_fixture_wait_until (has_pin (fixture, "\"late\""));

  g_assert_cmpint (approve (fixture, "two", NULL), ==, -2 - GMCP_ERROR_NOT_CONFIGURED);
  g_assert_cmpint (approve (fixture, "two", "late"), ==, -2 - GMCP_ERROR_NOT_CONFIGURED);
  g_assert_cmpint (approve (fixture, "one", "nothing"), ==, -2 - GMCP_ERROR_UNKNOWN_TOOL);
  g_assert_cmpint (approve (fixture, NULL, "nothing"), ==, -2 - GMCP_ERROR_UNKNOWN_TOOL);
  g_assert_cmpint (approve (fixture, "one", "late"), ==, 1);
  g_assert_cmpint (approve (fixture, "one", "late"), ==, 0);
  manager_fixture_assert_tools (fixture, "one__add one__pid one__late");
  g_assert_cmpint (approve (fixture, NULL, NULL), ==, 1);
  manager_fixture_assert_tools (fixture, "one__describe one__add one__pid one__late");
  assert_called (fixture, "one__describe", NULL);
}

static void
test_pins_elsewhere (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManager *own = fixture->manager;
  g_autoptr (GmcpManager) other = gmcp_manager_new ();

  g_test_summary ("what is approved in another program, as with gmcp approve, counts at once");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools describe,pid"),
                         NULL);
  gmcp_manager_set_pin_policy (fixture->manager, GMCP_PIN_POLICY_WITHHOLD);
  g_assert_null (manager_fixture_load (fixture, NULL));
  assert_called (fixture, "one__describe", NULL);
  manager_fixture_wait_until (g_list_model_get_n_items (fixture->tools) == 1);
  manager_fixture_wait_until (has_pin (fixture, "Another description"));

  set_file (other, "config-file", fixture->config);
  set_file (other, "state-directory", fixture->state);
  fixture->manager = other;
  g_assert_cmpint (approve (fixture, "one", NULL), ==, 1);
  fixture->manager = own;
  manager_fixture_wait_until (g_list_model_get_n_items (fixture->tools) == 2);
  manager_fixture_assert_tools (fixture, "one__describe one__pid");
}

static void
test_pins_kept (ManagerFixture *fixture, gconstpointer data)
{
  guint n_notices = 0;

  g_test_summary ("what was seen in one run is known in the next, and told of once");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools describe,pid"),
                         NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  fixture->n_tool_changes = 0;
  assert_called (fixture, "one__describe", NULL);
  manager_fixture_wait_until (fixture->n_tool_changes > 0);
  manager_fixture_assert_tools (fixture, "one__describe one__pid");
  for (guint i = 0; i < fixture->notices->len; i++)
    n_notices += strstr (g_ptr_array_index (fixture->notices, i), "has changed") != NULL;
  g_assert_cmpuint (n_notices, ==, 1);
  manager_fixture_wait_until (has_pin (fixture, "Another description"));

  /* The server has its first description again, which is the approved one. */
  renew_manager (fixture);
  gmcp_manager_set_pin_policy (fixture->manager, GMCP_PIN_POLICY_WITHHOLD);
  g_assert_null (manager_fixture_load (fixture, NULL));
  /* It may have been listed as it was last known. */
  assert_called (fixture, "one.pid", NULL);
  manager_fixture_wait_until (g_list_model_get_n_items (fixture->tools) == 2);
  manager_fixture_assert_tools (fixture, "one__describe one__pid");
  manager_fixture_wait_until (!has_pin (fixture, "Another description"));

  /* Another command is another server. */
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools describe,other"),
                         NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_wait_until (g_list_model_get_n_items (fixture->tools) == 2);
  manager_fixture_wait_until (has_pin (fixture, "Does other"));
  manager_fixture_assert_tools (fixture, "one__describe one__other");
}

static void
test_pins_command (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) pins = NULL;
  guint n_withheld = 0;

  g_test_summary ("what is withheld stays so when the command of its server is changed");
  gmcp_manager_set_pin_policy (fixture->manager, GMCP_PIN_POLICY_WITHHOLD);
  configure (fixture, "--tools add,pid,echo");
  manager_fixture_assert_tools (fixture, "one__add one__pid one__echo");
  g_free (manager_fixture_call (fixture, "one.add", "{\"name\":\"late\"}", NULL, NULL));
  manager_fixture_wait_until (manager_fixture_has_notice (fixture, "The tool one.late is new"));

  g_test_message ("one tool is new still, one has changed, one was never seen");
  g_ptr_array_set_size (fixture->notices, 0);
  configure (fixture, "--tools add,pid,echo,late,other --described echo");
  manager_fixture_wait_until (g_list_model_get_n_items (fixture->tools) == 3
                              && manager_fixture_has_notice (fixture, "The tool one.late is new"));
  manager_fixture_assert_tools (fixture, "one__add one__pid one__other");
  g_assert_true (
    manager_fixture_has_notice (fixture, "The tool one.echo has changed since it was approved"));
  assert_refused (fixture, "one__echo", NULL, "pin: changed");
  assert_refused (fixture, "one__late", NULL, "pin: new");

  g_test_message ("and so in the next run, with yet another command");
  manager_fixture_wait_until (has_pin (fixture, "Does other"));
  renew_manager (fixture);
  gmcp_manager_set_pin_policy (fixture->manager, GMCP_PIN_POLICY_WITHHOLD);
  configure (fixture, "--tools echo,late --described echo");
  assert_refused (fixture, "one.echo", NULL, "pin: changed");
  assert_refused (fixture, "one.late", NULL, "pin: new");
  manager_fixture_assert_tools (fixture, "");
  pins = gmcp_manager_list_pins (fixture->manager);
  for (guint i = 0; i < pins->len; i++)
    n_withheld
      += gmcp_tool_pin_get_status (g_ptr_array_index (pins, i)) != GMCP_PIN_STATUS_APPROVED;
  g_assert_cmpuint (n_withheld, ==, 2);

  g_test_message ("what is approved stays so");
  g_assert_cmpint (approve (fixture, "one", NULL), ==, 2);
  configure (fixture, "--tools echo,late,pid --described echo");
  manager_fixture_wait_until (g_list_model_get_n_items (fixture->tools) == 3);
  assert_called (fixture, "one.echo", NULL);
}

static void
test_pins_bad_file (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const texts[] = {
    "",
    "{",
    "{\"servers\":1}",
    "{\"servers\":[1]}",
    "{\"servers\":[{\"id\":\"one\"}]}",
    "{\"servers\":[{\"id\":\"one\",\"identity\":5,\"tools\":[{\"name\":\"pid\",\"digest\":\"d\"}]}]}",
    "{\"servers\":[{\"id\":\"x\",\"identity\":\"y\",\"tools\":[{},{\"name\":\"t\",\"digest\":\"d\"}]}]}",
  };
  g_autofree char *path = g_build_filename (fixture->state, "tool-pins.json", NULL);

  g_test_summary ("where the pins cannot be read nothing is taken for approved, or written over");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"), NULL);
  g_assert_no_errno (g_mkdir (fixture->state, 0700));
  gmcp_manager_set_pin_policy (fixture->manager, GMCP_PIN_POLICY_WITHHOLD);
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *text = NULL;

      g_assert_true (g_file_set_contents (path, texts[i], -1, NULL));
      g_ptr_array_set_size (fixture->notices, 0);
      g_assert_null (manager_fixture_load (fixture, NULL));
      g_assert_true (manager_fixture_has_notice (fixture, "tool-pins.json could not be read"));
      manager_fixture_assert_tools (fixture, "");
      assert_refused (fixture, "one__pid", NULL, "pin: new");
      text = read_pins (fixture);
      g_assert_cmpstr (text, ==, texts[i]);
    }

  g_assert_cmpint (approve (fixture, NULL, NULL), <=, -2);
  gmcp_manager_set_pin_policy (fixture->manager, GMCP_PIN_POLICY_NOTICE);
  manager_fixture_assert_tools (fixture, "one__pid");

  g_assert_true (g_file_set_contents (
    path,
    "{\"servers\":[{\"id\":\"x\",\"identity\":\"y\",\"tools\":[{\"name\":\"t\",\"digest\":\"d\"}]}]}",
    -1, NULL));
  gmcp_manager_set_pin_policy (fixture->manager, GMCP_PIN_POLICY_WITHHOLD);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__pid");
}

static void
test_references (ManagerFixture *fixture, gconstpointer data)
{
  static const char text[]
    = "mcp_servers:\n"
      "  files: {command: /bin/true}\n"
      "tools:\n"
      "  coder:\n"
      "    mcp_tools: {required: [files, git], optional: [extra]}\n"
      "    role_restrictions:\n"
      "      review:\n"
      "        allowed_tools: [files.read, extra.x, lost.a, lost.b, grep, '*.y']\n";
  static const char *const rules[] = { "files.x", "away.y", "bash", NULL };
  g_autofree char *path = g_build_filename (fixture->dir, "tools.yaml", NULL);
  g_autoptr (GmcpRole) role = gmcp_role_new ("own", rules, NULL);
  g_autoptr (GPtrArray) findings = NULL;
  g_autoptr (GString) all = g_string_new (NULL);

  g_test_summary ("what refers to a server that is not there is found, with its place");
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  set_file (fixture->manager, "config-file", path);
  gmcp_manager_add_role (fixture->manager, role);
  g_assert_null (manager_fixture_load (fixture, NULL));
  findings = gmcp_manager_list_findings (fixture->manager);
  for (guint i = 0; i < findings->len; i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (findings, i);

      g_string_append_printf (all, "%d %s %s\n", gmcp_config_finding_get_severity (finding),
                              gmcp_config_finding_get_key_path (finding),
                              gmcp_config_finding_get_message (finding));
      if (gmcp_config_finding_get_line (finding) > 0)
        g_assert_cmpstr (g_file_peek_path (gmcp_config_finding_get_file (finding)), ==, path);
    }
  g_assert_cmpstr (all->str, ==,
                   "2 roles.own References unknown MCP server: away\n"
                   "2 tools.coder.role_restrictions.review References unknown MCP server: lost\n"
                   "1 tools.coder.mcp_tools.required References unknown MCP server: git\n");
  g_assert_no_errno (g_unlink (path));
}

#ifdef HAVE_YAML
#define HAS_YAML TRUE
#else
#define HAS_YAML FALSE
#endif

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/policy/" path, ManagerFixture, NULL, manager_fixture_set_up, func,         \
              manager_fixture_tear_down)

  ADD ("role/every-name", test_every_name);
  ADD ("role/hostile-names", test_hostile_names);
  ADD ("role/later", test_later);
  ADD ("role/of-call", test_call_role);
  ADD ("role/change", test_change);
  ADD ("role/own-tools", test_own_tools);
  ADD ("role/read-only", test_read_only);
  ADD ("ask", test_ask);
  ADD ("ask/later", test_ask_later);
  ADD ("ask/changed", test_ask_changed);
  ADD ("ask/always", test_ask_always);
  ADD ("ask/program", test_ask_program);
  ADD ("ask/bad-file", test_ask_bad_file);
  ADD ("ask/destructive", test_destructive);
  if (HAS_YAML)
    ADD ("yaml", test_yaml);
  if (HAS_YAML)
    ADD ("references", test_references);
  ADD ("pins", test_pins);
  ADD ("pins/elsewhere", test_pins_elsewhere);
  ADD ("pins/kept", test_pins_kept);
  ADD ("pins/command", test_pins_command);
  ADD ("pins/bad-file", test_pins_bad_file);
  ADD ("role/while-waiting", test_while_waiting);
  return g_test_run ();
}
