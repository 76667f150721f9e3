/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gmcp-sandbox-paths-private.h"
#include "manager-fixture.h"
#include "unit-test.h"

/* What a program in its sandbox reaches of what is outside: seen from inside, with sockets that listen. */

typedef struct
{
  ManagerFixture base;
  char *seen;   /* a folder that is not hidden */
  char *hidden; /* one below a hidden folder, which is the user's */
  char *session;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *built = g_canonicalize_filename (g_test_get_dir (G_TEST_BUILT), NULL);

  manager_fixture_set_up (&fixture->base, data);
  fixture->seen = g_build_filename (built, "reach-XXXXXX", NULL);
  g_assert_nonnull (g_mkdtemp (fixture->seen));
  fixture->hidden = g_strdup ("/tmp/gmcp-reach-XXXXXX");
  g_assert_nonnull (g_mkdtemp (fixture->hidden));
  fixture->session = g_build_filename (fixture->seen, "session", NULL);
  g_assert_no_errno (g_mkdir (fixture->session, 0700));
  g_setenv ("XDG_RUNTIME_DIR", fixture->session, TRUE);
}

static void
remove_dir (const char *dir)
{
  g_autoptr (GDir) entries = g_dir_open (dir, 0, NULL);
  const char *name;

  while (entries != NULL && (name = g_dir_read_name (entries)) != NULL)
    {
      g_autofree char *path = g_build_filename (dir, name, NULL);

      g_remove (path);
    }
  g_rmdir (dir);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  manager_fixture_tear_down (&fixture->base, data);
  g_unsetenv ("XDG_RUNTIME_DIR");
  remove_dir (fixture->seen);
  remove_dir (fixture->hidden);
  g_free (fixture->seen);
  g_free (fixture->session);
  g_free (fixture->hidden);
}

static void
configure (Fixture *fixture, const char *cwd, const char *settings)
{
  g_autofree char *script
    = g_test_build_filename (G_TEST_DIST, "servers", "confined-server.py", NULL);

  manager_fixture_write (&fixture->base,
                         g_strdup_printf ("\"one\":{\"command\":\"/usr/bin/python3\","
                                          "\"args\":[\"-S\",\"%s\"],\"cwd\":\"%s\","
                                          "\"sandbox\":\"read-only-home\"%s}",
                                          script, cwd, settings),
                         NULL);
}

static char *
look (Fixture *fixture, const char *code, GError **error)
{
  g_autofree char *arguments = g_strdup_printf ("{\"code\":\"%s\"}", code);

  return manager_fixture_call (&fixture->base, "one__look", arguments, NULL, error);
}

static void
assert_sees (Fixture *fixture, const char *expected, const char *code)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = look (fixture, code, &error);

  g_test_message ("%s: %s", code, text);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
}

static void
assert_reaches (Fixture *fixture, const char *expected, const char *address)
{
  g_autofree char *code = g_strdup_printf ("reach('%s')", address);

  assert_sees (fixture, expected, code);
}

static void
start (Fixture *fixture)
{
  GmcpManagedServer *server;

  g_assert_null (manager_fixture_load (&fixture->base, NULL));
  server = gmcp_manager_get_server (fixture->base.manager, "one");
  g_assert_no_error (gmcp_managed_server_get_last_error (server));
}

static void
assert_start_fails (Fixture *fixture, const char *part)
{
  const GError *last;

  g_assert_null (manager_fixture_load (&fixture->base, NULL));
  last
    = gmcp_managed_server_get_last_error (gmcp_manager_get_server (fixture->base.manager, "one"));
  g_assert_error (last, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  g_test_message ("%s", last->message);
  g_assert_nonnull (strstr (last->message, part));
}

static GSocketListener *
listen_at (const char *address)
{
  GSocketListener *listener = g_socket_listener_new ();
  g_autoptr (GSocketAddress) where = g_unix_socket_address_new_with_type (
    address, -1, *address == '/' ? G_UNIX_SOCKET_ADDRESS_PATH : G_UNIX_SOCKET_ADDRESS_ABSTRACT);
  g_autoptr (GError) error = NULL;

  g_socket_listener_add_address (listener, where, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT,
                                 NULL, NULL, &error);
  g_assert_no_error (error);
  return listener;
}

/* One in each place where sockets of other programs are. */
typedef struct
{
  char *addresses[4];
  GSocketListener *listeners[4];
} Outside;

enum
{
  SEEN,
  TMP,
  SESSION,
  ABSTRACT,
};

static void
begin_outside (Outside *outside, Fixture *fixture)
{
  outside->addresses[SEEN] = g_build_filename (fixture->seen, "S.agent", NULL);
  outside->addresses[TMP] = g_build_filename (fixture->hidden, "socket", NULL);
  outside->addresses[SESSION] = g_build_filename (fixture->session, "gmcp-bus", NULL);
  outside->addresses[ABSTRACT] = g_strdup_printf ("gmcp-abstract-%d", (int) getpid ());
  for (guint i = 0; i < G_N_ELEMENTS (outside->addresses); i++)
    outside->listeners[i] = listen_at (outside->addresses[i]);
}

static void
end_outside (Outside *outside)
{
  for (guint i = 0; i < G_N_ELEMENTS (outside->addresses); i++)
    {
      g_socket_listener_close (outside->listeners[i]);
      g_object_unref (outside->listeners[i]);
      if (i != ABSTRACT)
        g_remove (outside->addresses[i]);
      g_free (outside->addresses[i]);
    }
}

/* Whether the kernel keeps programs from abstract sockets of others. */
static gboolean
has_scopes (void)
{
  return syscall (444, NULL, 0, 1) >= 6;
}

static void
test_sockets (Fixture *fixture, gconstpointer data)
{
  Outside outside;
  g_autofree char *datagram = NULL;
  g_autofree char *stream = NULL;

  g_test_summary ("no socket of another program is reached, wherever it listens");
  begin_outside (&outside, fixture);
  configure (fixture, fixture->hidden, "");
  start (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (outside.addresses); i++)
    assert_reaches (fixture, "\"PermissionError\"", outside.addresses[i]);

  stream = g_strdup_printf ("reach_from_pair('%s')", outside.addresses[SEEN]);
  assert_sees (fixture, "\"OSError\"", stream);
  datagram = g_strdup_printf ("reach_from_pair('%s', socket.SOCK_DGRAM)", outside.addresses[SEEN]);
  assert_sees (fixture, "\"PermissionError\"", datagram);
  end_outside (&outside);
}

static void
test_own_sockets (Fixture *fixture, gconstpointer data)
{
  Outside outside;

  g_test_summary ("a program that may use Unix sockets still sees none in hidden folders");
  begin_outside (&outside, fixture);
  configure (fixture, fixture->seen, ",\"unixSockets\":true");
  start (fixture);
  assert_reaches (fixture, "\"FileNotFoundError\"", outside.addresses[TMP]);
  assert_reaches (fixture, "\"FileNotFoundError\"", outside.addresses[SESSION]);
  assert_reaches (fixture, has_scopes () ? "\"PermissionError\"" : "\"connected\"",
                  outside.addresses[ABSTRACT]);
  /* As the guide says; and it does listen. */
  assert_reaches (fixture, "\"connected\"", outside.addresses[SEEN]);
  assert_sees (fixture, "\"connected\"",
               "[s := socket.socket(socket.AF_UNIX), s.bind('/tmp/own'), s.listen(), "
               "reach('/tmp/own')][-1]");
  end_outside (&outside);
}

static void
test_no_network (Fixture *fixture, gconstpointer data)
{
  Outside outside;
  g_autofree char *listed = NULL;

  g_test_summary ("without the network not even the names of sockets are seen");
  begin_outside (&outside, fixture);
  configure (fixture, fixture->seen, ",\"unixSockets\":true,\"noNetwork\":true");
  start (fixture);
  listed = g_strdup_printf ("'%s' in open('/proc/net/unix').read()", outside.addresses[ABSTRACT]);
  assert_sees (fixture, "false", listed);
  assert_reaches (fixture, "\"ConnectionRefusedError\"", outside.addresses[ABSTRACT]);
  /* Sockets of a kind that no network namespace holds. */
  assert_sees (fixture, "\"OSError\"", "str(socket.socket(socket.AF_VSOCK))");
  end_outside (&outside);
}

static void
test_ways_around (Fixture *fixture, gconstpointer data)
{
  g_autofree char *ring = g_strdup_printf ("syscall(%d, 1, 0)", SYS_io_uring_setup);
  g_autofree char *key
    = g_strdup_printf ("syscall(%d, 0, -4, 0)", SYS_keyctl); /* the number of the user's keyring */
  g_autofree char *refused = g_strdup_printf ("%d", ENOSYS);

  configure (fixture, fixture->seen, "");
  start (fixture);
  assert_sees (fixture, refused, ring);
  assert_sees (fixture, refused, key);
#ifdef __x86_64__
  /* socket() of the x32 kind */
  assert_sees (fixture, refused, "syscall(0x40000029, 1, 1, 0)");
#endif
  /* A user who is root would otherwise mount it all anew. */
  assert_sees (fixture, "true",
               "'CapEff:\\\\t0000000000000000' in open('/proc/self/status').read()");
  assert_sees (fixture, "false", "os.access('/proc/sys/kernel/core_pattern', os.W_OK)");
  /* Nor is the first process in there any freer, whose memory it may write to. */
  assert_sees (fixture, "true", "'Seccomp:\\t2' in open('/proc/1/status').read()");
  assert_sees (fixture, "[\"0\", \"1\", \"2\", \"3\"]", "sorted(os.listdir('/proc/self/fd'))");
  /* What programs talk to those by that they start. */
  assert_sees (fixture, "\"x\"",
               "[p := socket.socketpair(), p[0].send(b'x'), p[1].recv(1).decode()][-1]");
}

static void
test_hidden_cwd (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a hidden folder is the sandbox's own, also where the program starts in it");
  configure (fixture, data != NULL ? data : fixture->session, "");
  start (fixture);
  assert_sees (fixture, "false", "any('gmcp' in name for name in os.listdir('.'))");
  assert_sees (fixture, "\"written\"", "write('gmcp-of-its-own')");
}

static void
test_root_cwd (Fixture *fixture, gconstpointer data)
{
  g_autofree char *code = g_strdup_printf ("os.path.exists('.%s')", fixture->base.config);

  g_test_summary ("what lies above hidden folders does not bring them along");
  configure (fixture, data, "");
  start (fixture);
  assert_sees (fixture, "false", code);
}

static void
test_linked_cwd (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link = g_build_filename (fixture->hidden, "link", NULL);
  g_autofree char *code = g_strdup_printf ("os.path.exists('.%s')", fixture->base.config);

  g_test_summary ("nor does a link to them");
  g_assert_no_errno (symlink ("/", link));
  configure (fixture, link, "");
  start (fixture);
  assert_sees (fixture, "true", "os.path.exists('./usr')");
  assert_sees (fixture, "false", code);
}

static void
test_own_cwd (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->hidden, "file", NULL);

  g_test_summary (
    "a folder of the user's below a hidden one is shown alone, and not to be written to");
  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  configure (fixture, fixture->hidden, "");
  start (fixture);
  assert_sees (fixture, "[\"file\"]", "os.listdir('.')");
  assert_sees (fixture, "1", "len(os.listdir('/tmp'))");
  assert_sees (fixture, "\"OSError\"", "write('file')");
}

static void
test_cwd_of_others (Fixture *fixture, gconstpointer data)
{
  g_autofree char *below = g_build_filename (fixture->session, "agent", NULL);

  g_mkdir_with_parents (below, 0700);
  configure (fixture, below, "");
  assert_start_fails (fixture, "which its sandbox does not show");
  g_rmdir (below);

  if (getuid () != 0)
    return;
  g_assert_no_errno (chown (fixture->hidden, 65534, 65534));
  configure (fixture, fixture->hidden, "");
  assert_start_fails (fixture, fixture->hidden);
}

static void
test_writable_hidden (Fixture *fixture, gconstpointer data)
{
  g_autofree char *settings = g_strdup_printf (",\"writablePaths\":[\"%s\"]", (const char *) data);

  configure (fixture, fixture->seen, settings);
  assert_start_fails (fixture, "that its sandbox hides");
}

static void
test_writable_links (Fixture *fixture, gconstpointer data)
{
  g_autofree char *link = g_build_filename (fixture->seen, "out", NULL);
  g_autofree char *path = g_build_filename (link, (const char *) data, NULL);
  g_autofree char *settings = g_strdup_printf (",\"writablePaths\":[\"%s\"]", path);
  g_autofree char *file = g_build_filename (fixture->hidden, "file", NULL);

  g_test_summary ("a link does not make another folder writable");
  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  g_assert_no_errno (symlink (fixture->hidden, link));
  configure (fixture, fixture->seen, settings);
  assert_start_fails (fixture, fixture->hidden);
}

static void
test_paths (Fixture *fixture, gconstpointer data)
{
  g_autofree char *home = g_build_filename (fixture->seen, "home", NULL);
  g_autofree char *link = g_build_filename (fixture->seen, "link", NULL);
  g_autofree char *below = g_build_filename (home, "x", NULL);
  g_autofree char *target = NULL;
  int fd;

  g_assert_no_errno (g_mkdir (home, 0700));
  g_assert_no_errno (g_mkdir (below, 0700));
  g_assert_no_errno (symlink (home, link));

  fd = gmcp_sandbox_paths_open (below);
  g_assert_cmpint (fd, >=, 0);
  close (fd);
  g_free (below);
  below = g_build_filename (link, "x", NULL);
  g_assert_cmpint (gmcp_sandbox_paths_open (below), ==, -1);
  g_assert_cmpint (errno, ==, ELOOP);
  g_assert_cmpint (gmcp_sandbox_paths_open (link), ==, -1);
  g_assert_null (gmcp_sandbox_paths_resolve_writable (below, &target));
  g_assert_cmpint (errno, ==, ELOOP);
  g_assert_true (g_str_has_suffix (target, "/home/x"));
  g_free (below);
  below = g_build_filename (home, "x", NULL);
  g_rmdir (below);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(name, data, func)                                                                      \
  g_test_add ("/sandbox-reach/" name, Fixture, data, set_up, func, tear_down)

  if (manager_fixture_can_confine ())
    {
      ADD ("sockets", NULL, test_sockets);
      ADD ("own-sockets", NULL, test_own_sockets);
      ADD ("no-network", NULL, test_no_network);
      ADD ("ways-around", NULL, test_ways_around);
      ADD ("cwd/tmp", "/tmp", test_hidden_cwd);
      ADD ("cwd/var-tmp", "/var/tmp", test_hidden_cwd);
      ADD ("cwd/run", "/run", test_hidden_cwd);
      ADD ("cwd/session", NULL, test_hidden_cwd);
      ADD ("cwd/root", "/", test_root_cwd);
      ADD ("cwd/link", NULL, test_linked_cwd);
      ADD ("cwd/own", NULL, test_own_cwd);
    }
  ADD ("cwd/of-others", NULL, test_cwd_of_others);
  ADD ("writable/tmp", "/tmp", test_writable_hidden);
  ADD ("writable/run", "/run", test_writable_hidden);
  ADD ("writable/root", "/", test_writable_hidden);
  ADD ("writable/var", "/var", test_writable_hidden);
  ADD ("writable/link", "", test_writable_links);
  ADD ("writable/below-link", "file", test_writable_links);
  ADD ("paths", NULL, test_paths);

  return g_test_run ();
}
