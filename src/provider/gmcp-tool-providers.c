/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"
#include "install-paths.h"

#include <sys/auxv.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/gmcp-tool-provider.h>

#include "gmcp-i18n-private.h"
#include "gmcp-tool-provider-private.h"

/**
 * gmcp_tool_provider_register_extension_point:
 *
 * Registers the GIO extension point for tool providers,
 * [const@Gmcp.TOOL_PROVIDER_EXTENSION_POINT_NAME]. Those who implement it call this before
 * g_io_extension_point_implement(). To call it again does nothing.
 *
 * Since: 0.1
 */
void
gmcp_tool_provider_register_extension_point (void)
{
  static gsize registered;

  if (!g_once_init_enter (&registered))
    return;

  g_io_extension_point_set_required_type (
    g_io_extension_point_register (GMCP_TOOL_PROVIDER_EXTENSION_POINT_NAME),
    GMCP_TYPE_TOOL_PROVIDER);
  g_once_init_leave (&registered, 1);
}

/* First those that the environment names, unless the program has rights that its user has not. */
GStrv
gmcp_tool_providers_list_folders (void)
{
  g_autoptr (GStrvBuilder) folders = g_strv_builder_new ();
  const char *path = getauxval (AT_SECURE) == 0 ? g_getenv ("GMCP_MODULE_PATH") : NULL;
  g_auto (GStrv) named = g_strsplit (path != NULL ? path : "", G_SEARCHPATH_SEPARATOR_S, -1);

  for (guint i = 0; named[i] != NULL; i++)
    if (*named[i] != '\0')
      g_strv_builder_add (folders, named[i]);
  g_strv_builder_add (folders, GMCP_MODULE_DIR);
  return g_strv_builder_end (folders);
}

/* A module that was once loaded is not loaded again: its types are there for good. */
static void
scan_folders (const char *const *folders)
{
  static GMutex mutex;
  static GIOModuleScope *scope;

  g_mutex_lock (&mutex);
  if (scope == NULL)
    scope = g_io_module_scope_new (G_IO_MODULE_SCOPE_BLOCK_DUPLICATES);
  for (guint i = 0; folders[i] != NULL; i++)
    g_io_modules_scan_all_in_directory_with_scope (folders[i], scope);
  g_mutex_unlock (&mutex);
}

static gboolean
has_property (GObjectClass *klass, const char *name, GType type)
{
  GParamSpec *pspec = g_object_class_find_property (klass, name);

  return pspec != NULL && (pspec->flags & G_PARAM_WRITABLE) != 0
         && G_PARAM_SPEC_VALUE_TYPE (pspec) == type;
}

static GmcpToolProvider *
make_provider (GIOExtension *extension, const char *host, GFile *config_file)
{
  GObject *provider = g_object_new (g_io_extension_get_type (extension), NULL);
  GObjectClass *klass = G_OBJECT_GET_CLASS (provider);

  if (config_file != NULL && has_property (klass, "config-file", G_TYPE_FILE))
    g_object_set (provider, "config-file", config_file, NULL);
  if (host != NULL && has_property (klass, "host", G_TYPE_STRING))
    g_object_set (provider, "host", host, NULL);
  return GMCP_TOOL_PROVIDER (provider);
}

/**
 * gmcp_load_tool_providers:
 * @host: (nullable): the id of the program that uses the providers, such as `org.example.Notes`, or
 *   %NULL
 * @config_file: (nullable): the configuration file that the providers are to read in place of every
 *   other source, or %NULL for the user's own configuration
 * @error: return location for an error
 *
 * Makes one object of each tool provider there is: those in modules in the folders that the
 * environment variable `GMCP_MODULE_PATH` names (with colons between them) and in the library's own
 * module folder, and those that the program itself registered for the extension point
 * [const@Gmcp.TOOL_PROVIDER_EXTENSION_POINT_NAME]. Those of higher priority come first. Nothing is
 * loaded or started yet; [method@Gmcp.ToolProvider.load_async] does that.
 *
 * @host and @config_file are given to those providers that have properties of these names, as
 * [class@Gmcp.Manager] has.
 *
 * The provider that comes with this library is a [class@Gmcp.Manager]: the same object has the servers
 * and their states, resources, prompts, roles and rules. `GMCP_IS_MANAGER ()` tells it from providers
 * of other modules.
 *
 * Fails with [error@Gmcp.Error] `NOT_SUPPORTED` where there is no provider; the message names the
 * folders that were searched. Fails with `INVALID_ARGUMENT` where @config_file has no path in the
 * file system.
 *
 * Returns: (transfer container) (element-type Gmcp.ToolProvider): the providers, at least one; the
 *   array owns them
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_load_tool_providers (const char *host, GFile *config_file, GError **error)
{
  g_auto (GStrv) folders = NULL;
  g_autofree char *list = NULL;
  g_autoptr (GPtrArray) providers = NULL;
  GIOExtensionPoint *point;

  g_return_val_if_fail (config_file == NULL || G_IS_FILE (config_file), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (config_file != NULL && g_file_peek_path (config_file) == NULL)
    {
      g_autofree char *uri = g_file_get_uri (config_file);

      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   _ ("The configuration file %s is not in the file system"), uri);
      return NULL;
    }

  folders = gmcp_tool_providers_list_folders ();
  gmcp_tool_provider_register_extension_point ();
  scan_folders ((const char *const *) folders);

  providers = g_ptr_array_new_with_free_func (g_object_unref);
  point = g_io_extension_point_lookup (GMCP_TOOL_PROVIDER_EXTENSION_POINT_NAME);
  for (GList *l = g_io_extension_point_get_extensions (point); l != NULL; l = l->next)
    g_ptr_array_add (providers, make_provider (l->data, host, config_file));

  if (providers->len == 0)
    {
      list = g_strjoinv (", ", folders);
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                   _ ("No tool provider module was found; searched: %s. Install libgmcp-tools.so, "
                      "or name its folder in GMCP_MODULE_PATH"),
                   list);
      return NULL;
    }

  return g_steal_pointer (&providers);
}
