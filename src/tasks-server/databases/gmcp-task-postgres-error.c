/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "gmcp-task-error.h"
#include "gmcp-task-postgres-link.h"

/* What PostgreSQL says, as a sentence that tells what to do. */

/* By SQLSTATE, or by its first two letters, which are its class. */
static const struct
{
  const char *state;
  const char *advice;
} advices[] = {
  { "28", N_ ("Look at the user and at where the password comes from: the file that PGPASSFILE "
              "names, or a service file.") },
  { "3D", N_ ("Make the database with createdb, or choose another with --database.") },
  { "42501", N_ ("Its user must be allowed to make the schema gmcp_tasks, and to read and write in "
                 "it.") },
  { "25006", N_ ("It can only be read: choose the server that is written to.") },
  { "53100", N_ ("Free some space on its disk, then try again.") },
  { "53300", N_ ("It has too many connections. Try again later.") },
  { "57P03", N_ ("It is starting or ending. Try again in a moment.") },
};

/* Nothing was done, and the same may work in a moment: a lock of others, or a clash with their
 * changes. */
static const char *const busy_states[] = { "55P03", "40001", "40P01" };

static gboolean
is_busy (const char *state)
{
  for (gsize i = 0; i < G_N_ELEMENTS (busy_states); i++)
    if (strcmp (state, busy_states[i]) == 0)
      return TRUE;

  return FALSE;
}

static const char *
find_advice (const char *state)
{
  for (gsize i = 0; state != NULL && i < G_N_ELEMENTS (advices); i++)
    if (g_str_has_prefix (state, advices[i].state))
      return advices[i].advice;

  return state == NULL
           ? N_ ("See that the server runs, and that the user, the password and the database "
                 "are right, then try again.")
           : N_ ("Look at the database, then try again.");
}

/* A message of libpq's may have several lines, the first of which says most. */
static char *
dup_one_line (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  g_autofree char *line = g_strdup (g_strstrip (valid));

  g_strdelimit (line, "\n\r\t", ' ');
  if (g_str_has_suffix (line, "."))
    line[strlen (line) - 1] = '\0';
  return g_steal_pointer (&line);
}

void
gmcp_task_postgres_set_error (const char *name,
                              const char *state,
                              const char *detail,
                              GError **error)
{
  g_autofree char *line = dup_one_line (detail);

  if (state != NULL && is_busy (state))
    g_set_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_BUSY,
                 _ ("The task database “%s” is locked by another program."), name);
  else
    g_set_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE,
                 /* Translators: an address, what the database says, and a sentence of advice */
                 _ ("The task database “%s” cannot be used: %s. %s"), name,
                 *line != '\0' ? line : "?", _ (find_advice (state)));
}
