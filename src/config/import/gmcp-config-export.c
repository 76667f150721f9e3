/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/config/import/gmcp-config-export.h>

#include <string.h>

#include "gmcp-config-export-private.h"
#include "gmcp-config-secret-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-import-formats-private.h"

#include <gmcp/core/gmcp-error.h>

/**
 * GmcpConfigExport:
 *
 * Writes servers as the configuration of another program has them, one that
 * [func@Gmcp.ConfigImport.list_programs] names.
 *
 * Variables are turned into those of the program. A secret is a name there: that of a variable, or of a value that the
 * program asks for; [property@Gmcp.ConfigExport:with-secrets] writes the values.
 *
 * Since: 0.1
 */
struct _GmcpConfigExport
{
  GObject parent_instance;

  char *program;
  gboolean with_secrets;
  GPtrArray *configs; /* of GmcpServerConfig */
};

G_DEFINE_FINAL_TYPE (GmcpConfigExport, gmcp_config_export, G_TYPE_OBJECT)

typedef enum
{
  PROP_PROGRAM = 1,
  PROP_WITH_SECRETS,
} GmcpConfigExportProperty;

static GParamSpec *properties[PROP_WITH_SECRETS + 1];

static void
gmcp_config_export_finalize (GObject *object)
{
  GmcpConfigExport *self = GMCP_CONFIG_EXPORT (object);

  g_free (self->program);
  g_ptr_array_unref (self->configs);

  G_OBJECT_CLASS (gmcp_config_export_parent_class)->finalize (object);
}

static void
gmcp_config_export_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpConfigExport *self = GMCP_CONFIG_EXPORT (object);

  switch ((GmcpConfigExportProperty) prop_id)
    {
    case PROP_PROGRAM:
      g_value_set_string (value, self->program);
      break;
    case PROP_WITH_SECRETS:
      g_value_set_boolean (value, self->with_secrets);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_config_export_set_property (GObject *object,
                                 guint prop_id,
                                 const GValue *value,
                                 GParamSpec *pspec)
{
  GmcpConfigExport *self = GMCP_CONFIG_EXPORT (object);

  switch ((GmcpConfigExportProperty) prop_id)
    {
    case PROP_PROGRAM:
      self->program = g_value_dup_string (value);
      break;
    case PROP_WITH_SECRETS:
      gmcp_config_export_set_with_secrets (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_config_export_class_init (GmcpConfigExportClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = gmcp_config_export_finalize;
  object_class->get_property = gmcp_config_export_get_property;
  object_class->set_property = gmcp_config_export_set_property;

  /**
   * GmcpConfigExport:program: (getter get_program)
   *
   * The program that the servers are written for.
   *
   * Since: 0.1
   */
  properties[PROP_PROGRAM]
    = g_param_spec_string ("program", NULL, NULL, NULL,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * GmcpConfigExport:with-secrets: (getter get_with_secrets) (setter set_with_secrets)
   *
   * Whether secrets are written as they are, those of the keyring included.
   *
   * Since: 0.1
   */
  properties[PROP_WITH_SECRETS]
    = g_param_spec_boolean ("with-secrets", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_config_export_init (GmcpConfigExport *self)
{
  self->configs = g_ptr_array_new_with_free_func (g_object_unref);
}

static gboolean
check_program (const char *program, GError **error)
{
  if (program != NULL && gmcp_export_format_look_up (program) != NULL)
    return TRUE;
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
               _ ("No format of a program “%s” is known"), program != NULL ? program : "");
  return FALSE;
}

/**
 * gmcp_config_export_new:
 * @program: one of [func@Gmcp.ConfigImport.list_programs]
 * @error: return location for an error
 *
 * Makes what writes servers for that program. Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` for one that is not
 * known.
 *
 * Returns: (transfer full): a new export, without servers
 *
 * Since: 0.1
 */
GmcpConfigExport *
gmcp_config_export_new (const char *program, GError **error)
{
  g_return_val_if_fail (program != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_program (program, error))
    return NULL;
  return g_object_new (GMCP_TYPE_CONFIG_EXPORT, "program", program, NULL);
}

/**
 * gmcp_config_export_get_program: (get-property program)
 * @self: an export
 *
 * Says which program the servers are written for.
 *
 * Returns: the program
 *
 * Since: 0.1
 */
const char *
gmcp_config_export_get_program (GmcpConfigExport *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_EXPORT (self), NULL);

  return self->program;
}

/**
 * gmcp_config_export_get_with_secrets: (get-property with-secrets)
 * @self: an export
 *
 * Says whether secrets are written as they are.
 *
 * Returns: whether they are
 *
 * Since: 0.1
 */
gboolean
gmcp_config_export_get_with_secrets (GmcpConfigExport *self)
{
  g_return_val_if_fail (GMCP_IS_CONFIG_EXPORT (self), FALSE);

  return self->with_secrets;
}

/**
 * gmcp_config_export_set_with_secrets: (set-property with-secrets)
 * @self: an export
 * @with_secrets: whether secrets are written as they are
 *
 * Sets whether secrets are written as they are.
 *
 * Since: 0.1
 */
void
gmcp_config_export_set_with_secrets (GmcpConfigExport *self, gboolean with_secrets)
{
  g_return_if_fail (GMCP_IS_CONFIG_EXPORT (self));

  with_secrets = !!with_secrets;
  if (self->with_secrets == with_secrets)
    return;
  self->with_secrets = with_secrets;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WITH_SECRETS]);
}

/**
 * gmcp_config_export_add_server:
 * @self: an export
 * @config: a server
 *
 * Adds a server to what is written.
 *
 * Since: 0.1
 */
void
gmcp_config_export_add_server (GmcpConfigExport *self, GmcpServerConfig *config)
{
  g_return_if_fail (GMCP_IS_CONFIG_EXPORT (self));
  g_return_if_fail (GMCP_IS_SERVER_CONFIG (config));

  g_ptr_array_add (self->configs, g_object_ref (config));
}

/* Secrets of the keyring are looked up one after the other before anything is written. */
typedef struct
{
  GPtrArray *configs;
  GPtrArray *wanted; /* of GmcpExportSecret */
  guint n_found;
  gboolean with_secrets;
  GPtrArray *notes; /* of char *, NULL-terminated at the end */
} Writing;

static void
writing_free (gpointer data)
{
  Writing *writing = data;

  g_ptr_array_unref (writing->configs);
  g_ptr_array_unref (writing->wanted);
  g_ptr_array_unref (writing->notes);
  g_free (writing);
}

static void
write_text (GTask *task)
{
  GmcpConfigExport *self = g_task_get_source_object (task);
  Writing *writing = g_task_get_task_data (task);
  const GmcpConfigForeign *foreign = gmcp_config_foreign_look_up (self->program);
  GmcpExportContext context = {
    .format = gmcp_export_format_look_up (self->program),
    .foreign = foreign,
    .with_secrets = writing->with_secrets,
    .secrets = writing->wanted,
    .notes = writing->notes,
  };
  g_autoptr (JsonObject) root = gmcp_export_make_root (&context, writing->configs);

  g_task_return_pointer (task, gmcp_config_write_object (root, foreign->format), g_free);
}

static void find_next_secret (GTask *task);

static void
on_secret_found (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Writing *writing = g_task_get_task_data (task);
  GmcpExportSecret *secret = g_ptr_array_index (writing->wanted, writing->n_found++);
  GError *error = NULL;

  secret->value = gmcp_config_secret_lookup_finish (result, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else if (secret->value == NULL)
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                             _ ("The keyring has no secret “%s”, which server “%s” needs"),
                             secret->name, gmcp_server_config_get_id (secret->config));
  else
    find_next_secret (task);
}

static void
find_next_secret (GTask *task)
{
  Writing *writing = g_task_get_task_data (task);
  GmcpExportSecret *secret;

  if (!writing->with_secrets || writing->n_found == writing->wanted->len)
    {
      write_text (task);
      return;
    }
  secret = g_ptr_array_index (writing->wanted, writing->n_found);
  gmcp_config_secret_lookup_async (secret->name, gmcp_server_config_get_id (secret->config),
                                   gmcp_server_config_get_origin (secret->config),
                                   g_task_get_cancellable (task), on_secret_found,
                                   g_object_ref (task));
}

/**
 * gmcp_config_export_write_async:
 * @self: an export
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Writes the servers that were added. With [property@Gmcp.ConfigExport:with-secrets] it fails where the keyring does not
 * give one of them. An export that was made as an object of a program that is not known fails with
 * [error@Gmcp.Error] `INVALID_ARGUMENT`.
 *
 * Since: 0.1
 */
void
gmcp_config_export_write_async (GmcpConfigExport *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GError *error = NULL;
  Writing *writing;

  g_return_if_fail (GMCP_IS_CONFIG_EXPORT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_config_export_write_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (!check_program (self->program, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  writing = g_new0 (Writing, 1);
  writing->configs = g_ptr_array_copy (self->configs, (GCopyFunc) g_object_ref, NULL);
  g_ptr_array_set_free_func (writing->configs, g_object_unref);
  writing->wanted = gmcp_export_list_secrets (writing->configs);
  writing->notes = g_ptr_array_new_with_free_func (g_free);
  writing->with_secrets = self->with_secrets;
  g_task_set_task_data (task, writing, writing_free);
  find_next_secret (task);
}

/**
 * gmcp_config_export_write_finish:
 * @self: an export
 * @result: what the callback was given
 * @notes: (out) (optional) (array zero-terminated=1) (transfer full): sentences about what the program does not know,
 *   and what is to be filled in
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ConfigExport.write_async].
 *
 * Returns: (transfer full): a configuration file of the program
 *
 * Since: 0.1
 */
char *
gmcp_config_export_write_finish (GmcpConfigExport *self,
                                 GAsyncResult *result,
                                 char ***notes,
                                 GError **error)
{
  Writing *writing;
  char *text;

  g_return_val_if_fail (GMCP_IS_CONFIG_EXPORT (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_export_write_async), NULL);

  writing = g_task_get_task_data (G_TASK (result));
  text = g_task_propagate_pointer (G_TASK (result), error);
  if (text == NULL || notes == NULL)
    return text;

  g_ptr_array_add (writing->notes, NULL);
  *notes = g_strdupv ((char **) writing->notes->pdata);
  return text;
}
