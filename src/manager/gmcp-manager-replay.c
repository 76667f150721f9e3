/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-manager-calls-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-tool-provider-private.h"

#include <gmcp/core/gmcp-error.h>

/* Calls that the audit log has are made again, and may do no more than they could then. */

/* A call that is made again. */
typedef struct
{
  char *id;
  GmcpCallOptions *options; /* NULL for none */
} Replay;

static void
replay_free (Replay *replay)
{
  g_clear_object (&replay->options);
  g_free (replay->id);
  g_free (replay);
}

static void
on_replayed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  GmcpToolResult *tool_result
    = gmcp_tool_provider_call_tool_finish (GMCP_TOOL_PROVIDER (object), result, &error);

  if (tool_result != NULL)
    g_task_return_pointer (task, tool_result, (GDestroyNotify) gmcp_tool_result_unref);
  else
    g_task_return_error (task, error);
}

/* What a line of the log says of a call. */
typedef struct
{
  char *host;
  char *project;
  char *role;          /* of the call, or of all calls where it had none */
  char *standing_role; /* of all calls, where the call had another one */
  char *name;
  char *arguments; /* JSON; NULL where they were not written down in full */
  char *rule;
  gboolean is_cut; /* a name is not in full */
  gboolean was_refused;
} Recorded;

static void
recorded_clear (Recorded *recorded)
{
  g_free (recorded->host);
  g_free (recorded->project);
  g_free (recorded->role);
  g_free (recorded->standing_role);
  g_free (recorded->name);
  g_free (recorded->arguments);
  g_free (recorded->rule);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Recorded, recorded_clear)

static char *
dup_member (GmcpJsonValue line, const char *name)
{
  return gmcp_json_value_dup_string (gmcp_json_value_get_member (line, name));
}

static gboolean
get_flag (GmcpJsonValue line, const char *name)
{
  gboolean flag = FALSE;

  gmcp_json_value_get_boolean (gmcp_json_value_get_member (line, name), &flag);
  return flag;
}

static gboolean
read_line (Recorded *recorded, const char *line, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc
    = gmcp_json_doc_parse (line, strlen (line), NULL, GMCP_LIMIT_JSON_WRITTEN_DEPTH, error);
  GmcpJsonValue root, arguments;
  g_autofree char *server = NULL;
  g_autofree char *tool = NULL;

  if (doc == NULL)
    return FALSE;

  root = gmcp_json_doc_get_root (doc);
  arguments = gmcp_json_value_get_member (root, "arguments");
  server = dup_member (root, "server");
  tool = dup_member (root, "tool");
  *recorded = (Recorded){
    .host = dup_member (root, "host"),
    .project = dup_member (root, "project"),
    .role = dup_member (root, "role"),
    .standing_role = dup_member (root, "standing_role"),
    .rule = dup_member (root, "rule"),
    .is_cut = tool == NULL || get_flag (root, "cut"),
    .was_refused
    = gmcp_json_value_equals_string (gmcp_json_value_get_member (root, "outcome"), "refused"),
  };
  recorded->name = server != NULL && tool != NULL ? g_strconcat (server, ".", tool, NULL)
                                                  : g_steal_pointer (&tool);
  if (gmcp_json_value_is_object (arguments) && !get_flag (root, "redacted"))
    recorded->arguments = gmcp_json_value_dup_raw (arguments);
  return TRUE;
}

/* Whether all that is needed was written down. */
static gboolean
is_complete (const Recorded *recorded, const char *id, GError **error)
{
  if (recorded->is_cut)
    g_set_error (
      error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
      _ ("The call “%s” cannot be made again: its names were not written down in full, since "
         "they are too long or hold a secret"),
      id);
  else if (recorded->arguments == NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                 _ ("The call “%s” cannot be made again: its arguments were not written down in "
                    "full, since they hold a secret, are too large, or only their hash is kept"),
                 id);
  return !recorded->is_cut && recorded->arguments != NULL;
}

static const char *
or_none (const char *name)
{
  return name != NULL ? name : "-";
}

/* Rules are about who calls: another host, project or role makes another call. */
static gboolean
may_repeat (GmcpManager *self, const Recorded *recorded, const char *id, GError **error)
{
  const char *host = gmcp_manager_get_host (self);
  const char *project = gmcp_manager_get_project (self);
  const char *role = gmcp_manager_get_role (self);

  if (recorded->was_refused)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED,
                 _ ("The call “%s” was refused (%s), and is again; where other rules hold by now, "
                    "call %s anew"),
                 id, or_none (recorded->rule), recorded->name);
  else if (recorded->host == NULL && host != NULL)
    g_set_error (
      error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED,
      _ ("The log does not say which host made the call “%s”, and so not which rules hold "
         "for it; call %s anew"),
      id, recorded->name);
  else if (g_strcmp0 (recorded->host, host) != 0)
    g_set_error (
      error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED,
      _ ("The call “%s” was made by the host %s, whose rules are not those of %s; make it "
         "again as that host"),
      id, recorded->host, or_none (host));
  else if (g_strcmp0 (recorded->project, project) != 0)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED,
                 _ ("The call “%s” was made in the project %s, and the present one is %s; make it "
                    "again in that project"),
                 id, or_none (recorded->project), or_none (project));
  else if (recorded->standing_role != NULL && g_strcmp0 (recorded->standing_role, role) != 0)
    g_set_error (
      error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED,
      _ ("The call “%s” was made while the role %s held for all calls, and the present one "
         "is %s; make it again under that role"),
      id, recorded->standing_role, or_none (role));
  else
    return TRUE;
  return FALSE;
}

/* Takes the role for the call. */
static gboolean
take_role (Replay *replay, const Recorded *recorded, GError **error)
{
  const char *asked = replay->options != NULL ? gmcp_call_options_get_role (replay->options) : NULL;

  if (asked != NULL && g_strcmp0 (asked, recorded->role) != 0)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("The call “%s” was not made under the role %s"), replay->id, asked);
      return FALSE;
    }
  if (recorded->role == NULL)
    return TRUE;

  if (replay->options == NULL)
    replay->options = gmcp_call_options_new ();
  gmcp_call_options_set_role (replay->options, recorded->role);
  return TRUE;
}

static void
take_replay (GmcpToolProvider *provider, GmcpToolCall *call, gpointer id)
{
  gmcp_manager_take_call (GMCP_MANAGER (provider), call, id);
}

static void
on_found (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpManager *self = g_task_get_source_object (task);
  Replay *replay = g_task_get_task_data (task);
  GmcpToolCarrier carrier;
  g_autofree char *line = NULL;
  g_auto (Recorded) recorded = { NULL };
  GError *error = NULL;

  line = gmcp_audit_log_find_finish (GMCP_AUDIT_LOG (object), result, &error);
  if (line == NULL || !read_line (&recorded, line, &error)
      || !is_complete (&recorded, replay->id, &error)
      || !may_repeat (self, &recorded, replay->id, &error)
      || !take_role (replay, &recorded, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  carrier = (GmcpToolCarrier){ take_replay, replay->id };
  gmcp_tool_provider_carry_call_async (GMCP_TOOL_PROVIDER (self), recorded.name, recorded.arguments,
                                       replay->options, &carrier, g_task_get_cancellable (task),
                                       on_replayed, g_object_ref (task));
}

/**
 * gmcp_manager_replay_call_async:
 * @self: a manager
 * @id: the `id` of a line of the audit log
 * @options: (nullable): time limits, progress and more, for this call; they are given its role
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Makes a call again that the audit log has: the same tool of the same server, with the same
 * arguments, under the role that it was made under and the rules that hold now. The log says of the new
 * call that it repeats the other.
 *
 * Fails with %G_IO_ERROR_NOT_FOUND where the log has no such call, with %GMCP_ERROR_INVALID_ARGUMENT
 * where its names or arguments were not written down in full, with %GMCP_ERROR_NOT_PERMITTED where the
 * call was refused, or made by another [property@Gmcp.Manager:host], in another
 * [property@Gmcp.Manager:project], or beside another [property@Gmcp.Manager:role] than the present
 * ones, with %GMCP_ERROR_NOT_SUPPORTED where
 * [property@Gmcp.Manager:audit] is not set, and as
 * [method@Gmcp.ToolProvider.call_tool_async] does.
 *
 * Since: 0.1
 */
void
gmcp_manager_replay_call_async (GmcpManager *self,
                                const char *id,
                                GmcpCallOptions *options,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GmcpAuditLog *log;
  Replay *replay;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (id != NULL);
  g_return_if_fail (options == NULL || GMCP_IS_CALL_OPTIONS (options));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_replay_call_async);
  log = gmcp_manager_get_audit_log (self);
  if (log == NULL)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                               _ ("There is no audit log: calls are not written down"));
      return;
    }

  replay = g_new0 (Replay, 1);
  replay->id = g_strdup (id);
  if (options != NULL)
    replay->options = g_object_ref (options);
  g_task_set_task_data (task, replay, (GDestroyNotify) replay_free);
  gmcp_audit_log_find_async (log, id, cancellable, on_found, g_steal_pointer (&task));
}

/**
 * gmcp_manager_replay_call_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.replay_call_async].
 *
 * Returns: (transfer full): what the tool gave back this time
 *
 * Since: 0.1
 */
GmcpToolResult *
gmcp_manager_replay_call_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_replay_call_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
