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
  g_free (self->project);
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
  static const char *const none[] = { NULL };
  const char *const *present;

  g_return_if_fail (GMCP_IS_PROGRAM_CONNECTION (self));

  present = gmcp_program_connection_get_arguments (self);
  if (g_strv_equal (present, arguments != NULL ? arguments : none))
    return;
  g_strfreev (self->arguments);
  self->arguments = g_strdupv ((GStrv) arguments);
  judge_contents (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ARGUMENTS]);
}
