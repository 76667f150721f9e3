/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What GLib itself asks of a client whose calls are asynchronous functions: a main loop, a source on a pipe, and a GTask
 * for each call. Nothing is parsed but the ends of lines, as in bare-client.
 *
 * task-client N SERVER [ARG…]: N calls, one after the other */

#include <spawn.h>

#include <gio/gio.h>
#include <glib-unix.h>

#include "bench-report.h"

typedef struct
{
  GMainLoop *loop;
  GObject *client; /* what the tasks belong to */
  GTask *task;     /* the call under way */
  guint n_wanted, n_answered;
  int to_server, from_server;
} Client;

static const char request[]
  = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{"
    "\"text\":\"" BENCH_TEXT "\"}}}\n";

static GPid
start (Client *client, char **argv)
{
  g_autoptr (GError) error = NULL;
  GPid pid;

  if (!g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid,
                                 &client->to_server, &client->from_server, NULL, &error))
    g_error ("%s", error->message);
  return pid;
}

static void on_called (GObject *source, GAsyncResult *result, gpointer user_data);

static void
call (Client *client)
{
  client->task = g_task_new (client->client, NULL, on_called, client);
  g_task_set_source_tag (client->task, call);
  if (write (client->to_server, request, sizeof request - 1) != sizeof request - 1)
    abort ();
}

static void
on_called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Client *client = user_data;

  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    abort ();
  if (++client->n_answered == client->n_wanted)
    g_main_loop_quit (client->loop);
  else
    call (client);
}

static gboolean
on_input (int fd, GIOCondition condition, gpointer user_data)
{
  Client *client = user_data;
  char line[4096];
  ssize_t n = read (fd, line, sizeof line);

  if (n <= 0)
    abort ();
  if (line[n - 1] == '\n')
    {
      g_autoptr (GTask) task = g_steal_pointer (&client->task);

      g_task_return_boolean (task, TRUE);
    }
  return G_SOURCE_CONTINUE;
}

int
main (int argc, char **argv)
{
  Client client = { .n_wanted = argc > 2 ? (guint) atoi (argv[1]) : 0 };
  g_autoptr (GSource) input = NULL;
  double wall, cpu;
  GPid pid;

  if (client.n_wanted == 0)
    {
      g_printerr ("task-client N SERVER [ARG…]\n");
      return 2;
    }
  pid = start (&client, argv + 2);
  client.loop = g_main_loop_new (NULL, FALSE);
  client.client = g_object_new (G_TYPE_OBJECT, NULL);
  input = g_unix_fd_source_new (client.from_server, G_IO_IN);
  g_source_set_callback (input, G_SOURCE_FUNC (on_input), &client, NULL);
  /* Otherwise its descriptor leaves the loop and comes back at each turn. */
  g_source_set_can_recurse (input, TRUE);
  g_source_attach (input, NULL);

  wall = bench_wall_us ();
  cpu = bench_cpu_us ();
  call (&client);
  g_main_loop_run (client.loop);
  bench_report (client.n_wanted, bench_cpu_us () - cpu, bench_wall_us () - wall, 0);

  close (client.to_server);
  close (client.from_server);
  g_spawn_close_pid (pid);
  g_source_destroy (input);
  g_object_unref (client.client);
  g_main_loop_unref (client.loop);
  return 0;
}
