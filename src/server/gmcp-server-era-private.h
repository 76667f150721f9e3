/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-enums.h>
#include <gmcp/protocol/gmcp-capabilities.h>
#include <gmcp/protocol/gmcp-tool.h>
#include <gmcp/protocol/questions/gmcp-elicitation.h>

#include "gmcp-server-exchange-private.h"
#include "gmcp-server-task-private.h"
#include "gmcp-tool-headers-private.h"

G_BEGIN_DECLS

/* What the two eras of the protocol do differently. A method name of one era stands in that era's
 * file only; whatever both have is in gmcp-server-dispatch.c. */

/* What a method or a change is about. A method is there where the provider has its subject, and waits
 * until the provider has loaded. */
typedef enum
{
  GMCP_SERVER_SUBJECT_NONE, /* always there, never waits */
  GMCP_SERVER_SUBJECT_TOOLS,
  GMCP_SERVER_SUBJECT_RESOURCES,
  GMCP_SERVER_SUBJECT_UPDATES, /* of single resources */
  GMCP_SERVER_SUBJECT_PROMPTS,
  GMCP_SERVER_SUBJECT_COMPLETIONS,
  GMCP_SERVER_SUBJECT_TASKS,
  GMCP_SERVER_N_SUBJECTS,
} GmcpServerSubject;

/* What a client may be asked. */
typedef enum
{
  GMCP_SERVER_QUESTION_NONE,
  GMCP_SERVER_QUESTION_FORM,
  GMCP_SERVER_QUESTION_URL,
  GMCP_SERVER_QUESTION_SAMPLING,
  GMCP_SERVER_QUESTION_SAMPLING_WITH_TOOLS,
  GMCP_SERVER_QUESTION_ROOTS,
} GmcpServerQuestionKind;

/* Whether a call is to become a task. */
typedef enum
{
  GMCP_SERVER_TASK_NO,
  GMCP_SERVER_TASK_YES,
  GMCP_SERVER_TASK_REFUSED, /* the call cannot be made, and has been answered */
} GmcpServerTaskWish;

/* What the eras do differently about tasks. */
typedef struct
{
  GmcpServerTaskWish (*wish) (gpointer state,
                              GmcpServerExchange *exchange,
                              GmcpTaskSupport support);
  /* How long the client wants the task to be kept; 0 where it does not say. */
  gint64 (*get_ttl_ms) (GmcpServerExchange *exchange);
  /* Answers a call with the task that it has become. */
  void (*reply_created) (GmcpServerExchange *exchange, GmcpServerTask *task);
  /* A call that is to be a task has no other answer, however soon its result is there. */
  gboolean has_to_be_made;
  /* Whether a client is told of the progress of a call that has become a task. */
  gboolean tells_progress;
} GmcpServerEraTasks;

typedef struct
{
  const char *name;
  void (*handle) (GmcpServerExchange *exchange);
  GmcpServerSubject subject;
} GmcpServerMethod;

typedef struct
{
  const char *name;
  void (*handle) (GmcpServerConnection *connection, GmcpJsonValue params);
} GmcpServerNotification;

struct _GmcpServerEra
{
  /* Methods and notifications beside the shared ones; a NULL name ends them. */
  const GmcpServerMethod *methods;
  const GmcpServerMethod *task_methods;
  const GmcpServerNotification *notifications;
  const GmcpServerEraTasks *tasks;

  /* The era's state with each connection. */
  gpointer (*state_new) (GmcpServerConnection *connection);
  void (*state_free) (gpointer state);

  /* Whether a request is of this era. */
  gboolean (*claims) (gpointer state, const GmcpRpcMessage *message);
  /* Reads what the era says with each request into exchange. FALSE: it has been refused. */
  gboolean (*accept) (gpointer state, GmcpServerExchange *exchange);
  /* Whether several messages may come in one array; NULL for never. */
  gboolean (*takes_batch) (gpointer state);

  /* The members that each result begins with. meta is the handler's own _meta, or none. */
  void (*write_result_members) (GmcpServerExchange *exchange,
                                GmcpJsonWriter *writer,
                                GmcpJsonValue meta);
  /* A result of another type than a complete one, up to the members that are its own. NULL in an era without such. */
  GmcpJsonWriter (*begin_result_of_type) (GmcpServerExchange *exchange, const char *type);
  /* The members of results that a client may cache. ttl_ms is -1 for the server's own. */
  void (*write_cache_members) (GmcpServerExchange *exchange,
                               GmcpJsonWriter *writer,
                               gint64 ttl_ms,
                               GmcpCacheScope scope);
  /* Whether arguments that do not fit the schema are for the model to see, or the client's fault. */
  gboolean (*bad_arguments_are_results) (GmcpServerExchange *exchange);
  /* Whether the headers of a call say what its arguments say; FALSE: it has been refused. May be NULL. */
  gboolean (*check_headers) (GmcpServerExchange *exchange,
                             const GmcpToolHeaders *headers,
                             GmcpJsonValue arguments);
  /* Whether structured content and its schema are objects and nothing else. */
  gboolean structured_is_object;

  /* The error of an address at which there is no resource. */
  int unknown_resource_code;

  /* What the client of the exchange can do; NULL where it has not said. */
  GmcpCapabilities *(*new_client_capabilities) (gpointer state, const GmcpServerExchange *exchange);

  /* From which level on the client hears what is logged about a request; UNSET for nothing. */
  GmcpLogLevel (*get_log_level) (gpointer state, const GmcpServerExchange *exchange);
  /* Whether that is the era's own; NULL where it never is. */
  gboolean (*has_default_log_level) (gpointer state);
  /* Whether the client of the exchange can be asked that. */
  gboolean (*takes_question) (gpointer state,
                              const GmcpServerExchange *exchange,
                              GmcpServerQuestionKind kind);
  /* Asks the client in the course of the exchange, which is open. Takes the task, and completes it as
   * GmcpCallerFuncs says; with GMCP_ERROR_NOT_SUPPORTED where the client cannot be asked that. question is NULL
   * for roots; asker is the one to name where its questions are closed. */
  void (*ask) (gpointer state,
               GmcpServerExchange *exchange,
               gpointer asker,
               GmcpServerQuestionKind kind,
               GmcpInputRequest *question,
               GTask *task);

  /* Tells the client of the connection once what is to be done at the address is done. NULL in an era whose
   * questions are no requests. */
  void (*watch_visit) (GmcpServerConnection *connection, GmcpElicitation *visit);

  /* subject is TOOLS, RESOURCES or PROMPTS. */
  void (*list_changed) (gpointer state,
                        GmcpServerConnection *connection,
                        GmcpServerSubject subject);
  void (*resource_updated) (gpointer state, GmcpServerConnection *connection, const char *uri);
  /* Ends what would otherwise go on until the client ends it; may be NULL. */
  void (*stop) (gpointer state);
};

extern const GmcpServerEra gmcp_server_era_modern;
extern const GmcpServerEra gmcp_server_era_legacy;

/* The first to claim a request has it. */
#define GMCP_SERVER_N_ERAS 2
extern const GmcpServerEra *const gmcp_server_eras[GMCP_SERVER_N_ERAS];

const GmcpServerMethod *
gmcp_server_method_find (const GmcpServerMethod *methods, GmcpJsonValue name);

G_END_DECLS
