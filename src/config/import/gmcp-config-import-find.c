/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-import-private.h"
#include "gmcp-local-file-private.h"
#include "gmcp-i18n-private.h"

#include <gmcp/core/gmcp-error.h>

/* The files that might be there, while it is looked which of them are. */
typedef struct
{
  GPtrArray *imports; /* of GmcpConfigImport, in the order of the programs */
  GPtrArray *found;   /* of gboolean as pointer, as many */
  guint n_pending;
} Finding;

typedef struct
{
  GTask *task;
  guint position;
} Look;

static void
finding_free (Finding *finding)
{
  g_ptr_array_unref (finding->imports);
  g_ptr_array_unref (finding->found);
  g_free (finding);
}

/* The folder of a project may be the user's own. */
static gboolean
is_listed (Finding *finding, GFile *file)
{
  for (guint i = 0; i < finding->imports->len; i++)
    {
      if (g_file_equal (((GmcpConfigImport *) finding->imports->pdata[i])->file, file))
        return TRUE;
    }
  return FALSE;
}

static void
add_places (Finding *finding,
            const GmcpConfigForeign *program,
            const char *folder,
            const char *const *places,
            gsize n_places)
{
  for (gsize i = 0; folder != NULL && i < n_places && places[i] != NULL; i++)
    {
      g_autoptr (GFile) parent = g_file_new_for_path (folder);
      g_autoptr (GFile) file = g_file_resolve_relative_path (parent, places[i]);

      if (is_listed (finding, file))
        continue;
      g_ptr_array_add (finding->imports, gmcp_config_import_new (program->name, file));
      g_ptr_array_add (finding->found, NULL);
    }
}

static void
return_found (GTask *task)
{
  Finding *finding = g_task_get_task_data (task);
  GPtrArray *there = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < finding->imports->len; i++)
    {
      if (g_ptr_array_index (finding->found, i) != NULL)
        g_ptr_array_add (there, g_object_ref (g_ptr_array_index (finding->imports, i)));
    }
  g_task_return_pointer (task, there, (GDestroyNotify) g_ptr_array_unref);
}

static void
on_looked (GObject *object, GAsyncResult *result, gpointer data)
{
  Look *look = data;
  g_autoptr (GTask) task = look->task;
  Finding *finding = g_task_get_task_data (task);
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (object), result, NULL);

  /* What is no file is told of when it is read. */
  if (info != NULL && g_file_info_get_file_type (info) != G_FILE_TYPE_DIRECTORY)
    finding->found->pdata[look->position] = GUINT_TO_POINTER (TRUE);
  g_free (look);
  if (--finding->n_pending == 0 && !g_task_return_error_if_cancelled (task))
    return_found (task);
}

static void
look_for_files (GTask *task)
{
  Finding *finding = g_task_get_task_data (task);
  guint n_imports = finding->imports->len;

  finding->n_pending = n_imports;
  for (guint i = 0; i < n_imports; i++)
    {
      GmcpConfigImport *import = g_ptr_array_index (finding->imports, i);
      Look *one = g_new (Look, 1);

      one->task = g_object_ref (task);
      one->position = i;
      g_file_query_info_async (import->file, G_FILE_ATTRIBUTE_STANDARD_TYPE, G_FILE_QUERY_INFO_NONE,
                               G_PRIORITY_DEFAULT, g_task_get_cancellable (task), on_looked, one);
    }
}

/**
 * gmcp_config_import_find_async:
 * @program: (nullable): the program to look for; %NULL for all
 * @workspace: (nullable): the local folder of a project whose files are looked for, too
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Looks for the configuration files of other programs at their usual places. Fails with
 * %GMCP_ERROR_INVALID_ARGUMENT for a program that is not known.
 *
 * Since: 0.1
 */
void
gmcp_config_import_find_async (const char *program,
                               GFile *workspace,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Finding *finding;
  gsize n_programs;
  const GmcpConfigForeign *programs = gmcp_config_foreign_get_all (&n_programs);

  g_return_if_fail (gmcp_file_is_local_or_null (workspace));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_config_import_find_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (program != NULL && gmcp_config_foreign_look_up (program) == NULL)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                               _ ("the files of “%s” are not known"), program);
      return;
    }

  finding = g_new0 (Finding, 1);
  finding->imports = g_ptr_array_new_with_free_func (g_object_unref);
  finding->found = g_ptr_array_new ();
  g_task_set_task_data (task, finding, (GDestroyNotify) finding_free);
  for (gsize i = 0; i < n_programs; i++)
    {
      const GmcpConfigForeign *one = &programs[i];

      if (program != NULL && !g_str_equal (one->name, program))
        continue;
      add_places (finding, one, g_get_home_dir (), one->home, G_N_ELEMENTS (one->home));
      add_places (finding, one, g_get_user_config_dir (), one->config, G_N_ELEMENTS (one->config));
      add_places (finding, one, gmcp_file_peek_path_or_null (workspace), one->workspace,
                  G_N_ELEMENTS (one->workspace));
    }
  look_for_files (task);
}

/**
 * gmcp_config_import_find_finish:
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [func@Gmcp.ConfigImport.find_async].
 *
 * Returns: (transfer container) (element-type GmcpConfigImport): an import for each file that is there,
 *   none of them loaded
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_config_import_find_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_config_import_find_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
