/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "gmcp-task-sqlite-connect.h"
#include "gmcp-task-error.h"
#include "gmcp-task-sql.h"

/* Steps of SQLite's virtual machine between two calls of the progress function: under 1 ms. */
#define STEPS_BETWEEN_PROGRESS 1000

static const struct
{
  int code;
  const char *advice;
} advices[] = {
  { SQLITE_NOTADB,
    N_ ("It was left as it is: move it away or repair it, or choose another file with "
        "--database.") },
  { SQLITE_CORRUPT,
    N_ ("It was left as it is: move it away or repair it, or choose another file with "
        "--database.") },
  { SQLITE_READONLY, N_ ("Its file and its folder must be writable to change a task.") },
  { SQLITE_PERM, N_ ("Its file and its folder must be writable to change a task.") },
  { SQLITE_FULL, N_ ("Free some space on its disk, then try again.") },
  { SQLITE_CANTOPEN, N_ ("Its file and its folder must be readable and writable.") },
};

void
gmcp_task_sqlite_set_error (const char *filename, int code, const char *detail, GError **error)
{
  g_autofree char *display_name = g_filename_display_name (filename);
  const char *advice = N_ ("Look at the file, then try again.");

  switch (code & 0xff)
    {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      g_set_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_BUSY,
                   _ ("The task database “%s” is locked by another program."), display_name);
      return;
    case SQLITE_INTERRUPT:
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("The call was stopped."));
      return;
    default:
      break;
    }

  for (gsize i = 0; i < G_N_ELEMENTS (advices); i++)
    if (advices[i].code == (code & 0xff))
      advice = advices[i].advice;

  g_set_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE,
               /* Translators: a file name, what SQLite says of it, and a sentence of advice */
               _ ("The task database “%s” cannot be used: %s. %s"), display_name, detail,
               _ (advice));
}

static gboolean
refuse_file (const char *filename, const char *reason, GError **error)
{
  g_autofree char *display_name = g_filename_display_name (filename);

  g_set_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE,
               /* Translators: a file name and why it cannot be used */
               _ ("The task database “%s” cannot be used: %s"), display_name, reason);
  return FALSE;
}

/* Makes a missing file before SQLite does, since SQLite would let the umask decide who reads it;
 * the files that SQLite puts beside it get the same mode. A file that is there is never opened
 * here: closing it would drop the locks that this process holds on it. */
static gboolean
prepare_file (const char *filename, GError **error)
{
  GStatBuf info;
  int fd;

  if (g_stat (filename, &info) == 0)
    {
      if (S_ISREG (info.st_mode))
        return TRUE;
      return refuse_file (filename, _ ("it is not a file. Choose one with --database."), error);
    }

  fd = g_open (filename, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd >= 0)
    return g_close (fd, error);

  switch (errno)
    {
    case EEXIST:
      return TRUE;
    case ENOENT:
      return refuse_file (filename,
                          _ ("its folder does not exist. Make the folder, or choose another file "
                             "with --database."),
                          error);
    default:
      return refuse_file (filename, g_strerror (errno), error);
    }
}

static gboolean
execute_sql (sqlite3 *handle, const char *filename, const char *sql, GError **error)
{
  int code = sqlite3_exec (handle, sql, NULL, NULL, NULL);

  if (code == SQLITE_OK)
    return TRUE;

  gmcp_task_sqlite_set_error (filename, code, sqlite3_errmsg (handle), error);
  return FALSE;
}

static gboolean
read_number (sqlite3 *handle, const char *filename, const char *sql, gint64 *number, GError **error)
{
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2 (handle, sql, -1, &statement, NULL);

  if (code == SQLITE_OK)
    code = sqlite3_step (statement);

  if (code == SQLITE_ROW)
    *number = sqlite3_column_int64 (statement, 0);
  else
    gmcp_task_sqlite_set_error (filename, code, sqlite3_errmsg (handle), error);

  sqlite3_finalize (statement);
  return code == SQLITE_ROW;
}

/* Gives the schema version of a database that is ours, 0 for an empty one. Another program's
 * database is refused before anything in it is changed. */
static gboolean
identify_database (sqlite3 *handle, const char *filename, gint64 *version, GError **error)
{
  gint64 application, n_objects;

  if (!read_number (handle, filename, "PRAGMA application_id", &application, error)
      || !read_number (handle, filename, "PRAGMA user_version", version, error)
      || !read_number (handle, filename, "SELECT count(*) FROM sqlite_schema", &n_objects, error))
    return FALSE;

  if (application == 0 && *version == 0 && n_objects == 0)
    return TRUE;

  if (application != GMCP_TASK_APPLICATION_ID || *version < 1)
    return refuse_file (filename,
                        _ ("it is the database of another program. Choose another file with "
                           "--database."),
                        error);

  if (*version > GMCP_TASK_SCHEMA_VERSION)
    return refuse_file (filename,
                        _ ("a newer gmcp-tasks made it. Use that version, or choose another file "
                           "with --database."),
                        error);

  return TRUE;
}

/* In one transaction, since another process may just be making the database: read one by one, its
 * marks could come from before and from after that. */
static gboolean
identify_at_once (sqlite3 *handle, const char *filename, gint64 *version, GError **error)
{
  gboolean ok;

  if (!execute_sql (handle, filename, "BEGIN", error))
    return FALSE;

  ok = identify_database (handle, filename, version, error);
  sqlite3_exec (handle, "ROLLBACK", NULL, NULL, NULL);
  return ok;
}

static gboolean
migrate_in_transaction (sqlite3 *handle, const char *filename, GError **error)
{
  g_autofree char *stamp = g_strdup_printf ("PRAGMA application_id = %d; PRAGMA user_version = %d",
                                            GMCP_TASK_APPLICATION_ID, GMCP_TASK_SCHEMA_VERSION);
  gint64 version;

  /* Another process may have been first. */
  if (!identify_database (handle, filename, &version, error))
    return FALSE;

  for (gint64 i = version; i < GMCP_TASK_SCHEMA_VERSION; i++)
    if (!execute_sql (handle, filename, gmcp_task_sqlite_migrations[i], error))
      return FALSE;

  return execute_sql (handle, filename, stamp, error)
         && execute_sql (handle, filename, "COMMIT", error);
}

static gboolean
migrate_database (sqlite3 *handle, const char *filename, GError **error)
{
  if (!execute_sql (handle, filename, "BEGIN IMMEDIATE", error))
    return FALSE;

  if (migrate_in_transaction (handle, filename, error))
    return TRUE;

  sqlite3_exec (handle, "ROLLBACK", NULL, NULL, NULL);
  return FALSE;
}

static gboolean
set_up (sqlite3 *handle, const char *filename, GError **error)
{
  gint64 version;

  sqlite3_extended_result_codes (handle, TRUE);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);

  /* Waiting for a lock is the worker's business: it serves others meanwhile. */
  sqlite3_busy_timeout (handle, 0);

  if (!execute_sql (handle, filename, "PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON",
                    error)
      || !identify_at_once (handle, filename, &version, error))
    return FALSE;

  if (sqlite3_db_readonly (handle, "main") == 1 && version == GMCP_TASK_SCHEMA_VERSION)
    return TRUE;

  /* Where the file system cannot do it, SQLite keeps the rollback journal and that is fine. */
  if (!execute_sql (handle, filename, "PRAGMA journal_mode = WAL", error))
    return FALSE;

  return version == GMCP_TASK_SCHEMA_VERSION || migrate_database (handle, filename, error);
}

/* Opens a task database, and makes it or brings it up to date where need be. Fails with
 * GMCP_TASK_ERROR_BUSY at once, not after a wait, while another process holds a lock. */
sqlite3 *
gmcp_task_sqlite_connect (const char *filename,
                          GmcpTaskProgressFunc progress,
                          gpointer user_data,
                          GError **error)
{
  sqlite3 *handle = NULL;
  int code;

  if (!prepare_file (filename, error))
    return NULL;

  code = sqlite3_open_v2 (filename, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code != SQLITE_OK)
    {
      gmcp_task_sqlite_set_error (
        filename, code, handle != NULL ? sqlite3_errmsg (handle) : sqlite3_errstr (code), error);
      sqlite3_close (handle);
      return NULL;
    }

  sqlite3_progress_handler (handle, STEPS_BETWEEN_PROGRESS, progress, user_data);

  if (!set_up (handle, filename, error))
    {
      sqlite3_close (handle);
      return NULL;
    }

  return handle;
}
