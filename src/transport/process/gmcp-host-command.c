/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-host-command-private.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include <gio/gunixfdlist.h>

#include "gmcp-host-pipes-private.h"
#include "gmcp-limits.h"

#define DEVELOPMENT_PATH      "/org/freedesktop/Flatpak/Development"
#define DEVELOPMENT_INTERFACE "org.freedesktop.Flatpak.Development"

#define FLAG_CLEAR_ENV        (1u << 0)
#define FLAG_WATCH_BUS        (1u << 1)

/* Arguments: the limit of processor time or nothing; 1 where the folder has to be there; the folder;
 * the command. The one beside it keeps both descriptors, so that its end is seen and it sees ours. It
 * names the group by the number of what becomes the server: where that has no group of its own, no
 * other is hit. What it starts must not hold the server's pipes. */
static const char script[]
  = "limit=$1 strict=$2 dir=$3\n"
    "shift 3\n"
    "fail () { printf %s \"$1\" >&3; exit 127; }\n"
    "if ! cd \"$dir\" 2>/dev/null; then\n"
    "  if [ \"$strict\" = 1 ]; then [ -d \"$dir\" ] && fail C || fail c; fi\n"
    "  cd \"$HOME\" 2>/dev/null || cd /\n"
    "fi\n"
    "case $1 in\n"
    "*/*) [ -e \"$1\" ] || fail e; [ -f \"$1\" ] && [ -x \"$1\" ] || fail E ;;\n"
    "*) command -v \"$1\" >/dev/null 2>&1 || fail e ;;\n"
    "esac\n"
    "( (\n"
    "  trap '' HUP INT TERM\n"
    "  while read -r word <&4; do\n"
    "    case $word in\n"
    "    T) kill -s TERM -- -$$ ;;\n"
    "    E) kill -s TERM -- -$$; sleep 0.5 || sleep 1; kill -s KILL -- -$$ ;;\n"
    "    K) kill -s KILL -- -$$ ;;\n"
    "    esac\n"
    "  done\n"
    "  kill -s TERM -- -$$\n"
    "  sleep 1\n"
    "  kill -s KILL -- -$$\n"
    ") </dev/null >/dev/null 2>&1 & )\n"
    "if [ -n \"$limit\" ]; then\n"
    "  ulimit -S -t \"$limit\" && ulimit -H -t $((limit + 1)) || fail l\n"
    "fi\n"
    "printf r >&3\n"
    "exec \"$@\" 3>&- 4<&-\n";

static const GmcpHostFailure failures[] = {
  { 'c', GMCP_GUARD_STEP_CWD, ENOENT },  { 'C', GMCP_GUARD_STEP_CWD, EACCES },
  { 'e', GMCP_GUARD_STEP_EXEC, ENOENT }, { 'E', GMCP_GUARD_STEP_EXEC, EACCES },
  { 'l', GMCP_GUARD_STEP_LIMIT, EPERM },
};

const GmcpHostFailure *
gmcp_host_command_find_failure (char word)
{
  for (gsize i = 0; i < G_N_ELEMENTS (failures); i++)
    {
      if (failures[i].word == word)
        return &failures[i];
    }
  return NULL;
}

static void
add_word (GVariantBuilder *words, const char *word)
{
  g_variant_builder_add_value (words, g_variant_new_bytestring (word));
}

static void
add_limit (GVariantBuilder *words, const GmcpSpawnOptions *options)
{
  g_autofree char *seconds = g_strdup ("");

  for (gsize i = 0; i < options->n_limits; i++)
    {
      if (options->limits[i].resource != RLIMIT_CPU)
        continue;
      g_free (seconds);
      seconds = g_strdup_printf ("%" G_GUINT64_FORMAT, (guint64) options->limits[i].soft);
    }
  add_word (words, seconds);
}

static GVariant *
describe_words (const GmcpSpawnOptions *options)
{
  g_autofree char *here = g_get_current_dir ();
  g_autofree char *dir = g_canonicalize_filename (options->cwd != NULL ? options->cwd : here, here);
  GVariantBuilder words;

  g_variant_builder_init (&words, G_VARIANT_TYPE ("aay"));
  add_word (&words, "/bin/sh");
  add_word (&words, "-c");
  add_word (&words, script);
  add_word (&words, "gmcp-host");
  add_limit (&words, options);
  add_word (&words, options->cwd != NULL ? "1" : "0");
  add_word (&words, dir);
  for (gsize i = 0; options->argv[i] != NULL; i++)
    add_word (&words, options->argv[i]);
  return g_variant_builder_end (&words);
}

static GVariant *
describe_environment (const char *const *environment)
{
  GVariantBuilder variables;

  g_variant_builder_init (&variables, G_VARIANT_TYPE ("a{ss}"));
  for (; environment != NULL && *environment != NULL; environment++)
    {
      const char *equals = strchr (*environment, '=');
      g_autofree char *name = NULL;

      /* D-Bus takes no other text, and closes the connection on it. */
      if (equals == NULL || !g_utf8_validate (*environment, -1, NULL))
        continue;

      name = g_strndup (*environment, equals - *environment);
      g_variant_builder_add (&variables, "{ss}", name, equals + 1);
    }
  return g_variant_builder_end (&variables);
}

GVariant *
gmcp_host_command_describe (const GmcpSpawnOptions *options)
{
  guint32 flags = FLAG_WATCH_BUS | (options->keep_environment ? 0 : FLAG_CLEAR_ENV);
  GVariantBuilder fds;

  g_variant_builder_init (&fds, G_VARIANT_TYPE ("a{uh}"));
  for (gint32 i = 0; i < GMCP_HOST_N_ENDS; i++)
    g_variant_builder_add (&fds, "{uh}", (guint32) i, i);

  return g_variant_ref_sink (g_variant_new (
    "(@ay@aay@a{uh}@a{ss}u)", g_variant_new_bytestring ("/"), describe_words (options),
    g_variant_builder_end (&fds), describe_environment (options->environment), flags));
}

void
gmcp_host_command_call_async (GDBusConnection *connection,
                              GVariant *command,
                              GUnixFDList *fds,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_dbus_connection_call_with_unix_fd_list (
    connection, GMCP_HOST_BUS_NAME, DEVELOPMENT_PATH, DEVELOPMENT_INTERFACE, "HostCommand", command,
    G_VARIANT_TYPE ("(u)"), G_DBUS_CALL_FLAGS_NONE, GMCP_DEFAULT_HOST_COMMAND_MS, fds, cancellable,
    callback, user_data);
}

void
gmcp_host_command_signal_async (GDBusConnection *connection,
                                guint32 pid,
                                int signal_number,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_dbus_connection_call (connection, GMCP_HOST_BUS_NAME, DEVELOPMENT_PATH, DEVELOPMENT_INTERFACE,
                          "HostCommandSignal",
                          g_variant_new ("(uub)", pid, (guint32) signal_number, TRUE), NULL,
                          G_DBUS_CALL_FLAGS_NO_AUTO_START, GMCP_DEFAULT_HOST_COMMAND_MS,
                          cancellable, callback, user_data);
}

guint
gmcp_host_command_subscribe (GDBusConnection *connection,
                             GDBusSignalCallback callback,
                             gpointer user_data,
                             GDestroyNotify destroy)
{
  return g_dbus_connection_signal_subscribe (
    connection, GMCP_HOST_BUS_NAME, DEVELOPMENT_INTERFACE, "HostCommandExited", DEVELOPMENT_PATH,
    NULL, G_DBUS_SIGNAL_FLAGS_NONE, callback, user_data, destroy);
}

GError *
gmcp_host_command_explain (const GError *error)
{
  GError *plain = g_error_copy (error);

  g_dbus_error_strip_remote_error (plain);
  return plain;
}

gboolean
gmcp_host_command_is_denied (const GError *error)
{
  static const int codes[] = {
    G_DBUS_ERROR_ACCESS_DENIED,     G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER,
    G_DBUS_ERROR_UNKNOWN_INTERFACE, G_DBUS_ERROR_UNKNOWN_OBJECT,  G_DBUS_ERROR_UNKNOWN_METHOD,
  };

  for (gsize i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      if (g_error_matches (error, G_DBUS_ERROR, codes[i]))
        return TRUE;
    }
  return FALSE;
}
