/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-tool-result.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "cli-save.h"
#include "cli-picture.h"
#include "cli-text.h"

typedef struct
{
  CliHost *host;
  const char *output;
  gboolean may_replace;
  guint n_saved;
  gboolean has_more; /* something is neither shown nor saved */
} Printing;

/* The bytes of what is not text, else NULL. */
static GBytes *
dup_bytes (GmcpContent *content)
{
  switch (gmcp_content_get_kind (content))
    {
    case GMCP_CONTENT_KIND_IMAGE:
    case GMCP_CONTENT_KIND_AUDIO:
      return gmcp_content_dup_data (content, NULL);
    case GMCP_CONTENT_KIND_RESOURCE:
      return gmcp_content_get_text (content) == NULL ? gmcp_content_dup_data (content, NULL) : NULL;
    case GMCP_CONTENT_KIND_TEXT:
    case GMCP_CONTENT_KIND_RESOURCE_LINK:
    case GMCP_CONTENT_KIND_UNKNOWN:
    default:
      return NULL;
    }
}

static guint
count_files (GmcpToolResult *result)
{
  guint n = 0;

  for (guint i = 0; i < gmcp_tool_result_get_n_contents (result); i++)
    {
      g_autoptr (GBytes) bytes = dup_bytes (gmcp_tool_result_get_content (result, i));

      n += bytes != NULL;
    }
  return n;
}

/* “picture.png”, “picture-2.png”, … */
static char *
number_path (const char *path, guint number)
{
  g_autofree char *base = g_path_get_basename (path);
  const char *dot = strrchr (base, '.');
  gsize length;

  if (number == 1)
    return g_strdup (path);
  if (dot == NULL || dot == base)
    return g_strdup_printf ("%s-%u", path, number);
  length = strlen (path) - strlen (dot);
  return g_strdup_printf ("%.*s-%u%s", (int) length, path, number, dot);
}

static CliExit
save_bytes (Printing *self, GBytes *bytes, const char *type)
{
  g_autofree char *path = number_path (self->output, ++self->n_saved);
  g_autofree char *shown = g_filename_display_name (path);
  g_autofree char *plain = cli_text_plain (type != NULL ? type : _ ("unknown type"), 60);
  g_autofree char *size = g_format_size (g_bytes_get_size (bytes));
  CliExit status = cli_save_bytes (self->host, path, bytes, self->may_replace);

  if (status == CLI_EXIT_OK)
    /* Translators: the name of a file, a type such as image/png, and a size */
    g_printerr (_ ("Wrote %s (%s, %s)\n"), shown, plain, size);
  return status;
}

static CliExit
print_content (Printing *self, GmcpContent *content)
{
  g_autoptr (GBytes) bytes = dup_bytes (content);
  g_autoptr (GPtrArray) one = NULL;
  g_autoptr (GmcpToolResult) alone = NULL;
  g_autofree char *text = NULL;

  if (bytes != NULL && self->output != NULL)
    return save_bytes (self, bytes, gmcp_content_get_mime_type (content));
  if (bytes != NULL && gmcp_content_get_kind (content) == GMCP_CONTENT_KIND_IMAGE
      && cli_picture_show (bytes))
    return CLI_EXIT_OK;

  one = g_ptr_array_new ();
  g_ptr_array_add (one, content);
  alone = gmcp_tool_result_new_contents (one, FALSE);
  text = gmcp_tool_result_dup_text (alone);
  if (*text != '\0')
    cli_text_print (text);
  self->has_more |= bytes != NULL;
  return CLI_EXIT_OK;
}

/* The texts, or what there is in place of contents. */
static CliExit
print_text (Printing *self, GmcpToolResult *result)
{
  g_autofree char *text = gmcp_tool_result_dup_text (result);
  g_autoptr (GBytes) bytes = NULL;

  if (self->output == NULL)
    {
      if (*text != '\0')
        cli_text_print (text);
      return CLI_EXIT_OK;
    }
  bytes = g_bytes_new (text, strlen (text));
  return save_bytes (self, bytes, "text/plain");
}

CliExit
cli_tool_result_print (CliHost *host,
                       GmcpToolResult *result,
                       const char *output,
                       gboolean may_replace)
{
  Printing self = { .host = host, .output = output, .may_replace = may_replace };
  CliExit status = CLI_EXIT_OK;

  if (gmcp_tool_result_is_error (result))
    {
      g_autofree char *text = gmcp_tool_result_dup_text (result);

      g_printerr ("%s\n", text);
      return CLI_EXIT_TOOL_ERROR;
    }
  if (count_files (result) == 0)
    return print_text (&self, result);

  for (guint i = 0; i < gmcp_tool_result_get_n_contents (result) && status == CLI_EXIT_OK; i++)
    status = print_content (&self, gmcp_tool_result_get_content (result, i));
  if (self.has_more)
    g_printerr ("gmcp: %s\n", _ ("--output FILE saves what is not text"));
  return status;
}
