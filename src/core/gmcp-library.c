/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-library-private.h"

#include <dlfcn.h>

#include "gmcp-i18n-private.h"

static GMutex lock;

static gboolean
look_up_symbols (GmcpLibrary *library, gpointer handle)
{
  for (gsize i = 0; library->symbols[i] != NULL; i++)
    {
      library->functions[i] = dlsym (handle, library->symbols[i]);
      if (library->functions[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

gboolean
gmcp_library_load (GmcpLibrary *library, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;
  gpointer handle;

  if (g_atomic_pointer_get (&library->loaded) != 0)
    return TRUE;

  locker = g_mutex_locker_new (&lock);
  /* Not g_module_open(): that would take a .la file of this name out of the current folder. What has
   * registered types cannot be unloaded. */
  handle = dlopen (library->file, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == NULL || !look_up_symbols (library, handle))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                   /* Translators: what the loader said, which names the library */
                   _ ("A library that is needed here cannot be loaded; install it: %s"),
                   dlerror ());
      return FALSE;
    }

  g_atomic_pointer_set (&library->loaded, 1);
  return TRUE;
}
