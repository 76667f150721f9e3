/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcpd-adding.h"
#include "gmcpd-dbus.h"
#include "gmcpd-gate.h"
#include "gmcpd-manager-object.h"
#include "gmcpd-names.h"
#include "gmcpd-tools.h"

#define GMCPD_TYPE_MANAGER_OBJECT (gmcpd_manager_object_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdManagerObject,
                      gmcpd_manager_object,
                      GMCPD,
                      MANAGER_OBJECT,
                      GmcpdManager1Skeleton)

struct _GmcpdManagerObject
{
  GmcpdManager1Skeleton parent_instance;

  GmcpManager *manager;
  GmcpdDashboard dashboard;
  GmcpdWatchers *watchers;
  GmcpdCalls *calls;
  GmcpdQuestions *questions;
  GmcpdToolsDoor door;
};

G_DEFINE_FINAL_TYPE (GmcpdManagerObject, gmcpd_manager_object, GMCPD_TYPE_MANAGER1_SKELETON)

static void
gmcpd_manager_object_finalize (GObject *object)
{
  gmcpd_questions_free (GMCPD_MANAGER_OBJECT (object)->questions);

  G_OBJECT_CLASS (gmcpd_manager_object_parent_class)->finalize (object);
}

static void
gmcpd_manager_object_class_init (GmcpdManagerObjectClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcpd_manager_object_finalize;
  G_DBUS_INTERFACE_SKELETON_CLASS (klass)->get_vtable = gmcpd_gate_get_vtable;
}

static void
gmcpd_manager_object_init (GmcpdManagerObject *self)
{
}

/* Takes the invocation where there is no such server, and answers it. */
static gboolean
check_server (GmcpdManagerObject *self, GDBusMethodInvocation *invocation, const char *name)
{
  g_autofree char *shown = NULL;

  if (gmcp_manager_get_server (self->manager, name) != NULL)
    return TRUE;

  shown = gmcpd_names_dup_text (name);
  g_dbus_method_invocation_return_error (invocation, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                                         _ ("Server %s not configured"), shown);
  return FALSE;
}

static gboolean
handle_get_status (GmcpdManager1 *object, GDBusMethodInvocation *invocation)
{
  g_autofree char *status = gmcp_manager_dup_status_json (GMCPD_MANAGER_OBJECT (object)->manager);

  gmcpd_manager1_complete_get_status (object, invocation, status);
  return TRUE;
}

static gboolean
handle_get_server (GmcpdManager1 *object, GDBusMethodInvocation *invocation, const char *name)
{
  g_autofree char *path = NULL;

  if (!check_server (GMCPD_MANAGER_OBJECT (object), invocation, name))
    return TRUE;

  path = gmcpd_names_dup_server_path (name);
  gmcpd_manager1_complete_get_server (object, invocation, path);
  return TRUE;
}

static gboolean
read_options (GVariant *options, gboolean *store, GError **error)
{
  GVariantIter iter;
  const char *key;
  GVariant *value;

  *store = FALSE;
  g_variant_iter_init (&iter, options);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
    {
      if (!g_str_equal (key, "store") || !g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
        {
          g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                               _ ("The only option is “store” (b)"));
          g_variant_unref (value);
          return FALSE;
        }
      *store = g_variant_get_boolean (value);
    }
  return TRUE;
}

/* Takes the error. That of a taken name has one of ours on the bus. */
static GError *
make_bus_error (GError *error)
{
  GError *named;

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_EXISTS))
    return error;
  named = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT, error->message);
  g_error_free (error);
  return named;
}

static void
on_added (GObject *object, GAsyncResult *result, gpointer call)
{
  GError *error = NULL;
  g_autoptr (GmcpManagedServer) server
    = gmcpd_adding_add_finish (GMCP_MANAGER (object), result, &error);
  g_autofree char *path = NULL;

  if (server == NULL)
    {
      gmcpd_call_fail (call, make_bus_error (error));
      return;
    }
  path = gmcpd_names_dup_server_path (gmcp_managed_server_get_id (server));
  gmcpd_call_return (call, g_variant_new ("(o)", path));
}

static void
on_removed (GObject *object, GAsyncResult *result, gpointer call)
{
  GError *error = NULL;

  if (gmcpd_adding_remove_finish (GMCP_MANAGER (object), result, &error))
    gmcpd_call_return (call, NULL);
  else
    gmcpd_call_fail (call, error);
}

static gboolean
handle_add_server (GmcpdManager1 *object,
                   GDBusMethodInvocation *invocation,
                   const char *name,
                   const char *configuration,
                   GVariant *options)
{
  GmcpdManagerObject *self = GMCPD_MANAGER_OBJECT (object);
  GmcpdCall *call = gmcpd_calls_begin (self->calls, invocation);
  GError *error = NULL;
  gboolean store;

  if (call == NULL)
    return TRUE;
  if (read_options (options, &store, &error))
    gmcpd_adding_add_async (self->manager, name, configuration, store,
                            gmcpd_call_get_cancellable (call), on_added, call);
  else
    gmcpd_call_fail (call, error);
  return TRUE;
}

static gboolean
handle_remove_server (GmcpdManager1 *object,
                      GDBusMethodInvocation *invocation,
                      const char *name,
                      GVariant *options)
{
  GmcpdManagerObject *self = GMCPD_MANAGER_OBJECT (object);
  GError *error = NULL;
  gboolean store;
  GmcpdCall *call;

  if (!check_server (self, invocation, name))
    return TRUE;

  call = gmcpd_calls_begin (self->calls, invocation);
  if (call == NULL)
    return TRUE;
  if (read_options (options, &store, &error))
    gmcpd_adding_remove_async (self->manager, name, store, gmcpd_call_get_cancellable (call),
                               on_removed, call);
  else
    gmcpd_call_fail (call, error);
  return TRUE;
}

typedef struct
{
  GmcpdDashboard dashboard;
  GmcpdCall *call;
} Opening;

static void
on_link (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autofree Opening *opening = user_data;
  GError *error = NULL;
  guint seconds = 0;
  g_autofree char *url = opening->dashboard.make_link_finish (object, result, &seconds, &error);

  if (url != NULL)
    gmcpd_call_return (opening->call, g_variant_new ("(su)", url, seconds));
  else
    gmcpd_call_fail (opening->call, error);
}

static gboolean
handle_open_dashboard (GmcpdManager1 *object, GDBusMethodInvocation *invocation)
{
  GmcpdManagerObject *self = GMCPD_MANAGER_OBJECT (object);
  GmcpdCall *call = gmcpd_calls_begin (self->calls, invocation);
  Opening *opening;

  if (call == NULL)
    return TRUE;
  opening = g_new (Opening, 1);
  *opening = (Opening){ self->dashboard, call };
  self->dashboard.make_link_async (self->dashboard.object, gmcpd_call_get_cancellable (call),
                                   on_link, opening);
  return TRUE;
}

static void
on_reloaded (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GError *error = NULL;

  if (gmcp_manager_load_config_finish (GMCP_MANAGER (object), result, &error))
    gmcpd_call_return (user_data, NULL);
  else
    gmcpd_call_fail (user_data, error);
}

static gboolean
handle_reload_configuration (GmcpdManager1 *object, GDBusMethodInvocation *invocation)
{
  GmcpdManagerObject *self = GMCPD_MANAGER_OBJECT (object);
  GmcpdCall *call = gmcpd_calls_begin (self->calls, invocation);

  if (call != NULL)
    gmcp_manager_load_config_async (self->manager, gmcpd_call_get_cancellable (call), on_reloaded,
                                    call);
  return TRUE;
}

static gboolean
handle_list_tools (GmcpdManager1 *object, GDBusMethodInvocation *invocation, const char *server)
{
  GmcpdManagerObject *self = GMCPD_MANAGER_OBJECT (object);
  GmcpdCall *call;

  if (*server != '\0' && !check_server (self, invocation, server))
    return TRUE;

  call = gmcpd_calls_begin (self->calls, invocation);
  if (call != NULL)
    gmcpd_tools_list (self->manager, call, server);
  return TRUE;
}

static gboolean
handle_call_tool (GmcpdManager1 *object,
                  GDBusMethodInvocation *invocation,
                  const char *name,
                  const char *arguments,
                  GVariant *options)
{
  GmcpdManagerObject *self = GMCPD_MANAGER_OBJECT (object);
  g_autofree char *program
    = gmcpd_gate_dup_program (G_DBUS_INTERFACE_SKELETON (object), invocation);
  GmcpdCall *call = gmcpd_calls_begin (self->calls, invocation);

  if (call != NULL)
    gmcpd_tools_call (&self->door, call, program, NULL, name, arguments, options);
  return TRUE;
}

static gboolean
handle_answer_question (GmcpdManager1 *object,
                        GDBusMethodInvocation *invocation,
                        guint id,
                        const char *answer,
                        const char *content)
{
  gmcpd_questions_answer (GMCPD_MANAGER_OBJECT (object)->questions, invocation, id, answer,
                          content);
  return TRUE;
}

static gboolean
handle_watch_questions (GmcpdManager1 *object, GDBusMethodInvocation *invocation, gboolean watch)
{
  GError *error = NULL;

  if (gmcpd_watchers_set (GMCPD_MANAGER_OBJECT (object)->watchers, invocation, watch, &error))
    gmcpd_manager1_complete_watch_questions (object, invocation);
  else
    g_dbus_method_invocation_take_error (invocation, error);
  return TRUE;
}

static void
on_notice (GmcpManager *manager,
           const char *server_id,
           GmcpNoticeLevel level,
           const char *message,
           GmcpdManager1 *object)
{
  g_autoptr (GEnumClass) levels = g_type_class_ref (GMCP_TYPE_NOTICE_LEVEL);
  g_autofree char *text = gmcpd_names_dup_text (message);

  gmcpd_manager1_emit_notice (object, server_id != NULL ? server_id : "",
                              g_enum_get_value (levels, (int) level)->value_nick, text);
}

GDBusInterfaceSkeleton *
gmcpd_manager_object_new (GmcpManager *manager,
                          GmcpdDashboard dashboard,
                          GmcpdWatchers *watchers,
                          GmcpdCalls *calls,
                          GmcpdCallers *callers)
{
  GmcpdManagerObject *self = g_object_new (GMCPD_TYPE_MANAGER_OBJECT, NULL);
  GFile *config_file = gmcp_manager_get_config_file (manager);
  g_autofree char *path = config_file != NULL ? g_file_get_parse_name (config_file) : NULL;
  g_autofree char *shown = gmcpd_names_dup_text (path);

  self->manager = manager;
  self->dashboard = dashboard;
  self->watchers = watchers;
  self->calls = calls;
  self->questions = gmcpd_questions_new (manager, TRUE);
  self->door
    = (GmcpdToolsDoor){ manager, self->questions, gmcpd_watchers_get_questions (watchers), TRUE };
  gmcpd_gate_set_callers (G_DBUS_INTERFACE_SKELETON (self), callers);
  gmcpd_manager1_set_version (GMCPD_MANAGER1 (self), GMCP_VERSION);
  gmcpd_manager1_set_config_file (GMCPD_MANAGER1 (self), shown);
  g_signal_connect (self, "handle-get-status", G_CALLBACK (handle_get_status), NULL);
  g_signal_connect (self, "handle-get-server", G_CALLBACK (handle_get_server), NULL);
  g_signal_connect (self, "handle-add-server", G_CALLBACK (handle_add_server), NULL);
  g_signal_connect (self, "handle-remove-server", G_CALLBACK (handle_remove_server), NULL);
  g_signal_connect (self, "handle-open-dashboard", G_CALLBACK (handle_open_dashboard), NULL);
  g_signal_connect (self, "handle-reload-configuration", G_CALLBACK (handle_reload_configuration),
                    NULL);
  g_signal_connect (self, "handle-list-tools", G_CALLBACK (handle_list_tools), NULL);
  g_signal_connect (self, "handle-call-tool", G_CALLBACK (handle_call_tool), NULL);
  g_signal_connect (self, "handle-answer-question", G_CALLBACK (handle_answer_question), NULL);
  g_signal_connect (self, "handle-watch-questions", G_CALLBACK (handle_watch_questions), NULL);
  g_signal_connect_object (manager, "notice", G_CALLBACK (on_notice), self, 0);
  return G_DBUS_INTERFACE_SKELETON (self);
}
