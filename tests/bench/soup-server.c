/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The least that a server over HTTP costs which is made with libsoup: one handler, and the same bytes
 * for everybody. Prints its address, and serves until its standard input ends.
 *
 * soup-server ANSWER [SESSION]
 *
 * The first answer names the session, which the client names from then on. */

#include <gio/gunixinputstream.h>
#include <libsoup/soup.h>
#include <string.h>

typedef struct
{
  const char *answer;
  const char *session; /* NULL once it was named */
} Answers;

static void
on_request (SoupServer *server,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer data)
{
  Answers *self = data;

  if (self->session != NULL)
    soup_message_headers_append (soup_server_message_get_response_headers (message),
                                 "Mcp-Session-Id", g_steal_pointer (&self->session));
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
  soup_server_message_set_response (message, "application/json", SOUP_MEMORY_STATIC, self->answer,
                                    strlen (self->answer));
}

static gboolean
on_input_ended (GObject *stream, gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

int
main (int argc, char *argv[])
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (SoupServer) server = soup_server_new (NULL, NULL);
  g_autoptr (GInputStream) input = g_unix_input_stream_new (0, FALSE);
  g_autoptr (GSource) source
    = g_pollable_input_stream_create_source (G_POLLABLE_INPUT_STREAM (input), NULL);
  Answers answers = { argc > 1 ? argv[1] : NULL, argc > 2 ? argv[2] : NULL };
  GSList *uris;

  if (argc < 2 || !soup_server_listen_local (server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, NULL))
    return 2;
  soup_server_add_handler (server, "/mcp", on_request, &answers, NULL);
  uris = soup_server_get_uris (server);
  g_print ("http://127.0.0.1:%d/mcp\n", g_uri_get_port (uris->data));
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  g_source_set_callback (source, G_SOURCE_FUNC (on_input_ended), loop, NULL);
  g_source_attach (source, NULL);
  g_main_loop_run (loop);
  return 0;
}
