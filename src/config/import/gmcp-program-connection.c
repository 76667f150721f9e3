/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-program-connection-private.h"

/**
 * GmcpProgramConnection:
 *
 * The gateway, `gmcp gateway`, in the configuration of another program: whether the program has it, and the way to
 * write it there and to take it out again. The programs are those that [func@Gmcp.ConfigImport.list_programs] names,
 * and this is the way back from [class@Gmcp.ConfigImport].
 *
 * After [method@Gmcp.ProgramConnection.load_async] the [property@Gmcp.ProgramConnection:state] says whether the program
 * has the gateway. [method@Gmcp.ProgramConnection.preview_connect] says what
 * [method@Gmcp.ProgramConnection.connect_async] would change, and
 * [method@Gmcp.ProgramConnection.preview_disconnect] what [method@Gmcp.ProgramConnection.disconnect_async] would.
 *
 * Of the file all stays as it is, byte for byte, comments among it, but for the entry of the gateway; what cannot be
 * written without loss is not. What the file held before is kept beside it.
 *
 * Since: 0.1
 */

G_DEFINE_FINAL_TYPE (GmcpProgramConnection, gmcp_program_connection, G_TYPE_OBJECT)

G_DEFINE_ENUM_TYPE (GmcpProgramConnectionState,
                    gmcp_program_connection_state,
                    G_DEFINE_ENUM_VALUE (GMCP_PROGRAM_CONNECTION_STATE_UNKNOWN, "unknown"),
                    G_DEFINE_ENUM_VALUE (GMCP_PROGRAM_CONNECTION_STATE_ABSENT, "absent"),
                    G_DEFINE_ENUM_VALUE (GMCP_PROGRAM_CONNECTION_STATE_CONNECTED, "connected"),
                    G_DEFINE_ENUM_VALUE (GMCP_PROGRAM_CONNECTION_STATE_CHANGED, "changed"),
                    G_DEFINE_ENUM_VALUE (GMCP_PROGRAM_CONNECTION_STATE_NAME_TAKEN, "name-taken"))

typedef enum
{
  PROP_PROGRAM = 1,
  PROP_TITLE,
  PROP_FILE,
  PROP_NAME,
  PROP_EXECUTABLE,
  PROP_ARGUMENTS,
  PROP_STATE,
  PROP_ENTRY_NAME,
  PROP_ENTRY_COMMAND,
  PROP_OTHER_NAMES,
  PROP_BACKUP_FILE,
} GmcpProgramConnectionProperty;

static GParamSpec *properties[PROP_BACKUP_FILE + 1];

/* Where every program looks for others, those that were started from a desktop too. */
static const char *const usual_folders[] = { "/usr/local/bin", "/usr/bin", "/bin", NULL };

static void
gmcp_program_connection_constructed (GObject *object)
{
  GmcpProgramConnection *self = GMCP_PROGRAM_CONNECTION (object);

  G_OBJECT_CLASS (gmcp_program_connection_parent_class)->constructed (object);

  if (self->program_name != NULL)
    self->program = gmcp_config_foreign_look_up (self->program_name);
  else if (self->file != NULL && g_file_peek_path (self->file) != NULL)
    self->program = gmcp_config_foreign_guess (g_file_peek_path (self->file));
}

static void
gmcp_program_connection_finalize (GObject *object)
{
  GmcpProgramConnection *self = GMCP_PROGRAM_CONNECTION (object);

  g_clear_pointer (&self->contents, gmcp_program_file_free);
  g_free (self->program_name);
  g_clear_object (&self->file);
  g_free (self->name);
  g_free (self->executable);
  g_strfreev (self->arguments);
  g_clear_object (&self->backup);
  g_strfreev (self->other_names);

  G_OBJECT_CLASS (gmcp_program_connection_parent_class)->finalize (object);
}

static void
gmcp_program_connection_get_property (GObject *object,
                                      guint prop_id,
                                      GValue *value,
                                      GParamSpec *pspec)
{
  GmcpProgramConnection *self = GMCP_PROGRAM_CONNECTION (object);

  switch ((GmcpProgramConnectionProperty) prop_id)
    {
    case PROP_PROGRAM:
      g_value_set_string (value, gmcp_program_connection_get_program (self));
      break;
    case PROP_TITLE:
      g_value_set_string (value, gmcp_program_connection_get_title (self));
      break;
    case PROP_FILE:
      g_value_set_object (value, self->file);
      break;
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_EXECUTABLE:
      g_value_set_string (value, self->executable);
      break;
    case PROP_ARGUMENTS:
      g_value_set_boxed (value, gmcp_program_connection_get_arguments (self));
      break;
    case PROP_STATE:
      g_value_set_enum (value, self->state);
      break;
    case PROP_ENTRY_NAME:
      g_value_set_string (value, gmcp_program_connection_get_entry_name (self));
      break;
    case PROP_ENTRY_COMMAND:
      g_value_set_boxed (value, gmcp_program_connection_get_entry_command (self));
      break;
    case PROP_OTHER_NAMES:
      g_value_set_boxed (value, gmcp_program_connection_get_other_names (self));
      break;
    case PROP_BACKUP_FILE:
      g_value_set_object (value, self->backup);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_program_connection_set_property (GObject *object,
                                      guint prop_id,
                                      const GValue *value,
                                      GParamSpec *pspec)
{
  GmcpProgramConnection *self = GMCP_PROGRAM_CONNECTION (object);

  switch ((GmcpProgramConnectionProperty) prop_id)
    {
    case PROP_PROGRAM:
      self->program_name = g_value_dup_string (value);
      break;
    case PROP_FILE:
      self->file = g_value_dup_object (value);
      break;
    case PROP_NAME:
      gmcp_program_connection_set_name (self, g_value_get_string (value));
      break;
    case PROP_EXECUTABLE:
      gmcp_program_connection_set_executable (self, g_value_get_string (value));
      break;
    case PROP_ARGUMENTS:
      gmcp_program_connection_set_arguments (self, g_value_get_boxed (value));
      break;
    case PROP_TITLE:
    case PROP_STATE:
    case PROP_ENTRY_NAME:
    case PROP_ENTRY_COMMAND:
    case PROP_OTHER_NAMES:
    case PROP_BACKUP_FILE:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

/* What the connection is of, and how the gateway is to be there. */
static void
install_settings (void)
{
  const GParamFlags once = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;
  const GParamFlags changing = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  /**
   * GmcpProgramConnection:program: (getter get_program)
   *
   * The program whose file it is, as [func@Gmcp.ConfigImport.list_programs] names it; %NULL to find that out by where
   * the file is.
   *
   * Since: 0.1
   */
  properties[PROP_PROGRAM] = g_param_spec_string ("program", NULL, NULL, NULL, once);

  /**
   * GmcpProgramConnection:file: (getter get_file)
   *
   * The file of the program, which need not be there.
   *
   * Since: 0.1
   */
  properties[PROP_FILE] = g_param_spec_object ("file", NULL, NULL, G_TYPE_FILE, once);

  /**
   * GmcpProgramConnection:name: (getter get_name) (setter set_name)
   *
   * The name of the server in the program, for several gateways in one program; %NULL for the gateway that is there
   * whatever its name, and for “gmcp” where there is none.
   *
   * Since: 0.1
   */
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, changing);

  /**
   * GmcpProgramConnection:executable: (getter get_executable) (setter set_executable)
   *
   * The full path of `gmcp`; %NULL for the one that is found.
   *
   * Since: 0.1
   */
  properties[PROP_EXECUTABLE] = g_param_spec_string ("executable", NULL, NULL, NULL, changing);

  /**
   * GmcpProgramConnection:arguments: (getter get_arguments) (setter set_arguments)
   *
   * What stands behind `gmcp gateway`, such as `--role` and the name of a role.
   *
   * Since: 0.1
   */
  properties[PROP_ARGUMENTS] = g_param_spec_boxed ("arguments", NULL, NULL, G_TYPE_STRV, changing);
}

/* What the program has. */
static void
install_results (void)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  /**
   * GmcpProgramConnection:title: (getter get_title)
   *
   * The name of the program for people to read.
   *
   * Since: 0.1
   */
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);

  /**
   * GmcpProgramConnection:state: (getter get_state)
   *
   * Whether the program has the gateway.
   *
   * Since: 0.1
   */
  properties[PROP_STATE]
    = g_param_spec_enum ("state", NULL, NULL, GMCP_TYPE_PROGRAM_CONNECTION_STATE,
                         GMCP_PROGRAM_CONNECTION_STATE_UNKNOWN, flags);

  /**
   * GmcpProgramConnection:entry-name: (getter get_entry_name)
   *
   * The name that the gateway, or another server in its place, has in the program; %NULL where there is none.
   *
   * Since: 0.1
   */
  properties[PROP_ENTRY_NAME] = g_param_spec_string ("entry-name", NULL, NULL, NULL, flags);

  /**
   * GmcpProgramConnection:entry-command: (getter get_entry_command)
   *
   * What the program starts under that name; empty where that is no command.
   *
   * Since: 0.1
   */
  properties[PROP_ENTRY_COMMAND]
    = g_param_spec_boxed ("entry-command", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * GmcpProgramConnection:other-names: (getter get_other_names)
   *
   * The names of the servers that the program has besides. Those that are configured here, too, would be there twice.
   *
   * Since: 0.1
   */
  properties[PROP_OTHER_NAMES] = g_param_spec_boxed ("other-names", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * GmcpProgramConnection:backup-file: (getter get_backup_file)
   *
   * What the file held before it was written to; %NULL where nothing was written, or there was no file.
   *
   * Since: 0.1
   */
  properties[PROP_BACKUP_FILE]
    = g_param_spec_object ("backup-file", NULL, NULL, G_TYPE_FILE, flags);
}

static void
gmcp_program_connection_class_init (GmcpProgramConnectionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = gmcp_program_connection_constructed;
  object_class->finalize = gmcp_program_connection_finalize;
  object_class->get_property = gmcp_program_connection_get_property;
  object_class->set_property = gmcp_program_connection_set_property;
  install_settings ();
  install_results ();
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_program_connection_init (GmcpProgramConnection *self)
{
}

const char *
gmcp_program_connection_peek_name (GmcpProgramConnection *self)
{
  if (self->present != NULL)
    return self->present->name;
  return self->name != NULL ? self->name : GMCP_PROGRAM_CONNECTION_NAME;
}

/* The server that the connection is about: by its name, or the first gateway where no name was given. */
static const GmcpProgramServer *
find_present (GmcpProgramConnection *self)
{
  const char *name = self->name != NULL ? self->name : GMCP_PROGRAM_CONNECTION_NAME;
  const GmcpProgramServer *named = NULL;
  const GmcpProgramServer *gateway = NULL;
  guint n_servers = self->contents != NULL ? self->contents->servers->len : 0;

  for (guint i = 0; i < n_servers; i++)
    {
      const GmcpProgramServer *server = g_ptr_array_index (self->contents->servers, i);

      if (g_str_equal (server->name, name))
        named = server;
      if (server->is_gateway && gateway == NULL && self->name == NULL)
        gateway = server;
    }
  return named != NULL && (named->is_gateway || gateway == NULL) ? named : gateway;
}

static GStrv
list_others (GmcpProgramConnection *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  guint n_servers = self->contents != NULL ? self->contents->servers->len : 0;

  for (guint i = 0; i < n_servers; i++)
    {
      const GmcpProgramServer *server = g_ptr_array_index (self->contents->servers, i);

      if (server != self->present)
        g_strv_builder_add (names, server->name);
    }
  return g_strv_builder_end (names);
}

/* What is configured and what is there have to be compared again. */
static void
judge_contents (GmcpProgramConnection *self)
{
  self->present = find_present (self);
  g_strfreev (self->other_names);
  self->other_names = list_others (self);
  if (self->contents == NULL)
    self->state = GMCP_PROGRAM_CONNECTION_STATE_UNKNOWN;
  else if (self->present == NULL)
    self->state = GMCP_PROGRAM_CONNECTION_STATE_ABSENT;
  else if (!self->present->is_gateway)
    self->state = GMCP_PROGRAM_CONNECTION_STATE_NAME_TAKEN;
  else
    self->state = gmcp_program_connection_is_as_wanted (self)
                    ? GMCP_PROGRAM_CONNECTION_STATE_CONNECTED
                    : GMCP_PROGRAM_CONNECTION_STATE_CHANGED;

  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ENTRY_NAME]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ENTRY_COMMAND]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OTHER_NAMES]);
}

void
gmcp_program_connection_take_contents (GmcpProgramConnection *self, GmcpProgramFile *contents)
{
  g_clear_pointer (&self->contents, gmcp_program_file_free);
  self->contents = contents;
  judge_contents (self);
}

/**
 * gmcp_program_connection_new:
 * @program: (nullable): the program whose file it is; %NULL to find that out by where the file is
 * @file: the file of the program, which need not be there
 *
 * Makes a connection. Nothing is read before it is loaded.
 *
 * Returns: (transfer full): a connection
 *
 * Since: 0.1
 */
GmcpProgramConnection *
gmcp_program_connection_new (const char *program, GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  return g_object_new (GMCP_TYPE_PROGRAM_CONNECTION, "program", program, "file", file, NULL);
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
 * gmcp_program_connection_set_name: (set-property name)
 * @self: a connection
 * @name: (nullable): a name that is not empty; %NULL for the gateway that is there whatever its name
 *
 * Sets the name that the gateway is to have in the program.
 *
 * Since: 0.1
 */
void
gmcp_program_connection_set_name (GmcpProgramConnection *self, const char *name)
{
  g_return_if_fail (GMCP_IS_PROGRAM_CONNECTION (self));

  if (name != NULL && *name == '\0')
    name = NULL;
  if (g_strcmp0 (self->name, name) == 0)
    return;
  g_free (self->name);
  self->name = g_strdup (name);
  judge_contents (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_NAME]);
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
 * gmcp_program_connection_set_executable: (set-property executable)
 * @self: a connection
 * @executable: (nullable): the full path of `gmcp`; %NULL for the one that is found
 *
 * Sets the path of `gmcp` that the program is to start.
 *
 * Since: 0.1
 */
void
gmcp_program_connection_set_executable (GmcpProgramConnection *self, const char *executable)
{
  g_return_if_fail (GMCP_IS_PROGRAM_CONNECTION (self));

  if (g_strcmp0 (self->executable, executable) == 0)
    return;
  g_free (self->executable);
  self->executable = g_strdup (executable);
  judge_contents (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_EXECUTABLE]);
}

static const char *const *
list_or_none (GStrv words)
{
  static const char *const none[] = { NULL };

  return words != NULL ? (const char *const *) words : none;
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

/**
 * gmcp_program_connection_set_arguments: (set-property arguments)
 * @self: a connection
 * @arguments: (nullable) (array zero-terminated=1): words, such as `--role` and the name of a role; a file by its
 *   full path, since the program starts the gateway wherever it is
 *
 * Sets what stands behind `gmcp gateway`.
 *
 * Since: 0.1
 */
void
gmcp_program_connection_set_arguments (GmcpProgramConnection *self, const char *const *arguments)
{
  const char *const *present;

  g_return_if_fail (GMCP_IS_PROGRAM_CONNECTION (self));

  present = list_or_none (self->arguments);
  if (g_strv_equal (present, list_or_none ((GStrv) arguments)))
    return;
  g_strfreev (self->arguments);
  self->arguments = g_strdupv ((GStrv) arguments);
  judge_contents (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ARGUMENTS]);
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
