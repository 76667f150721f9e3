/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

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
scan (const char *const *folders)
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

static GmcpToolProvider *
instantiate (GIOExtension *extension, const char *config_file)
{
  GType type = g_io_extension_get_type (extension);
  g_autoptr (GTypeClass) klass = g_type_class_ref (type);
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_CLASS (klass), "config-file");

  if (config_file != NULL && pspec != NULL && (pspec->flags & G_PARAM_WRITABLE) != 0)
    return GMCP_TOOL_PROVIDER (g_object_new (type, "config-file", config_file, NULL));

  return GMCP_TOOL_PROVIDER (g_object_new (type, NULL));
}

/**
 * gmcp_tool_providers_load: (skip)
 * @config_file: (nullable) (type filename): the configuration file that the providers are to read in
 *   place of every other source, or %NULL for the user's own configuration
 * @error: return location for an error
 *
 * Makes one object of each tool provider there is: those in modules in the folders that the
 * environment variable `GMCP_MODULE_PATH` names (with colons between them) and in the library's own
 * module folder, and those that the program itself registered for the extension point
 * [const@Gmcp.TOOL_PROVIDER_EXTENSION_POINT_NAME]. Those of higher priority come first. Nothing is
 * loaded or started yet; [method@Gmcp.ToolProvider.load_async] does that.
 *
 * Fails with [error@Gmcp.Error] `NOT_SUPPORTED` where there is no provider; the message names the
 * folders that were searched.
 *
 * Returns: (transfer container) (element-type Gmcp.ToolProvider): the providers, at least one; the
 *   array owns them
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_tool_providers_load (const char *config_file, GError **error)
{
  g_auto (GStrv) folders = NULL;
  g_autofree char *list = NULL;
  g_autoptr (GPtrArray) providers = NULL;
  GIOExtensionPoint *point;

  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  folders = gmcp_tool_providers_list_folders ();
  gmcp_tool_provider_register_extension_point ();
  scan ((const char *const *) folders);

  providers = g_ptr_array_new_with_free_func (g_object_unref);
  point = g_io_extension_point_lookup (GMCP_TOOL_PROVIDER_EXTENSION_POINT_NAME);
  for (GList *l = g_io_extension_point_get_extensions (point); l != NULL; l = l->next)
    g_ptr_array_add (providers, instantiate (l->data, config_file));

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

/**
 * gmcp_load_tool_providers:
 * @config_file: (nullable) (type filename): the configuration file that the providers are to read in
 *   place of every other source, or %NULL for the user's own configuration
 * @error: return location for an error
 *
 * Makes one object of each tool provider there is: those in modules in the folders that the
 * environment variable `GMCP_MODULE_PATH` names (with colons between them) and in the library's own
 * module folder, and those that the program itself registered for the extension point
 * [const@Gmcp.TOOL_PROVIDER_EXTENSION_POINT_NAME]. Those of higher priority come first. Nothing is
 * loaded or started yet; [method@Gmcp.ToolProvider.load_async] does that.
 *
 * This is gmcp_tool_providers_load() for language bindings, which would take that for a function of
 * [class@Gmcp.Tool].
 *
 * Fails with [error@Gmcp.Error] `NOT_SUPPORTED` where there is no provider; the message names the
 * folders that were searched.
 *
 * Returns: (transfer container) (element-type Gmcp.ToolProvider): the providers, at least one; the
 *   array owns them
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_load_tool_providers (const char *config_file, GError **error)
{
  return gmcp_tool_providers_load (config_file, error);
}
