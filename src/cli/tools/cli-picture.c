/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-picture.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What a terminal takes in one piece, and what it is sent at all. */
#define CHUNK_CHARS       4096u
#define PICTURE_BYTES_MAX (16u * 1024 * 1024)

typedef enum
{
  WAY_NONE,
  WAY_KITTY,
  WAY_ITERM,
} Way;

static gboolean
is_set_to (const char *variable, const char *value)
{
  return g_strcmp0 (g_getenv (variable), value) == 0;
}

/* A terminal says what it is; one in another, as in tmux, does not pass pictures on. */
static Way
find_way (void)
{
  const char *term = g_getenv ("TERM");

  if (!isatty (STDOUT_FILENO) || g_getenv ("TMUX") != NULL || g_getenv ("STY") != NULL
      || term == NULL || g_str_has_prefix (term, "screen") || g_str_has_prefix (term, "tmux"))
    return WAY_NONE;
  if (g_str_equal (term, "xterm-kitty") || g_getenv ("KITTY_WINDOW_ID") != NULL
      || is_set_to ("TERM_PROGRAM", "ghostty"))
    return WAY_KITTY;
  if (is_set_to ("TERM_PROGRAM", "iTerm.app") || is_set_to ("TERM_PROGRAM", "WezTerm")
      || is_set_to ("LC_TERMINAL", "iTerm2"))
    return WAY_ITERM;
  return WAY_NONE;
}

/* What the bytes begin with, whatever their server calls them. */
static gboolean
begins_with (GBytes *bytes, const char *start, gsize length)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  return size > length && memcmp (data, start, length) == 0;
}

static gboolean
is_png (GBytes *bytes)
{
  return begins_with (bytes, "\x89PNG\r\n\x1a\n", 8);
}

static gboolean
is_picture (GBytes *bytes)
{
  return is_png (bytes) || begins_with (bytes, "\xff\xd8\xff", 3) || begins_with (bytes, "GIF8", 4);
}

static void
print_for_kitty (const char *base64)
{
  gsize left = strlen (base64);
  gboolean first = TRUE;

  while (left > 0)
    {
      gsize length = MIN (left, CHUNK_CHARS);

      left -= length;
      printf ("\033_G%sm=%d;%.*s\033\\", first ? "a=T,f=100," : "", left > 0, (int) length, base64);
      base64 += length;
      first = FALSE;
    }
}

gboolean
cli_picture_show (GBytes *bytes)
{
  Way way = find_way ();
  gsize size;
  const guchar *data = g_bytes_get_data (bytes, &size);
  g_autofree char *base64 = NULL;

  if (way == WAY_NONE || size > PICTURE_BYTES_MAX
      || !(way == WAY_KITTY ? is_png (bytes) : is_picture (bytes)))
    return FALSE;

  base64 = g_base64_encode (data, size);
  if (way == WAY_KITTY)
    print_for_kitty (base64);
  else
    printf ("\033]1337;File=inline=1;size=%" G_GSIZE_FORMAT ":%s\a", size, base64);
  fputc ('\n', stdout);
  return TRUE;
}
