/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "gmcpd-dbus.h"
#include "gmcpd-gate.h"
#include "gmcpd-names.h"
#include "gmcpd-question-object.h"

#define GMCPD_TYPE_QUESTION_OBJECT (gmcpd_question_object_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdQuestionObject,
                      gmcpd_question_object,
                      GMCPD,
                      QUESTION_OBJECT,
                      GmcpdManager1QuestionSkeleton)

struct _GmcpdQuestionObject
{
  GmcpdManager1QuestionSkeleton parent_instance;

  GmcpdOpenQuestions *questions;
  char *id;
};

G_DEFINE_FINAL_TYPE (GmcpdQuestionObject,
                     gmcpd_question_object,
                     GMCPD_TYPE_MANAGER1_QUESTION_SKELETON)

static void
gmcpd_question_object_finalize (GObject *object)
{
  GmcpdQuestionObject *self = GMCPD_QUESTION_OBJECT (object);

  g_object_unref (self->questions);
  g_free (self->id);

  G_OBJECT_CLASS (gmcpd_question_object_parent_class)->finalize (object);
}

static void
gmcpd_question_object_class_init (GmcpdQuestionObjectClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcpd_question_object_finalize;
  G_DBUS_INTERFACE_SKELETON_CLASS (klass)->get_vtable = gmcpd_gate_get_vtable;
}

static void
gmcpd_question_object_init (GmcpdQuestionObject *self)
{
}

static gboolean
handle_get_parameters (GmcpdManager1Question *object, GDBusMethodInvocation *invocation)
{
  GmcpdQuestionObject *self = GMCPD_QUESTION_OBJECT (object);
  g_autofree char *json = gmcpd_open_questions_dup_params_json (self->questions, self->id);

  if (json != NULL)
    gmcpd_manager1_question_complete_get_parameters (object, invocation, json);
  else
    g_dbus_method_invocation_return_error_literal (
      invocation, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_OBJECT,
      _ ("The question has been answered, or its time is over"));
  return TRUE;
}

static gboolean
handle_answer (GmcpdManager1Question *object,
               GDBusMethodInvocation *invocation,
               const char *answer,
               const char *content)
{
  GmcpdQuestionObject *self = g_object_ref (GMCPD_QUESTION_OBJECT (object));
  GError *error = NULL;

  /* The object goes with the answer. */
  if (gmcpd_open_questions_answer (self->questions, self->id, answer, content, &error))
    g_dbus_method_invocation_return_value (invocation, NULL);
  else
    g_dbus_method_invocation_take_error (invocation, error);
  g_object_unref (self);
  return TRUE;
}

static void
on_accepted (GmcpdOpenQuestions *questions, const char *id, GmcpdQuestionObject *self)
{
  if (g_str_equal (id, self->id))
    gmcpd_manager1_question_set_accepted (GMCPD_MANAGER1_QUESTION (self), TRUE);
}

GDBusInterfaceSkeleton *
gmcpd_question_object_new (GmcpdOpenQuestions *questions, const char *id, GmcpdCallers *callers)
{
  GmcpdQuestionObject *self = g_object_new (GMCPD_TYPE_QUESTION_OBJECT, NULL);
  GmcpdManager1Question *skeleton = GMCPD_MANAGER1_QUESTION (self);
  g_autoptr (JsonObject) described = gmcpd_open_questions_describe (questions, id);
  const char *server = json_object_get_string_member_with_default (described, "server", "");
  g_autofree char *shown = gmcpd_names_dup_text (server);

  self->questions = g_object_ref (questions);
  self->id = g_strdup (id);
  gmcpd_gate_set_callers (G_DBUS_INTERFACE_SKELETON (self), callers);
  gmcpd_manager1_question_set_kind (skeleton, json_object_get_string_member (described, "kind"));
  gmcpd_manager1_question_set_server (skeleton, shown);
  gmcpd_manager1_question_set_asked_at (skeleton,
                                        json_object_get_string_member (described, "asked_at"));
  gmcpd_manager1_question_set_client (
    skeleton, json_object_get_string_member_with_default (described, "client", ""));
  gmcpd_manager1_question_set_accepted (
    skeleton, json_object_get_boolean_member_with_default (described, "accepted", FALSE));
  g_signal_connect_object (questions, "accepted", G_CALLBACK (on_accepted), self, 0);
  g_signal_connect (self, "handle-get-parameters", G_CALLBACK (handle_get_parameters), NULL);
  g_signal_connect (self, "handle-answer", G_CALLBACK (handle_answer), NULL);
  return G_DBUS_INTERFACE_SKELETON (self);
}
