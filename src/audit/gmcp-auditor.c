/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-auditor-private.h"

#include "gmcp-audit-log-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-local-file-private.h"
#include "gmcp-log-registry-private.h"

struct _GmcpAuditor
{
  GMainContext *context;
  GmcpAuditorNoticeFunc notice;
  gpointer data;
  GmcpCallBook *book;
  gboolean is_enabled;
  gboolean hash_arguments;
  GFile *log_directory; /* of what servers print; NULL for the standard place */
};

static void
on_log_state (GmcpAuditLog *log, GParamSpec *pspec, gpointer data)
{
  GmcpAuditor *self = data;
  const GError *error = gmcp_audit_log_get_last_error (log);
  g_autofree char *message = NULL;

  if (error != NULL)
    message = g_strdup_printf (_ ("Calls cannot be written to the audit log: %s"), error->message);
  else
    message = g_strdup_printf (_ ("Calls are written to the audit log %s again"), log->path);
  self->notice (self->data, error != NULL ? GMCP_NOTICE_LEVEL_WARNING : GMCP_NOTICE_LEVEL_INFO,
                message);
}

static void
use_log (GmcpAuditor *self, GmcpAuditLog *log)
{
  GmcpCallBook *book = self->book;

  if (book->audit_log == log)
    return;

  if (book->audit_log != NULL)
    g_signal_handlers_disconnect_by_func (book->audit_log, on_log_state, self);
  g_set_object (&book->audit_log, log);
  if (log == NULL)
    return;

  g_signal_connect (log, "notify::last-error", G_CALLBACK (on_log_state), self);
  /* Another manager that shares the book may have set its limits. */
  if (book->max_log_bytes != GMCP_DEFAULT_LOG_BYTES
      || book->max_log_files != GMCP_DEFAULT_LOG_FILES)
    gmcp_audit_log_set_limits (log, book->max_log_bytes, book->max_log_files);
}

static void
make_log (GmcpAuditor *self)
{
  g_autoptr (GmcpAuditLog) log = NULL;

  g_main_context_push_thread_default (self->context);
  log = gmcp_audit_log_new (NULL);
  g_main_context_pop_thread_default (self->context);
  gmcp_audit_log_set_hash_arguments (log, self->hash_arguments);
  use_log (self, log);
}

GmcpAuditor *
gmcp_auditor_new (GMainContext *context, GmcpAuditorNoticeFunc notice, gpointer data)
{
  GmcpAuditor *self = g_new0 (GmcpAuditor, 1);

  self->context = g_main_context_ref (context);
  self->notice = notice;
  self->data = data;
  self->book = gmcp_call_book_new ();
  self->is_enabled = TRUE;
  return self;
}

void
gmcp_auditor_free (GmcpAuditor *self)
{
  use_log (self, NULL);
  gmcp_call_book_unref (self->book);
  g_main_context_unref (self->context);
  g_clear_object (&self->log_directory);
  g_free (self);
}

void
gmcp_auditor_begin_call (GmcpAuditor *self, GmcpToolCall *call, const char *replay_of)
{
  GmcpJsonValue arguments = gmcp_tool_call_get_arguments_value (call);
  gboolean names_are_plain = FALSE;
  gsize length = 0;

  if (gmcp_json_value_is_present (arguments))
    gmcp_json_value_peek_raw (arguments, &length);
  if (length > 0 && length <= GMCP_LIMIT_AUDIT_ARGUMENTS_BYTES)
    names_are_plain = !gmcp_redactor_add_arguments (self->book->redactor, arguments);
  if (G_UNLIKELY (self->is_enabled && self->book->audit_log == NULL))
    make_log (self);
  gmcp_call_record_begin (self->book, call, names_are_plain);
  if (G_UNLIKELY (replay_of != NULL))
    gmcp_call_record_set_replay_of (call, replay_of);
}

void
gmcp_auditor_set_enabled (GmcpAuditor *self, gboolean enabled)
{
  self->is_enabled = enabled;
  if (!enabled)
    use_log (self, NULL);
}

gboolean
gmcp_auditor_is_enabled (GmcpAuditor *self)
{
  return self->is_enabled;
}

void
gmcp_auditor_set_hash_arguments (GmcpAuditor *self, gboolean hash_arguments)
{
  if (self->hash_arguments == hash_arguments)
    return;

  self->hash_arguments = hash_arguments;
  if (self->book->audit_log != NULL)
    gmcp_audit_log_set_hash_arguments (self->book->audit_log, hash_arguments);
}

gboolean
gmcp_auditor_get_hash_arguments (GmcpAuditor *self)
{
  return self->hash_arguments;
}

gboolean
gmcp_auditor_set_log (GmcpAuditor *self, GmcpAuditLog *log)
{
  if (!self->is_enabled || self->book->audit_log == log)
    return FALSE;

  use_log (self, log);
  return TRUE;
}

GmcpAuditLog *
gmcp_auditor_get_log (GmcpAuditor *self)
{
  if (self->is_enabled && self->book->audit_log == NULL)
    make_log (self);
  return self->book->audit_log;
}

void
gmcp_auditor_set_log_limits (GmcpAuditor *self, guint max_bytes, guint max_files)
{
  self->book->max_log_bytes = max_bytes;
  self->book->max_log_files = max_files;
  if (self->book->audit_log != NULL)
    gmcp_audit_log_set_limits (self->book->audit_log, max_bytes, max_files);
}

static void
on_server_logs_written (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;

  gmcp_log_registry_write_group_finish (result);
  g_task_return_boolean (task, TRUE);
}

static void
on_calls_written (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpCallBook *book = g_task_get_task_data (task);

  if (object != NULL)
    gmcp_audit_log_flush_finish (GMCP_AUDIT_LOG (object), result, NULL);
  gmcp_log_registry_write_group_async (book, on_server_logs_written, g_object_ref (task));
}

/* A log of the host's own may belong to another thread, which writes it. */
static GmcpAuditLog *
get_own_log (GmcpAuditor *self)
{
  GmcpAuditLog *log = self->book->audit_log;

  return log != NULL && gmcp_log_file_is_in_context (log->file, self->context) ? log : NULL;
}

void
gmcp_auditor_start_writing (GmcpAuditor *self)
{
  GmcpAuditLog *log = get_own_log (self);

  if (log != NULL)
    gmcp_log_file_start_write (log->file);
}

void
gmcp_auditor_write_logs_async (GmcpAuditor *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  GmcpAuditLog *log = get_own_log (self);

  g_task_set_source_tag (task, gmcp_auditor_write_logs_async);
  g_task_set_task_data (task, gmcp_call_book_ref (self->book),
                        (GDestroyNotify) gmcp_call_book_unref);
  if (log != NULL)
    gmcp_audit_log_flush_async (log, NULL, on_calls_written, task);
  else
    on_calls_written (NULL, NULL, task);
}

void
gmcp_auditor_write_logs_finish (GAsyncResult *result)
{
  g_assert (g_async_result_is_tagged (result, gmcp_auditor_write_logs_async));
  g_task_propagate_boolean (G_TASK (result), NULL);
}

static void
replace_text (char **text, const char *value)
{
  g_free (*text);
  *text = g_strdup (value);
}

void
gmcp_auditor_set_host (GmcpAuditor *self, const char *host)
{
  replace_text (&self->book->host, host);
}

void
gmcp_auditor_set_role (GmcpAuditor *self, const char *role)
{
  replace_text (&self->book->role, role);
}

void
gmcp_auditor_set_project (GmcpAuditor *self, const char *project)
{
  replace_text (&self->book->project, project);
}

void
gmcp_auditor_set_max_result_bytes (GmcpAuditor *self, guint max_result_bytes)
{
  self->book->max_result_bytes = max_result_bytes;
}

void
gmcp_auditor_set_log_directory (GmcpAuditor *self, GFile *directory)
{
  g_set_object (&self->log_directory, directory);
  replace_text (&self->book->log_dir, gmcp_file_peek_path_or_null (directory));
}

GFile *
gmcp_auditor_get_log_directory (GmcpAuditor *self)
{
  return self->log_directory;
}

GmcpRedactor *
gmcp_auditor_get_redactor (GmcpAuditor *self)
{
  return self->book->redactor;
}

GmcpCallBook *
gmcp_auditor_get_book (GmcpAuditor *self)
{
  return self->book;
}
