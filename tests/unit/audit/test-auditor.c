/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-auditor-private.h"
#include "gmcp-tool-provider-private.h"
#include "list-provider.h"
#include "new-audit-log.h"

#include <gmcp/core/gmcp-error.h>

#include "unit-test.h"

/* Which log is used, and what the record of a call says. */

static void
count_notice (gpointer data, GmcpNoticeLevel level, const char *message)
{
  (*(guint *) data)++;
}

static void
test_log (void)
{
  g_autoptr (GmcpAuditor) auditor
    = gmcp_auditor_new (g_main_context_default (), count_notice, NULL);
  g_autoptr (GmcpAuditLog) log = new_audit_log ("/nowhere/audit.jsonl");
  g_autoptr (GFile) logs = g_file_new_for_path ("/logs");
  GmcpAuditLog *made;

  g_test_summary (
    "a log is made where none was set, and none is used while calls are not recorded");
  g_assert_true (gmcp_auditor_is_enabled (auditor));
  gmcp_auditor_set_hash_arguments (auditor, TRUE);
  made = gmcp_auditor_get_log (auditor);
  g_assert_nonnull (made);
  g_assert_true (gmcp_audit_log_get_hash_arguments (made));
  g_assert_true (gmcp_auditor_get_log (auditor) == made);

  g_assert_true (gmcp_auditor_set_log (auditor, log));
  g_assert_false (gmcp_auditor_set_log (auditor, log));
  g_assert_true (gmcp_auditor_get_log (auditor) == log);
  gmcp_auditor_set_hash_arguments (auditor, FALSE);
  g_assert_false (gmcp_auditor_get_hash_arguments (auditor));
  g_assert_false (gmcp_audit_log_get_hash_arguments (log));

  gmcp_auditor_set_enabled (auditor, FALSE);
  g_assert_null (gmcp_auditor_get_log (auditor));
  g_assert_false (gmcp_auditor_set_log (auditor, log));

  gmcp_auditor_set_log_directory (auditor, logs);
  g_assert_true (gmcp_auditor_get_log_directory (auditor) == logs);
  g_assert_cmpstr (gmcp_auditor_get_book (auditor)->log_dir, ==, "/logs");
  gmcp_auditor_set_log_directory (auditor, NULL);
  g_assert_null (gmcp_auditor_get_log_directory (auditor));
}

typedef struct
{
  GmcpAuditor *auditor;
  const char *replay_of;
} Recording;

static void
record_call (GmcpToolProvider *provider, GmcpToolCall *call, gpointer data)
{
  const Recording *recording = data;
  g_autoptr (GError) error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_FAILED, "it failed");

  gmcp_auditor_begin_call (recording->auditor, call, recording->replay_of);
  gmcp_tool_call_return_error (call, error);
}

static void
make_call (GmcpAuditor *auditor, ListProvider *provider, const char *replay_of)
{
  Recording recording = { auditor, replay_of };
  const GmcpToolCarrier carrier = { record_call, &recording };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_tool_provider_carry_call_async (GMCP_TOOL_PROVIDER (provider), "echo", "{\"a\":1}", NULL,
                                       &carrier, NULL, list_provider_store_result, &result);
  g_assert_null (gmcp_tool_provider_call_tool_json_finish (GMCP_TOOL_PROVIDER (provider),
                                                           list_provider_wait (&result), &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_FAILED);
}

static void
test_record (void)
{
  g_autofree char *dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "audit.jsonl", NULL);
  guint n_notices = 0;
  g_autoptr (GmcpAuditor) auditor
    = gmcp_auditor_new (g_main_context_default (), count_notice, &n_notices);
  g_autoptr (GmcpAuditLog) log = new_audit_log (path);
  g_autoptr (ListProvider) provider = list_provider_new ();
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  g_test_summary ("who calls is in the record, and only a call that repeats another says so");
  gmcp_auditor_set_log (auditor, log);
  gmcp_auditor_set_host (auditor, "org.example.Host");
  gmcp_auditor_set_role (auditor, "reader");
  gmcp_auditor_set_project (auditor, "house");
  make_call (auditor, provider, NULL);
  first = dup_audit_log (log);
  g_assert_nonnull (strstr (first, "\"org.example.Host\""));
  g_assert_nonnull (strstr (first, "\"reader\""));
  g_assert_nonnull (strstr (first, "\"house\""));
  g_assert_null (strstr (first, "replay_of"));

  make_call (auditor, provider, "abc");
  second = dup_audit_log (log);
  g_assert_true (g_str_has_prefix (second, first));
  g_assert_nonnull (strstr (second, "\"replay_of\":\"abc\""));
  g_assert_cmpuint (provider->n_calls, ==, 0);

  /* A call that ends now belongs to no log. */
  gmcp_auditor_set_enabled (auditor, FALSE);
  make_call (auditor, provider, NULL);
  g_free (first);
  first = dup_audit_log (log);
  g_assert_cmpstr (first, ==, second);
  g_assert_cmpuint (n_notices, ==, 0);
  g_unlink (path);
  g_rmdir (dir);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/audit/auditor/log", test_log);
  g_test_add_func ("/audit/auditor/record", test_record);
  return g_test_run ();
}
