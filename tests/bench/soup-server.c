/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The least that a server over HTTP costs which is made with libsoup: one handler, and the same bytes
 * for everybody. Prints its address, and serves until its standard input ends.
 *
 * soup-server ANSWER */

#include <gio/gunixinputstream.h>
#include <libsoup/soup.h>
#include <string.h>

static void
on_request (SoupServer *server,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer answer)
{
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
  soup_server_message_set_response (message, "application/json", SOUP_MEMORY_STATIC, answer,
                                    strlen (answer));
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
  GSList *uris;

  if (argc != 2 || !soup_server_listen_local (server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, NULL))
    return 2;
  soup_server_add_handler (server, "/mcp", on_request, argv[1], NULL);
  uris = soup_server_get_uris (server);
  g_print ("http://127.0.0.1:%d/mcp\n", g_uri_get_port (uris->data));
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  g_source_set_callback (source, G_SOURCE_FUNC (on_input_ended), loop, NULL);
  g_source_attach (source, NULL);
  g_main_loop_run (loop);
  return 0;
}
