/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-approval-file-private.h"
#include "gmcp-approvals-private.h"
#include "list-provider.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/gmcp-call-permission.h>

#include "unit-test.h"

/* Each question is answered once, by somebody or by time, and what is allowed for good is kept. */

typedef struct
{
  ListProvider *provider;
  GmcpStateStore *state;
  GmcpApprovals *approvals;
  GmcpTool *tool;
  GmcpCallOptions *options;
  char *dir;
  GmcpCallPermission *request; /* the last one */
  guint n_remembered;
  guint n_answers;
  GError *error; /* of the last answer */
} Fixture;

static gboolean
take_approvals (gpointer owner, GBytes *bytes, GError **error)
{
  Fixture *fixture = g_object_get_data (owner, "fixture");

  return gmcp_approvals_take (fixture->approvals, bytes, error);
}

static const char *
describe_lost_approvals (gpointer owner)
{
  Fixture *fixture = g_object_get_data (owner, "fixture");

  return gmcp_approvals_describe_loss (fixture->approvals);
}

static void
ignore_warning (gpointer owner, const char *message)
{
}

static void
ignore_end (gpointer owner)
{
}

static void
on_remembered (gpointer provider)
{
  Fixture *fixture = g_object_get_data (provider, "fixture");

  fixture->n_remembered++;
}

static void
on_call_requested (GmcpToolProvider *provider, GmcpCallPermission *request, gpointer data)
{
  Fixture *fixture = data;

  g_set_object (&fixture->request, request);
}

static const GmcpApprovalsFuncs approvals_funcs = { .remembered = on_remembered };

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) folder = NULL;
  static const GmcpStateKind kinds[]
    = { { GMCP_CALL_ANSWERS_FILE, FALSE, take_approvals, describe_lost_approvals } };
  static const GmcpStateStoreFuncs funcs = { ignore_warning, ignore_end };

  fixture->provider = list_provider_new ();
  g_object_set_data (G_OBJECT (fixture->provider), "fixture", fixture);
  fixture->dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  fixture->state = gmcp_state_store_new (G_OBJECT (fixture->provider), g_main_context_default (),
                                         kinds, 1, &funcs);
  folder = g_file_new_for_path (fixture->dir);
  gmcp_state_store_set_folder (fixture->state, folder);
  fixture->approvals
    = gmcp_approvals_new (GMCP_TOOL_PROVIDER (fixture->provider), g_main_context_default (),
                          fixture->state, &approvals_funcs);
  fixture->tool = list_provider_make_tool ("drop", NULL, "drops", NULL);
  fixture->options = gmcp_call_options_new ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { GMCP_CALL_ANSWERS_FILE, GMCP_CALL_ANSWERS_FILE ".lock" };

  while (gmcp_state_store_is_keeping (fixture->state))
    g_main_context_iteration (NULL, TRUE);
  g_clear_object (&fixture->request);
  g_assert_finalize_object (fixture->provider);
  gmcp_approvals_free (fixture->approvals);
  gmcp_state_store_free (fixture->state);
  g_object_unref (fixture->tool);
  g_assert_finalize_object (fixture->options);
  g_clear_error (&fixture->error);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (fixture->dir, names[i], NULL);

      if (g_unlink (path) != 0)
        g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    }
  g_rmdir (fixture->dir);
  g_free (fixture->dir);
}

static void
on_answer (GmcpApprovalOutcome outcome, const GError *error, gpointer data)
{
  Fixture *fixture = data;

  fixture->n_answers++;
  g_clear_error (&fixture->error);
  if (error != NULL)
    fixture->error = g_error_copy (error);
}

static GmcpApprovalSubject
get_subject (Fixture *fixture, const char *role)
{
  return (GmcpApprovalSubject){ .role = role, .tool = fixture->tool };
}

static void
ask (Fixture *fixture, guint timeout_ms, GCancellable *cancellable)
{
  const GmcpApprovalQuestion question = {
    .subject = get_subject (fixture, NULL),
    .rule = "ask-first: drop",
    .arguments_json = "{}",
    .options = fixture->options,
    .timeout_ms = timeout_ms,
  };

  gmcp_approvals_ask (fixture->approvals, &question, cancellable, on_answer, fixture);
}

static void
listen_to_requests (Fixture *fixture)
{
  g_signal_connect (fixture->provider, "call-requested", G_CALLBACK (on_call_requested), fixture);
}

static void
await_answers (Fixture *fixture, guint n_answers)
{
  while (fixture->n_answers < n_answers)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (fixture->n_answers, ==, n_answers);
}

static void
assert_refused (Fixture *fixture, const char *why)
{
  g_assert_error (fixture->error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_assert_nonnull (strstr (fixture->error->message, "ask-first: drop"));
  g_assert_nonnull (strstr (fixture->error->message, why));
}

static void
test_answers (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) closed = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED, "closed");

  g_test_summary (
    "allowed, denied, dropped, too late, cancelled, or nobody there: one answer each");
  ask (fixture, 60000, NULL);
  g_assert_cmpuint (fixture->n_answers, ==, 1);
  assert_refused (fixture, "nobody to ask");

  listen_to_requests (fixture);
  ask (fixture, 60000, NULL);
  g_assert_cmpuint (fixture->n_answers, ==, 1);
  g_assert_true (gmcp_input_request_get_options (GMCP_INPUT_REQUEST (fixture->request))
                 == fixture->options);
  gmcp_call_permission_allow_once (fixture->request);
  await_answers (fixture, 2);
  g_assert_no_error (fixture->error);

  ask (fixture, 60000, NULL);
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (fixture->request));
  await_answers (fixture, 3);
  assert_refused (fixture, "not allowed");

  ask (fixture, 60000, NULL);
  g_clear_object (&fixture->request);
  await_answers (fixture, 4);
  assert_refused (fixture, "not allowed");

  ask (fixture, 1, NULL);
  await_answers (fixture, 5);
  assert_refused (fixture, "nobody answered");

  ask (fixture, 60000, cancellable);
  g_cancellable_cancel (cancellable);
  await_answers (fixture, 6);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  ask (fixture, 60000, NULL);
  ask (fixture, 60000, NULL);
  gmcp_approvals_drop_questions (fixture->approvals, closed);
  g_assert_cmpuint (fixture->n_answers, ==, 8);
  g_assert_error (fixture->error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_assert_cmpuint (fixture->n_remembered, ==, 0);
}

static void
on_loaded (gpointer owner, gpointer data)
{
  *(gboolean *) data = TRUE;
}

static void
load (Fixture *fixture)
{
  gboolean is_loaded = FALSE;

  gmcp_state_store_load (fixture->state, on_loaded, &is_loaded);
  while (!is_loaded)
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
is_remembered (Fixture *fixture, const char *role)
{
  const GmcpApprovalSubject subject = get_subject (fixture, role);

  return gmcp_approvals_is_remembered (fixture->approvals, &subject);
}

static void
test_remembered (Fixture *fixture, gconstpointer data)
{
  static const char *const argv[] = { "one", NULL };
  g_autoptr (GmcpServerConfig) config = gmcp_server_config_new ("one", argv);
  g_autofree char *path = g_build_filename (fixture->dir, GMCP_CALL_ANSWERS_FILE, NULL);
  GmcpApprovalSubject subject = get_subject (fixture, NULL);

  g_test_summary ("what was allowed for good is so for that role, program and tool only");
  load (fixture);
  g_assert_false (is_remembered (fixture, NULL));
  listen_to_requests (fixture);
  ask (fixture, 60000, NULL);
  gmcp_call_permission_allow_always (fixture->request);
  await_answers (fixture, 1);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (fixture->n_remembered, ==, 1);
  g_assert_true (is_remembered (fixture, NULL));
  g_assert_false (is_remembered (fixture, "reader"));
  subject.config = config;
  g_assert_false (gmcp_approvals_is_remembered (fixture->approvals, &subject));
  subject.tool = NULL;
  g_assert_false (gmcp_approvals_is_remembered (fixture->approvals, &subject));

  while (gmcp_state_store_is_keeping (fixture->state))
    g_main_context_iteration (NULL, TRUE);
  load (fixture);
  g_assert_cmpuint (g_hash_table_size (gmcp_approvals_peek_remembered (fixture->approvals)), ==, 1);
  g_assert_true (is_remembered (fixture, NULL));

  /* Of a broken file nothing is taken, and what was known holds. */
  g_assert_true (g_file_set_contents (path, "{", -1, NULL));
  load (fixture);
  g_assert_true (is_remembered (fixture, NULL));
  g_assert_no_errno (g_unlink (path));
  load (fixture);
  g_assert_false (is_remembered (fixture, NULL));
}

#define ADD(path, func)                                                                            \
  g_test_add ("/policy/approvals/" path, Fixture, NULL, set_up, func, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("answers", test_answers);
  ADD ("remembered", test_remembered);
  return g_test_run ();
}
