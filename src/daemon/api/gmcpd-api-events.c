/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/json/gmcp-json.h>

#include "gmcpd-api-handlers.h"
#include "gmcpd-api-log-feed.h"
#include "gmcpd-api-logs.h"
#include "gmcpd-api-servers.h"
#include "gmcpd-facts.h"
#include "gmcpd-names.h"

/* What changes, told as it does. */

#define GATHER_MS     100
#define KEEP_ALIVE_MS 15000
#define CALLS_POLL_MS 2000

typedef struct
{
  GmcpdApiRequest *request;
  GmcpManager *manager;
  GmcpdOpenQuestions *questions; /* NULL where the client does not answer any */
  GmcpdApiLogFeed *logs;
  char *pins; /* what was told of tools that are not what was approved */
  GCancellable *cancellable;
  GPtrArray *watched;  /* of GmcpManagedServer */
  GHashTable *changed; /* ids of servers that are to be told of */
  GHashTable *calls;   /* the statistics of each server that were last told, by its id */
  gboolean list_changed;
  GSource *gathering; /* NULL where nothing is to be told */
  GSource *calls_poll;
  GSource *keep_alive;
} Stream;

static void on_cancelled (Stream *self);
static void note_change (Stream *self, const char *server_id);
static void on_server_changed (GmcpManagedServer *server, GParamSpec *pspec, Stream *self);

static GHashTable *
new_id_set (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static void
forget_servers (Stream *self)
{
  for (guint i = 0; i < self->watched->len; i++)
    g_signal_handlers_disconnect_by_func (self->watched->pdata[i], on_server_changed, self);
  g_ptr_array_set_size (self->watched, 0);
}

static void
clear_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
forget_questions (Stream *self)
{
  if (self->questions == NULL)
    return;

  g_signal_handlers_disconnect_by_data (self->questions, self);
  gmcpd_open_questions_end_looking (self->questions);
  g_clear_object (&self->questions);
}

static void
end_stream (Stream *self)
{
  g_signal_handlers_disconnect_by_data (self->cancellable, self);
  g_signal_handlers_disconnect_by_data (self->manager, self);
  forget_questions (self);
  gmcpd_api_log_feed_free (self->logs);
  forget_servers (self);
  clear_source (&self->gathering);
  clear_source (&self->calls_poll);
  clear_source (&self->keep_alive);
  gmcpd_api_request_end_stream (self->request);
  g_ptr_array_unref (self->watched);
  g_hash_table_unref (self->changed);
  g_hash_table_unref (self->calls);
  g_object_unref (self->cancellable);
  g_object_unref (self->manager);
  g_free (self->pins);
  g_free (self);
}

/* Takes the object. */
static char *
print_event (const char *event, JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  g_autofree char *data = gmcp_json_print (node, NULL);

  json_object_unref (object);
  return g_strdup_printf ("event: %s\ndata: %s\n\n", event, data);
}

/* Takes the object. FALSE where the stream is to be ended. */
static gboolean
write_event (Stream *self, const char *event, JsonObject *object)
{
  g_autofree char *text = print_event (event, object);

  return gmcpd_api_request_write (self->request, text);
}

static void
add_pin (GString *text, GmcpToolPin *pin, guint *n_changed)
{
  if (gmcp_tool_pin_get_status (pin) == GMCP_PIN_STATUS_APPROVED)
    return;
  (*n_changed)++;
  g_string_append_printf (text, "%s\n%s\n%s\n", gmcp_tool_pin_get_server_id (pin),
                          gmcp_tool_pin_get_tool (pin), gmcp_tool_pin_get_present_json (pin));
}

/* What waits to be approved is told by its number; what it is can be asked for. */
static gboolean
write_pins (Stream *self)
{
  g_autoptr (GPtrArray) pins = gmcp_manager_list_pins (self->manager);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *digest = NULL;
  JsonObject *object;
  guint n_changed = 0;

  for (guint i = 0; i < pins->len; i++)
    add_pin (text, pins->pdata[i], &n_changed);
  digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, (gssize) text->len);
  if (g_strcmp0 (digest, self->pins) == 0)
    return TRUE;

  g_free (self->pins);
  self->pins = g_steal_pointer (&digest);
  object = json_object_new ();
  json_object_set_int_member (object, "waiting", n_changed);
  return write_event (self, "change", object);
}

/* What there is no room for is told later, as it is then. */
static gboolean
write_changed (Stream *self)
{
  g_autoptr (GHashTable) changed = g_steal_pointer (&self->changed);
  g_autoptr (JsonArray) servers = gmcpd_api_servers_describe_some (self->manager, changed);
  gboolean is_going_on = TRUE;

  self->changed = new_id_set ();
  for (guint i = 0; is_going_on && i < json_array_get_length (servers); i++)
    {
      JsonObject *server = json_array_get_object_element (servers, i);
      g_autofree char *text = print_event ("server", json_object_ref (server));

      if (gmcpd_api_request_has_room (self->request, strlen (text)))
        is_going_on = gmcpd_api_request_write (self->request, text);
      else
        note_change (self, json_object_get_string_member (server, "name"));
    }
  return is_going_on;
}

static gboolean
write_servers (Stream *self)
{
  if (!self->list_changed)
    return write_changed (self);

  self->list_changed = FALSE;
  g_hash_table_remove_all (self->changed);
  return write_event (self, "servers", gmcpd_api_servers_describe_all (self->manager));
}

static gboolean
write_changes (Stream *self)
{
  return write_servers (self) && write_pins (self);
}

/* A client that reads slowly is told less often how servers are. */
static gboolean
on_gathered (gpointer data)
{
  Stream *self = data;

  if (gmcpd_api_request_is_writing (self->request))
    return G_SOURCE_CONTINUE;
  clear_source (&self->gathering);
  if (!write_changes (self))
    end_stream (self);
  return G_SOURCE_REMOVE;
}

static GSource *
start_timer (Stream *self, guint interval_ms, const char *name, GSourceFunc func)
{
  GSource *source = g_timeout_source_new (interval_ms);

  g_source_set_static_name (source, name);
  g_source_set_callback (source, func, self, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}

static void
gather_changes (Stream *self)
{
  if (self->gathering != NULL)
    return;
  self->gathering = start_timer (self, GATHER_MS, "[gmcpd] changes to be told", on_gathered);
}

static void
note_change (Stream *self, const char *server_id)
{
  g_hash_table_add (self->changed, g_strdup (server_id));
  gather_changes (self);
}

static gboolean
on_keep_alive (gpointer data)
{
  Stream *self = data;

  if (gmcpd_api_request_write (self->request, ":\n\n"))
    return G_SOURCE_CONTINUE;
  end_stream (self);
  return G_SOURCE_REMOVE;
}

/* For how long it has been running is no news. */
static void
on_server_changed (GmcpManagedServer *server, GParamSpec *pspec, Stream *self)
{
  if (g_str_equal (pspec->name, "uptime-seconds"))
    return;
  note_change (self, gmcp_managed_server_get_id (server));
}

/* Keeps the server's statistics; gives whether they are others than those that were kept before. */
static gboolean
note_calls (Stream *self, GmcpManagedServer *server)
{
  const char *id = gmcp_managed_server_get_id (server);
  const char *before = g_hash_table_lookup (self->calls, id);
  g_autofree char *now = gmcp_managed_server_dup_statistics_json (server);
  gboolean is_known = before != NULL;

  if (g_strcmp0 (before, now) == 0)
    return FALSE;

  g_hash_table_insert (self->calls, g_strdup (id), g_steal_pointer (&now));
  return is_known;
}

static gboolean
on_calls_poll (gpointer data)
{
  Stream *self = data;

  for (guint i = 0; i < self->watched->len; i++)
    {
      GmcpManagedServer *server = self->watched->pdata[i];

      if (note_calls (self, server)
          && !write_event (self, "calls", gmcpd_api_servers_describe_calls (server)))
        {
          end_stream (self);
          return G_SOURCE_REMOVE;
        }
    }
  return G_SOURCE_CONTINUE;
}

static void
watch_servers (Stream *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->manager));

  forget_servers (self);
  g_hash_table_remove_all (self->calls);
  for (guint i = 0; i < n; i++)
    {
      GmcpManagedServer *server = g_list_model_get_item (G_LIST_MODEL (self->manager), i);

      note_calls (self, server);
      g_signal_connect (server, "notify", G_CALLBACK (on_server_changed), self);
      g_ptr_array_add (self->watched, server);
    }
  gmcpd_api_log_feed_follow (self->logs, self->watched);
}

static void
on_servers_changed (Stream *self)
{
  watch_servers (self);
  self->list_changed = TRUE;
  gather_changes (self);
}

static void
on_notice (GmcpManager *manager,
           const char *server_id,
           GmcpNoticeLevel level,
           const char *message,
           Stream *self)
{
  JsonObject *object = json_object_new ();
  g_autofree char *text = gmcpd_names_dup_text (message);

  json_object_set_string_member (object, "server", server_id);
  json_object_set_string_member (object, "level",
                                 gmcpd_facts_get_nick (GMCP_TYPE_NOTICE_LEVEL, (int) level));
  json_object_set_string_member (object, "message", text);
  if (!write_event (self, "notice", object))
    end_stream (self);
}

static void
on_asked (GmcpdOpenQuestions *questions, const char *id, Stream *self)
{
  JsonObject *object = gmcpd_open_questions_describe (questions, id);

  if (object != NULL && !write_event (self, "question", object))
    end_stream (self);
}

static void
on_gone (GmcpdOpenQuestions *questions, const char *id, Stream *self)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "id", id);
  if (!write_event (self, "question-gone", object))
    end_stream (self);
}

static void
on_log_line (GmcpManagedServer *server, GmcpLogEntry *entry, gpointer data)
{
  Stream *self = data;
  JsonObject *object = gmcpd_api_logs_describe (entry);

  json_object_set_string_member (object, "server", gmcp_managed_server_get_id (server));
  if (!write_event (self, "log", object))
    end_stream (self);
}

static void
on_cancelled (Stream *self)
{
  end_stream (self);
}

/* From now on those wait that nobody else can be asked. */
static void
look_at_questions (Stream *self)
{
  self->questions = g_object_ref (gmcpd_api_request_get_questions (self->request));
  g_signal_connect (self->questions, "asked", G_CALLBACK (on_asked), self);
  g_signal_connect (self->questions, "accepted", G_CALLBACK (on_asked), self);
  g_signal_connect (self->questions, "gone", G_CALLBACK (on_gone), self);
  gmcpd_open_questions_begin_looking (self->questions);
}

void
gmcpd_api_get_events (GmcpdApiRequest *request)
{
  gboolean has_questions = TRUE;
  Stream *self;

  if (!gmcpd_api_request_read_flag (request, "questions", &has_questions)
      || !gmcpd_api_request_begin_stream (request))
    return;

  self = g_new0 (Stream, 1);
  self->request = request;
  self->manager = g_object_ref (gmcpd_api_request_get_manager (request));
  self->cancellable = g_object_ref (gmcpd_api_request_get_cancellable (request));
  self->logs = gmcpd_api_log_feed_new (on_log_line, self);
  self->watched = g_ptr_array_new_with_free_func (g_object_unref);
  self->changed = new_id_set ();
  self->list_changed = TRUE;
  /* That nothing waits is no news. */
  self->pins = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "", 0);
  self->calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->keep_alive = start_timer (self, KEEP_ALIVE_MS, "[gmcpd] stream of events", on_keep_alive);
  self->calls_poll = start_timer (self, CALLS_POLL_MS, "[gmcpd] calls to be told", on_calls_poll);
  g_signal_connect_swapped (self->cancellable, "cancelled", G_CALLBACK (on_cancelled), self);
  g_signal_connect_swapped (self->manager, "items-changed", G_CALLBACK (on_servers_changed), self);
  g_signal_connect (self->manager, "notice", G_CALLBACK (on_notice), self);
  if (has_questions)
    look_at_questions (self);
  watch_servers (self);
  if (!write_changes (self))
    end_stream (self);
}
