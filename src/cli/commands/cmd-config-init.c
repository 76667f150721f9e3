/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "cli-config.h"
#include "cli-text.h"

#include <gmcp/config/file/gmcp-file-config-source.h>

/* A file to begin with: gmcp config init. */

static gboolean
has_ending (const char *path)
{
  return g_str_has_suffix (path, ".yaml") || g_str_has_suffix (path, ".yml")
         || g_str_has_suffix (path, ".json") || g_str_has_suffix (path, ".jsonc")
         || g_str_has_suffix (path, ".toml");
}

/* A place that every program with the library reads. */
static char *
dup_default_path (const CliTemplateOptions *options)
{
  return g_build_filename (g_get_user_config_dir (), "gmcp",
                           options->json ? "mcp-servers.json" : "mcp_servers.yaml", NULL);
}

/* What a file of that name is read as, which the options may only agree with. */
static CliExit
check_format (const char *path, const CliTemplateOptions *options)
{
  gboolean is_json = g_str_has_suffix (path, ".json") || g_str_has_suffix (path, ".jsonc");

  if (options->yaml && options->json)
    return cli_usage_error (_ ("config init: --yaml or --json, not both"));
  if (g_str_equal (path, "-"))
    return CLI_EXIT_OK;
  if (!has_ending (path))
    return cli_usage_error (
      _ ("config init: “%s” would be read as JSON whatever is in it; let its name end in .yaml or "
         ".json"),
      path);
  if ((options->yaml && is_json) || (options->json && !is_json))
    return cli_usage_error (_ ("config init: the name of “%s” says another format than the option"),
                            path);
  return CLI_EXIT_OK;
}

static CliExit
write_file (CliHost *host, const char *path, const char *text, gboolean force)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileOutputStream) stream = NULL;
  g_autoptr (GError) error = NULL;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return cli_usage_error (_ ("config init: the folder %s cannot be made: %s"), folder,
                            g_strerror (errno));

  /* That somebody makes the file meanwhile is no reason to overwrite it. */
  stream = force
             ? g_file_replace (file, NULL, FALSE, G_FILE_CREATE_PRIVATE, host->cancellable, &error)
             : g_file_create (file, G_FILE_CREATE_PRIVATE, host->cancellable, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_EXISTS))
    return cli_usage_error (
      _ ("config init: %s is there already, and stays as it is; --force replaces it, “gmcp config "
         "init -” prints the text"),
      path);
  if (stream == NULL
      || !g_output_stream_write_all (G_OUTPUT_STREAM (stream), text, strlen (text), NULL,
                                     host->cancellable, &error)
      || !g_output_stream_close (G_OUTPUT_STREAM (stream), host->cancellable, &error))
    return cli_usage_error ("config init: %s: %s", path, error->message);

  g_print (_ ("Written to %s. Nothing is set in it before a line is uncommented.\n"), path);
  return CLI_EXIT_OK;
}

/* YAML, unless this build cannot read it. */
static CliTemplateOptions
choose_format (const char *path, const CliTemplateOptions *options)
{
  CliTemplateOptions chosen = *options;
  g_autofree char *text = gmcp_file_config_source_dup_template (".yaml", NULL);

  if ((path == NULL || g_str_equal (path, "-")) && !options->yaml && text == NULL)
    chosen.json = TRUE;
  return chosen;
}

CliExit
cli_config_write_template (CliHost *host, const char *path, const CliTemplateOptions *wanted)
{
  const CliTemplateOptions chosen = choose_format (path, wanted);
  const CliTemplateOptions *options = &chosen;
  g_autofree char *place = path != NULL ? g_strdup (path) : dup_default_path (options);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  CliExit status = check_format (place, options);

  if (status != CLI_EXIT_OK)
    return status;

  if (g_str_equal (place, "-"))
    text = gmcp_file_config_source_dup_template (options->json ? ".json" : ".yaml", &error);
  else
    text = gmcp_file_config_source_dup_template (place, &error);
  if (text == NULL)
    return cli_usage_error ("config init: %s", error->message);
  if (!g_str_equal (place, "-"))
    return write_file (host, place, text, options->force);

  cli_text_print (text);
  return CLI_EXIT_OK;
}
