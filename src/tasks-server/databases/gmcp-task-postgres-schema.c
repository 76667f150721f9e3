/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "gmcp-task-error.h"
#include "gmcp-task-postgres-link.h"
#include "gmcp-task-sql.h"

/* “gmcp” and “task” in ASCII: who makes the schema holds this lock, so that programs that start at
 * once do it one after the other. */
#define LOCK_SQL "SELECT pg_advisory_xact_lock (x'676d63707461736b'::bigint)"

static gboolean
run_text (GmcpTaskLink *link, const char *sql, GError **error)
{
  PGresult *result = gmcp_task_link_execute (link, sql, error);

  if (result != NULL)
    gmcp_task_link_get_pq (link)->clear (result);
  return result != NULL;
}

/* The first column of the first row; NULL in @text where there is none. */
static gboolean
read_text (GmcpTaskLink *link, const char *sql, char **text, GError **error)
{
  const GmcpTaskPq *pq = gmcp_task_link_get_pq (link);
  PGresult *result = gmcp_task_link_execute (link, sql, error);

  *text = NULL;
  if (result == NULL)
    return FALSE;

  if (pq->ntuples (result) > 0 && !pq->getisnull (result, 0, 0))
    *text = g_strdup (pq->getvalue (result, 0, 0));
  pq->clear (result);
  return TRUE;
}

static gboolean
refuse_database (GmcpTaskLink *link, const char *reason, GError **error)
{
  g_set_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE,
               /* Translators: the address of a database and why it cannot be used */
               _ ("The task database “%s” cannot be used: %s"), gmcp_task_link_get_name (link),
               reason);
  return FALSE;
}

static gboolean
check_encoding (GmcpTaskLink *link, GError **error)
{
  g_autofree char *encoding = NULL;

  return read_text (link, "SHOW server_encoding", &encoding, error)
         && (g_strcmp0 (encoding, "UTF8") == 0
             || refuse_database (link,
                                 _ ("its encoding is not UTF-8, so that it cannot hold every text. "
                                    "Make another with createdb --encoding=UTF8 "
                                    "--template=template0."),
                                 error));
}

/* Gives the version of our schema, 0 where there is none. One of another program's with our name is
 * left as it is. */
static gboolean
identify_schema (GmcpTaskLink *link, gint64 *version, GError **error)
{
  g_autofree char *state = NULL;
  g_autofree char *marks = NULL;

  *version = 0;
  if (!read_text (link,
                  "SELECT CASE WHEN to_regclass ('gmcp_tasks.about') IS NOT NULL THEN 'ours'"
                  " WHEN EXISTS (SELECT FROM pg_class WHERE relnamespace ="
                  " (SELECT oid FROM pg_namespace WHERE nspname = 'gmcp_tasks')) THEN 'other'"
                  " ELSE 'none' END",
                  &state, error))
    return FALSE;

  if (g_strcmp0 (state, "none") == 0)
    return TRUE;

  if (g_strcmp0 (state, "ours") == 0
      && !read_text (link, "SELECT application_id || ' ' || version FROM gmcp_tasks.about", &marks,
                     error))
    return FALSE;

  if (marks == NULL || g_ascii_strtoll (marks, NULL, 10) != GMCP_TASK_APPLICATION_ID)
    return refuse_database (link,
                            _ ("its schema gmcp_tasks is that of another program. Choose another "
                               "database with --database."),
                            error);

  *version = g_ascii_strtoll (strchr (marks, ' '), NULL, 10);
  if (*version > GMCP_TASK_SCHEMA_VERSION)
    return refuse_database (link,
                            _ ("a newer gmcp-tasks made it. Use that version, or choose another "
                               "database with --database."),
                            error);
  return TRUE;
}

static gboolean
migrate_in_transaction (GmcpTaskLink *link, GError **error)
{
  g_autofree char *stamp
    = g_strdup_printf ("DELETE FROM gmcp_tasks.about; INSERT INTO gmcp_tasks.about VALUES (%d, %d)",
                       GMCP_TASK_APPLICATION_ID, GMCP_TASK_SCHEMA_VERSION);
  gint64 version;

  /* Another process may have been first. */
  if (!run_text (link, LOCK_SQL, error) || !identify_schema (link, &version, error))
    return FALSE;

  for (gint64 i = version; i < GMCP_TASK_SCHEMA_VERSION; i++)
    if (!run_text (link, gmcp_task_postgres_migrations[i], error))
      return FALSE;

  return run_text (link, stamp, error) && run_text (link, "COMMIT", error);
}

/* Makes the tables, or brings them up to date where need be, and has the connection use them. */
gboolean
gmcp_task_postgres_prepare_schema (GmcpTaskLink *link, GError **error)
{
  gint64 version;

  if (!check_encoding (link, error) || !identify_schema (link, &version, error))
    return FALSE;

  if (version < GMCP_TASK_SCHEMA_VERSION
      && (!run_text (link, "BEGIN", error) || !migrate_in_transaction (link, error)))
    return FALSE;

  return run_text (link, "SET search_path TO gmcp_tasks", error);
}
