/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-tool-pattern-private.h"

#include <gmcp/manager/gmcp-server-config.h>

static gboolean
is_glob (const char *text)
{
  return strpbrk (text, "*?") != NULL;
}

/* Servers are known by ids, which are made of their names; a rule may hold either. */
static char *
make_server_glob (const char *name)
{
  if (is_glob (name))
    return g_ascii_strdown (name, -1);

  return gmcp_server_config_is_valid_id (name) ? g_strdup (name)
                                               : gmcp_server_config_make_id (name);
}

static gboolean
set_parts (GmcpToolPattern *self, const char *server, gsize server_length, const char *tool)
{
  g_autofree char *name = g_strndup (server, server_length);

  if (*name == '\0' || *tool == '\0')
    return FALSE;

  self->server = make_server_glob (name);
  self->tool = g_strdup (tool);
  return TRUE;
}

GmcpToolPattern *
gmcp_tool_pattern_new (const char *text)
{
  g_autoptr (GmcpToolPattern) self = g_new0 (GmcpToolPattern, 1);
  const char *name = g_str_has_prefix (text, "mcp__") ? text + strlen ("mcp__") : text;
  const char *dot = strchr (text, '.');
  const char *mark = strstr (name, "__");

  /* A variable that could not be filled in stands for nothing. */
  if (*text == '\0' || strstr (text, "${") != NULL || !g_utf8_validate (text, -1, NULL))
    return NULL;

  self->text = g_strdup (text);
  self->exact = !is_glob (text);
  if (strcmp (text, "*") == 0)
    {
      set_parts (self, "*", 1, "*");
      self->own = g_strdup ("*");
    }
  else if (dot != NULL)
    {
      if (!set_parts (self, text, dot - text, dot + 1))
        return NULL;
    }
  else
    {
      if (mark != NULL)
        set_parts (self, name, mark - name, mark + strlen ("__"));
      self->own = g_strdup (text);
    }

  return g_steal_pointer (&self);
}

void
gmcp_tool_pattern_free (GmcpToolPattern *self)
{
  g_free (self->text);
  g_free (self->server);
  g_free (self->tool);
  g_free (self->own);
  g_free (self);
}

gboolean
gmcp_glob_matches (const char *glob, const char *text)
{
  const char *star = NULL;
  const char *resume = NULL;

  while (*text != '\0')
    {
      if (*glob == '*')
        {
          star = glob++;
          resume = text;
        }
      else if (*glob == '?')
        {
          glob++;
          text = g_utf8_next_char (text);
        }
      else if (*glob == *text)
        {
          glob++;
          text++;
        }
      else if (star != NULL)
        {
          /* The last star takes one character more; those before it need not be tried again. */
          glob = star + 1;
          resume = g_utf8_next_char (resume);
          text = resume;
        }
      else
        {
          return FALSE;
        }
    }

  while (*glob == '*')
    glob++;
  return *glob == '\0';
}

gboolean
gmcp_tool_pattern_matches (const GmcpToolPattern *self, const char *server, const char *tool)
{
  if (server == NULL)
    return self->own != NULL && gmcp_glob_matches (self->own, tool);

  return self->server != NULL && gmcp_glob_matches (self->server, server)
         && gmcp_glob_matches (self->tool, tool);
}

void
gmcp_tool_pattern_split_name (const char *name, char **server, const char **tool)
{
  const char *dot = strchr (name, '.');

  *server = dot != NULL ? g_strndup (name, dot - name) : NULL;
  *tool = dot != NULL ? dot + 1 : name;
}

GPtrArray *
gmcp_tool_patterns_new (const char *const *texts, const char **invalid)
{
  GPtrArray *patterns = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_tool_pattern_free);

  for (gsize i = 0; texts != NULL && texts[i] != NULL; i++)
    {
      GmcpToolPattern *pattern = gmcp_tool_pattern_new (texts[i]);

      if (pattern != NULL)
        g_ptr_array_add (patterns, pattern);
      else if (*invalid == NULL)
        *invalid = texts[i];
    }

  return patterns;
}

const GmcpToolPattern *
gmcp_tool_patterns_find (GPtrArray *patterns, const char *server, const char *tool)
{
  for (guint i = 0; i < patterns->len; i++)
    {
      const GmcpToolPattern *pattern = g_ptr_array_index (patterns, i);

      if (gmcp_tool_pattern_matches (pattern, server, tool))
        return pattern;
    }

  return NULL;
}
