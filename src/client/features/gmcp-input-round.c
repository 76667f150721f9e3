/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-input-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

struct _GmcpInputRound
{
  grefcount ref_count;
  GmcpSession *session; /* not owned */
  GPtrArray *items;
  guint n_open;
  gboolean asking;
  GError *error;
  GmcpInputAnsweredFunc answered; /* nullable */
  GmcpInputRoundFunc func;        /* until it is called */
  gpointer data;
};

typedef struct
{
  GmcpInputRound *round;
  char *key;               /* as the server wrote it, and a colon */
  GmcpInputRequest *fresh; /* owned until it is put */
  GmcpInputRequest *open;  /* not owned, while it is not answered */
  char *answer;
} Item;

static void
item_free (gpointer data)
{
  Item *item = data;

  g_free (item->key);
  g_clear_object (&item->fresh);
  g_free (item->answer);
  g_free (item);
}

static void
round_unref (GmcpInputRound *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;

  g_ptr_array_unref (self->items);
  g_clear_error (&self->error);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpInputRound, round_unref)

static GmcpInputRound *
round_new (GmcpSession *session)
{
  GmcpInputRound *self = g_new0 (GmcpInputRound, 1);

  g_ref_count_init (&self->ref_count);
  self->session = session;
  self->items = g_ptr_array_new_with_free_func (item_free);
  return self;
}

static gboolean
add_item (GmcpInputRound *self,
          const char *subject,
          GmcpCallOptions *options,
          GmcpJsonValue key,
          GmcpJsonValue request,
          GError **error)
{
  g_autofree char *raw_key = NULL;
  Item *item;
  gsize length;

  gmcp_json_value_peek_raw (key, &length);
  if (length > GMCP_LIMIT_INPUT_KEY_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("%s asked a question by a key that is longer than %u bytes"),
                   gmcp_session_describe (self->session), GMCP_LIMIT_INPUT_KEY_BYTES);
      return FALSE;
    }

  raw_key = gmcp_json_value_dup_raw (key);
  item = g_new0 (Item, 1);
  item->round = self;
  item->key = g_strconcat (raw_key, ":", NULL);
  g_ptr_array_add (self->items, item);
  item->fresh = gmcp_input_make_request (
    self->session, subject, gmcp_json_value_get_member (request, "method"),
    gmcp_json_value_get_member (request, "params"), &item->answer, error);
  if (item->fresh != NULL)
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      gmcp_input_request_set_key (item->fresh, name);
      gmcp_input_request_set_options (item->fresh, options);
      self->n_open++;
    }
  return item->fresh != NULL || item->answer != NULL;
}

GmcpInputRound *
gmcp_input_round_new (GmcpSession *session,
                      const char *subject,
                      GmcpCallOptions *options,
                      GmcpJsonValue requests,
                      GError **error)
{
  g_autoptr (GmcpInputRound) self = round_new (session);
  GmcpJsonIter iter;
  GmcpJsonValue key, request;

  if (!gmcp_json_value_is_object (requests))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                   _ ("%s asked for input in a form that cannot be read"),
                   gmcp_session_describe (session));
      return NULL;
    }
  if (gmcp_json_value_get_length (requests) > GMCP_LIMIT_INPUT_REQUESTS)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("%s asked more than %u questions at once"), gmcp_session_describe (session),
                   GMCP_LIMIT_INPUT_REQUESTS);
      return NULL;
    }

  gmcp_json_iter_init (&iter, requests);
  while (gmcp_json_iter_next (&iter, &key, &request))
    if (!add_item (self, subject, options, key, request, error))
      return NULL;
  return g_steal_pointer (&self);
}

GmcpInputRound *
gmcp_input_round_new_from_requests (GmcpSession *session,
                                    GPtrArray *requests,
                                    GmcpInputAnsweredFunc answered)
{
  GmcpInputRound *self = round_new (session);

  self->answered = answered;
  self->n_open = requests->len;
  for (guint i = 0; i < requests->len; i++)
    {
      Item *item = g_new0 (Item, 1);

      item->round = self;
      item->fresh = g_object_ref (requests->pdata[i]);
      g_ptr_array_add (self->items, item);
    }
  return self;
}

static void
end_if_answered (GmcpInputRound *self)
{
  GmcpInputRoundFunc func;

  if (self->asking || self->func == NULL || (self->n_open > 0 && self->error == NULL))
    return;

  func = g_steal_pointer (&self->func);
  func (self, g_steal_pointer (&self->error), self->data);
}

static void
on_answer (GmcpInputRequest *request, const char *answer, gpointer data)
{
  Item *item = data;
  GmcpInputRound *self = item->round;

  item->open = NULL;
  if (self->answered != NULL)
    {
      self->answered (self, request, self->data);
      return;
    }

  item->answer = g_strdup (answer);
  if (answer == NULL && self->error == NULL)
    self->error = g_error_new (GMCP_ERROR, GMCP_ERROR_INPUT_REFUSED,
                               _ ("%s wanted to use this program's model, which was refused"),
                               gmcp_session_describe (self->session));
  gmcp_input_round_settle_one (self);
}

void
gmcp_input_round_settle_one (GmcpInputRound *self)
{
  self->n_open--;
  end_if_answered (self);
}

void
gmcp_input_round_refuse (GmcpInputRound *self, GError *error)
{
  if (self->error == NULL)
    self->error = error;
  else
    g_error_free (error);
  end_if_answered (self);
}

void
gmcp_input_round_ask (GmcpInputRound *round, GmcpInputRoundFunc func, gpointer data)
{
  g_autoptr (GmcpInputRound) self = round;

  g_ref_count_inc (&self->ref_count);
  self->func = func;
  self->data = data;
  self->asking = TRUE;
  /* A handler may end the round or refuse; then the rest is not asked. */
  for (guint i = 0; i < self->items->len && self->func != NULL && self->error == NULL; i++)
    {
      Item *item = g_ptr_array_index (self->items, i);
      g_autoptr (GmcpInputRequest) request = g_steal_pointer (&item->fresh);

      if (request == NULL)
        continue;
      item->open = request;
      gmcp_input_request_listen (request, on_answer, item);
      gmcp_input_emit_requested (self->session, request);
    }
  self->asking = FALSE;
  end_if_answered (self);
}

void
gmcp_input_round_write_answers (GmcpInputRound *self, GmcpJsonWriter *writer)
{
  gmcp_json_writer_begin_object (writer);
  for (guint i = 0; i < self->items->len; i++)
    {
      Item *item = g_ptr_array_index (self->items, i);

      gmcp_json_writer_raw_key (writer, item->key, strlen (item->key));
      gmcp_json_writer_raw (writer, item->answer, -1);
    }
  gmcp_json_writer_end_object (writer);
}

void
gmcp_input_round_free (GmcpInputRound *self)
{
  self->func = NULL;
  for (guint i = 0; i < self->items->len; i++)
    {
      Item *item = g_ptr_array_index (self->items, i);

      if (item->open != NULL)
        gmcp_input_request_close (g_steal_pointer (&item->open));
    }
  round_unref (self);
}
