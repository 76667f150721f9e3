/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-import-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-redactor-private.h"
#include "gmcp-server-config-private.h"

/* What becomes of a server that is there already, for people to read: whoever says yes has seen which
 * program will run. */

static gboolean
is_listed (GStrv secrets, const char *place)
{
  return g_strv_contains ((const char *const *) secrets, place);
}

/* `postgres://user:password@host` is no option with a telling name. */
static gboolean
may_be_secret (const char *word)
{
  const char *value = *word == '-' && strchr (word, '=') != NULL ? strchr (word, '=') + 1 : word;
  const char *host = strstr (value, "://");

  return gmcp_redactor_looks_random (value) || (host != NULL && strchr (host, '@') != NULL);
}

static char *
show_word (const char *word)
{
  gboolean plain = *word != '\0' && strpbrk (word, " \t\n\"'\\") == NULL;

  return plain ? g_strdup (word) : g_shell_quote (word);
}

static char *
show_command (GmcpServerConfig *config)
{
  const char *const *argv = gmcp_server_config_get_argv (config);
  g_auto (GStrv) secrets = gmcp_config_list_plain_secrets (config);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; argv[i] != NULL; i++)
    {
      g_autofree char *place = i > 0 ? g_strdup_printf ("args[%u]", (guint) i - 1) : NULL;
      gboolean secret = i > 0 && (is_listed (secrets, place) || may_be_secret (argv[i]));

      g_ptr_array_add (words, secret ? g_strdup (GMCP_REDACTED) : show_word (argv[i]));
    }
  if (words->len == 0)
    return g_strdup ("–");
  g_ptr_array_add (words, NULL);
  return g_strjoinv (" ", (char **) words->pdata);
}

static char *
show_url (GmcpServerConfig *config)
{
  const char *url = gmcp_server_config_get_url (config);
  g_auto (GStrv) secrets = gmcp_config_list_plain_secrets (config);

  if (url == NULL)
    return g_strdup ("–");
  return g_strdup (is_listed (secrets, "url") || may_be_secret (url) ? GMCP_REDACTED : url);
}

/* The value that a list of names and values has for a name; NULL for none. */
static const char *
look_up (const char *const *list, gboolean joined, const char *name, gsize length)
{
  for (gsize i = 0; list[i] != NULL; i += joined ? 1 : 2)
    {
      gsize here = joined ? strcspn (list[i], "=") : strlen (list[i]);

      if (here == length && strncmp (list[i], name, length) == 0)
        return joined ? list[i] + here : list[i + 1];
    }
  return NULL;
}

static void
add_names (GPtrArray *names,
           const char *const *list,
           const char *const *other,
           gboolean joined,
           gboolean only_missing)
{
  for (gsize i = 0; list[i] != NULL; i += joined ? 1 : 2)
    {
      gsize length = joined ? strcspn (list[i], "=") : strlen (list[i]);
      const char *value = look_up (list, joined, list[i], length);
      const char *there = look_up (other, joined, list[i], length);

      if (there == NULL || (!only_missing && g_strcmp0 (value, there) != 0))
        g_ptr_array_add (names, g_strndup (list[i], length));
    }
}

/* Which of them change, come or go; never a value. */
static char *
list_names (const char *const *from, const char *const *to, gboolean joined)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  add_names (names, to, from, joined, FALSE);
  add_names (names, from, to, joined, TRUE);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (char **) names->pdata);
}

static char *
describe_property (GmcpServerConfig *from, GmcpServerConfig *to, const char *property)
{
  g_autofree char *names = NULL;

  if (g_str_equal (property, "argv") || g_str_equal (property, "url"))
    {
      gboolean command = g_str_equal (property, "argv");
      g_autofree char *before = command ? show_command (from) : show_url (from);
      g_autofree char *after = command ? show_command (to) : show_url (to);

      /* Translators: a key, and its value before and after. */
      return g_strdup_printf (_ ("%s: %s → %s"), command ? "command" : "url", before, after);
    }
  if (g_str_equal (property, "environment"))
    names = list_names (gmcp_server_config_get_environment (from),
                        gmcp_server_config_get_environment (to), TRUE);
  else if (g_str_equal (property, "headers"))
    names = list_names (gmcp_server_config_get_headers (from), gmcp_server_config_get_headers (to),
                        FALSE);
  else
    return NULL;

  return g_strdup_printf ("%s: %s", g_str_equal (property, "headers") ? "headers" : "env", names);
}

void
gmcp_config_import_note_changes (GmcpConfigImportItem *item)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new ();

  for (gsize i = 0; item->properties[i] != NULL; i++)
    {
      char *text = describe_property (item->present, item->config, item->properties[i]);

      if (text != NULL)
        g_ptr_array_add (notes, text);
    }
  for (gsize i = 0; item->notes != NULL && item->notes[i] != NULL; i++)
    g_ptr_array_add (notes, g_strdup (item->notes[i]));
  g_ptr_array_add (notes, NULL);
  g_strfreev (item->notes);
  item->notes = (GStrv) g_ptr_array_free (g_steal_pointer (&notes), FALSE);
}
