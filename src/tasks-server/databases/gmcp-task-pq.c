/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <dlfcn.h>
#include <glib/gi18n.h>

#include "gmcp-task-error.h"
#include "gmcp-task-pq.h"

#define SONAME "libpq.so.5"
#define NOTE   "[{\"feature\":\"postgresql\",\"soname\":[\"" SONAME "\"],\"priority\":\"suggested\"}]"

/* For the tools that find out what a package depends on:
 * https://uapi-group.org/specifications/specs/elf_dlopen_metadata/ */
__attribute__ ((used, section (".note.dlopen"), aligned (4))) static const struct
{
  guint32 name_length, text_length, type;
  char name[4];
  char json[(sizeof (NOTE) + 3) & ~(gsize) 3];
} dlopen_note = { 4, sizeof (NOTE), 0x407c0c0a, "FDO", NOTE };

#define NAME(name) "PQ" #name,

static const char *const names[] = { GMCP_TASK_PQ_FUNCTIONS (NAME) };

G_STATIC_ASSERT (sizeof (GmcpTaskPq) == G_N_ELEMENTS (names) * sizeof (gpointer));

/* Safe in any thread. Where the library is missing it is looked for again next time. */
const GmcpTaskPq *
gmcp_task_pq_load (GError **error)
{
  static GMutex lock;
  static GmcpTaskPq functions;
  static gboolean is_loaded;
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&lock);
  gpointer *addresses = (gpointer *) &functions;
  gpointer handle;

  if (is_loaded)
    return &functions;

  handle = dlopen (SONAME, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  for (gsize i = 0; handle != NULL && i < G_N_ELEMENTS (names); i++)
    {
      addresses[i] = dlsym (handle, names[i]);
      if (addresses[i] == NULL)
        handle = NULL;
    }

  if (handle == NULL)
    {
      g_set_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE,
                   /* Translators: the file of a library */
                   _ ("PostgreSQL's library %s cannot be loaded. Install it (on Debian the package "
                      "libpq5), then try again."),
                   SONAME);
      return NULL;
    }

  is_loaded = TRUE;
  return &functions;
}
