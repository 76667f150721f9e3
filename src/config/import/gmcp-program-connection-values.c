/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"
#include "install-paths.h"

#include "gmcp-program-connection-private.h"

/* What a connection says of itself and of the program. */

/* Where every program looks for others, those that were started from a desktop too. */
static const char *const usual_folders[] = { "/usr/local/bin", "/usr/bin", "/bin", NULL };

static const char *const *
list_or_none (GStrv words)
{
  static const char *const none[] = { NULL };

  return words != NULL ? (const char *const *) words : none;
}

/**
 * gmcp_program_connection_get_program: (get-property program)
 * @self: a connection
 *
 * Gives the program whose file it is.
 *
 * Returns: (nullable): its name; %NULL where that is not known
 *
 * Since: 0.1
 */
const char *
gmcp_program_connection_get_program (GmcpProgramConnection *self)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), NULL);

  return self->program != NULL ? self->program->name : self->program_name;
}

/**
 * gmcp_program_connection_get_title: (get-property title)
 * @self: a connection
 *
 * Gives the name of the program for people to read.
 *
 * Returns: (nullable): its title; %NULL where the program is not known
 *
 * Since: 0.1
 */
const char *
gmcp_program_connection_get_title (GmcpProgramConnection *self)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), NULL);

  return self->program != NULL ? self->program->title : NULL;
}

/**
 * gmcp_program_connection_get_file: (get-property file)
 * @self: a connection
 *
 * Gives the file of the program.
 *
 * Returns: (transfer none) (nullable): a file, which need not be there
 *
 * Since: 0.1
 */
GFile *
gmcp_program_connection_get_file (GmcpProgramConnection *self)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), NULL);

  return self->file;
}

/**
 * gmcp_program_connection_get_name: (get-property name)
 * @self: a connection
 *
 * Gives the name that the gateway is to have in the program.
 *
 * Returns: (nullable): a name; %NULL for the gateway that is there whatever its name
 *
 * Since: 0.1
 */
const char *
gmcp_program_connection_get_name (GmcpProgramConnection *self)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), NULL);

  return self->name;
}

/**
 * gmcp_program_connection_get_executable: (get-property executable)
 * @self: a connection
 *
 * Gives the path of `gmcp` that the program is to start.
 *
 * Returns: (nullable): a full path; %NULL for the one that is found
 *
 * Since: 0.1
 */
const char *
gmcp_program_connection_get_executable (GmcpProgramConnection *self)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), NULL);

  return self->executable;
}

/**
 * gmcp_program_connection_get_arguments: (get-property arguments)
 * @self: a connection
 *
 * Gives what stands behind `gmcp gateway`.
 *
 * Returns: (transfer none) (array zero-terminated=1): words
 *
 * Since: 0.1
 */
const char *const *
gmcp_program_connection_get_arguments (GmcpProgramConnection *self)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), NULL);

  return list_or_none (self->arguments);
}

/* The program by its name where every program finds just that one. */
static char *
shorten_path (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *found = g_find_program_in_path ("gmcp");

  return g_strv_contains (usual_folders, folder) && g_strcmp0 (found, path) == 0 ? g_strdup ("gmcp")
                                                                                 : g_strdup (path);
}

/**
 * gmcp_program_connection_dup_command:
 * @self: a connection
 *
 * Gives what the program is to start. Where `gmcp` is in a folder in which not every program looks for others, its path
 * is full, since programs that were started from a desktop often know few folders.
 *
 * Returns: (transfer full) (array zero-terminated=1): the words of a command
 *
 * Since: 0.1
 */
char **
gmcp_program_connection_dup_command (GmcpProgramConnection *self)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_autofree char *path = NULL;
  g_autofree char *program = NULL;

  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), NULL);

  path = self->executable != NULL ? g_strdup (self->executable) : g_find_program_in_path ("gmcp");
  program = shorten_path (path != NULL ? path : GMCP_BINDIR "/gmcp");
  g_strv_builder_add (words, program);
  g_strv_builder_add (words, "gateway");
  g_strv_builder_addv (words, (const char **) list_or_none (self->arguments));
  return g_strv_builder_end (words);
}

/**
 * gmcp_program_connection_get_state: (get-property state)
 * @self: a connection
 *
 * Says whether the program has the gateway.
 *
 * Returns: whether it does
 *
 * Since: 0.1
 */
GmcpProgramConnectionState
gmcp_program_connection_get_state (GmcpProgramConnection *self)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), GMCP_PROGRAM_CONNECTION_STATE_UNKNOWN);

  return self->state;
}

/**
 * gmcp_program_connection_has_file:
 * @self: a connection
 *
 * Says whether the file of the program was there when it was loaded, or has been written since.
 *
 * Returns: whether it is there; %FALSE before it was loaded
 *
 * Since: 0.1
 */
gboolean
gmcp_program_connection_has_file (GmcpProgramConnection *self)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), FALSE);

  return self->contents != NULL && self->contents->text != NULL;
}

/**
 * gmcp_program_connection_get_entry_name: (get-property entry-name)
 * @self: a connection
 *
 * Gives the name that the gateway, or another server in its place, has in the program.
 *
 * Returns: (nullable): a name; %NULL where there is none
 *
 * Since: 0.1
 */
const char *
gmcp_program_connection_get_entry_name (GmcpProgramConnection *self)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), NULL);

  return self->present != NULL ? self->present->name : NULL;
}

/**
 * gmcp_program_connection_get_entry_command: (get-property entry-command)
 * @self: a connection
 *
 * Gives what the program starts under [property@Gmcp.ProgramConnection:entry-name].
 *
 * Returns: (transfer none) (array zero-terminated=1): the words of a command; none where there is no command
 *
 * Since: 0.1
 */
const char *const *
gmcp_program_connection_get_entry_command (GmcpProgramConnection *self)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), NULL);

  return list_or_none (self->present != NULL ? self->present->argv : NULL);
}

/**
 * gmcp_program_connection_get_other_names: (get-property other-names)
 * @self: a connection
 *
 * Lists the names of the servers that the program has besides.
 *
 * Returns: (transfer none) (array zero-terminated=1): their names there
 *
 * Since: 0.1
 */
const char *const *
gmcp_program_connection_get_other_names (GmcpProgramConnection *self)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), NULL);

  return list_or_none (self->other_names);
}

/**
 * gmcp_program_connection_get_backup_file: (get-property backup-file)
 * @self: a connection
 *
 * Gives what the file held before it was written to.
 *
 * Returns: (transfer none) (nullable): a file beside it; %NULL where nothing was written, or there was no file
 *
 * Since: 0.1
 */
GFile *
gmcp_program_connection_get_backup_file (GmcpProgramConnection *self)
{
  g_return_val_if_fail (GMCP_IS_PROGRAM_CONNECTION (self), NULL);

  return self->backup;
}
