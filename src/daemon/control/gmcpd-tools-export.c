/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcpd-callers.h"
#include "gmcpd-calls.h"
#include "gmcpd-dbus-tools.h"
#include "gmcpd-gate.h"
#include "gmcpd-names.h"
#include "gmcpd-tools-export.h"
#include "gmcpd-tools.h"

/* Who may be in a sandbox leaves room for others. */
#define MAX_CALLS_OF_PROGRAM 100

struct _GmcpdToolsExport
{
  GObject parent_instance;

  GmcpManager *manager;
  char *role;
  GHashTable *role_names; /* of each role that there was */
  GmcpdQuestions *questions;
  GmcpdOpenQuestions *open_questions;
  GmcpdToolsDoor door;
  GmcpdCalls *calls;
  GmcpdCallers *callers;
  GmcpdTools1 *skeleton;
};

static void gmcpd_tools_export_init_export (GmcpdExportInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpdToolsExport,
                               gmcpd_tools_export,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCPD_TYPE_EXPORT,
                                                      gmcpd_tools_export_init_export))

static void
gmcpd_tools_export_finalize (GObject *object)
{
  GmcpdToolsExport *self = GMCPD_TOOLS_EXPORT (object);

  g_signal_handlers_disconnect_by_data (self->skeleton, self);
  gmcpd_gate_unexport (G_DBUS_INTERFACE_SKELETON (self->skeleton));
  g_object_unref (self->skeleton);
  gmcpd_questions_free (self->questions);
  gmcpd_calls_free (self->calls);
  g_object_unref (self->callers);
  g_object_unref (self->open_questions);
  g_object_unref (self->manager);
  g_free (self->role);
  g_hash_table_unref (self->role_names);

  G_OBJECT_CLASS (gmcpd_tools_export_parent_class)->finalize (object);
}

static void
gmcpd_tools_export_class_init (GmcpdToolsExportClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcpd_tools_export_finalize;
}

static void
gmcpd_tools_export_init (GmcpdToolsExport *self)
{
  self->calls = gmcpd_calls_new (MAX_CALLS_OF_PROGRAM);
  self->callers = gmcpd_callers_new ();
  self->role_names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->skeleton = gmcpd_tools1_skeleton_new ();
}

/* A method whose caller is looked at first: programs in a sandbox may use it, those of other users and those that let
 * nobody look at them may not. */
typedef struct
{
  GmcpdToolsExport *export;
  GDBusMethodInvocation *invocation;
} Asking;

static void
note_roles (GmcpdToolsExport *self)
{
  g_autoptr (GPtrArray) roles = gmcp_manager_list_roles (self->manager);

  for (guint i = 0; i < roles->len; i++)
    g_hash_table_add (self->role_names, g_strdup (gmcp_role_get_name (roles->pdata[i])));
}

/* An application may have a role of its own. Once that is gone, such as with the file that it stood in, the name allows
 * nothing, where the role of all others could allow everything. */
static const char *
get_role (GmcpdToolsExport *self, const GmcpdCaller *caller)
{
  if (caller->application_id != NULL
      && g_hash_table_contains (self->role_names, caller->application_id))
    return caller->application_id;
  return self->role;
}

static void
begin_call (GmcpdToolsExport *self, const GmcpdCaller *caller, GDBusMethodInvocation *invocation)
{
  GVariant *parameters = g_dbus_method_invocation_get_parameters (invocation);
  GmcpdCall *call = gmcpd_calls_begin_of (self->calls, invocation, caller->counted_as);
  g_autoptr (GVariant) options = NULL;
  const char *name;
  const char *arguments;

  if (call == NULL)
    return;
  g_variant_get (parameters, "(&s&s@a{sv})", &name, &arguments, &options);
  gmcpd_tools_call (&self->door, call, caller->program, get_role (self, caller), name, arguments,
                    options);
}

static void
begin_list (GmcpdToolsExport *self, const GmcpdCaller *caller, GDBusMethodInvocation *invocation)
{
  GmcpdCall *call = gmcpd_calls_begin_of (self->calls, invocation, caller->counted_as);

  if (call != NULL)
    gmcpd_tools_list_permitted (self->manager, call, get_role (self, caller));
}

static void
take_answer (GmcpdToolsExport *self, GDBusMethodInvocation *invocation)
{
  guint id;
  const char *answer;
  const char *content;

  g_variant_get (g_dbus_method_invocation_get_parameters (invocation), "(u&s&s)", &id, &answer,
                 &content);
  gmcpd_questions_answer (self->questions, invocation, id, answer, content);
}

static void
answer_invocation (GmcpdToolsExport *self,
                   const GmcpdCaller *caller,
                   GDBusMethodInvocation *invocation)
{
  const char *method = g_dbus_method_invocation_get_method_name (invocation);

  if (g_str_equal (method, "ListTools"))
    begin_list (self, caller, invocation);
  else if (g_str_equal (method, "CallTool"))
    begin_call (self, caller, invocation);
  else
    take_answer (self, invocation);
}

static void
on_identified (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autofree Asking *asking = user_data;
  g_autoptr (GmcpdToolsExport) self = asking->export;
  GError *error = NULL;
  g_autoptr (GmcpdCaller) caller
    = gmcpd_callers_identify_finish (GMCPD_CALLERS (object), result, &error);

  if (caller != NULL)
    error = gmcpd_gate_refuse_unknown (caller->sandbox);
  if (error == NULL)
    answer_invocation (self, caller, asking->invocation);
  else
    g_dbus_method_invocation_take_error (asking->invocation, error);
}

static gboolean
identify_caller (GmcpdToolsExport *self, GDBusMethodInvocation *invocation)
{
  Asking *asking = g_new (Asking, 1);

  *asking = (Asking){ g_object_ref (self), invocation };
  gmcpd_callers_identify_async (self->callers, invocation, on_identified, asking);
  return TRUE;
}

static gboolean
handle_list_tools (GmcpdTools1 *skeleton, GDBusMethodInvocation *invocation, gpointer self)
{
  return identify_caller (self, invocation);
}

static gboolean
handle_call_tool (GmcpdTools1 *skeleton,
                  GDBusMethodInvocation *invocation,
                  const char *name,
                  const char *arguments,
                  GVariant *options,
                  gpointer self)
{
  return identify_caller (self, invocation);
}

static gboolean
handle_answer_question (GmcpdTools1 *skeleton,
                        GDBusMethodInvocation *invocation,
                        guint id,
                        const char *answer,
                        const char *content,
                        gpointer self)
{
  return identify_caller (self, invocation);
}

static void
on_tools_changed (GmcpdToolsExport *self)
{
  gmcpd_tools1_emit_tools_changed (self->skeleton);
}

/* Callers are told of every change: an application without a role of its own has that of the door. */
static void
on_rules_changed (GmcpdToolsExport *self)
{
  note_roles (self);
  on_tools_changed (self);
}

static void
use_role (GmcpdToolsExport *self, const char *role)
{
  g_free (self->role);
  self->role = g_strdup (role);
  gmcpd_tools1_set_role (self->skeleton, role != NULL ? role : "");
}

void
gmcpd_tools_export_set_role (GmcpdToolsExport *self, const char *role)
{
  if (g_strcmp0 (role, self->role) == 0)
    return;

  use_role (self, role);
  on_tools_changed (self);
}

GmcpdExport *
gmcpd_tools_export_new (GmcpManager *manager, GmcpdOpenQuestions *questions, const char *role)
{
  GmcpdToolsExport *self = g_object_new (GMCPD_TYPE_TOOLS_EXPORT, NULL);
  GListModel *tools = gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (manager));

  self->manager = g_object_ref (manager);
  self->open_questions = g_object_ref (questions);
  /* Whether a tool may be called is not for the program to say that calls it. */
  self->questions = gmcpd_questions_new (manager, FALSE);
  self->door = (GmcpdToolsDoor){ manager, self->questions, questions, FALSE };
  gmcpd_tools1_set_version (self->skeleton, GMCP_VERSION);
  use_role (self, role);
  note_roles (self);
  g_signal_connect (self->skeleton, "handle-list-tools", G_CALLBACK (handle_list_tools), self);
  g_signal_connect (self->skeleton, "handle-call-tool", G_CALLBACK (handle_call_tool), self);
  g_signal_connect (self->skeleton, "handle-answer-question", G_CALLBACK (handle_answer_question),
                    self);
  g_signal_connect_object (tools, "items-changed", G_CALLBACK (on_tools_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "rules-changed", G_CALLBACK (on_rules_changed), self,
                           G_CONNECT_SWAPPED);
  return GMCPD_EXPORT (self);
}

static gboolean
gmcpd_tools_export_add_to (GmcpdExport *export, GDBusConnection *connection, GError **error)
{
  return g_dbus_interface_skeleton_export (
    G_DBUS_INTERFACE_SKELETON (GMCPD_TOOLS_EXPORT (export)->skeleton), connection, GMCPD_TOOLS_PATH,
    error);
}

static void
gmcpd_tools_export_remove_from (GmcpdExport *export, GDBusConnection *connection)
{
  GDBusInterfaceSkeleton *skeleton
    = G_DBUS_INTERFACE_SKELETON (GMCPD_TOOLS_EXPORT (export)->skeleton);

  if (g_dbus_interface_skeleton_has_connection (skeleton, connection))
    g_dbus_interface_skeleton_unexport_from_connection (skeleton, connection);
}

static void
gmcpd_tools_export_drain_async (GmcpdExport *export,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  gmcpd_calls_drain_async (GMCPD_TOOLS_EXPORT (export)->calls, cancellable, callback, user_data);
}

static void
gmcpd_tools_export_init_export (GmcpdExportInterface *iface)
{
  iface->add_to = gmcpd_tools_export_add_to;
  iface->remove_from = gmcpd_tools_export_remove_from;
  iface->drain_async = gmcpd_tools_export_drain_async;
}
