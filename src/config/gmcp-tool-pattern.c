/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-tool-names-private.h"
#include "gmcp-tool-pattern-private.h"

#include <gmcp/config/gmcp-server-config.h>

static gboolean
is_glob (const char *text)
{
  return strpbrk (text, "*?") != NULL;
}

/* Makes ids of the parts between the stars, as of names. What an id cannot begin with is left out
 * where it is known what follows; otherwise it stays, and no id matches. */
static char *
make_id_glob (const char *glob)
{
  GString *id = g_string_sized_new (strlen (glob));
  gboolean left_out = FALSE;

  for (const char *c = glob; *c != '\0'; c++)
    {
      gboolean wild = *c == '*' || *c == '?';

      if (((guchar) *c & 0xc0) == 0x80)
        continue;

      if (wild && left_out && id->len == 0)
        g_string_append_c (id, '-');
      if (wild || g_ascii_isalnum (*c))
        g_string_append_c (id, g_ascii_tolower (*c));
      else if (id->len > 0)
        g_string_append_c (id, '-');
      else
        left_out = TRUE;
    }

  return g_string_free (id, FALSE);
}

/* Servers are known by ids, which are made of their names; a rule may hold either. */
static char *
make_server_glob (const char *name)
{
  if (is_glob (name))
    return make_id_glob (name);

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
  self->like_listed = strstr (text, "__") != NULL;
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

/* Whether one of the places where the rule can be taken apart gives the server's title, in either case,
 * and the tool, where there is one. */
static gboolean
matches_title (const GmcpToolPattern *self,
               const char *separator,
               const char *title,
               const char *tool)
{
  g_autofree char *folded = NULL;

  for (const char *end = strstr (self->text, separator); end != NULL;
       end = strstr (end + 1, separator))
    {
      g_autofree char *name = NULL;
      g_autofree char *folded_name = NULL;

      if (tool != NULL && !gmcp_glob_matches (end + strlen (separator), tool))
        continue;
      if (folded == NULL)
        folded = g_utf8_casefold (title, -1);
      name = g_strndup (self->text, end - self->text);
      folded_name = g_utf8_casefold (name, -1);
      if (gmcp_glob_matches (folded_name, folded))
        return TRUE;
    }
  return FALSE;
}

/* Whether the rule is a name that the tool has in a list. With stars it is one only where it looks
 * like one: a rule about the host's own tools is no rule about servers that begin in the same way. */
static gboolean
matches_listed (const GmcpToolPattern *self, const GmcpPolicySubject *subject)
{
  static const GmcpToolNameStyle styles[] = {
    GMCP_TOOL_NAME_STYLE_SERVER_TOOL,
    GMCP_TOOL_NAME_STYLE_MCP_SERVER_TOOL,
    GMCP_TOOL_NAME_STYLE_SINGLE_UNDERSCORE,
  };
  g_autofree char *fit = NULL;
  g_autofree char *plain = NULL;

  if (!self->like_listed && (self->own == NULL || !self->exact))
    return FALSE;
  if (subject->definition != NULL
      && gmcp_glob_matches (self->text,
                            gmcp_definition_get_name (GMCP_DEFINITION (subject->definition))))
    return TRUE;

  for (gsize i = 0; i < G_N_ELEMENTS (styles); i++)
    {
      g_autofree char *name = gmcp_tool_name_format (styles[i], subject->server, subject->tool);

      if (gmcp_glob_matches (self->text, name))
        return TRUE;
    }
  if (!self->like_listed)
    return FALSE;

  /* The listed name with the server's name in place of its id. */
  fit = gmcp_tool_name_format (GMCP_TOOL_NAME_STYLE_BARE, subject->server, subject->tool);
  plain = g_strconcat (subject->server, "__", subject->tool, NULL);
  return gmcp_glob_matches (self->text, plain)
         || (self->server != NULL && gmcp_glob_matches (self->server, subject->server)
             && gmcp_glob_matches (self->tool, fit));
}

gboolean
gmcp_tool_pattern_covers (const GmcpToolPattern *self, const GmcpPolicySubject *subject)
{
  const char *title = subject->title;

  if (gmcp_tool_pattern_matches (self, subject->server, subject->tool))
    return TRUE;
  if (subject->server == NULL)
    return FALSE;

  if (title != NULL && strcmp (title, subject->server) != 0
      && (matches_title (self, ".", title, subject->tool)
          || matches_title (self, "__", title, subject->tool)))
    return TRUE;
  return matches_listed (self, subject);
}

gboolean
gmcp_tool_pattern_names_listed (const GmcpToolPattern *self, const GmcpPolicySubject *subject)
{
  return self->exact && self->like_listed && subject->server != NULL && subject->definition != NULL
         && self->server != NULL && strcmp (self->server, subject->server) == 0
         && strcmp (self->text, gmcp_definition_get_name (GMCP_DEFINITION (subject->definition)))
              == 0;
}

gboolean
gmcp_tool_pattern_matches_server (const GmcpToolPattern *self, const char *server)
{
  return self->server != NULL && gmcp_glob_matches (self->server, server);
}

gboolean
gmcp_tool_pattern_covers_server (const GmcpToolPattern *self, const char *server, const char *title)
{
  g_autofree char *listed = NULL;

  if (gmcp_tool_pattern_matches_server (self, server) || matches_title (self, ".", title, NULL)
      || matches_title (self, "__", title, NULL))
    return TRUE;

  listed = g_strconcat (server, "__", NULL);
  return self->like_listed && g_str_has_prefix (self->text, listed);
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
gmcp_tool_patterns_find (GPtrArray *patterns, const GmcpPolicySubject *subject)
{
  for (guint i = 0; i < patterns->len; i++)
    {
      const GmcpToolPattern *pattern = g_ptr_array_index (patterns, i);

      if (gmcp_tool_pattern_covers (pattern, subject))
        return pattern;
    }

  return NULL;
}
