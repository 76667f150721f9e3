/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-connection.h"

#include <glib/gi18n.h>

#include <gmcp/core/gmcp-visible-text.h>

#include "cli-json.h"

GPtrArray *
cli_connection_find (CliHost *host, const char *program, gboolean in_project, GError **error)
{
  g_autofree char *path = in_project ? g_get_current_dir () : NULL;
  g_autoptr (GFile) folder = path != NULL ? g_file_new_for_path (path) : NULL;
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_program_connection_find_async (program, folder, host->cancellable, cli_store_result,
                                      &result);
  return gmcp_program_connection_find_finish (cli_wait (&result), error);
}

gboolean
cli_connection_load (CliHost *host, GmcpProgramConnection *connection, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_program_connection_load_async (connection, host->cancellable, cli_store_result, &result);
  return gmcp_program_connection_load_finish (connection, cli_wait (&result), error);
}

gboolean
cli_connection_write (CliHost *host,
                      GmcpProgramConnection *connection,
                      gboolean connected,
                      GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  if (connected)
    {
      gmcp_program_connection_connect_async (connection, host->cancellable, cli_store_result,
                                             &result);
      return gmcp_program_connection_connect_finish (connection, cli_wait (&result), error);
    }
  gmcp_program_connection_disconnect_async (connection, host->cancellable, cli_store_result,
                                            &result);
  return gmcp_program_connection_disconnect_finish (connection, cli_wait (&result), error);
}

/* What the kernel says of a program whose file is gone is no path. */
char *
cli_connection_dup_executable (void)
{
  g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);

  return path != NULL && g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) ? g_steal_pointer (&path)
                                                                       : NULL;
}

static char *
dup_entry_command (GmcpProgramConnection *connection)
{
  const char *const *words = gmcp_program_connection_get_entry_command (connection);
  g_autoptr (GString) out = g_string_new (NULL);

  for (gsize i = 0; words != NULL && words[i] != NULL; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? " " : "", words[i]);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

char *
cli_connection_describe_state (GmcpProgramConnection *connection)
{
  const char *name = gmcp_program_connection_get_entry_name (connection);
  g_autofree char *command = dup_entry_command (connection);

  switch (gmcp_program_connection_get_state (connection))
    {
    case GMCP_PROGRAM_CONNECTION_STATE_CONNECTED:
      return g_strdup_printf (_ ("connected as “%s”"), name);
    case GMCP_PROGRAM_CONNECTION_STATE_CHANGED:
      /* Translators: the name of a server, and a command */
      return g_strdup_printf (_ ("connected as “%s” in another way, by %s"), name, command);
    case GMCP_PROGRAM_CONNECTION_STATE_NAME_TAKEN:
      return g_strdup_printf (_ ("not connected; “%s” is another server"), name);
    case GMCP_PROGRAM_CONNECTION_STATE_ABSENT:
      return g_strdup (gmcp_program_connection_has_file (connection)
                         ? _ ("not connected")
                         : _ ("not connected; there is no such file yet"));
    case GMCP_PROGRAM_CONNECTION_STATE_UNKNOWN:
    default:
      return g_strdup ("");
    }
}

const char *
cli_connection_get_state_nick (GmcpProgramConnection *connection)
{
  g_autoptr (GEnumClass) states = g_type_class_ref (GMCP_TYPE_PROGRAM_CONNECTION_STATE);

  return g_enum_get_value (states, gmcp_program_connection_get_state (connection))->value_nick;
}

char *
cli_connection_make_preview (GmcpProgramConnection *connection, const char *diff)
{
  g_autofree char *file = g_file_get_parse_name (gmcp_program_connection_get_file (connection));
  g_autofree char *text = NULL;

  /* Translators: a file, and the program that it is of; lines that change follow */
  text = g_strdup_printf (_ ("In %s (%s):\n%s"), file,
                          gmcp_program_connection_get_title (connection), diff);
  return gmcp_dup_visible_text (text);
}

char *
cli_connection_describe_doubled (GmcpProgramConnection *connection, const char *const *ids)
{
  const char *const *names = gmcp_program_connection_get_other_names (connection);
  g_autoptr (GPtrArray) doubled = g_ptr_array_new ();
  g_autofree char *listed = NULL;

  for (gsize i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autofree char *id = gmcp_server_config_make_id (names[i]);

      if (g_strv_contains (ids, id))
        g_ptr_array_add (doubled, (gpointer) names[i]);
    }
  if (doubled->len == 0)
    return NULL;
  g_ptr_array_add (doubled, NULL);
  listed = g_strjoinv (", ", (char **) doubled->pdata);
  return g_strdup_printf (
    _ ("%s has these servers itself, and would have their tools twice: %s. Switch them off there."),
    gmcp_program_connection_get_title (connection), listed);
}

JsonNode *
cli_connection_describe (GmcpProgramConnection *connection, const char *diff, const GError *error)
{
  g_autofree char *file = g_file_get_parse_name (gmcp_program_connection_get_file (connection));
  GFile *backup = gmcp_program_connection_get_backup_file (connection);
  const char *name = gmcp_program_connection_get_entry_name (connection);
  JsonObject *object = json_object_new ();
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  json_object_set_string_member (object, "program",
                                 gmcp_program_connection_get_program (connection));
  json_object_set_string_member (object, "title", gmcp_program_connection_get_title (connection));
  json_object_set_string_member (object, "file", file);
  json_object_set_boolean_member (object, "exists", gmcp_program_connection_has_file (connection));
  json_object_set_string_member (object, "state", cli_connection_get_state_nick (connection));
  if (name != NULL)
    json_object_set_string_member (object, "name", name);
  json_object_set_member (
    object, "command",
    cli_json_new_strings (gmcp_program_connection_get_entry_command (connection)));
  json_object_set_member (
    object, "servers", cli_json_new_strings (gmcp_program_connection_get_other_names (connection)));
  if (diff != NULL)
    json_object_set_string_member (object, "diff", diff);
  if (backup != NULL)
    {
      g_autofree char *kept = g_file_get_parse_name (backup);

      json_object_set_string_member (object, "backup", kept);
    }
  if (error != NULL)
    json_object_set_string_member (object, "problem", error->message);
  json_node_take_object (node, object);
  return node;
}
