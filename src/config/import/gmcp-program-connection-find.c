/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-local-file-private.h"
#include "gmcp-program-connection-private.h"

#include <gmcp/core/gmcp-error.h>

/* A file that a program may have. */
typedef struct
{
  const GmcpConfigForeign *program;
  GFile *file;
  GFile *folder; /* where the program is, if it is there */
  gboolean has_file;
  gboolean has_folder;
} Place;

typedef struct
{
  GPtrArray *places; /* of Place, in the order of the programs */
  char *project;     /* the folder; NULL for the user's files */
  guint n_pending;
} Finding;

typedef struct
{
  GTask *task;
  gboolean *found;
} Look;

static void
place_free (gpointer data)
{
  Place *place = data;

  g_object_unref (place->file);
  g_object_unref (place->folder);
  g_free (place);
}

static void
finding_free (gpointer data)
{
  Finding *finding = data;

  g_ptr_array_unref (finding->places);
  g_free (finding->project);
  g_free (finding);
}

static void
add_places (Finding *finding,
            const GmcpConfigForeign *program,
            const char *folder,
            const char *const *names,
            gsize n_names)
{
  for (gsize i = 0; i < n_names && names[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      Place *place = g_new0 (Place, 1);

      place->program = program;
      place->file = g_file_new_for_path (path);
      if (program->mark != NULL && finding->project == NULL)
        place->folder = g_file_new_build_filename (folder, program->mark, NULL);
      else
        place->folder = g_file_get_parent (place->file);
      g_ptr_array_add (finding->places, place);
    }
}

/* Whether one of the program's other files in this folder is there, or comes first. */
static gboolean
is_second_choice (Finding *finding, guint position)
{
  const Place *place = g_ptr_array_index (finding->places, position);

  for (guint i = 0; i < finding->places->len; i++)
    {
      const Place *other = g_ptr_array_index (finding->places, i);

      if (i != position && other->program == place->program
          && g_file_equal (other->folder, place->folder) && (other->has_file || i < position))
        return TRUE;
    }
  return FALSE;
}

static GmcpProgramConnection *
make_connection (const Finding *finding, const Place *place)
{
  GmcpProgramConnection *connection
    = gmcp_program_connection_new (place->program->name, place->file);

  connection->project = g_strdup (finding->project);
  return connection;
}

static void
return_found (GTask *task)
{
  Finding *finding = g_task_get_task_data (task);
  GPtrArray *found = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < finding->places->len; i++)
    {
      const Place *place = g_ptr_array_index (finding->places, i);

      if (place->has_file || (place->has_folder && !is_second_choice (finding, i)))
        g_ptr_array_add (found, make_connection (finding, place));
    }
  g_task_return_pointer (task, found, (GDestroyNotify) g_ptr_array_unref);
}

static void
on_looked (GObject *object, GAsyncResult *result, gpointer data)
{
  Look *look = data;
  g_autoptr (GTask) task = look->task;
  Finding *finding = g_task_get_task_data (task);
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (object), result, NULL);

  *look->found = info != NULL;
  g_free (look);
  if (--finding->n_pending == 0 && !g_task_return_error_if_cancelled (task))
    return_found (task);
}

/* A link that leads nowhere is there, and is told of when it is read. */
static void
look_for (GTask *task, GFile *file, gboolean *found)
{
  Look *look = g_new0 (Look, 1);

  look->task = g_object_ref (task);
  look->found = found;
  ((Finding *) g_task_get_task_data (task))->n_pending++;
  g_file_query_info_async (file, G_FILE_ATTRIBUTE_STANDARD_TYPE,
                           G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, G_PRIORITY_DEFAULT,
                           g_task_get_cancellable (task), on_looked, look);
}

static void
list_places (Finding *finding, const char *program, GFile *folder)
{
  gsize n_programs;
  const GmcpConfigForeign *programs = gmcp_config_foreign_get_all (&n_programs);

  for (gsize i = 0; i < n_programs; i++)
    {
      const GmcpConfigForeign *one = &programs[i];

      if (program != NULL && !g_str_equal (one->name, program))
        continue;
      if (folder != NULL)
        {
          add_places (finding, one, g_file_peek_path (folder), one->workspace,
                      G_N_ELEMENTS (one->workspace));
          continue;
        }
      add_places (finding, one, g_get_home_dir (), one->home, G_N_ELEMENTS (one->home));
      add_places (finding, one, g_get_user_config_dir (), one->config, G_N_ELEMENTS (one->config));
    }
}

/* In the folder of a project the folder of a program that was named need not be there. */
static void
mark_named (Finding *finding)
{
  for (guint i = 0; i < finding->places->len; i++)
    ((Place *) g_ptr_array_index (finding->places, i))->has_folder = TRUE;
}

/**
 * gmcp_program_connection_find_async:
 * @program: (nullable): the program to look for; %NULL for all
 * @folder: (nullable): the local folder of a project, whose files are looked for in place of the user's
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Looks for other programs that are there, by their configuration files and the folders of these. In the folder of a
 * project that is the folder itself, where @program is given. Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` for a
 * program that is not known.
 *
 * Since: 0.1
 */
void
gmcp_program_connection_find_async (const char *program,
                                    GFile *folder,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Finding *finding;

  g_return_if_fail (gmcp_file_is_local_or_null (folder));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_program_connection_find_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (program != NULL && gmcp_config_foreign_look_up (program) == NULL)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                               _ ("the files of “%s” are not known"), program);
      return;
    }

  finding = g_new0 (Finding, 1);
  finding->places = g_ptr_array_new_with_free_func (place_free);
  finding->project = folder != NULL ? g_file_get_path (folder) : NULL;
  g_task_set_task_data (task, finding, finding_free);
  list_places (finding, program, folder);
  if (finding->places->len == 0)
    {
      return_found (task);
      return;
    }
  for (guint i = 0; i < finding->places->len; i++)
    {
      Place *place = g_ptr_array_index (finding->places, i);

      look_for (task, place->file, &place->has_file);
      if (folder == NULL)
        look_for (task, place->folder, &place->has_folder);
    }
  if (folder != NULL && program != NULL)
    mark_named (finding);
}

/**
 * gmcp_program_connection_find_finish:
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [func@Gmcp.ProgramConnection.find_async].
 *
 * Returns: (transfer container) (element-type GmcpProgramConnection): a connection for each file that is there or that
 *   the program would read, none of them loaded
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_program_connection_find_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_program_connection_find_async),
                        NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
