/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/core/gmcp-visible-text.h>
#include <gmcp/json/gmcp-json.h>

#include "gmcpd-answers.h"
#include "gmcpd-open-questions.h"

/* Each is kept with what it asks, and each holds a call. */
#define MAX_OPEN            256
#define MAX_OPEN_FOR_OTHERS 16
#define SHOWN_CLIENT        100u /* characters */

struct _GmcpdOpenQuestions
{
  GObject parent_instance;

  GmcpManager *manager;
  GPtrArray *gateways; /* of GmcpGateway, not owned */
  GHashTable *calls;   /* GmcpCallOptions, not owned: GmcpdAsked */
  GPtrArray *open;     /* of Question, the oldest first */
  char *page;          /* nullable */
  guint n_looking;
  guint last_number;
};

typedef struct
{
  GmcpdOpenQuestions *questions;
  char *id;
  GmcpInputRequest *request;
  GDateTime *asked_at;
  gboolean for_others;
} Question;

enum
{
  SIGNAL_ASKED,
  SIGNAL_ACCEPTED,
  SIGNAL_GONE,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GmcpdOpenQuestions, gmcpd_open_questions, G_TYPE_OBJECT)

static void
question_free (gpointer data)
{
  Question *question = data;

  g_signal_handlers_disconnect_by_data (question->request, question);
  g_object_unref (question->request);
  g_date_time_unref (question->asked_at);
  g_free (question->id);
  g_free (question);
}

/* What comes up */

/* It is over when it is answered, here or elsewhere, or its time is; an address that is visited, when nobody waits for that
 * any more. */
static void
on_changed (GmcpInputRequest *request, GParamSpec *pspec, Question *question)
{
  GmcpdOpenQuestions *self = question->questions;
  g_autofree char *id = g_strdup (question->id);

  if (gmcpd_answers_is_visit_under_way (request))
    {
      /* It is answered at the same time, which is told of, too. */
      if (g_str_equal (g_param_spec_get_name (pspec), "awaited"))
        g_signal_emit (self, signals[SIGNAL_ACCEPTED], 0, id);
      return;
    }
  if (gmcp_input_request_is_open (request))
    return;

  g_ptr_array_remove (self->open, question);
  g_signal_emit (self, signals[SIGNAL_GONE], 0, id);
}

static gboolean
has_room (GmcpdOpenQuestions *self, gboolean for_others)
{
  guint n_for_others = 0;

  for (guint i = 0; i < self->open->len; i++)
    n_for_others += ((Question *) self->open->pdata[i])->for_others ? 1 : 0;
  return self->open->len < MAX_OPEN && (!for_others || n_for_others < MAX_OPEN_FOR_OTHERS);
}

/* A value of the configuration may come here by two ways: of its server, and of a call that its client was not asked in. */
static gboolean
is_open (GmcpdOpenQuestions *self, GmcpInputRequest *request)
{
  for (guint i = 0; i < self->open->len; i++)
    if (((Question *) self->open->pdata[i])->request == request)
      return TRUE;
  return FALSE;
}

/* FALSE where there is no room for it. */
static gboolean
put_question (GmcpdOpenQuestions *self, GmcpInputRequest *request, GmcpdAsked asked)
{
  gboolean for_others = (asked & GMCPD_ASKED_FOR_OTHERS) != 0;
  Question *question;

  if (is_open (self, request))
    return TRUE;
  if (!has_room (self, for_others) || gmcpd_answers_get_kind (request) == NULL)
    return FALSE;

  question = g_new0 (Question, 1);
  question->questions = self;
  question->id = g_strdup_printf ("%u", ++self->last_number);
  question->request = g_object_ref (request);
  question->asked_at = g_date_time_new_now_utc ();
  question->for_others = for_others;
  g_signal_connect (request, "notify::open", G_CALLBACK (on_changed), question);
  g_signal_connect (request, "notify::awaited", G_CALLBACK (on_changed), question);
  g_ptr_array_add (self->open, question);
  g_signal_emit (self, signals[SIGNAL_ASKED], 0, question->id);
  return TRUE;
}

/* A question that nobody keeps is refused. */
static void
on_input_requested (GmcpManager *manager, GmcpInputRequest *request, GmcpdOpenQuestions *self)
{
  GmcpCallOptions *options = gmcp_input_request_get_options (request);
  gpointer asked;

  if (options != NULL && g_hash_table_lookup_extended (self->calls, options, NULL, &asked)
      && (GPOINTER_TO_UINT (asked) & (GMCPD_ASKED_PERMISSION | GMCPD_ASKED_WITHHELD)) == 0)
    put_question (self, request, GPOINTER_TO_UINT (asked));
}

static void
on_withheld_requested (GmcpManager *manager,
                       GmcpCallPermission *permission,
                       GmcpdOpenQuestions *self)
{
  GmcpInputRequest *request = GMCP_INPUT_REQUEST (permission);
  GmcpCallOptions *options = gmcp_input_request_get_options (request);
  gpointer asked;

  if (options != NULL && g_hash_table_lookup_extended (self->calls, options, NULL, &asked))
    put_question (self, request, GPOINTER_TO_UINT (asked));
}

static void
on_call_requested (GmcpManager *manager, GmcpCallPermission *permission, GmcpdOpenQuestions *self)
{
  GmcpInputRequest *request = GMCP_INPUT_REQUEST (permission);
  GmcpCallOptions *options = gmcp_input_request_get_options (request);
  gpointer asked = NULL;

  if (options != NULL)
    asked = g_hash_table_lookup (self->calls, options);
  if ((GPOINTER_TO_UINT (asked) & GMCPD_ASKED_WITHHELD) == 0)
    on_withheld_requested (manager, permission, self);
}

static void
on_config_input_requested (GmcpManager *manager, GmcpConfigInput *input, GmcpdOpenQuestions *self)
{
  put_question (self, GMCP_INPUT_REQUEST (input), GMCPD_ASKED_ALL);
}

static gboolean
on_unasked (GmcpGateway *gateway, GmcpInputRequest *request, GmcpdOpenQuestions *self)
{
  return put_question (self, request, GMCPD_ASKED_ALL);
}

/* A page that nobody has open is opened by whoever is sent there. */
static char *
on_page (GmcpGateway *gateway, GmcpInputRequest *request, GmcpdOpenQuestions *self)
{
  return self->page != NULL && put_question (self, request, GMCPD_ASKED_ALL) ? g_strdup (self->page)
                                                                             : NULL;
}

/* Who is asked */

static void
forget_gateway (gpointer data, GObject *gateway)
{
  g_ptr_array_remove (((GmcpdOpenQuestions *) data)->gateways, gateway);
}

static void
forget_call (gpointer data, GObject *options)
{
  g_hash_table_remove (((GmcpdOpenQuestions *) data)->calls, options);
}

static void
gmcpd_open_questions_dispose (GObject *object)
{
  GmcpdOpenQuestions *self = GMCPD_OPEN_QUESTIONS (object);
  GHashTableIter iter;
  gpointer options;

  if (self->manager != NULL)
    g_signal_handlers_disconnect_by_data (self->manager, self);
  for (guint i = 0; i < self->gateways->len; i++)
    {
      g_signal_handlers_disconnect_by_data (self->gateways->pdata[i], self);
      g_object_weak_unref (self->gateways->pdata[i], forget_gateway, self);
    }
  g_ptr_array_set_size (self->gateways, 0);
  g_hash_table_iter_init (&iter, self->calls);
  while (g_hash_table_iter_next (&iter, &options, NULL))
    g_object_weak_unref (options, forget_call, self);
  g_hash_table_remove_all (self->calls);
  g_ptr_array_set_size (self->open, 0);
  g_clear_object (&self->manager);

  G_OBJECT_CLASS (gmcpd_open_questions_parent_class)->dispose (object);
}

static void
gmcpd_open_questions_finalize (GObject *object)
{
  GmcpdOpenQuestions *self = GMCPD_OPEN_QUESTIONS (object);

  g_free (self->page);
  g_ptr_array_unref (self->open);
  g_ptr_array_unref (self->gateways);
  g_hash_table_unref (self->calls);

  G_OBJECT_CLASS (gmcpd_open_questions_parent_class)->finalize (object);
}

static void
gmcpd_open_questions_class_init (GmcpdOpenQuestionsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gmcpd_open_questions_dispose;
  object_class->finalize = gmcpd_open_questions_finalize;

  signals[SIGNAL_ASKED] = g_signal_new ("asked", GMCPD_TYPE_OPEN_QUESTIONS, G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_ACCEPTED] = g_signal_new ("accepted", GMCPD_TYPE_OPEN_QUESTIONS, G_SIGNAL_RUN_LAST,
                                           0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_GONE] = g_signal_new ("gone", GMCPD_TYPE_OPEN_QUESTIONS, G_SIGNAL_RUN_LAST, 0,
                                       NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
gmcpd_open_questions_init (GmcpdOpenQuestions *self)
{
  self->gateways = g_ptr_array_new ();
  self->calls = g_hash_table_new (NULL, NULL);
  self->open = g_ptr_array_new_with_free_func (question_free);
}

GmcpdOpenQuestions *
gmcpd_open_questions_new (GmcpManager *manager)
{
  GmcpdOpenQuestions *self = g_object_new (GMCPD_TYPE_OPEN_QUESTIONS, NULL);

  self->manager = g_object_ref (manager);
  return self;
}

static void
ask_for_gateway (GmcpdOpenQuestions *self, GmcpGateway *gateway)
{
  g_signal_connect (gateway, "input-unasked", G_CALLBACK (on_unasked), self);
  g_signal_connect (gateway, "withheld-unasked", G_CALLBACK (on_unasked), self);
}

void
gmcpd_open_questions_add_gateway (GmcpdOpenQuestions *self, GmcpGateway *gateway)
{
  g_ptr_array_add (self->gateways, gateway);
  g_object_weak_ref (G_OBJECT (gateway), forget_gateway, self);
  g_signal_connect (gateway, "input-page", G_CALLBACK (on_page), self);
  if (self->n_looking > 0)
    ask_for_gateway (self, gateway);
}

void
gmcpd_open_questions_set_page (GmcpdOpenQuestions *self, const char *address)
{
  g_free (self->page);
  self->page = g_strdup (address);
}

void
gmcpd_open_questions_add_call (GmcpdOpenQuestions *self, GmcpCallOptions *options, GmcpdAsked asked)
{
  if (g_hash_table_insert (self->calls, options, GUINT_TO_POINTER (asked)))
    g_object_weak_ref (G_OBJECT (options), forget_call, self);
}

/* Without a handler what is asked is refused, and says where it could have been answered. */
void
gmcpd_open_questions_begin_looking (GmcpdOpenQuestions *self)
{
  if (self->n_looking++ > 0)
    return;

  g_signal_connect (self->manager, "input-requested", G_CALLBACK (on_input_requested), self);
  g_signal_connect (self->manager, "call-requested", G_CALLBACK (on_call_requested), self);
  g_signal_connect (self->manager, "withheld-call-requested", G_CALLBACK (on_withheld_requested),
                    self);
  g_signal_connect (self->manager, "config-input-requested", G_CALLBACK (on_config_input_requested),
                    self);
  for (guint i = 0; i < self->gateways->len; i++)
    ask_for_gateway (self, self->gateways->pdata[i]);
}

void
gmcpd_open_questions_end_looking (GmcpdOpenQuestions *self)
{
  if (--self->n_looking > 0)
    return;

  g_signal_handlers_disconnect_by_data (self->manager, self);
  for (guint i = 0; i < self->gateways->len; i++)
    g_signal_handlers_disconnect_by_func (self->gateways->pdata[i], (gpointer) on_unasked, self);
}

/* What is open */

static Question *
find_question (GmcpdOpenQuestions *self, const char *id)
{
  for (guint i = 0; i < self->open->len; i++)
    {
      Question *question = self->open->pdata[i];

      if (g_str_equal (question->id, id))
        return question;
    }
  return NULL;
}

static JsonNode *
dup_params (Question *question)
{
  JsonNode *node = gmcpd_answers_dup_params (question->request);

  if (question->for_others && GMCP_IS_CALL_PERMISSION (question->request))
    json_object_set_boolean_member (json_node_get_object (node), "once_only", TRUE);
  return node;
}

static JsonObject *
describe_question (Question *question)
{
  GmcpInputRequest *request = question->request;
  JsonObject *object = json_object_new ();
  g_autofree char *asked_at = g_date_time_format_iso8601 (question->asked_at);

  json_object_set_string_member (object, "id", question->id);
  json_object_set_string_member (object, "kind", gmcpd_answers_get_kind (request));
  json_object_set_string_member (object, "server", gmcp_input_request_get_server_id (request));
  json_object_set_string_member (object, "asked_at", asked_at);
  if (gmcp_input_request_get_client (request) != NULL)
    {
      g_autofree char *client
        = gmcp_dup_visible_line (gmcp_input_request_get_client (request), SHOWN_CLIENT);

      json_object_set_string_member (object, "client", client);
    }
  if (gmcpd_answers_is_visit_under_way (request))
    json_object_set_boolean_member (object, "accepted", TRUE);
  json_object_set_member (object, "params", dup_params (question));
  return object;
}

JsonObject *
gmcpd_open_questions_describe (GmcpdOpenQuestions *self, const char *id)
{
  Question *question = find_question (self, id);

  return question != NULL ? describe_question (question) : NULL;
}

char *
gmcpd_open_questions_dup_params_json (GmcpdOpenQuestions *self, const char *id)
{
  Question *question = find_question (self, id);
  g_autoptr (JsonNode) node = question != NULL ? dup_params (question) : NULL;

  return node != NULL ? gmcp_json_print (node, NULL) : NULL;
}

JsonArray *
gmcpd_open_questions_describe_all (GmcpdOpenQuestions *self)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < self->open->len; i++)
    json_array_add_object_element (array, describe_question (self->open->pdata[i]));
  return array;
}

gboolean
gmcpd_open_questions_answer (GmcpdOpenQuestions *self,
                             const char *id,
                             const char *action,
                             const char *content_json,
                             GError **error)
{
  Question *question = find_question (self, id);
  g_autoptr (GmcpInputRequest) request = NULL;

  if (question == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                           _ ("There is no such question (any more): it has been answered, or its "
                              "time is over"));
      return FALSE;
    }
  if (question->for_others && g_str_equal (action, "allow-always"))
    {
      g_set_error_literal (
        error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
        _ ("A call of this program can be allowed once only: what is allowed for "
           "always would hold for others, too"));
      return FALSE;
    }
  /* Whoever declines may not have seen that somebody else is on the way. A no must not end that visit. */
  if (g_str_equal (action, "decline") && gmcpd_answers_is_visit_under_way (question->request))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                           _ ("Somebody has agreed to go there already: “done” goes on with the "
                              "call, “cancel” gives it up"));
      return FALSE;
    }
  request = g_object_ref (question->request);
  return gmcpd_answers_apply (request, action, content_json, error);
}
