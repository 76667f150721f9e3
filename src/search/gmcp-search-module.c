/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmodule.h>
#include <sqlite3.h>

#include "gmcp-search-index-private.h"

typedef enum
{
  STATEMENT_BEGIN,
  STATEMENT_COMMIT,
  STATEMENT_ADD,
  STATEMENT_REMOVE,
  STATEMENT_SEARCH,
} StatementKind;

#define N_STATEMENTS (STATEMENT_SEARCH + 1)

struct _GmcpSearchIndex
{
  sqlite3 *database;
  sqlite3_stmt *statements[N_STATEMENTS];
};

/* No journal is needed: an index that fails is closed. */
static const char setup[]
  = "PRAGMA journal_mode = OFF;"
    "PRAGMA temp_store = MEMORY;"
    "CREATE VIRTUAL TABLE documents USING fts5 (name, grouped, title, content, keys,"
    " tokenize = 'porter unicode61 remove_diacritics 2');";

/* The numbers weigh the fields, in their order. */
static const char *const texts[N_STATEMENTS] = {
  [STATEMENT_BEGIN] = "BEGIN",
  [STATEMENT_COMMIT] = "COMMIT",
  [STATEMENT_ADD]
  = "INSERT INTO documents (rowid, name, grouped, title, content, keys) VALUES (?, ?, ?, ?, ?, ?)",
  [STATEMENT_REMOVE] = "DELETE FROM documents WHERE rowid = ?",
  [STATEMENT_SEARCH]
  = ("SELECT rowid, -bm25 (documents, 10.0, 3.0, 5.0, 2.0, 1.0) AS score FROM documents"
     " WHERE documents MATCH ? ORDER BY score DESC, rowid LIMIT ?"),
};

static gboolean
set_message (GmcpSearchIndex *self, char **message)
{
  *message = g_strdup (self->database != NULL ? sqlite3_errmsg (self->database) : "out of memory");
  return FALSE;
}

static void
index_close (GmcpSearchIndex *self)
{
  for (guint i = 0; i < N_STATEMENTS; i++)
    sqlite3_finalize (self->statements[i]);
  sqlite3_close (self->database);
  g_free (self);
}

static GmcpSearchIndex *
index_open (char **message)
{
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
                    | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  GmcpSearchIndex *self = g_new0 (GmcpSearchIndex, 1);
  gboolean ok;

  ok = sqlite3_open_v2 (":memory:", &self->database, flags, NULL) == SQLITE_OK
       && sqlite3_exec (self->database, setup, NULL, NULL, NULL) == SQLITE_OK;
  for (guint i = 0; ok && i < N_STATEMENTS; i++)
    ok = sqlite3_prepare_v3 (self->database, texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                             &self->statements[i], NULL)
         == SQLITE_OK;
  if (ok)
    return self;

  set_message (self, message);
  index_close (self);
  return NULL;
}

static gboolean
run_statement (GmcpSearchIndex *self, StatementKind kind, char **message)
{
  sqlite3_stmt *statement = self->statements[kind];
  gboolean ok = sqlite3_step (statement) == SQLITE_DONE || set_message (self, message);

  sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);
  return ok;
}

static gboolean
index_begin (GmcpSearchIndex *self, char **message)
{
  return run_statement (self, STATEMENT_BEGIN, message);
}

static gboolean
index_commit (GmcpSearchIndex *self, char **message)
{
  return run_statement (self, STATEMENT_COMMIT, message);
}

static gboolean
index_add (GmcpSearchIndex *self,
           gint64 id,
           const char *const fields[GMCP_SEARCH_N_FIELDS],
           char **message)
{
  sqlite3_stmt *statement = self->statements[STATEMENT_ADD];

  sqlite3_bind_int64 (statement, 1, id);
  for (int i = 0; i < GMCP_SEARCH_N_FIELDS; i++)
    sqlite3_bind_text (statement, 2 + i, fields[i], -1, SQLITE_STATIC);
  return run_statement (self, STATEMENT_ADD, message);
}

static gboolean
index_remove (GmcpSearchIndex *self, gint64 id, char **message)
{
  sqlite3_bind_int64 (self->statements[STATEMENT_REMOVE], 1, id);
  return run_statement (self, STATEMENT_REMOVE, message);
}

static gboolean
index_search (GmcpSearchIndex *self,
              const char *expression,
              guint limit,
              GArray *hits,
              char **message)
{
  sqlite3_stmt *statement = self->statements[STATEMENT_SEARCH];

  sqlite3_bind_text (statement, 1, expression, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (statement, 2, limit);
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      GmcpSearchHit hit
        = { sqlite3_column_int64 (statement, 0), sqlite3_column_double (statement, 1) };

      g_array_append_val (hits, hit);
    }

  /* Gives the error of the last step again. */
  sqlite3_clear_bindings (statement);
  return sqlite3_reset (statement) == SQLITE_OK || set_message (self, message);
}

/* The only exported symbol. */
extern const GmcpSearchModule gmcp_search_module;

G_MODULE_EXPORT const GmcpSearchModule gmcp_search_module = {
  .version = GMCP_SEARCH_MODULE_VERSION,
  .open = index_open,
  .close = index_close,
  .begin = index_begin,
  .commit = index_commit,
  .add = index_add,
  .remove = index_remove,
  .search = index_search,
};
