/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdlib.h>

#include "cli-affirm.h"
#include "cli-config.h"
#include "cli-text.h"

#include <gmcp/core/gmcp-visible-text.h>

/* gmcp config trust FOLDER: the workspace may be run in. */

static const char *const file_ends[] = { ".json", ".yaml", ".yml", ".toml" };

gboolean
cli_config_is_folder (const char *path)
{
  /* A name that ends like a file's is a file's, even if a repository has a folder there, or a link
   * to one. Any other path that is missing is a folder's: trust can be taken back from folders that
   * are gone. */
  for (gsize i = 0; i < G_N_ELEMENTS (file_ends); i++)
    {
      if (g_str_has_suffix (path, file_ends[i]))
        return FALSE;
    }
  return !g_file_test (path, G_FILE_TEST_EXISTS) || g_file_test (path, G_FILE_TEST_IS_DIR);
}

static char *
dup_real_path (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (path);
  char *real = realpath (path, NULL);
  char *copy = real != NULL ? g_strdup (real) : g_file_get_path (file);

  free (real);
  return copy;
}

static gboolean
is_agreed (CliHost *host, const char *name, gboolean yes)
{
  g_autofree char *text = g_strdup_printf (
    /* Translators: a folder */
    _ ("The folder %s\nmay be run in then: servers of your own configuration with “cwd” = "
       "“${workspaceFolder}”, or with\na program in the workspace, run what is in it as you, "
       "whatever is put there by others, now and later.\nA folder in it that is worked in by "
       "itself, such as another clone, is not trusted by that.\n"),
    name);

  if (!yes && cli_may_ask ())
    return cli_affirm (host, text, _ ("Trust this folder? [y/N]"));

  cli_text_show (text);
  return yes;
}

CliExit
cli_config_set_folder_trusted (CliHost *host, const char *path, gboolean trusted, gboolean yes)
{
  g_autofree char *folder = dup_real_path (path);
  g_autofree char *name = folder != NULL ? gmcp_dup_visible_line (folder, 0) : NULL;
  g_autoptr (GmcpManager) manager = gmcp_manager_new ();
  g_autoptr (GFile) file = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GStatBuf info;

  if (folder == NULL || (trusted && !g_file_test (folder, G_FILE_TEST_IS_DIR)))
    return cli_usage_error (_ ("%s is neither a file nor a folder"), path);
  if (trusted && g_stat (folder, &info) == 0 && (info.st_mode & S_IWOTH) != 0)
    {
      g_printerr ("gmcp: ");
      g_printerr (_ ("%s cannot be trusted: any user of this computer may write to it"), name);
      g_printerr ("\n");
      return CLI_EXIT_NOT_PERMITTED;
    }
  if (trusted && !is_agreed (host, name, yes))
    return cli_usage_error (cli_may_ask ()
                              ? _ ("nothing was trusted")
                              : _ ("nothing was trusted: there is no terminal to ask on; “--yes” "
                                   "trusts what was shown"));

  file = g_file_new_for_path (folder);
  gmcp_manager_trust_folder_async (manager, file, trusted, host->cancellable, cli_store_result,
                                   &result);
  if (!gmcp_manager_trust_folder_finish (manager, cli_wait (&result), &error))
    return cli_host_report (host, error);

  g_print (trusted ? _ ("%s is trusted.\n") : _ ("%s is not trusted any more.\n"), name);
  return CLI_EXIT_OK;
}
