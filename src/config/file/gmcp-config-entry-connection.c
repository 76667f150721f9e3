/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-reader-private.h"
#include "gmcp-i18n-private.h"

/* How the server is reached: the program with what it is given, or the address. */

static void
split_command (GmcpConfigEntryReader *entry, const char *path, GmcpJsonValue value)
{
  g_auto (GStrv) words = NULL;

  if (!g_shell_parse_argv (entry->command, NULL, &words, NULL))
    {
      gmcp_config_entry_fail (entry, path, value, _ ("a command, quoted as for a shell"));
      return;
    }
  for (gsize i = 0; words[i] != NULL; i++)
    g_ptr_array_insert (entry->args, (int) i, g_strdup (words[i]));
  gmcp_config_places_set_command (entry->places, g_strv_length (words), FALSE);
  g_clear_pointer (&entry->command, g_free);
}

static void
read_command_object (GmcpConfigEntryReader *entry, const char *path, GmcpJsonValue object);

/* No program's name is a number, even where a format lets numbers stand for texts. */
static gboolean
is_text (GmcpJsonValue value)
{
  GmcpJsonIter iter;
  GmcpJsonValue first;

  gmcp_json_iter_init (&iter, value);
  if (gmcp_json_value_is_array (value) && gmcp_json_iter_next (&iter, NULL, &first))
    return gmcp_json_value_is_string (first);
  return gmcp_json_value_is_string (value);
}

/* Whether the command is a program and its arguments in one, as typed into a shell. */
static gboolean
is_command_line (const char *command)
{
  const char *space = strchr (command, ' ');
  g_autofree char *program = space != NULL ? g_strndup (command, space - command) : NULL;

  return program != NULL && !gmcp_config_is_pattern (program)
         && (strchr (program, '/') == NULL || strstr (space, " -") != NULL);
}

void
gmcp_config_entry_read_command (GmcpConfigEntryReader *entry,
                                const GmcpConfigEntryKey *key,
                                const char *path,
                                GmcpJsonValue value)
{
  if (entry->rules->command_object && gmcp_json_value_is_object (value))
    {
      read_command_object (entry, path, value);
      return;
    }

  entry->has_command = TRUE;
  if (!is_text (value))
    {
      gmcp_config_entry_fail (entry, path, value, _ ("a string"));
      return;
    }
  /* The program and its arguments in one. */
  if (gmcp_json_value_is_array (value) && gmcp_json_value_get_length (value) > 0)
    {
      g_autoptr (GPtrArray) words = g_ptr_array_new ();

      gmcp_config_entry_append_words (entry, words, path, value);
      for (guint i = 0; i < words->len; i++)
        g_ptr_array_insert (entry->args, (int) i, g_ptr_array_index (words, i));
      gmcp_config_places_set_command (entry->places, words->len, TRUE);
      return;
    }

  g_free (entry->command);
  entry->command = gmcp_config_entry_dup_text (entry, path, value);
  if (entry->command == NULL)
    return;
  if (*entry->command == '\0')
    gmcp_config_entry_fail (entry, path, value, _ ("the name or path of a program"));
  else if (entry->rules->split_command)
    split_command (entry, path, value);
  else if (is_command_line (entry->command))
    gmcp_config_report_add (
      entry->report, GMCP_NOTICE_LEVEL_WARNING, value, path, "%s",
      _ ("this is the name of a program with spaces in it; to give arguments to "
         "a program, put them into “args”"));
}

void
gmcp_config_entry_read_args (GmcpConfigEntryReader *entry,
                             const GmcpConfigEntryKey *key,
                             const char *path,
                             GmcpJsonValue value)
{
  GmcpJsonIter iter;
  GmcpJsonValue element;

  /* TOML says which is which; in YAML a text need not be quoted. */
  gmcp_json_iter_init (&iter, value);
  if (entry->report->document != NULL && entry->report->document->format == GMCP_CONFIG_FORMAT_TOML
      && gmcp_json_value_is_array (value))
    while (gmcp_json_iter_next (&iter, NULL, &element))
      if (!gmcp_json_value_is_string (element))
        {
          gmcp_config_entry_fail (entry, path, value, _ ("an array of strings"));
          return;
        }

  gmcp_config_entry_note_place (entry, "argv", NULL, path, value);
  gmcp_config_entry_append_words (entry, entry->args, path, value);
}

/* Of a map of texts: calls add for each. pattern (nullable) is what is put around the text. */
static void
read_map (GmcpConfigEntryReader *entry,
          const char *path,
          GmcpJsonValue value,
          gboolean environment,
          const char *before,
          const char *after)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue member;

  if (!gmcp_json_value_is_object (value))
    {
      gmcp_config_entry_fail (entry, path, value, _ ("an object of strings"));
      return;
    }

  gmcp_config_report_doubled_keys (entry->report, value, path);

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, &key, &member))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *place = g_strdup_printf ("%s.%s", path, name);
      g_autofree char *text = gmcp_config_entry_dup_text (entry, place, member);

      gmcp_config_entry_note_place (entry, environment ? "environment" : "headers", name, place,
                                    member);
      if (environment && (*name == '\0' || strchr (name, '=') != NULL))
        gmcp_config_entry_fail (entry, place, key, _ ("a variable name without “=”"));
      else if (text != NULL && environment)
        g_ptr_array_add (entry->environment,
                         g_strdup_printf ("%s=%s%s%s", name, before, text, after));
      else if (text != NULL)
        {
          g_ptr_array_add (entry->headers, g_steal_pointer (&name));
          g_ptr_array_add (entry->headers, g_strdup_printf ("%s%s%s", before, text, after));
        }
    }
}

void
gmcp_config_entry_read_environment (GmcpConfigEntryReader *entry,
                                    const GmcpConfigEntryKey *key,
                                    const char *path,
                                    GmcpJsonValue value)
{
  read_map (entry, path, value, TRUE, "", "");
}

void
gmcp_config_entry_read_headers (GmcpConfigEntryReader *entry,
                                const GmcpConfigEntryKey *key,
                                const char *path,
                                GmcpJsonValue value)
{
  read_map (entry, path, value, FALSE, "", "");
}

/* Values that are named by the variable that holds them. */
void
gmcp_config_entry_read_variable_headers (GmcpConfigEntryReader *entry,
                                         const GmcpConfigEntryKey *key,
                                         const char *path,
                                         GmcpJsonValue value)
{
  read_map (entry, path, value, FALSE, "${", "}");
}

void
gmcp_config_entry_read_bearer_variable (GmcpConfigEntryReader *entry,
                                        const GmcpConfigEntryKey *key,
                                        const char *path,
                                        GmcpJsonValue value)
{
  g_autofree char *name = gmcp_config_entry_dup_text (entry, path, value);

  if (name == NULL)
    return;
  gmcp_config_entry_note_place (entry, "headers", "Authorization", path, value);
  g_ptr_array_add (entry->headers, g_strdup ("Authorization"));
  g_ptr_array_add (entry->headers, g_strdup_printf ("Bearer ${%s}", name));
}

/* Names of variables that are passed on, or of secrets. */
void
gmcp_config_entry_read_variable_names (GmcpConfigEntryReader *entry,
                                       const GmcpConfigEntryKey *key,
                                       const char *path,
                                       GmcpJsonValue value)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *kind = g_str_equal (key->name, "envKeys") ? "secret:" : "";

  gmcp_config_entry_append_words (entry, names, path, value);
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);

      gmcp_config_entry_note_place (entry, "environment", name, path, value);
      if (*name == '\0' || strpbrk (name, "={}") != NULL)
        gmcp_config_entry_fail (entry, path, value, _ ("names of variables"));
      else
        g_ptr_array_add (entry->environment, g_strdup_printf ("%s=${%s%s}", name, kind, name));
    }
}

void
gmcp_config_entry_read_url (GmcpConfigEntryReader *entry,
                            const GmcpConfigEntryKey *key,
                            const char *path,
                            GmcpJsonValue value)
{
  const char *main_url = entry->rules->main_url != NULL ? entry->rules->main_url : "url";
  gboolean own = g_str_equal (key->as_written, main_url);

  if (own || !entry->has_url)
    {
      gmcp_config_entry_note_place (entry, "url", NULL, path, value);
      gmcp_config_entry_read_text (entry, key, path, value);
      entry->is_sse = entry->rules->sse_url && g_str_equal (key->as_written, "url");
    }
  else
    {
      g_free (gmcp_config_entry_dup_text (entry, path, value));
    }
  entry->has_url |= own;
}

void
gmcp_config_entry_read_transport (GmcpConfigEntryReader *entry,
                                  const GmcpConfigEntryKey *key,
                                  const char *path,
                                  GmcpJsonValue value)
{
  static const struct
  {
    const char *word;
    GmcpServerTransport transport;
  } words[] = {
    { "stdio", GMCP_SERVER_TRANSPORT_STDIO },
    { "local", GMCP_SERVER_TRANSPORT_STDIO },
    { "http", GMCP_SERVER_TRANSPORT_HTTP },
    { "streamable-http", GMCP_SERVER_TRANSPORT_HTTP },
    { "streamable_http", GMCP_SERVER_TRANSPORT_HTTP },
    { "streamableHttp", GMCP_SERVER_TRANSPORT_HTTP },
    { "sse", GMCP_SERVER_TRANSPORT_SSE },
    { "remote", GMCP_SERVER_TRANSPORT_HTTP },
  };

  g_autofree char *word = gmcp_config_entry_dup_word (entry, path, value);

  if (word == NULL && gmcp_json_value_is_string (value))
    return;
  /* “auto” says nothing. */
  if (g_strcmp0 (word, "auto") == 0)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (g_strcmp0 (word, words[i].word) != 0)
        continue;
      g_value_set_enum (
        gmcp_config_entry_set_value (entry, "transport", GMCP_TYPE_SERVER_TRANSPORT),
        words[i].transport);
      return;
    }

  gmcp_config_entry_fail (entry, path, value, _ ("“stdio”, “http” or “sse”"));
}

static void
read_command_object (GmcpConfigEntryReader *entry, const char *path, GmcpJsonValue object)
{
  static const struct
  {
    const char *name;
    GmcpConfigEntryReadKey read;
  } members[] = {
    { "path", gmcp_config_entry_read_command },
    { "args", gmcp_config_entry_read_args },
    { "env", gmcp_config_entry_read_environment },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const GmcpConfigEntryKey key = { .name = members[i].name };
      GmcpJsonValue value = gmcp_json_value_get_member (object, key.name);
      g_autofree char *place = gmcp_config_path_join (path, key.name);

      /* An object in an object is none. */
      if (members[i].read == gmcp_config_entry_read_command && gmcp_json_value_is_object (value))
        gmcp_config_entry_fail (entry, place, value, _ ("a string"));
      else if (gmcp_json_value_is_present (value))
        members[i].read (entry, &key, place, value);
    }
}

void
gmcp_config_entry_read_env_file (GmcpConfigEntryReader *entry,
                                 const GmcpConfigEntryKey *key,
                                 const char *path,
                                 GmcpJsonValue value)
{
  gmcp_config_report_add (entry->report, GMCP_NOTICE_LEVEL_WARNING, value, path, "%s",
                          _ ("files of variables are not read; use “env”"));
}
