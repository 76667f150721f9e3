/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-daemon-questions.h"

#include <stdlib.h>
#include <string.h>

#include <gmcp/json/gmcp-json.h>

#define OBJECT_MANAGER "org.freedesktop.DBus.ObjectManager"
#define QUESTION       "org.gmcp.Manager1.Question"

struct _CliDaemonQuestions
{
  CliDaemon *daemon;
  guint subscription;
  GPtrArray *open; /* of CliOpenQuestion */
  CliDaemonQuestionsFunc changed;
  gpointer data;
};

static void
open_question_free (gpointer data)
{
  CliOpenQuestion *question = data;

  g_free (question->path);
  g_free (question->kind);
  g_free (question->server);
  g_free (question->client);
  g_free (question->asked_at);
  g_free (question);
}

/* An older daemon does not know all of them. */
static char *
dup_property (GVariant *properties, const char *name)
{
  const char *value = "";

  g_variant_lookup (properties, name, "&s", &value);
  return g_strdup (value);
}

/* The last part of a path is a number. */
static int
compare_questions (gconstpointer a, gconstpointer b)
{
  const CliOpenQuestion *first = *(const CliOpenQuestion *const *) a;
  const CliOpenQuestion *second = *(const CliOpenQuestion *const *) b;

  return atoi (strrchr (first->path, '/') + 1) - atoi (strrchr (second->path, '/') + 1);
}

static void
add_question (CliDaemonQuestions *self, const char *path, GVariant *properties)
{
  CliOpenQuestion *question;

  if (cli_daemon_questions_has (self, path))
    return;

  question = g_new0 (CliOpenQuestion, 1);
  question->path = g_strdup (path);
  question->kind = dup_property (properties, "Kind");
  question->server = dup_property (properties, "Server");
  question->client = dup_property (properties, "Client");
  question->asked_at = dup_property (properties, "AskedAt");
  g_variant_lookup (properties, "Accepted", "b", &question->is_accepted);
  g_ptr_array_add (self->open, question);
  g_ptr_array_sort (self->open, compare_questions);
}

static void
add_if_question (CliDaemonQuestions *self, const char *path, GVariant *interfaces)
{
  g_autoptr (GVariant) properties
    = g_variant_lookup_value (interfaces, QUESTION, G_VARIANT_TYPE ("a{sv}"));

  if (properties != NULL)
    add_question (self, path, properties);
}

static void
remove_question (CliDaemonQuestions *self, const char *path)
{
  for (guint i = 0; i < self->open->len; i++)
    if (g_str_equal (((CliOpenQuestion *) self->open->pdata[i])->path, path))
      {
        g_ptr_array_remove_index (self->open, i);
        return;
      }
}

static void
on_signal (GDBusConnection *connection,
           const char *sender,
           const char *object,
           const char *interface,
           const char *signal,
           GVariant *parameters,
           gpointer data)
{
  CliDaemonQuestions *self = data;
  const char *path;

  if (g_str_equal (signal, "InterfacesAdded")
      && g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(oa{sa{sv}})")))
    {
      g_autoptr (GVariant) interfaces = g_variant_get_child_value (parameters, 1);

      g_variant_get_child (parameters, 0, "&o", &path);
      add_if_question (self, path, interfaces);
    }
  else if (g_str_equal (signal, "InterfacesRemoved")
           && g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(oas)")))
    {
      g_variant_get_child (parameters, 0, "&o", &path);
      remove_question (self, path);
    }
  if (self->changed != NULL)
    self->changed (self->data);
}

static void
on_closed (GDBusConnection *connection, gboolean remote, GError *error, CliDaemonQuestions *self)
{
  g_ptr_array_set_size (self->open, 0);
  if (self->changed != NULL)
    self->changed (self->data);
}

static gboolean
watch_questions (CliDaemonQuestions *self, GError **error)
{
  g_autoptr (GVariant) reply
    = cli_daemon_call (self->daemon, CLI_DAEMON_PATH, CLI_DAEMON_MANAGER, "WatchQuestions",
                       g_variant_new ("(b)", TRUE), NULL, error);

  return reply != NULL;
}

static gboolean
list_questions (CliDaemonQuestions *self, GError **error)
{
  g_autoptr (GVariant) reply
    = cli_daemon_call (self->daemon, CLI_DAEMON_PATH, OBJECT_MANAGER, "GetManagedObjects", NULL,
                       "(a{oa{sa{sv}}})", error);
  g_autoptr (GVariantIter) iter = NULL;
  const char *path;
  GVariant *interfaces;

  if (reply == NULL)
    return FALSE;

  g_variant_get (reply, "(a{oa{sa{sv}}})", &iter);
  while (g_variant_iter_loop (iter, "{&o@a{sa{sv}}}", &path, &interfaces))
    add_if_question (self, path, interfaces);
  return TRUE;
}

CliDaemonQuestions *
cli_daemon_questions_new (CliDaemon *daemon, gboolean watch, GError **error)
{
  g_autoptr (CliDaemonQuestions) self = g_new0 (CliDaemonQuestions, 1);

  self->daemon = daemon;
  self->open = g_ptr_array_new_with_free_func (open_question_free);
  self->subscription
    = cli_daemon_subscribe (daemon, CLI_DAEMON_PATH, OBJECT_MANAGER, on_signal, self);
  g_signal_connect (cli_daemon_get_connection (daemon), "closed", G_CALLBACK (on_closed), self);
  if ((watch && !watch_questions (self, error)) || !list_questions (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
cli_daemon_questions_free (CliDaemonQuestions *self)
{
  g_signal_handlers_disconnect_by_data (cli_daemon_get_connection (self->daemon), self);
  g_dbus_connection_signal_unsubscribe (cli_daemon_get_connection (self->daemon),
                                        self->subscription);
  cli_daemon_free (self->daemon);
  g_ptr_array_unref (self->open);
  g_free (self);
}

void
cli_daemon_questions_set_changed (CliDaemonQuestions *self,
                                  CliDaemonQuestionsFunc changed,
                                  gpointer data)
{
  self->changed = changed;
  self->data = data;
}

GPtrArray *
cli_daemon_questions_get (CliDaemonQuestions *self)
{
  return self->open;
}

gboolean
cli_daemon_questions_has (CliDaemonQuestions *self, const char *path)
{
  for (guint i = 0; i < self->open->len; i++)
    if (g_str_equal (((CliOpenQuestion *) self->open->pdata[i])->path, path))
      return TRUE;
  return FALSE;
}

gboolean
cli_daemon_questions_are_over (CliDaemonQuestions *self)
{
  return g_dbus_connection_is_closed (cli_daemon_get_connection (self->daemon));
}

gboolean
cli_daemon_questions_is_accepted (CliDaemonQuestions *self, const char *path)
{
  g_autoptr (GVariant) reply
    = cli_daemon_call (self->daemon, path, "org.freedesktop.DBus.Properties", "Get",
                       g_variant_new ("(ss)", QUESTION, "Accepted"), "(v)", NULL);
  g_autoptr (GVariant) value = NULL;

  if (reply != NULL)
    g_variant_get (reply, "(v)", &value);
  return value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN)
         && g_variant_get_boolean (value);
}

JsonObject *
cli_daemon_questions_ref_parameters (CliDaemonQuestions *self, const char *path, GError **error)
{
  g_autoptr (GVariant) reply
    = cli_daemon_call (self->daemon, path, QUESTION, "GetParameters", NULL, "(s)", error);
  g_autoptr (JsonNode) node = NULL;
  const char *text;

  if (reply == NULL)
    return NULL;

  g_variant_get (reply, "(&s)", &text);
  node = gmcp_json_parse (text, -1, error);
  if (node == NULL)
    return NULL;
  return JSON_NODE_HOLDS_OBJECT (node) ? json_object_ref (json_node_get_object (node))
                                       : json_object_new ();
}

gboolean
cli_daemon_questions_answer (CliDaemonQuestions *self,
                             const char *path,
                             const char *answer,
                             const char *content,
                             GError **error)
{
  g_autoptr (GVariant) reply = cli_daemon_call (
    self->daemon, path, QUESTION, "Answer", g_variant_new ("(ss)", answer, content), NULL, error);

  return reply != NULL;
}
