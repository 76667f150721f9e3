/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-style.h"

#include <stdio.h>
#include <unistd.h>

#include <gmcp/core/gmcp-visible-text.h>

static const char *const escapes[] = {
  [CLI_STYLE_PLAIN] = "",        [CLI_STYLE_BOLD] = "\033[1m",     [CLI_STYLE_DIM] = "\033[2m",
  [CLI_STYLE_GOOD] = "\033[32m", [CLI_STYLE_WARNING] = "\033[33m", [CLI_STYLE_BAD] = "\033[31m",
};

gboolean
cli_style_is_on (int fd)
{
  const char *no_color = g_getenv ("NO_COLOR");
  const char *term = g_getenv ("TERM");

  return isatty (fd) && (no_color == NULL || *no_color == '\0') && term != NULL && *term != '\0'
         && !g_str_equal (term, "dumb");
}

const char *
cli_style_begin (int fd, CliStyle style)
{
  return style != CLI_STYLE_PLAIN && cli_style_is_on (fd) ? escapes[style] : "";
}

const char *
cli_style_end (int fd, CliStyle style)
{
  return style != CLI_STYLE_PLAIN && cli_style_is_on (fd) ? "\033[0m" : "";
}

void
cli_style_print (CliStyle style, const char *text)
{
  g_autofree char *visible = isatty (STDOUT_FILENO) ? gmcp_dup_visible_text (text) : NULL;

  fputs (cli_style_begin (STDOUT_FILENO, style), stdout);
  fputs (visible != NULL ? visible : text, stdout);
  fputs (cli_style_end (STDOUT_FILENO, style), stdout);
}
