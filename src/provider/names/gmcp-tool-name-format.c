/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-tool-names-private.h"

#define HASH_DIGITS 8u

static const struct
{
  const char *prefix;
  const char *separator; /* NULL where the server's id is left out */
} styles[] = {
  [GMCP_TOOL_NAME_STYLE_SERVER_TOOL] = { "", "__" },
  [GMCP_TOOL_NAME_STYLE_MCP_SERVER_TOOL] = { "mcp__", "__" },
  [GMCP_TOOL_NAME_STYLE_SINGLE_UNDERSCORE] = { "", "_" },
  [GMCP_TOOL_NAME_STYLE_BARE] = { "", NULL },
};

static gboolean
is_allowed (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '-';
}

/* One underscore for each character that is not allowed, however many bytes it has. */
static void
append_fit (GString *out, const char *text)
{
  for (; *text != '\0'; text++)
    {
      if (is_allowed (*text))
        g_string_append_c (out, *text);
      else if (((guchar) *text & 0xc0) != 0x80)
        g_string_append_c (out, '_');
    }
}

static GString *
format_name (GmcpToolNameStyle style, const char *server, const char *tool)
{
  GString *name = g_string_sized_new (GMCP_LIMIT_TOOL_NAME_LENGTH);

  g_string_append (name, styles[style].prefix);
  if (styles[style].separator != NULL)
    {
      append_fit (name, server);
      g_string_append (name, styles[style].separator);
    }
  append_fit (name, tool);
  return name;
}

static void
append_hash (GString *name, const char *server, const char *tool, guint n_digits)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize room = GMCP_LIMIT_TOOL_NAME_LENGTH - n_digits - 1;

  /* The NUL counts, too, so that it matters where one name ends and the other begins. */
  g_checksum_update (checksum, (const guchar *) server, strlen (server) + 1);
  g_checksum_update (checksum, (const guchar *) tool, strlen (tool));

  if (name->len > room)
    g_string_truncate (name, room);
  g_string_append_c (name, '_');
  g_string_append_len (name, g_checksum_get_string (checksum), n_digits);
}

char *
gmcp_tool_name_format (GmcpToolNameStyle style, const char *server, const char *tool)
{
  GString *name = format_name (style, server, tool);

  if (name->len > GMCP_LIMIT_TOOL_NAME_LENGTH)
    append_hash (name, server, tool, HASH_DIGITS);

  return g_string_free (name, FALSE);
}

char *
gmcp_tool_name_format_hashed (GmcpToolNameStyle style,
                              const char *server,
                              const char *tool,
                              guint n_digits)
{
  GString *name = format_name (style, server, tool);

  append_hash (name, server, tool, MIN (n_digits, GMCP_LIMIT_TOOL_NAME_LENGTH - 1));
  return g_string_free (name, FALSE);
}

gboolean
gmcp_tool_name_is_exact (GmcpToolNameStyle style, const char *server, const char *tool)
{
  gsize length = strlen (styles[style].prefix) + strlen (tool);

  if (styles[style].separator != NULL)
    {
      length += strlen (server) + strlen (styles[style].separator);
      for (const char *c = server; *c != '\0'; c++)
        if (!is_allowed (*c))
          return FALSE;
    }
  for (const char *c = tool; *c != '\0'; c++)
    if (!is_allowed (*c))
      return FALSE;

  return length <= GMCP_LIMIT_TOOL_NAME_LENGTH;
}
