/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmodule.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-search-loader-private.h"
#include "gmcp-tool-provider-private.h"

/* NULL where it is not there, or is no module of this version. */
static const GmcpSearchModule *
open_file (const char *file, GString *problems)
{
  GModule *module;
  gpointer symbol;

  if (!g_file_test (file, G_FILE_TEST_EXISTS))
    return NULL;

  module = g_module_open (file, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  if (module == NULL)
    {
      g_string_append_printf (problems, " %s.", g_module_error ());
      return NULL;
    }
  if (g_module_symbol (module, GMCP_SEARCH_MODULE_SYMBOL, &symbol)
      && ((const GmcpSearchModule *) symbol)->version == GMCP_SEARCH_MODULE_VERSION)
    {
      g_module_make_resident (module);
      return symbol;
    }

  g_string_append_printf (problems, _ (" %s belongs to another version."), file);
  g_module_close (module);
  return NULL;
}

static const GmcpSearchModule *
open_first (GError **error)
{
  g_auto (GStrv) folders = gmcp_tool_providers_list_folders ();
  g_autoptr (GString) problems = g_string_new (NULL);
  g_autofree char *list = NULL;

  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autofree char *file = g_build_filename (folders[i], GMCP_SEARCH_MODULE_FILE, NULL);
      const GmcpSearchModule *module = open_file (file, problems);

      if (module != NULL)
        return module;
    }

  list = g_strjoinv (", ", folders);
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
               /* TRANSLATORS: the last %s is empty or sentences that begin with a space */
               _ ("Tools cannot be searched without the module %s, which is not in %s; it is built "
                  "where SQLite is.%s"),
               GMCP_SEARCH_MODULE_FILE, list, problems->str);
  return NULL;
}

const GmcpSearchModule *
gmcp_search_module_load (GError **error)
{
  static GMutex mutex;
  static const GmcpSearchModule *module;

  g_mutex_lock (&mutex);
  if (module == NULL)
    module = open_first (error);
  g_mutex_unlock (&mutex);
  return module;
}
