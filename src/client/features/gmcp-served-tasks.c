/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-served-tasks-private.h"

#include <string.h>

#include "gmcp-input-private.h"
#include "gmcp-kept-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-task-state-private.h"

#define METHOD_RESULT    "tasks/result"
#define METHOD_LIST      "tasks/list"

#define POLL_INTERVAL_MS 1000
#define CODE_ENDED       (-1)

struct _GmcpServedTask
{
  GmcpSession *session; /* not owned */
  char *id;
  guint serial;
  GmcpTaskStatus status;
  char *status_message;
  GDateTime *created;
  GDateTime *updated;
  gint64 ttl_ms;
  gint64 expires_us;
  char *answer; /* the text of a result */
  gsize n_kept; /* bytes of the answer that are charged */
  int code;     /* of the error in its place */
  GmcpServedTaskFunc withdraw;
  GQueue waiters; /* of GmcpJsonDoc: ids of requests for the result */
};

struct _GmcpServedTasks
{
  gboolean declared; /* the server has been told that questions may be tasks */
  GPtrArray *tasks;  /* of GmcpServedTask; NULL before the first */
  guint last_serial;
};

GmcpServedTasks *
gmcp_served_tasks_new (void)
{
  return g_new0 (GmcpServedTasks, 1);
}

void
gmcp_served_tasks_free (GmcpServedTasks *served)
{
  g_clear_pointer (&served->tasks, g_ptr_array_unref);
  g_free (served);
}

static GmcpServedTasks *
served_of (GmcpSession *self)
{
  return gmcp_session_get_features (self)->served_tasks;
}

static gsize
get_waiter_bytes (GmcpJsonDoc *id)
{
  return gmcp_json_value_get_copy_bytes (gmcp_json_doc_get_root (id));
}

static void
drop_waiter (GmcpServedTask *task, GmcpJsonDoc *id)
{
  gmcp_kept_release (task->session, get_waiter_bytes (id));
  gmcp_json_doc_unref (id);
}

static void
task_free (gpointer data)
{
  GmcpServedTask *task = data;
  GmcpJsonDoc *id;

  while ((id = g_queue_pop_head (&task->waiters)) != NULL)
    drop_waiter (task, id);
  gmcp_kept_release (task->session, task->n_kept);
  g_free (task->id);
  g_free (task->status_message);
  g_date_time_unref (task->created);
  g_date_time_unref (task->updated);
  g_free (task->answer);
  g_free (task);
}

static gboolean
is_over (GmcpServedTask *task)
{
  return task->status >= GMCP_TASK_STATUS_COMPLETED;
}

static gboolean
is_kept (GmcpSession *self, GmcpServedTask *task)
{
  return served_of (self)->tasks != NULL && g_ptr_array_find (served_of (self)->tasks, task, NULL);
}

static void
write_request (GmcpJsonWriter *writer, const char *area, const char *method)
{
  gmcp_json_writer_key (writer, area);
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_empty (writer, method);
  gmcp_json_writer_end_object (writer);
}

void
gmcp_served_tasks_write_capabilities (GmcpSession *self,
                                      const char *version,
                                      GmcpJsonWriter *writer)
{
  served_of (self)->declared
    = gmcp_input_listens (self) && g_str_equal (version, GMCP_PROTOCOL_VERSION_2025_11_25);
  if (!served_of (self)->declared)
    return;

  gmcp_json_writer_key (writer, "tasks");
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_empty (writer, "list");
  gmcp_json_writer_member_empty (writer, "cancel");
  gmcp_json_writer_key (writer, "requests");
  gmcp_json_writer_begin_object (writer);
  write_request (writer, "elicitation", "create");
  if (gmcp_input_get_allow_sampling (self))
    write_request (writer, "sampling", "createMessage");
  gmcp_json_writer_end_object (writer);
  gmcp_json_writer_end_object (writer);
}

static void
write_state (GmcpJsonWriter *writer, GmcpServedTask *task)
{
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "taskId", task->id);
  gmcp_json_writer_member_string (writer, "status", gmcp_task_status_to_string (task->status));
  if (task->status_message != NULL)
    gmcp_json_writer_member_string (writer, "statusMessage", task->status_message);
  gmcp_task_write_time (writer, "createdAt", task->created);
  gmcp_task_write_time (writer, "lastUpdatedAt", task->updated);
  gmcp_json_writer_member_int64 (writer, "ttl", task->ttl_ms);
  gmcp_json_writer_member_int64 (writer, "pollInterval", POLL_INTERVAL_MS);
  gmcp_json_writer_end_object (writer);
}

static char *
dup_state (GmcpServedTask *task, const char *member)
{
  GString *text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);

  if (member == NULL)
    write_state (&writer, task);
  else
    {
      gmcp_json_writer_begin_object (&writer);
      gmcp_json_writer_key (&writer, member);
      write_state (&writer, task);
      gmcp_json_writer_end_object (&writer);
    }
  return g_string_free (text, FALSE);
}

/* At least as long as people may take, and not for ever. */
static gint64
choose_ttl (GmcpSession *self, GmcpJsonValue wish)
{
  gint64 least = gmcp_input_get_timeout_ms (self);
  gint64 most = MAX (least, (gint64) GMCP_LIMIT_OWN_TASK_TTL_MS);
  gint64 ttl = most;

  gmcp_json_value_get_int64 (gmcp_json_value_get_member (wish, "ttl"), &ttl);
  return CLAMP (ttl, least, most);
}

static void
expire_tasks (GmcpSession *self)
{
  gint64 now = g_get_monotonic_time ();

  for (guint i = served_of (self)->tasks->len; i > 0; i--)
    {
      GmcpServedTask *task = g_ptr_array_index (served_of (self)->tasks, i - 1);

      if (is_over (task) && task->expires_us <= now)
        g_ptr_array_remove_index (served_of (self)->tasks, i - 1);
    }
}

GmcpServedTask *
gmcp_served_tasks_make (GmcpSession *self,
                        const GmcpRpcMessage *request,
                        GmcpServedTaskFunc withdraw,
                        gboolean *done)
{
  GmcpJsonValue wish = gmcp_json_value_get_member (request->params, "task");
  g_autofree char *answer = NULL;
  GmcpServedTask *task;

  *done = FALSE;
  if (!served_of (self)->declared || !gmcp_json_value_is_object (wish)
      || g_strcmp0 (gmcp_session_get_protocol_version (self), GMCP_PROTOCOL_VERSION_2025_11_25)
           != 0)
    return NULL;

  if (served_of (self)->tasks == NULL)
    served_of (self)->tasks = g_ptr_array_new_with_free_func (task_free);
  expire_tasks (self);
  if (served_of (self)->tasks->len >= GMCP_LIMIT_OWN_TASKS)
    {
      *done = TRUE;
      gmcp_session_send_error (self, request->id, CODE_ENDED, "Too many tasks");
      return NULL;
    }

  task = g_new0 (GmcpServedTask, 1);
  task->session = self;
  task->withdraw = withdraw;
  task->id = g_uuid_string_random ();
  task->serial = ++served_of (self)->last_serial;
  task->status = GMCP_TASK_STATUS_WORKING;
  task->status_message = g_strdup ("The user has been asked");
  task->created = g_date_time_new_now_utc ();
  task->updated = g_date_time_ref (task->created);
  task->ttl_ms = choose_ttl (self, wish);
  task->expires_us = g_get_monotonic_time () + task->ttl_ms * 1000;
  g_ptr_array_add (served_of (self)->tasks, task);

  answer = dup_state (task, "task");
  gmcp_session_send_result (self, request->id, answer);
  /* Sending may have ended the connection. */
  *done = !is_kept (self, task);
  return *done ? NULL : task;
}

char *
gmcp_served_tasks_dup_related_task (GmcpJsonValue params)
{
  GmcpJsonValue meta = gmcp_json_value_get_member (params, GMCP_MEMBER_META);
  GmcpJsonValue id = gmcp_json_value_get_member (
    gmcp_json_value_get_member (meta, GMCP_META_RELATED_TASK), "taskId");
  gsize length;

  gmcp_json_value_peek_raw (id, &length);
  return length <= GMCP_LIMIT_TASK_ID_BYTES ? gmcp_json_value_dup_string (id) : NULL;
}

static void
write_members (GmcpJsonWriter *writer, GmcpJsonValue object, const char *but)
{
  GmcpJsonIter iter;
  GmcpJsonValue key, value;

  if (!gmcp_json_value_is_object (object))
    return;

  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (!g_str_equal (name, but))
        gmcp_json_writer_member_value (writer, name, value);
    }
}

char *
gmcp_served_tasks_dup_related_answer (const char *answer, const char *task_id)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (answer, strlen (answer), NULL, 0, NULL);
  GmcpJsonValue root = doc != NULL ? gmcp_json_doc_get_root (doc) : GMCP_JSON_NONE;
  GString *text;
  GmcpJsonWriter writer;

  if (!gmcp_json_value_is_object (root))
    return g_strdup (answer);

  text = g_string_new (NULL);
  writer = gmcp_json_writer_init (text);
  gmcp_json_writer_begin_object (&writer);
  write_members (&writer, root, GMCP_MEMBER_META);
  gmcp_json_writer_key (&writer, GMCP_MEMBER_META);
  gmcp_json_writer_begin_object (&writer);
  write_members (&writer, gmcp_json_value_get_member (root, GMCP_MEMBER_META),
                 GMCP_META_RELATED_TASK);
  gmcp_json_writer_key (&writer, GMCP_META_RELATED_TASK);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "taskId", task_id);
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_end_object (&writer);
  return g_string_free (text, FALSE);
}

static void
send_outcome (GmcpServedTask *task, GmcpJsonValue request_id)
{
  g_autofree char *answer = NULL;

  if (task->answer == NULL)
    {
      gmcp_session_send_error (task->session, request_id, task->code, task->status_message);
      return;
    }
  answer = gmcp_served_tasks_dup_related_answer (task->answer, task->id);
  gmcp_session_send_result (task->session, request_id, answer);
}

static void
end_task (GmcpServedTask *task, GmcpTaskStatus status, const char *message)
{
  g_autoptr (GmcpSession) self = gmcp_session_ref (task->session);
  GQueue waiters = task->waiters;
  GmcpJsonDoc *id;

  task->status = status;
  g_free (task->status_message);
  task->status_message = g_strdup (message);
  g_date_time_unref (task->updated);
  task->updated = g_date_time_new_now_utc ();

  g_queue_init (&task->waiters);
  while ((id = g_queue_pop_head (&waiters)) != NULL)
    {
      gmcp_kept_release (self, get_waiter_bytes (id));
      /* Sending may end the connection, and with it the task. */
      if (is_kept (self, task))
        send_outcome (task, gmcp_json_doc_get_root (id));
      gmcp_json_doc_unref (id);
    }
}

void
gmcp_served_tasks_settle (GmcpSession *self,
                          GmcpServedTask *task,
                          const char *answer,
                          int code,
                          const char *message)
{
  gsize n_bytes = answer != NULL ? strlen (answer) : 0;

  if (!is_kept (self, task) || is_over (task))
    return;

  if (!gmcp_kept_charge (self, n_bytes, NULL))
    {
      answer = NULL;
      code = CODE_ENDED;
      message = "There is no room to keep the answer";
      n_bytes = 0;
    }
  task->n_kept = n_bytes;
  task->answer = g_strdup (answer);
  task->code = code;
  end_task (task, answer != NULL ? GMCP_TASK_STATUS_COMPLETED : GMCP_TASK_STATUS_FAILED, message);
}

static void
handle_get (GmcpServedTask *task, const GmcpRpcMessage *request)
{
  g_autofree char *state = dup_state (task, NULL);

  gmcp_session_send_result (task->session, request->id, state);
}

static void
handle_result (GmcpServedTask *task, const GmcpRpcMessage *request)
{
  if (is_over (task))
    send_outcome (task, request->id);
  else if (task->waiters.length >= GMCP_LIMIT_OWN_TASK_WAITERS)
    gmcp_session_send_error (task->session, request->id, CODE_ENDED,
                             "The result is waited for too often");
  else if (!gmcp_kept_charge (task->session, gmcp_json_value_get_copy_bytes (request->id), NULL))
    gmcp_session_send_error (task->session, request->id, CODE_ENDED,
                             "There is no room for more that wait");
  else
    g_queue_push_tail (&task->waiters, gmcp_json_value_copy_to_doc (request->id));
}

static void
handle_cancel (GmcpServedTask *task, const GmcpRpcMessage *request)
{
  g_autoptr (GmcpSession) self = gmcp_session_ref (task->session);
  g_autofree char *state = NULL;

  if (is_over (task))
    {
      gmcp_session_send_error (self, request->id, GMCP_RPC_ERROR_INVALID_PARAMS,
                               "The task has ended already");
      return;
    }

  task->code = CODE_ENDED;
  task->status = GMCP_TASK_STATUS_CANCELLED;
  /* A listener of the question may do anything. */
  task->withdraw (self, task);
  if (!is_kept (self, task))
    return;
  end_task (task, GMCP_TASK_STATUS_CANCELLED, "The task was cancelled by request");
  if (!is_kept (self, task))
    return;
  state = dup_state (task, NULL);
  gmcp_session_send_result (self, request->id, state);
}

static const struct
{
  const char *method;
  void (*handle) (GmcpServedTask *task, const GmcpRpcMessage *request);
} handlers[] = {
  { GMCP_METHOD_TASKS_GET, handle_get },
  { METHOD_RESULT, handle_result },
  { GMCP_METHOD_TASKS_CANCEL, handle_cancel },
};

/* The cursor is the number of the last task of the page before. */
static gboolean
read_cursor (GmcpJsonValue params, guint *after)
{
  GmcpJsonValue value = gmcp_json_value_get_member (params, "cursor");
  g_autofree char *text = gmcp_json_value_dup_string (value);
  guint64 number = 0;

  *after = 0;
  if (!gmcp_json_value_is_present (value))
    return TRUE;
  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT, &number, NULL))
    return FALSE;
  *after = (guint) number;
  return TRUE;
}

static void
handle_list (GmcpSession *self, const GmcpRpcMessage *request)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);
  guint n = 0, last = 0, after;

  if (!read_cursor (request->params, &after))
    {
      gmcp_session_send_error (self, request->id, GMCP_RPC_ERROR_INVALID_PARAMS,
                               "There is no such cursor");
      return;
    }

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, "tasks");
  gmcp_json_writer_begin_array (&writer);
  for (guint i = 0; served_of (self)->tasks != NULL && i < served_of (self)->tasks->len; i++)
    {
      GmcpServedTask *task = g_ptr_array_index (served_of (self)->tasks, i);

      if (task->serial <= after)
        continue;
      if (n++ == GMCP_LIMIT_OWN_TASKS_PAGE)
        break;
      write_state (&writer, task);
      last = task->serial;
    }
  gmcp_json_writer_end_array (&writer);
  if (n > GMCP_LIMIT_OWN_TASKS_PAGE)
    {
      g_autofree char *cursor = g_strdup_printf ("%u", last);

      gmcp_json_writer_member_string (&writer, GMCP_MEMBER_NEXT_CURSOR, cursor);
    }
  gmcp_json_writer_end_object (&writer);
  gmcp_session_send_result (self, request->id, text->str);
}

static GmcpServedTask *
find_task (GmcpSession *self, GmcpJsonValue id)
{
  for (guint i = 0; served_of (self)->tasks != NULL && i < served_of (self)->tasks->len; i++)
    {
      GmcpServedTask *task = g_ptr_array_index (served_of (self)->tasks, i);

      if (gmcp_json_value_equals_string (id, task->id))
        return task;
    }
  return NULL;
}

gboolean
gmcp_served_tasks_handle (GmcpSession *self, const GmcpRpcMessage *request)
{
  GmcpServedTask *task;

  if (!served_of (self)->declared)
    return FALSE;
  if (served_of (self)->tasks != NULL)
    expire_tasks (self);
  if (gmcp_json_value_equals_string (request->method, METHOD_LIST))
    {
      handle_list (self, request);
      return TRUE;
    }

  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    {
      if (!gmcp_json_value_equals_string (request->method, handlers[i].method))
        continue;
      task = find_task (self, gmcp_json_value_get_member (request->params, "taskId"));
      if (task != NULL)
        handlers[i].handle (task, request);
      else
        gmcp_session_send_error (self, request->id, GMCP_RPC_ERROR_INVALID_PARAMS,
                                 "There is no such task");
      return TRUE;
    }
  return FALSE;
}

void
gmcp_served_tasks_forget_waiter (GmcpSession *self, GmcpJsonValue request_id)
{
  for (guint i = 0; served_of (self)->tasks != NULL && i < served_of (self)->tasks->len; i++)
    {
      GmcpServedTask *task = g_ptr_array_index (served_of (self)->tasks, i);

      for (GList *link = task->waiters.head; link != NULL; link = link->next)
        if (gmcp_json_value_equal (gmcp_json_doc_get_root (link->data), request_id))
          {
            drop_waiter (task, link->data);
            g_queue_delete_link (&task->waiters, link);
            return;
          }
    }
}

void
gmcp_served_tasks_drop (GmcpSession *self)
{
  g_clear_pointer (&served_of (self)->tasks, g_ptr_array_unref);
}
